//! Move ordering: the move from the transposition table, the killers, then the rest by the game's
//! ordering score plus the history score.

use super::table::NO_MOVE;
use crate::game::{Game, Side};

/// The maximum history score; the minimum is its negative.
pub const HISTORY_LIMIT: i32 = 8_192;

/// The number of history scores per side; codes of moves are hashed to them.
const HISTORY_SIZE: usize = 1 << 16;

/// Two killers per ply, and a history score for each side and move code.
pub(super) struct OrderingTables {
    killers: Vec<[u32; 2]>,
    history: [Box<[i16]>; 2],
}

impl OrderingTables {
    pub(super) fn new(plies: usize) -> OrderingTables {
        OrderingTables {
            killers: vec![[NO_MOVE; 2]; plies],
            history: [(); 2].map(|()| vec![0; HISTORY_SIZE].into_boxed_slice()),
        }
    }

    pub(super) fn killers(&self, ply: u32) -> [u32; 2] {
        self.killers[ply as usize]
    }

    pub(super) fn history(&self, side: Side, code: u32) -> i32 {
        i32::from(self.history[side.index()][slot(code)])
    }

    /// A beta cutoff makes its move the ply's first killer, and raises its history score.
    pub(super) fn record_cutoff(&mut self, side: Side, code: u32, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        self.update_history(side, code, bonus(depth));
    }

    /// Lowers the history score of a move that was searched before the one that caused a cutoff.
    pub(super) fn penalize(&mut self, side: Side, code: u32, depth: u32) {
        self.update_history(side, code, -bonus(depth));
    }

    fn update_history(&mut self, side: Side, code: u32, bonus: i32) {
        let score = &mut self.history[side.index()][slot(code)];
        // History gravity: the closer a score is to the limit, the less it moves, which keeps it
        // within the limit.
        let old = i32::from(*score);
        *score = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }
}

fn bonus(depth: u32) -> i32 {
    (16 * depth * depth).min(1_024) as i32
}

fn slot(code: u32) -> usize {
    (code ^ (code >> 16)) as usize % HISTORY_SIZE
}

/// A stack of generated moves, each with its code and its ordering score. The scores lie apart from
/// the moves, so that the largest of a hundred is found by a few vector instructions.
pub(super) struct MoveStack<M> {
    moves: Vec<(M, u32)>,
    orders: Vec<i32>,
}

impl<M: Copy> MoveStack<M> {
    pub(super) fn with_capacity(capacity: usize) -> MoveStack<M> {
        MoveStack { moves: Vec::with_capacity(capacity), orders: Vec::with_capacity(capacity) }
    }

    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.orders.truncate(len);
    }

    pub(super) fn push(&mut self, mv: M, code: u32, order: i32) {
        self.moves.push((mv, code));
        self.orders.push(order);
    }

    pub(super) fn at(&self, index: usize) -> M {
        self.moves[index].0
    }

    pub(super) fn from(&self, start: usize) -> &[(M, u32)] {
        &self.moves[start..]
    }

    /// Sorts the moves from an index on by their scores, the largest first; equal ones keep their
    /// order. An insertion sort: there are few of them.
    pub(super) fn sort_from(&mut self, start: usize) {
        for end in start + 1..self.len() {
            let mut index = end;
            while index > start && self.orders[index - 1] < self.orders[index] {
                self.orders.swap(index - 1, index);
                self.moves.swap(index - 1, index);
                index -= 1;
            }
        }
    }

    /// Swaps the move of the largest score, the first of equals, to the beginning of a range that
    /// is not empty.
    fn select(&mut self, start: usize, end: usize) -> (M, u32) {
        let best = start + first_of_largest(&self.orders[start..end]);
        self.orders.swap(start, best);
        self.moves.swap(start, best);
        self.moves[start]
    }
}

/// The index of the largest number, the first of equals.
fn first_of_largest(numbers: &[i32]) -> usize {
    /// Few enough to find one among them quickly, and enough for vector instructions.
    const BLOCK: usize = 16;
    let largest = numbers.iter().copied().fold(i32::MIN, i32::max);
    let is_in =
        |block: &[i32]| block.iter().fold(false, |found, &number| found | (number == largest));
    let start = BLOCK * numbers.chunks_exact(BLOCK).take_while(|block| !is_in(block)).count();
    start + numbers[start..].iter().position(|&number| number == largest).unwrap_or(0)
}

/// A staged move picker for one node. The table move and the killers come before any move is
/// generated, since one of them often causes a cutoff.
pub(super) struct Picker {
    known: [u32; 3],
    tried: usize,
    /// The node's moves on the stack, once they are generated.
    range: Option<(usize, usize)>,
}

impl Picker {
    pub(super) fn new(table_move: u32, killers: [u32; 2]) -> Picker {
        Picker { known: [table_move, killers[0], killers[1]], tried: 0, range: None }
    }

    /// The next of the table move and the killers that is legal here, with its code.
    pub(super) fn next_known<G: Game>(&mut self, position: &G) -> Option<(G::Move, u32)> {
        while self.tried < 3 {
            let index = self.tried;
            self.tried += 1;
            let code = self.known[index];
            if code == NO_MOVE || self.known[..index].contains(&code) {
                self.known[index] = NO_MOVE;
                continue;
            }
            match position.decode(code) {
                Some(mv) => return Some((mv, code)),
                None => self.known[index] = NO_MOVE,
            }
        }
        None
    }

    /// The next generated move that [`Picker::next_known`] has not returned, with its code.
    /// `generate` is called once and pushes the node's moves onto the stack.
    pub(super) fn next_generated<M: Copy>(
        &mut self,
        stack: &mut MoveStack<M>,
        generate: impl FnOnce(&mut MoveStack<M>),
    ) -> Option<(M, u32)> {
        let (next, end) = self.range.get_or_insert_with(|| {
            let start = stack.len();
            generate(stack);
            (start, stack.len())
        });
        while next < end {
            // One step of a selection sort: most nodes are cut off after a few moves.
            let (mv, code) = stack.select(*next, *end);
            *next += 1;
            if !self.known.contains(&code) {
                return Some((mv, code));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_the_largest_numbers_is_found_in_lists_of_every_length() {
        for length in 1..70 {
            for largest in 0..length {
                let mut numbers: Vec<i32> =
                    (0..length).map(|index| (index * index % 7) as i32 - 100).collect();
                numbers[largest..].iter_mut().step_by(3).for_each(|number| *number = 50);
                assert_eq!(first_of_largest(&numbers), largest, "{length} numbers");
            }
        }
    }

    #[test]
    fn moves_are_picked_and_sorted_by_their_scores() {
        let mut stack = MoveStack::with_capacity(4);
        for (mv, order) in [('a', 1), ('b', 3), ('c', 2), ('d', 3)] {
            stack.push(mv, mv as u32, order);
        }
        let mut picker = Picker::new('b' as u32, [NO_MOVE; 2]);
        picker.range = Some((0, 4));
        let picked: Vec<char> =
            std::iter::from_fn(|| Some(picker.next_generated(&mut stack, |_| ())?.0)).collect();
        assert_eq!(picked, ['d', 'c', 'a']);
        stack.sort_from(1);
        assert_eq!(stack.from(1).iter().map(|&(mv, _)| mv).collect::<String>(), "dca");
    }
}
