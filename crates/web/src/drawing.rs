//! Boards as JSON for pages, in two parts: what is constant during a game, and what changes. The
//! SVG in them is drawn by the crate `boards`.

use boards::{aim, cells, figure, ground, marks, view_box, way};
use engine::drawing::Place;
use engine::{Drawing, Side};
use serde_json::{Value, json};

/// The constant part of a drawing. `zones` has a character for each cell: `#` off the board, `0` or
/// `1` in a side's zone, `.` elsewhere. `ground` is SVG, and `figures` has the names of the symbols
/// in it that are the sides' pieces.
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
        "columns": drawing.columns,
        "rows": drawing.rows,
        "figures": Side::BOTH.map(|side| figure(drawing.figures[side.index()], side).0),
        "viewBox": view_box(drawing),
        "ground": ground(drawing),
    })
}

/// The changing part of a drawing: for each cell a character for the owner of its piece (`owners`),
/// one for the piece's letter (`letters`) and its text (`texts`), the places of the last move, and
/// the SVG of pieces, marks and arrows: `way` over this position, `aim` over the one before, where
/// the move is yet to be made.
pub fn position(drawing: &Drawing) -> Value {
    let owners: String = drawing
        .cells
        .iter()
        .map(|cell| cell.piece.map_or('.', |(side, _)| ['0', '1'][side.index()]))
        .collect();
    let letters: String =
        drawing.cells.iter().map(|cell| cell.piece.map_or(' ', |(_, letter)| letter)).collect();
    let texts: Vec<&str> = drawing.cells.iter().map(|cell| cell.text.as_str()).collect();
    let mut value = marked(drawing);
    value["owners"] = json!(owners);
    value["texts"] = json!(texts);
    value["pieces"] = json!(cells(drawing).concat());
    value["aim"] = aimed(drawing);
    if !letters.trim().is_empty() {
        value["letters"] = json!(letters);
    }
    value
}

/// The arrow of the last move over the position before it.
pub(crate) fn aimed(drawing: &Drawing) -> Value {
    if drawing.path.is_empty() { Value::Null } else { json!(aim(&drawing.path)) }
}

/// The places of the last move, and the SVG of its marks and of its arrow.
pub(crate) fn marked(drawing: &Drawing) -> Value {
    let ends: &[Place] = if drawing.path.is_empty() { &drawing.changed } else { &drawing.path };
    let arrow = if drawing.path.is_empty() {
        ends.iter().map(|&place| way(&[place])).collect()
    } else {
        way(ends)
    };
    json!({ "path": drawing.path, "changed": drawing.changed, "marks": marks(drawing), "way": arrow })
}
