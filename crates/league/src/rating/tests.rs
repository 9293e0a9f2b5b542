use super::*;
use arena::random::{Purpose, generator};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

fn play(results: &mut Results, players: [i64; 2], winners: &[Option<i64>]) {
    for &winner in winners {
        let [first, second] = players;
        results.add(&GameResult { winner, ..game(first, second, None) });
    }
}

/// A game that the first side won.
fn game(first: i64, second: i64, moves: Option<i64>) -> GameResult {
    GameResult { id: 0, first, second, winner: Some(0), blamed: None, opening: None, moves }
}

const ONE_EACH: [Option<i64>; 2] = [Some(0), Some(1)];

#[test]
fn equal_results_give_equal_ratings_whatever_their_number() {
    let mut results = Results::default();
    for games in [1, 5, 10, 459, 1000] {
        play(&mut results, [1, 2], &ONE_EACH.repeat(games));
        let after = results.standings();
        let [one, two] = [1, 2].map(|player| after.of(player).rating);
        assert!((one - two).abs() < 1e-6 && (one - MEAN).abs() < 1e-6, "{one} {two}");
        // The difference of two programs that met nobody else is known, and each is half of it away
        // from their mean.
        let certainty = after.of(1).games as f64 / 4.0 / ELO.powi(2) + 0.5 / SPREAD.powi(2);
        let expected = certainty.powf(-0.5) / 2.0;
        let deviation = after.deviations()[&1];
        assert!((deviation - expected).abs() < 0.1, "{expected}: {deviation}");
    }
    // The last one that wins is ahead by what one game in many tells.
    play(&mut results, [1, 2], &[Some(0)]);
    let after = results.standings();
    let difference = after.of(1).rating - after.of(2).rating;
    assert!((0.0..1.0).contains(&difference), "{difference}");
}

#[test]
fn a_newcomer_stands_near_its_opponent_after_one_pair() {
    let mut results = Results::default();
    for (strong, weak) in [(1, 2), (2, 3), (3, 4)] {
        let winners = [Some(0), Some(0), Some(0), Some(0), None, Some(1)];
        play(&mut results, [strong, weak], &winners.repeat(20));
    }
    play(&mut results, [5, 1], &ONE_EACH);
    let after = results.standings();
    let [new, strong] = [5, 1].map(|player| after.of(player).rating);
    assert!(strong > 1650.0 && (new - strong).abs() < 100.0, "{new} {strong}");
    let deviations = after.deviations();
    assert!(deviations[&5] > 2.0 * deviations[&1]);
    let is_provisional = |player| after.of(player).is_provisional(deviations[&player]);
    assert!(is_provisional(5) && !is_provisional(1));
    // All games won are no infinite strength.
    play(&mut results, [6, 1], &[Some(0); 2]);
    let after = results.standings();
    let best = after.of(6).rating;
    assert!(best > strong && best < 2600.0 && after.deviations()[&6] > deviations[&5], "{best}");
    // Of whom there is no game, nothing is known but what is known of all.
    let unknown = after.of(7);
    assert!(unknown.rating == MEAN && unknown.games == 0 && unknown.doubt() == SPREAD);
}

#[test]
fn the_order_of_games_and_ratings_before_do_not_matter() {
    let games: [([i64; 2], &[Option<i64>]); 3] = [
        ([1, 2], &[Some(0), None]),
        ([2, 3], &[Some(0), Some(0), Some(1)]),
        ([3, 1], &[Some(1), None]),
    ];
    let mut other_way = Results::default();
    for (players, winners) in games.iter().rev() {
        play(&mut other_way, *players, winners);
        other_way.standings();
    }
    let mut all_at_once = Results::default();
    games.iter().for_each(|(players, winners)| play(&mut all_at_once, *players, winners));
    let (one, other) = (all_at_once.standings(), other_way.standings());
    for player in 1..=3 {
        let (one, other) = (one.of(player), other.of(player));
        assert_eq!(one.games, other.games);
        assert!((one.rating - other.rating).abs() < 1e-6, "{one:?} {other:?}");
    }
}

#[test]
fn the_same_game_again_is_no_evidence() {
    let mut results = Results::default();
    results.add(&game(1, 2, Some(7)));
    results.add(&game(2, 1, Some(7)));
    let rated = |results: &mut Results| {
        let after = results.standings();
        (after.of(1), after.deviations()[&1])
    };
    let before = rated(&mut results);
    for _ in 0..378 {
        results.add(&game(1, 2, Some(7)));
        results.add(&game(2, 1, Some(7)));
    }
    let after = rated(&mut results);
    assert_eq!((before.0.rating, before.1, before.0.games), (after.0.rating, after.1, 2));
    assert_eq!(after.0.games, 758);
    // Whoever plays the same games for ever does not come before others for ever.
    assert!(after.0.doubt() < before.0.doubt() / 5.0, "{after:?}");
    // Other moves, another side, another opponent are other games; so is one of which the moves are
    // unknown.
    for other in [game(1, 2, Some(8)), game(1, 3, Some(7)), game(1, 2, None), game(1, 2, None)] {
        let (_, deviation) = rated(&mut results);
        results.add(&other);
        assert_ne!(rated(&mut results).1, deviation);
    }
}

#[test]
fn cells_have_the_mean_of_all_their_games_and_the_weight_of_the_different_ones() {
    let cluster = |games: &[(Option<i64>, i64, Option<i64>)]| {
        let mut results = Results::default();
        for &(opening, moves, blamed) in games {
            let winner = Some(blamed.map_or(0, |side| 1 - side));
            results.add(&GameResult { winner, blamed, opening, ..game(1, 2, Some(moves)) });
        }
        let cluster = results.standings().meetings[0];
        (cluster.games, cluster.score)
    };
    // One line, and three crashes of the winner at different moves.
    let line = vec![(Some(1), 7, None); 27];
    let crashes = [1, 2, 3].map(|moves| (Some(1), moves, Some(0)));
    assert_eq!(cluster(&[&line[..], &crashes].concat()), (1.0, 0.9));
    // Openings count alike, however often each was played.
    assert_eq!(cluster(&[&line[..], &[(Some(2), 8, None)], &crashes].concat()), (2.0, 1.9));
    // Programs that play by chance: each game counts, those with faults as well.
    let by_chance: Vec<_> = (10..37).map(|moves| (Some(1), moves, None)).collect();
    assert_eq!(cluster(&[&by_chance[..], &crashes].concat()), (30.0, 27.0));
    // Databases of earlier versions know no openings.
    let unknown: Vec<_> = (1..5).map(|moves| (None, moves, None)).collect();
    assert_eq!(cluster(&unknown), (4.0, 4.0));
}

#[test]
fn programs_whose_games_are_all_lost_are_known_in_the_end() {
    let mut results = Results::default();
    play(&mut results, [1, 2], &ONE_EACH.repeat(20));
    let mut known = |games| {
        play(&mut results, [1, 3], &vec![Some(0); games]);
        let after = results.standings();
        let (last, deviation) = (after.of(3), after.deviations()[&3]);
        assert!(margin(deviation) > PROVISIONAL, "{deviation}");
        (!last.is_provisional(deviation), last.games_until(PROVISIONAL, deviation) == 0.0)
    };
    assert_eq!(known(10), (false, false));
    assert_eq!(known(16), (true, true));
}

/// Draws a game by the logistic model.
pub(crate) fn drawn(random: &mut ChaCha8Rng, difference: f64) -> Option<i64> {
    let expected = 1.0 / (1.0 + 10_f64.powf(-difference / 400.0));
    let number: f64 = random.random();
    let draws = 0.2 * expected * (1.0 - expected);
    ((number - expected).abs() >= draws).then_some(i64::from(number >= expected))
}

pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Programs with normally distributed strengths meet at random, those of similar ratings more
/// often. Returns the true strengths and the results.
fn league(programs: usize, games: usize, spread: f64, seed: u64) -> (Vec<f64>, Results) {
    let mut random = generator(seed, Purpose::Question, 0);
    let truth: Vec<f64> = (0..programs).map(|_| spread * normal(&mut random)).collect();
    let mut results = Results::default();
    let mut standings = results.standings();
    let (mut played, mut rated) = (0, 0);
    while played < games {
        let [one, other] = [0; 2].map(|_| random.random_range(0..programs));
        // Pairs may depend on what is known of the programs, and not on what is not.
        let near = standings.of(one as i64).expected(&standings.of(other as i64));
        if one == other || random.random::<f64>() > 4.0 * near * (1.0 - near) {
            continue;
        }
        for [first, second] in [[one, other], [other, one]] {
            let winner = drawn(&mut random, truth[first] - truth[second]);
            play(&mut results, [first as i64, second as i64], &[winner]);
            played += 1;
        }
        if played - rated >= 2 * programs {
            (standings, rated) = (results.standings(), played);
        }
    }
    (truth, results)
}

#[test]
#[ignore = "long"]
fn the_interval_holds() {
    for spread in [200.0, 400.0, 600.0] {
        for games in [10, 40, 400] {
            let mut within = 0;
            let mut deviations = 0.0;
            for seed in 0..10 {
                let (truth, mut results) = league(60, 30 * games, spread, seed);
                let mean = truth.iter().sum::<f64>() / 60.0;
                let standings = results.standings();
                let all = standings.deviations();
                for (player, truth) in (0..).zip(&truth) {
                    let rating = standings.of(player).rating;
                    let deviation = all.get(&player).copied().unwrap_or(SPREAD);
                    within += u32::from((rating - MEAN - (truth - mean)).abs() < margin(deviation));
                    deviations += deviation / 600.0;
                }
            }
            println!(
                "spread {spread}, {games} games each: {:.1} % of 600 strengths within ± {:.0}",
                f64::from(within) / 6.0,
                margin(deviations)
            );
            assert!(within > 540, "{within} of 600");
        }
    }
}
