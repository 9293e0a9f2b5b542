//! The sheep's win from figure 1 as a strategy small enough to be part of the agent.
//!
//! A strategy is a set of positions with wolves to move: sheep always step into the set. It holds figure 1, and for
//! every wolves' move from one of its positions a sheep's answer that leads back into it, a quickest one. Among
//! quickest answers the choice is for small sets: answers whose lines branch least, counted as trees, unless there is
//! one in the set already.

use anyhow::{Context, Result, bail};
use engine::Game;
use miniz_oxide::deflate::compress_to_vec;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use wolves::rules::{Layout, Move, Position, SHEEP, SHEEP_LOST};
use wolves::strategy::{LAYERS, answers, choose, pack, place, turned};
use wolves::table::LayerTable;
use wolves::value::Value;

/// Where a position stands among the layers: sheep, and number up to symmetry.
type Key = (u32, usize);

struct Plan {
    tables: Vec<LayerTable>,
    /// The logarithm of the number of lines from a position, by wolves to move.
    lines: HashMap<Key, f32>,
    /// The same for sheep to move, with the quickest answer of fewest lines.
    answers: HashMap<Key, f32>,
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = *position;
    next.play(mv);
    next
}

impl Plan {
    /// Plies to the sheep's win; `None` if it is none.
    fn plies(&self, position: &Position) -> Result<Option<u32>> {
        let value = match Value::of_end(position) {
            Some(value) => value,
            None => self.tables[(position.sheep().len() - SHEEP_LOST - 1) as usize].value(position)?,
        };
        Ok(match value {
            Value::Win { side: SHEEP, plies } => Some(plies),
            _ => None,
        })
    }

    /// The positions after the sheep's quickest moves.
    fn quickest(&self, position: &Position) -> Result<Vec<Position>> {
        let plies = self.plies(position)?.context("the sheep do not win here")?;
        let mut found = Vec::new();
        for mv in position.legal_moves() {
            let next = after(position, mv);
            if self.plies(&next)?.is_some_and(|left| left + 1 == plies) {
                found.push(next);
            }
        }
        Ok(found)
    }

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
            each.push(self.lines_of_sheep(&after(position, mv))?);
        }
        let most = each.iter().copied().fold(0.0, f32::max);
        let lines = most + each.iter().map(|lines| (lines - most).exp()).sum::<f32>().ln();
        self.lines.insert(key, lines);
        Ok(lines)
    }

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

    /// The set, and the positions with sheep to move that come up.
    fn collect(&mut self, start: &Position) -> Result<(HashSet<Key>, Vec<Position>)> {
        let mut set = HashSet::from([place(start)]);
        let mut answered = HashSet::new();
        let mut threats = Vec::new();
        let mut waiting = vec![*start];
        while let Some(position) = waiting.pop() {
            for mv in position.legal_moves() {
                let threat = after(&position, mv);
                if !answered.insert(place(&threat)) {
                    continue;
                }
                let mut best: Option<(bool, f32, Position)> = None;
                for next in self.quickest(&threat)? {
                    let fresh = next.outcome().is_none() && !set.contains(&place(&next));
                    let lines = self.lines_of_wolves(&next)?;
                    if best.is_none_or(|(least_fresh, least, _)| (fresh, lines) < (least_fresh, least)) {
                        best = Some((fresh, lines, next));
                    }
                }
                let (fresh, _, next) = best.context("a won position has a quickest move")?;
                threats.push(threat);
                if fresh {
                    set.insert(place(&next));
                    waiting.push(next);
                }
            }
        }
        Ok((set, threats))
    }
}

/// Makes the strategy from the tables and writes the file that the agent embeds.
pub(crate) fn write(directory: &Path, target: &Path) -> Result<()> {
    let start = Position::layout(Layout::Figure1);
    let open = |sheep| LayerTable::open(directory, 2, sheep);
    let tables = LAYERS.map(open).collect::<Result<_, _>>()?;
    let mut plan = Plan { tables, lines: HashMap::new(), answers: HashMap::new() };
    let lines = plan.lines_of_wolves(&start)?;
    println!("{} positions on quickest lines; e^{lines:.1} lines with the best choices", plan.lines.len());
    let (set, threats) = plan.collect(&start)?;
    println!("{} positions with wolves to move, {} with sheep to move", set.len(), threats.len());

    // Where the agent's choice among several positions of the set would not be a quickest one, the right one is named.
    let mut exceptions = HashMap::new();
    let mut several = 0;
    for threat in &threats {
        let threat = turned(threat);
        let quickest = plan.quickest(&threat)?;
        let (_, candidates): (Vec<_>, Vec<_>) = answers(&threat, |next| set.contains(&place(next))).unzip();
        several += usize::from(candidates.len() > 1);
        let chosen = choose(&candidates).context("the set holds an answer")?;
        if !quickest.contains(&candidates[chosen]) {
            let Some(right) = candidates.iter().position(|next| quickest.contains(next)) else { bail!("no answer") };
            exceptions.insert(place(&threat), right as u8);
        }
    }
    println!("{several} positions with several answers in the set, {} of them to be named", exceptions.len());
    let set: BTreeSet<Key> = set.into_iter().collect();
    let exceptions = exceptions.into_iter().collect();
    let bytes = pack(&set, &exceptions, |block| compress_to_vec(block, 9));
    std::fs::write(target, &bytes).with_context(|| format!("{}: cannot be written", target.display()))?;
    println!("{}: {} bytes", target.display(), bytes.len());
    Ok(())
}
