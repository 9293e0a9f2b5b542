//! Results added up: the figures of a match of two, the rows of a tournament's table.

use crate::ratings::{Cluster, Counts, Games, Pairs, Sprt, ratings};
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

/// A match of two, from the view of the first engine.
pub struct Duel {
    /// The engines' names.
    pub names: [String; 2],
    /// The games, from the view of the first.
    pub tally: Tally,
    /// Complete pairs, by the half points of the first in them.
    pub pairs: Pairs,
    /// Single games, by the half points of the first engine in them.
    pub games: Games,
}

impl Duel {
    /// `None` if the header is not about two engines.
    pub fn new<'a>(header: &Header, ends: impl Iterator<Item = &'a End>) -> Option<Duel> {
        let [one, other] = &header.engines[..] else { return None };
        let mut tally = Tally::default();
        let mut open: BTreeMap<u32, usize> = BTreeMap::new();
        let mut pairs = Counts([0.0; 5]);
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
        let games = Counts([tally.losses, tally.draws, tally.wins].map(f64::from));
        Some(Duel { names: [one.name.clone(), other.name.clone()], tally, pairs, games })
    }

    /// The log-likelihood ratio of the pairs that are complete.
    pub fn ratio(&self, sprt: &Sprt) -> f64 {
        if self.pairs.total() == 0.0 { 0.0 } else { sprt.ratio(&self.pairs) }
    }
}

/// One engine's line of the table.
pub struct Row {
    /// The engine's name.
    pub name: String,
    /// Elo against the mean of all, and its 95 % error.
    pub elo: f64,
    /// Half the 95 % interval of `elo`; not a number where the results do not tell.
    pub error: f64,
    /// All games.
    pub tally: Tally,
    /// Wins, draws and losses by side, in the order of the game's side words.
    pub by_side: [Tally; 2],
    /// Games lost by a fault or at the move limit, by the word.
    pub faults: BTreeMap<Termination, u32>,
    /// CPU seconds in all games.
    pub cpu: f64,
}

/// The rows of the table, best first, and whether ratings rest on an assumption (see [`ratings`]).
pub fn rows(header: &Header, ends: &[End]) -> (Vec<Row>, bool) {
    let index_of = |name: &str| header.engines.iter().position(|engine| engine.name == name);
    let mut rows: Vec<Row> = header
        .engines
        .iter()
        .map(|engine| Row {
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
        let (Some(one), Some(other)) = (index_of(&end.players[0]), index_of(&end.players[1])) else { continue };
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
    rows.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
    (rows, assumed)
}
