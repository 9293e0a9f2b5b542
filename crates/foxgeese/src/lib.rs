//! Foxes and Geese: two foxes against twenty geese on 33 cells (docs/rules/foxgeese.md). Besides the
//! rules, files and evaluation: the letters of moves (`spelling.rs`), the geese's proven strategy
//! (`strategy.rs`) and its check by the rules alone (`check.rs`), and a client of puzzle servers
//! (`puzzle/`).
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
mod evaluate;
mod examine;
mod insight;
pub mod moves;
mod protocol;
#[cfg(feature = "agent")]
pub mod puzzle;
pub mod rules;
mod spelling;
pub mod strategy;

pub use evaluate::Evaluation;
pub use insight::known_move;
pub use rules::{Move, Position};

#[cfg(feature = "agent")]
use engine::agent::{AgentError, Options};
use engine::search::Score;
use engine::think::StoredResults;
use engine::{Advice, Ask, Count, Curve, Explain, Playable, Proven, Side};
#[cfg(feature = "agent")]
use std::process::ExitCode;

impl Playable for Position {
    type Knowledge = Evaluation;
    type Own = ();
    const STORES: &'static [StoredResults] = &[StoredResults {
        name: "strategy",
        provide: |bytes| strategy::provide(bytes).map_err(str::to_string),
    }];

    fn advise(ask: &Ask<Position>) -> Advice<Move> {
        let known = ask.settings.timed().then(|| known_move(&ask.task.position)).flatten();
        known.map_or(Advice::Nothing, |(mv, why)| Advice::Move(mv, format!("known: {why}")))
    }
}

impl Explain for Position {
    /// Fitted as docs/analysis.md says.
    const CURVE: Option<Curve> = Some(Curve { points: 262.0, first: -0.317, tempo: 0.0 });

    const NO_ACCURACY: &'static [Side] = &Side::BOTH;

    fn proven(position: &Position) -> Option<Proven<Move>> {
        insight::proven(position)
    }

    fn counts(position: &Position, side: Side) -> Vec<Count> {
        insight::counts(position, side)
    }

    fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
        evaluate::evaluation_parts(position)
    }
}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
    type Extra = puzzle::ServerOptions;
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

    fn other_mode(options: &Options, extra: &Self::Extra) -> Option<Result<ExitCode, AgentError>> {
        extra.server.as_ref().map(|_| Ok(puzzle::client::run(extra, options.verbose)))
    }
}
