//! Test of the CPU time that `lab minimax-agent` uses.

use crate::text;
use engine::{Protocol, RuleSet};
use halma::{Position, Rules};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Runs the agent and then prints the CPU times of the shell and, on a second line, of its children. The test's own children
/// would not do: other tests run at the same time.
const TIMED: &str = r#""$0" minimax-agent && times"#;

/// The CPU seconds of a shell's children, user and system, from a line such as `0m0.350s 0m0.010s`.
fn seconds(line: &str) -> f64 {
    let times = line.split_whitespace().map(|time| time.strip_suffix('s').unwrap().split_once('m').unwrap());
    times.map(|(minutes, seconds)| 60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()).sum()
}

#[test]
fn the_crate_s_player_thinks_for_its_cpu_time_on_a_busy_machine() {
    let clock = 0.4;
    let board = include_str!("../../../inputs/halma/middle-44.txt").lines().skip(3).collect::<Vec<_>>().join("\n");
    let directory = tempfile::tempdir().unwrap();
    let input = format!("SINGLE\nWHITE\n{clock}\n{board}\n");
    std::fs::write(directory.path().join("input.txt"), &input).unwrap();

    // With two busy threads on each processor, the agent gets a third of one.
    let done = AtomicBool::new(false);
    let run = thread::scope(|scope| {
        for _ in 0..2 * thread::available_parallelism().unwrap().get() {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    std::hint::spin_loop()
                }
            });
        }
        let words = ["-c", TIMED, env!("CARGO_BIN_EXE_lab")];
        let run = Command::new("sh").args(words).current_dir(directory.path()).output();
        done.store(true, Ordering::Relaxed);
        run.unwrap()
    });
    assert!(run.status.success(), "{}", text(&run.stderr));
    let cpu = seconds(text(&run.stdout).lines().nth(1).unwrap());
    assert!(cpu > 0.8 * clock, "{cpu} s of CPU time used of {clock} s");
    assert!(cpu < 1.5 * clock, "{cpu} s of CPU time used of {clock} s");

    let position = Position::read_task(&input, Rules::AGENT).unwrap().position;
    let output = std::fs::read_to_string(directory.path().join("output.txt")).unwrap();
    position.read_move(&output).unwrap();
}
