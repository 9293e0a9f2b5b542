//! Boards as JSON for the script that draws them (`page/board.js`), in two parts: what is constant during a game, and what
//! changes.

use engine::Drawing;
use serde_json::{Value, json};

/// The constant part of a drawing. `zones` has a character for each cell: `#` off the board, `0` or `1` in a side's zone,
/// `.` elsewhere.
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

/// The changing part of a drawing: for each cell a character for the owner of its piece (`owners`) and one for the piece's
/// letter (`letters`), and the marks of the last move.
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
