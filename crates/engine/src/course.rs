//! How programs for a game are graded: the scheme that a judge follows unless told otherwise.

use crate::protocol::TimeControl;

/// The grading of a game: single positions for a legal move in time, and games against a weak opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Single positions, 1 point each.
    pub singles: u32,
    /// CPU seconds for each single position.
    pub single_clock: f64,
    /// The number of games; the agent moves first in every other one, the first game included.
    pub games: u32,
    /// Points for a win; half of them for a draw.
    pub game_points: f64,
    /// What the agent's clock in games is for.
    pub game_control: TimeControl,
    /// The agent's clock in games, in CPU seconds.
    pub game_clock: f64,
    /// The opponent in games: the name of a reference player, such as `minimax:2`.
    pub opponent: &'static str,
}

impl Course {
    /// A hundred points: 10 positions with 30 s each, and 9 games of 10 points with 100 s each against plain minimax.
    pub const USUAL: Course = Course {
        singles: 10,
        single_clock: 30.0,
        games: 9,
        game_points: 10.0,
        game_control: TimeControl::Game,
        game_clock: 100.0,
        opponent: "minimax:2",
    };

    /// The usual scheme with shorter clocks, for boards so small that they are answered well within these, whose courses
    /// give no clocks.
    pub const SMALL_BOARD: Course = Course { single_clock: 10.0, game_clock: 60.0, ..Course::USUAL };

    /// The most points that a grading by this scheme can give.
    #[must_use]
    pub fn points(&self) -> f64 {
        f64::from(self.singles) + f64::from(self.games) * self.game_points
    }
}
