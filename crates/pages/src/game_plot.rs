//! The plot of an analysed game: winning chances from move to move, with dots at marked moves.

use crate::analysis_text::cost;
use anygame::AnyGame;
use arena::analysis::finding::{Finding, Mark};
use arena::plain::shown;
use arena::record::{GameRecord, MoveRecord};
use maud::{Markup, html};

/// The width and the height of a plot, in pixels.
const SIZE: (f64, f64) = (640.0, 360.0);
/// The left, right, upper and lower edge of the area in which data is drawn.
const PLOT_AREA: (f64, f64, f64, f64) = (60.0, 620.0, 40.0, 300.0);
/// Returns the colour of a mark, the same as on replay pages.
const fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "#8a6d00",
        Mark::Mistake => "#c2600f",
        Mark::Blunder => "#b00020",
    }
}

/// Returns the plot as SVG, with the chances of the side that moves first, as on replay pages.
/// Moves without an analysis are left out.
pub fn game_plot(any_game: &AnyGame, game: &GameRecord) -> String {
    let (sides, first) = (any_game.sides, any_game.first.index());
    let players = [0, 1].map(|side: usize| format!("{} {}", sides[side], game.start.players[side]));
    let title = format!(
        "{} against {}: expected result of {}",
        players[first],
        players[1 - first],
        sides[first]
    );
    let (left, right, _, bottom) = PLOT_AREA;
    let last = game.moves.last().map_or(0, |mv| mv.ply) + 1;
    let x = |ply: u32| left + (right - left) * f64::from(ply) / f64::from(last);
    let step = round_step(f64::from(last) / 5.0).max(1.0) as usize;
    let height = |mv: &MoveRecord, finding: &Finding| {
        let chance = if mv.side == sides[first] { finding.chance } else { -finding.chance };
        y((chance + 1.0) / 2.0)
    };
    let analysed: Vec<_> =
        game.moves.iter().filter_map(|mv| Some((mv, mv.analysis.as_deref()?))).collect();
    let point = |(mv, finding): &(&MoveRecord, &Finding)| {
        format!("{:.1},{:.1}", x(mv.ply + 1), height(mv, finding))
    };
    let points: Vec<String> = analysed.iter().map(point).collect();
    let contents = html! {
        @for number in (0..=last).step_by(step) { (grid_line(x(number), &number.to_string())) }
        polyline points=(points.join(" ")) fill="none" stroke="#1d7a45" stroke-width="2" {}
        @for (mv, finding) in analysed {
            @if let Some(mark) = finding.mark {
                circle cx=(tenth(x(mv.ply + 1))) cy=(tenth(height(mv, finding))) r="4" fill=(colour(mark)) {
                    title { (mv.ply + 1) ". " (mv.side) " " (mv.mv) ": " (cost(finding)) }
                }
            }
        }
        @for (mark, at) in Mark::ALL.into_iter().zip([0.0, 100.0, 200.0]) {
            circle cx=(tenth(left + at + 4.0)) cy=(tenth(bottom + 38.0)) r="4" fill=(colour(mark)) {}
            text x=(tenth(left + at + 13.0)) y=(tenth(bottom + 42.0)) { (mark.word()) }
        }
        text x=(right) y=(tenth(bottom + 42.0)) text-anchor="end" { "number of the move" }
    };
    plot(&title, &contents)
}

/// Returns the y coordinate of an expected result from 0 to 1.
fn y(expected: f64) -> f64 {
    let (_, _, top, bottom) = PLOT_AREA;
    bottom - (bottom - top) * expected
}

/// Returns a coordinate with a tenth of a pixel.
fn tenth(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

/// Returns a plot as SVG, with horizontal lines for expected results in per cent. Control and other
/// invisible characters become visible escape sequences.
fn plot(title: &str, contents: &Markup) -> String {
    let ((width, height), (left, right, ..)) = (SIZE, PLOT_AREA);
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) } font-family="sans-serif" font-size="13" {
            rect width=(width) height=(height) fill="#fff" {}
            text x=(left) y="24" font-size="15" { (title) }
            @for part in [0, 25, 50, 75, 100] {
                @let at = y(f64::from(part) / 100.0);
                line x1=(left) x2=(right) y1=(tenth(at)) y2=(tenth(at)) stroke="#ddd" {}
                text x=(tenth(left - 6.0)) y=(tenth(at + 4.0)) text-anchor="end" { (part) " %" }
            }
            (contents)
        }
    };
    shown(&svg.0) + "\n"
}

/// Returns a vertical line of the grid with its number.
fn grid_line(at: f64, number: &str) -> Markup {
    let (_, _, top, bottom) = PLOT_AREA;
    html! {
        line x1=(tenth(at)) x2=(tenth(at)) y1=(top) y2=(bottom) stroke="#ddd" {}
        text x=(tenth(at)) y=(tenth(bottom + 18.0)) text-anchor="middle" { (number) }
    }
}

/// Returns the largest distance of grid lines of the form 1, 2 or 5 times a power of ten that is at
/// most `maximum`, but not less than 1.
fn round_step(maximum: f64) -> f64 {
    let power = 10f64.powf(maximum.max(1.0).log10().floor());
    [5.0, 2.0].into_iter().map(|times| times * power).find(|step| *step <= maximum).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_plot_are_text() {
        let svg = plot("</text><script>\"\u{202e}", &html! { title { "<b>" } });
        assert!(
            svg.contains(">&lt;/text&gt;&lt;script&gt;&quot;\\u{202e}</text>")
                && svg.contains("&lt;b&gt;"),
            "{svg}"
        );
    }
}
