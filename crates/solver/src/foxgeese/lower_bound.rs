//! Lower bounds of the length of the shortest win: proofs that the geese cannot win within a number of their moves.
//!
//! The search examines every move of the geese, and needs one move of the foxes that prevents the win. For each board it
//! keeps the largest number of moves within which the geese are proven not to win, and the smallest within which they are.

use foxgeese::board::{Board, SQUARE, neighbours};
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use foxgeese::rules::LOST_GEESE;

/// The number of bits of a packed board.
const BOARD_BITS: u32 = 43;
/// The number of bits of each number of moves.
const MOVES_BITS: u32 = 7;
/// The value of [`Bounds::won`] if no win is known.
const NO_WIN: u8 = (1 << MOVES_BITS) - 1;

/// The least number of moves for which results are stored; with fewer, searching again is cheaper.
pub(crate) const LEAST_KEPT: u8 = 3;

/// The proven bounds of a board with the geese to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    /// The largest number of their moves within which the geese are proven not to win.
    held: u8,
    /// The smallest number of moves within which they are proven to win; [`NO_WIN`] if there is none.
    won: u8,
}

/// The bounds of a board of which nothing is proven.
const UNKNOWN: Bounds = Bounds { held: 0, won: NO_WIN };

/// The error that the table of bounds is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the table is full; give it more by --mib")]
pub(crate) struct TableFull;

/// A table of bounds by packed canonical board: 8 bytes an entry, and no entry is ever replaced by one of another board.
pub(crate) struct BoundsTable {
    slots: Vec<u64>,
    count: usize,
}

impl BoundsTable {
    /// Creates a table whose size in bytes is the largest power of two within `mib` MiB; 0 counts as 1.
    pub(crate) fn new(mib: usize) -> BoundsTable {
        let slots = (mib.max(1) << 20) / size_of::<u64>();
        BoundsTable { slots: vec![0; 1 << slots.ilog2()], count: 0 }
    }

    /// Returns the number of boards in the table.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    fn slot(&self, packed: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (packed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & mask;
        while self.slots[slot] != 0 && self.slots[slot] & ((1 << BOARD_BITS) - 1) != packed {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn get(&self, packed: u64) -> Bounds {
        let word = self.slots[self.slot(packed)] >> BOARD_BITS;
        let number = |bits: u64| (bits & u64::from(NO_WIN)) as u8;
        if word == 0 { UNKNOWN } else { Bounds { held: number(word), won: number(word >> MOVES_BITS) } }
    }

    fn put(&mut self, packed: u64, bounds: Bounds) -> Result<(), TableFull> {
        let slot = self.slot(packed);
        if self.slots[slot] == 0 {
            // In a table filled further, linear probing for a free slot takes ever longer.
            if self.count >= self.slots.len() / 8 * 7 {
                return Err(TableFull);
            }
            self.count += 1;
        }
        self.slots[slot] = packed | (u64::from(bounds.held) | u64::from(bounds.won) << MOVES_BITS) << BOARD_BITS;
        Ok(())
    }

    /// Returns the largest number of the geese's moves within which they are proven not to win.
    pub(crate) fn held(&self, board: Board) -> u8 {
        self.get(board.canonical().0).held
    }
}

/// A search for lower bounds, with the bounds proven so far.
pub(crate) struct LowerBoundSearch {
    /// The bounds proven so far.
    pub table: BoundsTable,
    /// The number of boards visited.
    pub nodes: u64,
}

impl LowerBoundSearch {
    /// Creates a search with a table of `mib` MiB.
    pub(crate) fn new(mib: usize) -> LowerBoundSearch {
        LowerBoundSearch { table: BoundsTable::new(mib), nodes: 0 }
    }

    /// Returns whether the geese, who are to move, cannot win within `moves` of their moves.
    ///
    /// # Errors
    /// The table is full.
    pub(crate) fn holds(&mut self, board: Board, moves: u8) -> Result<bool, TableFull> {
        self.nodes += 1;
        match moves {
            _ if board.geese.len() <= LOST_GEESE => return Ok(true),
            0 => return Ok(true),
            1 => return Ok(!wins_at_once(board)),
            2 => return Ok(holds_for_two(board)),
            LEAST_KEPT.. => {}
        }
        let packed = board.canonical().0;
        let known = self.table.get(packed);
        if known.held >= moves || known.won <= moves {
            return Ok(known.held >= moves);
        }
        let holds = self.all_answered(board, moves)?;
        let known = self.table.get(packed);
        self.table.put(packed, if holds { Bounds { held: moves, ..known } } else { Bounds { won: moves, ..known } })?;
        Ok(holds)
    }

    /// Returns whether the foxes have an answer to every move of the geese. Moves are tried by falling evaluation for the
    /// geese.
    fn all_answered(&mut self, board: Board, moves: u8) -> Result<bool, TableFull> {
        if moves == LEAST_KEPT {
            return Ok(!board.any_goose_move(|after| {
                self.nodes += 1;
                !answered_for_two(after)
            }));
        }
        let mut afters: Vec<(i32, Board)> = Vec::with_capacity(24);
        board.each_goose_move(|mv| {
            let after = board.after_goose(mv);
            afters.push((-for_geese(after), after));
        });
        afters.sort_by_key(|&(value, _)| value);
        for (_, after) in afters {
            if self.answer(after, moves - 1)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns a move of the foxes, who are to move, after which the geese cannot win within `moves` more moves; `None` if
    /// there is none or the geese have won.
    fn answer(&mut self, after: Board, moves: u8) -> Result<Option<Move>, TableFull> {
        self.nodes += 1;
        if after.square_is_full() {
            return Ok(None);
        }
        let mut replies: Vec<(u8, i32, Move)> = Vec::with_capacity(12);
        after.each_fox_move(|reply| {
            let next = after.after_fox(reply);
            let known = self.table.get(next.canonical().0);
            if known.won > moves {
                replies.push((NO_WIN - known.held, for_geese(next), reply));
            }
        });
        replies.sort_by_key(|&(held, value, _)| (held, value));
        for (.., reply) in replies {
            if self.holds(after.after_fox(reply), moves)? {
                return Ok(Some(reply));
            }
        }
        Ok(None)
    }
}

/// Returns whether the foxes, who are to move, have a move after which the geese cannot win within two moves. Moves that
/// leave the foxes the most empty cells are tried first.
fn answered_for_two(after: Board) -> bool {
    if after.square_is_full() {
        return false;
    }
    let mut replies: Vec<(u32, Board)> = Vec::with_capacity(12);
    after.each_fox_move(|reply| {
        let next = after.after_fox(reply);
        replies.push((open(next), next));
    });
    replies.sort_by_key(|&(open, _)| std::cmp::Reverse(open));
    replies.into_iter().any(|(_, next)| holds_for_two(next))
}

/// Returns whether the geese, who are to move, cannot win within two moves. Replies are not sorted: that would cost more
/// than it saves.
fn holds_for_two(board: Board) -> bool {
    let answered = |after: Board| !after.square_is_full() && after.any_fox_move(|next| !wins_at_once(next));
    board.geese.len() <= LOST_GEESE || !board.any_goose_move(|after| !answered(after))
}

/// Returns the number of empty cells beside the foxes.
fn open(board: Board) -> u32 {
    (neighbours(board.foxes) & board.empty()).len()
}

/// Returns whether the geese have a move that wins at once.
pub(crate) fn wins_at_once(board: Board) -> bool {
    // One move fills one cell. While two cells are open beside the foxes and two in the square, no move blocks the foxes
    // or fills the square.
    let far = open(board) > 1 && (SQUARE - board.geese).len() > 1;
    !far && board.geese.len() > LOST_GEESE
        && board.any_goose_move(|after| after.square_is_full() || after.foxes_are_blocked())
}

#[cfg(test)]
mod tests {
    use super::*;
    use foxgeese::board::{BOARD, Cells};

    /// Returns whether the geese win within `limit` moves, by a search of all moves.
    fn slow(board: Board, limit: u8) -> bool {
        let mut won = false;
        if limit > 0 && board.geese.len() > LOST_GEESE {
            board.each_goose_move(|mv| {
                let after = board.after_goose(mv);
                let mut all = true;
                if !after.square_is_full() {
                    after.each_fox_move(|reply| all &= slow(after.after_fox(reply), limit - 1));
                }
                won |= all;
            });
        }
        won
    }

    #[test]
    fn the_search_agrees_with_a_slow_one() {
        // Boards with up to 26 geese, so that foxes are often shut in, from a fixed sequence of pseudo-random numbers.
        let mut seed = 7_u64;
        let (mut wins, mut search) = (0, LowerBoundSearch::new(1));
        for _ in 0..300 {
            seed = engine::split_mix(seed);
            let cells: Vec<_> = BOARD.into_iter().collect();
            let foxes = Cells::one(cells[(seed % 33) as usize]).with(cells[(seed >> 8) as usize % 33]);
            let geese = (0..26).map(|index| cells[(engine::split_mix(seed ^ index) % 33) as usize]).collect::<Cells>();
            let board = Board { geese: geese - foxes, foxes };
            if foxes.len() != 2 || board.square_is_full() || board.foxes_are_blocked() {
                continue;
            }
            for moves in 1..=3 {
                let won = slow(board, moves);
                assert_eq!(search.holds(board, moves), Ok(!won), "{board:?} within {moves}");
                wins += u32::from(won);
            }
        }
        assert!(wins > 10, "{wins} boards are won: too few to test by");
    }

    #[test]
    fn a_full_table_ends_the_search_instead_of_forgetting() {
        let mut table = BoundsTable::new(1);
        let most = (1 << 17) / 8 * 7;
        for packed in 0..most {
            table.put(packed, Bounds { held: 2, won: NO_WIN }).unwrap();
        }
        assert_eq!((table.put(most, UNKNOWN), table.len() as u64), (Err(TableFull), most));
        assert_eq!(table.get(5), Bounds { held: 2, won: NO_WIN });
    }
}
