//! One stage of the proof: a depth-first proof-number search (df-pn; Nagai, 2002) for a way of the geese from one board
//! to a tighter one, whatever the foxes do.
//!
//! A way that is found is sound: every move of the foxes is answered, each found position lies nearer to the stage's
//! end than the one it serves, and nothing rests on a repetition. To find none means nothing, since the geese's moves
//! are thinned out and circles count as failures.

use super::known::Known;
use crate::interrupt;
use crate::numbers::{INFINITE, Numbers, Table, all, either, two_least};
use foxgeese::board::{Board, Cells, neighbours};
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use foxgeese::rules::MOST_GEESE;
use std::collections::HashMap;

/// The effort spent on one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The most nodes of the search.
    pub nodes: u64,
    /// The number of the geese's moves near the foxes' region that are looked at in a position: those that look best.
    pub front: usize,
    /// The number of the geese's moves elsewhere that are looked at: they gain time.
    pub waiting: usize,
    /// The number of geese that may be given up.
    pub losses: u32,
    /// The most plies of the stage.
    pub plies: usize,
    /// The level of the effort: boards that were given up at this level or a higher one are no ends of a stage.
    pub level: u8,
}

/// The distance of the geese from having shut the foxes in, from the room that the foxes have and the geese lost.
#[must_use]
pub(crate) fn distance(board: Board, region: Cells) -> u32 {
    4 * region.len() + 3 * MOST_GEESE.saturating_sub(board.geese.len())
}

/// The positions that a stage's search has proven, by packed canonical board: moves of the geese to the stage's end,
/// and the next one.
pub(crate) type Found = HashMap<u64, (u8, Move)>;

/// The search, with its memory.
pub(crate) struct StageSearch {
    table: Table,
    found: Found,
    path: Vec<u64>,
    nodes: u64,
    effort: Effort,
    target: u32,
    least_geese: u32,
    /// The nodes of all stages.
    pub total_nodes: u64,
}

#[derive(Clone, Copy)]
struct Child {
    board: Board,
    mv: Move,
    key: u64,
    numbers: Numbers,
}

fn numbers_of(children: &[Child]) -> impl Iterator<Item = Numbers> + Clone {
    children.iter().map(|child| child.numbers)
}

fn key_of(board: Board, foxes_to_move: bool) -> u64 {
    board.canonical().0 << 1 | u64::from(foxes_to_move)
}

impl StageSearch {
    /// A search whose table takes 16 bytes times `1 << log_size`.
    #[must_use]
    pub(crate) fn new(log_size: u32) -> StageSearch {
        StageSearch {
            table: Table::new(log_size),
            found: Found::new(),
            path: Vec::new(),
            nodes: 0,
            effort: Effort { nodes: 0, front: 0, waiting: 0, losses: 0, plies: 0, level: 0 },
            target: 0,
            least_geese: 0,
            total_nodes: 0,
        }
    }

    /// Looks for a way from a board with the geese to move to boards of a smaller distance, closed and not known to be
    /// dead ends, or won ones.
    pub(crate) fn run(&mut self, board: Board, known: &Known, effort: Effort) -> Option<Found> {
        self.table.clear();
        self.found.clear();
        self.path.clear();
        self.nodes = 0;
        self.effort = effort;
        self.target = distance(board, board.region());
        self.least_geese = board.geese.len().saturating_sub(effort.losses);
        let key = key_of(board, false);
        let numbers = self.geese(board, key, known, INFINITE, INFINITE);
        self.total_nodes += self.nodes;
        numbers.is_won().then(|| std::mem::take(&mut self.found))
    }

    /// A node with the geese to move: one move that is proven is enough.
    fn geese(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut children = self.goose_children(board);
        self.path.push(key);
        let numbers = loop {
            let numbers = either(numbers_of(&children));
            let over = self.nodes >= self.effort.nodes || interrupt::asked();
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || numbers.is_won() || over {
                break numbers;
            }
            let others = children.iter().filter(|child| child.numbers.disproof > 0).count() as u32 - 1;
            let (index, second) = two_least(numbers_of(&children).map(|numbers| numbers.proof));
            let Child { board, key, .. } = children[index];
            let proof = most_proof.min(second.saturating_add(second / 4 + 1));
            children[index].numbers = self.foxes(board, key, known, proof, most_disproof.saturating_sub(others));
        };
        self.path.pop();
        let winner = children.iter().find(|child| child.numbers.is_won() && child.numbers.moves + 1 == numbers.moves);
        match winner {
            Some(child) if numbers.is_won() => {
                let (packed, mirrored) = board.canonical();
                let mv = if mirrored { child.mv.mirrored() } else { child.mv };
                // A position may be proven anew with more moves while others already lean on the fewer: then the way would go in
                // circles.
                let kept = self.found.entry(packed).or_insert((numbers.moves, mv));
                if numbers.moves < kept.0 {
                    *kept = (numbers.moves, mv);
                }
            }
            _ => self.table.insert(key, numbers),
        }
        numbers
    }

    /// A node with the foxes to move: every move must be answered.
    fn foxes(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut children = Vec::with_capacity(10);
        board.each_fox_move(|mv| {
            let after = board.after_fox(mv);
            let key = key_of(after, false);
            children.push(Child { board: after, mv, key, numbers: self.first_numbers(after, key, known) });
        });
        self.path.push(key);
        let numbers = loop {
            let numbers = all(numbers_of(&children));
            let over = self.nodes >= self.effort.nodes || interrupt::asked();
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || numbers.is_won() || over {
                break numbers;
            }
            let others = children.iter().filter(|child| !child.numbers.is_won()).count() as u32 - 1;
            let (index, second) = two_least(numbers_of(&children).map(|numbers| numbers.disproof));
            let Child { board, key, .. } = children[index];
            let disproof = most_disproof.min(second.saturating_add(second / 4 + 1));
            children[index].numbers = self.geese(board, key, known, most_proof.saturating_sub(others), disproof);
        };
        self.path.pop();
        if !numbers.is_won() {
            self.table.insert(key, numbers);
        }
        numbers
    }

    /// The numbers, known or guessed, of a position with the geese to move.
    fn first_numbers(&self, board: Board, key: u64, known: &Known) -> Numbers {
        let packed = key >> 1;
        if known.wins.moves(packed).is_some() {
            return Numbers::won(0);
        }
        if let Some(&(moves, _)) = self.found.get(&packed) {
            return Numbers::won(moves);
        }
        let too_few = board.geese.len() < self.least_geese;
        if too_few || self.path.len() > self.effort.plies || self.path.contains(&key) {
            return Numbers::FAILED;
        }
        let region = board.region();
        let threats = board.threats(region);
        if threats == 0 && distance(board, region) < self.target && !known.is_dead(packed, self.effort.level) {
            return Numbers::won(0);
        }
        self.table.get(key).unwrap_or_else(|| Numbers::open(self.guess(board, region, threats)))
    }

    /// A guess of how hard a position is to prove, from 1.
    fn guess(&self, board: Board, region: Cells, threats: u32) -> u32 {
        let lost = MOST_GEESE.saturating_sub(board.geese.len());
        1 + 3 * lost + 2 * threats + (distance(board, region) + 2).saturating_sub(self.target) / 2
    }

    fn goose_children(&self, board: Board) -> Vec<Child> {
        let region = board.region();
        let beside = region | neighbours(region);
        let near = beside | neighbours(beside);
        let mut moves: [Vec<(i32, Move, Board)>; 2] = [Vec::with_capacity(16), Vec::with_capacity(16)];
        let mut last = None;
        board.each_goose_move(|mv| {
            let after = board.after_goose(mv);
            if after.square_is_full() || after.foxes_are_blocked() {
                last = Some(Child { board: after, mv, key: 0, numbers: Numbers::won(0) });
            }
            let gift = after.foxes_can_jump();
            if !gift || board.geese.len() > self.least_geese {
                let waiting = !near.contains(mv.from) && !near.contains(mv.to);
                moves[usize::from(waiting)].push((for_geese(after) - 60 * i32::from(gift), mv, after));
            }
        });
        if let Some(child) = last {
            return vec![child];
        }
        for (list, most) in moves.iter_mut().zip([self.effort.front, self.effort.waiting]) {
            list.sort_by_key(|&(value, ..)| -value);
            list.truncate(most);
        }
        let child = |&(_, mv, after): &(i32, Move, Board)| {
            let key = key_of(after, true);
            let numbers = if self.path.contains(&key) {
                Numbers::FAILED
            } else {
                self.table.get(key).unwrap_or_else(|| {
                    let region = after.region();
                    let replies = (neighbours(after.foxes) & after.empty()).len();
                    Numbers::open(self.guess(after, region, after.threats(region)) + replies)
                })
            };
            Child { board: after, mv, key, numbers }
        };
        moves.iter().flatten().map(child).collect()
    }
}
