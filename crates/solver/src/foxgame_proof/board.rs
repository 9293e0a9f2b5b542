//! Boards as the proof sees them: packed into 43 bits, moved, and judged without history.

use foxgame::board::{BOARD, Board, POINTS, Point, PointSet, WAYS_OF_SHEEP, shift};
use foxgame::endings::index::mirror;
use foxgame::evaluate::{PHASES, measure, phase};
use foxgame::feature;
use foxgame::rules::Move;
use foxgame::rules::{FOX, LEAST_SHEEP};
use foxgame::weights::WEIGHTS;

/// What a board means for SHEEP, earlier boards aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// SHEEP has won.
    Won,
    /// SHEEP has lost, or it is a draw.
    Lost,
    /// The game goes on.
    Open,
}

/// The state of a board after a move, stuck foxes removed. It is SHEEP's turn if `sheep_next`.
#[inline]
#[must_use]
pub(crate) fn state(board: Board, sheep_next: bool) -> State {
    if board.sheep.len() < LEAST_SHEEP {
        State::Lost
    } else if board.foxes.is_empty() || board.pen_is_full() {
        State::Won
    } else if sheep_next && !board.sheep_can_step() {
        State::Lost
    } else {
        State::Open
    }
}

/// The board after a sheep's step, stuck foxes removed.
#[inline]
#[must_use]
pub(crate) fn after_sheep(mut board: Board, mv: Move) -> Board {
    board.sheep = board.sheep.without(mv.from).with(mv.to);
    board.foxes -= board.stuck_foxes();
    board
}

/// The board after a fox's move, stuck foxes removed.
#[inline]
#[must_use]
pub(crate) fn after_fox(mut board: Board, mv: Move) -> Board {
    board.foxes = board.foxes.without(mv.from).with(mv.to);
    board.sheep -= mv.captured;
    board.foxes -= board.stuck_foxes();
    board
}

/// Calls `visit` with every board after a move of FOX with which the game goes on; none if it is over already.
pub(crate) fn each_reply(after: Board, mut visit: impl FnMut(Board)) {
    if state(after, false) != State::Open {
        return;
    }
    let mut moves = Vec::with_capacity(32);
    after.fox_moves(&mut moves);
    for mv in moves {
        let next = after_fox(after, mv);
        if state(next, true) == State::Open {
            visit(next);
        }
    }
}

/// The ways in which a sheep could be jumped from somewhere in the region: each sheep counts once a line.
#[inline]
#[must_use]
pub(crate) fn threats(board: Board, region: PointSet) -> u32 {
    let open = BOARD - board.sheep;
    let mut count = 0;
    for (way, opposite) in [(0, 3), (1, 2), (4, 7), (5, 6)] {
        let from = (shift(region, way) & shift(open, opposite)) | (shift(open, way) & shift(region, opposite));
        count += (from & board.sheep).len();
    }
    count
}

/// The points beside those of a set, along lines.
#[inline]
#[must_use]
pub(crate) fn neighbours(points: PointSet) -> PointSet {
    (0..8).fold(PointSet::EMPTY, |all, way| all | shift(points, way))
}

/// The agent's evaluation of a board for SHEEP.
#[must_use]
pub(crate) fn for_sheep(board: Board) -> i32 {
    weighed(board, |_| true)
}

/// The part of the agent's evaluation that FOX does not change by walking about: a board must not count as better
/// because the foxes stand badly for a moment.
#[must_use]
pub(crate) fn for_flock(board: Board) -> i32 {
    let foxes = feature::FOX..feature::FOX + feature::PLACES;
    let steps = feature::SHEEP_STEPS..feature::TURN;
    weighed(board, |number| {
        use feature::{CRAMPED, FORK, FOX_STEPS, HANGING, TURN};
        let passing = [CRAMPED, FORK, FOX_STEPS, HANGING, TURN].contains(&number);
        !(passing || foxes.contains(&number) || steps.contains(&number))
    })
}

/// The sum of the features that count, by the agent's weights.
#[inline]
fn weighed(board: Board, counts: impl Fn(usize) -> bool) -> i32 {
    let (mut early, mut late) = (0, 0);
    measure(board, FOX, |number, amount| {
        if counts(number) {
            early += i32::from(WEIGHTS[number][0]) * amount;
            late += i32::from(WEIGHTS[number][1]) * amount;
        }
    });
    let phase = phase(board);
    (early * phase + late * (PHASES - phase)) / PHASES
}

/// A move mirrored left to right.
#[must_use]
pub(crate) fn mirrored(mv: Move) -> Move {
    let image = |point: Point| mirror(PointSet::one(point)).first().expect("the mirror image of a point is a point");
    Move { from: image(mv.from), to: image(mv.to), captured: mirror(mv.captured) }
}

/// The points of a set as the 33 lowest bits, in reading order.
#[inline]
const fn compress(points: PointSet) -> u64 {
    let bits = points.bits();
    (bits >> 2 & 7)
        | (bits >> 10 & 7) << 3
        | (bits >> 16 & 127) << 6
        | (bits >> 24 & 127) << 13
        | (bits >> 32 & 127) << 20
        | (bits >> 42 & 7) << 27
        | (bits >> 50 & 7) << 30
}

/// The inverse of [`compress`].
#[inline]
const fn expand(bits: u64) -> PointSet {
    PointSet::from_bits(
        (bits & 7) << 2
            | (bits >> 3 & 7) << 10
            | (bits >> 6 & 127) << 16
            | (bits >> 13 & 127) << 24
            | (bits >> 20 & 127) << 32
            | (bits >> 27 & 7) << 42
            | (bits >> 30 & 7) << 50,
    )
}

/// The number of pairs of foxes: numbers from here on stand for one fox.
const PAIRS: u64 = (POINTS * (POINTS - 1) / 2) as u64;

/// The board in 43 bits: sheep in the lower 33, the foxes, of which there is one or two, in the upper 10.
#[inline]
const fn pack(foxes: PointSet, sheep: PointSet) -> u64 {
    let foxes = compress(foxes);
    let low = foxes.trailing_zeros() as u64;
    let high = 63 - foxes.leading_zeros() as u64;
    let code = if low == high { PAIRS + low } else { high * (high - 1) / 2 + low };
    compress(sheep) | code << 33
}

/// The packed form of the board or of its mirror image, whichever is smaller, and whether it is the mirror image's.
/// There is a fox.
#[inline]
#[must_use]
pub(crate) const fn canonical(board: Board) -> (u64, bool) {
    let (plain, mirrored) = (pack(board.foxes, board.sheep), pack(mirror(board.foxes), mirror(board.sheep)));
    if mirrored < plain { (mirrored, true) } else { (plain, false) }
}

/// The board of a packed form; `None` if no board has it.
#[must_use]
pub(crate) fn unpack(packed: u64) -> Option<Board> {
    let code = packed >> 33;
    let foxes = match code.checked_sub(PAIRS) {
        Some(low) if low < POINTS as u64 => 1 << low,
        Some(_) => return None,
        None => {
            let high = (1..POINTS as u64).rev().find(|high| high * (high - 1) / 2 <= code)?;
            1 << high | 1 << (code - high * (high - 1) / 2)
        }
    };
    let board = Board { foxes: expand(foxes), sheep: expand(packed & ((1 << POINTS) - 1)) };
    (!board.foxes.meets(board.sheep)).then_some(board)
}

/// A sheep's step in one byte: its point's place in reading order, times five, and the way.
#[must_use]
pub(crate) fn code_of_step(mv: Move) -> u8 {
    let place = compress(PointSet::one(mv.from)).trailing_zeros() as usize;
    let to = PointSet::one(mv.to);
    let way = WAYS_OF_SHEEP.iter().position(|&way| shift(PointSet::one(mv.from), way) == to);
    (place * WAYS_OF_SHEEP.len() + way.expect("a sheep steps along one of its ways")) as u8
}

/// The step of a byte; `None` if no step of a sheep has it.
#[must_use]
pub(crate) fn step_of_code(code: u8) -> Option<Move> {
    let (place, way) = (usize::from(code) / WAYS_OF_SHEEP.len(), usize::from(code) % WAYS_OF_SHEEP.len());
    if place >= POINTS {
        return None;
    }
    let from = expand(1 << place);
    Some(Move::step(from.first()?, shift(from, WAYS_OF_SHEEP[way]).first()?))
}

/// The picture of a board, one row a line.
#[must_use]
pub(crate) fn picture(board: Board) -> String {
    (0..7).map(|y| row(board, y).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// The pictures of boards side by side, eight in a row.
#[must_use]
pub(crate) fn pictures(boards: &[Board]) -> String {
    let beside = |boards: &[Board]| {
        let line = |y| boards.iter().map(|&board| row(board, y)).collect::<Vec<_>>().join("  ");
        (0..7).map(|y| line(y).trim_end().to_owned()).collect::<Vec<_>>().join("\n")
    };
    boards.chunks(8).map(beside).collect::<Vec<_>>().join("\n\n")
}

/// A row of a board, from the top, as seven symbols.
fn row(board: Board, y: usize) -> String {
    let symbol = |x| match Point::new(x, y) {
        None => ' ',
        Some(point) if board.foxes.contains(point) => 'F',
        Some(point) if board.sheep.contains(point) => 'S',
        Some(_) => '.',
    };
    (0..7).map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Game;
    use foxgame::Position;
    use foxgame::rules::SHEEP;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    /// Boards of games played at random, with the side to move and all moves.
    fn each_of_random_games(mut visit: impl FnMut(&Position)) {
        let random = &mut StdRng::seed_from_u64(22);
        for _ in 0..40 {
            let mut position = Position::initial();
            while position.outcome().is_none() {
                visit(&position);
                let moves = position.legal_moves();
                position.play(moves[random.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn boards_and_steps_are_packed_and_unpacked() {
        each_of_random_games(|position| {
            let board = position.board();
            let (packed, image) = canonical(board);
            let kept = unpack(packed).unwrap();
            let mirrored_board = Board { foxes: mirror(board.foxes), sheep: mirror(board.sheep) };
            assert_eq!(kept, if image { mirrored_board } else { board });
            assert_eq!(canonical(mirrored_board).0, packed);
            board.each_sheep_move(|mv| {
                assert_eq!(step_of_code(code_of_step(mv)), Some(mv));
                assert_eq!(mirrored(mirrored(mv)), mv);
            });
        });
        assert_eq!((unpack(1023 << 33), step_of_code(255)), (None, None));
    }

    #[test]
    fn boards_after_moves_are_those_of_the_rules() {
        each_of_random_games(|position| {
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play(mv);
                let sheep = position.side_to_move() == SHEEP;
                let after = if sheep { after_sheep(position.board(), mv) } else { after_fox(position.board(), mv) };
                assert_eq!(after, next.board());
                // Without a past there is no deadlock.
                let bare = Position::new(after, next.side_to_move());
                let expected = match bare.outcome() {
                    None => State::Open,
                    Some(engine::Outcome::Win(SHEEP)) => State::Won,
                    Some(_) => State::Lost,
                };
                assert_eq!(state(after, !sheep), expected, "{}", picture(after));
            }
        });
    }

    #[test]
    fn closed_boards_are_those_without_a_way_to_jump() {
        let start = Board::START;
        assert_eq!(threats(start, foxgame::evaluate::region(start)), 0);
        // A sheep on 2,2 with nobody on 1,2 and 3,2.
        let mv = Move::step(Point::new(2, 3).unwrap(), Point::new(2, 2).unwrap());
        let after = after_sheep(start, mv);
        assert!(threats(after, foxgame::evaluate::region(after)) > 0);
    }
}
