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
mod insight;
pub mod oracle;
mod protocol;
pub mod rules;
pub mod sources;
pub mod strategy;
pub mod table;
pub mod value;

#[cfg(feature = "agent")]
pub use commands::Extra;
pub use evaluate::Evaluation;
pub use rules::{Layout, Move, Position};
pub use sources::Sources;
pub use value::Value;

#[cfg(feature = "agent")]
use engine::agent::{AgentError, Options};
use engine::search::Score;
use engine::think::StoredResults;
use engine::{Advice, Ask, Count, Explain, Playable, Proven, Side};
#[cfg(feature = "agent")]
use std::process::ExitCode;

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
