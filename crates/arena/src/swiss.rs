//! Swiss tournaments: neighbours in the table are paired (Monrad system), and no two players meet
//! twice if that can be avoided.

use crate::record::{End, Header};
use crate::schedule::Slot;
use engine::Side;
use std::collections::{BTreeMap, BTreeSet};

/// The pairings that are tried before two players may meet again.
const MOST_TRIES: u32 = 20_000;

/// The header's rounds, or as many as a single winner needs.
pub fn rounds(header: &Header) -> u32 {
    let players = header.engines.len().max(2);
    header.rounds.unwrap_or_else(|| players.next_power_of_two().trailing_zeros())
}

/// The number of games of a round.
pub fn games_of_a_round(header: &Header) -> u32 {
    (header.engines.len() / 2) as u32 * header.pairs * 2
}

/// The games of a round, from 0, by the results of the earlier ones.
pub fn round(header: &Header, round: u32, first: Side, ends: &BTreeMap<u32, End>) -> Vec<Slot> {
    let each = games_of_a_round(header);
    let count = header.engines.len();
    let (mut points, mut met, mut paused) = (vec![0.0; count], BTreeSet::new(), BTreeSet::new());
    for earlier in 0..round {
        let games = earlier * each + 1..=(earlier + 1) * each;
        let mut played = BTreeSet::new();
        for end in games.filter_map(|game| ends.get(&game)) {
            let place =
                |name: &String| header.engines.iter().position(|engine| engine.name == *name);
            let [Some(one), Some(other)] = end.players.each_ref().map(place) else { continue };
            met.insert((one.min(other), one.max(other)));
            played.extend([one, other]);
            for (side, player) in [one, other].into_iter().enumerate() {
                points[player] += end.winner.map_or(0.5, |winner| f64::from(winner == side));
            }
        }
        // A player without an opponent gets the points for winning all games.
        for player in (0..count).filter(|player| !played.contains(player)) {
            points[player] += f64::from(header.pairs * 2);
            paused.insert(player);
        }
    }
    let mut order: Vec<usize> = (0..count).collect();
    order
        .sort_by(|&one, &other| f64::total_cmp(&points[other], &points[one]).then(one.cmp(&other)));
    if count % 2 == 1 {
        let last = order.iter().rposition(|player| !paused.contains(player)).unwrap_or(count - 1);
        order.remove(last);
    }
    let mut slots = Vec::new();
    let mut pair = round * each / 2;
    for players in pairings(&order, &met) {
        for turn in 0..header.pairs {
            slots.extend(Slot::pair(pair, round * header.pairs + turn, players, first));
            pair += 1;
        }
    }
    slots
}

fn pairings(order: &[usize], met: &BTreeSet<(usize, usize)>) -> Vec<(usize, usize)> {
    let (mut tries, mut pairs) = (MOST_TRIES, Vec::new());
    if !pair_up(order, met, &mut tries, &mut pairs) {
        pairs = order.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    }
    pairs
}

fn pair_up(
    order: &[usize],
    met: &BTreeSet<(usize, usize)>,
    tries: &mut u32,
    pairs: &mut Vec<(usize, usize)>,
) -> bool {
    let Some((&one, others)) = order.split_first() else { return true };
    for (index, &other) in others.iter().enumerate() {
        if met.contains(&(one.min(other), one.max(other))) {
            continue;
        }
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        let rest = [&others[..index], &others[index + 1..]].concat();
        pairs.push((one, other));
        if pair_up(&rest, met, tries, pairs) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_meets_twice_as_long_as_that_can_be_avoided() {
        let mut met = BTreeSet::new();
        let order: Vec<usize> = (0..6).collect();
        for round in 0..5 {
            let pairs = pairings(&order, &met);
            assert_eq!(pairs.len(), 3, "round {round}");
            for (one, other) in pairs {
                assert!(
                    met.insert((one.min(other), one.max(other))),
                    "round {round}: {one} and {other} meet again"
                );
            }
        }
        // Each player has played every other, so they meet again.
        assert_eq!(pairings(&order, &met), [(0, 1), (2, 3), (4, 5)]);
        assert_eq!(pairings(&(0..300).collect::<Vec<_>>(), &BTreeSet::new()).len(), 150);
    }
}
