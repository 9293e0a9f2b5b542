//! A slow reference solver of FoxGame with both foxes, written from the rules page alone. It shares
//! no code with the agents, lists every position, and spreads values until nothing changes. The
//! deadlock rule is left out.

use std::collections::{BTreeMap, HashMap};

/// The numbers of positions of some flocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Positions of one side to move: every set of one or two foxes on the empty points.
    pub positions: u64,
    /// Won by SHEEP with FOX to move, with SHEEP to move.
    pub won: [u64; 2],
    /// Won by neither side with FOX to move, with SHEEP to move.
    pub neither: [u64; 2],
}

/// A set of points, by their numbers in reading order.
type Set = u64;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Open,
    Fox,
    Sheep,
    Draw,
}

/// The board: for each point the lines to others, and the jumps as the point jumped over and the
/// point behind it.
struct Lines {
    places: Vec<(i32, i32)>,
    steps: Vec<Vec<usize>>,
    jumps: Vec<Vec<(usize, usize)>>,
    pen: Set,
}

impl Lines {
    fn new() -> Lines {
        let on_board = |(x, y): (i32, i32)| {
            (3..=5).contains(&x) && (1..=7).contains(&y)
                || (1..=7).contains(&x) && (3..=5).contains(&y)
        };
        let places: Vec<(i32, i32)> = (1..=7)
            .flat_map(|y| (1..=7).map(move |x| (x, y)))
            .filter(|&place| on_board(place))
            .collect();
        let number = |place| places.iter().position(|&other| other == place);
        let joined = |one: (i32, i32), other: (i32, i32)| {
            let straight = one.0 == other.0 || one.1 == other.1;
            straight || (one.0 + one.1) % 2 == 0 && (other.0 + other.1) % 2 == 0
        };
        let (mut steps, mut jumps) = (vec![vec![]; places.len()], vec![vec![]; places.len()]);
        for (from, &(x, y)) in places.iter().enumerate() {
            for (dx, dy) in (-1..=1)
                .flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)))
                .filter(|&way| way != (0, 0))
            {
                let [next, behind] = [1, 2].map(|far| (x + far * dx, y + far * dy));
                let Some(to) = number(next).filter(|_| joined((x, y), next)) else { continue };
                steps[from].push(to);
                if let Some(end) = number(behind).filter(|_| joined(next, behind)) {
                    jumps[from].push((to, end));
                }
            }
        }
        let in_pen = |&(x, y): &(i32, i32)| (3..=5).contains(&x) && (1..=3).contains(&y);
        let pen = places
            .iter()
            .enumerate()
            .filter(|(_, place)| in_pen(place))
            .map(|(at, _)| 1 << at)
            .sum();
        Lines { places, steps, jumps, pen }
    }

    fn sum_of_rows(&self, sheep: Set) -> u32 {
        points(sheep).map(|at| self.places[at].1 as u32 - 1).sum()
    }

    fn is_empty(&self, sheep: Set, foxes: Set, at: usize) -> bool {
        (sheep | foxes) >> at & 1 == 0
    }

    /// Returns the foxes that stay after a move: those that can step or jump.
    fn free(&self, sheep: Set, foxes: Set) -> Set {
        let can_move = |&fox: &usize| {
            self.steps[fox].iter().any(|&to| self.is_empty(sheep, foxes, to))
                || self.jumps[fox]
                    .iter()
                    .any(|&(over, to)| sheep >> over & 1 != 0 && self.is_empty(sheep, foxes, to))
        };
        points(foxes).filter(can_move).map(|fox| 1 << fox).sum()
    }

    /// Appends every flock and the foxes after a chain of jumps of the fox on `from`, which is not
    /// among `others`.
    fn chains(&self, sheep: Set, others: Set, from: usize, found: &mut Vec<(Set, Set)>) {
        for &(over, to) in &self.jumps[from] {
            if sheep >> over & 1 != 0 && self.is_empty(sheep, others, to) {
                let left = sheep & !(1 << over);
                found.push((left, others | 1 << to));
                self.chains(left, others, to, found);
            }
        }
    }

    /// Returns the pieces after each move, stuck foxes not yet removed.
    fn moves(&self, sheep: Set, foxes: Set, fox_to_move: bool) -> Vec<(Set, Set)> {
        let mut found = Vec::new();
        if fox_to_move {
            for fox in points(foxes) {
                let others = foxes & !(1 << fox);
                let ends = self.steps[fox].iter().filter(|&&to| self.is_empty(sheep, foxes, to));
                found.extend(ends.map(|&to| (sheep, others | 1 << to)));
                self.chains(sheep, others, fox, &mut found);
            }
        } else {
            for from in points(sheep) {
                let ahead = |&&to: &&usize| {
                    self.places[to].1 <= self.places[from].1 && self.is_empty(sheep, foxes, to)
                };
                found.extend(
                    self.steps[from]
                        .iter()
                        .filter(ahead)
                        .map(|&to| (sheep & !(1 << from) | 1 << to, foxes)),
                );
            }
        }
        found
    }

    /// Returns the value if the game is over, fewer sheep than the floor being a win of FOX.
    fn finished(&self, sheep: Set, foxes: Set, fox_to_move: bool, floor: u32) -> Value {
        let few = sheep.count_ones() < floor;
        let home = foxes == 0 || (sheep | foxes) & self.pen == self.pen;
        match (few, home) {
            (true, true) if floor == 9 => Value::Draw,
            (true, _) => Value::Fox,
            (false, true) => Value::Sheep,
            (false, false) if !fox_to_move && self.moves(sheep, foxes, false).is_empty() => {
                Value::Fox
            }
            (false, false) => Value::Open,
        }
    }
}

fn points(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        point
    })
}

/// A move's end: a value, or the number of a position that is open.
enum End {
    Over(Value),
    At(usize),
}

/// Solves all positions with `floor` to `most` sheep whose rows, counted from 0, sum up to at most
/// `rows`. Returns the counts by number of sheep and sum of rows.
pub(crate) fn solve(floor: u32, most: u32, rows: u32) -> BTreeMap<(u32, u32), Counts> {
    let lines = Lines::new();
    let mut flocks = Vec::new();
    choose(&lines, 0, 0, &|sheep, open| sheep <= most && sheep + open >= floor, rows, &mut flocks);
    let mut positions: Vec<(Set, Set, bool)> = Vec::new();
    for &sheep in &flocks {
        let empty: Vec<usize> = (0..33).filter(|at| sheep >> at & 1 == 0).collect();
        for (at, &one) in empty.iter().enumerate() {
            for &other in &empty[..=at] {
                positions.extend([true, false].map(|side| (sheep, 1 << one | 1 << other, side)));
            }
        }
    }
    let numbers: HashMap<(Set, Set, bool), usize> =
        positions.iter().enumerate().map(|(at, &key)| (key, at)).collect();
    let end = |sheep: Set, foxes: Set, fox_to_move: bool| match lines.finished(
        sheep,
        foxes,
        fox_to_move,
        floor,
    ) {
        Value::Open => End::At(numbers[&(sheep, foxes, fox_to_move)]),
        value => End::Over(value),
    };
    // With FOX to move, foxes that SHEEP's move has shut in are still on the board: they are
    // removed first.
    let begun = |sheep: Set, foxes: Set, fox_to_move: bool| {
        if fox_to_move { lines.free(sheep, foxes) } else { foxes }
    };
    let mut values = Vec::new();
    let mut ends: Vec<Vec<End>> = Vec::new();
    for &(sheep, foxes, fox_to_move) in &positions {
        let foxes = begun(sheep, foxes, fox_to_move);
        let value = lines.finished(sheep, foxes, fox_to_move, floor);
        let moves =
            if value == Value::Open { lines.moves(sheep, foxes, fox_to_move) } else { vec![] };
        let after = moves
            .into_iter()
            .map(|(sheep, foxes)| end(sheep, lines.free(sheep, foxes), !fox_to_move));
        ends.push(after.collect());
        values.push(value);
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (at, &(_, _, fox_to_move)) in positions.iter().enumerate() {
            if values[at] != Value::Open {
                continue;
            }
            let (own, other) =
                if fox_to_move { (Value::Fox, Value::Sheep) } else { (Value::Sheep, Value::Fox) };
            let after = |end: &End| match *end {
                End::Over(value) => value,
                End::At(number) => values[number],
            };
            if ends[at].iter().any(|end| after(end) == own) {
                values[at] = own;
                changed = true;
            } else if ends[at].iter().all(|end| after(end) == other) {
                values[at] = other;
                changed = true;
            }
        }
    }
    let mut counts: BTreeMap<(u32, u32), Counts> = BTreeMap::new();
    for (&(sheep, _, fox_to_move), value) in positions.iter().zip(values) {
        let counts = counts.entry((sheep.count_ones(), lines.sum_of_rows(sheep))).or_default();
        let side = usize::from(!fox_to_move);
        counts.positions += u64::from(fox_to_move);
        counts.won[side] += u64::from(value == Value::Sheep);
        counts.neither[side] += u64::from(matches!(value, Value::Open | Value::Draw));
    }
    counts
}

/// Appends all flocks, on the points from `at` on besides those already there, with rows that sum
/// up to at most `rows` more. `fits` says whether so many sheep, with so many points left, can be a
/// flock of the sizes wanted.
fn choose(
    lines: &Lines,
    at: usize,
    flock: Set,
    fits: &dyn Fn(u32, u32) -> bool,
    rows: u32,
    found: &mut Vec<Set>,
) {
    if !fits(flock.count_ones(), 33 - at as u32) {
        return;
    }
    if at == 33 {
        return found.push(flock);
    }
    choose(lines, at + 1, flock, fits, rows, found);
    if let Some(rows) = rows.checked_sub(lines.places[at].1 as u32 - 1) {
        choose(lines, at + 1, flock | 1 << at, fits, rows, found);
    }
}
