//! The engine of Menagerie: one alpha-beta search for any two-player board game, and the process of
//! an agent that reads an input file and leaves a move within its CPU time (the feature `agent`).
//!
//! A game implements [`Game`], its rules; [`Knowledge`](search::Knowledge), the evaluation and
//! options of the search; [`Protocol`], its files; [`Playable`], what choosing a move needs beyond
//! them. [`Explain`] is for analyses, and [`Examine`] for a judge of programs; everything in these
//! two has a default. [`think`](think::think) chooses the move for a task.
//!
//! The rest of this page is a whole game: rules, knowledge, files, and play from start to end.
//! `examples/connect-four` of the repository is one with an agent and a judge.
//!
//! ```
//! use engine::clock::NoClock;
//! use engine::protocol::{Lines, quote, write_header};
//! use engine::search::{Knowledge, Score};
//! use engine::think::{Settings, think};
//! use engine::{Game, InputError, OneRuleSet, Outcome, Playable, Protocol, Side, Task, Violation, split_mix};
//!
//! /// A heap of matches. A move takes one to three of them; the side that takes the last one wins.
//! #[derive(Clone, Debug, PartialEq)]
//! struct Heap { matches: u8, side: Side }
//!
//! impl Game for Heap {
//!     type Move = u8;
//!     type Undo = ();
//!     fn side_to_move(&self) -> Side { self.side }
//!     fn outcome(&self) -> Option<Outcome> { (self.matches == 0).then_some(Outcome::Win(self.side.other())) }
//!     fn moves(&self, out: &mut Vec<u8>) { out.extend(1..=self.matches.min(3)) }
//!     fn play(&mut self, taken: u8) { self.matches -= taken; self.side = self.side.other() }
//!     fn undo(&mut self, taken: u8, _: ()) { self.matches += taken; self.side = self.side.other() }
//!     fn key(&self) -> u64 { split_mix(u64::from(self.matches) * 2 + self.side.index() as u64) }
//!     fn rebuilt(&self) -> Self { self.clone() }
//!     fn encode(&self, taken: u8) -> u32 { u32::from(taken) }
//! }
//!
//! /// An evaluation without knowledge: the search finds the result.
//! #[derive(Clone, Default)]
//! struct Nothing;
//! impl Knowledge<Heap> for Nothing { fn evaluate(&self, _: &Heap) -> Score { 0 } }
//! impl Playable for Heap { type Knowledge = Nothing; type Own = (); }
//!
//! impl Protocol for Heap {
//!     const NAME: &'static str = "heap";
//!     const TITLE: &'static str = "The heap of matches";
//!     const SIDES: [&'static str; 2] = ["LEFT", "RIGHT"];
//!     type Rules = OneRuleSet;
//!     fn start(_: OneRuleSet) -> Heap { Heap { matches: 18, side: Side::First } }
//!     fn read_task(text: &str, _: OneRuleSet) -> Result<Task<Heap>, InputError> {
//!         let mut lines = Lines::new(text);
//!         let (control, side, clock) = lines.header(Self::SIDES)?; // time control, side to move, seconds
//!         let matches = lines.next_line("matches")?.parse().map_err(|_| InputError::new(4, "a number", "no number"))?;
//!         lines.end()?;
//!         Ok(Task { position: Heap { matches, side }, control, clock })
//!     }
//!     fn write_task(task: &Task<Heap>) -> String { format!("{}{}\n", write_header(task), task.position.matches) }
//!     fn write_move(&self, taken: u8) -> String { format!("{taken}\n") }
//!     fn read_move(&self, text: &str) -> Result<u8, Violation> {
//!         let taken = text.trim().parse().map_err(|_| Violation::format(1, format!("found {}", quote(text))))?;
//!         if self.is_legal(taken) { Ok(taken) } else { Err(Violation::Illegal("one to three are taken".into())) }
//!     }
//! }
//!
//! let mut task = Heap::read_task("SINGLE\nLEFT\n0.5\n18\n", OneRuleSet).unwrap();
//! let settings = Settings::with_nodes(10_000); // deterministic; Settings::default() uses the task's clock
//! assert_eq!(think(&task, &settings, &NoClock).best, 2); // 16 remain: a multiple of four is lost
//! while task.position.outcome().is_none() {
//!     task.position.play(think(&task, &settings, &NoClock).best);
//! }
//! assert_eq!(task.position.outcome(), Some(Outcome::Win(Side::First)));
//! ```

#[cfg(feature = "agent")]
pub mod agent;
pub mod charges;
pub mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
mod data_file;
pub mod drawing;
pub mod examine;
pub mod explain;
pub mod game;
pub mod legs;
pub mod protocol;
pub mod reference;
pub mod score;
pub mod search;
pub mod squares;
pub mod symmetry;
pub mod think;
pub mod verdict;

#[cfg(feature = "agent")]
pub use agent::Agent;
pub use data_file::DataFile;
pub use drawing::Drawing;
pub use examine::{Adapter, Examine, Remedy};
pub use explain::{Count, Curve, Explain, Proven};
pub use game::{Game, Outcome, Side, checksum, perft, split_mix};
pub use protocol::{InputError, OneRuleSet, Protocol, RuleSet, Task, TimeControl, Violation};
pub use symmetry::Symmetry;
pub use think::{Advice, Ask, Playable, think};
pub use verdict::Verdict;
