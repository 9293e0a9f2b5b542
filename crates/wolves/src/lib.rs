//! Wolves and Sheep on 5 x 5 squares: the rules (`rules.rs`), the evaluation (`evaluate.rs`), the
//! file formats (`protocol.rs`, `course.rs`), and exact results: tables made by `solve wolves`
//! (`index.rs`, `value.rs`, `table.rs`), the outcome of every position of 1 and 2 wolves
//! (`embedded.rs`), the sheep's win from figure 1 (`strategy.rs`), and the move that follows from
//! them (`oracle.rs`, `advice.rs`). The rules page is `docs/rules/wolves.md`.

pub mod advice;
pub mod board;
#[cfg(feature = "agent")]
mod commands;
pub mod course;
mod data_file;
pub mod embedded;
pub mod evaluate;
mod examine;
pub mod explain;
pub mod index;
pub mod oracle;
mod protocol;
pub mod rules;
pub mod strategy;
pub mod table;
pub mod value;

#[cfg(feature = "agent")]
pub use commands::Extra;
pub use evaluate::Evaluation;
pub use oracle::Sources;
pub use rules::{Layout, Move, Position};
pub use value::Value;

use board::around;
#[cfg(feature = "agent")]
use engine::agent::{AgentError, Options};
use engine::search::Score;
use engine::think::StoredResults;
use engine::{Advice, Ask, Count, Explain, Game, Playable, Proven, Side};
use evaluate::tunable;
use oracle::{Known, Oracle};
use protocol::place;
use rules::WOLVES;
#[cfg(feature = "agent")]
use std::process::ExitCode;
use std::sync::OnceLock;

impl Playable for Position {
    type Knowledge = Evaluation;
    type Own = Sources;
    const STORES: &'static [StoredResults] = &[
        StoredResults { name: "outcomes", provide: embedded::provide },
        StoredResults { name: "strategy", provide: strategy::provide },
    ];

    fn advise(ask: &Ask<Position>) -> Advice<Move> {
        let (position, sources) = (&ask.task.position, &ask.settings.own);
        if !ask.settings.timed() && !sources.always {
            return Advice::Nothing;
        }
        match advice::advise(position, sources.oracle()) {
            Advice::Move(mv, why) => Advice::Move(mv, format!("known: {why}")),
            other => other,
        }
    }
}

impl Explain for Position {
    /// The best move is the shortest known win or the longest known loss.
    fn proven(position: &Position) -> Option<Proven<Move>> {
        static ORACLE: OnceLock<Oracle> = OnceLock::new();
        let oracle = ORACLE.get_or_init(|| Oracle::new(None));
        let known = oracle.ask(position)?;
        let side = position.side_to_move();
        let result = known.result_for(side);
        let kept = position.legal_moves().into_iter().filter_map(|mv| {
            let after = oracle.ask_after(position, mv).1?;
            let plies = after.plies.map_or(0, |plies| plies as i32 * result);
            (after.result_for(side) == result).then_some((mv, plies))
        });
        let best = kept.min_by_key(|&(_, plies)| plies).map(|(mv, _)| mv);
        let Known { outcome, plies, source } = known;
        Some(Proven { outcome, plies, best, source })
    }

    fn counts(position: &Position, side: Side) -> Vec<Count> {
        let is_wolves = side == WOLVES;
        let left = position.sheep().len() as i32;
        let free = (around(position.wolves()) & position.empty()).into_iter().map(place);
        vec![
            Count::new("sheep left", left, !is_wolves, tunable::SHEEP),
            Count::of("empty squares next to a wolf", free, is_wolves, tunable::FREEDOM),
        ]
    }

    fn evaluation_parts(position: &Position) -> Vec<(&'static str, Score)> {
        evaluate::evaluation_parts(position)
    }
}

#[cfg(feature = "agent")]
impl engine::Agent for Position {
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
Exit code: 0 with a move left, 2 if the input or a file is bad (one line on standard error says why).";

    fn own_settings(extra: &Extra) -> Sources {
        extra.sources()
    }

    fn other_mode(options: &Options, extra: &Extra) -> Option<Result<ExitCode, AgentError>> {
        let done = commands::run(options, extra)?;
        Some(done.map(|()| ExitCode::SUCCESS).map_err(AgentError::Other))
    }
}
