//! The ten positions of `judge try`, from the start of a game to a clock that has almost run out.

use anygame::built_in::own_input;
use anygame::{AnyGame, GameClock};
use anygame::{AnyTask, Position};
use anyhow::{Result, ensure};
use arena::keys::DEFAULT_GAME_CLOCK;
use arena::openings::middle_position;
use engine::TimeControl;
use std::time::Duration;

/// One position that a program is tried with.
pub(crate) struct TestPosition {
    /// A few words about the position and the side to move.
    pub title: String,
    /// The position and the clock.
    pub task: AnyTask,
    /// The text of the input file.
    pub input: String,
    /// Whether the clock is so short that the start of the program's runtime is added to it.
    pub is_short: bool,
}

impl TestPosition {
    /// Returns the test of a position with a clock.
    pub(super) fn new(title: String, task: AnyTask) -> Result<TestPosition> {
        let input = task.position.input(task.control, task.clock)?;
        Ok(TestPosition { title, task, input, is_short: false })
    }

    /// Returns the same test with CPU seconds added to its clock for the start of the program.
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

/// The clock of most positions, in CPU seconds; not a whole number, as the file format allows.
pub(crate) const USUAL_CLOCK: f64 = 2.5;
/// The clock of the position that is part of a timed game, in CPU seconds.
const GAME_CLOCK: f64 = 100.0;
/// The shortest clock, in CPU seconds.
const SHORT_CLOCK: f64 = 0.05;
/// The number of positions with the usual clock.
const USUAL: usize = 8;

/// Returns the clock of a game whose input files tell none: its usual one.
pub(super) fn untold_clock(game: &AnyGame) -> Result<Option<GameClock>> {
    Ok((!game.tells_clock()?).then(|| game.clock.unwrap_or(GameClock::Game(DEFAULT_GAME_CLOCK))))
}

/// Returns the test positions of a game: its start, its own ([`engine::Examine::TEST_POSITIONS`]),
/// and some from the middle of a game. `clock` is that of most positions, in CPU seconds.
/// Where the input files tell no clock, all positions have the game's own.
pub(crate) fn test_positions(game: &AnyGame, rules: &str, clock: f64) -> Result<Vec<TestPosition>> {
    let untold = untold_clock(game)?;
    let of = |title: &str, position: &Position, control: TimeControl, clock: f64| {
        test_position(game, rules, title, position, (control, clock))
    };
    let single = |title: &str, position: &Position, clock: f64| match untold {
        Some(untold) => of(title, position, untold.control(), untold.length().as_secs_f64()),
        None => of(title, position, TimeControl::Single, clock),
    };
    let start = game.rules.start(Some(game.agent_rules))?;
    let mut found = vec![
        single("the start", &start, clock)?,
        single("the second move", &start.clone().play(start.codes()[0])?, clock)?,
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
            special.push(single(title, &task.position, clock)?);
        }
    }
    let fillers = USUAL.saturating_sub(found.len() + special.len());
    for index in 0..fillers {
        let part = (index + 1) as f64 / (fillers + 1) as f64;
        found.push(single("the middle of a game", &middle(game, part, index as u64)?, clock)?);
    }
    found.extend(special);
    if untold.is_some() {
        return Ok(found);
    }
    let whole = format!("{GAME_CLOCK} s for the whole game, late");
    found.push(of(&whole, &middle(game, 0.95, 11)?, TimeControl::Game, GAME_CLOCK)?);
    let short =
        single(&format!("{SHORT_CLOCK} s on the clock"), &middle(game, 0.5, 12)?, SHORT_CLOCK)?;
    found.push(TestPosition { is_short: true, ..short });
    Ok(found)
}

/// Returns the start of a game with this many CPU seconds on the clock.
pub(crate) fn start_with_clock(game: &AnyGame, rules: &str, clock: f64) -> Result<TestPosition> {
    let start = game.rules.start(Some(game.agent_rules))?;
    test_position(game, rules, "the start", &start, (TimeControl::Single, clock))
}

/// Returns a position from the middle of a random game of this seed, with `part` of its moves
/// played.
fn middle(game: &AnyGame, part: f64, seed: u64) -> Result<Position> {
    let opening = middle_position(game, part, seed)?;
    Ok(game.rules.restore(&opening.input, Some(game.agent_rules))?.map_err(own_input)?.position)
}

/// Returns the test position by a rule set, with a time control and CPU seconds on the clock.
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
