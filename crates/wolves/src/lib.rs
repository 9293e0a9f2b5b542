//! Wolves and Sheep on 5 x 5 squares: rules (`rules.rs`), evaluation (`evaluate.rs`), files (`protocol.rs`, `course.rs`),
//! and what is known for certain: tables made by `solve wolves` (`index.rs`, `value.rs`, `table.rs`), every outcome of 1
//! and 2 wolves (`embedded.rs`), the sheep's win from figure 1 (`strategy.rs`), and the move that follows (`oracle.rs`,
//! `advice.rs`). The rules page is `games/wolves.md` of the shared pages.

pub mod advice;
pub mod board;
pub mod course;
pub mod embedded;
mod errands;
pub mod evaluate;
pub mod explain;
pub mod index;
mod options;
pub mod oracle;
pub mod paper;
mod protocol;
pub mod rules;
pub mod strategy;
pub mod table;
pub mod value;

pub use evaluate::Evaluation;
pub use options::Extra;
pub use rules::{Layout, Move, Position};
pub use value::Value;

use advice::Advice;
use engine::agent::Options;
use engine::{Agent, Protocol, Task};

impl Agent for Position {
    type Knowledge = Evaluation;
    type Extra = Extra;
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
More:
    wolves --explain                        what each legal move is worth
    wolves --state round0/state_4.txt       the course's own files: prints the move, leaves round0/state_5.txt
    wolves --algorithm paper --seed 7       the agent of the course paper
Exit code: 0 with a move left, 2 if the input or a file is bad (one line on standard error says why).";

    fn knowledge() -> Evaluation {
        Evaluation
    }

    fn known_move(task: &Task<Position>, extra: &Extra) -> Option<(Move, String)> {
        match advice::advise(&task.position, extra.oracle()) {
            Advice::Move(mv, why) => Some((mv, why)),
            Advice::Among(_) | Advice::Nothing => None,
        }
    }

    fn sound_moves(task: &Task<Position>, extra: &Extra, moves: Vec<Move>) -> Vec<Move> {
        match advice::advise(&task.position, extra.oracle()) {
            Advice::Move(mv, _) => vec![mv],
            Advice::Among(sound) => sound,
            Advice::Nothing => moves,
        }
    }

    const ALGORITHMS: &'static [(&'static str, &'static str)] =
        &[("paper", "The agent of the course paper: alpha-beta to depth 4 (wolves) or 3 (sheep); see --seed")];

    fn own_algorithm(_: &str, task: &Task<Position>, _: &Options, extra: &Extra) -> (Move, String) {
        let seed = extra.seed.unwrap_or_else(rand::random);
        let (mv, value) = paper::play(&task.position, seed);
        (mv, format!("value {value} seed {seed} line {}", task.position.describe_move(mv)))
    }

    fn errand(options: &Options, extra: &Extra) -> Option<Result<(), String>> {
        errands::run(options, extra)
    }
}
