//! Leases, attempts, results.

use super::super::jobs::{LEASE_TIME, PAUSE};
use super::super::{JobKind, Work};
use super::place::{
    FROZEN, NOW, PLAYS, Place, enrol, hand_in, is_well, lease_check, lease_pair, log, played, players, verdict,
};
use crate::clock::DAY;

pub(super) async fn a_lease_that_was_lost_counts_for_nothing(place: Place) {
    let store = place.open().await;
    players(&store, 2).await;
    let slow = lease_pair(&store, &PLAYS, NOW).await;
    let later = NOW + LEASE_TIME + 1;
    let quick = lease_pair(&store, &FROZEN, later).await;
    assert_eq!(quick.job, slow.job);
    assert_ne!(quick.token, slow.token);
    assert!(!store.heartbeat(slow.job, &slow.token, "still here", later).await.unwrap());
    assert!(!store.extend(slow.job, &slow.token, later).await.unwrap());
    assert!(!store.finish_pair(slow.job, &slow.token, &played(&slow, true), (later, 10)).await.unwrap());
    store.give_back(slow.job, &slow.token, "no", later).await.unwrap();
    store.release(slow.job, &slow.token).await.unwrap();
    assert_eq!(store.game_count().await.unwrap(), 0);
    assert!(store.finish_pair(quick.job, &quick.token, &played(&quick, true), (later, 10)).await.unwrap());
    assert!(!store.finish_pair(slow.job, &slow.token, &played(&slow, true), (later, 10)).await.unwrap());
    assert!(!store.finish_pair(quick.job, &quick.token, &played(&quick, true), (later, 10)).await.unwrap());
    assert!(!store.heartbeat(quick.job, &quick.token, "", later).await.unwrap());
    assert_eq!(store.game_count().await.unwrap(), 2);
    assert_eq!(store.played_pairs().await.unwrap().len(), 1);
    is_well(&store).await;
    // The same for a check and an analysis.
    let entrant = enrol(&store, "late").await;
    let id = hand_in(&store, entrant, later, false).await;
    let slow = lease_check(&store, id, later).await;
    let quick = lease_check(&store, id, later + LEASE_TIME + 1).await;
    assert!(!store.finish_check(slow.job, &slow.token, id, &verdict(true)).await.unwrap());
    assert_eq!(store.submission(id).await.unwrap().unwrap().state, "waiting");
    assert!(store.finish_check(quick.job, &quick.token, id, &verdict(false)).await.unwrap());
    assert!(!store.finish_check(quick.job, &quick.token, id, &verdict(true)).await.unwrap());
    assert_eq!(store.submission(id).await.unwrap().unwrap().state, "refused");
    let pair = store.played_pairs().await.unwrap()[0];
    store.order_analysis(pair, later).await.unwrap();
    store.order_analysis(pair, later).await.unwrap();
    let lease = store.lease("worker", &FROZEN, later).await.unwrap().unwrap();
    assert!(matches!(lease.work, Work::Analysis { pair: of } if of == pair));
    assert!(store.lease("worker", &FROZEN, later).await.unwrap().is_none(), "ordered once");
    let texts = ["one".to_string(), "two".to_string()];
    assert!(!store.finish_analysis(lease.job, "forged", pair, &texts).await.unwrap());
    assert!(store.finish_analysis(lease.job, &lease.token, pair, &texts).await.unwrap());
    let analyses: Vec<_> =
        store.newest_games(9).await.unwrap().into_iter().map(|game| game.analysis.unwrap()).collect();
    assert_eq!(analyses, ["two", "one"]);
}

pub(super) async fn an_expired_lease_is_given_out_again(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    let lease = lease_check(&store, id, NOW).await;
    assert!(store.lease("other", &FROZEN, NOW + LEASE_TIME).await.unwrap().is_none());
    // Whoever says that it lives keeps the job, for as long as it takes.
    for minute in 1..=20 {
        let now = NOW + minute * LEASE_TIME;
        assert!(store.heartbeat(lease.job, &lease.token, "at work", now).await.unwrap());
        assert!(store.lease("other", &FROZEN, now).await.unwrap().is_none());
    }
    assert_eq!(store.job_of(JobKind::Check, id).await.unwrap().unwrap().1, "at work");
    assert_eq!(store.job_counts().await.unwrap().running, 1);
    lease_check(&store, id, NOW + 21 * LEASE_TIME + 1).await;
}

pub(super) async fn a_clock_that_is_set_back_blocks_nothing(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    // The clock was a year ahead when this came, was begun, and was given back.
    let ahead = NOW + 365 * DAY;
    let given = hand_in(&store, entrant, ahead, false).await;
    let lease = lease_check(&store, given, ahead).await;
    store.give_back(lease.job, &lease.token, "no disk", ahead).await.unwrap();
    let begun = hand_in(&store, entrant, ahead, false).await;
    lease_check(&store, begun, ahead).await;
    let waits = hand_in(&store, entrant, ahead, false).await;
    for id in [given, begun, waits] {
        let lease = lease_check(&store, id, NOW).await;
        assert!(store.heartbeat(lease.job, &lease.token, "", NOW + 1).await.unwrap());
        assert!(store.finish_check(lease.job, &lease.token, id, &verdict(true)).await.unwrap());
    }
    players(&store, 2).await;
    let lease = lease_pair(&store, &PLAYS, ahead).await;
    assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, true), (ahead, 10)).await.unwrap());
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, true), (NOW, 10)).await.unwrap());
    is_well(&store).await;
}

pub(super) async fn five_attempts_are_all(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    let mut now = NOW;
    for attempt in 1..=5 {
        let lease = lease_check(&store, id, now).await;
        store.give_back(lease.job, &lease.token, &format!("the disk is full {attempt}"), now).await.unwrap();
        assert!(store.lease("worker", &FROZEN, now + PAUSE - 1).await.unwrap().is_none(), "there is a pause");
        now += PAUSE;
    }
    assert!(store.lease("worker", &FROZEN, now).await.unwrap().is_none());
    assert_eq!(store.submission(id).await.unwrap().unwrap().state, "failed");
    assert_eq!(store.job_counts().await.unwrap().failed, 1);
    let log = log(&store).await;
    assert_eq!(log.iter().filter(|line| line.starts_with("-: the machine failed: ")).count(), 5, "{log:#?}");
    let last = log.last().unwrap();
    assert!(
        last.contains("gave up") && last.contains(&format!("check {id}")) && last.contains("the disk is full 5"),
        "{last}"
    );
    // The staff may order another check, which begins afresh.
    let (teacher, _) = (entrant.1, ());
    store.check_again(id, teacher, now).await.unwrap();
    let lease = lease_check(&store, id, now).await;
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(true)).await.unwrap());
    assert_eq!(store.submission(id).await.unwrap().unwrap().state, "plays");
}

pub(super) async fn a_worker_that_vanishes_each_time_uses_its_attempts_up(place: Place) {
    let store = place.open().await;
    players(&store, 2).await;
    let first = lease_pair(&store, &PLAYS, NOW).await;
    for time in 1..5 {
        let lease = lease_pair(&store, &FROZEN, NOW + time * (LEASE_TIME + 1)).await;
        assert_eq!(lease.job, first.job);
    }
    let end = NOW + 5 * (LEASE_TIME + 1);
    assert!(store.lease("worker", &FROZEN, end).await.unwrap().is_none());
    let log = log(&store).await;
    assert!(log.last().unwrap().contains("the worker vanished each time"), "{log:#?}");
    // The ladder goes on with another pair.
    let lease = lease_pair(&store, &PLAYS, end).await;
    assert_ne!(lease.job, first.job);
    assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, false), (end, 10)).await.unwrap());
    is_well(&store).await;
}

pub(super) async fn a_worker_that_ends_in_order_costs_nothing(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let id = hand_in(&store, entrant, NOW, false).await;
    for _ in 0..12 {
        let lease = lease_check(&store, id, NOW).await;
        store.release(lease.job, &lease.token).await.unwrap();
    }
    let lease = lease_check(&store, id, NOW).await;
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(true)).await.unwrap());
}

pub(super) async fn games_without_a_winner_and_people_have_no_value_there(place: Place) {
    let store = place.open().await;
    players(&store, 2).await;
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    let mut result = played(&lease, false);
    result.games[1].winner = Some(0);
    result.games[1].blamed = Some(1);
    assert!(store.finish_pair(lease.job, &lease.token, &result, (NOW, 10)).await.unwrap());
    let games = store.newest_games(9).await.unwrap();
    assert_eq!((games[1].winner, games[1].blamed, games[1].analysis.clone()), (None, None, None));
    assert_eq!((games[0].winner, games[0].blamed), (Some(0), Some(1)));
    assert_eq!((games[1].first_cpu, games[1].second_cpu, games[1].plies, games[1].ended), (0.5, 0.25, 12, NOW));
    let ladder = store.ladder().await.unwrap();
    assert!(ladder.iter().all(|row| row.paused.is_none() && row.games == 2 && row.draws == 1), "{ladder:?}");
    assert_eq!(store.rating_history(ladder[0].submission).await.unwrap().len(), 2);
    store.note(NOW, None, "nobody", "did it").await.unwrap();
    assert_eq!(log(&store).await.last().unwrap(), "-: nobody: did it");
}

pub(super) async fn pauses_after_faults_and_their_end(place: Place) {
    let store = place.open().await;
    let ids = players(&store, 2).await;
    for pair in 1..=2 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for game in &mut result.games {
            let bad = game.players.iter().position(|&id| id == ids[0]).unwrap();
            (game.winner, game.blamed) = (Some(1 - bad), Some(bad));
        }
        assert!(store.finish_pair(lease.job, &lease.token, &result, (NOW, 3)).await.unwrap(), "{pair}");
    }
    let paused = store.submission(ids[0]).await.unwrap().unwrap().paused;
    assert!(paused.unwrap().contains("3 games"), "the third fault pauses");
    assert!(store.submission(ids[1]).await.unwrap().unwrap().paused.is_none());
    assert!(store.lease("worker", &PLAYS, NOW).await.unwrap().is_none(), "one alone has nobody to meet");
    store.activate(ids[0], None, NOW).await.unwrap();
    lease_pair(&store, &PLAYS, NOW).await;
}

pub(super) async fn the_own_check_finds_what_does_not_fit(place: Place) {
    let store = place.open().await;
    players(&store, 2).await;
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, true), (NOW, 10)).await.unwrap());
    is_well(&store).await;
    for (statement, part) in [
        ("DELETE FROM game WHERE half = 2", "do not have two games"),
        ("UPDATE pair SET state = 'open'", "pairs that are not done"),
        ("UPDATE entrant SET active = (SELECT MAX(id) FROM submission)", "somebody else's"),
    ] {
        sqlx::query(statement).execute(&store.write).await.unwrap();
        let found = store.faults().await.unwrap();
        assert!(found.iter().any(|line| line.contains(part)), "{statement}: {found:?}");
    }
    let found = store.faults().await.unwrap();
    assert!(found.iter().any(|line| line.contains("another number of games")), "{found:?}");
    if store.postgres {
        assert!(store.copy_to(&place.directory().join("copy")).await.unwrap_err().to_string().contains("pg_dump"));
    }
}
