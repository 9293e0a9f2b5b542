//! Figures published elsewhere: those of fastchess's own tests (app/tests/elo_test.cpp,
//! app/tests/sprt_test.cpp), without its Bayesian model, which is not offered, and its two cases
//! with a single kind of result. For those the ratio depends on the substitute for the missing
//! kinds and on the precision of the solver, which is 1e-12 here.

use super::*;

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 0.01 * expected.abs().max(0.01),
        "found {found}, expected {expected}"
    );
}

/// In fastchess's order: both lost, loss and draw, win and loss, both drawn, win and draw, both
/// won.
fn pairs(ll: u32, ld: u32, wl: u32, dd: u32, wd: u32, ww: u32) -> Pairs {
    Pairs([ll, ld, wl + dd, wd, ww].map(f64::from))
}

#[test]
fn elo_of_pairs_equals_published_figures() {
    for (counts, normalized, elo) in [
        (pairs(34, 54, 31, 32, 64, 75), (57.94, 28.28), (55.58, 27.65)),
        (pairs(332, 433, 457, 41, 333, 334), (-9.17, 10.96), (-8.64, 10.33)),
        (pairs(7895, 8757, 5485, 200, 568, 9999), (-19.01, 2.65), (-21.04, 2.95)),
    ] {
        let estimate = counts.estimate().unwrap();
        close(estimate.normalized, normalized.0);
        close(estimate.normalized_error, normalized.1);
        close(estimate.elo, elo.0);
        close(estimate.elo_error, elo.1);
    }
    close(pairs(332, 433, 457, 41, 333, 334).estimate().unwrap().superiority, 0.0505);
}

fn sprt(elo0: f64, elo1: f64, logistic: bool) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, logistic }
}

#[test]
fn sprt_of_pairs_equals_published_figures() {
    close(sprt(0.0, 2.0, false).ratio(&pairs(365, 16618, 36029, 200, 16974, 390)), 2.25);
    close(sprt(-1.75, 0.25, false).ratio(&pairs(127, 4883, 10311, 401, 5150, 104)), 3.01);
    close(sprt(0.5, 2.5, true).ratio(&pairs(223, 9863, 20279, 1000, 10037, 246)), -3.07);
    close(sprt(0.0, 2.0, true).ratio(&pairs(871, 26175, 55003, 980, 26678, 821)), -4.98);
}

#[test]
fn sprt_of_one_sided_results_leans_to_the_better_hypothesis() {
    let test = sprt(0.0, 5.0, false);
    assert!(test.ratio(&pairs(0, 0, 0, 0, 0, 104)) > 1.0);
    assert!(test.ratio(&pairs(104, 0, 0, 0, 0, 0)) < -1.0);
    assert!(test.ratio(&pairs(0, 0, 0, 104, 0, 0)) < 0.0);
}

#[test]
fn sprt_bounds_are_those_of_wald() {
    let (lower, upper) = sprt(0.0, 5.0, false).bounds();
    close(lower, -2.944);
    close(upper, 2.944);
    assert_eq!(sprt(0.0, 5.0, false).verdict(2.95), SprtVerdict::H1);
    assert_eq!(sprt(0.0, 5.0, false).verdict(-2.95), SprtVerdict::H0);
    assert_eq!(sprt(0.0, 5.0, false).verdict(0.0), SprtVerdict::Open);
}

#[test]
fn sprt_words_are_read_and_bad_ones_refused() {
    let read = |text: &str| Sprt::parse(text.split_whitespace());
    assert_eq!(read("elo0=0 elo1=10 alpha=0.05 beta=0.05").unwrap(), sprt(0.0, 10.0, false));
    assert!(read("elo0=0 elo1=10 model=logistic").unwrap().logistic);
    for text in [
        "",
        "elo0=1 elo1=0",
        "elo0=0 elo1=5 alpha=0",
        "elo0=x elo1=1",
        "elo0=0 elo1=1 gamma=2",
        "elo0=0 elo1=1 model=x",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

fn meeting(one: usize, other: usize, results: &[(f64, usize)]) -> Vec<Cluster> {
    let cluster = |score| Cluster { players: [one, other], score, games: 2.0 };
    results.iter().flat_map(|&(score, count)| vec![cluster(score); count]).collect()
}

#[test]
fn a_table_of_two_agrees_with_the_match_of_two() {
    let results = [(0.0, 34), (0.5, 54), (1.0, 63), (1.5, 64), (2.0, 75)];
    let (ratings, assumed) = ratings(2, &meeting(0, 1, &results));
    assert!(!assumed);
    close(ratings[0].elo - ratings[1].elo, 55.58);
    // Each of the two is half the difference away from the mean, and so is the error.
    close(2.0 * ratings[0].error, 27.65);
}

#[test]
fn error_bars_shrink_with_the_root_of_the_pairs() {
    let few = [(0.0, 5), (1.0, 10), (2.0, 10)];
    let many = few.map(|(score, count)| (score, 4 * count));
    let error = |results: &[(f64, usize)]| ratings(2, &meeting(0, 1, results)).0[0].error;
    close(error(&few) / error(&many), 2.0);
    let pairs = |factor: f64| {
        Pairs([5.0, 0.0, 10.0, 0.0, 10.0].map(|count| count * factor)).estimate().unwrap()
    };
    assert!(pairs(4.0).elo_error < 0.52 * pairs(1.0).elo_error);
}

#[test]
fn results_that_are_all_alike_have_no_error_bar() {
    let estimate = Pairs([0.0, 0.0, 0.0, 3.0, 0.0]).estimate().unwrap();
    assert!(estimate.elo > 0.0 && estimate.elo_error.is_nan() && estimate.superiority.is_nan());
    assert!(ratings(2, &meeting(0, 1, &[(1.5, 3)])).0[0].error.is_nan());
}

#[test]
fn ratings_add_up_along_a_chain_of_players() {
    // 0 scores 75 % against 1, and 1 scores 75 % against 2.
    let mut clusters = meeting(0, 1, &[(1.0, 40), (2.0, 40)]);
    clusters.extend(meeting(1, 2, &[(1.0, 40), (2.0, 40)]));
    let (ratings, _) = ratings(3, &clusters);
    close(ratings[0].elo - ratings[1].elo, 190.85);
    close(ratings[1].elo - ratings[2].elo, 190.85);
    assert!(ratings.iter().map(|rating| rating.elo).sum::<f64>().abs() < 1e-6);
}

#[test]
fn a_clean_sweep_gets_a_finite_rating_without_an_error() {
    let (ratings, assumed) = ratings(2, &meeting(0, 1, &[(2.0, 5)]));
    assert!(assumed && ratings[0].elo.is_finite() && ratings[0].elo > 100.0);
    assert!(ratings[0].error.is_nan());
    assert!(pairs(0, 0, 0, 0, 0, 0).estimate().is_none());
    assert!(pairs(0, 0, 0, 0, 0, 5).estimate().unwrap().elo.is_infinite());
}
