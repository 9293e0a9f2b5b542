//! The proof and disproof numbers of positions, and the transposition table that holds them.

/// The number of a decided position: larger than all numbers of open ones.
pub(crate) const INFINITE: u32 = 1 << 28;

/// The proof and disproof numbers of a position: how hard it seems to prove that the flock wins, and to show that the
/// search finds no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Numbers {
    /// Proof number: 0 once the win is proven.
    pub proof: u32,
    /// Disproof number: 0 once nothing is left to try. As the search prunes moves, that proves nothing about the game.
    pub disproof: u32,
    /// Moves of the flock to the end of the stage if the win is proven, an upper bound; otherwise 0.
    pub moves: u8,
}

impl Numbers {
    /// The numbers of a position in which nothing is left to try.
    pub(crate) const FAILED: Numbers = Numbers { proof: INFINITE, disproof: 0, moves: 0 };

    /// Returns the numbers of a position that is won in `moves` moves of the flock.
    pub(crate) const fn won(moves: u8) -> Numbers {
        Numbers { proof: 0, disproof: INFINITE, moves }
    }

    /// Returns the numbers of a position that is not yet searched, with a guess at its proof number.
    pub(crate) const fn open(proof: u32) -> Numbers {
        Numbers { proof, disproof: 1, moves: 0 }
    }

    /// Returns whether the win is proven.
    pub(crate) const fn is_won(self) -> bool {
        self.proof == 0
    }
}

/// A transposition table entry.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The key in the lower 44 bits and the number of the search in the upper 20.
    key: u64,
    proof: u32,
    /// The disproof number, or the moves of a win if `proof` is 0.
    other: u32,
}

/// The number of slots that a key may stand in.
const BUCKET: usize = 4;

/// A transposition table of fixed size. When a bucket is full, a new entry replaces one of it in turn.
pub(crate) struct NumberTable {
    slots: Vec<Slot>,
    /// The number of the current search; entries of earlier searches count as empty.
    search: u64,
    next_victim: usize,
}

impl NumberTable {
    /// Creates a table of `1 << log_size` positions.
    pub(crate) fn new(log_size: u32) -> NumberTable {
        NumberTable { slots: vec![Slot::default(); 1 << log_size], search: 1, next_victim: 0 }
    }

    /// Removes all entries, by starting a new search number.
    pub(crate) fn clear(&mut self) {
        self.search += 1;
        if self.search >= 1 << 20 {
            self.slots.fill(Slot::default());
            self.search = 1;
        }
    }

    /// Returns the index of the first slot of a key's bucket.
    #[inline]
    fn start(&self, key: u64) -> usize {
        ((key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & (self.slots.len() - 1)) & !(BUCKET - 1)
    }

    /// Returns the numbers of a key of at most 44 bits, if the table still has them.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Numbers> {
        let tagged = key | self.search << 44;
        let start = self.start(key);
        let slot = self.slots[start..start + BUCKET].iter().find(|slot| slot.key == tagged)?;
        Some(match slot.proof {
            0 => Numbers::won(slot.other as u8),
            proof => Numbers { proof, disproof: slot.other, moves: 0 },
        })
    }

    /// Stores the numbers of a key.
    #[inline]
    pub(crate) fn insert(&mut self, key: u64, numbers: Numbers) {
        let tagged = key | self.search << 44;
        let start = self.start(key);
        let search = self.search;
        self.next_victim = (self.next_victim + 1) % BUCKET;
        let victim = self.next_victim;
        let slots = &mut self.slots[start..start + BUCKET];
        let index = slots
            .iter()
            .position(|slot| slot.key == tagged)
            .or_else(|| slots.iter().position(|slot| slot.key >> 44 != search))
            .unwrap_or(victim);
        let other = if numbers.is_won() { u32::from(numbers.moves) } else { numbers.disproof };
        slots[index] = Slot { key: tagged, proof: numbers.proof, other };
    }
}

/// Returns the numbers of an OR node, where one proven child is enough: the flock is to move.
pub(crate) fn or_node(children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
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
    // Weak proof-number search: the largest number plus the number of other open children, not the sum, in which a board
    // that is reached by several lines would count once for each.
    Numbers { proof: proof.min(INFINITE - 1), disproof: (largest + count - 1).min(INFINITE - 1), moves: 0 }
}

/// Returns the numbers of an AND node, where every child must be proven: the foxes are to move.
pub(crate) fn and_node(children: impl Iterator<Item = Numbers> + Clone) -> Numbers {
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

/// Returns the index of the least number, and the second least number.
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
