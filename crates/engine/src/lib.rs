//! The engine of Menagerie: one search for any two-player board game, and the run of an agent that lives by files and
//! clocks. It knows no game; a game brings three things:
//!
//! - [`Game`], its rules;
//! - [`Knowledge`](search::Knowledge), what the search should know beyond the rules;
//! - [`Protocol`], its texts, and [`Playable`], what is known of it without a search.
//!
//! [`think`](think::think) is the way from a text to a move. With the feature `agent`, which is on by default, the
//! process around it is there as well: options, files and the CPU clock. Without it the engine asks nothing of an
//! operating system.
//!
//! `examples/tictactoe.rs` is a whole game in one file. The rest of this page is a search without any files:
//!
//! ```
//! use engine::search::{Knowledge, Limits, Mode, NoControl, Score, Searcher};
//! use engine::{Game, Outcome, Side};
//!
//! /// Take one to three matches from a heap; who takes the last one wins.
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
//!     fn key(&self) -> u64 { engine::split_mix(u64::from(self.matches) * 2 + self.side.index() as u64) }
//!     fn rebuilt(&self) -> Self { self.clone() }
//!     fn encode(&self, taken: u8) -> u32 { u32::from(taken) }
//! }
//!
//! #[derive(Clone)]
//! struct Nothing;
//! impl Knowledge<Heap> for Nothing {
//!     fn evaluate(&self, _: &Heap) -> Score { 0 }
//! }
//!
//! let heap = Heap { matches: 10, side: Side::First };
//! let mut searcher = Searcher::new(Nothing, Mode::FullWidth, 1 << 20);
//! let report = searcher.run(&heap, Limits::default(), &mut NoControl).unwrap();
//! assert_eq!(report.best, 2); // eight are left, and eight lose
//! assert!(report.proven && report.score > 0);
//! ```

#[cfg(feature = "agent")]
pub mod agent;
pub mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod course;
pub mod drawing;
pub mod extremes;
pub mod game;
pub mod insight;
pub mod legs;
pub mod protocol;
pub mod reference;
pub mod score;
pub mod search;
pub mod squares;
pub mod think;

#[cfg(feature = "agent")]
pub use agent::Agent;
pub use course::Course;
pub use drawing::Drawing;
pub use game::{Game, Outcome, Side, perft, split_mix};
pub use insight::{Count, Curve, Proven};
pub use protocol::{InputError, OneRuleSet, Protocol, RuleSet, Task, TimeControl, Violation};
pub use think::{Advice, Ask, Playable, think};
