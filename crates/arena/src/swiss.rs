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
    use crate::player::spec::{EngineSpec, PlayerKind};
    use anygame::GameClock;
    use proptest::prelude::*;

    fn header(players: usize, pairs: u32, rounds: Option<u32>) -> Header {
        let engines = (0..players).map(|player| EngineSpec {
            name: player.to_string(),
            kind: PlayerKind::Random,
            clock: GameClock::Game(1.0),
            margin: 0.0,
        });
        Header { pairs, rounds, ..Header::of_a_short_run("halma", engines.collect()) }
    }

    fn end(slot: &Slot, winner: Option<usize>) -> (u32, End) {
        let players = slot.engines.map(|player| player.to_string());
        (slot.game, End { game: slot.game, players, winner, ..End::default() })
    }

    #[test]
    fn rounds_are_as_many_as_leave_a_single_winner() {
        let of = |players| rounds(&header(players, 1, None));
        assert_eq!([0, 1, 2, 3, 4, 5, 8, 9, 300].map(of), [1, 1, 1, 2, 2, 3, 3, 4, 9]);
        assert_eq!(rounds(&header(9, 1, Some(7))), 7);
        let games = |players, pairs| games_of_a_round(&header(players, pairs, None));
        assert_eq!([games(2, 1), games(5, 1), games(5, 3), games(1, 2)], [2, 4, 12, 0]);
    }

    #[test]
    fn those_with_as_many_points_meet_and_who_pauses_has_the_points_of_all_games() {
        let header = header(5, 1, None);
        let mut ends = BTreeMap::new();
        let meetings = |slots: &[Slot]| -> Vec<_> {
            slots.iter().map(|slot| (slot.game, slot.round, slot.engines)).collect()
        };
        let first = round(&header, 0, Side::First, &ends);
        let expected = [(1, 0, [0, 1]), (2, 0, [1, 0]), (3, 0, [2, 3]), (4, 0, [3, 2])];
        assert_eq!(meetings(&first), expected);
        // 0 to 3 have 0.5, 1.5, 1 and 1 points, and 4, who paused, has 2. 0 is the last and pauses.
        ends.extend([end(&first[0], Some(1)), end(&first[1], None)]);
        ends.extend([end(&first[2], None), end(&first[3], None)]);
        // 4 would meet 1, if 2 and 3 had not met.
        let second = meetings(&round(&header, 1, Side::Second, &ends));
        assert_eq!(second, [(5, 1, [2, 4]), (6, 1, [4, 2]), (7, 1, [3, 1]), (8, 1, [1, 3])]);
    }

    #[test]
    fn a_pause_is_worth_all_games_won_and_when_all_have_paused_the_last_pauses_again() {
        for pairs in [1, 2] {
            let header = header(3, pairs, None);
            let mut ends = BTreeMap::new();
            for slot in round(&header, 0, Side::First, &ends) {
                ends.extend([end(&slot, Some(usize::from(slot.engines[1] == 0)))]);
            }
            // 0 has won all its games, and 2 has paused: 0 comes first, as it stands in the header.
            let second = round(&header, 1, Side::First, &ends);
            let rounds: Vec<u32> = second.iter().map(|slot| slot.round).collect();
            let expected: Vec<u32> = (pairs..2 * pairs).flat_map(|round| [round; 2]).collect();
            assert_eq!((second[0].engines, rounds), ([0, 2], expected));
            for number in 1..3 {
                let slots = round(&header, number, Side::First, &ends);
                ends.extend(slots.iter().map(|slot| end(slot, None)));
            }
            let again = round(&header, 3, Side::First, &ends);
            assert_eq!((again.len(), again[0].engines), (2 * pairs as usize, [0, 2]));
        }
    }

    #[test]
    fn a_search_for_new_pairs_that_takes_too_long_is_given_up() {
        // Two groups of 21 that have all met: within a group one stays over.
        let met = (0..21).flat_map(|one| (21..42).map(move |other| (one, other))).collect();
        let pairs = pairings(&(0..42).collect::<Vec<_>>(), &met);
        assert_eq!((pairs.len(), pairs[10]), (21, (20, 21)));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn nobody_pauses_twice_before_all_have_and_the_last_in_the_table_pauses(
            players in 2..10usize,
            pairs in 1..3u32,
            winners in prop::collection::vec(prop::option::of(0..2usize), 400),
        ) {
            let count = players as u32 / 2 * 2 + 1;
            let header = header(players, pairs, Some(count));
            let each = games_of_a_round(&header);
            let (mut ends, mut paused) = (BTreeMap::new(), BTreeSet::new());
            for number in 0..count {
                let slots = round(&header, number, Side::First, &ends);
                let numbers = (1..=each).map(|game| number * each + game);
                prop_assert!(slots.iter().map(|slot| slot.game).eq(numbers));
                let playing: BTreeSet<usize> = slots.iter().flat_map(|slot| slot.engines).collect();
                prop_assert_eq!(playing.len(), players / 2 * 2);
                let played: Vec<End> = ends.values().cloned().collect();
                let (rows, _) = crate::standings::rows(&header, &played);
                let points = |player: usize| {
                    let row = rows.iter().find(|row| row.name == player.to_string()).unwrap();
                    let free = if paused.contains(&player) { f64::from(2 * pairs) } else { 0.0 };
                    row.tally.points() + free
                };
                let idle: Vec<usize> = (0..players).filter(|own| !playing.contains(own)).collect();
                for &idle in &idle {
                    prop_assert!(!paused.contains(&idle), "{idle} pauses twice");
                    let mut others = (0..players).filter(|other| !paused.contains(other));
                    prop_assert!(others.all(|other| points(idle) <= points(other)));
                }
                paused.extend(idle);
                let results = slots.iter().zip(&winners[(number * each) as usize..]);
                ends.extend(results.map(|(slot, winner)| end(slot, *winner)));
            }
            prop_assert_eq!(paused.len(), if players % 2 == 1 { players } else { 0 });
        }
    }

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
