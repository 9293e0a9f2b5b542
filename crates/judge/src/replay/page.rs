//! The data of the page: what changes from position to position is kept apart from what does not.

use super::frames::Frame;
use arena::AnyGame;
use arena::analysis::verdict::verdict;
use arena::record::{GameRecord, Header};
use engine::score::{WIN_BOUND, describe};
use serde_json::{Value, json};
use web::drawing::board;
use web::findings::{alternative, analysed, placed};

/// The page without its style, its script and its data.
const TEMPLATE: &str = include_str!("page.html");
/// What the page's marks stand for, apart from the data. Their hashes stand in the page's policy.
const PARTS: [(&str, &str); 4] = [
    ("/* STYLE */", include_str!("page.css")),
    ("/* BOARD */", web::BOARD),
    ("/* PLOT */", web::PLOT),
    ("/* SCRIPT */", include_str!("page.js")),
];
/// The text in the page that the data replaces.
const PLACE: &str = "\"DATA\"";

/// The whole page.
pub(crate) fn page(parts: &[Value]) -> String {
    // In a script element, only "<" could end the data early.
    let data = serde_json::to_string(parts).unwrap_or_default().replace('<', "\\u003c");
    PARTS.iter().fold(TEMPLATE.to_string(), |page, (mark, part)| page.replacen(mark, part, 1)).replacen(PLACE, &data, 1)
}

/// The games of one record; `file` is its name.
pub(crate) fn part(game: &AnyGame, file: &str, games: Vec<Value>) -> Value {
    let (title, sides, first) = (game.title, game.sides, game.first.index());
    json!({ "title": title, "file": file, "sides": sides, "first": first, "winBound": WIN_BOUND, "games": games })
}

/// One game; `inputs` are the input files of its turns, if there is room for them.
pub(crate) fn game(
    known: &AnyGame,
    header: &Header,
    record: &GameRecord,
    frames: &[Frame],
    inputs: &[String],
) -> Value {
    let first = known.first.index();
    let board = frames.first().and_then(|frame| frame.drawing.as_ref()).map(board);
    let mut texts: Option<Vec<String>> = None;
    let positions: Vec<Value> = frames
        .iter()
        .enumerate()
        .map(|(at, frame)| {
            let before = texts.clone();
            let mut value = placed(frame.drawing.as_ref(), &frame.picture, &mut texts);
            if let Some(mv) = &frame.mv {
                value["side"] = json!(frame.side);
                value["move"] = json!(mv.mv);
                value["cpu"] = json!(mv.cpu);
                value["left"] = json!(mv.left);
                value["depth"] = json!(mv.depth);
                value["note"] = json!(mv.note);
                // The mover's own words, from the view of the side that moves first.
                let score = mv.score.map(|score| if frame.side == first { score } else { -score });
                value["score"] = json!(score);
                value["says"] = json!(score.map(describe));
                if let Some(finding) = &mv.analysis {
                    value["analysis"] = analysed(finding, frame.side == first);
                    if let Some(better) = frame.better.as_ref().filter(|_| finding.mark.is_some()) {
                        value["better"] = alternative(better, before.as_ref());
                    }
                }
            }
            if let Some(input) = inputs.get(at) {
                value["input"] = json!(input);
            }
            value
        })
        .collect();
    let verdict = verdict(header, known.sides, &record.moves, Some(&record.end));
    let end = &record.end;
    let fault = end.fault.as_ref().map(|fault| {
        json!({
            "player": fault.player,
            "output": fault.output,
            "stderr": fault.stderr,
            "legal": fault.legal,
            "count": fault.legal_count,
        })
    });
    json!({
        "number": end.game,
        "players": end.players,
        "winner": end.winner,
        "termination": end.termination,
        "reason": end.reason,
        "opening": record.start.line,
        "fault": fault,
        "accuracy": verdict.sides.each_ref().map(|side| side.accuracy),
        "marks": verdict.sides.each_ref().map(|side| side.marks),
        "turned": verdict.turned.map(|index| index + 1),
        "board": board,
        "positions": positions,
    })
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
        let whole = page(&[]);
        assert_eq!(TEMPLATE.matches(PLACE).count(), 1);
        assert!(PARTS.iter().all(|(mark, _)| TEMPLATE.matches(mark).count() == 1));
        // The one address in it is the name of the SVG namespace.
        let addresses = whole.match_indices("http").map(|(at, _)| &whole[at..at + 26]);
        // And an attribute of this name says which policy holds.
        let addresses: Vec<_> = addresses.filter(|text| !text.starts_with("http-equiv=")).collect();
        assert!(addresses.iter().all(|text| *text == "http://www.w3.org/2000/svg"), "{addresses:?}");
        assert!(!whole.contains("src=") && !whole.contains("@import") && !whole.contains("<link"));
    }
}
