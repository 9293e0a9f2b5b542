//! Foxes and Geese on 33 cells, two foxes against twenty geese: rules (`rules.rs`), evaluation (`evaluate.rs`), files
//! (`protocol.rs`), and the search for the geese's winning strategy (`prove/`). The rules page is `games/foxgeese.md`
//! of the shared pages.
//!
//! ```
//! use engine::Game;
//! use foxgeese::Position;
//!
//! let mut position = Position::initial();
//! for _ in 0..4 {
//!     position.play(position.legal_moves()[0]);
//! }
//! println!("{}", position.plain_picture());
//! ```

pub mod board;
pub mod evaluate;
pub mod plays;
mod protocol;
pub mod prove;
pub mod rules;
pub mod spelling;

pub use evaluate::Evaluation;
pub use rules::{Play, Position};

use engine::Agent;
use engine::agent::NoExtra;

impl Agent for Position {
    type Knowledge = Evaluation;
    type Extra = NoExtra;
    const EXAMPLE: &'static str = "\
Example: a file input.txt with 11 lines,
    SINGLE
    GEESE
    2.5
    MOVES 0
        - - -
        - - -
    - - X - Y - -
    a b c d e f g
    h i j k l m n
        o p q
        r s t
and the command
    foxgeese -v
leaves output.txt, one line: the goose's letter and u, l or r (for the foxes X or Y and one letter of u, d, l, r for
each step or jump):
    du
In a pipe: foxgeese --input - --output - --nodes 100000 < input.txt
Exit code: 0 with a play left, 2 if the input or a file is bad (one line on standard error says why).";

    fn knowledge() -> Evaluation {
        Evaluation
    }
}
