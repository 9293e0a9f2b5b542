//! The construction of the strategy file that the agent embeds: the sheep's win from figure 1, in
//! few positions.
//!
//! A strategy is a set of positions with wolves to move, from which the sheep always step back into
//! the set. It holds figure 1, and after every move of the wolves from one of its positions a
//! quickest answer of the sheep leads back into it. To keep the set small, an answer that is in the
//! set already is preferred, then the one whose tree has the fewest lines.

use anyhow::{Context, Result};
use engine::Game;
use miniz_oxide::deflate::compress_to_vec;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use wolves::rules::{Layout, Position, SHEEP, SHEEP_LOST};
use wolves::strategy::{LAYERS, answers, canonical_image, default_answer, pack, place};
use wolves::table::LayerTable;
use wolves::value::Value;

/// The key of a position: the number of sheep, and the position's number up to symmetry.
type Key = (u32, usize);

/// The tables, and the numbers of lines counted so far.
struct StrategyBuilder {
    tables: Vec<LayerTable>,
    /// The natural logarithm of the number of lines from each position with wolves to move.
    lines: HashMap<Key, f32>,
    /// The same for positions with sheep to move, by the quickest answer with the fewest lines.
    answers: HashMap<Key, f32>,
}

impl StrategyBuilder {
    /// The number of plies to the sheep's win; `None` if the sheep do not win.
    fn plies(&self, position: &Position) -> Result<Option<u32>> {
        let value = match Value::of_end(position) {
            Some(value) => value,
            None => {
                self.tables[(position.sheep().len() - SHEEP_LOST - 1) as usize].value(position)?
            }
        };
        Ok(match value {
            Value::Win { side: SHEEP, plies } => Some(plies),
            _ => None,
        })
    }

    fn quickest(&self, position: &Position) -> Result<Vec<Position>> {
        let plies = self.plies(position)?.context("the sheep do not win here")?;
        let mut found = Vec::new();
        for mv in position.legal_moves() {
            let next = position.after(mv);
            if self.plies(&next)?.is_some_and(|left| left + 1 == plies) {
                found.push(next);
            }
        }
        Ok(found)
    }

    /// The logarithm of the number of lines from a position with wolves to move.
    fn lines_of_wolves(&mut self, position: &Position) -> Result<f32> {
        if position.outcome().is_some() {
            return Ok(0.0);
        }
        let key = place(position);
        if let Some(&lines) = self.lines.get(&key) {
            return Ok(lines);
        }
        let mut each = Vec::new();
        for mv in position.legal_moves() {
            each.push(self.lines_of_sheep(&position.after(mv))?);
        }
        let most = each.iter().copied().fold(0.0, f32::max);
        let lines = most + each.iter().map(|lines| (lines - most).exp()).sum::<f32>().ln();
        self.lines.insert(key, lines);
        Ok(lines)
    }

    /// The same from a position with sheep to move, after the quickest move that leaves the fewest.
    fn lines_of_sheep(&mut self, position: &Position) -> Result<f32> {
        let key = place(position);
        if let Some(&lines) = self.answers.get(&key) {
            return Ok(lines);
        }
        let mut least = f32::INFINITY;
        for next in self.quickest(position)? {
            least = least.min(self.lines_of_wolves(&next)?);
        }
        self.answers.insert(key, least);
        Ok(least)
    }

    /// The set of the strategy, and the positions with sheep to move that can arise.
    fn collect(&mut self, start: &Position) -> Result<(HashSet<Key>, Vec<Position>)> {
        let mut set = HashSet::from([place(start)]);
        let mut answered = HashSet::new();
        let mut sheep_positions = Vec::new();
        let mut queue = vec![*start];
        while let Some(position) = queue.pop() {
            for mv in position.legal_moves() {
                let sheep_position = position.after(mv);
                if !answered.insert(place(&sheep_position)) {
                    continue;
                }
                let mut best: Option<(bool, f32, Position)> = None;
                for next in self.quickest(&sheep_position)? {
                    let fresh = next.outcome().is_none() && !set.contains(&place(&next));
                    let lines = self.lines_of_wolves(&next)?;
                    if best
                        .is_none_or(|(least_fresh, least, _)| (fresh, lines) < (least_fresh, least))
                    {
                        best = Some((fresh, lines, next));
                    }
                }
                let (fresh, _, next) = best.context("a won position has a quickest move")?;
                sheep_positions.push(sheep_position);
                if fresh {
                    set.insert(place(&next));
                    queue.push(next);
                }
            }
        }
        Ok((set, sheep_positions))
    }
}

pub(super) fn of(directory: &Path) -> Result<Vec<u8>> {
    let start = Position::layout(Layout::Figure1);
    let open = |sheep| LayerTable::open(directory, 2, sheep);
    let tables = LAYERS.map(open).collect::<Result<_, _>>()?;
    let mut builder = StrategyBuilder { tables, lines: HashMap::new(), answers: HashMap::new() };
    let lines = builder.lines_of_wolves(&start)?;
    let positions = builder.lines.len();
    println!("{positions} positions on quickest lines; e^{lines:.1} lines with the best choices");
    let (set, sheep_positions) = builder.collect(&start)?;
    let (wolves, sheep) = (set.len(), sheep_positions.len());
    println!("{wolves} positions with wolves to move, {sheep} with sheep to move");

    // Where the agent would not choose a quickest answer among several in the set, the file names a
    // right one.
    let mut exceptions = HashMap::new();
    let mut several = 0;
    for sheep_position in &sheep_positions {
        let sheep_position = canonical_image(sheep_position);
        let quickest = builder.quickest(&sheep_position)?;
        let (_, candidates): (Vec<_>, Vec<_>) =
            answers(&sheep_position, |next| set.contains(&place(next))).unzip();
        several += usize::from(candidates.len() > 1);
        let chosen = default_answer(&candidates).context("the set holds an answer")?;
        if !quickest.contains(&candidates[chosen]) {
            let right = candidates.iter().position(|next| quickest.contains(next));
            let right = right.context("the set holds a quickest answer")?;
            exceptions.insert(place(&sheep_position), right as u8);
        }
    }
    let named = exceptions.len();
    println!("{several} positions with several answers in the set, {named} of them to be named");
    let set: BTreeSet<Key> = set.into_iter().collect();
    let exceptions = exceptions.into_iter().collect();
    let bytes = pack(&set, &exceptions, |block| compress_to_vec(block, 9));
    Ok(bytes)
}
