//! The board, the marks of a move, and the pieces of a position.

use crate::figures::figure;
use crate::{STYLE, escape};
use engine::Side;
use engine::drawing::{Cell, Drawing, Ground, Place};
use std::fmt::Write;

/// In units of the SVG.
const CELL: i64 = 100;
const FRAME: i64 = 40;
/// Pixels of a cell in a picture, on small and large boards.
const CELL_PIXELS: [i64; 2] = [64, 34];
const MANY: usize = 12;
/// From the middle of a cell to the end of an arrow: at the rim of a piece, and in an empty cell.
const RIM: f64 = 34.0;
const INSIDE: f64 = 8.0;

/// The visible part of the drawing, for the attribute `viewBox`.
pub fn view_box(drawing: &Drawing) -> String {
    let (width, height) = size(drawing);
    format!("{0} {0} {width} {height}", -FRAME)
}

fn size(drawing: &Drawing) -> (i64, i64) {
    let side = |cells: usize| cells as i64 * CELL + 2 * FRAME;
    (side(drawing.width), side(drawing.height))
}

fn corner((x, y): Place) -> (i64, i64) {
    (x as i64 * CELL, y as i64 * CELL)
}

fn middle(place: Place) -> (i64, i64) {
    let (x, y) = corner(place);
    (x + CELL / 2, y + CELL / 2)
}

fn each_cell<'a>(drawing: &'a Drawing, mut of: impl FnMut(Place, &'a Cell)) {
    for (index, cell) in drawing.cells.iter().enumerate().filter(|(_, cell)| !cell.missing) {
        of((index % drawing.width, index / drawing.width), cell);
    }
}

/// What does not change during a game: the pieces as symbols for [`cells`], frame, cells and zones.
pub fn ground(drawing: &Drawing) -> String {
    let mut svg = String::from("<defs>");
    for side in Side::BOTH {
        let (name, markup) = figure(drawing.figures[side.index()], side);
        // Both sides may have the same piece.
        if !svg.contains(&format!("id='{name}'")) {
            let _ = write!(svg, "<symbol id='{name}' viewBox='0 0 100 100'>{markup}</symbol>");
        }
    }
    let material = match drawing.ground {
        Ground::Wood => "wood",
        Ground::Meadow => "meadow",
        Ground::Forest => "forest",
        Ground::Sand => "sand",
        Ground::Yard => "yard",
    };
    let (width, height) = size(drawing);
    let _ = write!(svg, "</defs><g class='{material}'>");
    let _ = write!(
        svg,
        "<rect class='frame' x='{0}' y='{0}' width='{width}' height='{height}' rx='16'/>",
        -FRAME
    );
    names(&mut svg, drawing);
    let points = !drawing.lines.is_empty();
    // One path for all cells that look the same.
    let mut paths: Vec<(String, String)> = Vec::new();
    each_cell(drawing, |place, cell| {
        let (x, y) = corner(place);
        let shade = if points || (place.0 + place.1) % 2 == 0 { "cell" } else { "cell odd" };
        let class =
            shade.to_string() + cell.zone.map_or("", |side| [" zone0", " zone1"][side.index()]);
        let at = paths.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            paths.push((class, String::new()));
            paths.len() - 1
        });
        let _ = write!(paths[at].1, "M{x} {y}h100v100h-100z");
    });
    for (class, path) in paths {
        let _ = write!(svg, "<path class='{class}' d='{path}'/>");
    }
    fences(&mut svg, drawing);
    if points {
        svg.push_str("<path class='line' d='");
        for &(from, to) in &drawing.lines {
            let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
            let _ = write!(svg, "M{x1} {y1}L{x2} {y2}");
        }
        svg.push_str("'/>");
        each_cell(drawing, |place, _| {
            let (x, y) = middle(place);
            let _ = write!(svg, "<circle class='point' cx='{x}' cy='{y}' r='13'/>");
        });
    }
    svg + "</g>"
}

fn names(svg: &mut String, drawing: &Drawing) {
    let named =
        |names: &[String], at: usize| names.get(at).map_or(at.to_string(), |name| escape(name));
    let class = if drawing.width < MANY { "name few" } else { "name" };
    for x in 0..drawing.width {
        let (name, x) = (named(&drawing.columns, x), middle((x, 0)).0);
        let _ = write!(svg, "<text class='{class}' x='{x}' y='-11'>{name}</text>");
    }
    for y in 0..drawing.height {
        let (name, y) = (named(&drawing.rows, y), middle((0, y)).1 + 9);
        let _ = write!(svg, "<text class='{class}' x='-20' y='{y}'>{name}</text>");
    }
}

fn fences(svg: &mut String, drawing: &Drawing) {
    for side in Side::BOTH {
        let mut path = String::new();
        let inside = |x: i64, y: i64| {
            let within = x >= 0 && y >= 0 && x < drawing.width as i64 && y < drawing.height as i64;
            within && drawing.cells[y as usize * drawing.width + x as usize].zone == Some(side)
        };
        each_cell(drawing, |(x, y), cell| {
            if cell.zone != Some(side) {
                return;
            }
            let ((left, top), (x, y)) = (corner((x, y)), (x as i64, y as i64));
            let (right, bottom) = (left + CELL, top + CELL);
            for (open, from, to) in [
                (inside(x, y - 1), (left, top), (right, top)),
                (inside(x, y + 1), (left, bottom), (right, bottom)),
                (inside(x - 1, y), (left, top), (left, bottom)),
                (inside(x + 1, y), (right, top), (right, bottom)),
            ] {
                if !open {
                    let _ = write!(path, "M{} {}L{} {}", from.0, from.1, to.0, to.1);
                }
            }
        });
        if !path.is_empty() {
            let _ = write!(svg, "<path class='fence{}' d='{path}'/>", side.index());
        }
    }
}

/// Marks the cells that the last move touched and those that it changed.
pub fn marks(drawing: &Drawing) -> String {
    let mut svg = String::new();
    let mut mark = |class: &str, place: &Place| {
        let (x, y) = corner(*place);
        let _ = write!(
            svg,
            "<rect class='{class}' x='{}' y='{}' width='92' height='92' rx='12'/>",
            x + 4,
            y + 4
        );
    };
    drawing.path.iter().for_each(|place| mark("touched", place));
    drawing.changed.iter().for_each(|place| mark("changed", place));
    svg
}

/// The contents of each cell, row by row from the top left: a piece, with its place in the
/// attribute `data-at`, its letter and the cell's text; empty for an empty cell.
pub fn cells(drawing: &Drawing) -> Vec<String> {
    let mut all = vec![String::new(); drawing.cells.len()];
    each_cell(drawing, |place, cell| {
        all[place.1 * drawing.width + place.0] = contents(drawing, place, cell)
    });
    all
}

fn contents(drawing: &Drawing, place: Place, cell: &Cell) -> String {
    let ((x, y), (left, top)) = (middle(place), corner(place));
    let text = escape(&cell.text);
    let Some((side, letter)) = cell.piece else {
        if text.is_empty() {
            return text;
        }
        return format!("<text class='value' x='{x}' y='{}'>{text}</text>", y + 14);
    };
    let (name, _) = figure(drawing.figures[side.index()], side);
    let drawn = format!("href='#{name}' x='{left}' y='{top}' width='100' height='100'/>");
    let at = format!("class='piece' data-at='{},{}'", place.0, place.1);
    let letter = escape(letter.to_string().trim());
    if letter.is_empty() && text.is_empty() {
        return format!("<use {at} {drawn}");
    }
    let mut badges = String::new();
    // Badges stand in the lower right corner, the letter of a piece or the value of its cell.
    let mut badge = |class: &str, words: &str, above: i64| {
        let wide = 20 + 14 * words.chars().count() as i64;
        let (x, y) = (left + 98 - wide, top + 64 - above);
        let _ = write!(
            badges,
            "<rect class='{class}' x='{x}' y='{y}' width='{wide}' height='34' rx='17'/>"
        );
        let _ = write!(
            badges,
            "<text class='{class}-text' x='{}' y='{}'>{words}</text>",
            x + wide / 2,
            y + 26
        );
    };
    if !text.is_empty() {
        badge("worth", &text, 0);
    }
    if !letter.is_empty() {
        badge("letter", &letter, if text.is_empty() { 0 } else { 62 });
    }
    format!("<g {at}><use {drawn}{badges}</g>")
}

/// A move that was made: an arrow along its path to the rim of the last piece, or a ring around a
/// single place. The class of the group around it gives the colour: `way`, `better`, `threat`.
pub fn way(path: &[Place]) -> String {
    arrow(path, RIM)
}

/// A move to be made: as [`way`], into its last cell.
pub fn aim(path: &[Place]) -> String {
    arrow(path, INSIDE)
}

fn arrow(path: &[Place], rim: f64) -> String {
    let points: Vec<(i64, i64)> = path.iter().copied().map(middle).collect();
    let [.., a, b] = points[..] else {
        return points.first().map_or(String::new(), |(x, y)| {
            format!("<circle class='ring' cx='{x}' cy='{y}' r='45'/>")
        });
    };
    let (width, height) = ((b.0 - a.0) as f64, (b.1 - a.1) as f64);
    let length = (width * width + height * height).sqrt().max(1.0);
    let (dx, dy) = (width / length, height / length);
    // A place on the last line, and `aside` from it.
    let at = |before: f64, aside: f64| {
        let (x, y) = (b.0 as f64 - before * dx - aside * dy, b.1 as f64 - before * dy + aside * dx);
        format!("{} {}", x.round() as i64, y.round() as i64)
    };
    let mut line = String::new();
    for (index, (x, y)) in points[..points.len() - 1].iter().enumerate() {
        let _ = write!(line, "{}{x} {y}", if index == 0 { "M" } else { "L" });
    }
    let _ = write!(line, "L{}", at(rim + 20.0, 0.0));
    let mut svg = format!("<path class='shaft' d='{line}'/>");
    let _ = write!(
        svg,
        "<path class='head' d='M{}L{}L{}Z'/>",
        at(rim - 4.0, 0.0),
        at(rim + 26.0, 19.0),
        at(rim + 26.0, -19.0)
    );
    for (x, y) in &points[1..points.len() - 1] {
        let _ = write!(svg, "<circle class='head' cx='{x}' cy='{y}' r='11'/>");
    }
    svg
}

/// The places that a text mentions: by column and row such as `3,4`, else by the board's names such
/// as `B3`, else by a piece's letter at its beginning.
pub fn mentioned(text: &str, drawing: &Drawing) -> Vec<Place> {
    let number = |digits: &str| digits.parse::<usize>().ok();
    let digits_end =
        |text: &str| text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let mut places: Vec<Place> = Vec::new();
    for (comma, _) in text.match_indices(',') {
        let before = text[..comma].trim_end();
        let start = before.rfind(|letter: char| !letter.is_ascii_digit()).map_or(0, |at| at + 1);
        let start =
            (start..before.len()).find(|&at| before.is_char_boundary(at)).unwrap_or(before.len());
        let after = text[comma + 1..].trim_start();
        places.extend(number(&before[start..]).zip(number(&after[..digits_end(after)])));
    }
    if places.is_empty() {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric()).take(4);
        let named = words.filter_map(|word| {
            let (column, row) = (word.get(..1)?, word.get(1..)?);
            let column = drawing.columns.iter().position(|name| name == column)?;
            let own = drawing.rows.iter().position(|name| name == row);
            Some((column, own.or_else(|| number(row)?.checked_sub(1))?))
        });
        places = named.collect();
    }
    if places.is_empty() {
        let first = text.trim_start().chars().next();
        let at = drawing
            .cells
            .iter()
            .position(|cell| first.is_some() && cell.piece.map(|(_, letter)| letter) == first);
        places.extend(at.map(|at| (at % drawing.width, at / drawing.width)));
    }
    places.retain(|&(x, y)| x < drawing.width && y < drawing.height);
    places.dedup();
    places
}

/// A board as an SVG document, `width` pixels wide or as its columns need.
pub fn picture(drawing: &Drawing, sides: &[&str; 2], width: Option<u32>) -> String {
    let (across, down) = size(drawing);
    let natural = across * CELL_PIXELS[usize::from(drawing.width >= MANY)] / CELL;
    let width = width.map_or(natural, i64::from);
    let height = (width * down + across / 2) / across;
    let [one, other] = sides.map(escape);
    let last = if drawing.path.len() > 1 {
        format!("<g class='way'>{}</g>\n", way(&drawing.path))
    } else {
        String::new()
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"menagerie-board\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{}\">\n<title>{one} and {other}</title>\n<style>{STYLE}</style>\n{}\n{}\n{}\n{last}</svg>\n",
        view_box(drawing),
        ground(drawing),
        marks(drawing),
        cells(drawing).concat(),
    )
}
