//! Hostile players, each in a match with an honest one: they get nothing, the honest one loses nothing, and the judge goes
//! on. The same ones without a sandbox show that each attack is one.
//!
//! `cargo test -p judge --test hostile -- --include-ignored --nocapture matches` prints what each tried and got.

use crate::attacks::{Attack, Without, all, counted, further};
use crate::beside_others;
use crate::common::namespaces_stand;
use crate::field::{Met, ORDINARY, WITH_IDS, meet, needs_newuidmap};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;
use testing::{is_root, needs_root, text};

/// Only attacks with the word of the variable HOSTILE in their names.
fn chosen(attack: &Attack) -> bool {
    std::env::var("HOSTILE").map_or(true, |word| attack.name.contains(&word))
}

/// Fails where a sandbox layer is missing.
fn needs_all_layers() {
    let output = Command::new(env!("CARGO_BIN_EXE_judge")).arg("sandbox").output().unwrap();
    assert!(output.status.success(), "this machine lacks a sandbox layer: {}", text(&output.stdout));
}

/// Has all hostile players meet an honest one, some at a time, and gives what is wrong with each.
fn meet_all(
    attacks: impl Iterator<Item = Attack> + Send,
    (sandbox, user): (&str, Option<u32>),
    wrong: impl Fn(&Attack, &Met) -> Option<String> + Sync,
) -> Vec<String> {
    let _machine = beside_others();
    let waiting = Mutex::new(attacks.filter(chosen));
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some(attack) = waiting.lock().unwrap().next() else { break };
                    let start = Instant::now();
                    let met = meet(&agreed(&attack, sandbox), sandbox, user);
                    let Met { got, ends, honest_faults } = &met;
                    let (name, seconds) = (attack.name, start.elapsed().as_secs_f64());
                    println!("{name} | {sandbox} {user:?} | got {got:?} | {ends:?} | honest lost {honest_faults:?} | {seconds:.1} s");
                    failed.lock().unwrap().extend(wrong(&attack, &met));
                }
            });
        }
    });
    failed.into_inner().unwrap()
}

/// An attack with the word that starting it as root without a sandbox is meant.
fn agreed(attack: &Attack, sandbox: &str) -> Attack {
    let mut attack = attack.clone();
    if sandbox == "off" {
        attack.options += " --yes-unsafe";
    }
    attack
}

/// Most of them wait most of the time.
const AT_A_TIME: usize = 3;

/// Every hostile player gets nothing in the sandbox.
fn in_the_sandbox(attacks: impl Iterator<Item = Attack> + Send, user: Option<u32>) {
    let failed = meet_all(attacks, ("required", user), |attack, met| {
        let is_well = met.got.is_empty() && met.honest_faults.is_empty();
        (!is_well).then(|| format!("{}: got {:?}, the honest one lost {:?}", attack.name, met.got, met.honest_faults))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// One or two players for each layer of the sandbox and each limit, which are quick.
const HANDFUL: &[&str] = &[
    // What files are shown, and what may be done with them.
    "reads a file outside",
    "output.txt is a hard link to a secret",
    "the seat becomes a link",
    // Processes of others, the supervisor among them.
    "ends another process",
    "reads the judge's environment",
    "ends its supervisor",
    "leaves a process that ignores all signals",
    // The network, calls of the kernel.
    "connects to the teacher's port",
    "makes a user namespace",
    "traces another",
    // CPU time, memory, disk, processes.
    "burns in a daemon",
    "burns in a child that is reaped by itself",
    "memory by children",
    "fills the disk",
    "a fork bomb",
];

/// A handful of the players get nothing, or where the machine has no namespaces what is documented: each layer that stands holds.
#[test]
fn a_handful_of_hostile_players_get_nothing() {
    let handful = || all().filter(|attack| HANDFUL.contains(&attack.name));
    assert_eq!(handful().count(), HANDFUL.len());
    if namespaces_stand() {
        in_the_sandbox(handful(), None);
    } else {
        without_namespaces(handful(), None);
    }
}

#[test]
#[ignore = "long; needs namespaces"]
fn hostile_players_get_nothing_in_the_sandbox() {
    needs_all_layers();
    in_the_sandbox(all(), None);
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn hostile_players_get_nothing_where_root_has_become_an_ordinary_user() {
    needs_root();
    needs_all_layers();
    in_the_sandbox(all(), Some(ORDINARY));
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn further_players_get_nothing_of_what_is_shared() {
    needs_root();
    needs_all_layers();
    in_the_sandbox(further(), None);
    in_the_sandbox(further(), Some(ORDINARY));
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn players_get_nothing_by_what_the_kernel_counts_nor_by_evidence_that_they_make_up() {
    needs_root();
    needs_all_layers();
    in_the_sandbox(counted(), None);
    in_the_sandbox(counted(), Some(ORDINARY));
}

#[test]
#[ignore = "long; needs root and namespaces and newuidmap"]
fn players_get_nothing_where_an_ordinary_user_has_ids_for_boxes() {
    needs_root();
    needs_all_layers();
    needs_newuidmap();
    in_the_sandbox(counted(), Some(WITH_IDS));
    in_the_sandbox(all(), Some(WITH_IDS));
}

/// The attacks that get something where user namespaces are forbidden, or end otherwise there; docs/security.md tells what.
const GET_SOMETHING_WITHOUT_NAMESPACES: &[&str] = &[
    // The kernel would count all processes of the user together, so the supervisor counts, every few milliseconds.
    "a fork bomb",
    "a thread bomb",
    "a zombie bomb",
    // So are mappings, every second where there are many.
    "400 MiB of mappings",
    // Landlock does not guard sockets with a path.
    "connects to a local socket",
    // The directory is on disk, measured by file names.
    "300 MiB in files without a name",
    "300 MiB in files that it has removed",
    "300 MiB in removed files on their way through a socket",
    "300 MiB in removed files that are mapped, and open nowhere",
    // Sockets are counted in a network namespace.
    "500 MiB in sockets",
    "sockets on their way through sockets",
    // There is no private place to write to: the program fails, and gets nothing.
    "fills the common /tmp",
    "leaves a word in /dev/shm for its next turn",
    "leaves a word in /var/tmp for its next turn",
];

/// Every hostile player gets what is documented, and no more, where no process can make namespaces.
fn without_namespaces(attacks: impl Iterator<Item = Attack> + Send, user: Option<u32>) {
    let failed = meet_all(attacks, ("auto", user), |attack, met| {
        let documented = GET_SOMETHING_WITHOUT_NAMESPACES.contains(&attack.name);
        let is_well = (met.got.is_empty() || documented) && met.honest_faults.is_empty();
        (!is_well).then(|| format!("{}: got {:?}, the honest one lost {:?}", attack.name, met.got, met.honest_faults))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn where_namespaces_are_forbidden_hostile_players_get_what_is_documented_and_no_more() {
    needs_root();
    without_namespaces(all().chain(counted()), Some(ORDINARY));
}

#[test]
#[ignore = "long"]
fn hostile_players_get_what_they_are_after_without_a_sandbox() {
    let root = is_root();
    let failed = meet_all(all(), ("off", None), |attack, met| {
        let works = attack.without == Without::Works || attack.without == Without::WorksForRoot && root;
        (works && met.got.is_empty())
            .then(|| format!("{}: proves nothing: without a sandbox it gets nothing either", attack.name))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn there_are_as_many_hostile_players_as_were_promised() {
    assert!(all().count() >= 125, "{}", all().count());
}
