//! Boards as the pages draw them (`page/board.js`): what stays through a game apart from what changes.

use engine::Drawing;
use serde_json::{Value, json};

/// The part of a drawing that stays the same through a game. `zones` has a character for each cell: `#` for none, `0` or
/// `1` for a side's zone, `.` for no zone.
#[must_use]
pub fn board(drawing: &Drawing) -> Value {
    let zones: String = drawing
        .cells
        .iter()
        .map(|cell| match cell.zone {
            _ if cell.missing => '#',
            None => '.',
            Some(side) => ['0', '1'][side.index()],
        })
        .collect();
    json!({
        "width": drawing.width,
        "height": drawing.height,
        "zones": zones,
        "lines": drawing.lines,
        "columns": drawing.columns,
        "rows": drawing.rows,
    })
}

/// The pieces, as one character for the owner and one for the letter of each cell, and the marks.
#[must_use]
pub fn position(drawing: &Drawing) -> Value {
    let owners: String =
        drawing.cells.iter().map(|cell| cell.piece.map_or('.', |(side, _)| ['0', '1'][side.index()])).collect();
    let letters: String = drawing.cells.iter().map(|cell| cell.piece.map_or(' ', |(_, letter)| letter)).collect();
    let mut value = json!({ "owners": owners, "path": drawing.path, "changed": drawing.changed });
    if !letters.trim().is_empty() {
        value["letters"] = json!(letters);
    }
    value
}
