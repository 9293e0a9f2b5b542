//! The clock of `minimax-agent`, by the real binary.
#![cfg(unix)]

use engine::{Protocol, RuleSet};
use halma::{Position, Rules};
use nix::sys::resource::{UsageWho, getrusage};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// CPU seconds of the processes that have ended and were waited for.
fn children_s_cpu() -> f64 {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6)
        .sum()
}

#[test]
fn the_crate_s_player_thinks_for_its_cpu_time_on_a_busy_machine() {
    let clock = 0.4;
    let board = include_str!("../../../inputs/halma/middle-44.txt").lines().skip(3).collect::<Vec<_>>().join("\n");
    let directory = tempfile::tempdir().unwrap();
    let input = format!("SINGLE\nWHITE\n{clock}\n{board}\n");
    std::fs::write(directory.path().join("input.txt"), &input).unwrap();

    // With two threads at work on each processor the agent has a third of one.
    let done = AtomicBool::new(false);
    let run = thread::scope(|scope| {
        for _ in 0..2 * thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let run = Command::new(env!("CARGO_BIN_EXE_minimax-agent")).current_dir(directory.path()).output();
        done.store(true, Ordering::Relaxed);
        run.unwrap()
    });
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let cpu = children_s_cpu();
    assert!(cpu > 0.8 * clock, "{cpu} s of CPU time used of {clock} s");
    assert!(cpu < 1.5 * clock, "{cpu} s of CPU time used of {clock} s");

    let position = Position::read_task(&input, Rules::AGENT).unwrap().position;
    let output = std::fs::read_to_string(directory.path().join("output.txt")).unwrap();
    position.read_move(&output).unwrap();
}
