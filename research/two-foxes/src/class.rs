//! The solution of one class of flocks: all with the same number of sheep in each row, both foxes
//! anywhere.
//!
//! Steps of the foxes and sideways steps of sheep stay within a class; what other moves lead to is
//! known. Two sets are spread from there. The *won* sets of foxes grow from none: those from which
//! SHEEP wins by force. The *held* sets shrink from all: those from which SHEEP is not beaten by
//! force. What is held and not won is neither side's.

use super::bits::{Bits, Work};
use super::fox_sets::{Layout, MOST_EMPTY, Word, bits_at, each_bit, mirrored, or};
use super::sideways::{Neighbour, Neighbours, Sideways};
use super::square::{Square, mirrored_order, mirrored_word};
use super::terrain::{
    Jump, Terrain, all_captures_spoil, full_pen, list_jumps, safe, with_few_steps,
};
use crate::layer_files::COUNTS;
use crate::one_way::DIRECTIONS;
use crate::pairs::number;
use foxgame::board::{BOARD, Board, PEN, Point, PointSet, WAYS, opposite, shift};
use foxgame::endings::index::ProfileClass;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// The place of the won and the held sets in arrays of both.
pub(crate) const WON: usize = 0;
/// See [`WON`].
pub(crate) const HELD: usize = 1;

/// The values of a solved class: first the won sets of all its flocks, then the held sets if there
/// are any.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub class: ProfileClass,
    pub words: Arc<[u64]>,
    /// The number of words of a flock's sets.
    pub each: usize,
}

impl Values {
    /// Returns a flock's words of the won or the held sets.
    #[inline(always)]
    pub(crate) fn of(&self, number: usize, which: usize) -> &[u64] {
        let at = (which * self.class.len() + number) * self.each;
        &self.words[at..at + self.each]
    }

    /// Returns a flock's won or held sets.
    #[inline(always)]
    fn word<const N: usize>(&self, number: usize, which: usize) -> Word<N> {
        let words = self.of(number, which);
        let mut word = [0; N];
        for at in 0..N {
            word[at] = words[at];
        }
        word
    }
}

/// The result of captures.
#[derive(Clone, Debug)]
pub(crate) enum Captures {
    /// A win of FOX: the flock would be smaller than the floor. The field says whether a draw is
    /// possible there, when as few sheep fill the pen.
    Below(bool),
    /// Smaller flocks, by the row of the sheep that is taken: where SHEEP succeeds after a fox has
    /// landed.
    Landed(Box<[Option<Values>; 7]>),
}

/// A class to solve.
pub(crate) struct ClassTask<'a, const N: usize, S> {
    pub class: &'a ProfileClass,
    pub layout: &'a Layout<N>,
    /// The values with FOX to move of the classes after steps ahead, by the row of the sheep that
    /// steps.
    pub ahead: [Option<Values>; 7],
    pub captures: Captures,
    /// Whether the values of foxes that have just landed are asked for.
    pub landed: bool,
    /// 1 if only the won sets are asked for, 2 with the held sets.
    pub sets: usize,
    /// Whether SHEEP's sideways steps keep to a direction.
    pub one_way: bool,
    /// The kind of matrices.
    pub square: PhantomData<S>,
}

/// The solution of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SolvedClass {
    /// The words with FOX to move: see [`Values`]. Stuck foxes are still to be removed.
    pub fox: Vec<u64>,
    /// The rows of foxes that have just landed, of [`landed_words`] words a flock; empty if not
    /// asked for.
    pub landed: Vec<u64>,
    pub counts: Counts,
}

/// The numbers of positions of both sides to move, mirror images included, with every set of one or
/// two foxes.
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
    /// Returns the numbers in the order of files.
    pub(crate) fn numbers(&self) -> [u64; COUNTS] {
        [self.positions, self.won[0], self.won[1], self.neither[0], self.neither[1]]
    }

    /// The inverse of [`Counts::numbers`].
    pub(crate) fn from_numbers(
        [positions, won_fox, won_sheep, neither_fox, neither_sheep]: [u64; COUNTS],
    ) -> Counts {
        Counts { positions, won: [won_fox, won_sheep], neither: [neither_fox, neither_sheep] }
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: &Counts) {
        self.positions += other.positions;
        for side in 0..2 {
            self.won[side] += other.won[side];
            self.neither[side] += other.neither[side];
        }
    }
}

/// Writes the positions of one side to move, and for FOX and for SHEEP to move those that SHEEP
/// wins and those that neither side does; then the share that SHEEP wins with FOX to move.
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

/// The largest number of such words.
const MOST_LANDED: usize = landed_words(MOST_EMPTY);

/// The directions of steps ahead.
const AHEAD: [usize; 3] = [0, 4, 5];

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

/// The union of what steps lead to: the flock's own sets and those of its mirror image.
struct Reached<const N: usize> {
    plain: Word<N>,
    image: Word<N>,
}

impl<const N: usize> Reached<N> {
    const NONE: Reached<N> = Reached { plain: [0; N], image: [0; N] };

    /// Returns the sets of the flock itself; for the order see [`mirrored_order`].
    #[inline(always)]
    fn sets<B: Bits, S: Square>(self, order: &[u8; 32]) -> Word<N> {
        if self.image == [0; N] {
            return self.plain;
        }
        or(self.plain, mirrored_word::<B, S, N>(&self.image, order))
    }
}

/// The sets of a flock that are known before the analysis: won or held.
#[derive(Clone, Copy)]
struct Known<const N: usize> {
    /// With SHEEP to move: SHEEP succeeds at once or by a step ahead.
    base: Word<N>,
    /// No capture fails for SHEEP.
    safe: Word<N>,
}

impl<const N: usize, S: Square> Work for ClassTask<'_, N, S> {
    type Result = SolvedClass;

    #[inline(always)]
    fn run<B: Bits>(self) -> SolvedClass {
        let (flocks, each) = (self.class.len(), landed_words(self.layout.points));
        let mut known: Vec<Known<N>> = Vec::with_capacity(self.sets * flocks);
        known.resize(self.sets * flocks, Known { base: [0; N], safe: [0; N] });
        let mut solved = SolvedClass::default();
        if self.landed {
            solved.landed = vec![0; self.sets * each * flocks];
        }
        let (mut steps, mut jumps) = (Vec::with_capacity(32), Vec::with_capacity(64));
        let order = self.mirrored_order();
        let mut sheep_at = Vec::with_capacity(flocks);
        for at in 0..flocks {
            let sheep = self.class.sheep(at);
            sheep_at.push(sheep);
            let base = self.base::<B>(sheep, &order, &mut steps);
            list_jumps(sheep, &mut jumps);
            let spoilt = self.spoilt::<B>(sheep, &jumps);
            for which in 0..self.sets {
                let safe = safe::<B, S, N>(self.layout, &spoilt[which]);
                known[which * flocks + at] = Known { base: base[which], safe };
                if self.landed {
                    // The part that captures allow; the rest is known at the end.
                    let words = &mut solved.landed[(which * flocks + at) * each..][..each];
                    spoilt[which].put_rows::<B>(self.layout.points, words);
                    for place in 0..each {
                        words[place] = !words[place];
                    }
                }
            }
        }
        let mut turns: Vec<u32> = (0..flocks as u32).collect();
        solved.fox = Vec::with_capacity(self.sets * flocks * N);
        if self.one_way {
            let known = &known[..flocks];
            let mut fox = vec![[0; N]; flocks];
            let mut after = fox.clone();
            for direction in &DIRECTIONS {
                // A step in the direction leads to a flock that comes earlier, and whose sets are
                // known then.
                turns.sort_by_cached_key(|&at| direction.steps_left(sheep_at[at as usize]));
                let sideways = Sideways::new(self.class, Some(direction));
                let mut won = vec![[0; N]; flocks];
                let reached = self.spread::<B>(&sheep_at, &turns, known, &sideways, &mut won);
                for at in 0..flocks {
                    fox[at] = or(fox[at], won[at]);
                    after[at] = or(after[at], reached[at]);
                }
            }
            self.finish::<B>(WON, &sheep_at, &fox, &after, &mut solved);
            return solved;
        }
        let sideways = Sideways::new(self.class, None);
        for which in 0..self.sets {
            let start = if which == WON { [0; N] } else { self.layout.full };
            let mut fox = vec![start; flocks];
            let after = self.spread::<B>(
                &sheep_at,
                &turns,
                &known[which * flocks..][..flocks],
                &sideways,
                &mut fox,
            );
            self.finish::<B>(which, &sheep_at, &fox, &after, &mut solved);
        }
        solved
    }
}

impl<const N: usize, S: Square> ClassTask<'_, N, S> {
    /// Returns the order of the empty points of mirror images.
    fn mirrored_order(&self) -> [u8; 32] {
        let profile = self.class.profile();
        let width = |row: usize| (BOARD.bits() >> (8 * row) & 0x7F).count_ones() as u8;
        mirrored_order(std::array::from_fn(|row| width(row) - profile[row]))
    }

    /// Returns the numbers of all points as bits.
    #[inline(always)]
    fn all(&self) -> u32 {
        (1 << self.layout.points) - 1
    }

    /// Returns the won and the held sets with SHEEP to move that succeed at once or by a step
    /// ahead.
    #[inline(always)]
    fn base<B: Bits>(
        &self,
        sheep: PointSet,
        order: &[u8; 32],
        buffer: &mut Vec<Step>,
    ) -> [Word<N>; 2] {
        let mut reached = [Reached::NONE, Reached::NONE];
        let empty = (BOARD - sheep).bits();
        steps(sheep, AHEAD, buffer);
        for &step in &*buffer {
            let row = step.begin.bits().trailing_zeros() as usize / 8;
            let values = self.ahead[row & 7].as_ref().expect("the layer below is solved");
            let place = values.class.place((sheep - step.begin) | step.end);
            let image = |bits: u64| if place.mirrored { mirrored(bits) } else { bits };
            let after = empty & !step.end.bits() | step.begin.bits();
            let from = number(image(after), image(step.begin.bits()));
            let to = number(image(empty), image(step.end.bits()));
            for which in 0..self.sets {
                let word = values.word(place.number, which);
                if word != [0; N] {
                    let word = self.layout.moved::<B>(&word, from, to);
                    let reached = &mut reached[which];
                    if place.mirrored {
                        reached.image = or(reached.image, word);
                    } else {
                        reached.plain = or(reached.plain, word);
                    }
                }
            }
        }
        let full = full_pen(self.layout, empty);
        let [won, held] = reached;
        [or(won.sets::<B, S>(order), full), or(held.sets::<B, S>(order), full)]
    }

    /// Returns the captures' `spoilt` (see [`safe`]) of the won and the held sets.
    #[inline(always)]
    fn spoilt<B: Bits>(&self, sheep: PointSet, jumps: &[Jump]) -> [S; 2] {
        let empty = (BOARD - sheep).bits();
        let smaller = match &self.captures {
            Captures::Landed(smaller) => smaller,
            Captures::Below(draws) => {
                let mut spoilt = [all_captures_spoil(jumps, self.all()); 2];
                if *draws && (PEN - sheep).len() <= 3 {
                    spoilt[HELD] = not_drawn(sheep, jumps);
                }
                return spoilt;
            }
        };
        let mut spoilt = [S::EMPTY; 2];
        let points = self.layout.points + 1;
        for jump in jumps {
            let values = smaller[(jump.over.trailing_zeros() as usize / 8) & 7].as_ref();
            let values = values.expect("the layers of smaller flocks are solved");
            let place = values.class.place(sheep - PointSet::from_bits(jump.over));
            let image = |bits: u64| if place.mirrored { mirrored(bits) } else { bits };
            let end = B::scatter(1 << jump.to, empty);
            let empty_after = image(empty | jump.over);
            let row = number(empty_after, image(end)) * points;
            for which in 0..self.sets {
                let row = bits_at(values.of(place.number, which), row, points);
                let good = image(B::scatter(u64::from(row), empty_after));
                let mut bad = B::gather(!good, empty) as u32 & !(1 << jump.to | 1 << jump.from);
                bad |= u32::from(good & end == 0) << jump.from;
                let from = usize::from(jump.from);
                spoilt[which].set_row(from, spoilt[which].row(from) | bad);
            }
        }
        spoilt
    }

    /// Returns the sets with FOX to move after a sideways step: no fox is where the sheep goes.
    #[inline(always)]
    fn stepped(&self, fox: &[Word<N>], neighbour: &Neighbour) -> Word<N> {
        let (mut word, without) =
            (fox[neighbour.number as usize], &self.layout.without[usize::from(neighbour.point)]);
        for at in 0..N {
            word[at] &= without[at];
        }
        word
    }

    /// Works out FOX's turn, flock by flock in the order of `turns`, until nothing changes: `fox`
    /// has the sets with FOX to move, at first all or none. Returns those with SHEEP to move.
    #[inline(always)]
    fn spread<B: Bits>(
        &self,
        sheep: &[PointSet],
        turns: &[u32],
        known: &[Known<N>],
        sideways: &Sideways,
        fox: &mut [Word<N>],
    ) -> Vec<Word<N>> {
        let mut after: Vec<Word<N>> = known.iter().map(|known| known.base).collect();
        let order = &self.mirrored_order();
        let mut stale = vec![true; fox.len()];
        let mut neighbours = Neighbours::default();
        let (mut first, mut changed) = (true, true);
        while std::mem::take(&mut changed) {
            for &at in turns {
                let at = at as usize;
                if !std::mem::take(&mut stale[at]) {
                    continue;
                }
                let sheep = sheep[at];
                sideways.list(at, sheep, &mut neighbours);
                let mut reached = Reached { plain: known[at].base, image: [0; N] };
                for neighbour in &neighbours.plain[..neighbours.plain_count] {
                    reached.plain = or(reached.plain, self.stepped(fox, neighbour));
                }
                for neighbour in &neighbours.mirrored[..neighbours.mirrored_count] {
                    reached.image = or(reached.image, self.stepped(fox, neighbour));
                }
                let reached = reached.sets::<B, S>(order);
                if !first && reached == after[at] {
                    continue;
                }
                after[at] = reached;
                let empty = (BOARD - sheep).bits();
                let full = full_pen(self.layout, empty);
                // If SHEEP succeeds nowhere and each fox has a step, it still does not.
                let found = if reached == [0; N] && full == [0; N] && with_few_steps(empty) == 0 {
                    [0; N]
                } else {
                    Terrain::<S>::of::<B>(sheep).fox_to_move::<B, N>(
                        self.layout,
                        &reached,
                        &known[at].safe,
                        &full,
                    )
                };
                if found == fox[at] {
                    continue;
                }
                fox[at] = found;
                if self.one_way {
                    continue;
                }
                changed = true;
                for neighbour in &neighbours.plain[..neighbours.plain_count] {
                    stale[neighbour.number as usize] = true;
                }
                for neighbour in &neighbours.mirrored[..neighbours.mirrored_count] {
                    stale[neighbour.number as usize] = true;
                }
                for &image in &neighbours.images[..neighbours.images_count] {
                    stale[image as usize] = true;
                }
            }
            first = false;
        }
        after
    }

    /// Counts, and completes the values of foxes that have just landed.
    #[inline(always)]
    fn finish<B: Bits>(
        &self,
        which: usize,
        sheep: &[PointSet],
        fox: &[Word<N>],
        after: &[Word<N>],
        solved: &mut SolvedClass,
    ) {
        let (layout, each, flocks) = (self.layout, landed_words(self.layout.points), fox.len());
        let sets = layout.full.iter().map(|word| word.count_ones()).sum::<u32>();
        for at in 0..flocks {
            let weight = self.class.weight(at);
            let counts = &mut solved.counts;
            if which == WON {
                counts.positions += u64::from(weight * sets);
                counts.won[0] += u64::from(weight * size(&fox[at]));
                counts.won[1] += u64::from(weight * size(&after[at]));
            } else {
                counts.neither[0] += u64::from(weight * size(&fox[at]));
                counts.neither[1] += u64::from(weight * size(&after[at]));
            }
            if self.landed {
                let found = &mut solved.landed[(which * flocks + at) * each..][..each];
                if after[at] == [0; N] {
                    found.fill(0);
                    continue;
                }
                let rows = Terrain::<S>::of::<B>(sheep[at]).landed::<B, N>(&after[at]);
                let mut words = [0; MOST_LANDED];
                rows.put_rows::<B>(layout.points, &mut words[..each]);
                for place in 0..each {
                    found[place] &= words[place];
                }
            }
        }
        if which == HELD {
            for side in 0..2 {
                solved.counts.neither[side] -= solved.counts.won[side];
            }
        }
        solved.fox.extend(fox.iter().flatten());
    }
}

/// Returns the number of bits that are set.
#[inline(always)]
fn size<const N: usize>(word: &Word<N>) -> u32 {
    let mut found = 0;
    for at in 0..N {
        found += word[at].count_ones();
    }
    found
}

/// Returns the captures' `spoilt` of the held sets where a capture leaves eight sheep: FOX has won
/// unless the pen is full. FOX does not stop there if it can jump on, as that opens the pen.
fn not_drawn<S: Square>(sheep: PointSet, jumps: &[Jump]) -> S {
    let points: Vec<Point> = (BOARD - sheep).into_iter().collect();
    let mut spoilt = S::EMPTY;
    for jump in jumps {
        let (from, to) = (usize::from(jump.from), usize::from(jump.to));
        let rest = sheep - PointSet::from_bits(jump.over);
        for (y, &point) in points.iter().enumerate().filter(|&(y, _)| y != to) {
            let other = if y == from { PointSet::EMPTY } else { PointSet::one(point) };
            let mut board = Board { foxes: other.with(points[to]), sheep: rest };
            let jumps_on = board.can_jump(points[to]);
            board.foxes -= board.stuck_foxes();
            let bit = u32::from(jumps_on || !board.pen_is_full()) << y;
            spoilt.set_row(from, spoilt.row(from) | bit);
        }
    }
    spoilt
}

// The table of directions is the board's; a change there would be felt here.
const _: () = assert!(WAYS[AHEAD[0]] == -8 && WAYS[AHEAD[1]] == -9 && WAYS[AHEAD[2]] == -7);
