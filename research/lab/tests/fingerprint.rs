//! Test of the node sum that `lab bench` prints.

use crate::{run, text};
use std::path::Path;

/// Runs a short benchmark and returns the name and the nodes of each game's sum, and of the node
/// sum.
fn sums() -> Vec<(String, u64)> {
    let words = ["bench", "--deeper", "-5", "--hash", "1"];
    let text = text(&run(Path::new("."), &words, 0).stdout);
    let sums = text.lines().filter_map(|line| {
        let (name, figures) = line.split_once(", in all ").or_else(|| line.split_once(": "))?;
        Some((name.to_owned(), figures.split_whitespace().next()?.parse().unwrap()))
    });
    sums.collect()
}

#[test]
fn the_node_sum_is_over_all_games_and_the_same_in_every_run() {
    let first = sums();
    let names: Vec<_> = first.iter().map(|(name, _)| name.as_str()).collect();
    let games = games::all().into_iter().map(|game| game.name);
    assert_eq!(names, games.chain(["node sum"]).collect::<Vec<_>>());
    assert!(first.iter().all(|&(_, nodes)| nodes > 0));
    let (sum, games) = first.split_last().unwrap();
    assert_eq!(games.iter().map(|(_, nodes)| nodes).sum::<u64>(), sum.1);
    assert_eq!(sums(), first);
}
