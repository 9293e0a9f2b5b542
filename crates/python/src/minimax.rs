//! Full-width minimax with an evaluation in Python, which gets the leaves of the tree in batches.

use crate::erased::{AnyPosition, SearchResult};
use crate::errors::value_error;
use pyo3::prelude::*;
use std::sync::Arc;

/// The most positions of a tree.
const MOST_NODES: usize = 1_000_000;

/// A position of the tree, and its value: the expected result for its side to move, from 0 to 1.
struct Node {
    inner: Arc<dyn AnyPosition>,
    /// The move that led here, by its code.
    code: u32,
    /// The places of the first child, and of the one after the last.
    children: (usize, usize),
    value: f64,
    /// The place of the best child.
    best: Option<usize>,
}

/// Returns the best move by the values of the positions that lie so many plies ahead, as `evaluate` returns them.
pub(crate) fn evaluated_minimax(
    root: &Arc<dyn AnyPosition>,
    py: Python<'_>,
    evaluate: &dyn Fn(Vec<Arc<dyn AnyPosition>>) -> PyResult<Vec<f64>>,
    depth: u32,
    batch: usize,
) -> PyResult<SearchResult> {
    let node = |inner: Arc<dyn AnyPosition>, code| Node { inner, code, children: (0, 0), value: 0.5, best: None };
    let mut nodes = vec![node(Arc::clone(root), 0)];
    let (mut layer, mut leaves) = (0..1, Vec::new());
    for ply in 0..=depth {
        let begin = nodes.len();
        for place in layer.clone() {
            if place % 1024 == 0 {
                py.check_signals()?;
            }
            if let Some(outcome) = nodes[place].inner.outcome() {
                let side = nodes[place].inner.side();
                nodes[place].value = outcome.winner().map_or(0.5, |winner| f64::from(u8::from(winner == side)));
                continue;
            }
            if ply == depth {
                leaves.push(place);
                continue;
            }
            let first = nodes.len();
            for code in nodes[place].inner.codes() {
                let after = Arc::clone(&nodes[place].inner).play(code);
                nodes.extend(after.map(|after| node(after, code)));
            }
            nodes[place].children = (first, nodes.len());
            if nodes.len() > MOST_NODES {
                return Err(value_error(format!("depth: more than {MOST_NODES} positions within {depth} plies")));
            }
        }
        layer = begin..nodes.len();
    }
    for chunk in leaves.chunks(batch) {
        py.check_signals()?;
        let values = evaluate(chunk.iter().map(|&place| Arc::clone(&nodes[place].inner)).collect())?;
        if values.len() != chunk.len() {
            return Err(value_error(format!("evaluate: expected {} numbers, found {}", chunk.len(), values.len())));
        }
        for (&place, value) in chunk.iter().zip(values) {
            if !(0.0..=1.0).contains(&value) {
                return Err(value_error(format!("evaluate: expected numbers from 0 to 1, found {value}")));
            }
            nodes[place].value = value;
        }
    }
    for place in (0..nodes.len()).rev() {
        let side = nodes[place].inner.side();
        for child in nodes[place].children.0..nodes[place].children.1 {
            // A side may move twice in a row where the other has to pass.
            let same = nodes[child].inner.side() == side;
            let value = if same { nodes[child].value } else { 1.0 - nodes[child].value };
            if nodes[place].best.is_none() || value > nodes[place].value {
                (nodes[place].value, nodes[place].best) = (value, Some(child));
            }
        }
    }
    let mut line = Vec::new();
    let mut place = 0;
    while let Some(child) = nodes[place].best {
        line.push(nodes[child].code);
        place = child;
    }
    let best = *line.first().ok_or_else(|| value_error("no legal move"))?;
    let (expected, nodes) = (Some(nodes[0].value), leaves.len() as u64);
    Ok(SearchResult { best, advice: None, score: None, says: None, depth, nodes, line, proven: false, expected })
}
