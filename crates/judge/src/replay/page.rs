//! The data of the page: what changes from position to position is kept apart from what does not.

use super::frames::Frame;
use arena::AnyGame;
use arena::record::GameRecord;
use engine::Drawing;
use engine::score::{WIN_BOUND, describe};
use serde_json::{Value, json};

/// The page without its data.
const TEMPLATE: &str = include_str!("page.html");
/// The text in the page that the data replaces.
const PLACE: &str = "\"DATA\"";

/// The whole page.
pub(crate) fn page(parts: &[Value]) -> String {
    // In a script element, only "<" could end the data early.
    let data = serde_json::to_string(parts).unwrap_or_default().replace('<', "\\u003c");
    TEMPLATE.replacen(PLACE, &data, 1)
}

/// The games of one record.
pub(crate) fn part(game: &AnyGame, games: Vec<Value>) -> Value {
    let (title, sides, first) = (game.title, game.sides, game.first.index());
    json!({ "title": title, "sides": sides, "first": first, "winBound": WIN_BOUND, "games": games })
}

/// One game.
pub(crate) fn game(record: &GameRecord, frames: &[Frame]) -> Value {
    let board = frames.first().and_then(|frame| frame.drawing.as_ref()).map(board);
    let mut texts: Option<Vec<&str>> = None;
    let positions: Vec<Value> = frames
        .iter()
        .map(|frame| {
            let mut value = match &frame.drawing {
                Some(drawing) => {
                    let now: Vec<&str> = drawing.cells.iter().map(|cell| cell.text.as_str()).collect();
                    let mut value = position(drawing);
                    if texts.as_ref() != Some(&now) {
                        value["texts"] = json!(now);
                        texts = Some(now);
                    }
                    value
                }
                None => json!({ "picture": frame.picture }),
            };
            if let Some(mv) = &frame.mv {
                value["side"] = json!(frame.side);
                value["move"] = json!(mv.mv);
                value["cpu"] = json!(mv.cpu);
                value["left"] = json!(mv.left);
                value["score"] = json!(mv.score);
                value["says"] = json!(mv.score.map(describe));
                value["depth"] = json!(mv.depth);
                value["note"] = json!(mv.note);
            }
            value
        })
        .collect();
    let end = &record.end;
    let fault = end.fault.as_ref().map(|fault| {
        json!({ "output": fault.output, "stderr": fault.stderr, "legal": fault.legal, "count": fault.legal_count })
    });
    json!({
        "number": end.game,
        "players": end.players,
        "winner": end.winner,
        "termination": end.termination,
        "reason": end.reason,
        "opening": record.start.line,
        "fault": fault,
        "board": board,
        "positions": positions,
    })
}

/// The part of a drawing that stays the same all game long.
pub(crate) fn board(drawing: &Drawing) -> Value {
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
pub(crate) fn position(drawing: &Drawing) -> Value {
    let owners: String =
        drawing.cells.iter().map(|cell| cell.piece.map_or('.', |(side, _)| ['0', '1'][side.index()])).collect();
    let letters: String = drawing.cells.iter().map(|cell| cell.piece.map_or(' ', |(_, letter)| letter)).collect();
    let mut value = json!({ "owners": owners, "path": drawing.path, "changed": drawing.changed });
    if !letters.trim().is_empty() {
        value["letters"] = json!(letters);
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_the_script_it_stands_in() {
        let page = page(&[json!({ "name": "</script><script>alert(1)" })]);
        assert!(!page.contains("</script><script>alert"));
        assert!(page.contains("\\u003c/script>"));
    }

    #[test]
    fn the_page_asks_for_nothing_from_a_network() {
        assert_eq!(TEMPLATE.matches(PLACE).count(), 1);
        // The one address in it is the name of the SVG namespace.
        let addresses = TEMPLATE.match_indices("http").map(|(at, _)| &TEMPLATE[at..at + 26]);
        // And an attribute of this name says which policy holds.
        let addresses: Vec<_> = addresses.filter(|text| !text.starts_with("http-equiv=")).collect();
        assert!(addresses.iter().all(|text| *text == "http://www.w3.org/2000/svg"), "{addresses:?}");
        assert!(!TEMPLATE.contains("src=") && !TEMPLATE.contains("@import") && !TEMPLATE.contains("<link"));
    }
}
