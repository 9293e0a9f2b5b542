//! One stage of the proof: a depth-first proof-number search (df-pn; Nagai, 2002) for a way of the flock from one board
//! to boards of smaller distance, whatever the foxes do.
//!
//! A way that is found is sound: every move of the foxes is answered, each found position lies nearer to the stage's end
//! than the one it serves, and nothing rests on a repetition. A failed search proves nothing, since the flock's moves are
//! pruned and repetitions count as failures.

use super::board::{Measures, distance, each_goose_move, empty_beside_foxes, is_won, measures, mirrored_if};
use super::known::{Known, move_key};
use super::numbers::{INFINITE, NumberTable, Numbers, and_node, or_node, two_least};
use crate::interrupt;
use foxgeese::board::Board;
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use foxgeese::rules::MOST_GEESE;
use std::collections::HashMap;

/// The effort spent on one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// The most nodes of the search.
    pub nodes: u64,
    /// The number of the flock's moves near the foxes' region that are searched in a position: those with the best
    /// evaluations.
    pub front: usize,
    /// The number of the flock's other moves that are searched; they wait for the foxes to give way.
    pub waiting: usize,
    /// The number of pieces of the flock that may be given up.
    pub losses: u32,
    /// The most plies of the stage.
    pub plies: usize,
    /// The level of the effort: boards that were given up at this level or a higher one are no ends of a stage.
    pub level: u8,
}

/// The malus of a move after which the foxes can jump, in the order of moves, in points of the evaluation.
const GIFT: i32 = 60;

/// The positions that a stage's search has proven, by packed canonical board: the flock's moves to the stage's end, and
/// the first of them.
pub(crate) type Found = HashMap<u64, (u8, Move)>;

/// The search for stages, with its transposition table.
pub(crate) struct StageSearch {
    table: NumberTable,
    found: Found,
    path: Vec<u64>,
    nodes: u64,
    effort: Effort,
    target: u32,
    least_flock: u32,
    /// The nodes of all stages.
    pub total_nodes: u64,
}

#[derive(Clone, Copy)]
struct Child {
    board: Board,
    key: u64,
    numbers: Numbers,
}

fn numbers_of(children: &[Child]) -> impl Iterator<Item = Numbers> + Clone {
    children.iter().map(|child| child.numbers)
}

/// Returns the key of a position: the packed canonical board and, in the lowest bit, whether the foxes are to move.
fn key_of(board: Board, foxes_to_move: bool) -> u64 {
    board.canonical().0 << 1 | u64::from(foxes_to_move)
}

impl StageSearch {
    /// Creates a search with a table of `1 << log_size` positions of 16 bytes.
    pub(crate) fn new(log_size: u32) -> StageSearch {
        StageSearch {
            table: NumberTable::new(log_size),
            found: Found::new(),
            path: Vec::new(),
            nodes: 0,
            effort: Effort { nodes: 0, front: 0, waiting: 0, losses: 0, plies: 0, level: 0 },
            target: 0,
            least_flock: 0,
            total_nodes: 0,
        }
    }

    /// Looks for a way from a board with the flock to move to won boards, or to closed boards of a smaller distance that
    /// were not given up.
    pub(crate) fn run(&mut self, board: Board, known: &Known, effort: Effort) -> Option<Found> {
        self.table.clear();
        self.found.clear();
        self.path.clear();
        self.nodes = 0;
        self.effort = effort;
        self.target = distance(board);
        self.least_flock = board.geese.len().saturating_sub(effort.losses);
        let key = key_of(board, false);
        let numbers = self.flock_node(board, key, known, INFINITE, INFINITE);
        self.total_nodes += self.nodes;
        numbers.is_won().then(|| std::mem::take(&mut self.found))
    }

    /// Searches a node with the flock to move, where one proven move is enough, until a number reaches its threshold.
    fn flock_node(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let (moves, mut children) = self.flock_children(board, known);
        self.path.push(key);
        let numbers = loop {
            let numbers = or_node(numbers_of(&children));
            let over = self.nodes >= self.effort.nodes || interrupt::requested();
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || numbers.is_won() || over {
                break numbers;
            }
            let others = children.iter().filter(|child| child.numbers.disproof > 0).count() as u32 - 1;
            let (index, second) = two_least(numbers_of(&children).map(|numbers| numbers.proof));
            let Child { board, key, .. } = children[index];
            // A quarter more than the second-best number: fewer switches between children (the 1 + epsilon trick).
            let proof = most_proof.min(second.saturating_add(second / 4 + 1));
            children[index].numbers = self.fox_node(board, key, known, proof, most_disproof.saturating_sub(others));
        };
        self.path.pop();
        let mut winners = moves.iter().zip(numbers_of(&children));
        let winner = winners.find(|(_, child)| child.is_won() && child.moves + 1 == numbers.moves);
        match winner {
            Some((&mv, _)) if numbers.is_won() => {
                let (packed, image) = board.canonical();
                let mv = mirrored_if(image, mv);
                // A position may be proven again with more moves after others have come to rely on the fewer; taking the
                // later proof could make the way run in circles.
                let kept = self.found.entry(packed).or_insert((numbers.moves, mv));
                if numbers.moves < kept.0 {
                    *kept = (numbers.moves, mv);
                }
            }
            _ => self.table.insert(key, numbers),
        }
        numbers
    }

    /// Searches a node with the foxes to move, where every move must be answered, until a number reaches its threshold.
    fn fox_node(&mut self, board: Board, key: u64, known: &Known, most_proof: u32, most_disproof: u32) -> Numbers {
        self.nodes += 1;
        let mut children = Vec::with_capacity(16);
        board.each_fox_move(|mv| {
            let after = board.after_fox(mv);
            let key = key_of(after, false);
            let numbers = self.first_numbers(after, key, known);
            children.push(Child { board: after, key, numbers });
        });
        self.path.push(key);
        let numbers = loop {
            let numbers = and_node(numbers_of(&children));
            let over = self.nodes >= self.effort.nodes || interrupt::requested();
            if numbers.proof >= most_proof || numbers.disproof >= most_disproof || numbers.is_won() || over {
                break numbers;
            }
            let others = children.iter().filter(|child| !child.numbers.is_won()).count() as u32 - 1;
            let (index, second) = two_least(numbers_of(&children).map(|numbers| numbers.disproof));
            let Child { board, key, .. } = children[index];
            let disproof = most_disproof.min(second.saturating_add(second / 4 + 1));
            children[index].numbers = self.flock_node(board, key, known, most_proof.saturating_sub(others), disproof);
        };
        self.path.pop();
        if !numbers.is_won() {
            self.table.insert(key, numbers);
        }
        numbers
    }

    /// Returns the numbers, known or guessed, of a position with the flock to move.
    fn first_numbers(&self, board: Board, key: u64, known: &Known) -> Numbers {
        let packed = key >> 1;
        if known.wins.moves(packed).is_some() {
            return Numbers::won(0);
        }
        if let Some(&(moves, _)) = self.found.get(&packed) {
            return Numbers::won(moves);
        }
        let too_few = board.geese.len() < self.least_flock;
        if too_few || self.path.len() > self.effort.plies || self.path.contains(&key) {
            return Numbers::FAILED;
        }
        // An end of the stage is never searched, so a board in the table is not one.
        if let Some(numbers) = self.table.get(key) {
            return numbers;
        }
        let measures = measures(board);
        let closer = measures.threats == 0 && measures.distance < self.target;
        if closer && !known.is_dead(packed, self.effort.level) {
            return Numbers::won(0);
        }
        Numbers::open(self.guess(board, measures))
    }

    /// Returns a guess of how hard a position is to prove, at least 1.
    fn guess(&self, board: Board, Measures { threats, distance }: Measures) -> u32 {
        let lost = MOST_GEESE.saturating_sub(board.geese.len());
        1 + 3 * lost + 2 * threats + (distance + 2).saturating_sub(self.target) / 2
    }

    /// Returns the moves of the flock that are searched, and the children that they lead to: one winning move alone if
    /// there is one, otherwise the moves with the best evaluations.
    fn flock_children(&self, board: Board, known: &Known) -> (Vec<Move>, Vec<Child>) {
        let (packed, image) = board.canonical();
        let banned = |mv| known.banned.contains(&move_key(packed, mirrored_if(image, mv)));
        let mut moves: [Vec<(i32, Move, Board)>; 2] = [Vec::with_capacity(24), Vec::with_capacity(16)];
        let mut last = None;
        each_goose_move(board, |mv, after, near| {
            if is_won(after) {
                last = Some((mv, Child { board: after, key: 0, numbers: Numbers::won(0) }));
                return;
            }
            let gift = after.foxes_can_jump();
            if (!gift || board.geese.len() > self.least_flock) && (known.banned.is_empty() || !banned(mv)) {
                moves[usize::from(!near)].push((for_geese(after) - GIFT * i32::from(gift), mv, after));
            }
        });
        if let Some((mv, child)) = last {
            return (vec![mv], vec![child]);
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
                    let guess = self.guess(after, measures(after)) + empty_beside_foxes(after);
                    Numbers::open(guess)
                })
            };
            (mv, Child { board: after, key, numbers })
        };
        moves.iter().flatten().map(child).unzip()
    }
}
