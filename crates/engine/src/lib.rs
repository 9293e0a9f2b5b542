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
//! `examples/tictactoe.rs` is a game with an agent in one file. The rest of this page is one as well: rules, knowledge,
//! texts, and play from the start to the end.
//!
//! ```
//! use engine::clock::NoClock;
//! use engine::protocol::{Lines, quote, write_header};
//! use engine::search::{Knowledge, Score};
//! use engine::think::{Settings, think};
//! use engine::{Game, InputError, OneRuleSet, Outcome, Playable, Protocol, Side, Task, Violation, split_mix};
//!
//! /// A heap of matches. A move takes one to three of them; who takes the last one wins.
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
//! /// Nothing is known of a heap; the search finds out.
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
//!         let (control, side, clock) = lines.header(Self::SIDES)?; // purpose of the clock, side to move, seconds
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
//! let settings = Settings::with_nodes(10_000); // deterministic; Settings::default() keeps to the task's clock
//! assert_eq!(think(&task, &settings, &NoClock).best, 2); // sixteen are left, and a multiple of four loses
//! let mut played = String::new();
//! while task.position.outcome().is_none() {
//!     let taken = think(&task, &settings, &NoClock).best;
//!     played += task.position.write_move(taken).trim_end();
//!     task.position.play(taken);
//! }
//! assert_eq!(task.position.outcome(), Some(Outcome::Win(Side::First)), "{played}");
//! ```

#[cfg(feature = "agent")]
pub mod agent;
mod checksum;
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
pub mod verdict;
mod watch;

#[cfg(feature = "agent")]
pub use agent::Agent;
pub use checksum::checksum;
pub use course::Course;
pub use drawing::Drawing;
pub use game::{Game, Outcome, Side, perft, split_mix};
pub use insight::{Count, Curve, Proven};
pub use protocol::{InputError, OneRuleSet, Protocol, RuleSet, Task, TimeControl, Violation};
pub use think::{Advice, Ask, Playable, think};
pub use verdict::Verdict;
