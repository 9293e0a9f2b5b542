//! The replay page and its data, as JSON.

use crate::frames::Frame;
use crate::markup;
use crate::summary::verdict;
use anygame::{AnyGame, GameClock};
use arena::record::{End, GameRecord, Header};
use boards::Thoughts;
use engine::score::describe;
use maud::{PreEscaped, html};
use serde::Serialize;
use serde_json::{Value, json};
use web::drawing::board;
use web::findings::{alternative, analysed, placed};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part {
    pub title: &'static str,
    /// The record's name.
    pub file: String,
    pub sides: [&'static str; 2],
    /// The index of the side that moves first.
    pub first: usize,
    pub win_bound: i32,
    pub games: Vec<Value>,
}

#[derive(Serialize)]
struct Game<'a> {
    #[serde(flatten)]
    end: &'a End,
    opening: &'a [String],
    /// Of players whose time is charged.
    clocks: [Option<GameClock>; 2],
    accuracy: [Option<f64>; 2],
    /// Whether moves of the sides have findings.
    analysed: [bool; 2],
    marks: [[u32; 3]; 2],
    turned: Option<usize>,
    unfinished: [Option<usize>; 2],
    /// What stays the same on the drawing of the board.
    cells: Option<Value>,
    positions: Vec<ShownPosition<'a>>,
    /// Marks the places of a refused output.
    refused: Option<String>,
}

#[derive(Serialize)]
struct ShownPosition<'a> {
    /// Whether the next position shows this move and the other side's of the same moment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    half: bool,
    #[serde(flatten)]
    placed: Value,
    #[serde(flatten)]
    mv: Option<Move<'a>>,
    stderr: Option<&'a String>,
    input: Option<&'a String>,
}

#[derive(Serialize)]
struct Move<'a> {
    side: usize,
    r#move: &'a str,
    cpu: f64,
    left: Option<f64>,
    depth: Option<u32>,
    note: Option<&'a str>,
    /// The moves that the program weighed, as arrows: their classes and ways.
    thoughts: Vec<(String, String)>,
    /// These moves and the program's notes, in words.
    thought: String,
    /// As the player reported it, for the side that moves first.
    score: Option<i32>,
    says: Option<String>,
    analysis: Option<Value>,
    better: Option<Value>,
}

pub(super) fn page(parts: &[Part]) -> String {
    let mut data = serde_json::to_value(parts).unwrap_or_default();
    arena::plain::json(&mut data);
    // In a script element, only "<" could end the data early.
    let data = data.to_string().replace('<', "\\u003c");
    let step = |go: &str, key: &str, label: &str, sign: &str| {
        html! { button type="button" data-go=(go) title=(key) aria-label=(label) { (sign) } }
    };
    let body = html! {
        main {
            section #list aria-label="Games" { h1 { "Replay" } }
            section #stage aria-label="Board and controls" {
                div #board role="img" aria-label="Board" {}
                p #caption aria-live="polite" {}
                div #said hidden { small { "standard error of this turn" } pre tabindex="0" {} }
                div #controls {
                    (step("first", "Home", "First position", "|<"))
                    (step("back", "Left arrow", "One move back", "<"))
                    (step("next", "Right arrow", "One move on", ">"))
                    (step("last", "End", "Last position", ">|"))
                    button type="button" data-go="run" title="Space" { "play" }
                    button #next-mark type="button" data-go="mark" title="M" hidden { "next mistake" }
                    button type="button" data-go="copy" title="C" { "copy as input.txt" }
                    input #slider type="range" min="0" value="0" aria-label="Ply";
                }
                textarea #copied readonly hidden rows="5" aria-label="input.txt" {}
                small #keys {
                    kbd { "←" } " " kbd { "→" } " one move, " kbd { "Home" } " " kbd { "End" } " first and last, "
                    kbd { "↑" } " " kbd { "↓" } " another game, " kbd { "Space" } " run, " kbd { "Esc" } " back to the game"
                }
            }
            section #side aria-label="Players and moves" {
                div #players {} div #plot {} small #legend {} div #better hidden {}
                div #head {} ol #moves {} div #end {}
            }
        }
        script type="application/json" id="data" { (PreEscaped(data)) }
    };
    let script = [web::BOARD, web::PLOT, include_str!("page.js")].concat();
    let style = [web::BOARD_STYLE, include_str!("page.css")].concat();
    markup::document("Replay", &style, &script, &body)
}

/// `inputs` has the input files of the turns, and `errors` the standard error of the moves, or
/// nothing.
pub(super) fn game(
    any_game: &AnyGame,
    header: &Header,
    record: &GameRecord,
    frames: &[Frame],
    inputs: &[String],
    errors: &[String],
) -> Value {
    let mut cells: Vec<String> = Vec::new();
    let positions = frames.iter().enumerate().map(|(at, frame)| {
        let before = cells.clone();
        let placed = placed(frame.drawing.as_ref(), &frame.picture, &mut cells);
        let mv = frame.mv.as_ref().map(|mv| {
            let is_first = frame.side == any_game.first.index();
            let score = mv.score.map(|score| if is_first { score } else { -score });
            let better =
                mv.analysis.as_ref().and_then(|finding| finding.mark).and(frame.better.as_ref());
            let thoughts = Thoughts::of(&mv.stderr);
            // On the board before the move, where the pieces stand that it weighed.
            let arrows = frames[at - 1].drawing.as_ref().map(|drawing| thoughts.arrows(drawing));
            Move {
                thoughts: arrows.unwrap_or_default(),
                thought: arena::plain::shown(&thoughts.words()),
                side: frame.side,
                r#move: &mv.mv,
                cpu: mv.cpu,
                left: mv.left,
                depth: mv.depth,
                note: mv.note.as_deref(),
                score,
                says: score.map(describe),
                analysis: mv.analysis.as_ref().map(|finding| analysed(finding, is_first)),
                better: better.map(|better| alternative(better, &before)),
            }
        });
        let stderr =
            at.checked_sub(1).and_then(|ply| errors.get(ply)).filter(|said| !said.is_empty());
        ShownPosition { half: frame.is_half, placed, mv, stderr, input: inputs.get(at) }
    });
    let verdict = verdict(header, (any_game.sides, any_game.curve), &record.moves, &record.end);
    json!(Game {
        end: &record.end,
        opening: &record.start.line,
        clocks: record.start.players.each_ref().map(|name| {
            let engine = header.engines.iter().find(|engine| engine.name == *name);
            engine.filter(|engine| engine.is_timed()).map(|engine| engine.clock)
        }),
        accuracy: verdict.sides.each_ref().map(|side| side.accuracy),
        analysed: verdict.sides.each_ref().map(|side| side.moves > 0),
        marks: verdict.sides.each_ref().map(|side| side.marks),
        turned: verdict.turning_move().map(|index| index + 1),
        unfinished: verdict
            .sides
            .each_ref()
            .map(|side| side.unfinished.map(|(index, _)| index + 1)),
        cells: frames.first().and_then(|frame| frame.drawing.as_ref()).map(board),
        positions: positions.collect(),
        refused: record.end.fault.as_ref().and_then(|fault| {
            let drawing = frames.last()?.drawing.as_ref()?;
            Some(boards::way(&boards::mentioned(fault.output.as_ref()?, drawing)))
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_script_element_and_has_visible_characters_alone() {
        let file = "</script><script>alert(1)a\u{202e}b\u{200b}\u{1b}[2J\nc".to_string();
        let (sides, games) = (["", ""], Vec::new());
        let page = page(&[Part { title: "", file, sides, first: 0, win_bound: 0, games }]);
        assert!(!page.contains("</script><script>alert") && page.contains("\\u003c/script>"));
        assert!(page.contains(r#"a\\u{202e}b\\u{200b}\\u{1b}[2J\nc""#), "{page}");
        let is_plain = |character| character == '\n' || arena::plain::is_plain(character);
        assert!(page.chars().all(is_plain));
    }

    #[test]
    fn the_page_makes_no_network_requests() {
        let whole = page(&[]);
        // The name of the SVG namespace and the attribute `http-equiv` are no addresses.
        for (at, _) in whole.match_indices("http") {
            let is_none = ["http://www.w3.org/2000/svg\"", "http-equiv="];
            assert!(is_none.iter().any(|text| whole[at..].starts_with(text)), "{}", &whole[at..]);
        }
        assert!(!whole.contains("src=") && !whole.contains("@import") && !whole.contains("<link"));
    }
}
