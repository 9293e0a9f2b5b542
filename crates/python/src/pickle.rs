//! The form of pickled positions.

use crate::erased::AnyPosition;
use crate::errors::value_error;
use crate::list::{by_name, rule_set};
use engine::TimeControl;
use pyo3::PyResult;
use std::sync::Arc;
use std::time::Duration;

/// A pickled position: the game, its rules, the input text of the first position unless it is the start, and the codes of the
/// moves.
pub(crate) type Pickled = (String, String, Option<String>, Vec<u32>);

/// The code of a move, and the position before it.
type Ply = (Arc<dyn AnyPosition>, u32);

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

pub(crate) fn dump(inner: &Arc<dyn AnyPosition>) -> Pickled {
    let (root, moves) = line(inner);
    let kind = inner.kind();
    let start = (kind.start)(inner.rules());
    let text = (!root.same(&*start)).then(|| root.input(TimeControl::Single, Duration::from_secs(1)));
    let rules = (kind.rules)().get(inner.rules()).copied().unwrap_or_default();
    (kind.name.into(), rules.into(), text, moves.into_iter().map(|(_, code)| code).collect())
}

pub(crate) fn load((game, rules, text, codes): Pickled) -> PyResult<Arc<dyn AnyPosition>> {
    let bad = || value_error("no position of this version of menagerie");
    let kind = by_name(&game)?;
    let rules = rule_set(kind, Some(&rules), "")?;
    let mut inner = match text {
        None => (kind.start)(rules),
        Some(text) => (kind.read)(&text, rules).map_err(|_| bad())?.inner,
    };
    for code in codes {
        inner = inner.play(code).ok_or_else(bad)?;
    }
    Ok(inner)
}
