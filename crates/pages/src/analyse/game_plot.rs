//! The plot of an analysed game: winning chances from move to move, with dots at marked moves.

use super::curve_plot::{PLOT_AREA, grid_line, plot, round_step, tenth, y};
use super::text::cost;
use arena::AnyGame;
use arena::analysis::finding::{Finding, Mark};
use arena::record::{GameRecord, MoveRecord};
use maud::html;

/// Returns the colour of a mark, the same as on replay pages.
const fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "#8a6d00",
        Mark::Mistake => "#c2600f",
        Mark::Blunder => "#b00020",
    }
}

/// Returns the plot as SVG, with the chances of the side that moves first, as on replay pages. Moves without an analysis are
/// left out.
pub(crate) fn game_plot(any_game: &AnyGame, game: &GameRecord) -> String {
    let (sides, first) = (any_game.sides, any_game.first.index());
    let players = [0, 1].map(|side: usize| format!("{} {}", sides[side], game.start.players[side]));
    let title = format!("{} against {}: expected result of {}", players[first], players[1 - first], sides[first]);
    let (left, right, _, bottom) = PLOT_AREA;
    let last = game.moves.last().map_or(0, |mv| mv.ply) + 1;
    let x = |ply: u32| left + (right - left) * f64::from(ply) / f64::from(last);
    let step = round_step(f64::from(last) / 5.0).max(1.0) as usize;
    let height = |mv: &MoveRecord, finding: &Finding| {
        let chance = if mv.side == sides[first] { finding.chance } else { -finding.chance };
        y((chance + 1.0) / 2.0)
    };
    let analysed: Vec<_> = game.moves.iter().filter_map(|mv| Some((mv, mv.analysis.as_deref()?))).collect();
    let point = |(mv, finding): &(&MoveRecord, &Finding)| format!("{:.1},{:.1}", x(mv.ply + 1), height(mv, finding));
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
