//! Positions with a proven result that few moves keep, for gradings.

use crate::analysis::ThreadTime;
use crate::analysis::finding::{Effort, ProvenResult};
use crate::openings::{any, stored};
use crate::plain::counted;
use crate::random::{self, Purpose};
use crate::terms::Opening;
use anygame::{AnyGame, AnyMove, Position};
use anyhow::Result;
use engine::score::{Score, distance_to_end};
use engine::{Outcome, Side};
use rand::RngExt;

/// The most plies of a game, positions of it that are looked at closely, and games.
const MOST_PLIES: u32 = 300;
const LOOKS: usize = 6;
const GAMES: u64 = 60;
/// For a move whose result nothing else proves.
const EFFORT: Effort = Effort::Nodes(10_000);

/// A position with a proven result, and what its moves do to it.
pub struct Proof {
    /// The position.
    pub opening: Opening,
    /// The side to move.
    pub side: Side,
    /// The position, for boards.
    pub position: Position,
    /// The result with best play, in words.
    pub result: String,
    /// The source of the proof, in words that fit after "by".
    pub source: &'static str,
    /// The legal moves.
    pub moves: Vec<ProvenMove>,
}

/// A move of a position with a proven result.
pub struct ProvenMove {
    /// The move.
    pub mv: AnyMove,
    /// Whether it keeps the result; `None` where neither is proven.
    pub keeps: Option<bool>,
    /// The result after it, in words, if it is proven.
    pub result: Option<String>,
    /// The points that it gives away without giving away a win or a draw.
    pub points_lost: i32,
}

impl Proof {
    /// The moves that are proven to keep the result.
    pub fn kept(&self) -> impl Iterator<Item = &ProvenMove> {
        self.moves.iter().filter(|mv| mv.keeps == Some(true))
    }

    /// The move of an output file, as records have it.
    pub fn played(&self, output: &str) -> Option<&ProvenMove> {
        self.moves.iter().find(|known| known.mv.output == output)
    }

    /// The proof of a position; `None` if no move is proven to keep the result, or more than this
    /// part of them.
    pub fn of(game: &AnyGame, position: &Position, most_kept: f64) -> Result<Option<Proof>> {
        let Some(proven) = position.proven() else { return Ok(None) };
        let side = position.side_to_move();
        let is_points = matches!(proven.outcome, Outcome::Margin(_));
        let before = ProvenResult::of(proven.outcome, side);
        let (rated, _) = position.rate_moves(EFFORT, &ThreadTime)?;
        let words =
            |truth, score| words_of_proof(game, side, truth, if is_points { score } else { None });
        // The distance to the end is that of the best move, where a score tells it.
        let best = rated.first().and_then(|rated| rated.score);
        let mut plies = best.and_then(distance_to_end).or(proven.plies).filter(|&plies| plies > 0);
        if let (None, false, Some(kept)) = (plies, before == ProvenResult::Draw, rated.first()) {
            let found = position.analyse(kept.mv, EFFORT, &ThreadTime)?;
            plies = found.best_score.and_then(distance_to_end);
        }
        let mut moves = Vec::new();
        for rated in &rated {
            let Some(mv) = position.move_of(rated.mv) else { continue };
            let keeps =
                rated.truth.map(|truth| truth == before && (!is_points || rated.score == best));
            let result = rated.truth.map(|truth| {
                // Of the game after the move.
                let plies = rated.score.and_then(distance_to_end).map(|plies| plies - 1);
                words(truth, rated.score) + &in_plies(plies.filter(|&plies| plies > 0))
            });
            let points_lost = match (best, rated.score) {
                (Some(best), Some(score)) if is_points && rated.truth == Some(before) => {
                    best - score
                }
                _ => 0,
            };
            moves.push(ProvenMove { mv, keeps, result, points_lost });
        }
        let proof = Proof {
            opening: stored(position)?,
            side,
            position: position.clone(),
            result: words(before, best) + &in_plies(plies),
            source: proven.source,
            moves,
        };
        let kept = proof.kept().count();
        let is_fit = kept > 0 && kept as f64 <= most_kept * proof.moves.len() as f64;
        Ok(is_fit.then_some(proof))
    }
}

/// Who wins, and by how many points where they are counted.
fn words_of_proof(game: &AnyGame, side: Side, truth: ProvenResult, score: Option<Score>) -> String {
    let winner = match truth {
        ProvenResult::Draw => return "a draw".to_string(),
        ProvenResult::Win => side,
        ProvenResult::Loss => side.other(),
    };
    let points = score.map_or(String::new(), |score| {
        format!(" by {}", counted(score.unsigned_abs(), "point", "points"))
    });
    format!("{} wins{points}", game.side_word(winner))
}

fn in_plies(plies: Option<u32>) -> String {
    plies.map_or(String::new(), |plies| format!(" in {}", counted(plies, "ply", "plies")))
}

/// Draws a position with a proven result that a side can lose, and that at most this part of the
/// legal moves keep. Both sides play at random one time in eight, else the proven move or what
/// looks best one ply ahead. `None` after many games without one.
pub fn draw(
    game: &AnyGame,
    seed: u64,
    most_kept: f64,
    is_new: impl Fn(&Opening) -> bool,
) -> Result<Option<Proof>> {
    for attempt in 0..GAMES {
        let mut random = random::generator(seed, Purpose::Proof, attempt);
        let mut position = game.rules.start_of(Some(game.agent_rules), seed)?;
        let mut waiting = Vec::new();
        for _ in 0..MOST_PLIES.min(game.ply_limit) {
            let Some(other) = position.choose_move(&mut |count| any(count, &mut random))? else {
                break;
            };
            let proven = position.proven();
            if proven.is_some_and(|proven| can_gain(proven.outcome, position.side_to_move())) {
                waiting.push(position.clone());
            }
            let best = proven.and_then(|proven| proven.best);
            let mv = match random.random_ratio(1, 8) {
                true => other.code,
                false => match best {
                    Some(best) => best,
                    None => position.greedy()?.unwrap_or(other.code),
                },
            };
            position = position.play(mv)?;
        }
        for _ in 0..LOOKS.min(waiting.len()) {
            let position = waiting.swap_remove(any(waiting.len(), &mut random));
            if let Some(proof) = Proof::of(game, &position, most_kept)?
                && is_new(&proof.opening)
            {
                return Ok(Some(proof));
            }
        }
    }
    Ok(None)
}

fn can_gain(outcome: Outcome, side: Side) -> bool {
    matches!(outcome, Outcome::Margin(_)) || ProvenResult::of(outcome, side) != ProvenResult::Loss
}
