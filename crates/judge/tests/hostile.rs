//! Hostile players, each in a match with an honest one: they get nothing, the honest one loses nothing, and the judge goes
//! on. The same ones without walls show that each attack is one.
//!
//! `cargo test -p menagerie-judge --test hostile -- --nocapture` prints what each tried and got.

#[path = "hostile/attacks.rs"]
mod attacks;
mod common;
#[path = "hostile/field.rs"]
mod field;
#[path = "hostile/more_attacks.rs"]
mod more_attacks;

use attacks::{Attack, FILES, PROCESSES, Without};
use common::text;
use field::{Met, ORDINARY, meet, python};
use more_attacks::{KERNEL, MEMORY, NETWORK, TIME};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;

fn all() -> impl Iterator<Item = &'static Attack> {
    [FILES, PROCESSES, TIME, MEMORY, NETWORK, KERNEL].into_iter().flatten()
}

/// Only attacks with this word in their names, for one who looks into one of them.
fn chosen(attack: &Attack) -> bool {
    std::env::var("HOSTILE").map_or(true, |word| attack.name.contains(&word))
}

fn is_root() -> bool {
    text(&Command::new("id").arg("-u").output().unwrap().stdout).trim() == "0"
}

/// Whether there are walls to be tried; says why not.
fn walls_stand() -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_judge")).arg("sandbox").output().unwrap();
    let stand = output.status.success() && python().is_some();
    if !stand {
        println!("skipped: this machine has not all walls, or no python3: {}", text(&output.stdout));
    }
    stand
}

/// Has all hostile players meet an honest one, some at a time, and gives what is wrong with each.
fn meet_all(walls: &str, user: Option<u32>, wrong: impl Fn(&Attack, &Met) -> Option<String> + Sync) -> Vec<String> {
    let waiting = Mutex::new(all().filter(|attack| chosen(attack)));
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some(attack) = waiting.lock().unwrap().next() else { break };
                    let start = Instant::now();
                    let met = meet(attack, walls, user);
                    let Met { got, ends, honest_faults } = &met;
                    let (name, seconds) = (attack.name, start.elapsed().as_secs_f64());
                    println!("{name} | {walls} {user:?} | got {got:?} | {ends:?} | honest lost {honest_faults:?} | {seconds:.1} s");
                    failed.lock().unwrap().extend(wrong(attack, &met));
                }
            });
        }
    });
    failed.into_inner().unwrap()
}

/// Most of them wait most of the time.
const AT_A_TIME: usize = 3;

/// Every hostile player gets nothing behind walls.
fn behind_walls(user: Option<u32>) {
    let failed = meet_all("required", user, |attack, met| {
        let is_well = met.got.is_empty() && met.honest_faults.is_empty();
        (!is_well).then(|| format!("{}: got {:?}, the honest one lost {:?}", attack.name, met.got, met.honest_faults))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn hostile_players_get_nothing_behind_walls() {
    if walls_stand() {
        behind_walls(None);
    }
}

#[test]
fn hostile_players_get_nothing_where_root_has_become_an_ordinary_user() {
    if is_root() && walls_stand() {
        behind_walls(Some(ORDINARY));
    } else {
        println!("skipped: only root can become another user, and there have to be walls");
    }
}

#[test]
fn hostile_players_get_what_they_are_after_without_walls() {
    if python().is_none() {
        println!("skipped: no python3");
        return;
    }
    let root = is_root();
    let failed = meet_all("off", None, |attack, met| {
        let works = attack.without == Without::Works || attack.without == Without::WorksForRoot && root;
        (works && met.got.is_empty())
            .then(|| format!("{}: proves nothing: without walls it gets nothing either", attack.name))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn there_are_as_many_hostile_players_as_were_promised() {
    assert!(all().count() >= 40);
}
