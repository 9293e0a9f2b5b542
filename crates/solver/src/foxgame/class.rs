//! Solving one class of flocks: all with the same number of sheep in each row, and the fox on any other point.
//!
//! Within a class fox and sheep step to and fro; everything else (steps ahead, captures, ends) leads to values that are
//! known. From those the values spread ply by ply, for all points of the fox at once: a position is won if one move leads
//! to a win, and lost if all moves lead to losses. What is never reached is neither.

use super::known::Known;
use super::moves::{Captures, beside, captures, each_ahead, each_sideways, filling_pen};
use anyhow::{Result, ensure};
use engine::Side;
use foxgame::board::{BOARD, PointSet};
use foxgame::endings::code::{Codes, Verdicts, place};
use foxgame::endings::index::{Class, mirror};
use foxgame::endings::table::key;
use foxgame::rules::{FOX, SHEEP};

/// The most plies of a leg that a table can hold.
const MOST_LEG: u32 = u8::MAX as u32;

/// A class that is solved.
#[derive(Debug, Default)]
pub(crate) struct Solved {
    /// By the number of the flock: the codes by [`Side::index`].
    pub codes: Vec<[Codes; 2]>,
    /// The verdicts with FOX to move, by the number of the flock.
    pub fox_to_move: Vec<Verdicts>,
    /// The positions whose plies are too many for a code: keys as in [`key`], with flocks counted from the first of the
    /// class, and plies; sorted.
    pub long: Vec<(u64, u8)>,
    /// The number of positions by the side to move and the plies that are left of the leg, mirror images included.
    pub counts: [Vec<u64>; 2],
}

/// Solves a class, by the values of smaller flocks and the verdicts, with FOX to move, after steps ahead. An error if
/// there is a leg of more than [`MOST_LEG`] plies.
pub(crate) fn solve(class: &Class, lower: &Known, after_step: impl Fn(PointSet) -> Verdicts) -> Result<Solved> {
    let flocks: Vec<Flock> = (0..class.len()).map(|number| begin(class.sheep(number), lower, &after_step)).collect();
    let solved = Solved { codes: vec![Default::default(); flocks.len()], ..Solved::default() };
    let mut work = Work { class, flocks, solved };
    work.spread()?;
    let mut solved = work.solved;
    solved.fox_to_move = work.flocks.iter().map(|flock| flock.fox_to_move).collect();
    solved.long.sort_unstable();
    Ok(solved)
}

/// A flock, with what is known of the fox's points around it.
#[derive(Clone, Copy, Debug)]
struct Flock {
    sheep: PointSet,
    captures: Captures,
    /// The fox's points where a step ahead wins for SHEEP.
    won_ahead: PointSet,
    /// The fox's points where every step ahead wins for FOX.
    lost_ahead: PointSet,
    /// The fox's points where the pen is full.
    full: PointSet,
    fox_to_move: Verdicts,
    sheep_to_move: Verdicts,
}

/// A flock with what does not depend on its class.
fn begin(sheep: PointSet, lower: &Known, after_step: impl Fn(PointSet) -> Verdicts) -> Flock {
    let empty = BOARD - sheep;
    let full = filling_pen(sheep);
    let (mut won_ahead, mut lost_ahead) = (PointSet::EMPTY, empty - full);
    each_ahead(sheep, |after, end| {
        let verdicts = after_step(after);
        won_ahead |= verdicts.sheep & empty;
        // A fox on the step's end forbids it.
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

/// A list of flocks, each once.
struct Marked {
    list: Vec<u32>,
    is_in: Vec<bool>,
}

impl Marked {
    fn new(flocks: usize) -> Marked {
        Marked { list: Vec::new(), is_in: vec![false; flocks] }
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

/// Calls a function with the number of every flock that is stored and from which a sideways step leads to this one, or to
/// its mirror image; and whether it is to the mirror image.
#[inline]
fn each_before(class: &Class, sheep: PointSet, mut visit: impl FnMut(usize, bool)) {
    each_sideways(sheep, |before, _| {
        let place = class.place(before);
        visit(place.number, place.mirrored);
        // Both images of the flock before are stored, and perhaps not both of this one.
        if class.weight(place.number) == 1 {
            visit(class.place(mirror(before)).number, true);
        }
    });
}

/// A class under way.
struct Work<'a> {
    class: &'a Class,
    flocks: Vec<Flock>,
    solved: Solved,
}

impl Work<'_> {
    /// Spreads the values until nothing changes: with every even ply losses of the side to move, with every odd one wins.
    fn spread(&mut self) -> Result<()> {
        let all: Vec<u32> = (0..self.flocks.len() as u32).collect();
        for number in 0..self.flocks.len() {
            // The game is over, which no code says; what counts is the winner.
            let full = self.flocks[number].full;
            self.flocks[number].sheep_to_move.sheep = full;
            self.note(number, SHEEP, full, 1);
        }
        // Where SHEEP has newly won with SHEEP to move; and beside flocks where FOX has with FOX to move.
        let (mut fox_may_lose, mut sheep_may_lose) = (Marked::new(all.len()), Marked::new(all.len()));
        let (mut at_fox, mut at_sheep) = (all.clone(), all.clone());
        for ply in (0..=MOST_LEG).step_by(2) {
            let lost_by_fox: Vec<(u32, PointSet)> =
                at_fox.into_iter().map(|number| (number, self.fox_loses(number as usize, ply))).collect();
            let mut lost_by_sheep = at_sheep;
            lost_by_sheep.retain(|&number| !self.sheep_loses(number as usize, ply).is_empty());
            if ply > 0 && lost_by_sheep.is_empty() && lost_by_fox.iter().all(|(_, new)| new.is_empty()) {
                return Ok(());
            }
            let to_look_at = if ply == 0 { &all } else { &lost_by_sheep };
            for &number in to_look_at {
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

    /// Notes the plies of positions that are decided.
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
                self.solved.long.push((key(number, to_move, place), ply as u8));
            }
        }
    }

    /// The points on which FOX, to move, is found to lose.
    fn fox_loses(&mut self, number: usize, ply: u32) -> PointSet {
        let flock = &mut self.flocks[number];
        let empty = BOARD - flock.sheep;
        let holds = flock.captures.safe | beside(empty - flock.sheep_to_move.sheep);
        let new = ((empty - holds) | flock.full) - flock.fox_to_move.sheep;
        flock.fox_to_move.sheep |= new;
        self.note(number, FOX, new, ply);
        new
    }

    /// The points on which FOX, to move, is found to win.
    fn fox_wins(&mut self, number: usize, ply: u32) -> PointSet {
        let flock = &mut self.flocks[number];
        let reached = flock.captures.winning | beside(flock.sheep_to_move.fox);
        let new = (reached & (BOARD - flock.sheep)) - flock.full - flock.fox_to_move.fox;
        flock.fox_to_move.fox |= new;
        self.note(number, FOX, new, ply);
        new
    }

    /// The points of the fox on which SHEEP, to move, is found to lose.
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

    /// Notes points of the fox on which SHEEP, to move, wins.
    fn sheep_wins(&mut self, number: usize, points: PointSet, ply: u32, fox_may_lose: &mut Marked) {
        let flock = &mut self.flocks[number];
        let new = (points & (BOARD - flock.sheep)) - flock.sheep_to_move.sheep;
        if !new.is_empty() {
            flock.sheep_to_move.sheep |= new;
            self.note(number, SHEEP, new, ply);
            fox_may_lose.add(number);
        }
    }
}
