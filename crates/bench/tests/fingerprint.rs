//! The fingerprint that `bench` prints, by the real binary.

use std::process::Command;

/// The lines of a short run without their times: for each game's sum its name and nodes, and the node sum.
fn sums() -> Vec<(String, u64)> {
    let run = Command::new(env!("CARGO_BIN_EXE_bench"))
        .args(["--deeper", "-5", "--hash", "1", "--yardstick", "none"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = String::from_utf8(run.stdout).unwrap();
    let sums = text.lines().filter_map(|line| {
        let (name, figures) = line.split_once(", in all ").or_else(|| line.split_once(": "))?;
        Some((name.to_owned(), figures.split_whitespace().next()?.parse().unwrap()))
    });
    sums.collect()
}

#[test]
fn the_node_sum_is_over_all_five_games_and_the_same_in_every_run() {
    let first = sums();
    let names: Vec<_> = first.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["halma", "wolves", "squirrels", "foxgame", "foxgeese", "node sum"]);
    assert!(first.iter().all(|&(_, nodes)| nodes > 0));
    assert_eq!(first[..5].iter().map(|(_, nodes)| nodes).sum::<u64>(), first[5].1);
    assert_eq!(sums(), first);
}
