//! The tests with hostile players. They are a program of their own since without a sandbox an attack reaches every process of
//! its user: one lowers the priority of all of them, one writes into the directories of other players.

mod attacks;
mod beside;
#[path = "../common/mod.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the other tests")]
mod common;
mod field;
mod matches;
mod neighbours;
mod watchdog;

use std::sync::RwLock;

/// The class of `watchdog` writes: its honest students are compared by what they get under short clocks. The matches read: they
/// can be played beside each other.
static MACHINE: RwLock<()> = RwLock::new(());
