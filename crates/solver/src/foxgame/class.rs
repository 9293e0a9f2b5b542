//! Retrograde analysis of one class of flocks: all with the same number of sheep in each row, and
//! the fox on any other point.
//!
//! Steps of the fox and sideways steps of sheep stay within a class. All other moves lead to values
//! that are known. From those the values spread ply by ply, for all points of the fox at once.
//! Positions that no value reaches are won by neither side. A leg is the part of a game between two
//! moves that cannot be taken back: see [`foxgame::endings::code`].

use super::moves::{Captures, beside, captures, each_ahead, each_sideways, filling_pen};
use super::solved_tables::SolvedTables;
use anyhow::{Result, ensure};
use engine::Side;
use foxgame::board::{BOARD, PointSet};
use foxgame::endings::code::{Codes, Verdicts, place};
use foxgame::endings::index::{ProfileClass, mirror};
use foxgame::endings::table::key;
use foxgame::rules::{FOX, SHEEP};

/// The largest number of plies of a leg that a table can hold.
const MOST_LEG: u32 = u8::MAX as u32;

#[derive(Debug, Default)]
pub(crate) struct SolvedClass {
    /// The codes by the number of the flock and by [`Side::index`].
    pub codes: Vec<[Codes; 2]>,
    /// The verdicts with FOX to move, by the number of the flock.
    pub fox_to_move: Vec<Verdicts>,
    /// The positions whose plies do not fit a code, sorted: their keys and their plies.
    pub long: Vec<(u64, u8)>,
    /// The number of decided positions by the side to move and the plies left of the leg, mirror
    /// images included.
    pub counts: [Vec<u64>; 2],
}

/// Solves a class. `lower` has the values of smaller flocks; `after_step` returns the verdicts,
/// with FOX to move, of the flock after a step ahead.
///
/// # Errors
/// There is a leg of more than [`MOST_LEG`] plies.
pub(crate) fn solve(
    class: &ProfileClass,
    lower: &SolvedTables,
    after_step: impl Fn(PointSet) -> Verdicts,
) -> Result<SolvedClass> {
    let flocks: Vec<Flock> =
        (0..class.len()).map(|number| begin(class.sheep(number), lower, &after_step)).collect();
    let solved =
        SolvedClass { codes: vec![Default::default(); flocks.len()], ..SolvedClass::default() };
    let mut solver = ClassSolver { class, flocks, solved };
    solver.spread()?;
    let mut solved = solver.solved;
    solved.fox_to_move = solver.flocks.iter().map(|flock| flock.fox_to_move).collect();
    solved.long.sort_unstable();
    Ok(solved)
}

/// A flock with the fox's points that are decided so far.
#[derive(Clone, Copy, Debug)]
struct Flock {
    sheep: PointSet,
    captures: Captures,
    /// The fox's points where a step ahead wins for SHEEP.
    won_ahead: PointSet,
    /// The fox's points where every step ahead wins for FOX.
    lost_ahead: PointSet,
    full: PointSet,
    fox_to_move: Verdicts,
    sheep_to_move: Verdicts,
}

/// A flock with the values that moves out of its class lead to.
fn begin(
    sheep: PointSet,
    lower: &SolvedTables,
    after_step: impl Fn(PointSet) -> Verdicts,
) -> Flock {
    let empty = BOARD - sheep;
    let full = filling_pen(sheep);
    let (mut won_ahead, mut lost_ahead) = (PointSet::EMPTY, empty - full);
    each_ahead(sheep, |after, end| {
        let verdicts = after_step(after);
        won_ahead |= verdicts.sheep & empty;
        // A fox on the end of the step prevents it.
        lost_ahead &= verdicts.fox | end;
    });
    Flock {
        sheep,
        captures: captures(sheep, lower),
        won_ahead,
        lost_ahead,
        full,
        fox_to_move: Verdicts::default(),
        sheep_to_move: Verdicts::default(),
    }
}

struct FlockQueue {
    list: Vec<u32>,
    is_in: Vec<bool>,
}

impl FlockQueue {
    fn new(flocks: usize) -> FlockQueue {
        FlockQueue { list: Vec::new(), is_in: vec![false; flocks] }
    }

    #[inline]
    fn add(&mut self, number: usize) {
        if !self.is_in[number] {
            self.is_in[number] = true;
            self.list.push(number as u32);
        }
    }

    fn take(&mut self) -> Vec<u32> {
        let list = std::mem::take(&mut self.list);
        list.iter().for_each(|&number| self.is_in[number as usize] = false);
        list
    }
}

/// Calls `visit` with the number of every stored flock from which a sideways step leads to this
/// flock or its mirror image, and whether it leads to the mirror image.
#[inline]
fn each_before(class: &ProfileClass, sheep: PointSet, mut visit: impl FnMut(usize, bool)) {
    each_sideways(sheep, |before, _| {
        let place = class.place(before);
        visit(place.number, place.mirrored);
        // With weight 1, the mirror image of the flock before has a number of its own. From it a
        // step leads to the mirror image of this flock, which may not have one.
        if class.weight(place.number) == 1 {
            visit(class.place(mirror(before)).number, true);
        }
    });
}

struct ClassSolver<'a> {
    class: &'a ProfileClass,
    flocks: Vec<Flock>,
    solved: SolvedClass,
}

impl ClassSolver<'_> {
    /// Spreads the values until nothing changes: at even plies losses of the side to move, at odd
    /// plies wins.
    fn spread(&mut self) -> Result<()> {
        let all: Vec<u32> = (0..self.flocks.len() as u32).collect();
        for number in 0..self.flocks.len() {
            // The game is over there, which codes do not record.
            let full = self.flocks[number].full;
            self.flocks[number].sheep_to_move.sheep = full;
            self.note(number, SHEEP, full, 1);
        }
        // Flocks with a new win of SHEEP with SHEEP to move; and flocks one step before a new win
        // of FOX with FOX to move.
        let (mut fox_may_lose, mut sheep_may_lose) =
            (FlockQueue::new(all.len()), FlockQueue::new(all.len()));
        let (mut at_fox, mut at_sheep) = (all.clone(), all.clone());
        for ply in (0..=MOST_LEG).step_by(2) {
            let lost_by_fox: Vec<(u32, PointSet)> = at_fox
                .into_iter()
                .map(|number| (number, self.fox_loses(number as usize, ply)))
                .collect();
            let mut lost_by_sheep = at_sheep;
            lost_by_sheep.retain(|&number| !self.sheep_loses(number as usize, ply).is_empty());
            if ply > 0
                && lost_by_sheep.is_empty()
                && lost_by_fox.iter().all(|(_, new)| new.is_empty())
            {
                return Ok(());
            }
            let candidates = if ply == 0 { &all } else { &lost_by_sheep };
            for &number in candidates {
                if !self.fox_wins(number as usize, ply + 1).is_empty() {
                    let sheep = self.flocks[number as usize].sheep;
                    each_before(self.class, sheep, |before, _| sheep_may_lose.add(before));
                }
            }
            if ply == 0 {
                for number in 0..self.flocks.len() {
                    self.sheep_wins(number, self.flocks[number].won_ahead, 1, &mut fox_may_lose);
                }
            }
            for (number, new) in lost_by_fox.into_iter().filter(|(_, new)| !new.is_empty()) {
                each_before(self.class, self.flocks[number as usize].sheep, |before, mirrored| {
                    let won = if mirrored { mirror(new) } else { new };
                    self.sheep_wins(before, won, ply + 1, &mut fox_may_lose);
                });
            }
            (at_fox, at_sheep) = (fox_may_lose.take(), sheep_may_lose.take());
        }
        ensure!(false, "a leg of more than {MOST_LEG} plies does not fit the table's bytes");
        Ok(())
    }

    #[inline]
    fn note(&mut self, number: usize, to_move: Side, points: PointSet, ply: u32) {
        if points.is_empty() {
            return;
        }
        let counts = &mut self.solved.counts[to_move.index()];
        if counts.len() <= ply as usize {
            counts.resize(ply as usize + 1, 0);
        }
        counts[ply as usize] += u64::from(points.len() * self.class.weight(number));
        let sheep = self.flocks[number].sheep;
        for fox in points {
            let place = place(sheep, fox);
            if self.solved.codes[number][to_move.index()].set(place, ply as u8) {
                let key = key(self.class.first() + number, to_move, place);
                self.solved.long.push((key, ply as u8));
            }
        }
    }

    /// The points on which FOX, to move, is newly found to lose.
    fn fox_loses(&mut self, number: usize, ply: u32) -> PointSet {
        let flock = &mut self.flocks[number];
        let empty = BOARD - flock.sheep;
        let holds = flock.captures.safe | beside(empty - flock.sheep_to_move.sheep);
        let new = ((empty - holds) | flock.full) - flock.fox_to_move.sheep;
        flock.fox_to_move.sheep |= new;
        self.note(number, FOX, new, ply);
        new
    }

    /// The points on which FOX, to move, is newly found to win.
    fn fox_wins(&mut self, number: usize, ply: u32) -> PointSet {
        let flock = &mut self.flocks[number];
        let reached = flock.captures.winning | beside(flock.sheep_to_move.fox);
        let new = (reached & (BOARD - flock.sheep)) - flock.full - flock.fox_to_move.fox;
        flock.fox_to_move.fox |= new;
        self.note(number, FOX, new, ply);
        new
    }

    /// The points of the fox on which SHEEP, to move, is newly found to lose.
    fn sheep_loses(&mut self, number: usize, ply: u32) -> PointSet {
        let flock = &self.flocks[number];
        let mut new = flock.lost_ahead - flock.sheep_to_move.fox;
        if !new.is_empty() {
            each_sideways(flock.sheep, |after, end| {
                if !new.is_empty() {
                    let place = self.class.place(after);
                    let fox = self.flocks[place.number].fox_to_move.fox;
                    new &= if place.mirrored { mirror(fox) } else { fox } | end;
                }
            });
        }
        self.flocks[number].sheep_to_move.fox |= new;
        self.note(number, SHEEP, new, ply);
        new
    }

    /// Records points of the fox on which SHEEP, to move, wins.
    fn sheep_wins(
        &mut self,
        number: usize,
        points: PointSet,
        ply: u32,
        fox_may_lose: &mut FlockQueue,
    ) {
        let flock = &mut self.flocks[number];
        let new = (points & (BOARD - flock.sheep)) - flock.sheep_to_move.sheep;
        if !new.is_empty() {
            flock.sheep_to_move.sheep |= new;
            self.note(number, SHEEP, new, ply);
            fox_may_lose.add(number);
        }
    }
}
