//! Positions of one game on a page without scripts.

use engine::Drawing;
use maud::{Markup, PreEscaped, html};

/// The positions on a page, which share one drawing of the board.
#[derive(Default)]
pub struct Positions {
    /// Whether the board is on the page.
    shared: bool,
}

impl Positions {
    /// Returns the drawing of a position, with the places that a refused output names marked. `label` describes it.
    pub fn draw(&mut self, drawing: &Drawing, refused: Option<&str>, label: &str) -> Markup {
        let drawn_before = std::mem::replace(&mut self.shared, true);
        let way = refused.map_or(String::new(), |output| boards::aim(&boards::mentioned(output, drawing)));
        html! {
            svg.menagerie-board.position viewBox=(boards::view_box(drawing)) role="img" aria-label=(label) {
                @if drawn_before { use href="#board" {} } @else { g #board { (PreEscaped(boards::ground(drawing))) } }
                g { (PreEscaped(boards::cells(drawing).concat())) }
                g.refused { (PreEscaped(way)) }
            }
        }
    }
}
