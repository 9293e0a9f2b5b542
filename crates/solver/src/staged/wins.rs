//! The set of positions found to be won, each with a move of the flock and an upper bound of its moves to the end.

use super::Win;
use super::board::{BOARD_BITS, each_reply, mirrored_if, move_of_code};
use foxgeese::board::Board;
use foxgeese::moves::Move;
use foxgeese::strategy::code_of_move;

/// A set of won positions, mirror images counted once: a hash table with open addressing, 8 bytes an entry.
///
/// Bits of an entry, from the lowest: packed canonical board 43, moves to the end 12, code of
/// the move 8; the highest bit is set.
pub(crate) struct Wins {
    slots: Vec<u64>,
    count: usize,
}

const BOARD_MASK: u64 = (1 << BOARD_BITS) - 1;
const MOVES_BITS: u32 = 12;
const TAKEN: u64 = 1 << 63;

/// The multiplier of the hashes: 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Wins {
    /// The largest number of moves to the end that a win can have.
    pub(crate) const MOST_MOVES: u16 = (1 << MOVES_BITS) - 1;

    /// Returns the number of positions in the set.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Returns the slot of a packed board, or the empty slot where it would go.
    #[inline]
    fn slot(&self, packed: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (packed.wrapping_mul(GOLDEN) >> 20) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] & BOARD_MASK != packed {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Returns the number of the flock's moves in which a position, given by its packed canonical board, is won.
    #[inline]
    pub(crate) fn moves(&self, packed: u64) -> Option<u16> {
        let entry = self.slots[self.slot(packed)];
        (entry != 0).then_some(Self::moves_of(entry))
    }

    /// Returns the win from a board with the flock to move, if one is known.
    pub(crate) fn get(&self, board: Board) -> Option<Win> {
        let (packed, image) = board.canonical();
        let entry = self.slots[self.slot(packed)];
        (entry != 0).then(|| {
            let win = Self::win_of(entry);
            Win { mv: mirrored_if(image, win.mv), ..win }
        })
    }

    /// Returns the number of the flock's moves to the end if it plays `mv`, by the wins known after the foxes' replies;
    /// `None` if one of those is not known. Replies that end the game are
    /// taken for won.
    pub(crate) fn moves_after(&self, board: Board, mv: Move) -> Option<u16> {
        let mut most = Some(0);
        each_reply(board.after_goose(mv), |next| {
            most = most.and_then(|most: u16| self.moves(next.canonical().0).map(|moves| most.max(moves)));
        });
        most.map(|most| most + 1)
    }

    /// Keeps a win, unless one in at most as many moves is known from the same board.
    pub(crate) fn insert(&mut self, board: Board, win: Win) {
        let (packed, image) = board.canonical();
        let slot = self.slot(packed);
        let old = self.slots[slot];
        if old != 0 && Self::moves_of(old) <= win.moves {
            return;
        }
        let code = code_of_move(mirrored_if(image, win.mv));
        self.slots[slot] =
            TAKEN | packed | u64::from(win.moves) << BOARD_BITS | u64::from(code) << (BOARD_BITS + MOVES_BITS);
        self.count += usize::from(old == 0);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let larger = vec![0; self.slots.len() * 2];
        for entry in std::mem::replace(&mut self.slots, larger) {
            if entry != 0 {
                let slot = self.slot(entry & BOARD_MASK);
                self.slots[slot] = entry;
            }
        }
    }

    /// Returns all packed canonical boards with their wins, in no order.
    pub(crate) fn positions(&self) -> impl Iterator<Item = (u64, Win)> + '_ {
        self.entries().map(|entry| (entry & BOARD_MASK, Self::win_of(entry)))
    }

    /// Returns the entries of all positions, in no order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = u64> + '_ {
        self.slots.iter().copied().filter(|entry| *entry != 0)
    }

    /// Keeps a win given by an entry of [`Wins::entries`]; returns false if the number is not a valid entry.
    pub(crate) fn insert_entry(&mut self, entry: u64) -> bool {
        let packed = entry & BOARD_MASK;
        match Board::unpack(packed).zip(move_of_code(Self::code_of(entry))) {
            Some((board, mv)) if entry & TAKEN != 0 && board.canonical() == (packed, false) => {
                self.insert(board, Win { moves: Self::moves_of(entry), mv });
                true
            }
            _ => false,
        }
    }

    /// Returns the moves to the end of an entry.
    fn moves_of(entry: u64) -> u16 {
        (entry >> BOARD_BITS) as u16 & Self::MOST_MOVES
    }

    /// Returns the code of the move of an entry.
    fn code_of(entry: u64) -> u8 {
        (entry >> (BOARD_BITS + MOVES_BITS)) as u8
    }

    /// Returns the win of an entry, its move as on the canonical board.
    fn win_of(entry: u64) -> Win {
        let mv = move_of_code(Self::code_of(entry)).expect("the code was made of a move");
        Win { moves: Self::moves_of(entry), mv }
    }
}

impl Default for Wins {
    fn default() -> Wins {
        Wins { slots: vec![0; 1 << 20], count: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foxgeese::moves::Move;

    #[test]
    fn a_win_is_found_from_the_mirror_image_too_and_only_better_ones_replace_it() {
        let mut wins = Wins::default();
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
