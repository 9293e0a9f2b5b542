//! A player for the judge's tests that exceeds its limits of CPU time or memory, and then plays the
//! first legal move of Halma.
//!
//! `glutton threads N SECONDS`, `glutton children N SECONDS`, `glutton orphan SECONDS`, `glutton
//! memory`

use clock::cpu::thread_time;
use engine::{Game, Protocol, RuleSet};
use std::process::Command;
use std::{env, fs, hint, thread};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["threads", count, seconds] => {
            let seconds = number(seconds);
            let threads: Vec<_> =
                (0..number(count) as u32).map(|_| thread::spawn(move || burn(seconds))).collect();
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        }
        ["children", count, seconds] => {
            let own = env::current_exe().unwrap();
            let children: Vec<_> = (0..number(count) as u32)
                .map(|_| Command::new(&own).args(["burn", seconds]).spawn().unwrap())
                .collect();
            children.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
        }
        ["orphan", seconds] => {
            let own = env::current_exe().unwrap();
            // Reading the pipe waits for the orphan without using CPU time.
            let line = format!(
                "rm -f end; mkfifo end; (setsid {} burn {seconds}; echo > end) &",
                own.display()
            );
            assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
            fs::read("end").unwrap();
        }
        ["burn", seconds] => {
            burn(number(seconds));
            return;
        }
        ["memory"] => {
            let mut eaten: Vec<Vec<u8>> = Vec::new();
            loop {
                eaten.push(vec![1; 1 << 24]);
                hint::black_box(&eaten);
            }
        }
        _ => panic!("expected threads, children, orphan or memory"),
    }
    let text = fs::read_to_string("input.txt").unwrap();
    let task =
        halma::Position::read_task(&text, <halma::Position as Protocol>::Rules::AGENT).unwrap();
    fs::write("output.txt", task.position.write_move(task.position.legal_moves()[0])).unwrap();
}

fn number(text: &str) -> f64 {
    text.parse().unwrap()
}

/// Uses this many seconds of CPU time in the calling thread.
fn burn(seconds: f64) {
    let start = thread_time();
    while (thread_time() - start).as_secs_f64() < seconds {
        hint::black_box((0..10_000u64).fold(0, |sum: u64, value| sum ^ (value * value)));
    }
}
