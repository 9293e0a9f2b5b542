//! The check of a move generator by numbers of lines of play.

use crate::game::{Game, perft};
use crate::protocol::{Protocol, RuleSet};

/// Checks the numbers of lines of play from the start. Each line of the table has the name of a
/// rule set and the numbers of lines of one move, of two moves, and so on.
///
/// # Panics
/// If the table is malformed or a number differs.
pub fn check_perft_table<P: Protocol>(table: &str) {
    for line in table.lines() {
        let (rules, counts) = line.split_once(' ').expect("a rule set and its numbers");
        let start = P::start(P::Rules::by_name(rules).expect("the name of a rule set"));
        for (depth, count) in (1..).zip(counts.split(' ')) {
            check_perft(&start, depth, count.parse().expect("a number"));
        }
    }
}

/// Checks the number of lines of play of `depth` moves from a position, as the rules page or a
/// second generator tells it.
///
/// # Panics
/// If the number differs.
#[track_caller]
pub fn check_perft<G: Game>(position: &G, depth: u32, expected: u64) {
    let found = perft(&mut position.clone(), depth);
    assert_eq!(found, expected, "lines of {depth} moves from {position:?}");
}
