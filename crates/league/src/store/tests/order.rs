//! The order of the ladder against true strengths, from which results are drawn.

use super::place::{NOW, PLAYS, TestStore, end_pair, is_well, lease_pair, played, players};
use crate::rating::tests::{drawn, normal};
use arena::random::{Purpose, generator};
use std::collections::HashMap;

pub(super) async fn the_ladder_comes_near_the_true_order(store: TestStore) {
    let mut random = generator(1, Purpose::Question, 0);
    let mut strengths = HashMap::new();
    for id in players(&store, 60).await {
        strengths.insert(id, 400.0 * normal(&mut random));
    }
    for _ in 0..600 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let [first, second] = game.players.map(|id| strengths[&id]);
            game.winner = drawn(&mut random, first - second).map(|side| side as usize);
            game.wall = [0.1; 2];
        }
        end_pair(&store, &lease, &result, NOW).await;
    }
    is_well(&store).await;
    let ladder = store.ladder().await.unwrap();
    let above = |at: usize| ladder[..at].iter().map(|row| strengths[&row.submission]);
    let agree = |at: usize| {
        let truth = strengths[&ladder[at].submission];
        above(at).map(|other| if other > truth { 1 } else { -1 }).sum::<i32>()
    };
    // Kendall's tau.
    let tau = f64::from((0..60).map(agree).sum::<i32>()) / f64::from(60 * 59 / 2);
    assert!(tau > 0.85, "{tau}");
}
