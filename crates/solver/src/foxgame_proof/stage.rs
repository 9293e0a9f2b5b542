//! One stage of the proof: a depth-first proof-number search (df-pn; Nagai, 2002) for a way of SHEEP from one board to a
//! tighter one, whatever FOX does.
//!
//! A way that is found is sound: every move of FOX is answered, each found position lies nearer to the stage's end than
//! the one it serves, and nothing rests on a repetition. To find none means nothing, since the moves of SHEEP are
//! thinned out and circles count as failures.

use super::board::{
    State, after_fox, after_sheep, canonical, for_flock, for_sheep, mirrored, neighbours, state, threats,
};
use super::known::{Known, step_key};
use crate::interrupt;
use crate::numbers::{INFINITE, Numbers, Table, all, either, two_least};
use foxgame::board::Board;
use foxgame::evaluate::region;
use foxgame::rules::{MOST_SHEEP, Move};
use std::collections::HashMap;

/// The effort spent on one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The most nodes of the search.
    pub nodes: u64,
    /// The number of steps near the foxes' region that are looked at in a position: those that look best.
    pub front: usize,
    /// The number of steps elsewhere that are looked at: they gain time.
    pub waiting: usize,
    /// The number of sheep that may be given up.
    pub losses: u32,
    /// The most plies of the stage.
    pub plies: usize,
    /// The level of the effort: boards that were given up at this level or a higher one are no ends of a stage.
    pub level: u8,
}

/// The value of a board for SHEEP from which on nothing is left to gain: more than any board has.
const SUMMIT: i32 = 4_000;

/// The points of the value of a board that are one step of the distance. Small steps make short stages: with 20 points a
/// stage is often not found, with 5 nearly always, after some ten nodes.
const POINTS: i32 = 5;

/// The malus in the order of steps, in points of the value, for one after which FOX can take a sheep.
const GIFT: i32 = 60;

/// The distance of SHEEP from the end, by the agent's evaluation: it must fall from stage to stage.
#[must_use]
pub(crate) fn distance(board: Board) -> u32 {
    ((SUMMIT - for_flock(board)).max(0) / POINTS) as u32
}

/// The positions that a stage's search has proven, by packed canonical board: steps of SHEEP to the stage's end, and
/// the next one.
pub(crate) type Found = HashMap<u64, (u8, Move)>;

/// The search, with its memory.
pub(crate) struct StageSearch {
    table: Table,
    found: Found,
    path: Vec<u64>,
    nodes: u64,
    effort: Effort,
    target: u32,
    least_sheep: u32,
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

fn key_of(board: Board, fox_to_move: bool) -> u64 {
    canonical(board).0 << 1 | u64::from(fox_to_move)
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
            least_sheep: 0,
            total_nodes: 0,
        }
    }

    /// Looks for a way from a board with SHEEP to move to boards of a smaller distance, closed and not known to be dead
    /// ends, or won ones.
    pub(crate) fn run(&mut self, board: Board, known: &Known, effort: Effort) -> Option<Found> {
        self.table.clear();
        self.found.clear();
        self.path.clear();
        self.nodes = 0;
        self.effort = effort;
        self.target = distance(board);
        self.least_sheep = board.sheep.len().saturating_sub(effort.losses);
        let key = key_of(board, false);
        let numbers = self.sheep(board, key, known, INFINITE, INFINITE);
        self.total_nodes += self.nodes;
        numbers.is_won().then(|| std::mem::take(&mut self.found))
    }

    /// A node with SHEEP to move: one step that is proven is enough.
    fn sheep(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut children = self.sheep_children(board, known);
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
            children[index].numbers = self.fox(board, key, known, proof, most_disproof.saturating_sub(others));
        };
        self.path.pop();
        let winner = children.iter().find(|child| child.numbers.is_won() && child.numbers.moves + 1 == numbers.moves);
        match winner {
            Some(child) if numbers.is_won() => {
                let (packed, image) = canonical(board);
                let mv = if image { mirrored(child.mv) } else { child.mv };
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

    /// A node with FOX to move: every move must be answered.
    fn fox(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut moves = Vec::with_capacity(32);
        board.fox_moves(&mut moves);
        let mut children = Vec::with_capacity(moves.len());
        for mv in moves {
            let after = after_fox(board, mv);
            let (key, numbers) = match state(after, true) {
                State::Lost => (0, Numbers::FAILED),
                State::Won => (0, Numbers::won(0)),
                State::Open => {
                    let key = key_of(after, false);
                    (key, self.first_numbers(after, key, known))
                }
            };
            children.push(Child { board: after, mv, key, numbers });
        }
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
            children[index].numbers = self.sheep(board, key, known, most_proof.saturating_sub(others), disproof);
        };
        self.path.pop();
        if !numbers.is_won() {
            self.table.insert(key, numbers);
        }
        numbers
    }

    /// The numbers, known or guessed, of a position with SHEEP to move.
    fn first_numbers(&self, board: Board, key: u64, known: &Known) -> Numbers {
        let packed = key >> 1;
        if known.wins.moves(packed).is_some() {
            return Numbers::won(0);
        }
        if let Some(&(moves, _)) = self.found.get(&packed) {
            return Numbers::won(moves);
        }
        let too_few = board.sheep.len() < self.least_sheep;
        if too_few || self.path.len() > self.effort.plies || self.path.contains(&key) || self.path.contains(&(key | 1))
        {
            return Numbers::FAILED;
        }
        // An end of the stage is never searched, so that a board in the table is none.
        if let Some(numbers) = self.table.get(key) {
            return numbers;
        }
        let (threats, distance) = (threats(board, region(board)), distance(board));
        let dead = known.dead.get(&packed).is_some_and(|&level| level >= self.effort.level);
        if threats == 0 && distance < self.target && !dead {
            return Numbers::won(0);
        }
        Numbers::open(self.guess(board, distance, threats))
    }

    /// A guess of how hard a position is to prove, from 1.
    fn guess(&self, board: Board, distance: u32, threats: u32) -> u32 {
        let lost = MOST_SHEEP.saturating_sub(board.sheep.len());
        1 + 3 * lost + 2 * threats + (distance + 2).saturating_sub(self.target) / 2
    }

    fn sheep_children(&self, board: Board, known: &Known) -> Vec<Child> {
        let (packed, image) = canonical(board);
        let banned = |mv| known.banned.contains(&step_key(packed, if image { mirrored(mv) } else { mv }));
        let room = region(board);
        let beside = room | neighbours(room);
        let near = beside | neighbours(beside);
        let mut moves: [Vec<(i32, Move, Board)>; 2] = [Vec::with_capacity(24), Vec::with_capacity(16)];
        let mut last = None;
        board.each_sheep_move(|mv| {
            let after = after_sheep(board, mv);
            if state(after, false) == State::Won {
                last = Some(Child { board: after, mv, key: 0, numbers: Numbers::won(0) });
                return;
            }
            let gift = after.foxes.into_iter().any(|fox| after.can_jump(fox));
            if (!gift || board.sheep.len() > self.least_sheep) && (known.banned.is_empty() || !banned(mv)) {
                let waiting = !near.contains(mv.from) && !near.contains(mv.to);
                moves[usize::from(waiting)].push((for_sheep(after) - GIFT * i32::from(gift), mv, after));
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
            // A board must not come back, whoever is to move.
            let numbers = if self.path.contains(&key) || self.path.contains(&(key ^ 1)) {
                Numbers::FAILED
            } else {
                self.table.get(key).unwrap_or_else(|| {
                    let replies = (neighbours(after.foxes) & after.empty()).len();
                    let guess = self.guess(after, distance(after), threats(after, region(after))) + replies;
                    // A flock that has won elsewhere is tried first: fewer flocks, fewer positions.
                    Numbers::open(if known.wins.has_flock(key >> 1) { guess / 2 + 1 } else { guess })
                })
            };
            Child { board: after, mv, key, numbers }
        };
        moves.iter().flatten().map(child).collect()
    }
}
