//! The findings of an analysis as JSON for the pages.

use crate::drawing::{aimed, marked};
use analysis::better::Better;
use analysis::finding::Finding;
use analysis::text::cost;
use engine::Drawing;
use serde_json::{Value, json};

/// Returns a position as JSON: the SVG of the cells that differ from `before`, the cells of the
/// previous position; or its text picture if the game has no drawing. `before` is replaced by the
/// cells of this position.
pub fn placed(drawing: Option<&Drawing>, picture: &str, before: &mut Vec<String>) -> Value {
    let Some(drawing) = drawing else { return json!({ "picture": picture }) };
    let now = boards::cells(drawing);
    before.resize(now.len(), String::new());
    let mut value = marked(drawing);
    let differs = now.iter().zip(&*before).enumerate().filter(|(_, (now, before))| now != before);
    value["cells"] = differs.map(|(at, (now, _))| json!([at, now])).collect();
    *before = now;
    value
}

/// The finding on a move, with chances as expected results of a fixed side; `is_ones` says whether
/// that side made the move.
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

/// The better line: each move with the position after it, and with its arrow over the position
/// before it. `before` has the cells of the position before the line.
pub fn alternative(better: &Better, before: &[String]) -> Value {
    let mut before = before.to_vec();
    let steps = better.line.iter().map(|step| {
        let mut value = placed(step.drawing.as_ref(), &step.picture, &mut before);
        value["move"] = json!(step.mv);
        value["side"] = json!(step.side);
        value["aim"] = step.drawing.as_ref().map_or(Value::Null, aimed);
        value
    });
    json!({ "line": steps.collect::<Vec<_>>(), "reply": better.reply(), "why": better.why })
}
