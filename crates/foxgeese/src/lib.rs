//! Foxes and Geese on 33 cells, two foxes against twenty geese: rules (`rules.rs`), evaluation (`evaluate.rs`), files
//! (`protocol.rs`), and the geese's winning strategy (`strategy.rs`). The rules page is `games/foxgeese.md`
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
pub mod check;
mod drawing;
pub mod evaluate;
pub mod moves;
mod protocol;
pub mod puzzle;
pub mod rules;
pub mod spelling;
pub mod strategy;

pub use evaluate::Evaluation;
pub use rules::{Move, Position};

use engine::agent::Options;
use engine::{Agent, Game, Side, Task};
use puzzle::ServerOptions;
use std::process::ExitCode;
use strategy::Strategy;

impl Agent for Position {
    type Knowledge = Evaluation;
    type Extra = ServerOptions;
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
Exit code: 0 with a move left, 2 if the input or a file is bad (one line on standard error says why).

Against a puzzle server, as the geese:
    foxgeese --server http://127.0.0.1:8239/ --token 'a+b/c' --record game.txt
The secret goes to standard output. Exit code: 0 won, 1 lost, 3 the connection or an answer failed.";

    fn knowledge() -> Evaluation {
        Evaluation
    }

    fn instead(options: &Options, extra: &ServerOptions) -> Option<ExitCode> {
        extra.server.as_ref().map(|_| puzzle::client::run(extra, options.verbose))
    }

    /// The geese play by the strategy. The foxes, where every move of theirs leads into it, hold out longest.
    fn known_move(task: &Task<Position>, _: &ServerOptions) -> Option<(Move, String)> {
        let position = &task.position;
        let left = u32::from(rules::MOST_MOVES - position.moves_made());
        let strategy = Strategy::embedded();
        match position.side_to_move() {
            Side::First => {
                let win = strategy.get(position.board())?;
                let sound = u32::from(win.moves) <= left && position.is_legal(win.mv);
                sound.then(|| (win.mv, format!("the geese win in {} moves at most", win.moves)))
            }
            Side::Second => {
                let mut longest: Option<(Move, u8)> = None;
                for mv in position.legal_moves() {
                    let win = strategy.get(position.board().after_fox(mv))?;
                    if u32::from(win.moves) > left {
                        return None;
                    }
                    longest = longest.filter(|&(_, moves)| moves >= win.moves).or(Some((mv, win.moves)));
                }
                longest.map(|(mv, moves)| (mv, format!("the foxes lose in {moves} moves of the geese at most")))
            }
        }
    }
}
