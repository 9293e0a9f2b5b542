//! The order of the ladder against true strengths, from which results are drawn.

use super::super::LeagueStore;
use super::place::{NOW, PLAYS, end_pair, is_well, lease_pair, played, players};
use arena::random::{Purpose, generator};
use rand::RngExt;
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::time::Instant;

/// The share of draws between equals.
const DRAWS: f64 = 0.1;

/// Plays a ladder of players with normally distributed strengths until they have played this many
/// games in the mean. Returns Kendall's tau of the ladder and the strengths, and the share of
/// differences from the strengths within the margins.
async fn play(count: usize, games: usize, seed: u64) -> (f64, f64) {
    let directory = tempfile::tempdir().unwrap();
    let store = LeagueStore::open(directory.path(), None).await.unwrap();
    let mut random = generator(seed, Purpose::Question, 0);
    let mut strengths = HashMap::new();
    for id in players(&store, count).await {
        let (radius, angle): (f64, f64) = (random.random(), random.random());
        strengths
            .insert(id, 1500.0 + 400.0 * (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * angle).cos());
    }
    let start = Instant::now();
    for _ in 0..count * games / 4 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;

        let mut result = played(&lease, true);
        for game in &mut result.games {
            let [first, second] = game.players.map(|id| strengths[&id]);
            let expected = 1.0 / (1.0 + 10_f64.powf((second - first) / 400.0));
            let (drawn, number) =
                (DRAWS * 2.0 * expected * (1.0 - expected), random.random::<f64>());
            game.winner =
                ((number - expected).abs() >= drawn).then_some(usize::from(number >= expected));
            game.wall = [0.1; 2];
        }
        end_pair(&store, &lease, &result, NOW).await;
    }
    println!(
        "{:.2} ms for a pair",
        1e3 * start.elapsed().as_secs_f64() / (count * games / 4) as f64
    );
    is_well(&store).await;
    let ladder = store.ladder().await.unwrap();
    let fewest = ladder.iter().map(|row| row.games).min();
    println!(
        "seed {seed}: from {fewest:?} to {:?} games",
        ladder.iter().map(|row| row.games).max()
    );
    let (mut agree, mut within) = (0, 0);
    for (place, row) in ladder.iter().enumerate() {
        let truth = strengths[&row.submission];
        agree += ladder[..place]
            .iter()
            .map(|above| if strengths[&above.submission] > truth { 1 } else { -1 })
            .sum::<i32>();
        within += u32::from((row.rating - truth).abs() < crate::rating::margin(row.deviation));
    }
    let pairs = count * (count - 1) / 2;
    (f64::from(agree) / pairs as f64, f64::from(within) / count as f64)
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn the_ladder_comes_near_the_true_order() {
    let (tau, _) = wait(play(60, 40, 1));
    assert!(tau > 0.85, "{tau}");
}

#[test]
#[ignore = "plays 18,000 games"]
fn the_ladder_of_300_players_after_40_games_each() {
    let results: Vec<(f64, f64)> = (1..=3).map(|seed| wait(play(300, 40, seed))).collect();
    println!("tau, share within the margins: {results:.4?}");
    assert!(results.iter().map(|(tau, _)| tau).sum::<f64>() / 3.0 >= 0.89, "{results:?}");
}
