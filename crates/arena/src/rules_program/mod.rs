//! Games that somebody brings along: a folder with `game.toml` and a program that knows the rules.
//! docs/own-game.md has the requests that it answers. A program that ends, is silent or answers
//! what is no answer has failed as a machine fails: nobody loses a point by it.

mod answers;
mod contents;
mod conversation;
mod folder;
mod position;
mod program;
mod proven;
mod requests;
mod rules;
pub mod solved;
mod trials;

pub use answers::{DrawnSquares, Over, RandomGame, Shown, View};
pub use contents::files;
pub use folder::{is_file_name, is_folder, load, of_record, program_of, share_of_rules};
pub use position::recorded;
pub use program::{NO_PLAYERS_FAULT, RulesProgram, rules_digest};
