//! What an analysis has found of a move, as the pages show it.

use crate::drawing::position;
use analysis::better::Better;
use analysis::finding::Finding;
use analysis::words::cost;
use engine::Drawing;
use serde_json::{Value, json};

/// A position as the pages draw it, or its picture where the game has no drawing. `texts` are those of the position before:
/// they are sent where they change.
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

/// What is found of a move of a side, with chances as the expected result of one of the sides; `is_ones` says whether the
/// move is that side's.
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

/// The better line, each move with the position after it. `texts` are those of the position before the line.
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
