//! The games whose positions are looked at: two agents of the engine's search play them, each with
//! a number of nodes and a carelessness of its own, with which it plays a random move instead.

use super::sources::Source;
use engine::search::{Limits, Mode, Searcher};
use engine::think::default_knowledge;
use rand::RngExt;
use rand::rngs::StdRng;

/// The game is given up after so many plies.
const MOST_PLIES: usize = 400;
/// The numbers of nodes for a move, as powers of two.
const NODES: std::ops::RangeInclusive<u32> = 5..=10;
/// The largest share of random moves.
const CARELESS: f64 = 0.2;

/// The positions of a game, from the first on, without the one that ended it. `None` if the game
/// did not end.
pub(crate) fn positions<G: Source>(random: &mut StdRng) -> Option<Vec<G>> {
    let nodes = [(); 2].map(|()| 1 << random.random_range(NODES));
    let careless = [(); 2].map(|()| random.random_range(0.0..CARELESS));
    let mut searcher =
        Searcher::<G, G::Knowledge>::new(default_knowledge::<G>(), Mode::Selective, 1 << 20);
    let (mut position, mut passed) = (G::opening(random), Vec::new());
    while position.outcome().is_none() {
        if passed.len() == MOST_PLIES {
            return None;
        }
        let (side, moves) = (position.side_to_move().index(), position.legal_moves());
        let mv = if moves.len() == 1 || random.random_bool(careless[side]) {
            moves[random.random_range(0..moves.len())]
        } else {
            let limits = Limits { depth: 64, nodes: nodes[side] };
            searcher.run(&position, limits, &mut ())?.best
        };
        passed.push(position.clone());
        position.play(mv);
    }
    Some(passed)
}
