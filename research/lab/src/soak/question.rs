//! The questions to agents: positions of a game from several sources, and the check of the answers
//! by the rules of the game.

use anygame::{AnyGame, Position};
use arena::random::{self, Purpose};
use engine::clock::NoClock;
use engine::think::Settings;
use engine::{Side, TimeControl};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::time::Duration;

/// The source of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PositionSource {
    /// A game of random moves: any position of it, or one time in four the last one before its end.
    Random,
    /// A game of the agent against itself.
    SelfPlay,
    /// The game's hand-made positions ([`engine::Examine::TEST_POSITIONS`]).
    HandMade,
    /// The end of a game of random moves.
    Over,
}

impl PositionSource {
    /// All sources, each with its name.
    pub(crate) const ALL: [(PositionSource, &'static str); 4] = [
        (PositionSource::Random, "random moves"),
        (PositionSource::SelfPlay, "self-play"),
        (PositionSource::HandMade, "hand-made"),
        (PositionSource::Over, "after the end"),
    ];

    /// Returns the name of the source.
    pub(crate) fn word(self) -> &'static str {
        PositionSource::ALL.iter().find(|(source, _)| *source == self).map_or("?", |(_, word)| word)
    }

    /// Draws a source at random: the probabilities are 8/20, 7/20, 4/20 and 1/20.
    pub(crate) fn draw(random: &mut impl Rng) -> PositionSource {
        match random.random_range(0..20) {
            0..=7 => PositionSource::Random,
            8..=14 => PositionSource::SelfPlay,
            15..=18 => PositionSource::HandMade,
            _ => PositionSource::Over,
        }
    }
}

/// The requested properties of a question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuestionSpec {
    /// The source of the position; random moves replace a source that a game does not have.
    pub source: PositionSource,
    /// The side to move; the other side replaces it if there is no such position.
    pub side: Side,
    /// Whether the clock is for one move or for the rest of the game.
    pub control: TimeControl,
    /// The CPU time on the clock.
    pub clock: Duration,
    /// The seed that decides the position.
    pub seed: u64,
    /// Whether the position must not be the end of a game.
    pub playable: bool,
}

/// An input file and the expected kind of answer.
#[derive(Clone, Debug)]
pub(crate) struct SoakQuestion {
    /// The source of the position.
    pub source: PositionSource,
    /// The text of the input file.
    pub input: String,
    /// The name of the side to move.
    pub side: &'static str,
    /// The message expected on standard error if the input is to be refused; `None` if a move is
    /// expected.
    pub refusal: Option<String>,
}

/// The rules of all games here are code of this process.
const OWN_RULES: &str = "rules of this process do not fail";

/// Reads the position of an input file by the rule set that agents keep to. Errors: the message of
/// a refusal.
fn read(game: &AnyGame, input: &str) -> Result<Position, String> {
    let task =
        game.rules.read_task(input, Some(game.agent_rules)).map_err(|error| error.to_string())?;
    task.map(|task| task.position).map_err(|error| format!("input.txt:{error}"))
}

/// Returns the starting position by the rule set that agents keep to.
fn start(game: &AnyGame) -> Position {
    game.rules.start(Some(game.agent_rules)).expect("the rule set is the game's own")
}

/// Makes a question. `own_game` has the input files of a game of [`self_play`].
pub(crate) fn ask(game: &AnyGame, spec: QuestionSpec, own_game: &[String]) -> SoakQuestion {
    for attempt in 0..1_000u32 {
        let seed = random::derived(spec.seed, Purpose::Attempt, attempt);
        // A source without a fitting position is given up soon: in some games random moves hardly
        // ever reach the end.
        let max_attempts = if spec.source == PositionSource::Over { 5 } else { 100 };
        let source = if attempt < max_attempts { spec.source } else { PositionSource::Random };
        let Some(input) = input(game, spec, source, own_game, seed) else { continue };
        let refusal = read(game, &input).err();
        let wanted = match source {
            // Some games count a position as finished only in one kind of input file.
            PositionSource::Over => !spec.playable || refusal.is_none(),
            _ => refusal.is_none(),
        };
        if wanted {
            let word = input.lines().nth(1).unwrap_or_default();
            let side = game.sides.into_iter().find(|side| *side == word).unwrap_or_default();
            return SoakQuestion { source, input, side, refusal };
        }
    }
    let position = start(game);
    let side = game.side_word(position.side_to_move());
    SoakQuestion {
        source: PositionSource::Random,
        input: position.input(spec.control, spec.clock).expect(OWN_RULES),
        side,
        refusal: None,
    }
}

/// Returns an input file from a source; `None` if the source has no such position for this seed.
fn input(
    game: &AnyGame,
    spec: QuestionSpec,
    source: PositionSource,
    own_game: &[String],
    seed: u64,
) -> Option<String> {
    let position = match source {
        PositionSource::Random => random_position(game, spec.side, seed)
            .or_else(|| random_position(game, spec.side.other(), seed))?,
        PositionSource::Over => random_end(game, seed)?,
        PositionSource::SelfPlay => self_play_position(game, own_game, spec.side, seed)?,
        PositionSource::HandMade => {
            let (_, text) =
                game.test_positions.choose(&mut random::generator(seed, Purpose::Position, 0))?;
            read(game, text).ok()?
        }
    };
    Some(position.input(spec.control, spec.clock).expect(OWN_RULES))
}

/// Plays random moves to the end of a game. Returns the positions before each move, and the last
/// position.
fn random_game(game: &AnyGame, random: &mut impl Rng) -> (Vec<Position>, Position) {
    let mut position = start(game);
    let mut reached = Vec::new();
    while reached.len() < game.ply_limit as usize && position.outcome().is_none() {
        let codes = position.codes();
        if codes.is_empty() {
            break;
        }
        let any = random.random_range(0..codes.len() as u32) as usize;
        let after = position.clone().play(codes[any]).expect(OWN_RULES);
        reached.push(std::mem::replace(&mut position, after));
    }
    (reached, position)
}

/// Returns a position of a game of random moves with this side to move.
fn random_position(game: &AnyGame, side: Side, seed: u64) -> Option<Position> {
    let mut random = random::generator(seed, Purpose::Position, 0);
    let (mut reached, _) = random_game(game, &mut random);
    reached.retain(|position| position.side_to_move() == side);
    let last = reached.len().checked_sub(1)?;
    let index = if random.random_ratio(1, 4) { last } else { random.random_range(0..=last) };
    reached.into_iter().nth(index)
}

/// Returns the last position of a game of random moves, if the game is over there.
fn random_end(game: &AnyGame, seed: u64) -> Option<Position> {
    let (_, last) = random_game(game, &mut random::generator(seed, Purpose::Position, 0));
    Some(last).filter(|position| position.outcome().is_some())
}

/// Returns a position of an agent's own game with this side to move.
fn self_play_position(
    game: &AnyGame,
    own_game: &[String],
    side: Side,
    seed: u64,
) -> Option<Position> {
    let fits = |text: &&String| text.lines().nth(1) == Some(game.side_word(side));
    let fitting: Vec<&String> = own_game.iter().filter(fits).collect();
    read(game, fitting.choose(&mut random::generator(seed, Purpose::Position, 0))?).ok()
}

/// Nodes for each move of a game of the agent against itself: few, so that questions cost little
/// compared with answers.
const NODES: u64 = 300;
/// The number of random moves at the start of such a game.
const OPENING: std::ops::Range<u64> = 2..8;
/// The most plies of such a game.
const MAX_PLIES: u64 = 160;

/// Plays a game of the agent against itself, and returns its positions as input files. The seed
/// decides the random moves.
pub(crate) fn self_play(game: &AnyGame, seed: u64) -> Vec<String> {
    let mut random = random::generator(seed, Purpose::SelfPlay, 0);
    let opening = random.random_range(OPENING);
    let mut position = start(game);
    let mut texts = Vec::new();
    for ply in 0..MAX_PLIES {
        let codes = position.codes();
        if codes.is_empty() {
            break;
        }
        let any = codes[random.random_range(0..codes.len() as u32) as usize];
        texts.push(position.input(TimeControl::Game, Duration::from_secs(1)).expect(OWN_RULES));
        // Occasional random moves keep a deterministic player from repeating positions for ever.
        let code = if ply < opening || random.random_ratio(1, 16) {
            any
        } else {
            let settings = Settings { hash_mib: Some(1), ..Settings::with_nodes(NODES) };
            // The clock does not bear on the choice, since nobody measures it.
            let clock = (TimeControl::Game, Duration::from_secs(1));
            position.think(clock, &settings, &NoClock, &mut ()).expect(OWN_RULES).best
        };
        position = position.play(code).expect("an agent's move is legal");
    }
    texts
}

/// Checks an output file as the answer to an input file. A move that some grader might refuse
/// counts as illegal if there is another one. Errors: what is wrong with the answer.
pub(crate) fn check(game: &AnyGame, input: &str, output: &str) -> Result<(), String> {
    let position = read(game, input)?;
    let mv =
        position.read_move(output).expect(OWN_RULES).map_err(|violation| violation.to_string())?;
    if position.undisputed().contains(&mv.code) {
        Ok(())
    } else {
        Err("a move that some graders refuse, although there are others".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::all as games;
    use std::collections::HashSet;

    fn spec(source: PositionSource, seed: u64) -> QuestionSpec {
        QuestionSpec {
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
        for game in &games() {
            let name = game.name;
            let own_game = self_play(game, 1);
            assert!(own_game.len() > 8, "{name}");
            for source in [PositionSource::Random, PositionSource::SelfPlay] {
                let mut sides = Vec::new();
                for seed in 0..40 {
                    let spec = spec(source, seed);
                    let question = ask(game, spec, &own_game);
                    assert_eq!(question.input, ask(game, spec, &own_game).input, "{name}");
                    assert_eq!((question.source, &question.refusal), (source, &None), "{name}");
                    sides.push(question.side);
                    assert!(check(game, &question.input, "nonsense").is_err(), "{name}");
                }
                sides.sort_unstable();
                sides.dedup();
                assert_eq!(sides.len(), 2, "{name}");
            }
        }
    }

    #[test]
    fn games_that_are_over_are_refused_and_hand_made_positions_are_played() {
        for game in &games() {
            let name = game.name;
            let over: Vec<SoakQuestion> =
                (0..10).map(|seed| ask(game, spec(PositionSource::Over, seed), &[])).collect();
            let refused: Vec<&String> =
                over.iter().filter_map(|question| question.refusal.as_ref()).collect();
            // Random moves of Halma do not reach the end of a game.
            assert!(
                refused.len() > 5 || name == "halma",
                "{name}: only {} are refused",
                refused.len()
            );
            for refusal in refused {
                let known =
                    ["finished", "over", "won", "full board", "can move", "0 to", "1 to", "9 to"];
                assert!(known.iter().any(|part| refusal.contains(part)), "{name}: {refusal}");
            }
            let made: HashSet<String> = (0..100)
                .map(|seed| ask(game, spec(PositionSource::HandMade, seed), &[]))
                .filter(|question| {
                    (question.source, &question.refusal) == (PositionSource::HandMade, &None)
                })
                .map(|question| question.input.lines().skip(3).collect())
                .collect();
            assert_eq!(made.len(), game.test_positions.len(), "{name}");
        }
    }
}
