//! The tests with hostile players. They are a program of their own since without a sandbox an
//! attack reaches every process of its user: one lowers the priority of all of them, one writes
//! into the directories of other players.

mod attacks;
mod beside;
#[path = "../common/mod.rs"]
#[allow(dead_code, unused_imports, reason = "shared with the other tests")]
mod common;
mod field;
mod matches;
mod neighbours;
mod talks;
mod watchdog;

use clock::unpoisoned;
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

static MACHINE: RwLock<()> = RwLock::new(());

/// Keeps the other tests away: honest students are compared by what they get under short clocks.
fn alone() -> RwLockWriteGuard<'static, ()> {
    unpoisoned(MACHINE.write())
}

/// Keeps away the tests that have to be alone: matches can be played beside each other.
fn beside_others() -> RwLockReadGuard<'static, ()> {
    unpoisoned(MACHINE.read())
}
