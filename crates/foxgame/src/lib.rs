//! FoxGame, two foxes against twenty sheep on 33 points (docs/rules/foxgame.md): rules, evaluation,
//! file formats, games over TCP that a monitor runs ([`monitor`]), and endgame tables
//! ([`endings`]).
//!
//! ```
//! use engine::search::{Limits, Mode, Searcher};
//! use engine::Protocol;
//! use foxgame::{Evaluation, Position};
//!
//! let position = Position::initial();
//! let mut searcher = Searcher::new(Evaluation::default(), Mode::Selective, 1 << 20);
//! let report = searcher.run(&position, Limits { depth: 5, ..Limits::default() }, &mut ()).unwrap();
//! println!("{}", position.describe_move(report.best));
//! ```

pub mod board;
pub mod endings;
pub mod evaluate;
mod examine;
pub mod feature;
mod insight;
pub mod monitor;
mod moves;
mod parse_move;
mod protocol;
pub mod rules;
pub mod weights;

pub use board::Board;
pub use endings::Sources;
pub use evaluate::Evaluation;
pub use rules::{Ending, Move, Position};

use endings::advice::advise;
use engine::search::Score;
use engine::think::LimitKind;
use engine::{Advice, Ask, Count, Curve, Explain, Playable, Proven, Side};

impl Playable for Position {
    type Knowledge = Evaluation;
    type Own = Sources;

    fn knowledge(own: &Sources, _: LimitKind) -> Evaluation {
        Evaluation { endings: own.endings }
    }

    fn advise(ask: &Ask<Position>) -> Advice<Move> {
        let endings = ask.settings.own.endings;
        endings.map_or(Advice::Nothing, |endings| advise(&ask.task.position, endings))
    }
}

impl Explain for Position {
    /// The curve from scores to expected results, fitted to played games (docs/analysis.md).
    const CURVE: Option<Curve> = Some(Curve { points: 344.0, first: -0.596, tempo: 0.0 });

    fn proven(position: &Position) -> Option<Proven<Move>> {
        insight::proven(position)
    }

    fn counts(position: &Position, side: Side) -> Vec<Count> {
        insight::counts(position, side)
    }

    fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
        insight::evaluation_parts(position)
    }
}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
    type Extra = endings::tables_option::Extra;
    const EXAMPLE: &'static str = "\
Example: a file input.txt with 10 lines,
    SINGLE
    FOX
    2.5
    ##F.F##
    ##...##
    .......
    SSSSSSS
    SSSSSSS
    ##SSS##
    ##SSS##
and, if there were any, the earlier boards since the last capture, one a line of 33 symbols; and the command
    foxgame -v
which thinks for 2.5 s of CPU time and leaves output.txt, one line for a step or one for each jump:
    E 2,0 3,1
In a game that a monitor runs (foxgame -p 6000 --help has the options):
    foxgame -a HOST -p PORT -r ROLE -n NAME
With endings solved by `solve foxgame --out tables`: foxgame --tables tables
In a pipe: foxgame --input - --output - --nodes 100000 < input.txt
Exit code: 0 with a move left, 2 if the input or a file is bad (one line on standard error says why).";

    fn own_settings(extra: &Self::Extra) -> Sources {
        extra.sources()
    }
}
