//! The list of the games, and how they and their rule sets are found by name.

use crate::erased::AnyGame;
use crate::errors::value_error;
use pyo3::PyResult;

macro_rules! erased {
    ($($game:ident,)*) => { [$(AnyGame::of::<games::$game::Position>()),*] };
}

/// All games.
pub(crate) static GAMES: &[AnyGame] = &games::each_game!(erased);

pub(crate) fn by_name(name: &str) -> PyResult<&'static AnyGame> {
    GAMES.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.iter().map(|kind| kind.name).collect();
        value_error(format!("no game of the name '{name}': {}", known.join(", ")))
    })
}

pub(crate) fn rule_set(kind: &AnyGame, name: Option<&str>, otherwise: &str) -> PyResult<usize> {
    let (known, name) = ((kind.rules)(), name.unwrap_or(otherwise));
    let place = known.iter().position(|known| *known == name);
    place.ok_or_else(|| value_error(format!("no rule set of the name '{name}': {}", known.join(", "))))
}
