//! Proof and disproof numbers of positions, in a table that forgets.

/// A number above every one that is not final.
pub(crate) const INFINITE: u32 = 1 << 28;

/// The proof and disproof numbers of a position: how hard it seems to prove and to disprove that the geese win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Proof number: 0 once the win is proven.
    pub proof: u32,
    /// Disproof number: 0 once there is nothing left to try. In this search that proves nothing about the game.
    pub disproof: u32,
    /// Moves of the geese to the end, if proven: an upper bound.
    pub moves: u8,
}

impl Numbers {
    /// The numbers of a position in which nothing is left to try.
    pub(crate) const FAILED: Numbers = Numbers { proof: INFINITE, disproof: 0, moves: 0 };

    /// The numbers of a position that is won in `moves` moves of the geese.
    #[must_use]
    pub(crate) const fn won(moves: u8) -> Numbers {
        Numbers { proof: 0, disproof: INFINITE, moves }
    }

    /// The numbers of an open position, with a guess at the proof number.
    #[must_use]
    pub(crate) const fn open(proof: u32) -> Numbers {
        Numbers { proof, disproof: 1, moves: 0 }
    }

    /// Whether the win is proven.
    #[must_use]
    pub(crate) const fn is_won(self) -> bool {
        self.proof == 0
    }
}

#[derive(Clone, Copy, Default)]
struct Slot {
    /// Key of 44 bits, and the number of the search in 20.
    key: u64,
    proof: u32,
    /// The disproof number, or the moves of a win.
    other: u32,
}

const SLOTS: usize = 4;

/// A table of numbers, of fixed size.
pub(crate) struct Table {
    slots: Vec<Slot>,
    search: u64,
    turn: usize,
}

impl Table {
    /// A table of `1 << log_size` positions.
    #[must_use]
    pub(crate) fn new(log_size: u32) -> Table {
        Table { slots: vec![Slot::default(); 1 << log_size], search: 1, turn: 0 }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.search += 1;
        if self.search >= 1 << 20 {
            self.slots.fill(Slot::default());
            self.search = 1;
        }
    }

    #[inline]
    fn start(&self, key: u64) -> usize {
        ((key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & (self.slots.len() - 1)) & !(SLOTS - 1)
    }

    /// The numbers of a key of at most 44 bits, if the table still has them.
    #[inline]
    #[must_use]
    pub(crate) fn get(&self, key: u64) -> Option<Numbers> {
        let tagged = key | self.search << 44;
        let start = self.start(key);
        let slot = self.slots[start..start + SLOTS].iter().find(|slot| slot.key == tagged)?;
        Some(match slot.proof {
            0 => Numbers::won(slot.other as u8),
            proof => Numbers { proof, disproof: slot.other, moves: 0 },
        })
    }

    /// Keeps the numbers of a key.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, numbers: Numbers) {
        let tagged = key | self.search << 44;
        let start = self.start(key);
        let search = self.search;
        self.turn = (self.turn + 1) % SLOTS;
        let turn = self.turn;
        let slots = &mut self.slots[start..start + SLOTS];
        let index = slots
            .iter()
            .position(|slot| slot.key == tagged)
            .or_else(|| slots.iter().position(|slot| slot.key >> 44 != search))
            .unwrap_or(turn);
        let other = if numbers.is_won() { u32::from(numbers.moves) } else { numbers.disproof };
        slots[index] = Slot { key: tagged, proof: numbers.proof, other };
    }
}
