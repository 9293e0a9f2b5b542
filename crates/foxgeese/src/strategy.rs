//! A strategy of the geese: for each of its positions a move, and an upper bound on the number of
//! moves to the win. Format: `docs/foxgeese.md`, "The strategy's file".

use crate::board::{Board, Cell, Direction};
use crate::moves::Move;
use engine::checksum;
use std::sync::OnceLock;

/// The number of positions in a block.
const BLOCK: usize = 64;

const MAGIC: &[u8; 8] = b"FOXGEES1";
const HEADER_BYTES: usize = 12;
const INDEX_ENTRY_BYTES: usize = 10;
const CHECKSUM_BYTES: usize = 8;

/// A proven win of the geese from a position in which they are to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Win {
    /// An upper bound on the geese's moves to the end, this one included, whatever the foxes do.
    pub moves: u8,
    /// The geese's move.
    pub mv: Move,
}

/// A strategy in its packed form.
#[derive(Clone, Copy, Debug)]
pub struct Strategy<'a> {
    bytes: &'a [u8],
    positions: usize,
}

/// The strategy that the agent plays from, which `make prove-foxgeese` checks by the rules alone.
#[cfg(feature = "embedded")]
static EMBEDDED: &[u8] = include_bytes!("../data/strategy.bin");

#[cfg(feature = "embedded")]
impl Strategy<'static> {
    /// The strategy inside the program.
    pub fn embedded() -> Strategy<'static> {
        Strategy::unchecked(EMBEDDED).expect("the embedded strategy has been checked by the tests")
    }

    /// The bytes of the strategy inside the program.
    pub fn embedded_bytes() -> &'static [u8] {
        EMBEDDED
    }
}

/// The strategy that [`provide`] has set.
static PROVIDED: OnceLock<Strategy<'static>> = OnceLock::new();

/// Sets the strategy from the bytes of `data/strategy.bin`, in a program without the feature
/// `embedded`. The bytes are kept as long as the program runs.
///
/// # Errors
/// The bytes are not a strategy.
pub fn provide(bytes: Vec<u8>) -> Result<(), &'static str> {
    Strategy::new(&bytes)?;
    if PROVIDED.get().is_none() {
        let _ = PROVIDED.set(Strategy::new(bytes.leak())?);
    }
    Ok(())
}

impl Strategy<'static> {
    /// The strategy to play from: the embedded one, or the one that [`provide`] has set; `None` if
    /// there is none.
    pub fn known() -> Option<Strategy<'static>> {
        #[cfg(feature = "embedded")]
        return Some(Strategy::embedded());
        #[cfg(not(feature = "embedded"))]
        PROVIDED.get().copied()
    }
}

impl<'a> Strategy<'a> {
    /// Reads a strategy from bytes and verifies its length and checksum, or says what is wrong.
    /// Whether it wins is up to [`check`](crate::check::check).
    pub fn new(bytes: &'a [u8]) -> Result<Strategy<'a>, &'static str> {
        let strategy = Strategy::unchecked(bytes)?;
        let (body, sum) = bytes.split_at(bytes.len() - CHECKSUM_BYTES);
        if sum != checksum(body).to_le_bytes() {
            return Err(
                "the strategy's checksum is wrong: it has been changed or was not written in full",
            );
        }
        Ok(strategy)
    }

    fn unchecked(bytes: &'a [u8]) -> Result<Strategy<'a>, &'static str> {
        if !bytes.starts_with(MAGIC) {
            return Err("not a strategy of Foxes and Geese: it does not begin with FOXGEES1");
        }
        let positions = number(bytes, MAGIC.len(), 4) as usize;
        let least = HEADER_BYTES + positions.div_ceil(BLOCK) * INDEX_ENTRY_BYTES + CHECKSUM_BYTES;
        if bytes.len() < HEADER_BYTES + CHECKSUM_BYTES || bytes.len() < least {
            return Err("the strategy's length does not fit its number of positions");
        }
        Ok(Strategy { bytes, positions })
    }

    /// The number of positions, mirror images counted once.
    pub fn len(self) -> usize {
        self.positions
    }

    /// Whether it has no positions.
    pub fn is_empty(self) -> bool {
        self.positions == 0
    }

    /// Looks up a board with the geese to move, or its mirror image.
    pub fn get(self, board: Board) -> Option<Win> {
        let (packed, mirrored) = board.canonical();
        let (mut low, mut high) = (0, self.positions.div_ceil(BLOCK));
        while low < high {
            let middle = low.midpoint(high);
            if self.first_of(middle) <= packed { low = middle + 1 } else { high = middle }
        }
        let found = self.block(low.checked_sub(1)?).find(|&(key, _)| key >= packed);
        let (_, win) = found.filter(|&(key, _)| key == packed)?;
        Some(if mirrored { Win { mv: win.mv.mirrored(), ..win } } else { win })
    }

    /// All positions by ascending packed board, with their wins.
    pub fn entries(self) -> impl Iterator<Item = (u64, Win)> + 'a {
        (0..self.positions.div_ceil(BLOCK)).flat_map(move |block| self.block(block))
    }

    fn first_of(self, block: usize) -> u64 {
        number(self.bytes, HEADER_BYTES + block * INDEX_ENTRY_BYTES, 6)
    }

    fn block(self, block: usize) -> impl Iterator<Item = (u64, Win)> + 'a {
        let entries = HEADER_BYTES + self.positions.div_ceil(BLOCK) * INDEX_ENTRY_BYTES;
        let mut at =
            entries + number(self.bytes, HEADER_BYTES + block * INDEX_ENTRY_BYTES + 6, 4) as usize;
        let count = BLOCK.min(self.positions - block * BLOCK);
        let mut key = self.first_of(block);
        (0..count).map(move |index| {
            if index > 0 {
                let (difference, next) = varint(self.bytes, at);
                key = key.wrapping_add(difference);
                at = next;
            }
            let byte = |at| self.bytes.get(at).copied().unwrap_or(0);
            let win = Win { mv: move_of_code(byte(at)), moves: byte(at + 1) };
            at += 2;
            (key, win)
        })
    }
}

/// Encodes a strategy. The positions must be sorted by packed board, each once.
pub fn write(positions: &[(u64, Win)]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend((positions.len() as u32).to_le_bytes());
    let mut entries = Vec::new();
    for block in positions.chunks(BLOCK) {
        bytes.extend(&block[0].0.to_le_bytes()[..6]);
        bytes.extend((entries.len() as u32).to_le_bytes());
        for (index, &(key, win)) in block.iter().enumerate() {
            if index > 0 {
                push_varint(&mut entries, key - block[index - 1].0);
            }
            entries.extend([code_of_move(win.mv), win.moves]);
        }
    }
    bytes.extend(entries);
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// Reads a little-endian number of `length` bytes. Bytes past the end count as 0.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    (0..length).fold(0, |sum, index| {
        sum | u64::from(bytes.get(at + index).copied().unwrap_or(0)) << (8 * index)
    })
}

fn varint(bytes: &[u8], mut at: usize) -> (u64, usize) {
    let mut sum = 0;
    for shift in (0..63).step_by(7) {
        let byte = bytes.get(at).copied().unwrap_or(0);
        at += 1;
        sum |= u64::from(byte & 127) << shift;
        if byte < 128 {
            break;
        }
    }
    (sum, at)
}

fn push_varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Encodes a step of a goose: its cell in the lower 6 bits, and above them its direction.
fn code_of_move(mv: Move) -> u8 {
    let way = Direction::OF_GEESE.into_iter().position(|way| way.step(mv.from) == Some(mv.to));
    (mv.from.index() | way.unwrap_or(3) << 6) as u8
}

/// Decodes a step. An invalid byte gives a step that ends where it begins.
fn move_of_code(code: u8) -> Move {
    let Some(from) = Cell::from_index(usize::from(code & 63)) else {
        return Move::step(Cell::FIRST, Cell::FIRST);
    };
    let way = Direction::OF_GEESE.get(usize::from(code >> 6));
    Move::step(from, way.and_then(|way| way.step(from)).unwrap_or(from))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(from: &str, to: &str) -> Move {
        Move::step(from.parse().unwrap(), to.parse().unwrap())
    }

    /// Positions whose packed boards differ by little and by much.
    fn sample_positions() -> Vec<(u64, Win)> {
        let win = |index: u64| Win { moves: (index % 100) as u8, mv: step("3,3", "3,2") };
        (0..1_000).map(|index| (index * index * index * 7 + 5, win(index))).collect()
    }

    #[test]
    fn what_was_written_is_read_back() {
        for count in [0, 1, BLOCK, BLOCK + 1, 1_000] {
            let positions = &sample_positions()[..count];
            let bytes = write(positions);
            let strategy = Strategy::new(&bytes).unwrap();
            assert_eq!(strategy.len(), count);
            assert!(strategy.entries().eq(positions.iter().copied()));
        }
    }

    #[test]
    fn a_changed_byte_and_a_missing_one_are_noticed() {
        let bytes = write(&sample_positions());
        for index in (0..bytes.len()).step_by(13) {
            let mut changed = bytes.clone();
            changed[index] ^= 1 << (index % 8);
            assert!(Strategy::new(&changed).is_err(), "byte {index}");
            assert!(Strategy::new(&bytes[..index]).is_err(), "cut at {index}");
        }
    }

    #[test]
    fn a_position_is_found_from_its_mirror_image_too() {
        let mv = step("3,3", "3,2");
        let board = Board::START.after_goose(step("0,3", "0,2"));
        let (packed, mirrored) = board.canonical();
        let kept = if mirrored { mv.mirrored() } else { mv };
        let bytes = write(&[(packed, Win { moves: 30, mv: kept })]);
        let strategy = Strategy::new(&bytes).unwrap();
        assert_eq!(strategy.get(board), Some(Win { moves: 30, mv }));
        assert_eq!(strategy.get(board.mirrored()), Some(Win { moves: 30, mv: mv.mirrored() }));
        assert_eq!(strategy.get(Board::START), None);
    }
}
