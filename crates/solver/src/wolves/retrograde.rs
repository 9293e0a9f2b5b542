//! Retrograde analysis of one layer: all positions with the same wolves and sheep on the board.
//!
//! Moves within a layer can be taken back; eating leads to the layer with one sheep less, which is
//! solved before. The analysis goes backwards from the ends of the game, ply by ply: the positions
//! of one distance settle those of the next. Whenever a move of a position turns out to lose, the
//! analysis looks at all of them, instead of keeping counters, so that two bytes a position are all
//! the memory it needs. Within a phase each class's values are written by one thread, and no thread
//! reads what another writes: the result does not depend on the number of threads.

use super::links::{ClassLinks, Link, each_sheep_step, links};
use anyhow::{Result, ensure};
use engine::Side;
use rayon::prelude::*;
use wolves::board::{Squares, around, image};
use wolves::index::{Dense, Layer, Ranking, with_gaps, without_gaps};
use wolves::rules::{SHEEP, WOLVES};
use wolves::value::{Code, DRAW, MOST_PLIES, TRAPPED, winner};

/// The codes of a layer's positions, by their numbers.
#[derive(Debug, PartialEq)]
pub(crate) struct SolvedLayer {
    pub wolves: Vec<Code>,
    pub sheep: Vec<Code>,
}

/// The layer with one sheep less, with sheep to move.
#[derive(Clone, Copy)]
pub(crate) struct LayerBelow<'a> {
    pub ranking: &'a Ranking,
    pub codes: &'a [Code],
}

/// What the analysis of a layer only reads.
struct LayerSolver<'a> {
    ranking: &'a Ranking,
    /// The sheep set of each rank.
    sets: Vec<Dense>,
    classes: Vec<ClassLinks>,
    /// The layer with one sheep less; `None` if the wolves have won there.
    below: Option<LayerBelow<'a>>,
}

const fn code(plies: u32) -> Code {
    plies as Code + 1
}

/// Whether the wolves win, for a code other than [`TRAPPED`].
#[inline]
const fn wolves_win(code: Code, to_move: Side) -> bool {
    code != DRAW && code.is_multiple_of(2) == matches!(to_move, WOLVES)
}

/// Whether the sheep win, for a code other than [`TRAPPED`].
#[inline]
const fn sheep_win(code: Code, to_move: Side) -> bool {
    code != DRAW && code.is_multiple_of(2) == matches!(to_move, SHEEP)
}

/// Solves a layer. Calls `progress` with each ply and the number of positions at that distance from
/// the end. Refuses distances that do not fit a byte.
pub(crate) fn solve(
    layer: &Layer,
    below: Option<LayerBelow>,
    mut progress: impl FnMut(u32, u64),
) -> Result<SolvedLayer> {
    let solver = LayerSolver {
        ranking: &layer.ranking,
        sets: layer.ranking.sets(),
        classes: links(&layer.classes),
        below,
    };
    let mut solved =
        SolvedLayer { wolves: vec![DRAW; layer.positions()], sheep: vec![DRAW; layer.positions()] };
    let mut latest = solver.first_values(&mut solved);
    let mut ply = 0;
    while code(ply) <= latest {
        ensure!(
            ply < MOST_PLIES,
            "a distance of more than {MOST_PLIES} plies does not fit the table's bytes"
        );
        let (found, last) = solver.settle_wolves_to_move(&mut solved, ply)?;
        let (more_found, settled) = solver.settle_sheep_to_move(&mut solved, ply);
        latest = latest.max(last).max(if settled { code(ply + 1) } else { 0 });
        progress(ply, found + more_found);
        ply += 1;
    }
    Ok(solved)
}

impl LayerSolver<'_> {
    fn combinations(&self) -> usize {
        self.sets.len()
    }

    /// The rank of the sheep set after a wolves' move, turned by the symmetry of the link.
    #[inline]
    fn rank_after(&self, ranking: &Ranking, link: &Link, sheep: Squares) -> usize {
        ranking.rank(without_gaps(image(sheep, link.symmetry), link.wolves))
    }

    /// The code after an eating move, with sheep to move.
    // If it is not inlined, the analysis takes 3 % more instructions.
    #[inline(always)]
    fn below_code(&self, below: LayerBelow, link: &Link, sheep: Squares) -> Code {
        let rank = self.rank_after(below.ranking, link, sheep - link.to);
        below.codes[link.class * below.ranking.combinations() + rank]
    }

    /// The eating moves of a class's wolves that are legal with these sheep.
    #[inline]
    fn open_eatings(class: &ClassLinks, sheep: Squares) -> impl Iterator<Item = &Link> {
        class.eatings.iter().filter(move |link| !link.between.meets(sheep) && link.to.meets(sheep))
    }

    /// Writes the codes of finished positions and of wins by eating. Returns the largest code.
    fn first_values(&self, solved: &mut SolvedLayer) -> Code {
        let wins_below =
            self.below.is_none_or(|below| below.codes.iter().any(|&code| wolves_win(code, SHEEP)));
        let slabs = solved
            .wolves
            .par_chunks_mut(self.combinations())
            .zip(solved.sheep.par_chunks_mut(self.combinations()));
        slabs
            .zip(&self.classes)
            .map(|((wolves, sheep), class)| {
                let mut latest = 0;
                for (rank, &dense) in self.sets.iter().enumerate() {
                    let set = with_gaps(dense, class.wolves);
                    if class.beside.is_within(set) {
                        wolves[rank] = code(0);
                        sheep[rank] = TRAPPED;
                        latest = latest.max(code(0));
                        continue;
                    }
                    if around(set).is_within(set | class.wolves) {
                        sheep[rank] = code(0);
                        latest = latest.max(code(0));
                    }
                    if wins_below {
                        wolves[rank] = self.shortest_win_by_eating(class, set);
                        latest = latest.max(wolves[rank]);
                    }
                }
                latest
            })
            .max()
            .unwrap_or(0)
    }

    /// The code of the shortest win of the wolves by an eating move; [`DRAW`] if there is none.
    fn shortest_win_by_eating(&self, class: &ClassLinks, sheep: Squares) -> Code {
        let Some(below) = self.below else {
            return if Self::open_eatings(class, sheep).next().is_some() { code(1) } else { DRAW };
        };
        let wins = Self::open_eatings(class, sheep).map(|link| self.below_code(below, link, sheep));
        wins.filter(|&after| wolves_win(after, SHEEP)).min().map_or(DRAW, |after| after + 1)
    }

    /// Settles the positions with wolves to move that precede those with sheep to move, `ply` plies
    /// from the end. Returns the number of the latter and the largest code written.
    fn settle_wolves_to_move(&self, solved: &mut SolvedLayer, ply: u32) -> Result<(u64, Code)> {
        let combinations = self.combinations();
        // For each class and each of its steps taken back: the ranks of the preceding positions.
        let before: Vec<(u64, Vec<Vec<u32>>)> = solved
            .sheep
            .par_chunks(combinations)
            .zip(&self.classes)
            .map(|(codes, class)| {
                let mut lists = vec![Vec::new(); class.backward.len()];
                let mut found = 0;
                for rank in memchr::memchr_iter(code(ply), codes) {
                    found += 1;
                    let sheep = with_gaps(self.sets[rank], class.wolves);
                    for (link, list) in class.backward.iter().zip(&mut lists) {
                        if !link.to.meets(sheep) {
                            list.push(self.rank_after(self.ranking, link, sheep) as u32);
                        }
                    }
                }
                (found, lists)
            })
            .collect();
        let found = before.iter().map(|(found, _)| found).sum();
        if found == 0 {
            return Ok((0, 0));
        }
        let mut arriving: Vec<Vec<&[u32]>> = vec![Vec::new(); self.classes.len()];
        for (class, (_, lists)) in self.classes.iter().zip(&before) {
            for (link, list) in class.backward.iter().zip(lists) {
                arriving[link.class].push(list);
            }
        }
        let sheep_to_move = &solved.sheep;
        let wolves_have_won = winner(SHEEP, ply) == WOLVES;
        let latest = solved
            .wolves
            .par_chunks_mut(combinations)
            .zip(&self.classes)
            .zip(&arriving)
            .map(|((codes, class), lists)| {
                let mut latest = 0;
                for &rank in lists.iter().copied().flatten() {
                    let known = &mut codes[rank as usize];
                    if wolves_have_won {
                        if *known == DRAW || *known > code(ply + 1) {
                            *known = code(ply + 1);
                        }
                    } else if *known == DRAW {
                        *known = self.lost_by_wolves(class, rank, sheep_to_move);
                    }
                    latest = latest.max(*known);
                }
                latest
            })
            .max()
            .unwrap_or(0);
        Ok((found, latest))
    }

    /// The code of a position with wolves to move if all moves are known to lose, or [`DRAW`].
    fn lost_by_wolves(&self, class: &ClassLinks, rank: u32, sheep_to_move: &[Code]) -> Code {
        let sheep = with_gaps(self.sets[rank as usize], class.wolves);
        let mut longest = 0;
        for link in class.steps.iter().filter(|link| !link.to.meets(sheep)) {
            let after = sheep_to_move
                [link.class * self.combinations() + self.rank_after(self.ranking, link, sheep)];
            if !sheep_win(after, SHEEP) {
                return DRAW;
            }
            longest = longest.max(after);
        }
        for link in Self::open_eatings(class, sheep) {
            let after = self.below.map_or(DRAW, |below| self.below_code(below, link, sheep));
            if !sheep_win(after, SHEEP) {
                return DRAW;
            }
            longest = longest.max(after);
        }
        // The caller refuses distances whose code would be that of trapped wolves.
        longest + 1
    }

    /// Settles the positions with sheep to move that precede those with wolves to move, `ply` plies
    /// from the end. Returns the number of the latter and whether any position was settled.
    fn settle_sheep_to_move(&self, solved: &mut SolvedLayer, ply: u32) -> (u64, bool) {
        let combinations = self.combinations();
        let sheep_have_won = winner(WOLVES, ply) == SHEEP;
        solved
            .sheep
            .par_chunks_mut(combinations)
            .zip(solved.wolves.par_chunks(combinations))
            .zip(&self.classes)
            .map(|((codes, wolves_to_move), class)| {
                let (mut found, mut settled) = (0, false);
                for rank in memchr::memchr_iter(code(ply), wolves_to_move) {
                    found += 1;
                    let sheep = with_gaps(self.sets[rank], class.wolves);
                    each_sheep_step(sheep, class.wolves, |before| {
                        let known =
                            &mut codes[self.ranking.rank(without_gaps(before, class.wolves))];
                        if *known == DRAW
                            && (sheep_have_won
                                || self.lost_by_sheep(class, before, wolves_to_move, ply))
                        {
                            *known = code(ply + 1);
                            settled = true;
                        }
                        true
                    });
                }
                (found, settled)
            })
            .reduce(|| (0, false), |a, b| (a.0 + b.0, a.1 || b.1))
    }

    /// Whether every move of the sheep lets the wolves win in at most `ply` plies. Longer wins do not
    /// count, as they may turn out to be shorter.
    fn lost_by_sheep(
        &self,
        class: &ClassLinks,
        sheep: Squares,
        wolves_to_move: &[Code],
        ply: u32,
    ) -> bool {
        each_sheep_step(sheep, class.wolves, |after| {
            let after = wolves_to_move[self.ranking.rank(without_gaps(after, class.wolves))];
            wolves_win(after, WOLVES) && after <= code(ply)
        })
    }
}

/// Counts the results among codes with a side to move.
pub(crate) fn count(codes: &[Code], to_move: Side) -> Count {
    let mut by_code = [0u64; 256];
    codes.iter().for_each(|&code| by_code[usize::from(code)] += 1);
    let mut wins = [0, by_code[usize::from(TRAPPED)]];
    let mut longest = [0; 2];
    for plies in 0..MOST_PLIES {
        let side = winner(to_move, plies).index();
        let number = by_code[usize::from(code(plies))];
        wins[side] += number;
        if number > 0 {
            longest[side] = plies;
        }
    }
    Count { wins, draws: by_code[usize::from(DRAW)], longest }
}

/// The counts of a layer for one side to move. Arrays are indexed by [`Side::index`].
pub(crate) struct Count {
    pub wins: [u64; 2],
    pub draws: u64,
    /// The length of the longest win of each side, in plies.
    pub longest: [u32; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a layer small enough for Miri (`make miri`): one wolf and three sheep.
    #[test]
    fn a_layer_is_solved_alike_by_one_thread_and_by_several() {
        let layer = Layer::new(1, 3);
        let [alone, together] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| solve(&layer, None, |_, _| ())).unwrap()
        });
        assert_eq!(alone, together);
        let counts = count(&alone.wolves, WOLVES);
        assert_eq!(counts.wins.iter().sum::<u64>() + counts.draws, layer.positions() as u64);
    }
}
