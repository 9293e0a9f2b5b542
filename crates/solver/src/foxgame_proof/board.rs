//! Boards as the proof sees them: packed into 43 bits, moved, and judged without history.

use foxgame::board::{BOARD, Board, POINTS, Point, PointSet, WAYS_OF_SHEEP, shift};
use foxgame::evaluate::measure;
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

/// The evaluation of the agent for SHEEP, with the weights of a game at its middle.
#[must_use]
pub(crate) fn for_sheep(board: Board) -> i32 {
    let (mut early, mut late) = (0, 0);
    measure(board, FOX, |feature, amount| {
        early += i32::from(WEIGHTS[feature][0]) * amount;
        late += i32::from(WEIGHTS[feature][1]) * amount;
    });
    let phase = foxgame::evaluate::phase(board);
    (early * phase + late * (foxgame::evaluate::PHASES - phase)) / foxgame::evaluate::PHASES
}

/// A set mirrored left to right.
#[inline]
const fn mirror(points: PointSet) -> PointSet {
    PointSet::from_bits(points.bits().reverse_bits().swap_bytes() >> 1)
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
    let symbol = |x, y| match Point::new(x, y) {
        None => ' ',
        Some(point) if board.foxes.contains(point) => 'F',
        Some(point) if board.sheep.contains(point) => 'S',
        Some(_) => '.',
    };
    let row = |y| (0..7).map(|x| symbol(x, y)).collect::<String>().trim_end().to_owned();
    (0..7).map(row).collect::<Vec<_>>().join("\n")
}
