//! Depth-first proof-number search (df-pn; Nagai, 2002): can the geese win from here, whatever the foxes do?
//!
//! A proof is a proof: it never rests on a repetition, and each proven position's win is shorter than that of the
//! position it serves. A failure means nothing, since the geese's plays are thinned out and circles count as failures.

use super::numbers::{INFINITE, Numbers, Table};
use super::won::{Win, Wins};
use crate::board::{Board, neighbours};
use crate::evaluate::for_geese;
use crate::plays::Play;

/// Plays of the geese looked at in each position: those that look best.
static WIDTH_: std::sync::LazyLock<usize> = std::sync::LazyLock::new(|| std::env::var("W").map_or(8, |w| w.parse().unwrap()));
/// No board has more plays of the geese or of the foxes than this in one position.
const MOST_PLAYS: usize = 64;
/// Lines longer than this are given up.
const DEEPEST: usize = 120;

/// What the searches share.
pub struct Prover {
    /// Every win proven so far.
    pub wins: Wins,
    table: Table,
    path: Vec<u64>,
    nodes: u64,
    limit: u64,
    /// With fewer geese a line is given up.
    pub least_geese: u32,
    /// Nodes of all searches.
    pub total_nodes: u64,
}

#[derive(Clone, Copy)]
struct Child {
    board: Board,
    play: Play,
    key: u64,
    numbers: Numbers,
}

const NO_CHILD: Child =
    Child { board: Board { geese: 0, foxes: 0 }, play: Play::step(0, 0), key: 0, numbers: Numbers::FAILED };

/// The children of one node.
struct Children {
    list: [Child; MOST_PLAYS],
    count: usize,
}

impl Children {
    fn new() -> Children {
        Children { list: [NO_CHILD; MOST_PLAYS], count: 0 }
    }

    fn push(&mut self, child: Child) {
        if self.count < MOST_PLAYS {
            self.list[self.count] = child;
            self.count += 1;
        }
    }

    fn slice(&mut self) -> &mut [Child] {
        &mut self.list[..self.count]
    }
}

fn key_of(board: Board, foxes_to_move: bool) -> u64 {
    board.canonical().0 << 1 | u64::from(foxes_to_move)
}

impl Prover {
    /// A prover that knows nothing yet; its table takes 16 bytes times `1 << log_size`.
    #[must_use]
    pub fn new(log_size: u32) -> Prover {
        Prover {
            wins: Wins::new(),
            table: Table::new(log_size),
            path: Vec::new(),
            nodes: 0,
            limit: 0,
            least_geese: 14,
            total_nodes: 0,
        }
    }

    /// Searches a board with the geese to move for at most `limit` nodes. What it proves on the way is kept.
    pub fn prove(&mut self, board: Board, limit: u64) -> Option<Win> {
        if let Some(win) = self.wins.get(board) {
            return Some(win);
        }
        self.table.clear();
        self.path.clear();
        self.nodes = 0;
        self.limit = limit;
        self.geese(board, key_of(board, false), INFINITE, INFINITE);
        self.total_nodes += self.nodes;
        self.wins.get(board)
    }

    fn over(&self) -> bool {
        self.nodes >= self.limit
    }

    /// A node with the geese to move: one proven play is enough.
    fn geese(&mut self, board: Board, key: u64, proof_limit: u32, disproof_limit: u32) -> Numbers {
        self.nodes += 1;
        let mut children = self.goose_children(board);
        self.path.push(key);
        let numbers = loop {
            let numbers = either(children.slice());
            if numbers.proof >= proof_limit || numbers.disproof >= disproof_limit || self.over() || numbers.is_won() {
                break numbers;
            }
            let others = children.slice().iter().filter(|child| child.numbers.disproof > 0).count() as u32 - 1;
            let (index, second) = two_least(children.slice(), |child| child.numbers.proof);
            let child = children.list[index];
            let found = self.foxes(
                child.board,
                child.key,
                proof_limit.min(second.saturating_add(second / *EPS + 1)),
                disproof_limit.saturating_sub(others),
            );
            children.list[index].numbers = found;
        };
        self.path.pop();
        if numbers.is_won() {
            let child = children.slice().iter().find(|child| child.numbers.is_won() && child.numbers.moves + 1 == numbers.moves);
            let play = child.expect("one of the plays wins").play;
            self.wins.insert(board, Win { moves: numbers.moves, play });
        } else {
            self.table.insert(key, numbers);
        }
        numbers
    }

    /// A node with the foxes to move: every play must be answered.
    fn foxes(&mut self, board: Board, key: u64, proof_limit: u32, disproof_limit: u32) -> Numbers {
        self.nodes += 1;
        let mut children = Children::new();
        let mut lost = false;
        board.each_fox_play(|play| {
            let after = board.after_fox(play);
            let key = key_of(after, false);
            let numbers = self.first_numbers(after, key);
            lost |= numbers.disproof == 0;
            children.push(Child { board: after, play, key, numbers });
        });
        if lost {
            return Numbers::FAILED;
        }
        if self.path.len() >= DEEPEST {
            return Numbers::FAILED;
        }
        self.path.push(key);
        let numbers = loop {
            let numbers = all(children.slice());
            if numbers.proof >= proof_limit || numbers.disproof >= disproof_limit || self.over() || numbers.is_won() {
                break numbers;
            }
            let others = children.slice().iter().filter(|child| !child.numbers.is_won()).count() as u32 - 1;
            let tie = *TIE;
            let (index, second) = two_least(children.slice(), |child| if tie == 0 { child.numbers.disproof } else { child.numbers.disproof });
            let index = if tie == 1 { let least = children.list[index].numbers.disproof; (0..children.count).filter(|&i| children.list[i].numbers.disproof == least).max_by_key(|&i| children.list[i].numbers.proof).unwrap() } else { index };
            let child = children.list[index];
            let found = self.geese(
                child.board,
                child.key,
                proof_limit.saturating_sub(others),
                disproof_limit.min(second.saturating_add(second / *EPS + 1)),
            );
            children.list[index].numbers = found;
        };
        self.path.pop();
        self.table.insert(key, numbers);
        numbers
    }

    /// What is known or guessed of a position with the geese to move.
    fn first_numbers(&self, board: Board, key: u64) -> Numbers {
        if let Some(moves) = self.wins.moves(key >> 1) {
            return Numbers::won(moves);
        }
        if board.geese.count_ones() < self.least_geese || self.path.contains(&key) {
            return Numbers::FAILED;
        }
        self.table.get(key).unwrap_or_else(|| {
            let proof = guess(board);
            Numbers { proof, disproof: guess_dn(proof), moves: 0 }
        })
    }

    fn goose_children(&self, board: Board) -> Children {
        let mut all = [(0, Play::step(0, 0)); MOST_PLAYS];
        let mut count = 0;
        let mut children = Children::new();
        board.each_goose_play(|play| {
            let after = board.after_goose(play);
            if count < MOST_PLAYS {
                all[count] = (for_geese(after), play);
                count += 1;
            }
        });
        all[..count].sort_by_key(|&(value, _)| -value);
        for &(_, play) in all[..count].iter().take(*WIDTH_) {
            let after = board.after_goose(play);
            if after.square_is_full() || after.foxes_are_blocked() {
                children.count = 0;
                children.push(Child { board: after, play, key: 0, numbers: Numbers::won(0) });
                break;
            }
            let key = key_of(after, true);
            let numbers = if self.path.contains(&key) {
                Numbers::FAILED
            } else {
                self.table.get(key).unwrap_or_else(|| {
                    let replies = (neighbours(after.foxes) & after.empty()).count_ones();
                    let proof = guess(after);
                    Numbers { proof: proof + replies, disproof: guess_dn(proof), moves: 0 }
                })
            };
            children.push(Child { board: after, play, key, numbers });
        }
        children
    }
}

/// The numbers of a node with the geese to move.
fn either(children: &[Child]) -> Numbers {
    let Some(proof) = children.iter().map(|child| child.numbers.proof).min() else { return Numbers::FAILED };
    if proof == 0 {
        let least = children.iter().filter(|child| child.numbers.is_won()).map(|child| child.numbers.moves).min();
        return Numbers::won(least.unwrap_or(0) + 1);
    }
    let open = children.iter().filter(|child| child.numbers.disproof > 0);
    let (largest, count) =
        open.fold((0, 0), |(largest, count), child| (child.numbers.disproof.max(largest), count + 1));
    if count == 0 {
        return Numbers::FAILED;
    }
    Numbers { proof: proof.min(INFINITE - 1), disproof: (largest + count - 1).min(INFINITE - 1), moves: 0 }
}

/// The numbers of a node with the foxes to move.
fn all(children: &[Child]) -> Numbers {
    if children.iter().any(|child| child.numbers.disproof == 0) {
        return Numbers::FAILED;
    }
    let open = children.iter().filter(|child| !child.numbers.is_won());
    let (largest, count) = open.fold((0, 0), |(largest, count), child| (child.numbers.proof.max(largest), count + 1));
    if count == 0 {
        return Numbers::won(children.iter().map(|child| child.numbers.moves).max().unwrap_or(0));
    }
    let disproof = children.iter().map(|child| child.numbers.disproof).min().unwrap_or(0);
    Numbers { proof: (largest + count - 1).min(INFINITE - 1), disproof, moves: 0 }
}

/// The index of the child with the least number that is not final, and the second least number.
fn two_least(children: &[Child], number: impl Fn(&Child) -> u32) -> (usize, u32) {
    let (mut index, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (candidate, child) in children.iter().enumerate() {
        let value = number(child);
        if value < least {
            (index, second, least) = (candidate, least.min(INFINITE), value);
        } else {
            second = second.min(value);
        }
    }
    (index, second)
}


static P: std::sync::LazyLock<Vec<f64>> = std::sync::LazyLock::new(|| std::env::var("P").unwrap().split(',').map(|x| x.parse().unwrap()).collect());
/// lost goose, threat, row worth scale, room base, room lower, offset, power, scale
fn guess(board: Board) -> u32 {
    let p = &*P;
    let region = board.region();
    let lost = 20 - board.geese.count_ones() as i32;
    let low = ((region >> 24) & 0x7F).count_ones() as f64 + 3.0 * (region >> 32).count_ones() as f64;
    let mut forward = 0;
    for row in 0..7 { forward += (board.geese >> (8 * row) & 0xff).count_ones() as i32 * (6 - row); }
    let x = p[0] * f64::from(lost) + p[1] * f64::from(board.threats(region)) - p[2] * f64::from(forward - 44) + p[3] * f64::from(region.count_ones() as i32 - 2) + p[4] * low + p[5];
    1 + (x.max(0.0)).powf(p[6]) as u32
}

static TIE: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| std::env::var("T").map_or(0, |w| w.parse().unwrap()));
static DN: std::sync::LazyLock<f64> = std::sync::LazyLock::new(|| std::env::var("DN").map_or(0.0, |w| w.parse().unwrap()));
static EPS: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| std::env::var("E").map_or(4, |w| w.parse().unwrap()));
fn guess_dn(proof: u32) -> u32 { let d = *DN; if d == 0.0 { 1 } else { 1 + (d / f64::from(proof)) as u32 } }
