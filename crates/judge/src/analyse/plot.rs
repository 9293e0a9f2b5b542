//! A game as a picture: winning chances from move to move, with the moves that are marked.

use super::picture::{FIELD, framed, round_step, y};
use super::words::cost;
use arena::analysis::finding::Mark;
use arena::analysis::verdict::first_side_s_chance;
use arena::plain::shown;
use arena::record::GameRecord;
use std::fmt::Write;

/// The colour of a mark: the pages' own.
const fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "#8a6d00",
        Mark::Mistake => "#c2600f",
        Mark::Blunder => "#b00020",
    }
}

/// A text as SVG takes it.
fn escaped(text: &str) -> String {
    shown(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The picture of an analysed game, as SVG. Moves that were not looked at are left out.
pub(crate) fn chances(words: [&str; 2], game: &GameRecord) -> String {
    let players = [0, 1].map(|side: usize| format!("{} {}", words[side], game.start.players[side]));
    let (left, right, top, bottom) = FIELD;
    let mut svg = framed(&escaped(&format!("{} against {}: expected result of {}", players[0], players[1], words[0])));
    let last = game.moves.last().map_or(0, |mv| mv.ply) + 1;
    let x = |ply: u32| left + (right - left) * f64::from(ply) / f64::from(last);
    let step = round_step(f64::from(last) / 5.0).max(1.0) as u32;
    for number in (0..=last).step_by(step as usize) {
        let at = x(number);
        let _ = writeln!(
            svg,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{bottom}\" stroke=\"#ddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{number}</text>",
            bottom + 18.0
        );
    }
    let (mut points, mut dots) = (String::new(), String::new());
    for mv in &game.moves {
        let (Some(chance), Some(finding)) = (first_side_s_chance(mv, words), &mv.analysis) else { continue };
        let (at, height) = (x(mv.ply + 1), y((chance + 1.0) / 2.0));
        let _ = write!(points, "{at:.1},{height:.1} ");
        if let Some(mark) = finding.mark {
            let told = escaped(&format!("{}. {} {}: {}", mv.ply + 1, mv.side, mv.mv, cost(finding)));
            let _ = writeln!(
                dots,
                "<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"4\" fill=\"{}\"><title>{told}</title></circle>",
                colour(mark)
            );
        }
    }
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#1d7a45\" stroke-width=\"2\"/>\n{dots}",
        points.trim_end()
    );
    let mut at = left;
    for mark in Mark::ALL {
        let height = bottom + 38.0;
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{height:.1}\" r=\"4\" fill=\"{}\"/><text x=\"{:.1}\" y=\"{:.1}\">{mark}</text>",
            at + 4.0,
            colour(mark),
            at + 13.0,
            height + 4.0
        );
        at += 100.0;
    }
    let _ = writeln!(
        svg,
        "<text x=\"{right}\" y=\"{:.1}\" text-anchor=\"end\">number of the move</text>\n</svg>",
        bottom + 42.0
    );
    svg
}
