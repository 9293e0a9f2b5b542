//! Positions of one game on a page without scripts.

use engine::Drawing;
use maud::{Markup, PreEscaped, html};
use std::collections::BTreeSet;

/// A place of a board: the column and the row.
pub type BoardCell = (usize, usize);

/// The positions on a page, which share one drawing of the board.
#[derive(Default)]
pub struct Positions {
    shared: bool,
}

impl Positions {
    /// A position with the places that an output names in red, these paths in green, and further
    /// arrows with their classes.
    pub fn draw(
        &mut self,
        drawing: &Drawing,
        output: Option<&str>,
        paths: &[Vec<BoardCell>],
        arrows: &[(String, String)],
        label: &str,
    ) -> Markup {
        let drawn_before = std::mem::replace(&mut self.shared, true);
        let way =
            output.map_or(String::new(), |output| boards::aim(&boards::mentioned(output, drawing)));
        html! {
            svg.menagerie-board.position viewBox=(boards::view_box(drawing)) role="img" aria-label=(label) {
                // The style sheet's rules begin with this class, and for what `use` shows no
                // element around it counts.
                @if drawn_before { use href="#board" {} }
                @else { g.menagerie-board #board { (PreEscaped(boards::ground(drawing))) } }
                g { (PreEscaped(boards::cells(drawing).concat())) }
                @for (class, way) in arrows { g.(class) { (PreEscaped(way)) } }
                @for path in paths { g.better { (PreEscaped(boards::aim(path))) } }
                g.refused { (PreEscaped(way)) }
            }
        }
    }
}

/// The places that show the legal moves, and what they are: the ends of the moves of the piece that
/// a refused output names first, or else the pieces that have moves.
pub fn legal_places(
    legal: &[String],
    refused: Option<&str>,
    drawing: &Drawing,
) -> (Vec<Vec<BoardCell>>, &'static str) {
    let single =
        |places: BTreeSet<BoardCell>| places.into_iter().map(|place| vec![place]).collect();
    let ways: Vec<Vec<BoardCell>> = legal.iter().map(|mv| boards::mentioned(mv, drawing)).collect();
    let named = refused.and_then(|output| boards::mentioned(output, drawing).first().copied());
    let of_named = ways.iter().filter(|way| way.len() > 1 && way.first().copied() == named);
    let ends: BTreeSet<BoardCell> = of_named.filter_map(|way| way.last().copied()).collect();
    if !ends.is_empty() {
        return (single(ends), "where the piece that the output names first can go");
    }
    let starts: BTreeSet<BoardCell> = ways.iter().filter_map(|way| way.first().copied()).collect();
    (single(starts), "where the legal moves begin")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chromium 156 and later: the style sheet's rules reach what `use` shows only from inside of
    /// it.
    #[test]
    fn the_board_that_pictures_share_has_the_class_with_which_all_styles_begin() {
        let mut positions = Positions::default();
        let drawing = Drawing::new(2, 2);
        let first = positions.draw(&drawing, None, &[], &[], "first").into_string();
        assert!(first.contains("<g class=\"menagerie-board\" id=\"board\">"), "{first}");
        assert!(
            positions
                .draw(&drawing, None, &[], &[], "second")
                .into_string()
                .contains("<use href=\"#board\">")
        );
        let rules = boards::STYLE.lines().filter(|line| line.contains('{'));
        assert!(
            rules.clone().count() > 20
                && rules.clone().all(|rule| rule.starts_with(".menagerie-board"))
        );
    }
}
