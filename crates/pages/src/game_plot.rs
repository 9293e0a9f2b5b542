//! Plots of winning chances and of CPU time from move to move.

use crate::analysis_text::cost;
use anygame::{AnyGame, GameClock};
use arena::analysis::finding::{Finding, Mark};
use arena::plain::shown;
use arena::record::{GameRecord, MoveRecord};
use engine::Side;
use maud::{Markup, html};

const SIZE: (f64, f64) = (640.0, 360.0);
/// The left, right, upper and lower edge of the data.
const PLOT_AREA: (f64, f64, f64, f64) = (60.0, 620.0, 40.0, 300.0);
const fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "#8a6d00",
        Mark::Mistake => "#c2600f",
        Mark::Blunder => "#b00020",
    }
}

/// The chances of the side that moves first, as SVG. Moves without an analysis are left out.
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

/// The turns of one side, also one that ended with a fault: the number of each, from 1, and its CPU
/// seconds.
pub fn turns_of(
    any_game: &AnyGame,
    game: &GameRecord,
    side: Side,
) -> impl Iterator<Item = (u32, f64)> {
    let own = game.moves.iter().filter(move |mv| mv.side == any_game.side_word(side));
    let fault = game.end.fault.as_ref().filter(|fault| fault.player == side.index());
    own.map(|mv| (mv.ply + 1, mv.cpu)).chain(fault.map(|fault| (game.end.plies + 1, fault.cpu)))
}

/// The CPU time of one side's moves, and its clock.
#[derive(Clone, Debug)]
pub struct MoveTimes {
    /// The number of each move in the game, from 1, and its seconds.
    pub turns: Vec<(u32, f64)>,
    /// The clock.
    pub clock: GameClock,
}

impl MoveTimes {
    fn most(&self) -> (u32, f64) {
        self.turns
            .iter()
            .copied()
            .max_by(|one, other| one.1.total_cmp(&other.1))
            .unwrap_or((0, 0.0))
    }

    /// The mean and the longest CPU time of a move, and the part of the clock.
    pub fn words(&self) -> String {
        let (ply, most) = self.most();
        let sum: f64 = self.turns.iter().map(|(_, cpu)| cpu).sum();
        let (used, of) = match self.clock {
            GameClock::Game(seconds) => (sum / seconds, "the clock"),
            GameClock::Single(seconds) => (most / seconds, "a move's clock at most"),
        };
        let (mean, used) = (sum / self.turns.len() as f64, 100.0 * used);
        format!("CPU a move: mean {mean:.3} s, most {most:.3} s (ply {ply}), {used:.1} % of {of}.")
    }

    /// A bar for each move, in seconds and in parts of the clock, as SVG in the style of reports.
    pub fn plot(&self) -> Markup {
        let (left, right, top, bottom) = (60.0, 570.0, 10.0, 110.0);
        let last = self.turns.last().map_or(1, |(ply, _)| *ply);
        let (most, width) = (self.most().1, (right - left) / f64::from(last));
        let share = |part: f64| 100.0 * part * most / self.clock.length().as_secs_f64();
        html! {
            svg viewBox="0 0 640 135" role="img" aria-label=(self.words()) {
                @for part in [0.0, 0.5, 1.0] {
                    @let y = tenth(bottom - (bottom - top) * part);
                    line x1=(left) x2=(right) y1=(y) y2=(y) {}
                    text x=(left - 6.0) y=(tenth(bottom + 4.0 - (bottom - top) * part)) text-anchor="end" { (format_args!("{:.2} s", part * most)) }
                    text x=(right + 6.0) y=(tenth(bottom + 4.0 - (bottom - top) * part)) { (format_args!("{:.1} %", share(part))) }
                }
                @for (ply, cpu) in &self.turns {
                    @let high = (bottom - top) * cpu / most.max(f64::MIN_POSITIVE);
                    rect x=(tenth(left + width * f64::from(ply - 1))) y=(tenth(bottom - high)) width=(tenth(width.clamp(1.0, 12.0)))
                        height=(tenth(high)) { title { "ply " (ply) ": " (format_args!("{cpu:.3} s")) } }
                }
                text x=(left) y=(bottom + 18.0) { "ply 1" }
                text x=(right) y=(bottom + 18.0) text-anchor="end" { "ply " (last) ", in % of the clock" }
            }
        }
    }
}

fn y(expected: f64) -> f64 {
    let (_, _, top, bottom) = PLOT_AREA;
    bottom - (bottom - top) * expected
}

fn tenth(coordinate: f64) -> String {
    format!("{coordinate:.1}")
}

/// Horizontal lines are for expected results in per cent.
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

fn grid_line(at: f64, number: &str) -> Markup {
    let (_, _, top, bottom) = PLOT_AREA;
    html! {
        line x1=(tenth(at)) x2=(tenth(at)) y1=(top) y2=(bottom) stroke="#ddd" {}
        text x=(tenth(at)) y=(tenth(bottom + 18.0)) text-anchor="middle" { (number) }
    }
}

/// The largest distance of the form 1, 2 or 5 times a power of ten up to `maximum`, at least 1.
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
