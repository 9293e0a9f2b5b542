//! The ten positions of `judge try`, from the start of a game to a clock that has almost run out.

use anygame::built_in::own_input;
use anygame::{AnyGame, AnyTask, GameClock, Position};
use anyhow::{Result, ensure};
use arena::keys::DEFAULT_GAME_CLOCK;
use arena::openings::middle_position;
use arena::player::spec::EngineSpec;
use arena::terms::Bounds;
use engine::TimeControl;
use std::time::Duration;

pub(crate) struct TestPosition {
    pub title: String,
    pub task: AnyTask,
    pub input: String,
    /// Whether the start of the program is added to the clock.
    pub is_short: bool,
}

/// A turn of a program on a test position.
#[derive(Clone, Copy)]
pub(crate) struct TurnRequest<'a> {
    pub game: &'a AnyGame,
    pub spec: &'a EngineSpec,
    pub bounds: &'a Bounds,
    /// The position, by the rule set by which moves are refused.
    pub test: &'a TestPosition,
}

impl TestPosition {
    pub(super) fn new(title: String, task: AnyTask) -> Result<TestPosition> {
        let input = task.position.input(task.control, task.clock)?;
        Ok(TestPosition { title, task, input, is_short: false })
    }

    /// Returns the same test with CPU seconds added to its clock.
    pub(super) fn with_start(&self, start: f64) -> Result<TestPosition> {
        // Whole hundredths, as the title has them.
        let start = (start * 100.0).ceil() / 100.0;
        let title = self.title.replace(" s on the clock", &format!(" s + {start:.2} s to start"));
        let clock = self.task.clock + Duration::from_secs_f64(start);
        Ok(TestPosition {
            is_short: true,
            ..TestPosition::new(title, AnyTask { clock, ..self.task.clone() })?
        })
    }
}

/// CPU seconds; no whole number, as the file format allows.
pub(crate) const USUAL_CLOCK: f64 = 2.5;
const GAME_CLOCK: f64 = 100.0;
const SHORT_CLOCK: f64 = 0.05;
/// The positions with the usual clock.
const USUAL: usize = 8;

/// Returns the usual clock of a game whose input files tell none.
pub(super) fn untold_clock(game: &AnyGame) -> Result<Option<GameClock>> {
    Ok((!game.tells_clock()?)
        .then(|| game.interface.clock.unwrap_or(GameClock::Game(DEFAULT_GAME_CLOCK))))
}

/// Returns the start of a game, its own positions ([`engine::Examine::TEST_POSITIONS`]), and some
/// of the middle. `each` is the clock of the games that are to come; without it most positions have
/// 2.5 s, or the game's own clock where the input files tell none. A clock for each move, or one
/// that the files do not tell, is that of all positions.
pub(crate) fn test_positions(
    game: &AnyGame,
    rules: &str,
    each: Option<GameClock>,
) -> Result<Vec<TestPosition>> {
    let untold = untold_clock(game)?;
    let clock = each.or(untold).unwrap_or(GameClock::Single(USUAL_CLOCK));
    let of = |title: &str, position: &Position, control: TimeControl, clock: f64| {
        test_position(game, rules, title, position, (control, clock))
    };
    let usual = |title: &str, position: &Position| {
        of(title, position, clock.control(), clock.length().as_secs_f64())
    };
    let start = game.rules.start(Some(game.agent_rules))?;
    let mut found = vec![
        usual("the start", &start)?,
        usual("the second move", &start.clone().play(start.codes()[0])?)?,
    ];
    let mut special = Vec::new();
    for (title, stored) in game.test_positions {
        // A rule set may refuse a position that another one allows.
        if let Ok(task) = game.rules.restore(stored, Some(rules))? {
            ensure!(
                task.position.outcome().is_none(),
                "{}: the position '{title}' in try/: the game is over there",
                game.name
            );
            special.push(usual(title, &task.position)?);
        }
    }
    let fillers = USUAL.saturating_sub(found.len() + special.len());
    for index in 0..fillers {
        let part = (index + 1) as f64 / (fillers + 1) as f64;
        found.push(usual("the middle of a game", &middle(game, part, index as u64)?)?);
    }
    found.extend(special);
    if untold.is_some() || matches!(each, Some(GameClock::Single(_))) {
        return Ok(found);
    }
    let whole = format!("{GAME_CLOCK} s for the whole game, late");
    found.push(of(&whole, &middle(game, 0.95, 11)?, TimeControl::Game, GAME_CLOCK)?);
    let short = format!("{SHORT_CLOCK} s on the clock");
    let short = of(&short, &middle(game, 0.5, 12)?, TimeControl::Single, SHORT_CLOCK)?;
    found.push(TestPosition { is_short: true, ..short });
    Ok(found)
}

pub(crate) fn start_with_clock(game: &AnyGame, rules: &str, clock: f64) -> Result<TestPosition> {
    let start = game.rules.start(Some(game.agent_rules))?;
    test_position(game, rules, "the start", &start, (TimeControl::Single, clock))
}

/// Returns a position of a random game of this seed, with `part` of its moves played.
fn middle(game: &AnyGame, part: f64, seed: u64) -> Result<Position> {
    let opening = middle_position(game, part, seed)?;
    Ok(game.rules.restore(&opening.input, Some(game.agent_rules))?.map_err(own_input)?.position)
}

fn test_position(
    game: &AnyGame,
    rules: &str,
    title: &str,
    position: &Position,
    (control, clock): (TimeControl, f64),
) -> Result<TestPosition> {
    let title = match title.ends_with(" to move") {
        true => title.to_string(),
        false => format!("{title}, {} to move", game.side_word(position.side_to_move())),
    };
    let clock = Duration::from_secs_f64(clock);
    let task =
        game.rules.restore(&position.stored(control, clock)?, Some(rules))?.map_err(own_input)?;
    TestPosition::new(title, AnyTask::new(task.position, control, clock))
}
