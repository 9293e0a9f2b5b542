//! Random games of one kind, and their sums.

use crate::chance::Chance;
use engine::{Game, Outcome, Side};

/// The sums over random games.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub games: u64,
    pub wins: [u64; 2],
    pub draws: u64,
    pub plies: u64,
    pub margin: i64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.draws += other.draws;
        self.plies += other.plies;
        self.margin += other.margin;
        Side::BOTH.into_iter().for_each(|side| self.wins[side.index()] += other.wins[side.index()]);
    }
}

/// The number of plies between two questions whether to stop.
const PLIES_A_POLL: u32 = 256;

/// Plays random games, those with the numbers `games`, each of them to its end or for `ply_limit`
/// plies. `stop` ends them early.
pub(crate) fn play_games<G: Game>(
    start: &G,
    games: std::ops::Range<u64>,
    seed: u64,
    ply_limit: u32,
    stop: &dyn Fn() -> bool,
) -> Tally {
    let (mut tally, mut moves) = (Tally::default(), Vec::new());
    for game in games {
        let (mut chance, mut position, mut plies) = (Chance::new(seed, game), start.clone(), 0);
        while plies < ply_limit {
            moves.clear();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position.play(moves[chance.below(moves.len())]);
            plies += 1;
            if plies % PLIES_A_POLL == 0 && stop() {
                return tally;
            }
        }
        tally.games += 1;
        tally.plies += u64::from(plies);
        if let Some(outcome) = position.outcome() {
            match outcome.winner() {
                Some(winner) => tally.wins[winner.index()] += 1,
                None => tally.draws += 1,
            }
            if let Outcome::Margin(margin) = outcome {
                tally.margin += i64::from(margin);
            }
        }
    }
    tally
}
