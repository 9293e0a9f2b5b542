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

/// The numbers of a node in which one child that is proven is enough: the side that is to win moves.
pub(crate) fn either(children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
    let Some(proof) = children.clone().map(|child| child.proof).min() else { return Numbers::FAILED };
    if proof == 0 {
        let least = children.filter(|child| child.is_won()).map(|child| child.moves).min();
        return Numbers::won(least.unwrap_or(0) + 1);
    }
    let open = children.filter(|child| child.disproof > 0);
    let (largest, count) = open.fold((0, 0), |(largest, count), child| (child.disproof.max(largest), count + 1));
    if count == 0 {
        return Numbers::FAILED;
    }
    // The largest and the number of the others, not the sum: boards that several lines lead to would count for each.
    Numbers { proof: proof.min(INFINITE - 1), disproof: (largest + count - 1).min(INFINITE - 1), moves: 0 }
}

/// The numbers of a node in which every child has to be proven: the other side moves.
pub(crate) fn all(children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
    let disproof = children.clone().map(|child| child.disproof).min().unwrap_or(INFINITE);
    if disproof == 0 {
        return Numbers::FAILED;
    }
    let open = children.clone().filter(|child| !child.is_won());
    let (largest, count) = open.fold((0, 0), |(largest, count), child| (child.proof.max(largest), count + 1));
    if count == 0 {
        return Numbers::won(children.map(|child| child.moves).max().unwrap_or(0));
    }
    Numbers { proof: (largest + count - 1).min(INFINITE - 1), disproof, moves: 0 }
}

/// The index of the least number, and the second least number.
pub(crate) fn two_least(numbers: impl Iterator<Item = u32>) -> (usize, u32) {
    let (mut index, mut least, mut second) = (0, u32::MAX, INFINITE);
    for (candidate, value) in numbers.enumerate() {
        if value < least {
            (index, second, least) = (candidate, least.min(INFINITE), value);
        } else {
            second = second.min(value);
        }
    }
    (index, second)
}
