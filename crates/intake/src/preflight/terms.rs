use anygame::GameClock;
use arena::terms::Bounds;
use std::time::Duration;

/// A smaller limit of the game's own holds.
pub(crate) const MAX_PLIES: u32 = 300;
/// Bytes of each stream: enough for a whole traceback.
const KEEP: usize = 1 << 16;
/// A minute less some seconds for a last turn and the report.
const TIME: Duration = Duration::from_secs(54);

/// The terms of a try.
#[derive(Clone, Debug)]
pub struct TryTerms {
    /// The rule set by which moves are refused.
    pub rules: &'static str,
    /// The limits of the program's process.
    pub bounds: Bounds,
    /// The clock of positions and games; `None` for that of a game whose input files tell none, and
    /// else 2.5 s for most positions and 10 s and the starts of the program for a game.
    pub each: Option<GameClock>,
    /// The clock of each game, in CPU seconds, to which it is played to its end.
    pub game_clock: Option<f64>,
    /// The wall time of the whole try.
    pub time: Duration,
    /// The most plies of each of the two games.
    pub plies: u32,
    /// Whether the program may be run without a sandbox, to find an output file elsewhere.
    pub may_leave_sandbox: bool,
}

impl TryTerms {
    /// Returns the terms of `judge try`.
    #[must_use]
    pub fn new(rules: &'static str) -> TryTerms {
        let bounds = Bounds { keep: KEEP, ..Bounds::default() };
        TryTerms {
            rules,
            bounds,
            each: None,
            game_clock: None,
            time: TIME,
            plies: MAX_PLIES,
            may_leave_sandbox: false,
        }
    }
}
