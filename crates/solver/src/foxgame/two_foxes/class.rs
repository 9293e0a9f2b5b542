//! The solution of one class of flocks: all with the same number of sheep in each row, both foxes anywhere.
//!
//! Steps of the foxes and sideways steps of sheep stay within a class; what other moves lead to is known. Two sets are
//! spread from there. The *won* sets of foxes grow from none: those from which SHEEP wins by force. The *held* sets shrink
//! from all: those from which SHEEP is not beaten by force. What is held and not won is neither side's.

use super::super::moves::opposite;
use super::bits::{Bits, Work};
use super::terrain::{Terrain, number};
use super::words::{Layout, MOST_EMPTY, Word, add_bits, bits_at, each_bit, mirrored, or};
use foxgame::board::{BOARD, Board, PEN, Point, PointSet, WAYS, shift};
use foxgame::endings::index::{Class, Place, mirror};
use std::fmt;
use std::sync::Arc;

/// The place of the won and the held sets in arrays of both.
pub(crate) const WON: usize = 0;
/// See [`WON`].
pub(crate) const HELD: usize = 1;

/// The values of a solved class: first the won sets of all its flocks, then the held sets, each flock's in as many words.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub class: Class,
    pub words: Arc<[u64]>,
}

impl Values {
    /// Returns a flock's words of the won or the held sets.
    #[inline(always)]
    pub(crate) fn of(&self, number: usize, which: usize) -> &[u64] {
        let each = self.words.len() / (2 * self.class.len());
        let at = (which * self.class.len() + number) * each;
        &self.words[at..at + each]
    }
}

/// What captures lead to.
#[derive(Clone, Debug)]
pub(crate) enum Captures {
    /// A win of FOX: the flock would be smaller than the floor. The field says whether a draw is possible there, when as
    /// few sheep fill the pen.
    Below(bool),
    /// Smaller flocks, by the row of the sheep that is taken: where SHEEP succeeds after a fox has landed.
    Landed(Box<[Option<Values>; 7]>),
}

/// A class to solve.
pub(crate) struct ClassTask<'a, const N: usize> {
    pub class: &'a Class,
    pub layout: &'a Layout<N>,
    /// The values with FOX to move of the classes after steps ahead, by the row of the sheep that steps.
    pub ahead: [Option<Values>; 7],
    pub captures: Captures,
    /// Whether the values of foxes that have just landed are asked for.
    pub landed: bool,
}

/// The solution of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolvedClass {
    /// The words with FOX to move: see [`Values`]. Stuck foxes are still to be removed.
    pub fox: Vec<u64>,
    /// The rows of foxes that have just landed, of [`landed_words`] words a flock; empty if not asked for.
    pub landed: Vec<u64>,
    pub counts: Counts,
}

/// The numbers of positions of both sides to move, mirror images included, with every set of one or two foxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// The positions of one side to move.
    pub positions: u64,
    /// By side to move, FOX first: won by SHEEP.
    pub won: [u64; 2],
    /// By side to move, FOX first: neither side's.
    pub neither: [u64; 2],
}

impl Counts {
    /// Adds other counts.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.positions += other.positions;
        for side in 0..2 {
            self.won[side] += other.won[side];
            self.neither[side] += other.neither[side];
        }
    }

    #[inline(always)]
    fn note<const N: usize>(&mut self, side: usize, words: &[Word<N>; 2], weight: u32) {
        let [mut won, mut held] = [0; 2];
        for at in 0..N {
            won += words[WON][at].count_ones();
            held += words[HELD][at].count_ones();
        }
        self.won[side] += u64::from(won * weight);
        self.neither[side] += u64::from((held - won) * weight);
    }
}

/// Writes the positions of one side to move, and for FOX and for SHEEP to move those that SHEEP wins and those that neither
/// side does; then the share that SHEEP wins with FOX to move.
impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts { positions, won, neither } = self;
        write!(f, "{positions}  {}  {}  {}  {}  ", won[0], neither[0], won[1], neither[1])?;
        write!(f, "{:.2} %", 100.0 * won[0] as f64 / *positions as f64)
    }
}

/// Returns the number of words of 64 bits for the rows of landed foxes among so many empty points.
pub(crate) const fn landed_words(points: usize) -> usize {
    (points * points).div_ceil(64)
}

/// The directions of steps ahead and of sideways steps.
const AHEAD: [usize; 3] = [0, 4, 5];
const SIDEWAYS: [usize; 2] = [1, 2];

/// A sheep's step.
#[derive(Clone, Copy)]
struct Step {
    begin: PointSet,
    end: PointSet,
}

/// Lists the steps of a flock in some directions.
#[inline(always)]
fn steps<const D: usize>(sheep: PointSet, ways: [usize; D], found: &mut Vec<Step>) {
    found.clear();
    for way in ways {
        each_bit!((shift(sheep, way) - sheep).bits(), end, {
            let end = PointSet::from_bits(1 << end);
            found.push(Step { begin: shift(end, opposite(way)), end });
        });
    }
}

/// The union of what steps lead to: the flock's own sets and those of its mirror image, each won and held.
struct Reached<const N: usize> {
    sets: [[Word<N>; 2]; 2],
}

impl<const N: usize> Reached<N> {
    const NONE: Reached<N> = Reached { sets: [[[0; N]; 2]; 2] };

    /// Adds the values after a step, of the flock that is stored at `place`.
    #[inline(always)]
    fn add<B: Bits>(
        &mut self,
        layout: &Layout<N>,
        sheep: PointSet,
        step: Step,
        place: Place,
        words: [&[u64]; 2],
        asked: [bool; 2],
    ) {
        let empty = (BOARD - sheep).bits();
        let image = |bits: u64| if place.mirrored { mirrored(bits) } else { bits };
        let after = empty & !step.end.bits() | step.begin.bits();
        let from = number(image(after), image(step.begin.bits()));
        let to = number(image(empty), image(step.end.bits()));
        for which in [WON, HELD] {
            let mut word = [0; N];
            for at in 0..N {
                word[at] = words[which][at];
            }
            if asked[which] && word != [0; N] {
                let sets = &mut self.sets[usize::from(place.mirrored)][which];
                *sets = or(*sets, layout.moved::<B>(&word, from, to));
            }
        }
    }

    /// Returns the won and the held sets of the flock itself.
    #[inline(always)]
    fn sets<B: Bits>(self, layout: &Layout<N>, sheep: PointSet) -> [Word<N>; 2] {
        let [mut plain, image] = self.sets;
        for which in [WON, HELD] {
            if image[which] != [0; N] {
                plain[which] = or(plain[which], layout.mirrored::<B>(&image[which], (BOARD - sheep).bits()));
            }
        }
        plain
    }
}

/// The state of a flock during the analysis, won and held sets.
#[derive(Clone, Copy)]
struct Flock<const N: usize> {
    sheep: PointSet,
    /// With SHEEP to move: won at once or by a step ahead.
    base: [Word<N>; 2],
    /// No capture fails for SHEEP.
    safe: [Word<N>; 2],
    /// With SHEEP to move.
    after: [Word<N>; 2],
    /// With FOX to move.
    fox: [Word<N>; 2],
}

impl<const N: usize> Work for ClassTask<'_, N> {
    type Result = SolvedClass;

    #[inline(always)]
    fn run<B: Bits>(self) -> SolvedClass {
        let (layout, mut terrain, mut buffer) = (self.layout, Terrain::new(), Vec::with_capacity(32));
        let mut flocks: Vec<Flock<N>> = Vec::with_capacity(self.class.len());
        for at in 0..self.class.len() {
            let sheep = self.class.sheep(at);
            terrain.set::<B>(sheep);
            let base = self.base::<B>(sheep, &terrain, &mut buffer);
            let spoilt = self.spoilt::<B>(sheep, &terrain);
            let safe = [terrain.safe(layout, &spoilt[WON]), terrain.safe(layout, &spoilt[HELD])];
            flocks.push(Flock { sheep, base, safe, after: base, fox: [[0; N], layout.full] });
        }
        self.spread::<B>(&mut flocks, &mut terrain, &mut buffer);
        self.finish::<B>(&flocks, &mut terrain)
    }
}

impl<const N: usize> ClassTask<'_, N> {
    /// Returns the sets with SHEEP to move that succeed at once or by a step ahead.
    #[inline(always)]
    fn base<B: Bits>(&self, sheep: PointSet, terrain: &Terrain, buffer: &mut Vec<Step>) -> [Word<N>; 2] {
        let mut reached = Reached::NONE;
        steps(sheep, AHEAD, buffer);
        for &step in &*buffer {
            let row = step.begin.bits().trailing_zeros() as usize / 8;
            let values = self.ahead[row & 7].as_ref().expect("the layer below is solved");
            let place = values.class.place((sheep - step.begin) | step.end);
            let words = [values.of(place.number, WON), values.of(place.number, HELD)];
            reached.add::<B>(self.layout, sheep, step, place, words, [true; 2]);
        }
        let full = terrain.full_pen(self.layout);
        let [won, held] = reached.sets::<B>(self.layout, sheep);
        [or(won, full), or(held, full)]
    }

    /// Returns the captures' `spoilt` (see [`Terrain::safe`]) of the won and the held sets.
    #[inline(always)]
    fn spoilt<B: Bits>(&self, sheep: PointSet, terrain: &Terrain) -> [[u32; MOST_EMPTY]; 2] {
        let smaller = match &self.captures {
            Captures::Landed(smaller) => smaller,
            Captures::Below(draws) => {
                let mut spoilt = [terrain.all_captures_spoil((1 << self.layout.points) - 1); 2];
                if *draws && (PEN - sheep).len() <= 3 {
                    spoilt[HELD] = not_drawn(sheep, terrain);
                }
                return spoilt;
            }
        };
        let mut spoilt = [[0; MOST_EMPTY]; 2];
        let points = self.layout.points + 1;
        for jump in &terrain.jumps {
            let values = smaller[(jump.over.trailing_zeros() as usize / 8) & 7].as_ref();
            let values = values.expect("the layers of smaller flocks are solved");
            let place = values.class.place(sheep - PointSet::from_bits(jump.over));
            let image = |bits: u64| if place.mirrored { mirrored(bits) } else { bits };
            let end = B::scatter(1 << jump.to, terrain.empty);
            let empty = image(terrain.empty | jump.over);
            let row = number(empty, image(end)) * points;
            for which in [WON, HELD] {
                let row = bits_at(values.of(place.number, which), row, points);
                let good = image(B::scatter(u64::from(row), empty));
                let mut bad = B::gather(!good, terrain.empty) as u32 & !(1 << jump.to | 1 << jump.from);
                bad |= u32::from(good & end == 0) << jump.from;
                spoilt[which][usize::from(jump.from) & 31] |= bad;
            }
        }
        spoilt
    }

    /// Returns those of the won and the held sets with SHEEP to move that are asked for.
    #[inline(always)]
    fn sheep_to_move<B: Bits>(
        &self,
        flocks: &[Flock<N>],
        at: usize,
        asked: [bool; 2],
        buffer: &mut Vec<Step>,
    ) -> [Word<N>; 2] {
        let sheep = flocks[at].sheep;
        let mut reached = Reached::NONE;
        steps(sheep, SIDEWAYS, buffer);
        for &step in &*buffer {
            let place = self.class.place((sheep - step.begin) | step.end);
            let words = &flocks[place.number].fox;
            reached.add::<B>(self.layout, sheep, step, place, [&words[WON], &words[HELD]], asked);
        }
        let sets = reached.sets::<B>(self.layout, sheep);
        [or(sets[WON], flocks[at].base[WON]), or(sets[HELD], flocks[at].base[HELD])]
    }

    /// Works out FOX's turn until nothing changes.
    #[inline(always)]
    fn spread<B: Bits>(&self, flocks: &mut [Flock<N>], terrain: &mut Terrain, buffer: &mut Vec<Step>) {
        let mut stale = vec![[true; 2]; flocks.len()];
        let (mut first, mut changed) = (true, true);
        while std::mem::take(&mut changed) {
            for at in 0..flocks.len() {
                let mut asked = std::mem::take(&mut stale[at]);
                if asked == [false; 2] {
                    continue;
                }
                let after = self.sheep_to_move::<B>(flocks, at, asked, buffer);
                let flock = &mut flocks[at];
                for which in [WON, HELD] {
                    asked[which] &= first || after[which] != flock.after[which];
                }
                if asked == [false; 2] {
                    continue;
                }
                let sheep = flock.sheep;
                terrain.set::<B>(sheep);
                let full = terrain.full_pen(self.layout);
                let mut news = [false; 2];
                for which in [WON, HELD] {
                    if asked[which] {
                        flock.after[which] = after[which];
                        let fox = terrain.fox_to_move(self.layout, &after[which], &flock.safe[which], &full);
                        news[which] = fox != flock.fox[which];
                        flock.fox[which] = fox;
                    }
                }
                if news == [false; 2] {
                    continue;
                }
                changed = true;
                // Sideways steps can be taken back: the flocks before are those after.
                for &step in &*buffer {
                    let before = (sheep - step.begin) | step.end;
                    let place = self.class.place(before);
                    for which in [WON, HELD] {
                        stale[place.number][which] |= news[which];
                    }
                    // The mirror image of the flock before may be stored too, and have a step to this one's.
                    if self.class.weight(place.number) == 1 {
                        let image = self.class.place(mirror(before)).number;
                        for which in [WON, HELD] {
                            stale[image][which] |= news[which];
                        }
                    }
                }
            }
            first = false;
        }
    }

    /// Counts, and works out the values of foxes that have just landed.
    #[inline(always)]
    fn finish<B: Bits>(&self, flocks: &[Flock<N>], terrain: &mut Terrain) -> SolvedClass {
        let (layout, each) = (self.layout, landed_words(self.layout.points));
        let mut solved = SolvedClass::default();
        if self.landed {
            solved.landed = vec![0; 2 * each * flocks.len()];
        }
        for (at, flock) in flocks.iter().enumerate() {
            let weight = self.class.weight(at);
            solved.counts.positions +=
                u64::from(weight * layout.full.iter().map(|word| word.count_ones()).sum::<u32>());
            solved.counts.note(0, &flock.fox, weight);
            solved.counts.note(1, &flock.after, weight);
            if self.landed {
                let sheep = flock.sheep;
                terrain.set::<B>(sheep);
                let spoilt = self.spoilt::<B>(sheep, terrain);
                for which in [WON, HELD] {
                    let rows = terrain.landed(layout, &flock.after[which], &spoilt[which]);
                    let first = (which * flocks.len() + at) * each;
                    let words = &mut solved.landed[first..first + each];
                    for (x, &row) in rows.iter().enumerate().take(layout.points) {
                        add_bits(words, x * layout.points, row);
                    }
                }
            }
        }
        solved.fox =
            [WON, HELD].iter().flat_map(|&which| flocks.iter().flat_map(move |flock| flock.fox[which])).collect();
        solved
    }
}

/// Returns the captures' `spoilt` of the held sets where a capture leaves eight sheep: FOX has won unless the pen is full.
/// FOX does not stop there if it can jump on, as that opens the pen.
fn not_drawn(sheep: PointSet, terrain: &Terrain) -> [u32; MOST_EMPTY] {
    let points: Vec<Point> = PointSet::from_bits(terrain.empty).into_iter().collect();
    let mut spoilt = [0; MOST_EMPTY];
    for jump in &terrain.jumps {
        let (from, to) = (usize::from(jump.from), usize::from(jump.to));
        let rest = sheep - PointSet::from_bits(jump.over);
        for (y, &point) in points.iter().enumerate().filter(|&(y, _)| y != to) {
            let other = if y == from { PointSet::EMPTY } else { PointSet::one(point) };
            let mut board = Board { foxes: other.with(points[to]), sheep: rest };
            let jumps_on = board.can_jump(points[to]);
            board.foxes -= board.stuck_foxes();
            spoilt[from] |= u32::from(jumps_on || !board.pen_is_full()) << y;
        }
    }
    spoilt
}

// The table of directions is the board's; a change there would be felt here.
const _: () = assert!(WAYS[AHEAD[0]] == -8 && WAYS[AHEAD[1]] == -9 && WAYS[AHEAD[2]] == -7);
