//! Text about a finding, for people.

use crate::finding::{Finding, Mark, ProvenResult};

/// Converts winning chances to the expected result in per cent.
pub fn percent(chance: f64) -> i32 {
    (100.0 * (chance + 1.0) / 2.0).round() as i32
}

/// Describes in words what a move cost.
pub fn cost(finding: &Finding) -> String {
    let mark = finding.mark.map_or(String::new(), |mark| format!("{}; ", with_article(mark)));
    let source = finding.source.as_deref().unwrap_or_default();
    if let (true, Some(before), Some(after)) = (finding.proven, finding.before, finding.after) {
        if before != after {
            let gave = if before == ProvenResult::Win { "the win" } else { "the draw" };
            return format!(
                "{mark}gave away {gave} (a {} with best play, by {source})",
                after.word()
            );
        }
        return match finding.points_lost() {
            0 => format!("{mark}a {} before and after (by {source})", before.word()),
            points => format!("{mark}gave away {points} points with best play (by {source})"),
        };
    }
    let known = if finding.before == Some(ProvenResult::Win) { ", from a proven win" } else { "" };
    let (from, to) = (percent(finding.best_chance), percent(finding.chance));
    format!("{mark}winning chances fell from {from} % to {to} %{known}")
}

fn with_article(mark: Mark) -> String {
    let article = if mark == Mark::Inaccuracy { "an" } else { "a" };
    format!("{article} {mark}")
}
