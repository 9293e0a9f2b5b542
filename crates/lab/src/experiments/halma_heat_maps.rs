//! `lab halma-heat-maps`: prints heat maps of the learned square values as an SVG, one board for each stage and one for the formula,
//! from Black's view, with its camp at the top left and its target at the bottom right. The colours of each board go from
//! its least value (dark) to its largest (light).

use halma::board::{BLACK, CAMPS, SIZE, Square};
use halma::learned::{Tables, place_of};
use halma::worth::formula;

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example:
  lab halma-heat-maps > docs/halma-worths.svg";

/// The edge of a square, in pixels.
const CELL: usize = 11;
/// The gap between boards, in pixels.
const GAP: usize = 22;
/// The number of boards in a row.
const COLUMNS: usize = 3;
/// The number of shades of a board.
const SHADES: i32 = 24;

/// Returns the colour of a shade, from dark blue over green to yellow.
fn colour(shade: i32) -> String {
    let part = f64::from(shade) / f64::from(SHADES - 1);
    let between = |low: f64, high: f64, part: f64| (low + (high - low) * part).round() as u8;
    let stops = [(36.0, 26.0, 84.0), (32.0, 110.0, 130.0), (98.0, 180.0, 90.0), (252.0, 231.0, 37.0)];
    let at = part * (stops.len() - 1) as f64;
    let first = (at as usize).min(stops.len() - 2);
    let (low, high, part) = (stops[first], stops[first + 1], at - first as f64);
    let [red, green, blue] =
        [(low.0, high.0), (low.1, high.1), (low.2, high.2)].map(|(low, high)| between(low, high, part));
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns the SVG of one board with its title, at its place on the page.
fn board(number: usize, title: &str, worth: impl Fn(Square) -> i32) -> String {
    let (width, height) = (SIZE * CELL + GAP, SIZE * CELL + 2 * GAP);
    let (left, top) = (GAP / 2 + number % COLUMNS * width, 2 * GAP + number / COLUMNS * height);
    let worths: Vec<(Square, i32)> = Square::all().map(|square| (square, worth(square))).collect();
    let least = worths.iter().map(|&(_, worth)| worth).min().unwrap_or(0);
    let most = worths.iter().map(|&(_, worth)| worth).max().unwrap_or(0);
    let mut svg = format!(
        "<g transform=\"translate({left} {top})\"><text y=\"-6\">{title}: {least} to {most}</text><g transform=\"scale({CELL})\">\n"
    );
    for shade in 0..SHADES {
        let of_shade =
            worths.iter().filter(|(_, worth)| (worth - least) * (SHADES - 1) / (most - least).max(1) == shade);
        let path: String = of_shade.map(|(square, _)| format!("M{} {}h1v1h-1z", square.x(), square.y())).collect();
        if !path.is_empty() {
            svg += &format!("<path fill=\"{}\" d=\"{path}\"/>\n", colour(shade));
        }
    }
    let dots: String =
        CAMPS.into_iter().flatten().map(|square| format!("M{}.5 {}.5h0", square.x(), square.y())).collect();
    svg += &format!(
        "<path d=\"{dots}\" stroke=\"#fff\" stroke-opacity=\".6\" stroke-width=\".2\" stroke-linecap=\"round\"/>\n"
    );
    svg + "</g></g>\n"
}

/// Runs `lab halma-heat-maps`.
pub(crate) fn run() {
    let tables = Tables::in_use();
    let mut boards = vec![board(0, "formula", |square| formula().of(BLACK, square))];
    for stage in tables.stages.iter().rev() {
        let worth = |square| i32::from(stage.worths[place_of(BLACK, square)]);
        boards.push(board(boards.len(), &format!("{} to go", stage.to_go), worth));
    }
    let width = COLUMNS * (SIZE * CELL + GAP);
    let height = boards.len().div_ceil(COLUMNS) * (SIZE * CELL + 2 * GAP) + GAP;
    println!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\" shape-rendering=\"crispEdges\">\n<rect width=\"{width}\" \
         height=\"{height}\" fill=\"#fff\"/>\n{}</svg>",
        boards.concat()
    );
}
