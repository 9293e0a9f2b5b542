//! Hostile players, each in a match with an honest one: they get nothing, the honest one loses
//! nothing, and the judge goes on. The same ones without a sandbox show that each attack is one.
//!
//! `cargo test -p judge --test hostile -- --include-ignored --nocapture matches` prints what each
//! tried and got.

use crate::attacks::{Attack, Without, all, counted, further};
use crate::beside_others;
use crate::common::namespaces_stand;
use crate::field::{
    Machine, Met, ORDINARY, WITH_IDS, judge_of, judge_without, meet, needs_newuidmap, programs,
};
use std::process::Command;
use std::sync::Mutex;
use std::time::Instant;
use testing::{is_root, needs_root, text};

const ATTEMPTS: usize = 26;

/// Only attacks with one of the words of the variable HOSTILE, between `|`, in their names.
fn chosen(attack: &Attack) -> bool {
    let words = std::env::var("HOSTILE");
    words.map_or(true, |words| words.split('|').any(|word| attack.name.contains(word)))
}

/// The attempts of `judge sandbox` that get something, and what it prints. It fails where a layer
/// is missing that `--sandbox required` needs.
fn attempts(judge: &mut Command, sandbox: &str) -> (Vec<String>, String) {
    let output = judge.args(["sandbox", "--sandbox", sandbox]).output().unwrap();
    let told = text(&output.stdout);
    let breached = told
        .lines()
        .filter_map(|line| Some(line.split_once(" NO ")?.0.trim().to_string()))
        .collect();
    (breached, told + &text(&output.stderr))
}

/// Has all hostile players meet an honest one, some at a time, and gives what is wrong with each.
fn meet_all(
    attacks: impl Iterator<Item = Attack> + Send,
    machine: Machine,
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
                    let met = meet(&agreed(&attack, machine.sandbox), machine);
                    let Met { got, ends, honest_faults } = &met;
                    let (name, seconds) = (attack.name, start.elapsed().as_secs_f64());
                    println!("{name} | {machine:?} | got {got:?} | {ends:?} | honest lost {honest_faults:?} | {seconds:.1} s");
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

const AT_A_TIME: usize = 3;

fn in_the_sandbox(attacks: impl Iterator<Item = Attack> + Send, user: Option<u32>) {
    let (_, told) = attempts(&mut judge_of(&programs()[0], user), "auto");
    assert!(
        told.contains("--sandbox required: would start"),
        "a layer is missing, or an attempt gets something: {told}"
    );
    let machine = Machine { sandbox: "required", without: "", user };
    let failed = meet_all(attacks, machine, |attack, met| {
        let is_well = met.got.is_empty() && met.honest_faults.is_empty();
        (!is_well).then(|| report(attack, met))
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

fn report(attack: &Attack, met: &Met) -> String {
    format!("{}: got {:?}, the honest one lost {:?}", attack.name, met.got, met.honest_faults)
}

/// Some players for each layer of the sandbox and each limit, which are quick.
const HANDFUL: &[&str] = &[
    "output.txt is a hard link to a secret",
    "the seat becomes a link",
    "100,000 small files",
    "ends its supervisor",
    "leaves a process that ignores all signals",
    "traces another",
    "makes a namespace by clone",
    "burns in a daemon",
    "memory by children that nobody may look into",
    "a zombie bomb",
];

/// A handful of the players get nothing, or where the machine has no namespaces what is documented:
/// each layer that stands holds.
#[test]
fn a_handful_of_hostile_players_get_nothing() {
    let handful = || all().filter(|attack| HANDFUL.contains(&attack.name));
    assert_eq!(handful().count(), HANDFUL.len());
    if namespaces_stand() {
        in_the_sandbox(handful(), None);
    } else {
        let machine = Machine { sandbox: "auto", without: "namespaces", user: None };
        let failed = [attempts_getting_more(machine), getting_more(handful(), machine)].concat();
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}

#[test]
#[ignore = "long; needs namespaces"]
fn hostile_players_get_nothing_in_the_sandbox() {
    in_the_sandbox(all(), None);
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn hostile_players_get_nothing_where_root_has_become_an_ordinary_user() {
    needs_root();
    in_the_sandbox(all().chain(further()).chain(counted()), Some(ORDINARY));
}

#[test]
#[ignore = "long; needs root and namespaces"]
fn further_players_get_nothing_of_what_is_shared_or_counted_nor_by_evidence_that_they_make_up() {
    needs_root();
    in_the_sandbox(further().chain(counted()), None);
}

#[test]
#[ignore = "long; needs root and namespaces and newuidmap"]
fn players_get_nothing_where_an_ordinary_user_has_ids_for_boxes() {
    needs_root();
    needs_newuidmap();
    in_the_sandbox(all().chain(counted()), Some(WITH_IDS));
}

/// The attacks and the attempts of `judge sandbox` that get something, or end otherwise, where these
/// layers are missing; docs/security.md tells what. `landlock*` is a Landlock of any version, or
/// none.
const GET_SOMETHING_WITHOUT: &[(&[&str], &[&str])] = &[
    (
        &["namespaces"],
        &[
            // Names of processes.
            "processes",
            // Sockets are counted in a network namespace.
            "sockets",
            "sockets on their way through sockets",
            // The kernel would count all processes of the user together, so the supervisor counts,
            // every few milliseconds.
            "a thread bomb",
            "a zombie bomb",
            // Landlock does not guard sockets with a path.
            "connects to a local socket",
            // The directory is on disk, measured by file names.
            "nameless files",
            "300 MiB in files without a name",
            "300 MiB in removed files on their way through a socket",
            // There is no private place to write to: the program fails, and gets nothing.
            "fills the common /tmp",
            "leaves a word in /dev/shm for its next turn",
            "leaves a word in /var/tmp for its next turn",
            // Nothing guards them against their owner.
            "changes modes and times of files outside",
        ],
    ),
    (
        // Abstract sockets.
        &["namespaces", "landlock*"],
        &["network"],
    ),
    (
        // All files of the judge's user are open, also those of its other processes, the device of
        // zeros, terminals, and what root can set or make.
        &["namespaces", "landlock"],
        &[
            "shared memory",
            "files",
            "priorities",
            "process count",
            "spoils other seats",
            "output.txt is a hard link to a secret",
            "the seat becomes a link",
            "writes to control groups",
            "reads another's memory",
            "writes what other processes are",
            "writes and reads files outside",
            "memory in /dev/shm",
            "terminals",
            "makes a device",
            "empties the caches",
        ],
    ),
    // What the listener counts.
    (
        &["listener"],
        &[
            "shared memory",
            "items of epoll",
            "50,000 locks",
            "shared memory in 40 children",
            "shared memory that a child inherits and its parent unmaps",
        ],
    ),
    // Its signal to itself is refused.
    (&["namespaces", "listener"], &["stops itself"]),
];

fn is_documented(name: &str, without: &str) -> bool {
    let is_missing = |layer: &&str| {
        without.split(',').any(|missing| match layer.strip_suffix('*') {
            Some(start) => missing.starts_with(start),
            None => missing == *layer,
        })
    };
    let mut known = GET_SOMETHING_WITHOUT.iter();
    known.any(|(layers, names)| layers.iter().all(is_missing) && names.contains(&name))
}

/// The attempts that get more than what is documented. What a supervisor adds up now and then is
/// late on a busy machine.
fn attempts_getting_more(machine: Machine) -> Vec<String> {
    let mut judge = judge_without(machine.without, &programs()[0], machine.user);
    let (breached, _) = attempts(&mut judge, machine.sandbox);
    println!("attempts | {machine:?} | {breached:?}");
    let more = breached.iter().filter(|name| !is_documented(name, machine.without));
    more.map(|name| format!("the attempt {name}, {machine:?}")).collect()
}

/// The hostile players that get more than what is documented.
fn getting_more(attacks: impl Iterator<Item = Attack> + Send, machine: Machine) -> Vec<String> {
    meet_all(attacks, machine, |attack, met| {
        let is_well = (met.got.is_empty() || is_documented(attack.name, machine.without))
            && met.honest_faults.is_empty();
        (!is_well).then(|| format!("{machine:?}: {}", report(attack, met)))
    })
}

/// The quickest of those that signal others.
const SIGNALS: &[&str] = &[
    "ends its supervisor",
    "signals as the owner of a pipe",
    "signals as the owner of a socket",
    "signals by a directory of /proc",
    "signals who is at the other end of a socket",
];

/// Where neither namespaces nor Landlock keep signals inside a box, the filter does.
#[test]
#[cfg_attr(not(target_arch = "x86_64"), ignore = "needs x86-64")]
fn without_namespaces_and_with_an_old_landlock_or_none_players_signal_nobody() {
    let signals = || all().filter(|attack| SIGNALS.contains(&attack.name));
    assert_eq!(signals().count(), SIGNALS.len());
    let machines = ["namespaces,landlock=4", "namespaces,landlock"];
    let machine = |without| Machine { sandbox: "auto", without, user: None };
    let failed = machines.map(|without| getting_more(signals(), machine(without))).concat();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Which layers a machine may lack: an old kernel, a container, or both.
#[cfg(target_arch = "x86_64")]
const LACKS: [&str; 9] = [
    "landlock",
    "landlock=1",
    "landlock=4",
    "listener",
    "namespaces",
    "namespaces,landlock=4",
    "namespaces,landlock=1",
    "namespaces,landlock",
    "namespaces,landlock=4,listener",
];

#[test]
#[ignore = "long; needs root and namespaces"]
#[cfg(target_arch = "x86_64")]
fn whichever_layer_is_missing_hostile_players_get_what_is_documented_and_no_more() {
    needs_root();
    let one = std::env::var("HOSTILE_WITHOUT");
    let mut failed = Vec::new();
    for without in LACKS.into_iter().filter(|lacks| one.as_ref().map_or(true, |one| one == lacks)) {
        for user in [None, Some(ORDINARY)] {
            let machine = Machine { sandbox: "auto", without, user };
            failed.extend(attempts_getting_more(machine));
            failed.extend(getting_more(all().chain(further()).chain(counted()), machine));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
#[ignore = "long"]
fn hostile_players_get_what_they_are_after_without_a_sandbox() {
    let (breached, told) = attempts(&mut judge_of(&programs()[0], None), "off");
    // All but two: a limit of memory holds for a process, and the judge ends what outlives a turn.
    assert!(breached.len() >= ATTEMPTS - 2, "an attempt proves nothing: {told}");
    let root = is_root();
    let machine = Machine { sandbox: "off", without: "", user: None };
    let failed = meet_all(all(), machine, |attack, met| {
        let works =
            attack.without == Without::Works || attack.without == Without::WorksForRoot && root;
        (works && met.got.is_empty()).then(|| {
            format!("{}: proves nothing: without a sandbox it gets nothing either", attack.name)
        })
    });
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
