//! Compares an analysis of the last fourteen squares of Squirrels with an exact search written for this test from the
//! rules page alone. It shares no code with the game's crate.

use crate::common::{events, run};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;

/// The squares that are looked at, from the end.
const LAST: u32 = 14;

/// The number of games.
const GAMES: u32 = 8;

/// More than any sum of points.
const MOST: i32 = 1_000_000;

/// A board: the masks of X's and O's squares, and whose turn it is.
type Board = ([u32; 2], usize);

/// Exact play by alpha-beta to the end, with a table of bounds of what a side still gains.
struct Exact {
    values: [i32; 25],
    table: HashMap<Board, (i32, i32)>,
    nodes: u64,
}

/// The squares above, below, left and right of one.
fn around(square: usize) -> u32 {
    let (x, y) = (square % 5, square / 5);
    let beside =
        [(x > 0, square.wrapping_sub(1)), (x < 4, square + 1), (y > 0, square.wrapping_sub(5)), (y < 4, square + 5)];
    beside.into_iter().filter(|&(on_board, _)| on_board).map(|(_, at)| 1 << at).sum()
}

fn empty([x, o]: [u32; 2]) -> u32 {
    !(x | o) & 0x1ff_ffff
}

fn squares(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = (mask != 0).then(|| mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(square)
    })
}

impl Exact {
    fn sum(&self, mask: u32) -> i32 {
        squares(mask).map(|square| self.values[square]).sum()
    }

    /// The board after a square is taken, and what the mover's lead grows by.
    fn taken(&self, (mut pieces, side): Board, square: usize) -> (i32, Board) {
        let near = around(square);
        let raided = if near & pieces[side] == 0 { 0 } else { near & pieces[1 - side] };
        pieces[side] |= raided | 1 << square;
        pieces[1 - side] &= !raided;
        (self.values[square] + 2 * self.sum(raided), (pieces, 1 - side))
    }

    /// The change of the lead of the side to move until the end, with best play of both.
    fn swing(&mut self, board: Board) -> i32 {
        self.bound(board, -MOST, MOST)
    }

    /// The swing, if it lies between alpha and beta; else a bound of it.
    fn bound(&mut self, board: Board, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let left = empty(board.0);
        if left.count_ones() < 2 {
            return squares(left).map(|square| self.taken(board, square).0).sum();
        }
        let (low, high) = self.table.get(&board).copied().unwrap_or((-MOST, MOST));
        (alpha, beta) = (alpha.max(low), beta.min(high));
        if alpha >= beta {
            return if low >= beta { low } else { high };
        }
        let mut next: Vec<(i32, Board)> = squares(left).map(|square| self.taken(board, square)).collect();
        next.sort_unstable_by_key(|(gain, _)| -gain);
        let (mut best, from) = (-MOST, alpha);
        for (gain, after) in next {
            best = best.max(gain - self.bound(after, gain - beta, gain - alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        let bounds = self.table.entry(board).or_insert((low, high));
        if best < beta {
            bounds.1 = bounds.1.min(best);
        }
        if best > from {
            bounds.0 = bounds.0.max(best);
        }
        best
    }
}

/// The pieces in the lines of a board.
fn pieces<'a>(rows: impl Iterator<Item = &'a str>) -> [u32; 2] {
    let cells: Vec<char> = rows.flat_map(str::chars).filter(|cell| "XO*.".contains(*cell)).collect();
    assert_eq!(cells.len(), 25);
    ['X', 'O'].map(|word| (0..25).filter(|&square| cells[square] == word).map(|square| 1 << square).sum())
}

#[test]
fn every_move_of_the_last_fourteen_squares_that_changed_the_value_is_named_and_no_other_is_a_blunder() {
    let place = tempfile::tempdir().unwrap();
    let players =
        ["--engine", "name=one", "engine=reference:random", "--engine", "name=two", "engine=reference:random"];
    let terms =
        ["match", "--game", "squirrels", "--games", &GAMES.to_string(), "--openings", "random:3", "--seed", "19"];
    let each = ["--each", "time=100", "--record", "record"];
    run(place.path(), &[&terms[..], &each, &players].concat(), 0);
    run(place.path(), &["analyse", "record", "--nodes", "100", "--json", "lines"], 0);
    let lines = fs::read_to_string(place.path().join("lines")).unwrap();
    let findings: HashMap<(u64, u64), Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| ((line["game"].as_u64().unwrap(), line["ply"].as_u64().unwrap()), line))
        .collect();
    let events = events(&place.path().join("record"));
    let (mut moves, mut changed, mut results, mut nodes) = (0, 0, 0, 0);
    for start in events.iter().filter(|event| event["event"] == "start") {
        let opening: Vec<&str> = start["opening"].as_str().unwrap().lines().collect();
        let values: Vec<i32> =
            opening[3..8].iter().flat_map(|row| row.split(' ')).map(|value| value.parse().unwrap()).collect();
        let mut exact = Exact { values: values.try_into().unwrap(), table: HashMap::new(), nodes: 0 };
        let mut board = (pieces(opening[8..13].iter().copied()), usize::from(opening[1] == "O"));
        for mv in events.iter().filter(|event| event["event"] == "move" && event["game"] == start["game"]) {
            let after = (pieces(mv["output"].as_str().unwrap().lines().skip(1)), 1 - board.1);
            if empty(board.0).count_ones() <= LAST {
                let finding = &findings[&(mv["game"].as_u64().unwrap(), mv["ply"].as_u64().unwrap())];
                let lead = |exact: &Exact, (pieces, side): Board| exact.sum(pieces[side]) - exact.sum(pieces[1 - side]);
                let best = lead(&exact, board) + exact.swing(board);
                let played = -lead(&exact, after) - exact.swing(after);
                assert!(played <= best && finding["proven"] == true, "{finding}");
                assert_eq!([&finding["best_score"], &finding["score"]], [best, played], "{finding}");
                assert_eq!(finding["mark"].is_null(), played == best, "{finding}");
                assert_eq!(finding["mark"] == "blunder", played.signum() < best.signum(), "{finding}");
                moves += 1;
                changed += u32::from(played < best);
                results += u32::from(played.signum() < best.signum());
            }
            board = after;
        }
        nodes += exact.nodes;
    }
    println!("{moves} moves, {changed} changed the value, {results} the result; {nodes} nodes of the exact search");
    assert_eq!(moves, GAMES * LAST);
    assert!(changed > 20 && results > 5, "{changed} {results}");
}
