//! Games that somebody brings along: a folder with `game.toml` and a program that knows the rules.
//! docs/own-game.md has the requests that it answers. A program that ends, is silent or answers
//! what is no answer has failed as a machine fails: nobody loses a point by it.

mod contents;
mod conversation;
mod folder;
mod position;
mod program;
mod proven;
pub mod solved;

pub use contents::{files, rules_digest};
pub use folder::{is_file_name, is_folder, load, of_record, program_of, share_of_rules};
pub use position::recorded;
pub use program::{DrawnSquares, NO_PLAYERS_FAULT, Over, RulesProgram, Shown, View};
