use super::*;
use arena::random::{Purpose, generator};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use std::time::Instant;

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

/// Twelve programs repeat a line against each other on each side, and fail in a part of their games.
/// Returns Kendall's tau and the mean difference from the ratings of the true mean scores: when each
/// different game counts once with its own result, and by cells.
fn fixed_lines(faults: [f64; 3], rounds: i64, seed: u64) -> [(f64, f64); 2] {
    const PROGRAMS: i64 = 12;
    let mut random = generator(seed, Purpose::Question, 0);
    let fault = |player: i64| faults[player as usize % 3];
    let strengths: Vec<f64> = (0..PROGRAMS).map(|_| 300.0 * normal(&mut random)).collect();
    let (mut by_games, mut by_cells) = (Results::default(), Results::default());
    let (mut seen, mut truth) = (HashSet::new(), Vec::new());
    for (first, second) in (0..PROGRAMS).flat_map(|one| (0..PROGRAMS).map(move |two| (one, two))) {
        if first == second {
            continue;
        }
        let [one, two] = [first as usize, second as usize];
        let line = drawn(&mut random, strengths[one] - strengths[two]);
        let points = line.map_or(0.5, |winner| if winner == 0 { 1.0 } else { 0.0 });
        let score = (1.0 - fault(first)) * (points * (1.0 - fault(second)) + fault(second));
        truth.push(Cluster { players: [one, two], score, games: 1.0 });
        for _ in 0..rounds {
            let blamed = [first, second]
                .into_iter()
                .position(|player| random.random::<f64>() < fault(player))
                .map(|side| side as i64);
            let moves = blamed.map_or(0, |side| random.random_range(2..60) * 2 + side);
            let moves = Some((first * PROGRAMS + second) * 1_000 + moves);
            let winner = blamed.map_or(line, |side| Some(1 - side));
            by_cells.add(&GameResult { winner, blamed, ..game(first, second, moves) });
            if seen.insert(moves) {
                by_games.add(&GameResult { winner, ..game(first, second, moves) });
            }
        }
    }
    let truth = fit(vec![0.0; PROGRAMS as usize], &truth, prior());
    [by_games, by_cells].map(|mut results| {
        let standings = results.standings();
        let rated: Vec<f64> =
            (0..PROGRAMS).map(|player| (standings.of(player).rating - MEAN) / ELO).collect();
        let differences = rated.iter().zip(&truth).map(|(is, truth)| (is - truth).abs() * ELO);
        let pairs = (0..12).flat_map(|one| (0..one).map(move |two| (one, two)));
        let agree =
            pairs.map(|(one, two)| (rated[one] - rated[two]) * (truth[one] - truth[two]) > 0.0);
        let agree = agree.filter(|agree| *agree).count() as f64;
        (agree / 33.0 - 1.0, differences.sum::<f64>() / 12.0)
    })
}

#[test]
fn programs_with_fixed_lines_and_faults_stand_where_their_mean_scores_put_them() {
    for faults in [[0.01; 3], [0.04; 3], [0.1; 3], [0.01, 0.04, 0.1]] {
        for rounds in [5, 15, 60] {
            let mut mean = [(0.0, 0.0); 2];
            for seed in 0..20 {
                for (sum, one) in mean.iter_mut().zip(fixed_lines(faults, rounds, seed)) {
                    *sum = (sum.0 + one.0 / 20.0, sum.1 + one.1 / 20.0);
                }
            }
            let [by_games, by_cells] = mean;
            println!(
                "faults {faults:?}, {rounds} rounds: tau and difference by games {:.3} {:.0}, by cells {:.3} {:.0}",
                by_games.0, by_games.1, by_cells.0, by_cells.1
            );
            assert!(by_cells.0 > 0.85 && by_cells.1 < 30.0, "{faults:?} {rounds}: {mean:?}");
        }
    }
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

/// A program of middling strength among twelve is handed in twenty times; the version with the best
/// rating after six pairs of games is chosen. Returns its mean distance above its true place: for
/// versions that are rated alone, after a closing period, and for equal programs that are one.
fn chosen_of_twenty(seed: u64) -> [f64; 3] {
    let mut random = generator(seed, Purpose::Question, 0);
    let mut truth: Vec<f64> = (0..11).map(|_| 100.0 * normal(&mut random)).collect();
    truth.sort_by(f64::total_cmp);
    let own = truth[5];
    let (mut alone, mut equal) = (Results::default(), Results::default());
    equal.twins = (101..120).map(|version| (version, 100)).collect();
    let mut meet = |players: [i64; 2], alone: &mut Results, equal: &mut Results| {
        let strengths = players.map(|one| truth.get(one as usize).copied().unwrap_or(own));
        for [one, two] in [[0, 1], [1, 0]] {
            let winners = [drawn(&mut random, strengths[one] - strengths[two])];
            play(alone, [players[one], players[two]], &winners);
            play(equal, [players[one], players[two]], &winners);
        }
    };
    for (one, two) in (0..11).flat_map(|one| (0..one).map(move |two| (one, two))) {
        for _ in 0..10 {
            meet([one, two], &mut alone, &mut equal);
        }
    }
    for version in 100..120 {
        for game in 0..6 {
            meet([version, (version + game * 5) % 11], &mut alone, &mut equal);
        }
    }
    let above = |standings: &Standings, version: i64| {
        let rating = standings.of(version).rating;
        (0..11).filter(|&other| standings.of(other).rating < rating).count() as f64 - 5.5
    };
    let rated = alone.standings();
    let best =
        (100..120).max_by(|one, two| rated.of(*one).rating.total_cmp(&rated.of(*two).rating));
    let best = best.unwrap();
    let (before, one) = (above(&rated, best), above(&equal.standings(), best));
    while rated_until(&mut alone, best) > 0.0 {
        for other in 0..11 {
            meet([best, other], &mut alone, &mut equal);
        }
    }
    [before, above(&alone.standings(), best), one]
}

fn rated_until(results: &mut Results, program: i64) -> f64 {
    let standings = results.standings();
    standings.of(program).games_until(40.0, standings.deviations()[&program])
}

#[test]
fn handing_in_again_wins_no_places() {
    let mut sums = [0.0; 3];
    for seed in 0..40 {
        for (sum, above) in sums.iter_mut().zip(chosen_of_twenty(seed)) {
            *sum += above / 40.0;
        }
    }
    println!(
        "places above the truth: alone {:.1}, after closing {:.1}, one {:.1}",
        sums[0], sums[1], sums[2]
    );
    assert!(sums[0] > 3.0 && sums[1] < 1.5 && sums[2].abs() < 0.7, "{sums:?}");
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
