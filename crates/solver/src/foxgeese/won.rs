//! The won positions found so far: for each, a move of the geese and in how many of their moves it wins at most.

use foxgeese::board::Board;
use foxgeese::moves::Move;
use foxgeese::strategy::{self, code_of_move, move_of_code};

/// A win of the geese from a position in which they are to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Win {
    /// Moves of the geese to the end, this one included, whatever the foxes do: an upper bound, at most [`MOST_KEPT`].
    pub moves: u16,
    /// The geese's move.
    pub mv: Move,
}

/// A set of won positions, mirror images counted once. Open addressing over one word a position.
///
/// Bits of a word, from the lowest: board 43, moves 12, cell of the goose 6, direction 2; the highest bit is set.
pub(crate) struct Wins {
    slots: Vec<u64>,
    count: usize,
}

/// The largest number of moves to the end that a win can have.
pub(crate) const MOST_KEPT: u16 = (1 << 12) - 1;

/// The first bit of the move.
const MOVE: u32 = 55;

const BOARD_MASK: u64 = (1 << 43) - 1;
const TAKEN: u64 = 1 << 63;

impl Wins {
    /// An empty set.
    #[must_use]
    pub(crate) fn new() -> Wins {
        Wins { slots: vec![0; 1 << 20], count: 0 }
    }

    /// The number of positions in the set.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    #[inline]
    fn slot(&self, packed: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] & BOARD_MASK != packed {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The number of the geese's moves in which a position is won, by its packed canonical form.
    #[inline]
    #[must_use]
    pub(crate) fn moves(&self, packed: u64) -> Option<u16> {
        let word = self.slots[self.slot(packed)];
        (word != 0).then_some(moves_of(word))
    }

    /// The win from a board with the geese to move, if one is known.
    #[must_use]
    pub(crate) fn get(&self, board: Board) -> Option<Win> {
        let (packed, mirrored) = board.canonical();
        let word = self.slots[self.slot(packed)];
        (word != 0).then(|| {
            let mv = move_of_code((word >> MOVE) as u8);
            Win { moves: moves_of(word), mv: if mirrored { mv.mirrored() } else { mv } }
        })
    }

    /// Keeps a win, unless a win in fewer moves is known already.
    pub(crate) fn insert(&mut self, board: Board, win: Win) {
        let (packed, mirrored) = board.canonical();
        let slot = self.slot(packed);
        let old = self.slots[slot];
        if old != 0 && moves_of(old) <= win.moves {
            return;
        }
        let mv = if mirrored { win.mv.mirrored() } else { win.mv };
        self.slots[slot] = TAKEN | packed | u64::from(win.moves) << 43 | u64::from(code_of_move(mv)) << MOVE;
        self.count += usize::from(old == 0);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// Keeps wins of packed canonical boards.
    pub(crate) fn extend(&mut self, wins: impl Iterator<Item = (u64, strategy::Win)>) {
        for (packed, win) in wins {
            let board = Board::unpack(packed).expect("packed by a board");
            self.insert(board, Win { moves: win.moves.into(), mv: win.mv });
        }
    }

    /// The words of all positions, in no order.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.slots.iter().copied().filter(|word| *word != 0)
    }

    /// Keeps a win by a word that [`Wins::words`] has given; whether the word is one.
    #[must_use]
    pub(crate) fn insert_word(&mut self, word: u64) -> bool {
        let mv = move_of_code((word >> MOVE) as u8);
        match Board::unpack(word & BOARD_MASK) {
            Some(board) if word & TAKEN != 0 && board.canonical() == (word & BOARD_MASK, false) && mv.from != mv.to => {
                self.insert(board, Win { moves: moves_of(word), mv });
                true
            }
            _ => false,
        }
    }

    fn grow(&mut self) {
        let larger = vec![0; self.slots.len() * 2];
        for word in std::mem::replace(&mut self.slots, larger) {
            if word != 0 {
                let slot = self.slot(word & BOARD_MASK);
                self.slots[slot] = word;
            }
        }
    }

    /// All positions, packed, with their bounds.
    pub(crate) fn packed(&self) -> impl Iterator<Item = (u64, u16)> + '_ {
        self.slots.iter().filter(|word| **word != 0).map(move |&word| (word & BOARD_MASK, moves_of(word)))
    }
}

/// The moves of a word.
const fn moves_of(word: u64) -> u16 {
    (word >> 43) as u16 & MOST_KEPT
}

impl Default for Wins {
    fn default() -> Wins {
        Wins::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_is_found_from_the_mirror_image_too_and_only_better_ones_replace_it() {
        let mut wins = Wins::new();
        let step = |from: &str, to: &str| Move::step(from.parse().unwrap(), to.parse().unwrap());
        let mv = step("3,3", "3,2");
        let board = Board::START.after_goose(step("0,3", "0,2"));
        wins.insert(board, Win { moves: 30, mv });
        wins.insert(board.mirrored(), Win { moves: 31, mv });
        assert_eq!(wins.get(board), Some(Win { moves: 30, mv }));
        assert_eq!(wins.get(board.mirrored()), Some(Win { moves: 30, mv: mv.mirrored() }));
        assert_eq!((wins.len(), wins.get(Board::START)), (1, None));
    }
}
