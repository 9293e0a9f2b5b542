//! A second move generator, slow and plain, written from the rules page alone. It shares no code
//! with the crate.

use std::collections::BTreeSet;

/// A move: the x and y of its start and of its end.
pub(crate) type SlowMove = (i32, i32, i32, i32);

#[derive(Clone, Debug)]
pub(crate) struct SlowBoard {
    pub cells: [[char; 16]; 16],
    pub turn: char,
    pub addendum: bool,
}

fn in_black_camp(x: i32, y: i32) -> bool {
    match y {
        0 | 1 => x < 5,
        2 => x < 4,
        3 => x < 3,
        4 => x < 2,
        _ => false,
    }
}

fn in_camp(owner: char, x: i32, y: i32) -> bool {
    if owner == 'B' { in_black_camp(x, y) } else { in_black_camp(15 - x, 15 - y) }
}

fn other(turn: char) -> char {
    if turn == 'B' { 'W' } else { 'B' }
}

impl SlowBoard {
    fn at(&self, x: i32, y: i32) -> Option<char> {
        ((0..16).contains(&x) && (0..16).contains(&y)).then(|| self.cells[y as usize][x as usize])
    }

    pub(crate) fn won_by(&self, owner: char) -> bool {
        let goal = other(owner);
        let mut own = false;
        for y in 0..16 {
            for x in 0..16 {
                if in_camp(goal, x, y) {
                    match self.at(x, y) {
                        Some('.') => return false,
                        Some(piece) => own |= piece == owner,
                        None => unreachable!(),
                    }
                }
            }
        }
        own
    }

    fn chains(&self, x: i32, y: i32, reached: &mut BTreeSet<(i32, i32)>) {
        for dx in -1..=1 {
            for dy in -1..=1 {
                let over = self.at(x + dx, y + dy);
                let landing = self.at(x + 2 * dx, y + 2 * dy);
                if (dx, dy) != (0, 0)
                    && matches!(over, Some('B' | 'W'))
                    && landing == Some('.')
                    && reached.insert((x + 2 * dx, y + 2 * dy))
                {
                    self.chains(x + 2 * dx, y + 2 * dy, reached);
                }
            }
        }
    }

    fn base_moves(&self) -> BTreeSet<SlowMove> {
        let mut moves = BTreeSet::new();
        for fy in 0..16 {
            for fx in 0..16 {
                if self.at(fx, fy) != Some(self.turn) {
                    continue;
                }
                let mut lifted = self.clone();
                lifted.cells[fy as usize][fx as usize] = '.';
                let mut reached = BTreeSet::new();
                lifted.chains(fx, fy, &mut reached);
                for dx in -1..=1 {
                    for dy in -1..=1 {
                        if self.at(fx + dx, fy + dy) == Some('.') {
                            reached.insert((fx + dx, fy + dy));
                        }
                    }
                }
                reached.remove(&(fx, fy));
                let goal = other(self.turn);
                for (tx, ty) in reached {
                    if !in_camp(goal, fx, fy) || in_camp(goal, tx, ty) {
                        moves.insert((fx, fy, tx, ty));
                    }
                }
            }
        }
        moves
    }

    pub(crate) fn moves(&self) -> BTreeSet<SlowMove> {
        if self.won_by(other(self.turn)) {
            return BTreeSet::new();
        }
        let mut moves = self.base_moves();
        if !self.addendum {
            return moves;
        }
        let own = self.turn;
        moves.retain(|&(fx, fy, tx, ty)| in_camp(own, fx, fy) || !in_camp(own, tx, ty));
        let out: BTreeSet<SlowMove> = moves
            .iter()
            .copied()
            .filter(|&(fx, fy, tx, ty)| in_camp(own, fx, fy) && !in_camp(own, tx, ty))
            .collect();
        if !out.is_empty() {
            return out;
        }
        let from_corner = |x: i32, y: i32| if own == 'B' { (x, y) } else { (15 - x, 15 - y) };
        let further: BTreeSet<SlowMove> = moves
            .iter()
            .copied()
            .filter(|&(fx, fy, tx, ty)| {
                let (before, after) = (from_corner(fx, fy), from_corner(tx, ty));
                let within = in_camp(own, fx, fy) && in_camp(own, tx, ty);
                let horizontally = after.0 > before.0 && after.1 >= before.1;
                let vertically = after.1 > before.1 && after.0 >= before.0;
                within && (horizontally || vertically)
            })
            .collect();
        if further.is_empty() { moves } else { further }
    }

    pub(crate) fn after(&self, (fx, fy, tx, ty): SlowMove) -> SlowBoard {
        let mut next = self.clone();
        next.cells[fy as usize][fx as usize] = '.';
        next.cells[ty as usize][tx as usize] = self.turn;
        next.turn = other(self.turn);
        next
    }

    /// Counts the lines of play of this length; a side without a legal move passes.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.won_by(other(self.turn)) {
            return 0;
        }
        let moves = self.moves();
        if moves.is_empty() {
            return SlowBoard { turn: other(self.turn), ..self.clone() }.perft(depth - 1);
        }
        moves.into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }
}
