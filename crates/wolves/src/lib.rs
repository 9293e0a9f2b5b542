//! Wolves and Sheep on 5 x 5 squares: rules (`rules.rs`), evaluation (`evaluate.rs`) and files (`protocol.rs`). The
//! rules page is `games/wolves.md` of the shared pages.

pub mod board;
pub mod embedded;
pub mod evaluate;
pub mod index;
mod protocol;
pub mod rules;
pub mod strategy;
pub mod table;
pub mod value;

pub use evaluate::Evaluation;
pub use rules::{Layout, Play, Position};
pub use value::Value;

use engine::Agent;
use engine::agent::NoExtra;

impl Agent for Position {
    type Knowledge = Evaluation;
    type Extra = NoExtra;
    const EXAMPLE: &'static str = "\
Example: a file input.txt with 8 lines,
    SINGLE
    SHEEP
    2.5
    SSSSS
    SSSSS
    .....
    .W...
    ...W.
and the command
    wolves -v
which leaves output.txt with one line, E for a step or J for eating, squares as x,y from the top left:
    E 2,1 2,2
Exit code: 0 with a play left, 2 if the input or a file is bad (one line on standard error says why).";

    fn knowledge() -> Evaluation {
        Evaluation
    }
}
