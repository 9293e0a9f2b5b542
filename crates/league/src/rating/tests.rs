use super::*;
use arena::random::{Purpose, generator};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use std::time::Instant;

fn play(results: &mut Results, players: [i64; 2], winners: &[Option<i64>]) {
    for &winner in winners {
        let [first, second] = players;
        results.add(&GameResult { id: 0, first, second, winner, moves: None });
    }
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
    assert!(after.of(5).is_provisional() && !after.of(1).is_provisional());
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
    let game = |first, second, moves| GameResult { id: 0, first, second, winner: Some(0), moves };
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
fn the_fit_is_fast_and_its_interval_holds() {
    for (programs, games) in [(60, 2_400), (300, 100_000), (1_500, 60_000)] {
        let (_, mut results) = league(programs, games, 400.0, 1);
        play(&mut results, [0, 1], &ONE_EACH);
        let start = Instant::now();
        let standings = results.standings();
        let fitted = 1e3 * start.elapsed().as_secs_f64();
        results.strengths.fill(0.0);
        let start = Instant::now();
        results.standings();
        let first = 1e3 * start.elapsed().as_secs_f64();
        let start = Instant::now();
        standings.deviations();
        let deviations = 1e3 * start.elapsed().as_secs_f64();
        let pairs = results.meetings.len();
        println!(
            "{programs} programs, {games} games of {pairs} pairs: the fit takes {first:.1} ms at first, {fitted:.1} ms after a \
             pair of games, its deviations {deviations:.1} ms"
        );
    }
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

#[test]
#[ignore = "long"]
fn newcomers_come_near_their_strength_and_move_nobody_else() {
    let mut results = Results::default();
    for games in [10, 100, 1000] {
        let played = results.standings.first().map_or(0, |one| one.games as usize);
        play(&mut results, [1, 2], &ONE_EACH.repeat((games - played) / 2));
        let after = results.standings();
        let (difference, margin) =
            (after.of(1).rating - after.of(2).rating, margin(after.deviations()[&1]));
        println!(
            "two alone after {games} games, half won by each: {difference:.1} apart, ± {margin:.0}"
        );
        assert!(difference.abs() < 0.1 && margin > 5.0);
    }
    let (settled, days) = (20, 30);
    let (mut truth, mut results) = league(settled, 4_000, 400.0, 1);
    let mut random = generator(2, Purpose::Question, 0);
    let mean_of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let rated = |results: &mut Results| {
        let after = results.standings();
        (0..settled as i64).map(|player| after.of(player).rating).collect::<Vec<_>>()
    };
    // The largest move of a rating, and in parts of its own margin.
    let (mut errors, mut moved, mut part) = ([0.0; 4], 0.0f64, 0.0f64);
    for new in settled..settled + days {
        truth.push(400.0 * normal(&mut random));
        let (before, deviations) = (rated(&mut results), results.standings().deviations());
        for pair in 1..=20 {
            let after = results.standings();
            let near = |&other: &usize| {
                (after.of(new as i64).rating - after.of(other as i64).rating).abs()
            };
            let five: Vec<usize> = (0..5).map(|_| random.random_range(0..settled)).collect();
            let other =
                five.into_iter().min_by(|one, two| near(one).total_cmp(&near(two))).unwrap();
            for [first, second] in [[new, other], [other, new]] {
                let winner = drawn(&mut random, truth[first] - truth[second]);
                play(&mut results, [first as i64, second as i64], &[winner]);
            }
            if let Some(at) = [1, 5, 10, 20].iter().position(|&shown| shown == pair) {
                let all = rated(&mut results);
                let newcomer = results.standings().of(new as i64).rating - mean_of(&all);
                errors[at] +=
                    (newcomer - truth[new] + mean_of(&truth[..settled])).abs() / days as f64;
            }
        }
        let after = rated(&mut results);
        let (one, other) = (mean_of(&before), mean_of(&after));
        for (player, (was, is)) in (0..).zip(before.iter().zip(&after)) {
            let change = (is - other - was + one).abs();
            moved = moved.max(change);
            part = part.max(change / margin(deviations[&player]));
        }
    }
    println!("{days} newcomers, one a day: mean errors {errors:.0?} after 1, 5, 10 and 20 pairs");
    println!(
        "the ratings of {settled} others, of 400 games in the mean, move by {moved:.0} a day at most, {part:.2} of their ±"
    );
    assert!(errors[0] < 300.0 && errors[2] < 120.0 && part < 1.0);
}
