// Threads and files; then the agent plays.
use std::process::Command;
use std::{fs, thread};

fn main() {
    let work = || (0..1_000_000u64).fold(0, |sum, value| sum ^ (value * value));
    let threads: Vec<_> = (0..8).map(|_| thread::spawn(work)).collect();
    threads.into_iter().for_each(|thread| drop(thread.join().unwrap()));
    fs::write("own", "x").unwrap();
    fs::copy("own", "copied").unwrap();
    fs::rename("copied", "renamed").unwrap();
    fs::remove_file("renamed").unwrap();
    let agent = std::env::args().nth(1).unwrap();
    assert!(Command::new(agent).args(["--depth", "1"]).status().unwrap().success());
}
