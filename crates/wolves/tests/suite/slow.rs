//! A second move generator, slow and plain, written from the rules page alone. It shares no code
//! with the crate.

/// A move: whether it eats, and the x and y of its start and of its end.
pub(crate) type SlowMove = (bool, (i32, i32), (i32, i32));

#[derive(Clone, Debug)]
pub(crate) struct SlowBoard {
    pub rows: Vec<Vec<char>>,
    pub wolves_turn: bool,
}

const STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

impl SlowBoard {
    fn at(&self, (x, y): (i32, i32)) -> char {
        if (0..5).contains(&x) && (0..5).contains(&y) {
            self.rows[y as usize][x as usize]
        } else {
            '#'
        }
    }

    fn all(&self, piece: char) -> Vec<(i32, i32)> {
        (0..25).map(|index| (index % 5, index / 5)).filter(|&at| self.at(at) == piece).collect()
    }

    fn can_step(&self, piece: char) -> bool {
        self.all(piece)
            .iter()
            .any(|&(x, y)| STEPS.iter().any(|&(dx, dy)| self.at((x + dx, y + dy)) == '.'))
    }

    pub(crate) fn winner(&self) -> Option<char> {
        if self.all('S').len() <= 2 {
            return Some('W');
        }
        if !self.can_step('W') {
            return Some('S');
        }
        (!self.wolves_turn && !self.can_step('S')).then_some('W')
    }

    pub(crate) fn moves(&self) -> Vec<SlowMove> {
        let mut moves = Vec::new();
        if self.winner().is_some() {
            return moves;
        }
        for (x, y) in self.all(if self.wolves_turn { 'W' } else { 'S' }) {
            for (dx, dy) in STEPS {
                if self.at((x + dx, y + dy)) != '.' {
                    continue;
                }
                moves.push((false, (x, y), (x + dx, y + dy)));
                if self.wolves_turn && self.at((x + 2 * dx, y + 2 * dy)) == 'S' {
                    moves.push((true, (x, y), (x + 2 * dx, y + 2 * dy)));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    pub(crate) fn after(&self, (_, from, to): SlowMove) -> SlowBoard {
        let mut next = self.clone();
        next.rows[from.1 as usize][from.0 as usize] = '.';
        next.rows[to.1 as usize][to.0 as usize] = if self.wolves_turn { 'W' } else { 'S' };
        next.wolves_turn = !self.wolves_turn;
        next
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let moves = self.moves();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }
}
