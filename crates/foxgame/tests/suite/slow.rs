//! A second, slow implementation of the rules, written from the rules page alone. It shares no code
//! with the crate.

use std::collections::BTreeSet;
use std::rc::Rc;

/// A point `(x, y)` in the monitor's coordinates, which count from 1.
pub(crate) type Place = (i32, i32);

/// The points of the foxes and of the sheep.
pub(crate) type Pieces = (BTreeSet<Place>, BTreeSet<Place>);

/// A game state. `earlier` holds every board since the last capture without the present one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlowGame {
    pub foxes: BTreeSet<Place>,
    pub sheep: BTreeSet<Place>,
    pub fox_to_move: bool,
    pub earlier: Vec<Rc<Pieces>>,
    /// `F`, `S` or `D` once the game is over.
    pub result: Option<char>,
}

fn on_board((x, y): Place) -> bool {
    let tall = (3..=5).contains(&x) && (1..=7).contains(&y);
    let wide = (1..=7).contains(&x) && (3..=5).contains(&y);
    tall || wide
}

/// Whether a line joins two points, which must differ by at most 1 in x and in y.
fn joined(a: Place, b: Place) -> bool {
    let diagonal = a.0 != b.0 && a.1 != b.1;
    a != b && on_board(a) && on_board(b) && (!diagonal || (a.0 + a.1) % 2 == 0)
}

fn around((x, y): Place) -> impl Iterator<Item = (i32, i32, Place)> {
    (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (dx, dy, (x + dx, y + dy))))
}

impl SlowGame {
    pub(crate) fn start() -> SlowGame {
        let wide = (1..=7).flat_map(|x| [(x, 4), (x, 5)]);
        let narrow = (3..=5).flat_map(|x| [(x, 6), (x, 7)]);
        SlowGame {
            foxes: BTreeSet::from([(3, 1), (5, 1)]),
            sheep: wide.chain(narrow).collect(),
            fox_to_move: true,
            earlier: vec![],
            result: None,
        }
    }

    fn is_empty(&self, place: Place) -> bool {
        on_board(place) && !self.foxes.contains(&place) && !self.sheep.contains(&place)
    }

    /// The empty points that a line joins to a point.
    fn steps(&self, from: Place) -> impl Iterator<Item = Place> {
        around(from).map(|(_, _, to)| to).filter(move |&to| joined(from, to) && self.is_empty(to))
    }

    /// The game with one piece moved, and nothing else changed.
    fn moved(&self, from: Place, to: Place) -> SlowGame {
        let mut next = self.clone();
        let pieces = if self.foxes.contains(&from) { &mut next.foxes } else { &mut next.sheep };
        pieces.remove(&from);
        pieces.insert(to);
        next
    }

    /// The single jumps of a fox: for each, the landing point and the game after it.
    fn jumps(&self, fox: Place) -> Vec<(Place, SlowGame)> {
        let mut found = Vec::new();
        for (dx, dy, over) in around(fox) {
            let landing = (over.0 + dx, over.1 + dy);
            if joined(fox, over)
                && joined(over, landing)
                && self.sheep.contains(&over)
                && self.is_empty(landing)
            {
                let mut next = self.moved(fox, landing);
                next.sheep.remove(&over);
                found.push((landing, next));
            }
        }
        found
    }

    /// Appends every chain of jumps of the fox that began on `start` and is on `at`.
    fn chains(&self, start: Place, at: Place, found: &mut Vec<(Place, SlowGame)>) {
        for (landing, next) in self.jumps(at) {
            found.push((start, next.clone()));
            next.chains(start, landing, found);
        }
    }

    /// Every move, one for each path: its start, and the game with only its pieces updated.
    fn paths(&self) -> Vec<(Place, SlowGame)> {
        let mut found = Vec::new();
        if self.result.is_some() {
            return found;
        }
        for &from in if self.fox_to_move { &self.foxes } else { &self.sheep } {
            if self.fox_to_move {
                self.chains(from, from, &mut found);
            }
            let steps = self.steps(from).filter(|to| self.fox_to_move || to.1 <= from.1);
            found.extend(steps.map(|to| (from, self.moved(from, to))));
        }
        found
    }

    /// Every move, one for each path: its start, and the game after it.
    pub(crate) fn moves(&self) -> Vec<(Place, SlowGame)> {
        let mut found = self.paths();
        let now = Rc::new((self.foxes.clone(), self.sheep.clone()));
        for (_, next) in &mut found {
            if next.sheep.len() < self.sheep.len() {
                next.earlier.clear();
            } else {
                next.earlier.push(now.clone());
            }
            next.finish_turn();
        }
        found
    }

    fn finish_turn(&mut self) {
        let can_move =
            |&fox: &Place| self.steps(fox).next().is_some() || !self.jumps(fox).is_empty();
        self.foxes = self.foxes.iter().copied().filter(can_move).collect();
        self.fox_to_move = !self.fox_to_move;
        let mut pen = (3..=5).flat_map(|x| (1..=3).map(move |y| (x, y)));
        let sheep_reached = self.foxes.is_empty() || pen.all(|place| !self.is_empty(place));
        let foxes_reached = self.sheep.len() < 9;
        let is_now = |earlier: &Rc<Pieces>| earlier.0 == self.foxes && earlier.1 == self.sheep;
        self.result = if self.earlier.iter().any(is_now) {
            Some(if self.fox_to_move { 'F' } else { 'S' })
        } else if sheep_reached && foxes_reached {
            Some('D')
        } else if foxes_reached {
            Some('F')
        } else if sheep_reached {
            Some('S')
        } else {
            None
        };
        if self.result.is_none() && self.paths().is_empty() {
            // Only SHEEP can be without a move here: stuck foxes have been removed.
            self.result = Some('F');
        }
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|(_, game)| game.perft(depth - 1)).sum()
    }
}
