//! Games of one version with another, until their margin is known.

use crate::fit::Fit;
use crate::played::{Played, points};
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::think::moves_for_every_grader;
use engine::{Game, Playable, Protocol, RuleSet, Side, split_mix};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Nodes of the search for each move.
    pub nodes: u64,
    /// The least and the most plies of an opening.
    pub opening: (usize, usize),
    /// One move in so many is drawn at random; 0 for none.
    pub random_every: u32,
    /// The longest game, in plies.
    pub longest: usize,
}

/// The bytes of the transposition table for so many nodes.
fn table_bytes(nodes: u64) -> usize {
    (nodes as usize * 32).next_power_of_two().clamp(1 << 14, 1 << 22)
}

/// The move that a version plays.
fn move_of<F: Fit>(fit: &F, version: &F::Version, position: &F::Game, nodes: u64) -> <F::Game as Game>::Move {
    let moves = moves_for_every_grader(position);
    if let [only] = moves[..] {
        return only;
    }
    let mut searcher = Searcher::new(fit.knowledge(version), Mode::Selective, table_bytes(nodes));
    let limits = Limits { nodes: fit.nodes(position.side_to_move(), nodes), ..Limits::default() };
    let report = searcher.run_among(&fit.seen(version, position), &moves, limits, &mut NoControl);
    report.expect("a position without an outcome has a move").best
}

/// A random move that tends forward: of three drawn, the best by the game's order.
fn random_move<G: Playable>(position: &G, random: &mut StdRng) -> G::Move {
    use engine::search::Knowledge;
    let moves = moves_for_every_grader(position);
    let knowledge = G::knowledge();
    let drawn = (0..3).filter_map(|_| moves.choose(random).copied());
    drawn.max_by_key(|&mv| knowledge.order(position, mv)).expect("a position without an outcome has a move")
}

/// Plays a game of two versions, the first side's first. The same for the same seed.
pub fn play<F: Fit>(fit: &F, versions: [&F::Version; 2], rules: usize, terms: Terms, seed: u64) -> Played {
    let random = &mut StdRng::seed_from_u64(seed);
    let (_, rule_set) = <F::Game as Protocol>::Rules::ALL[rules];
    let mut position = F::Game::start(rule_set);
    let opening = random.random_range(terms.opening.0..=terms.opening.1);
    // Both games of a pair begin alike, whatever was drawn since.
    let drawn = &mut StdRng::seed_from_u64(split_mix(seed));
    let mut played = Played { rules, opening, moves: Vec::new(), margin: None };
    for ply in 0..terms.longest {
        if ply >= opening {
            played.margin = fit.margin(&position);
        }
        if played.margin.is_some() || position.outcome().is_some() {
            break;
        }
        let mv = if ply < opening {
            random_move(&position, random)
        } else if terms.random_every > 0 && drawn.random_range(0..terms.random_every) == 0 {
            random_move(&position, drawn)
        } else {
            move_of(fit, versions[position.side_to_move().index()], &position, terms.nodes)
        };
        played.moves.push(position.encode(mv));
        position.play(mv);
    }
    played
}

/// Games of a match: pairs from the same opening with sides swapped. The points of the first version, game by game.
pub fn meet<F: Fit>(fit: &F, versions: [&F::Version; 2], terms: Terms, pair: u64, seed: u64) -> [f64; 2] {
    let seed = split_mix(seed ^ pair << 24);
    let rules = usize::from(!pair.is_multiple_of(4)).min(<F::Game as Protocol>::Rules::ALL.len() - 1);
    let [a, b] = versions;
    let one = play(fit, [a, b], rules, terms, seed);
    let other = play(fit, [b, a], rules, terms, seed);
    [points(&one, Side::First), points(&other, Side::Second)]
}
