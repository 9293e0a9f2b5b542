//! Extreme boards for `lab soak`: positions that play hardly ever reaches, some of them finished.

use engine::extremes::{TextBoard, limit};
use rand::RngExt;

/// A random extreme board: equal values, few values or any values; pieces on no square, a few, all but a few, or all;
/// of one colour or of both.
pub(crate) fn board(seed: u64) -> String {
    let random = &mut engine::extremes::random(seed);
    const SIZE: usize = 5;
    let mut board = TextBoard::new(SIZE, SIZE);
    let all: Vec<usize> = (0..SIZE * SIZE).collect();
    let (low, high) = [(1, 1), (99, 99), (1, 2), (1, 99)][random.random_range(0..4)];
    let values: String = (0..SIZE)
        .map(|_| (0..SIZE).map(|_| random.random_range(low..=high).to_string()).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let taken = match random.random_range(0..3) {
        0 => limit(0, 2, random),
        _ => limit(SIZE * SIZE - 3, SIZE * SIZE, random),
    };
    let crosses = limit(0, taken, random);
    board.scatter('X', crosses, &all, random);
    board.scatter('O', taken - crosses, &all, random);
    values + &board.text().replace('.', "*")
}
