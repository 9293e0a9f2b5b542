//! Sheets for a talk of a teacher with each student: positions that the student's program has
//! played, each with a question. A second copy has the answers.

use crate::analysis_text::cost;
use crate::markup;
use crate::position::Positions;
use anygame::AnyGame;
use anyhow::Result;
use arena::analysis::better::Better;
use arena::analysis::finding::{Finding, ProvenResult};
use arena::analysis::text::percent;
use arena::plain::{counted, shown};
use arena::record::{GameRecord, Header, MoveRecord, Record};
use arena::replayed::{RecordedTurn, ReplayedGame};
use maud::{Markup, html};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::mem::discriminant;

/// The most positions of a sheet, and of one game on it.
const POSITIONS: usize = 5;
const MOST_OF_A_GAME: usize = 2;
/// A move is rare in a position that so many programs had, if at most this part of them made it.
const FEWEST: usize = 4;
const RARE: f64 = 0.25;
/// A smaller part of the clock is little.
const LITTLE: f64 = 0.1;
/// The most moves of a line that shows something at once, and of one that people play on a board.
const SHORT: usize = 5;
const LONG: usize = 8;
/// Moves with a smaller difference in winning chances are as good as each other.
const ALIKE: f64 = 0.1;

enum Why {
    /// The move gave something away.
    Gave,
    /// Few programs made the move: in words, who did what; and what the common move is worth.
    Rare(String, String),
    /// Little was left of the clock, which had so many seconds.
    Hurried(f64),
    /// The position was lost: the plies to the end after the best move and after the one played.
    Lost([u32; 2]),
}

struct Item<'a> {
    game: &'a GameRecord,
    mv: &'a MoveRecord,
    finding: &'a Finding,
    turn: RecordedTurn,
    better: Option<Better>,
    why: Why,
}

impl Item<'_> {
    fn best(&self) -> Option<&str> {
        Some(&self.better.as_ref()?.line.first()?.mv)
    }

    /// The opponent's reply, if a reason is about it, or if there is no reason.
    fn named_reply(&self) -> Option<&str> {
        let Better { replies, why, .. } = self.better.as_ref()?;
        let reply = replies.first()?;
        let is_told =
            why.is_empty() || why.iter().any(|why| why.contains(&format!("the reply {reply}")));
        is_told.then_some(reply)
    }

    /// The better move whose reasons show only after some moves of both lines.
    fn played_out(&self) -> Option<&Better> {
        let is_gave = matches!(self.why, Why::Gave);
        self.better
            .as_ref()
            .filter(|better| is_gave && better.shows_after != Some(2) && !better.why.is_empty())
    }
}

/// Whether a player is a program that somebody has handed in.
pub fn is_program(header: &Header, name: &str) -> bool {
    let known = header.engines.iter().find(|engine| engine.name == name);
    known.is_none_or(|engine| engine.kind.program().is_some() && engine.is_timed())
}

/// The first move of each program in a position, by the position's key, and its analysis.
type Played<'a> = HashMap<u64, BTreeMap<&'a str, (&'a str, Option<&'a Finding>)>>;

/// The page with a sheet for each shown program of an analysed record, and the teacher's copy.
pub fn pages(
    game: &AnyGame,
    record: &Record,
    is_shown: impl Fn(&str) -> bool,
) -> Result<[String; 2]> {
    let mut programs: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
    let mut positions: Played = HashMap::new();
    for played in record.games.values() {
        let replayed =
            ReplayedGame::of(game, &record.header, &played.start.opening, &played.moves)?;
        for (mv, turn) in played.moves.iter().zip(replayed.into_turns()) {
            let name = played.start.players[turn.position.side_to_move().index()].as_str();
            if !is_program(&record.header, name) {
                continue;
            }
            let finding = mv.analysis.as_deref();
            let programs_here = positions.entry(turn.position.key()).or_default();
            programs_here.entry(name).or_insert((&mv.output, finding));
            let Some(finding) = finding.filter(|_| is_shown(name)) else { continue };
            let better = turn.position.better(turn.mv.code, finding);
            let item = Item { game: played, mv, finding, turn, better, why: Why::Gave };
            programs.entry(name).or_default().push(item);
        }
    }
    for items in programs.values_mut() {
        choose(items, &positions);
    }
    let all = || programs.iter().filter(|(_, items)| !items.is_empty());
    Ok([false, true].map(|answers| {
        let copy = if answers { ", the teacher's copy" } else { "" };
        let mut boards = Positions::default();
        let body = html! {
            @for (name, items) in all() {
                section.talk {
                    h1 { (shown(name)) ": " (game.title) (copy) }
                    @for (item, number) in items.iter().zip(1..) {
                        (sheet_item(game, &mut boards, item, number, answers))
                    }
                }
            }
            @if all().next().is_none() { p { "No move of these games asks for a question." } }
        };
        markup::page(&format!("{}: positions to talk about{copy}", game.title), &body)
    }))
}

/// Keeps one position with a rare move, one with little time, and those in which most was given
/// away: proven results and what can be explained first.
fn choose(items: &mut Vec<Item>, positions: &Played) {
    let (mut clocks, mut seen) = (HashMap::new(), HashSet::new());
    let mut ranked: Vec<(f64, Item)> = Vec::new();
    for mut item in items.drain(..) {
        let Item { game, mv, finding, .. } = item;
        let key = item.turn.position.key();
        let clock = *clocks.entry(game.end.game).or_insert(mv.left.map(|left| left + mv.cpu));
        let time = mv.left.zip(clock);
        let rare = rare(&positions[&key], item.mv, finding, &item.turn);
        let shows_after = item.better.as_ref().and_then(|better| better.shows_after);
        let is_told = shows_after.is_some_and(|plies| plies <= LONG);
        let is_proven = finding.proven && finding.before != finding.after;
        let rank = match (time, rare) {
            _ if finding.choices < 2 || !seen.insert(key) => continue,
            _ if finding.mark.is_some() && item.better.is_some() => {
                let sure = |sure: bool| f64::from(u8::from(sure));
                finding.drop()
                    + sure(is_told)
                    + 2.0 * sure(shows_after == Some(2))
                    + 4.0 * sure(is_told && is_proven)
            }
            _ if finding.before == Some(ProvenResult::Loss) => match finding.resistance() {
                Some(plies @ [best, played]) if best > played && item.better.is_some() => {
                    item.why = Why::Lost(plies);
                    -1.0 / f64::from(best - played)
                }
                _ => continue,
            },
            (_, Some((same, words, common))) => {
                item.why = Why::Rare(words, common);
                10.0 - same
            }
            (Some((left, clock)), _) if left <= LITTLE * clock => {
                item.why = Why::Hurried(clock);
                8.0 - left / clock
            }
            _ => continue,
        };
        ranked.push((rank, item));
    }
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let (mut kinds, mut of_game) = (HashSet::new(), HashMap::<u32, usize>::new());
    let all = ranked.into_iter().map(|(_, item)| item);
    let (first, others): (Vec<Item>, Vec<Item>) = all.partition(|item| {
        let of_game = of_game.entry(item.game.end.game).or_default();
        *of_game += 1;
        let is_gave = matches!(item.why, Why::Gave);
        *of_game <= MOST_OF_A_GAME && (is_gave || kinds.insert(discriminant(&item.why)))
    });
    items.extend(first.into_iter().chain(others));
    items.truncate(POSITIONS);
}

/// The part of the programs that made a move, who did what, and what the common move is worth, if
/// few made it and half of them another one.
fn rare(
    all: &BTreeMap<&str, (&str, Option<&Finding>)>,
    mv: &MoveRecord,
    own: &Finding,
    turn: &RecordedTurn,
) -> Option<(f64, String, String)> {
    let count = |mv: &str| all.values().filter(|(other, _)| *other == mv).count();
    let (programs, same) = (all.len(), count(&mv.output));
    let (common, finding) = *all.values().max_by_key(|(other, _)| count(other))?;
    let code = turn.position.code_of(common).ok()?;
    let common_move = turn.position.move_of(code)?.described;
    let words = format!(
        "{programs} programs had this position: {} played {common_move}, {same} played {}",
        count(common),
        turn.mv.described
    );
    let worth = finding.map_or(String::new(), |finding| {
        let why = turn.position.better(code, finding).map(|better| better.why).unwrap_or_default();
        let because = if why.is_empty() { "" } else { ", because " };
        let result = percent(finding.chance);
        format!("after {common_move} it is {result} %{because}{}", why.join("; "))
    });
    let part = same as f64 / programs as f64;
    let is_alike = finding.is_some_and(|other| (other.chance - own.chance).abs() < ALIKE);
    let is_rare = !is_alike && programs >= FEWEST && part <= RARE && 2 * count(common) >= programs;
    is_rare.then_some((part, words, worth))
}

fn sheet_item(
    game: &AnyGame,
    boards: &mut Positions,
    item: &Item,
    number: usize,
    answers: bool,
) -> Markup {
    let Item { game: played, mv, turn, better, .. } = item;
    let side = turn.position.side_to_move();
    let opponent = shown(&played.start.players[side.other().index()]);
    let label = format!("Position {number}, and the move {}", mv.mv);
    let left = mv.left.map(|left| match item.why {
        Why::Hurried(clock) => format!(", with {:.2} s of {clock} s left", left + mv.cpu),
        _ => format!(", with {:.2} s left", left + mv.cpu),
    });
    let (far, shown_move) = (item.played_out(), shown(&mv.mv));
    let line = better.as_ref().map(|better| {
        let most = far.map_or(SHORT, |far| far.shows_after.unwrap_or(LONG));
        let mut moves = better.line.iter().take(most).map(|step| step.mv.as_str());
        let best = moves.next().unwrap_or_default();
        (best, moves.map(|mv| format!(", then {mv}")).collect::<String>())
    });
    let after = far.map(|better| {
        let most = better.shows_after.unwrap_or(LONG).saturating_sub(1);
        better.replies.iter().take(most).map(|mv| format!(", then {mv}")).collect::<String>()
    });
    html! {
        div.ask {
            @if let Some(drawing) = turn.position.drawing() {
                @let way = better.as_ref().map(|_| boards::mentioned(&item.finding.best, &drawing));
                (boards.draw(&drawing, Some(&mv.output), way.as_slice(), &[], &label))
            } @else { pre { (turn.position.picture()) } }
            div {
                p.soft {
                    (number) ". Game " (played.end.game) ", move " (mv.ply + 1) ": "
                    (game.side_word(side)) " against " (opponent)
                }
                p { "Your program played " b { (shown_move) } (left.unwrap_or_default()) "." }
                @if let Some(after) = after { p { "The line of this move: " b { (shown_move) } (after) } }
                @if let Some((best, then)) = line { p { "Better: " b { (best) } (then) } }
                p { (question(game, item)) }
                @if answers { p.answer { (answer(item)) } }
            }
        }
    }
}

fn question(game: &AnyGame, item: &Item) -> String {
    let mv = shown(&item.mv.mv);
    let Item { turn, .. } = item;
    let other = game.side_word(turn.position.side_to_move().other());
    let best = item.best().unwrap_or_default();
    let after = turn.position.clone().play(turn.mv.code);
    let is_over = after.is_ok_and(|after| after.outcome().is_some());
    match &item.why {
        Why::Gave if is_over => {
            format!("How does the game end with {mv}, and what is better about {best}?")
        }
        Why::Gave if item.played_out().is_some() => {
            "Play both lines on the board. What is different at their ends?".to_string()
        }
        Why::Gave if item.named_reply().is_some() => format!(
            "What does {other} play after {mv}, and did your program see it? What is better about \
             {best}?"
        ),
        Why::Gave => format!("What is better about {best} than about {mv}?"),
        Why::Rare(words, _) => format!("{words}. What does each of the two moves do?"),
        Why::Lost(_) => {
            let side = game.side_word(turn.position.side_to_move());
            format!("{side} is lost here. What makes {best} hold out longer than {mv}?")
        }
        Why::Hurried(_) => {
            "How many moves are there to choose from? Which would you look at first, and why?"
                .to_string()
        }
    }
}

/// For the teacher alone.
fn answer(item: &Item) -> String {
    let Item { finding, better, mv, .. } = item;
    let mut parts = Vec::new();
    if matches!(item.why, Why::Hurried(_)) {
        let moves = counted(finding.choices, "legal move", "legal moves");
        let best = shown(item.best().unwrap_or(&mv.mv));
        parts.push(format!("{moves}; the search prefers {best}; this one took {:.2} s", mv.cpu));
    }
    if let Some(better) = better {
        let reply = item.named_reply().filter(|_| better.why.is_empty());
        parts.extend(reply.map(|reply| format!("the reply is {reply}")));
        parts.extend(better.why.iter().cloned());
    }
    let [own, best] = [finding.chance, finding.best_chance].map(percent);
    parts.push(match &item.why {
        Why::Rare(_, common) => {
            let own = format!("the expected result is {own} % after {}", shown(&mv.mv));
            if common.is_empty() { own } else { format!("{own}; {common}") }
        }
        Why::Lost([best, played]) => {
            format!("the end is {best} plies away at most, and {played} after the move played")
        }
        _ if finding.mark.is_some() => cost(finding),
        _ => format!(
            "the expected result is {own} % after the move, and {best} % after the best one"
        ),
    });
    format!("Answer: {}.", parts.join("; "))
}
