//! What is shared is fair: a player on a busy machine, beside hostile neighbours or against an
//! opponent that keeps processors busy gets what it gets alone.

use crate::alone;
use crate::common::{example, run};
use crate::field::{programs, python};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use testing::crowd::{Crowd, a_processor};
use testing::{Folder, assert_has, copy, ends, events, folder, needs, text};

#[test]
#[ignore = "long"]
fn a_turn_that_is_kept_waiting_for_a_processor_is_not_ended_at_its_wall_limit() {
    needs("taskset");
    let _machine = alone();
    let processor = a_processor();
    for sandbox in ["auto", "off"] {
        let place = folder();
        let crowd = Crowd::on(processor, 8);
        let words = format!(
            "match --seed 1 --game halma --record record --engine name=player 'cmd={} threads 1 1.5' --engine name=other \
             engine=reference:random --openings start --games 2 --max-plies 1 --each time=3 --wall-margin 0.5 \
             --sandbox {sandbox} --yes-unsafe",
            example("glutton")
        );
        let mut judge = Command::new("taskset");
        judge.args(["-c", &processor.to_string(), env!("CARGO_BIN_EXE_judge")]);
        let told = testing::run(judge.current_dir(&place), &words, 0);
        drop(crowd);
        let events = events(place.join("record"));
        let is_late =
            |event: &&Value| event["event"] == "move" && event["cpu"].as_f64() > Some(1.0);
        let turn = events.iter().find(is_late);
        let turn = turn.unwrap_or_else(|| panic!("no move after 1.5 s of CPU: {events:#?}"));
        let wall = turn["wall"].as_f64().unwrap();
        let waited = turn["waited"].as_f64().unwrap_or(0.0);
        println!("--sandbox {sandbox}: {wall:.1} s of wall time, {waited:.1} s of it waiting");
        assert!(wall < 3.5 || waited > 0.0, "longer than its limit, without a word why: {turn}");
        if wall > 6.0 {
            let note = turn["note"].as_str().unwrap_or_default();
            assert_has(note, ["the machine gave it", "% of a processor"]);
            // So does the summary.
            told.has(["the machine gave"]);
        }
    }
}

/// A player of FoxGame's monitor that thinks for this long at each turn, and makes the moves of a
/// short game.
const MONITOR_PLAYER: &str = "
import os, signal, socket, sys, threading, time
host, port, role, name = sys.argv[-7], int(sys.argv[-5]), sys.argv[-3], sys.argv[-1]
moves = {'FOX': ['move 5,1 5,2', 'move 5,2 5,1', 'move 5,1 4,1', 'move 4,1 5,1'],
         'SHEEP': ['move 1,4 1,3', 'move 1,3 2,3', 'move 2,3 1,3']}[role]
if sys.argv[1] == 'storm':
    for _ in range(150):
        if os.fork() == 0:
            try: os.setsid()
            except OSError: pass
            try: os.sched_setaffinity(0, range(os.cpu_count()))
            except OSError: pass
            while True: pass
if sys.argv[1] == 'pretend':
    threading.stack_size(65536)
    def sleep(): time.sleep(0.125 - time.monotonic() % 0.125)
    def waiter():
        try: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        except OSError: pass
        while True: sleep()
    def runner():
        while True:
            sleep(); start = time.thread_time()
            while time.thread_time() - start < 0.002: pass
    for deed in [waiter] * 200 + [runner] * 2: threading.Thread(target=deed, daemon=True).start()
link = socket.create_connection((host, port)); lines = link.makefile()
link.sendall(b'hello %s\\nname %s\\nready\\n' % (role.encode(), name.encode()))
for line in lines:
    if role == 'FOX' and line.strip() == 'begin' or line.strip() == 'done':
        start = time.thread_time()
        while sys.argv[1] == 'think' and time.thread_time() - start < 0.25: pass
        if sys.argv[1] == 'pretend': time.sleep(0.65)
        if sys.argv[1] == 'hide':
            signal.signal(signal.SIGCHLD, signal.SIG_IGN); begin = time.monotonic()
            for _ in range(3):
                if os.fork() == 0:
                    while time.process_time() < 0.1: pass
                    os._exit(0)
            while time.monotonic() - begin < 0.6: pass
        if moves: link.sendall(b'%s\\ndone\\n' % moves.pop(0).encode())
";

#[test]
#[ignore = "long"]
fn a_monitor_player_that_keeps_processors_busy_does_not_make_its_opponent_late() {
    let _machine = alone();
    let ends = monitor_match("storm", 0.5);
    for end in ends {
        let good = usize::from(end["players"][0] != "good");
        assert_ne!(end["fault"]["player"].as_u64(), Some(good as u64), "{end:#}");
        assert_ne!(end["winner"].as_u64(), Some(1 - good as u64), "{end:#}");
    }
}

/// The ends of two games between a monitor's player `bad` that behaves so and one that thinks, with
/// slices of so many seconds.
fn monitor_match(how: &str, slice: f64) -> Vec<Value> {
    let place = folder();
    place.write("player.py", MONITOR_PLAYER);
    let player =
        |how: &str| format!("--engine 'cmd={} player.py {how}' proto=monitor", python().display());
    let words = format!(
        "match --seed 1 --game foxgame --openings start --games 2 --max-plies 6 --each st={slice} {} name=bad {} name=good \
         --read-only player.py --record games.jsonl",
        player(how),
        player("think")
    );
    let [program, _] = programs();
    testing::run(Command::new(program).current_dir(&place), &words, 0);
    let ends = ends(place.join("games.jsonl"));
    assert_eq!(ends.len(), 2);
    ends
}

#[test]
#[ignore = "long"]
fn a_monitor_player_whose_threads_or_children_wait_for_each_other_gets_no_longer_slice() {
    let _machine = alone();
    for how in ["pretend", "hide"] {
        for end in monitor_match(how, 0.4) {
            let bad = usize::from(end["players"][0] != "bad");
            assert_eq!(end["fault"]["player"].as_u64(), Some(bad as u64), "{how}: {end:#}");
            assert_has(end["reason"].as_str().unwrap(), ["late"]);
        }
    }
}

#[test]
fn a_player_that_sleeps_turn_after_turn_loses_once_it_has_slept_for_longer_than_its_clock_and_its_margin()
 {
    let place = folder();
    let agent = example("agent");
    let words = format!(
        "match --seed 1 --game halma --record record --openings start --games 2 --each time=0.4 --wall-margin 0.4 --max-plies 30 \
         --read-only {agent} --engine name=sleeper \"cmd=sh -c 'sleep 0.4; exec {agent} --depth 1 --hash 1'\" \
         --engine name=other engine=reference:greedy"
    );
    run(&place, &words, 0);
    for end in ends(place.join("record")) {
        let sleeper = usize::from(end["players"][0] != "sleeper");
        assert_eq!(end["termination"], "stall", "{end:#}");
        assert_eq!(end["fault"]["player"], sleeper, "{end:#}");
        assert_has(end["reason"].as_str().unwrap(), ["slept for", "are allowed"]);
    }
}

#[test]
#[ignore = "long"]
fn judge_sandbox_trusts_a_sandbox_whatever_the_size_of_the_judge() {
    let place = folder();
    let large = place.join("judge");
    copy(env!("CARGO_BIN_EXE_judge"), &large);
    // What follows the sections of a program is not read.
    let length = fs::metadata(&large).unwrap().len().max(100 << 20);
    fs::File::options().write(true).open(&large).unwrap().set_len(length).unwrap();
    let told = |judge: &Path| text(&Command::new(judge).arg("sandbox").output().unwrap().stdout);
    let rows = |told: &str| -> Vec<String> {
        let lines = told.lines().take_while(|line| !line.is_empty());
        lines.map(|line| line[..25.min(line.len())].to_string()).collect()
    };
    let (usual, large) = (told(Path::new(env!("CARGO_BIN_EXE_judge"))), told(&large));
    assert_eq!(rows(&large), rows(&usual), "{large}");
}
