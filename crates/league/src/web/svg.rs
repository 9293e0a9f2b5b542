//! Small plots of ratings.

use crate::store::RatedGame;
use arena::plain::counted;
use maud::{Markup, html};
use std::fmt::Write;

/// Returns a line of the last ratings, without axes.
pub(super) fn sparkline(trail: &str) -> Markup {
    let ratings: Vec<f64> =
        trail.split_whitespace().filter_map(|rating| rating.parse().ok()).collect();
    if ratings.len() < 2 {
        return html! {};
    }
    html! {
        svg.spark viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true" {
            path d=(path(&ratings, (0.0, 100.0), (22.0, 2.0))) vector-effect="non-scaling-stroke" {}
        }
    }
}

/// Games that have a dot of their own in a plot, the newest.
const DOTS: usize = 100;

/// Returns a plot of the ratings before each game. The newest games are dots that lead to them.
pub(super) fn plot(games: &[RatedGame]) -> Markup {
    if games.len() < 2 {
        return html! { p.soft { "The plot of its rating begins with its second game." } };
    }
    let ratings: Vec<f64> = games.iter().map(|game| game.rating).collect();
    let (ratings, sides, heights) = (&ratings[..], (48.0, 632.0), (160.0, 10.0));
    let dots = games.iter().enumerate().skip(games.len().saturating_sub(DOTS));
    let (low, high) = range(ratings);
    let lines = [low, f64::midpoint(low, high), high];
    html! {
        svg.plot viewBox="0 0 640 180" role="group"
            aria-label=(format!("Rating over {} games, from {:.0} to {:.0}", ratings.len(), ratings[0], ratings[ratings.len() - 1])) {
            @for (rating, y) in lines.iter().zip([160.0, 85.0, 10.0]) {
                path.grid d=(format!("M48 {y}H632")) {}
                text x="42" y=(format!("{}", y + 4.0)) text-anchor="end" { (format!("{rating:.0}")) }
            }
            path d=(path(ratings, sides, heights)) {}
            @for (index, game) in dots {
                @let (x, y) = place(ratings, index, sides, heights);
                @let (class, result) = match game.score { 1.0 => ("won", "won"), 0.0 => ("lost", "lost"), _ => ("drawn", "drawn") };
                // Whoever uses the keyboard finds the games in the table below.
                a href=(format!("/games/{}", game.id)) tabindex="-1" aria-label=(format!("Game {}, {result}", game.id)) {
                    circle.(class) cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="4" {
                        title { (format!("Game {}, {result}; {:.0} before it", game.id, game.rating)) }
                    }
                }
            }
            text x="632" y="176" text-anchor="end" { (counted(ratings.len(), "game", "games")) }
        }
    }
}

/// Fewer ratings are seen in the table alone.
const FEWEST_IN_HISTOGRAM: usize = 10;
const BIN: f64 = 50.0;

/// Returns bars of how many programs have which ratings; that of the own one stands out.
pub(super) fn histogram(ratings: &[f64], own: Option<f64>) -> Markup {
    if ratings.len() < FEWEST_IN_HISTOGRAM {
        return html! {};
    }
    let bin = |rating: f64| (rating / BIN).floor() as i64;
    let bins: Vec<i64> = ratings.iter().map(|&rating| bin(rating)).collect();
    let first = bins.iter().copied().min().unwrap_or_default();
    let mut counts = vec![0_usize; 0];
    for bin in bins {
        let at = (bin - first) as usize;
        counts.resize(counts.len().max(at + 1), 0);
        counts[at] += 1;
    }
    let most = counts.iter().copied().max().unwrap_or(1) as f64;
    let width = 584.0 / counts.len() as f64;
    let own = own.map(|rating| (bin(rating) - first) as usize);
    html! {
        svg.plot viewBox="0 0 640 120" role="img" aria-label=(format!("Ratings of {} programs in steps of {BIN}", ratings.len())) {
            path.grid d="M48 100H632" {}
            @for (at, &count) in counts.iter().enumerate() {
                @let (x, height) = (48.0 + width * at as f64, 90.0 * count as f64 / most);
                @let low = (first + at as i64) * BIN as i64;
                rect.mine[own == Some(at)] x=(format!("{:.1}", x + 1.0)) y=(format!("{:.1}", 100.0 - height)) width=(format!("{:.1}", width - 2.0)) height=(format!("{height:.1}")) {
                    title { (low) " to " (low + BIN as i64) ": " (counted(count, "program", "programs")) @if own == Some(at) { ", yours among them" } }
                }
            }
            text x="48" y="114" { (first * BIN as i64) }
            text x="340" y="114" text-anchor="middle" { "programs by rating" @if own.is_some() { ", yours in colour" } }
            text x="632" y="114" text-anchor="end" { ((first + counts.len() as i64) * BIN as i64) }
        }
    }
}

fn range(ratings: &[f64]) -> (f64, f64) {
    let low = ratings.iter().copied().fold(f64::INFINITY, f64::min);
    let high = ratings.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let missing = (20.0 - (high - low)).max(0.0) / 2.0;
    (low - missing, high + missing)
}

/// Returns the place of a rating between two sides and two heights.
fn place(
    ratings: &[f64],
    index: usize,
    (left, right): (f64, f64),
    (bottom, top): (f64, f64),
) -> (f64, f64) {
    let (low, high) = range(ratings);
    let x = left + (right - left) * index as f64 / (ratings.len() - 1) as f64;
    (x, bottom + (top - bottom) * (ratings[index] - low) / (high - low))
}

/// Returns the path of a line through ratings, between two sides and two heights; some of more than
/// 600 are left out.
fn path(ratings: &[f64], sides: (f64, f64), heights: (f64, f64)) -> String {
    let step = ratings.len().div_ceil(600);
    let mut out = String::new();
    for index in 0..ratings.len() {
        if index % step != 0 && index + 1 != ratings.len() {
            continue;
        }
        let (x, y) = place(ratings, index, sides, heights);
        let _ = write!(out, "{}{x:.1} {y:.1}", if out.is_empty() { 'M' } else { 'L' });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_from_side_to_side_and_stays_within_its_heights() {
        assert_eq!(
            path(&[1500.0, 1600.0, 1400.0], (0.0, 100.0), (20.0, 0.0)),
            "M0.0 10.0L50.0 0.0L100.0 20.0"
        );
        let many: Vec<f64> = (0..5_000).map(f64::from).collect();
        let path = path(&many, (0.0, 100.0), (20.0, 0.0));
        assert!(path.len() < 10_000 && path.ends_with("L100.0 0.0"), "{}", path.len());
        assert_eq!(sparkline("1500").into_string(), "");
        // A browser takes what follows an unclosed path as its children, and does not draw it.
        let lost = RatedGame { id: 7, rating: 1500.0, score: 0.0 };
        let won = RatedGame { id: 8, rating: 1600.0, score: 1.0 };
        let plot = plot(&[lost, won]).into_string();
        assert_eq!(["<path", "</path>"].map(|tag| plot.matches(tag).count()), [4, 4], "{plot}");
        let ratings: Vec<f64> = (0..12).map(|rank| 1_410.0 + 20.0 * f64::from(rank)).collect();
        let bars = histogram(&ratings, Some(1_455.0)).into_string();
        assert_eq!((bars.matches("<rect").count(), bars.matches("class=\"mine\"").count()), (5, 1));
        assert!(bars.contains("1450 to 1500: 3 programs, yours among them"), "{bars}");
        assert_eq!(histogram(&ratings[..9], None).into_string(), "");
        for part in ["href=\"/games/8\"", "class=\"lost\"", "Game 8, won"] {
            assert!(plot.contains(part), "{plot}");
        }
    }
}
