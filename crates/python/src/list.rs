//! The list of the games, and how they and their rule sets are found by name.

use crate::errors::value_error;
use crate::learning::{Learner, Learning};
use crate::numbers::Whole;
use anygame::{AnyGame, AnyPosition};
use pyo3::PyResult;
use std::sync::LazyLock;

/// A game, and what learners need of it.
pub(crate) struct Known {
    pub game: AnyGame,
    pub learning: &'static dyn Learning,
}

macro_rules! known {
    ($($game:ident,)*) => {
        vec![$(Known {
            game: AnyGame::of::<games::$game::Position>(),
            learning: Learner::<games::$game::Position>::GAME,
        }),*]
    };
}

/// All games.
pub(crate) static GAMES: LazyLock<Vec<Known>> = LazyLock::new(|| games::each_game!(known));

pub(crate) fn by_name(name: &str) -> PyResult<&'static Known> {
    GAMES.iter().find(|known| known.game.name == name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|known| known.game.name).collect();
        value_error(format!("no game of the name '{name}': {}", known.join(", ")))
    })
}

/// The game of a position.
pub(crate) fn game_of(position: &dyn AnyPosition) -> &'static AnyGame {
    &known_of(position).game
}

/// What learners need of the game of a position.
pub(crate) fn learning_of(position: &dyn AnyPosition) -> &'static dyn Learning {
    known_of(position).learning
}

/// A limit of plies, by default that of the position's game.
pub(crate) fn checked_limit(given: Option<Whole>, position: &dyn AnyPosition) -> PyResult<u32> {
    let checked = given.map(|plies| plies.within("ply_limit", 1, u32::MAX.into()));
    Ok(checked.transpose()?.map_or(game_of(position).ply_limit, |plies| plies as u32))
}

fn known_of(position: &dyn AnyPosition) -> &'static Known {
    GAMES
        .iter()
        .find(|known| known.game.name == position.game())
        .expect("a position is of a game of the list")
}

pub(crate) fn rule_set(
    game: &AnyGame,
    name: Option<&str>,
    otherwise: &'static str,
) -> PyResult<&'static str> {
    let (known, name) = (game.rules.rule_sets(), name.unwrap_or(otherwise));
    let found = known.iter().find(|known| **known == name);
    found.copied().ok_or_else(|| {
        value_error(format!("no rule set of the name '{name}': {}", known.join(", ")))
    })
}
