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
use arena::player::spec::PlayerKind;
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
const LINE: usize = 5;

enum Why {
    /// The move gave something away.
    Gave,
    /// Few programs made the move: in words, who did what.
    Rare(String),
    /// Little was left of the clock.
    Hurried,
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
}

/// Whether a player is a program that somebody has handed in.
pub fn is_program(header: &Header, name: &str) -> bool {
    let known = header.engines.iter().find(|engine| engine.name == name);
    known.is_none_or(|engine| {
        let is_process =
            matches!(engine.kind, PlayerKind::Files { .. } | PlayerKind::Protocol { .. });
        is_process && engine.is_timed()
    })
}

/// The page with a sheet for each shown program of an analysed record, and the teacher's copy.
pub fn pages(
    game: &AnyGame,
    record: &Record,
    is_shown: impl Fn(&str) -> bool,
) -> Result<[String; 2]> {
    let mut programs: BTreeMap<&str, Vec<Item>> = BTreeMap::new();
    let mut positions: HashMap<u64, BTreeMap<&str, &str>> = HashMap::new();
    for played in record.games.values() {
        let replayed =
            ReplayedGame::of(game, &record.header, &played.start.opening, &played.moves)?;
        for (mv, turn) in played.moves.iter().zip(replayed.into_turns()) {
            let name = played.start.players[turn.position.side_to_move().index()].as_str();
            if !is_program(&record.header, name) {
                continue;
            }
            positions.entry(turn.position.key()).or_default().entry(name).or_insert(&mv.output);
            let Some(finding) = mv.analysis.as_deref().filter(|_| is_shown(name)) else { continue };
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
        let copy = if answers { " (the teacher's copy)" } else { "" };
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
fn choose(items: &mut Vec<Item>, positions: &HashMap<u64, BTreeMap<&str, &str>>) {
    let (mut clocks, mut seen) = (HashMap::new(), HashSet::new());
    let mut ranked: Vec<(f64, Item)> = Vec::new();
    for mut item in items.drain(..) {
        let Item { game, mv, finding, .. } = item;
        let key = item.turn.position.key();
        let clock = *clocks.entry(game.end.game).or_insert(mv.left.map(|left| left + mv.cpu));
        let part = mv.left.zip(clock).map(|(left, clock)| left / clock);
        let rare = rare(&positions[&key], &mv.output, &item.turn);
        let is_told = item.better.as_ref().is_some_and(|better| !better.why.is_empty());
        let is_proven = finding.proven && finding.before != finding.after;
        let rank = match (part, rare) {
            _ if finding.choices < 2 || !seen.insert(key) => continue,
            _ if finding.mark.is_some() && item.better.is_some() => {
                let sure = |sure: bool| f64::from(u8::from(sure));
                finding.drop() + sure(is_told) + 4.0 * sure(is_told && is_proven)
            }
            _ if finding.before == Some(ProvenResult::Loss) => continue,
            (_, Some((same, words))) => {
                item.why = Why::Rare(words);
                10.0 - same
            }
            (Some(part), _) if part <= LITTLE => {
                item.why = Why::Hurried;
                8.0 - part
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

/// The part of the programs that made a move, and who did what, if few made it and half of them
/// another one.
fn rare(all: &BTreeMap<&str, &str>, mv: &str, turn: &RecordedTurn) -> Option<(f64, String)> {
    let count = |mv: &str| all.values().filter(|&&other| other == mv).count();
    let (programs, same) = (all.len(), count(mv));
    let common = *all.values().max_by_key(|other| count(other))?;
    let common_move = turn.position.move_of(turn.position.code_of(common).ok()?)?.described;
    let words = format!(
        "{programs} programs had this position: {} played {common_move}, {same} played {}",
        count(common),
        turn.mv.described
    );
    let part = same as f64 / programs as f64;
    (programs >= FEWEST && part <= RARE && 2 * count(common) >= programs).then_some((part, words))
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
    let left = mv.left.map(|left| format!(", with {:.1} s left", left + mv.cpu));
    let line = better.as_ref().map(|better| {
        better.line.iter().take(LINE).map(|step| step.mv.as_str()).collect::<Vec<_>>().join(" | ")
    });
    html! {
        div.ask {
            @if let Some(drawing) = turn.position.drawing() {
                @let way = better.as_ref().map(|_| boards::mentioned(&item.finding.best, &drawing));
                (boards.draw(&drawing, Some(&mv.output), way.as_slice(), &label))
            } @else { pre { (turn.position.picture()) } }
            div {
                p.soft {
                    (number) ". Game " (played.end.game) ", move " (mv.ply + 1) ": "
                    (game.side_word(side)) " against " (opponent)
                }
                p { "Your program played " b { (shown(&mv.mv)) } (left.unwrap_or_default()) "." }
                @if let Some(line) = line { p { "Better: " b { (line) } } }
                p { (question(game, item)) }
                @if answers { p.answer { (answer(item)) } }
            }
        }
    }
}

fn question(game: &AnyGame, item: &Item) -> String {
    let mv = shown(&item.mv.mv);
    let other = game.side_word(item.turn.position.side_to_move().other());
    let best = item.best().unwrap_or_default();
    match &item.why {
        Why::Gave if item.mv.ply + 1 == item.game.end.plies => {
            format!("How does the game end with {mv}, and what is better about {best}?")
        }
        Why::Gave => format!(
            "What did it see after {mv}: what does {other} play there? What is better about {best}?"
        ),
        Why::Rare(words) => format!("{words}. What does each of the two moves do?"),
        Why::Hurried => {
            "How many moves are there to choose from? Which would you look at first?".to_string()
        }
    }
}

/// For the teacher alone.
fn answer(item: &Item) -> String {
    let Item { finding, better, mv, .. } = item;
    let mut parts = Vec::new();
    if matches!(item.why, Why::Hurried) {
        let moves = counted(finding.choices, "legal move", "legal moves");
        let best = shown(item.best().unwrap_or(&mv.mv));
        parts.push(format!("{moves}; the search prefers {best}; this one took {:.2} s", mv.cpu));
    }
    if let Some(Better { replies, why, .. }) = better {
        let is_new = |reply: &&String| !why.iter().any(|why| why.contains(reply.as_str()));
        let reply = replies.first();
        parts.extend(
            reply.iter().filter(|reply| is_new(reply)).map(|reply| format!("the reply is {reply}")),
        );
        parts.extend(why.iter().cloned());
    }
    parts.push(if finding.mark.is_some() {
        cost(finding)
    } else {
        let [own, best] = [finding.chance, finding.best_chance].map(percent);
        format!("the expected result is {own} % after the move, and {best} % after the best one")
    });
    format!("Answer: {}.", parts.join("; "))
}
