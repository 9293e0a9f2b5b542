//! What the agents are asked: positions of a game from several sources, and the check of the answers by the game's own
//! rules.

use arena::random::{self, Purpose};
use engine::clock::NoClock;
use engine::think::{Settings, moves_for_every_grader};
use engine::{Playable, RuleSet, Side, Task, TimeControl, think};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::time::Duration;

/// Where a position comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A line of random moves: anywhere on it, or one time in four the last position before its end.
    Random,
    /// A game of the agent against itself.
    SelfPlay,
    /// The game's own extremes ([`Playable::extreme_board`]).
    HandMade,
    /// A line of random moves to the end of its game.
    Over,
}

impl Source {
    /// All, with their words for people.
    pub(crate) const ALL: [(Source, &'static str); 4] = [
        (Source::Random, "random moves"),
        (Source::SelfPlay, "self-play"),
        (Source::HandMade, "hand-made"),
        (Source::Over, "after the end"),
    ];

    /// The word for people.
    pub(crate) fn word(self) -> &'static str {
        Source::ALL.iter().find(|(source, _)| *source == self).map_or("?", |(_, word)| word)
    }

    /// A source by chance: of twenty eight, seven, four and one.
    pub(crate) fn any(random: &mut impl Rng) -> Source {
        match random.random_range(0..20) {
            0..=7 => Source::Random,
            8..=14 => Source::SelfPlay,
            15..=18 => Source::HandMade,
            _ => Source::Over,
        }
    }
}

/// The properties that a question has to have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wish {
    /// Where the position is to come from. Where a game has no such source, random moves do.
    pub source: Source,
    /// The side to move. A position of which no line of play has one is asked for the other side.
    pub side: Side,
    /// The meaning of the clock.
    pub control: TimeControl,
    /// CPU time left.
    pub clock: Duration,
    /// The seed that decides the position.
    pub seed: u64,
    /// Only positions in which there is something to play.
    pub playable: bool,
}

/// An input file.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// The source of its position.
    pub source: Source,
    /// The text of the file.
    pub input: String,
    /// The word for the side to move.
    pub side: &'static str,
    /// The message that is expected on standard error where the input is none; `None` where a move is expected.
    pub refusal: Option<String>,
}

/// A game without its type: what the soak needs of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiz {
    /// Makes an input file. The texts are those of a game of [`Quiz::self_play`].
    pub ask: fn(Wish, &[String]) -> Question,
    /// The positions of a game that the agent plays against itself, as input files. The seed decides its first moves.
    pub self_play: fn(u64) -> Vec<String>,
    /// Checks an output file as the answer to an input file; an error says what is wrong.
    pub check: fn(&str, &str) -> Result<(), String>,
}

impl Quiz {
    /// The questions of a game.
    #[must_use]
    pub(crate) fn of<A: Playable>() -> Quiz {
        Quiz { ask: ask::<A>, self_play: self_play::<A>, check: check::<A> }
    }
}

fn rules<A: Playable>() -> A::Rules {
    A::Rules::AGENT
}

fn ask<A: Playable>(wish: Wish, own_game: &[String]) -> Question {
    for attempt in 0..1_000u32 {
        let seed = random::derived(wish.seed, Purpose::Attempt, attempt);
        // A source that has nothing to offer is given up soon: in some games random moves hardly ever come to an end.
        let patience = if wish.source == Source::Over { 5 } else { 100 };
        let source = if attempt < patience { wish.source } else { Source::Random };
        let Some(input) = input::<A>(wish, source, own_game, seed) else { continue };
        let refusal = A::read_task(&input, rules::<A>()).err().map(|error| format!("input.txt:{error}"));
        let wanted = match source {
            // Some games count a position as over in one kind of file only.
            Source::Random | Source::SelfPlay => refusal.is_none(),
            Source::HandMade | Source::Over => !wish.playable || refusal.is_none(),
        };
        if wanted {
            let word = input.lines().nth(1).unwrap_or_default();
            let side = Side::BOTH.map(A::side_word).into_iter().find(|side| *side == word).unwrap_or_default();
            return Question { source, input, side, refusal };
        }
    }
    let task = Task { position: A::start(rules::<A>()), control: wish.control, clock: wish.clock };
    let side = A::side_word(task.position.side_to_move());
    Question { source: Source::Random, input: A::write_task(&task), side, refusal: None }
}

fn input<A: Playable>(wish: Wish, source: Source, own_game: &[String], seed: u64) -> Option<String> {
    let either =
        |position: fn(Side, u64) -> Option<A>| position(wish.side, seed).or_else(|| position(wish.side.other(), seed));
    let position = match source {
        Source::Random => either(on_a_random_line)?,
        Source::Over => after_a_random_line(seed)?,
        Source::SelfPlay => of_a_game(own_game, wish.side, seed)?,
        Source::HandMade => {
            let clock = engine::protocol::seconds(wish.clock);
            let body = A::extreme_board(wish.side, seed)?;
            return Some(format!("{}\n{}\n{clock}\n{body}", wish.control.word(), A::side_word(wish.side)));
        }
    };
    Some(A::write_task(&Task { position, control: wish.control, clock: wish.clock }))
}

/// The positions of a line of random moves that have something to play, and the one that it leads to.
fn random_line<A: Playable>(random: &mut impl Rng) -> (Vec<A>, A) {
    let mut position = A::start(rules::<A>());
    let mut reached = Vec::new();
    while reached.len() < A::PLY_LIMIT as usize && position.outcome().is_none() {
        let Some(&mv) = position.legal_moves().choose(random) else { break };
        reached.push(position.clone());
        position.play(mv);
    }
    (reached, position)
}

fn on_a_random_line<A: Playable>(side: Side, seed: u64) -> Option<A> {
    let mut random = random::generator(seed, Purpose::Position, 0);
    let (mut reached, _) = random_line::<A>(&mut random);
    reached.retain(|position| position.side_to_move() == side);
    let last = reached.len().checked_sub(1)?;
    let index = if random.random_ratio(1, 4) { last } else { random.random_range(0..=last) };
    reached.into_iter().nth(index)
}

fn after_a_random_line<A: Playable>(seed: u64) -> Option<A> {
    Some(random_line::<A>(&mut random::generator(seed, Purpose::Position, 0)).1)
        .filter(|position| position.outcome().is_some())
}

fn of_a_game<A: Playable>(game: &[String], side: Side, seed: u64) -> Option<A> {
    let fits = |text: &&String| text.lines().nth(1) == Some(A::side_word(side));
    let fitting: Vec<&String> = game.iter().filter(fits).collect();
    let text = fitting.choose(&mut random::generator(seed, Purpose::Position, 0))?;
    A::read_task(text, rules::<A>()).ok().map(|task| task.position)
}

/// Nodes that the agent looks at for a move of a game against itself: few, so that the questions cost little beside
/// the answers.
const NODES: u64 = 300;
/// Random moves that such a game begins with.
const OPENING: std::ops::Range<u64> = 2..8;
/// The most plies of such a game.
const LONGEST: u64 = 160;

fn self_play<A: Playable>(seed: u64) -> Vec<String> {
    let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(NODES) };
    let mut random = random::generator(seed, Purpose::SelfPlay, 0);
    let opening = random.random_range(OPENING);
    let mut task = Task { position: A::start(rules::<A>()), control: TimeControl::Game, clock: Duration::from_secs(1) };
    let mut game = Vec::new();
    for ply in 0..LONGEST {
        let moves = task.position.legal_moves();
        if task.position.outcome().is_some() {
            break;
        }
        let Some(&any) = moves.choose(&mut random) else { break };
        game.push(A::write_task(&task));
        // Now and then something else than the agent's choice: deterministic players go round in circles.
        let mv = match ply < opening || random.random_ratio(1, 16) {
            true => any,
            false => think(&task, &settings, &NoClock).best,
        };
        task.position.play(mv);
    }
    game
}

/// Checks an answer, more strictly than the rules: a move that some grader might refuse counts as illegal where there
/// is another.
fn check<A: Playable>(input: &str, output: &str) -> Result<(), String> {
    let task = A::read_task(input, rules::<A>()).map_err(|error| format!("input.txt:{error}"))?;
    let mv = task.position.read_move(output).map_err(|violation| violation.to_string())?;
    if moves_for_every_grader(&task.position).contains(&mv) {
        Ok(())
    } else {
        Err("a move that some graders refuse, where there are others".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games;

    fn wish(source: Source, seed: u64) -> Wish {
        Wish {
            source,
            side: Side::BOTH[seed as usize % 2],
            control: [TimeControl::Single, TimeControl::Game][seed as usize / 2 % 2],
            clock: Duration::from_millis(1),
            seed,
            playable: false,
        }
    }

    #[test]
    fn every_game_is_asked_for_both_sides_and_nonsense_is_no_answer() {
        for game in games::all() {
            let (name, quiz) = (&game.arena.name, game.quiz);
            let own_game = (quiz.self_play)(1);
            assert!(own_game.len() > 8, "{name}");
            for source in [Source::Random, Source::SelfPlay] {
                let mut sides = Vec::new();
                for seed in 0..40 {
                    let wish = wish(source, seed);
                    let question = (quiz.ask)(wish, &own_game);
                    assert_eq!(question.input, (quiz.ask)(wish, &own_game).input, "{name}");
                    assert_eq!((question.source, &question.refusal), (source, &None), "{name}");
                    sides.push(question.side);
                    assert!((quiz.check)(&question.input, "nonsense").is_err(), "{name}");
                }
                sides.sort_unstable();
                sides.dedup();
                assert_eq!(sides.len(), 2, "{name}");
            }
        }
    }

    #[test]
    fn extremes_of_every_game_are_to_be_played_or_refused() {
        for game in games::all() {
            let (name, quiz) = (&game.arena.name, game.quiz);
            for source in [Source::HandMade, Source::Over] {
                let count = if source == Source::Over { 10 } else { 200 };
                let questions: Vec<Question> = (0..count).map(|seed| (quiz.ask)(wish(source, seed), &[])).collect();
                let refused: Vec<&String> = questions.iter().filter_map(|question| question.refusal.as_ref()).collect();
                if source == Source::Over {
                    // Random moves of Halma come to no end.
                    assert!(refused.len() > 5 || *name == "halma", "{name}: only {} are refused", refused.len());
                } else {
                    assert!(questions.iter().all(|question| question.source == source), "{name}");
                    assert!(refused.len() > 10, "{name}: only {} are refused", refused.len());
                }
                // Boards that are badly formed would ask nothing of the agents; the board's first line is the place
                // where positions as a whole are refused.
                for refusal in refused {
                    let known = ["finished", "over", "won", "full board", "can move", "0 to", "1 to", "9 to"];
                    assert!(known.iter().any(|part| refusal.contains(part)), "{name}: {refusal}");
                }
                if source == Source::HandMade {
                    let played = questions.iter().filter(|question| question.refusal.is_none()).count();
                    assert!(played > 60, "{name}: only {played} are to be played");
                    let playable = |seed| (quiz.ask)(Wish { playable: true, ..wish(source, seed) }, &[]);
                    assert!((0..50).all(|seed| playable(seed).refusal.is_none()), "{name}");
                }
            }
        }
    }

    #[test]
    fn halma_s_extremes_have_sides_that_must_pass() {
        let quiz = games::find("halma").unwrap().quiz;
        let passes = (0..200).filter(|&seed| {
            let question = (quiz.ask)(Wish { playable: true, ..wish(Source::HandMade, seed) }, &[]);
            (quiz.check)(&question.input, "").is_ok()
        });
        assert!(passes.count() > 5);
    }
}
