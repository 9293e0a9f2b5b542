//! A second, slow implementation of the rules, written from the rules page alone. It shares no code
//! with the crate.

use std::collections::BTreeSet;
use std::rc::Rc;

/// A point `(x, y)` in the monitor's coordinates, which count from 1.
pub(crate) type Place = (i32, i32);

/// The points of the foxes and of the sheep.
pub(crate) type Pieces = (BTreeSet<Place>, BTreeSet<Place>);

/// A game state. `earlier` holds every board since the last capture without the present one; the
/// boards are shared between games with a common beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlowGame {
    pub foxes: BTreeSet<Place>,
    pub sheep: BTreeSet<Place>,
    pub fox_to_move: bool,
    pub earlier: Vec<Rc<Pieces>>,
    /// `F`, `S` or `D` once the game is over.
    pub result: Option<char>,
}

pub(crate) fn on_board((x, y): Place) -> bool {
    let tall = (3..=5).contains(&x) && (1..=7).contains(&y);
    let wide = (1..=7).contains(&x) && (3..=5).contains(&y);
    tall || wide
}

/// Whether a line joins two points, which must differ by at most 1 in x and in y.
fn joined(a: Place, b: Place) -> bool {
    let diagonal = a.0 != b.0 && a.1 != b.1;
    a != b
        && on_board(a)
        && on_board(b)
        && (!diagonal || ((a.0 + a.1) % 2 == 0 && (b.0 + b.1) % 2 == 0))
}

fn around((x, y): Place) -> impl Iterator<Item = (i32, i32, Place)> {
    (-1..=1).flat_map(move |dx| (-1..=1).map(move |dy| (dx, dy, (x + dx, y + dy))))
}

impl SlowGame {
    pub(crate) fn start() -> SlowGame {
        let mut sheep = BTreeSet::new();
        for x in 1..=7 {
            sheep.extend([(x, 4), (x, 5)]);
        }
        for x in 3..=5 {
            sheep.extend([(x, 6), (x, 7)]);
        }
        SlowGame {
            foxes: BTreeSet::from([(3, 1), (5, 1)]),
            sheep,
            fox_to_move: true,
            earlier: vec![],
            result: None,
        }
    }

    fn is_empty(&self, place: Place) -> bool {
        on_board(place) && !self.foxes.contains(&place) && !self.sheep.contains(&place)
    }

    fn fox_steps(&self, fox: Place) -> Vec<Place> {
        around(fox)
            .map(|(_, _, to)| to)
            .filter(|&to| joined(fox, to) && self.is_empty(to))
            .collect()
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
                let mut next = self.clone();
                next.sheep.remove(&over);
                next.foxes.remove(&fox);
                next.foxes.insert(landing);
                found.push((landing, next));
            }
        }
        found
    }

    fn chains(&self, path: &[Place], found: &mut Vec<(Vec<Place>, SlowGame)>) {
        for (landing, next) in self.jumps(path[path.len() - 1]) {
            let longer = [path, &[landing]].concat();
            found.push((longer.clone(), next.clone()));
            next.chains(&longer, found);
        }
    }

    /// Every move as its path, and the game with only its pieces updated.
    fn paths(&self) -> Vec<(Vec<Place>, SlowGame)> {
        let mut found = Vec::new();
        if self.result.is_some() {
            return found;
        }
        if self.fox_to_move {
            for &fox in &self.foxes {
                self.chains(&[fox], &mut found);
                for to in self.fox_steps(fox) {
                    let mut next = self.clone();
                    next.foxes.remove(&fox);
                    next.foxes.insert(to);
                    found.push((vec![fox, to], next));
                }
            }
        } else {
            for &sheep in &self.sheep {
                for (_, _, to) in around(sheep) {
                    if joined(sheep, to) && to.1 <= sheep.1 && self.is_empty(to) {
                        let mut next = self.clone();
                        next.sheep.remove(&sheep);
                        next.sheep.insert(to);
                        found.push((vec![sheep, to], next));
                    }
                }
            }
        }
        found
    }

    /// Every move as its path, and the game after it.
    pub(crate) fn moves(&self) -> Vec<(Vec<Place>, SlowGame)> {
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
        let stuck: Vec<Place> = self
            .foxes
            .iter()
            .copied()
            .filter(|&fox| self.fox_steps(fox).is_empty() && self.jumps(fox).is_empty())
            .collect();
        for fox in stuck {
            self.foxes.remove(&fox);
        }
        let mover_was_fox = self.fox_to_move;
        self.fox_to_move = !self.fox_to_move;
        let pen = (3..=5).flat_map(|x| (1..=3).map(move |y| (x, y)));
        let sheep_reached =
            self.foxes.is_empty() || pen.into_iter().all(|place| !self.is_empty(place));
        let foxes_reached = self.sheep.len() < 9;
        let is_now = |earlier: &Rc<Pieces>| earlier.0 == self.foxes && earlier.1 == self.sheep;
        self.result = if self.earlier.iter().any(is_now) {
            Some(if mover_was_fox { 'S' } else { 'F' })
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
