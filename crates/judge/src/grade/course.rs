//! What grading means for each game: the schemes that `judge grade` follows unless told otherwise.

use crate::player::spec::Clock;

/// The grading of a game: single positions for a legal move in time, and games against a weak opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Single positions, 1 point each.
    pub singles: u32,
    /// CPU seconds for each of them.
    pub single_clock: f64,
    /// Games; the agent moves first in every other one, the first game included.
    pub games: u32,
    /// Points for a win; half of them for a draw.
    pub game_points: f64,
    /// The agent's clock in games.
    pub game_clock: Clock,
    /// The opponent in games: the name of a reference player.
    pub opponent: &'static str,
}

/// Halma's scheme is its course's (halma.md, "Reference figures": 10 positions for 1 point each, 9 games against plain
/// minimax for 10 points each, clocks of 30 s and 100 s). Games without one of their own take it over.
const HALMA: Course = Course {
    singles: 10,
    single_clock: 30.0,
    games: 9,
    game_points: 10.0,
    game_clock: Clock::Game(100.0),
    opponent: "minimax:2",
};

/// The scheme of a game. All of them add up to 100 points.
pub fn course(game: &str) -> Course {
    match game {
        // The course's pass mark is 85 % against a random mover in each role, at 100 ms a turn and up (foxgame.md).
        "foxgame" => Course {
            single_clock: 1.0,
            games: 18,
            game_points: 5.0,
            game_clock: Clock::Single(0.5),
            opponent: "random",
            ..HALMA
        },
        // Their courses give no clocks. Boards this small are answered well within these.
        "wolves" | "squirrels" | "foxgeese" => Course { single_clock: 10.0, game_clock: Clock::Game(60.0), ..HALMA },
        _ => HALMA,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_adds_up_to_a_hundred() {
        for game in ["halma", "wolves", "squirrels", "foxgame", "foxgeese", "a game without a scheme"] {
            let Course { singles, games, game_points, .. } = course(game);
            assert_eq!(f64::from(singles) + f64::from(games) * game_points, 100.0, "{game}");
        }
    }
}
