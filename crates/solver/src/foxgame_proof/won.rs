//! The won positions found so far: for each, a step of SHEEP and in how many of its steps it wins at most.

use super::board::{canonical, code_of_step, mirrored, step_of_code, unpack};
use foxgame::board::Board;
use foxgame::rules::Move;

/// The largest number of steps to the end that a win can have.
pub(crate) const MOST_STEPS: u16 = 1_023;

/// A win from a position with SHEEP to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Win {
    /// Steps of SHEEP to the end, this one included, whatever FOX does: an upper bound, at most [`MOST_STEPS`].
    pub moves: u16,
    /// The step.
    pub mv: Move,
}

/// A set of won positions, mirror images counted once. Open addressing over one word a position.
///
/// Bits of a word, from the lowest: board 43, steps to the end 10, step 8; the highest bit is set.
pub(crate) struct Wins {
    slots: Vec<u64>,
    count: usize,
    /// A bit for each set of sheep that is part of a win; different sets may share one.
    flocks: Vec<u64>,
}

const BOARD_MASK: u64 = (1 << 43) - 1;
const TAKEN: u64 = 1 << 63;

impl Wins {
    /// An empty set.
    #[must_use]
    pub(crate) fn new() -> Wins {
        Wins { slots: vec![0; 1 << 20], count: 0, flocks: vec![0; 1 << FLOCK_BITS >> 6] }
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

    /// The number of SHEEP's steps in which a position is won, by its packed canonical form.
    #[inline]
    #[must_use]
    pub(crate) fn moves(&self, packed: u64) -> Option<u16> {
        let word = self.slots[self.slot(packed)];
        (word != 0).then_some((word >> 43 & u64::from(MOST_STEPS)) as u16)
    }

    /// The win from a board with SHEEP to move, if one is known.
    #[must_use]
    pub(crate) fn get(&self, board: Board) -> Option<Win> {
        let (packed, image) = canonical(board);
        let word = self.slots[self.slot(packed)];
        (word != 0).then(|| {
            let win = win_of(word);
            Win { mv: if image { mirrored(win.mv) } else { win.mv }, ..win }
        })
    }

    /// Keeps a win, unless a win in fewer moves is known already.
    pub(crate) fn insert(&mut self, board: Board, win: Win) {
        let (packed, image) = canonical(board);
        let slot = self.slot(packed);
        let old = self.slots[slot];
        if old != 0 && (old >> 43 & u64::from(MOST_STEPS)) as u16 <= win.moves {
            return;
        }
        let mv = if image { mirrored(win.mv) } else { win.mv };
        self.slots[slot] = TAKEN | packed | u64::from(win.moves) << 43 | u64::from(code_of_step(mv)) << 53;
        self.count += usize::from(old == 0);
        let flock = flock(packed);
        self.flocks[flock >> 6] |= 1 << (flock & 63);
        if self.count * 2 > self.slots.len() {
            self.grow();
        }
    }

    /// Whether the sheep of a packed canonical board are those of a known win, wherever the foxes stand there. May say yes
    /// where they are not.
    #[inline]
    #[must_use]
    pub(crate) fn has_flock(&self, packed: u64) -> bool {
        let flock = flock(packed);
        self.flocks[flock >> 6] >> (flock & 63) & 1 != 0
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

    /// All positions, as packed canonical boards, with their wins, in no order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u64, Win)> + '_ {
        self.words().map(|word| (word & BOARD_MASK, win_of(word)))
    }

    /// The words of all positions, in no order.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.slots.iter().copied().filter(|word| *word != 0)
    }

    /// Keeps a win by a word that [`Wins::words`] has given; whether the word is one.
    #[must_use]
    pub(crate) fn insert_word(&mut self, word: u64) -> bool {
        let (board, step) = (unpack(word & BOARD_MASK), step_of_code((word >> 53) as u8));
        match board.zip(step) {
            Some((board, mv)) if word & TAKEN != 0 && canonical(board) == (word & BOARD_MASK, false) => {
                self.insert(board, Win { moves: (word >> 43 & u64::from(MOST_STEPS)) as u16, mv });
                true
            }
            _ => false,
        }
    }
}

/// The number of bits of the number of a set of sheep.
const FLOCK_BITS: u32 = 27;

/// The number of the sheep of a packed board, hashed.
fn flock(packed: u64) -> usize {
    ((packed & ((1 << 33) - 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - FLOCK_BITS)) as usize
}

/// The win of a word, its step as on the canonical board.
fn win_of(word: u64) -> Win {
    let mv = step_of_code((word >> 53) as u8).expect("the code was made of a step");
    Win { moves: (word >> 43 & u64::from(MOST_STEPS)) as u16, mv }
}

impl Default for Wins {
    fn default() -> Wins {
        Wins::new()
    }
}
