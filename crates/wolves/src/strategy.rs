//! The sheep's win from figure 1, without any table file: a set of positions with wolves to move
//! such that the sheep can always move into the set or win at once, whatever the wolves play. `make
//! prove` verifies it with the rules alone.
//!
//! `data/strategy.bin` is made by `lab wolves-data --strategy`. For each layer of 2 wolves, from 3 to
//! 10 sheep, and each class of wolf sets, there are two blocks (`data_file.rs`): the set, then
//! the exceptions. Both hold the ranks of the sheep in ascending order as differences in unsigned
//! LEB128: groups of 7 bits, the lowest first, the last one without its upper bit. In the block of
//! exceptions, whose positions have sheep to move, each rank is followed by a byte: the index of
//! the right answer among those that lead into the set.

use crate::board::{IDENTITY, SYMMETRIES, inverse};
use crate::data_file;
use crate::index::Layer;
use crate::rules::{Move, Position, SHEEP, SHEEP_LOST, WOLVES};
use engine::{DataFile, Game, Outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::OnceLock;

#[cfg(feature = "embedded")]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!("../data/strategy.bin"));
#[cfg(not(feature = "embedded"))]
const EMBEDDED: Option<&[u8]> = None;
static DATA: DataFile = DataFile::new(EMBEDDED, 0x95ea_884f_cee4_6d83);

/// Passes in the bytes of `data/strategy.bin`, for a program built without them.
///
/// # Errors
/// The bytes have another checksum.
pub fn provide(bytes: Vec<u8>) -> Result<(), String> {
    DATA.provide(bytes)
}

/// The numbers of sheep in the strategy's layers.
pub const LAYERS: RangeInclusive<u32> = SHEEP_LOST + 1..=10;
const WOLF_COUNT: u32 = 2;
/// A bound on the length of a decompressed block: four bytes for each position of a class.
const BLOCK_LIMIT: usize = 4 << 20;

fn layers() -> &'static [Layer] {
    static ALL: OnceLock<Vec<Layer>> = OnceLock::new();
    ALL.get_or_init(|| LAYERS.map(|sheep| Layer::new(WOLF_COUNT, sheep)).collect())
}

fn layer(sheep: u32) -> &'static Layer {
    &layers()[(sheep - LAYERS.start()) as usize]
}

/// The smallest number among a position's images in its layer, and the symmetry to that image.
fn canonical(position: &Position) -> (usize, usize) {
    let layer = layer(position.sheep().len());
    let stored = (0..SYMMETRIES).filter_map(|symmetry| {
        let (number, way) = layer.number(&position.image(symmetry));
        (way == IDENTITY).then_some((number, symmetry))
    });
    stored.min().expect("one of the images is the stored one")
}

/// The key of a position in the strategy: its number of sheep, and the smallest number among its
/// images.
pub fn place(position: &Position) -> (u32, usize) {
    (position.sheep().len(), canonical(position).0)
}

/// The image of a position with the smallest number in its layer.
pub fn canonical_image(position: &Position) -> Position {
    position.image(canonical(position).1)
}

/// The index of the default answer among several that all are won or in the set: the first won one,
/// or the first of those that leave wolves the fewest moves.
pub fn default_answer(answers: &[Position]) -> Option<usize> {
    (0..answers.len()).min_by_key(|&index| answers[index].legal_moves().len())
}

/// The sheep's moves that win at once or lead into a set, with the positions after them.
pub fn answers(
    position: &Position,
    holds: impl Fn(&Position) -> bool,
) -> impl Iterator<Item = (Move, Position)> {
    let nexts = position.legal_moves().into_iter().map(|mv| (mv, position.after(mv)));
    nexts.filter(move |(_, next)| match next.outcome() {
        Some(outcome) => outcome == Outcome::Win(SHEEP),
        None => holds(next),
    })
}

/// Encodes a set and its exceptions, by [`place`], as `data/strategy.bin`. `compress` makes raw
/// deflate streams.
pub fn pack(
    set: &BTreeSet<(u32, usize)>,
    exceptions: &BTreeMap<(u32, usize), u8>,
    compress: impl Fn(&[u8]) -> Vec<u8>,
) -> Vec<u8> {
    let (mut lengths, mut blocks) = (Vec::new(), Vec::new());
    let mut add = |block: &[u8]| {
        let packed = if block.is_empty() { Vec::new() } else { compress(block) };
        lengths.extend((packed.len() as u32).to_le_bytes());
        blocks.extend(packed);
    };
    for (sheep, layer) in LAYERS.zip(layers()) {
        let combinations = layer.ranking.combinations();
        for class in 0..layer.classes.sets().len() {
            let (start, end) = ((sheep, class * combinations), (sheep, (class + 1) * combinations));
            let mut block = Vec::new();
            let mut last = start.1;
            for &(_, number) in set.range(start..end) {
                write_leb128(&mut block, number - std::mem::replace(&mut last, number));
            }
            add(&block);
            block.clear();
            last = start.1;
            for (&(_, number), &answer) in exceptions.range(start..end) {
                write_leb128(&mut block, number - std::mem::replace(&mut last, number));
                block.push(answer);
            }
            add(&block);
        }
    }
    [lengths, blocks].concat()
}

fn write_leb128(block: &mut Vec<u8>, mut difference: usize) {
    while difference >= 128 {
        block.push(difference as u8 | 128);
        difference >>= 7;
    }
    block.push(difference as u8);
}

fn read_leb128(bytes: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let (mut difference, mut shift) = (0, 0);
    loop {
        let byte = bytes.next()?;
        difference |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(difference);
        }
        shift += 7;
    }
}

/// The decompressed part of the strategy for one class in one layer.
struct Block {
    /// The numbers of the set's positions, in ascending order.
    set: Vec<u32>,
    /// The numbers of the exceptions, in ascending order, and the index of the right answer.
    exceptions: Vec<(u32, u8)>,
}

/// The block of a class in the layer with this number of sheep, decompressed on first use.
fn block(data: &'static [u8], sheep: u32, class: usize) -> &'static Block {
    type Packed = [&'static [u8]; 2];
    static ALL: OnceLock<Vec<(Packed, OnceLock<Block>)>> = OnceLock::new();
    let classes = layers()[0].classes.sets().len();
    let all = ALL.get_or_init(|| {
        let mut blocks = data_file::blocks(data, 2 * layers().len() * classes);
        let pairs = std::iter::from_fn(|| Some([blocks.next()?, blocks.next()?]));
        pairs.map(|pair| (pair, OnceLock::new())).collect()
    });
    let (packed, unpacked) = &all[(sheep - LAYERS.start()) as usize * classes + class];
    unpacked.get_or_init(|| {
        let [mut set, mut exceptions] = packed.map(|packed| match packed {
            [] => Vec::new().into_iter(),
            _ => data_file::unpacked(packed, BLOCK_LIMIT).into_iter(),
        });
        let first = class * layer(sheep).ranking.combinations();
        let mut number = first;
        let set = std::iter::from_fn(|| {
            number += read_leb128(&mut set)?;
            Some(number as u32)
        });
        let set = set.collect();
        number = first;
        let exceptions = std::iter::from_fn(|| {
            number += read_leb128(&mut exceptions)?;
            Some((number as u32, exceptions.next()?))
        });
        Block { set, exceptions: exceptions.collect() }
    })
}

fn block_of(data: &'static [u8], sheep: u32, number: usize) -> &'static Block {
    block(data, sheep, number / layer(sheep).ranking.combinations())
}

/// Whether a position with wolves to move is in the set.
fn holds(data: &'static [u8], position: &Position) -> bool {
    let (sheep, number) = place(position);
    block_of(data, sheep, number).set.binary_search(&(number as u32)).is_ok()
}

/// The sheep's move that leads into the set or wins at once; `None` if there is none or the data
/// are missing. Once a move has entered the set, every continuation wins.
pub fn play(position: &Position) -> Option<Move> {
    let sheep = position.sheep().len();
    if position.side_to_move() == WOLVES
        || position.wolves().len() != WOLF_COUNT
        || !LAYERS.contains(&sheep)
    {
        return None;
    }
    let data = DATA.get()?;
    let (number, symmetry) = canonical(position);
    let board = position.image(symmetry);
    let (moves, answers): (Vec<_>, Vec<_>) = answers(&board, |next| holds(data, next)).unzip();
    let usual = default_answer(&answers)?;
    let exceptions = &block_of(data, sheep, number).exceptions;
    let named = exceptions.binary_search_by_key(&(number as u32), |exception| exception.0);
    let named = named.ok().map(|found| usize::from(exceptions[found].1));
    moves.get(named.unwrap_or(usual)).map(|mv| mv.image(inverse(symmetry)))
}
