//! The schedule of games. It depends on the header alone, so every shard and resumed run has the
//! same games under the same numbers.

use crate::record::Header;
use crate::terms::Shape;
use engine::Side;

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// From 1. The games of a pair are `2 p + 1` and `2 p + 2`.
    pub game: u32,
    /// The pair within its meeting, from 0, which selects the opening.
    pub round: u32,
    /// Indices of the engines, by side.
    pub engines: [usize; 2],
}

impl Slot {
    /// The two games of a pair, with the sides swapped; in the first one `one` moves first.
    pub fn pair(pair: u32, round: u32, (one, other): (usize, usize), first: Side) -> [Slot; 2] {
        let engines = if first == Side::First { [one, other] } else { [other, one] };
        let game = Slot { game: 2 * pair + 1, round, engines };
        [game, Slot { game: 2 * pair + 2, engines: [engines[1], engines[0]], ..game }]
    }

    /// The number of the pair that a game belongs to, from 0.
    pub const fn pair_of(game: u32) -> u32 {
        (game - 1) / 2
    }
}

/// The games of a header's schedule or of its shard, in order. Empty for a Swiss tournament
/// ([`crate::swiss`]).
pub fn slots(header: &Header, first: Side) -> Vec<Slot> {
    let count = header.engines.len();
    let meetings: Vec<(usize, usize)> = match header.shape {
        Shape::Gauntlet => (1..count).map(|other| (0, other)).collect(),
        Shape::Roundrobin => {
            (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))).collect()
        }
        // The games depend on the results of earlier rounds.
        Shape::Swiss => Vec::new(),
    };
    let mut slots = Vec::new();
    let mut pair = 0;
    for round in 0..header.pairs {
        for &players in &meetings {
            if header.shard.is_none_or(|shard| pair % shard.of == shard.index - 1) {
                slots.extend(Slot::pair(pair, round, players, first));
            }
            pair += 1;
        }
    }
    slots
}
