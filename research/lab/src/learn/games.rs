//! Games between two versions, played until their margin is known.

use crate::learn::game_record::{GameRecord, points};
use crate::learn::model::LinearModel;
use engine::search::{Limits, Mode, Report, Searcher};
use engine::think::{default_knowledge, moves_for_every_grader};
use engine::{Game, Playable, Protocol, RuleSet, Side, split_mix};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// The conditions of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameConditions {
    /// The nodes searched for each move.
    pub nodes: u64,
    /// The minimum and the maximum length of the random opening, in plies.
    pub opening: (usize, usize),
    /// One move in this many is random; 0 for none.
    pub random_every: u32,
    /// The maximum length of a game, in plies.
    pub longest: usize,
}

/// Returns the size of the transposition table in bytes for a search of `nodes` nodes.
fn table_bytes(nodes: u64) -> usize {
    (nodes as usize * 32).next_power_of_two().clamp(1 << 14, 1 << 22)
}

/// Returns the report of a search of `nodes` nodes among these moves.
pub(crate) fn search<G: Playable>(
    knowledge: G::Knowledge,
    searched: &G,
    moves: &[G::Move],
    nodes: u64,
) -> Report<G::Move> {
    let mut searcher = Searcher::new(knowledge, Mode::Selective, table_bytes(nodes));
    let limits = Limits { nodes, ..Limits::default() };
    let report = searcher.run_among(searched, moves, limits, &mut ());
    report.expect("a position without an outcome has a move")
}

/// Returns the move that a version chooses.
fn choose_move<F: LinearModel>(
    model: &F,
    version: &F::Version,
    position: &F::Game,
    nodes: u64,
) -> <F::Game as Game>::Move {
    let moves = moves_for_every_grader(position);
    if let [only] = moves[..] {
        return only;
    }
    search(model.knowledge(version), &model.seen(version, position), &moves, nodes).best
}

/// Returns a random move that tends forward: the best of three random moves by the game's move
/// ordering.
pub(crate) fn random_move<G: Playable>(position: &G, random: &mut StdRng) -> G::Move {
    use engine::search::Knowledge;
    let moves = moves_for_every_grader(position);
    let knowledge = default_knowledge::<G>();
    let drawn = (0..3).filter_map(|_| moves.choose(random).copied());
    drawn
        .max_by_key(|&mv| knowledge.order(position, mv))
        .expect("a position without an outcome has a move")
}

/// Plays a game between two versions, of which the first plays the first side. The same seed gives
/// the same game.
pub(crate) fn play<F: LinearModel>(
    model: &F,
    versions: [&F::Version; 2],
    rules: usize,
    conditions: GameConditions,
    seed: u64,
) -> GameRecord {
    let random = &mut StdRng::seed_from_u64(seed);
    let (_, rule_set) = <F::Game as Protocol>::Rules::ALL[rules];
    let mut position = F::Game::start(rule_set);
    let opening = random.random_range(conditions.opening.0..=conditions.opening.1);
    // A generator of its own for the random moves, so that the opening depends on the seed alone.
    let drawn = &mut StdRng::seed_from_u64(split_mix(seed));
    let mut played = GameRecord { rules, opening, moves: Vec::new(), margin: None };
    for ply in 0..conditions.longest {
        if ply >= opening {
            played.margin = model.margin(&position);
        }
        if played.margin.is_some() || position.outcome().is_some() {
            break;
        }
        let mv = if ply < opening {
            random_move(&position, random)
        } else if conditions.random_every > 0 && drawn.random_range(0..conditions.random_every) == 0
        {
            random_move(&position, drawn)
        } else {
            choose_move(
                model,
                versions[position.side_to_move().index()],
                &position,
                conditions.nodes,
            )
        };
        played.moves.push(position.encode(mv));
        position.play(mv);
    }
    played
}

/// Plays a pair of games from the same opening with sides swapped, and returns the first version's
/// points in each.
pub(crate) fn play_pair<F: LinearModel>(
    model: &F,
    versions: [&F::Version; 2],
    conditions: GameConditions,
    pair: u64,
    seed: u64,
) -> [f64; 2] {
    let seed = split_mix(seed ^ pair << 24);
    let rules =
        usize::from(!pair.is_multiple_of(4)).min(<F::Game as Protocol>::Rules::ALL.len() - 1);
    let [a, b] = versions;
    let one = play(model, [a, b], rules, conditions, seed);
    let other = play(model, [b, a], rules, conditions, seed);
    [points(&one, Side::First), points(&other, Side::Second)]
}
