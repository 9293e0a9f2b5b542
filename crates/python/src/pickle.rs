//! The form of pickled positions.

use crate::errors::{failed, value_error};
use crate::list::{by_name, game_of, rule_set};
use anygame::AnyPosition;
use engine::TimeControl;
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// A pickled position: the game, its rules, the input text of the first position unless it is the
/// start, and the codes of the moves.
pub(crate) type Pickled = (String, String, Option<String>, Vec<u32>);

/// The code of a move, and the position before it.
type Ply = (Arc<dyn AnyPosition>, u32);

/// The function of the module that restores a pickled object.
pub(crate) fn function<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("menagerie._menagerie")?.getattr(name)
}

/// The first known position of a game, and the moves from there.
pub(crate) fn line(inner: &Arc<dyn AnyPosition>) -> (Arc<dyn AnyPosition>, Vec<Ply>) {
    let (mut at, mut moves) = (Arc::clone(inner), Vec::new());
    while let Some((before, code)) = at.last() {
        moves.push((Arc::clone(&before), code));
        at = before;
    }
    moves.reverse();
    (at, moves)
}

pub(crate) fn dump(inner: &Arc<dyn AnyPosition>) -> PyResult<Pickled> {
    let (root, moves) = line(inner);
    let (game, rules) = (game_of(&**inner), inner.rules());
    let is_start = game.rules.start(Some(rules)).is_ok_and(|start| start.is_same(&*root));
    let text = (!is_start)
        .then(|| root.input(TimeControl::Single, Duration::from_secs(1)))
        .transpose()
        .map_err(failed)?;
    Ok((game.name.into(), rules.into(), text, moves.into_iter().map(|(_, code)| code).collect()))
}

pub(crate) fn load((game, rules, text, codes): Pickled) -> PyResult<Arc<dyn AnyPosition>> {
    let bad = || value_error("no position of this version of menagerie");
    let game = &by_name(&game)?.game;
    let rules = Some(rule_set(game, Some(&rules), "")?);
    let mut inner = match text {
        None => game.rules.start(rules).map_err(failed)?,
        Some(text) => {
            game.rules.read_task(&text, rules).map_err(failed)?.map_err(|_| bad())?.position
        }
    };
    for code in codes {
        inner = inner.play(code).map_err(|_| bad())?;
    }
    Ok(inner)
}
