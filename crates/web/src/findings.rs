//! The findings of an analysis as JSON for the pages.

use crate::drawing::position;
use analysis::better::Better;
use analysis::finding::Finding;
use analysis::text::cost;
use engine::Drawing;
use serde_json::{Value, json};

/// A position as JSON: its drawing, or its text picture if the game has no drawing. The cells' texts are included only if
/// they differ from `texts`, those of the position before, which are updated.
#[must_use]
pub fn placed(drawing: Option<&Drawing>, picture: &str, texts: &mut Option<Vec<String>>) -> Value {
    let Some(drawing) = drawing else { return json!({ "picture": picture }) };
    let now: Vec<String> = drawing.cells.iter().map(|cell| cell.text.clone()).collect();
    let mut value = position(drawing);
    if texts.as_ref() != Some(&now) {
        value["texts"] = json!(now);
        *texts = Some(now);
    }
    value
}

/// The finding on a move, with chances as expected results of a fixed side; `is_ones` says whether that side made the move.
#[must_use]
pub fn analysed(finding: &Finding, is_ones: bool) -> Value {
    let expected = |chance: f64| if is_ones { (1.0 + chance) / 2.0 } else { (1.0 - chance) / 2.0 };
    json!({
        "expected": expected(finding.chance),
        "best": expected(finding.best_chance),
        "mark": finding.mark.map(analysis::finding::Mark::word),
        "proven": finding.proven,
        "cost": cost(finding),
    })
}

/// The better line, each move with the position after it. `texts` are the cells' texts in the position before the line.
#[must_use]
pub fn alternative(better: &Better, texts: Option<&Vec<String>>) -> Value {
    let mut texts = texts.cloned();
    let steps = better.line.iter().map(|step| {
        let mut value = placed(step.drawing.as_ref(), &step.picture, &mut texts);
        value["move"] = json!(step.mv);
        value["side"] = json!(step.side);
        value
    });
    json!({ "line": steps.collect::<Vec<_>>(), "reply": better.reply, "why": better.why })
}
