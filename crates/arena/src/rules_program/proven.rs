//! Analyses of positions of a solved game.

use crate::analysis::finding::{Effort, Finding, Mark, ProvenResult};
use crate::analysis::position::RatedMove;
use anygame::Position;
use anyhow::Result;
use engine::Proven;
use engine::clock::NoClock;
use engine::score::outcome_score;
use std::cmp::Reverse;

/// All legal moves of a solved game, the best first: the shortest win, the longest loss.
pub(super) fn proven_moves(position: &Position) -> Result<Option<Vec<RatedMove<u32>>>> {
    if position.proven().is_none() {
        return Ok(None);
    }
    let (side, mut rated) = (position.side_to_move(), Vec::new());
    for mv in position.codes() {
        let Some(Proven { outcome, plies, .. }) = position.clone().play(mv)?.proven() else {
            return Ok(None);
        };
        let truth = ProvenResult::of(outcome, side);
        let score = Some(outcome_score(outcome, side, plies.unwrap_or(0) + 1));
        rated.push(RatedMove { mv, score, chance: truth.chance(), truth: Some(truth) });
    }
    rated.sort_by_key(|rated| Reverse(rated.score));
    Ok(Some(rated))
}

/// A move that keeps the result is as good as the best. `blank` makes a finding with this best move
/// and nothing else.
pub(super) fn proven_finding(
    position: &Position,
    code: u32,
    rated: &[RatedMove<u32>],
    effort: Effort,
    blank: impl FnOnce(usize) -> Finding,
) -> Result<Finding> {
    let best = &rated[0];
    let own = rated.iter().find(|rated| rated.mv == code).unwrap_or(best);
    let best = if own.truth == best.truth { own } else { best };
    let after = position.clone().play(code)?;
    let replies =
        if after.outcome().is_none() { after.rate_moves(effort, &NoClock)?.0 } else { Vec::new() };
    let reply = replies.first().and_then(|rated| after.move_of(rated.mv));
    let mut finding = Finding {
        reply: reply.map(|mv| mv.output),
        score: own.score,
        best_score: best.score,
        chance: own.chance,
        best_chance: best.chance,
        proven: true,
        before: best.truth,
        after: own.truth,
        source: position.proven().map(|proven| proven.source.to_string()),
        ..blank(best.mv as usize)
    };
    finding.mark = Mark::of_drop(finding.drop());
    Ok(finding)
}
