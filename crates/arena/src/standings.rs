//! Sums of results: the figures of a match, the rows of a tournament's table.

use crate::ratings::{Cluster, Pairs, Sprt, ratings};
use crate::record::{End, Header};
use crate::result::Termination;
use crate::schedule::Slot;
use std::collections::BTreeMap;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl Tally {
    /// Adds a game: won, lost or drawn.
    pub fn add(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            Some(false) => self.losses += 1,
            None => self.draws += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// `WINS-DRAWS-LOSSES`.
    pub fn short(&self) -> String {
        format!("{}-{}-{}", self.wins, self.draws, self.losses)
    }
}

/// The results of a match of two, seen from the first engine.
pub struct Duel {
    /// The engines' names.
    pub names: [String; 2],
    /// The games, seen from the first engine.
    pub tally: Tally,
    /// Complete pairs, counted by the first engine's half points.
    pub pairs: Pairs,
}

impl Duel {
    /// The results of a match; `None` if the header does not have two engines.
    pub fn new<'a>(header: &Header, ends: impl Iterator<Item = &'a End>) -> Option<Duel> {
        let [one, other] = &header.engines[..] else { return None };
        let mut tally = Tally::default();
        let mut open: BTreeMap<u32, usize> = BTreeMap::new();
        let mut pairs = Pairs([0.0; 5]);
        for end in ends {
            let won = end.winner.map(|side| end.players[side] == one.name);
            tally.add(won);
            let half_points = won.map_or(1, |won| if won { 2 } else { 0 });
            match open.remove(&Slot::pair_of(end.game)) {
                Some(before) => pairs.0[before + half_points] += 1.0,
                None => {
                    open.insert(Slot::pair_of(end.game), half_points);
                }
            }
        }
        Some(Duel { names: [one, other].map(|engine| engine.name.clone()), tally, pairs })
    }

    /// The log-likelihood ratio of the complete pairs.
    pub fn ratio(&self, sprt: &Sprt) -> f64 {
        if self.pairs.total() == 0.0 { 0.0 } else { sprt.ratio(&self.pairs) }
    }
}

/// One engine's line of the table.
pub struct Row {
    /// From 1. Engines of the same rating share their first place.
    pub place: usize,
    /// The engine's name.
    pub name: String,
    /// Elo relative to the mean of all engines.
    pub elo: f64,
    /// Half the 95 % interval of `elo`; NaN if the results do not determine it.
    pub error: f64,
    /// All games.
    pub tally: Tally,
    /// Wins, draws and losses by side, in the order of the game's side words.
    pub by_side: [Tally; 2],
    /// Games lost by a fault or at the move limit, by keyword.
    pub faults: BTreeMap<Termination, u32>,
    /// CPU seconds in all games.
    pub cpu: f64,
}

/// How many of these points, best first, are the best `most`: more, if others equal the last of
/// them.
pub fn best_with_ties(points: &[f64], most: usize) -> usize {
    match points.get(most.wrapping_sub(1)) {
        Some(last) => points.iter().take_while(|points| *points >= last).count(),
        None => points.len(),
    }
}

/// The table, best first, and whether ratings rest on an assumption (see [`ratings`]).
pub fn rows(header: &Header, ends: &[End]) -> (Vec<Row>, bool) {
    let index_of = |name: &str| header.engines.iter().position(|engine| engine.name == name);
    let mut rows: Vec<Row> = header
        .engines
        .iter()
        .map(|engine| Row {
            place: 1,
            name: engine.name.clone(),
            elo: 0.0,
            error: f64::NAN,
            tally: Tally::default(),
            by_side: Default::default(),
            faults: BTreeMap::new(),
            cpu: 0.0,
        })
        .collect();
    let mut clusters: BTreeMap<u32, Cluster> = BTreeMap::new();
    for end in ends {
        let [Some(one), Some(other)] = end.players.each_ref().map(|name| index_of(name)) else {
            continue;
        };
        for (side, player) in [one, other].into_iter().enumerate() {
            let won = end.winner.map(|winner| winner == side);
            let row = &mut rows[player];
            row.tally.add(won);
            row.by_side[side].add(won);
            row.cpu += end.cpu[side];
            if won == Some(false) && end.termination != Termination::Normal {
                *row.faults.entry(end.termination).or_default() += 1;
            }
        }
        let points = end.winner.map_or(0.5, |side| if side == 0 { 1.0 } else { 0.0 });
        let cluster = clusters.entry(Slot::pair_of(end.game)).or_insert(Cluster {
            players: [one, other],
            score: 0.0,
            games: 0.0,
        });
        cluster.games += 1.0;
        cluster.score += if cluster.players[0] == one { points } else { 1.0 - points };
    }
    let clusters: Vec<Cluster> = clusters.into_values().collect();
    let (rated, assumed) = ratings(rows.len(), &clusters);
    for (row, rating) in rows.iter_mut().zip(rated) {
        (row.elo, row.error) = (rating.elo, rating.error);
    }
    // Equal results may give ratings that differ in their last digits.
    let by_rating = |a: &Row, b: &Row| (b.elo * 1e3).round().total_cmp(&(a.elo * 1e3).round());
    rows.sort_by(|a, b| by_rating(a, b).then_with(|| a.name.cmp(&b.name)));
    for index in 1..rows.len() {
        let shared = by_rating(&rows[index - 1], &rows[index]).is_eq();
        rows[index].place = if shared { rows[index - 1].place } else { index + 1 };
    }
    (rows, assumed)
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::player::spec::{EngineSpec, PlayerKind};
    use anygame::GameClock;

    fn header(names: &[&str]) -> Header {
        let engine = |name: &&str| EngineSpec {
            name: name.to_string(),
            kind: PlayerKind::Random,
            clock: GameClock::Game(1.0),
            margin: 0.0,
        };
        Header::of_a_short_run("halma", names.iter().map(engine).collect())
    }

    /// A game by its number, players, winner's side and termination.
    fn end(game: u32, players: [&str; 2], winner: Option<usize>, termination: Termination) -> End {
        let players = players.map(str::to_string);
        End { game, players, winner, termination, cpu: [1.5, 0.25], ..End::default() }
    }

    #[test]
    fn a_duel_counts_games_and_whole_pairs_from_the_first_engine_s_side() {
        use Termination::Normal;
        let (there, back) = (["a", "b"], ["b", "a"]);
        let ends = [
            end(1, there, Some(0), Normal),
            end(4, back, Some(0), Normal),
            end(2, back, Some(1), Normal),
            end(3, there, None, Normal),
            end(5, there, Some(1), Normal),
            end(6, back, Some(0), Normal),
            end(8, back, Some(1), Normal),
            end(7, there, None, Normal),
            // Its partner was not played.
            end(9, there, Some(0), Normal),
        ];
        let duel = Duel::new(&header(&there), ends.iter()).unwrap();
        assert_eq!(duel.names, there);
        assert_eq!(duel.tally, Tally { wins: 4, draws: 2, losses: 3 });
        let figures = (duel.tally.short(), duel.tally.games(), duel.tally.points());
        assert_eq!(figures, ("4-2-3".to_string(), 9, 5.0));
        // Won both; a draw and a loss; lost both; a draw and a win.
        assert_eq!(duel.pairs, Pairs([1.0, 1.0, 0.0, 1.0, 1.0]));
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, logistic: false };
        assert_eq!(duel.ratio(&sprt), sprt.ratio(&duel.pairs));
        let none = Duel::new(&header(&there), ends[8..].iter()).unwrap();
        assert_eq!(none.ratio(&sprt), 0.0);
        assert!(Duel::new(&header(&["a", "b", "c"]), ends.iter()).is_none());
    }

    #[test]
    fn rows_sum_up_games_by_side_and_faults_and_equal_ratings_share_a_place() {
        use Termination::{Crash, DrawByMoveLimit, Normal, TimeAtMoveLimit};
        let ends = [
            end(1, ["b", "a"], Some(1), Crash),
            end(2, ["a", "b"], None, DrawByMoveLimit),
            end(3, ["c", "a"], Some(1), Normal),
            end(4, ["a", "c"], None, Normal),
            end(5, ["d", "b"], Some(0), TimeAtMoveLimit),
            end(6, ["b", "d"], Some(1), Crash),
            end(7, ["d", "c"], Some(0), Normal),
            end(8, ["c", "d"], Some(1), Normal),
            end(9, ["d", "a"], Some(1), Normal),
            end(10, ["a", "d"], Some(1), Normal),
            // No player of this table.
            end(11, ["a", "x"], Some(0), Normal),
        ];
        let (rows, assumed) = rows(&header(&["a", "c", "b", "d"]), &ends);
        assert!(!assumed);
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                let tallies =
                    [row.tally, row.by_side[0], row.by_side[1]].map(|tally| tally.short());
                (row.place, &*row.name, tallies.join(" "), row.cpu)
            })
            .collect();
        let expected = [
            (1, "d", "5-0-1 2-0-1 3-0-0".to_string(), 5.25),
            (2, "a", "3-2-1 0-2-1 3-0-0".to_string(), 5.25),
            (3, "b", "0-1-3 0-0-2 0-1-1".to_string(), 3.5),
            (3, "c", "0-1-3 0-0-2 0-1-1".to_string(), 3.5),
        ];
        assert_eq!(told, expected);
        let faults: Vec<_> = rows.iter().map(|row| row.faults.clone()).collect();
        let of_b = BTreeMap::from([(Crash, 2), (TimeAtMoveLimit, 1)]);
        assert_eq!(faults, [BTreeMap::new(), BTreeMap::new(), of_b, BTreeMap::new()]);
        let mean = rows.iter().map(|row| row.elo).sum::<f64>();
        assert!(mean.abs() < 1e-6 && rows[0].elo > rows[1].elo && rows[1].elo > rows[2].elo);
        assert!(rows.iter().all(|row| row.error > 0.0), "the results determine them");
        // The sides of a pair's first game decide whose points a pair has.
        let swapped = [
            end(1, ["a", "b"], Some(0), Normal),
            end(2, ["b", "a"], Some(1), Normal),
            end(3, ["a", "b"], Some(1), Normal),
            end(4, ["b", "a"], None, Normal),
        ];
        let (rows, _) = super::rows(&header(&["a", "b"]), &swapped);
        let expected = crate::ratings::ELO * (2.5f64 / 1.5).ln() / 2.0;
        assert!((rows[0].elo - expected).abs() < 1e-6 && rows[0].name == "a");
    }

    #[test]
    fn whoever_has_as_many_points_as_the_last_of_the_best_is_one_of_them() {
        assert_eq!(
            [1, 2, 3, 4, 9].map(|most| best_with_ties(&[5.0, 3.0, 3.0, 1.0], most)),
            [1, 3, 3, 4, 4]
        );
        assert_eq!(best_with_ties(&[], 2), 0);
    }
}
