//! Proof and disproof numbers of positions, in a table that forgets.

/// Larger than every number that is not final.
pub const INFINITE: u32 = 1 << 28;

/// How hard it seems to prove and to disprove that the geese win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Proof number: 0 once the win is proven.
    pub proof: u32,
    /// Disproof number: 0 once there is nothing left to try. In this search that proves nothing about the game.
    pub disproof: u32,
    /// Moves of the geese to the end, if proven: an upper bound.
    pub moves: u8,
}

impl Numbers {
    /// Nothing left to try.
    pub const FAILED: Numbers = Numbers { proof: INFINITE, disproof: 0, moves: 0 };

    /// Won in so many moves of the geese.
    #[must_use]
    pub const fn won(moves: u8) -> Numbers {
        Numbers { proof: 0, disproof: INFINITE, moves }
    }

    /// Open, with a guess at the proof number.
    #[must_use]
    pub const fn open(proof: u32) -> Numbers {
        Numbers { proof, disproof: 1, moves: 0 }
    }

    /// Whether the win is proven.
    #[must_use]
    pub const fn is_won(self) -> bool {
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

/// A table of fixed size.
pub struct Table {
    slots: Vec<Slot>,
    search: u64,
    turn: usize,
}

impl Table {
    /// A table of `1 << log_size` positions.
    #[must_use]
    pub fn new(log_size: u32) -> Table {
        Table { slots: vec![Slot::default(); 1 << log_size], search: 1, turn: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
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

    /// What is known of a key of at most 44 bits.
    #[inline]
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Numbers> {
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
    pub fn insert(&mut self, key: u64, numbers: Numbers) {
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
