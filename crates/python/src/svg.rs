//! Boards as stand-alone SVG pictures, for notebooks: squares or points, pieces, the path of the last move.

use engine::Side;
use engine::drawing::{Cell, Drawing, Place};
use std::fmt::Write;

const CELLS: [&str; 2] = ["#f3ead8", "#eadfc8"];
const ZONES: [&str; 2] = ["#d5dfea", "#f0d9cf"];
const PIECES: [&str; 2] = ["#2d5d8f", "#e9b44c"];
const PIECE_EDGES: [&str; 2] = ["#173554", "#8a6415"];
const PIECE_INK: [&str; 2] = ["#ffffff", "#2b2118"];
const EDGE: &str = "#b9a98a";
const INK: &str = "#5c5140";
const MARK: &str = "#c0392b";

/// The default width of a cell in pixels, on small and on large boards.
const CELL_PIXELS: [u32; 2] = [52, 28];
/// The number of columns from which on a board is large.
const MANY: usize = 12;

/// Draws a board as an SVG document, `width` pixels wide. With `None` the width follows from [`CELL_PIXELS`].
pub(crate) fn write(drawing: &Drawing, sides: &[&str; 2], width: Option<u32>) -> String {
    let (columns, rows) = (drawing.width as f64 + 0.8, drawing.height as f64 + 0.8);
    let natural = columns * f64::from(CELL_PIXELS[usize::from(drawing.width >= MANY)]);
    let width = width.map_or(natural, f64::from).round();
    let height = (width * rows / columns).round();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"-0.7 -0.7 {columns:.1} {rows:.1}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n"
    );
    let names = sides.map(escaped);
    let _ = writeln!(svg, "<title>{} and {}</title>", names[0], names[1]);
    edges(&mut svg, drawing);
    for (index, cell) in drawing.cells.iter().enumerate().filter(|(_, cell)| !cell.missing) {
        ground(&mut svg, cell, (index % drawing.width, index / drawing.width), !drawing.lines.is_empty());
    }
    marks(&mut svg, drawing);
    for (index, cell) in drawing.cells.iter().enumerate().filter(|(_, cell)| !cell.missing) {
        contents(&mut svg, cell, (index % drawing.width, index / drawing.width));
    }
    way(&mut svg, &drawing.path);
    svg + "</svg>\n"
}

fn middle((x, y): Place) -> (f64, f64) {
    (x as f64 + 0.5, y as f64 + 0.5)
}

/// Draws the names of columns and rows, and the lines between points.
fn edges(svg: &mut String, drawing: &Drawing) {
    let named = |names: &[String], at: usize| names.get(at).map_or(at.to_string(), |name| escaped(name));
    for x in 0..drawing.width {
        let name = named(&drawing.columns, x);
        let _ = writeln!(svg, "<text x=\"{x}.5\" y=\"-0.2\" font-size=\"0.32\" fill=\"{INK}\">{name}</text>");
    }
    for y in 0..drawing.height {
        let name = named(&drawing.rows, y);
        let _ = writeln!(svg, "<text x=\"-0.3\" y=\"{y}.62\" font-size=\"0.32\" fill=\"{INK}\">{name}</text>");
    }
    for &(from, to) in &drawing.lines {
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        let _ = writeln!(
            svg,
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{EDGE}\" stroke-width=\"0.05\"/>"
        );
    }
}

/// Draws the ground of a cell: a square, or a point where lines meet.
fn ground(svg: &mut String, cell: &Cell, place: Place, points: bool) {
    let fill = cell.zone.map_or(CELLS[(place.0 + place.1) % 2], |side| ZONES[side.index()]);
    let edge = format!("fill=\"{fill}\" stroke=\"{EDGE}\" stroke-width=\"0.03\"");
    let _ = if points {
        let (x, y) = middle(place);
        writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"0.14\" {edge}/>")
    } else {
        writeln!(svg, "<rect x=\"{}\" y=\"{}\" width=\"1\" height=\"1\" {edge}/>", place.0, place.1)
    };
}

/// Marks the places on the last move's path and those that it changed.
fn marks(svg: &mut String, drawing: &Drawing) {
    for &(x, y) in &drawing.path {
        let at = format!("x=\"{x}.03\" y=\"{y}.03\" width=\"0.94\" height=\"0.94\" rx=\"0.12\"");
        let _ = writeln!(svg, "<rect class=\"touched\" {at} fill=\"{MARK}\" opacity=\"0.2\"/>");
    }
    for &(x, y) in &drawing.changed {
        let at = format!("x=\"{x}.06\" y=\"{y}.06\" width=\"0.88\" height=\"0.88\" rx=\"0.1\"");
        let dashes = "stroke-width=\"0.06\" stroke-dasharray=\"0.14 0.1\"";
        let _ = writeln!(svg, "<rect class=\"changed\" {at} fill=\"none\" stroke=\"{MARK}\" {dashes}/>");
    }
}

/// Draws a cell's piece with its letter, and the cell's text.
fn contents(svg: &mut String, cell: &Cell, place: Place) {
    let (x, y) = middle(place);
    let text = escaped(&cell.text);
    let Some((side, letter)) = cell.piece else {
        if !text.is_empty() {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"0.36\" fill=\"{INK}\">{text}</text>", y + 0.12);
        }
        return;
    };
    let (fill, edge, ink) = (PIECES[side.index()], PIECE_EDGES[side.index()], PIECE_INK[side.index()]);
    let circle = format!("<circle class=\"piece\" cx=\"{x}\" cy=\"{y}\" r=\"0.38\" fill=\"{fill}\"");
    let _ = writeln!(svg, "{circle} stroke=\"{edge}\" stroke-width=\"0.05\"/>");
    if side == Side::First {
        // A ring marks the first side for readers who cannot tell the colours apart.
        let ring = format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"0.3\" fill=\"none\" stroke=\"{ink}\"");
        let _ = writeln!(svg, "{ring} stroke-width=\"0.03\" opacity=\"0.55\"/>");
    }
    let letter = escaped(letter.to_string().trim());
    if !letter.is_empty() {
        let (below, size) = if text.is_empty() { (0.14, 0.42) } else { (0.02, 0.34) };
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" fill=\"{ink}\">{letter}</text>", y + below);
    }
    if !text.is_empty() {
        let (below, size) = if letter.is_empty() { (0.1, 0.3) } else { (0.28, 0.24) };
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" font-size=\"{size}\" fill=\"{ink}\">{text}</text>", y + below);
    }
}

/// Draws the path of the last move as an arrow.
fn way(svg: &mut String, path: &[Place]) {
    let points: Vec<(f64, f64)> = path.iter().copied().map(middle).collect();
    let [.., a, b] = points[..] else { return };
    let length = (b.0 - a.0).hypot(b.1 - a.1).max(1e-9);
    let (dx, dy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
    let mut tail: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
    tail.pop();
    tail.push(format!("{:.3},{:.3}", b.0 - 0.2 * dx, b.1 - 0.2 * dy));
    let ends = "stroke-linejoin=\"round\" stroke-linecap=\"round\"";
    let line = format!("fill=\"none\" stroke=\"{MARK}\" stroke-width=\"0.09\" {ends}");
    let _ = writeln!(svg, "<polyline class=\"way\" points=\"{}\" {line}/>", tail.join(" "));
    let wing = |side: f64| format!("{:.3},{:.3}", b.0 - 0.3 * dx - side * 0.15 * dy, b.1 - 0.3 * dy + side * 0.15 * dx);
    let head = format!("{},{} {} {}", b.0, b.1, wing(1.0), wing(-1.0));
    let _ = writeln!(svg, "<polygon points=\"{head}\" fill=\"{MARK}\"/>");
}

/// Escapes a text for XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
