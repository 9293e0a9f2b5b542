//! The implementation of [`StagedBoard`] for Foxes and Geese.

use crate::staged::{Measures, StagedBoard};
use foxgeese::board::{Board, Cells, neighbours};
use foxgeese::evaluate::for_geese;
use foxgeese::moves::Move;
use foxgeese::rules::MOST_GEESE;
use foxgeese::strategy;

/// Returns the distance of the geese from having shut the foxes in: four for each cell of the foxes' region, three for
/// each goose lost.
fn distance_with(board: Board, region: Cells) -> u32 {
    4 * region.len() + 3 * MOST_GEESE.saturating_sub(board.geese.len())
}

impl StagedBoard for Board {
    type Move = Move;

    const MAGIC: &'static [u8; 8] = b"GEESEWIN";
    const MOVES_BITS: u32 = 12;
    const FULL_FLOCK: u32 = MOST_GEESE;

    #[inline]
    fn canonical(self) -> (u64, bool) {
        Board::canonical(self)
    }

    fn unpack(packed: u64) -> Option<Board> {
        Board::unpack(packed)
    }

    fn mirrored(mv: Move) -> Move {
        mv.mirrored()
    }

    fn code_of_move(mv: Move) -> u8 {
        strategy::code_of_move(mv)
    }

    fn move_of_code(code: u8) -> Option<Move> {
        Some(strategy::move_of_code(code)).filter(|mv| mv.from != mv.to)
    }

    #[inline]
    fn is_won(self) -> bool {
        self.square_is_full() || self.foxes_are_blocked()
    }

    #[inline]
    fn after_flock_move(self, mv: Move) -> Board {
        self.after_goose(mv)
    }

    #[inline]
    fn each_flock_move(self, mut visit: impl FnMut(Move, Board, bool)) {
        let region = self.region();
        let beside = region | neighbours(region);
        let near = beside | neighbours(beside);
        self.each_goose_move(|mv| visit(mv, self.after_goose(mv), near.contains(mv.from) || near.contains(mv.to)));
    }

    #[inline]
    fn each_after_fox_move(self, mut visit: impl FnMut(Board)) {
        self.each_fox_move(|mv| visit(self.after_fox(mv)));
    }

    fn distance(self) -> u32 {
        distance_with(self, self.region())
    }

    #[inline]
    fn measures(self) -> Measures {
        let region = self.region();
        Measures { threats: self.threats(region), distance: distance_with(self, region) }
    }

    #[inline]
    fn value(self) -> i32 {
        for_geese(self)
    }

    #[inline]
    fn flock_size(self) -> u32 {
        self.geese.len()
    }

    #[inline]
    fn foxes_can_jump(self) -> bool {
        Board::foxes_can_jump(self)
    }

    #[inline]
    fn empty_beside_foxes(self) -> u32 {
        (neighbours(self.foxes) & self.empty()).len()
    }
}
