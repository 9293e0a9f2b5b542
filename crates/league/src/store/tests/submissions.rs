//! Which submission plays.

use super::super::Setting;
use super::place::{
    FROZEN, NOW, PLAYS, Place, active, enrol, hand_in, lease_check, lease_pair, played, players, submit, verdict,
};

pub(super) async fn the_newest_that_plays_is_active(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let first = submit(&store, entrant, NOW, true).await;
    assert_eq!(active(&store, entrant.0).await, Some(first));
    submit(&store, entrant, NOW, false).await;
    assert_eq!(active(&store, entrant.0).await, Some(first), "one that does not play takes nobody's place");
    // Two checks that end in the other order.
    let (older, newer) = (hand_in(&store, entrant, NOW, false).await, hand_in(&store, entrant, NOW, false).await);
    let (one, two) = (lease_check(&store, older, NOW).await, lease_check(&store, newer, NOW).await);
    assert!(store.finish_check(two.job, &two.token, newer, &verdict(true)).await.unwrap());
    assert!(store.finish_check(one.job, &one.token, older, &verdict(true)).await.unwrap());
    assert_eq!(active(&store, entrant.0).await, Some(newer));
    store.activate(first, Some(entrant.1), NOW).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, Some(first), "as its student wants it");
    assert!(store.activate(first + 1, None, NOW).await.is_err(), "it does not play");
    assert!(store.activate(99, None, NOW).await.is_err(), "there is none");
    let numbers: Vec<_> = store.submissions_of(entrant.0).await.unwrap().into_iter().map(|row| row.number).collect();
    assert_eq!(numbers, [4, 3, 2, 1]);
}

pub(super) async fn a_withdrawn_one_stays_withdrawn_when_its_check_ends(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let first = submit(&store, entrant, NOW, true).await;
    let second = hand_in(&store, entrant, NOW, false).await;
    let lease = lease_check(&store, second, NOW).await;
    store.withdraw(second, entrant.1, NOW).await.unwrap();
    assert!(store.finish_check(lease.job, &lease.token, second, &verdict(true)).await.unwrap());
    assert_eq!(store.submission(second).await.unwrap().unwrap().state, "withdrawn");
    assert_eq!(active(&store, entrant.0).await, Some(first));
    store.withdraw(first, entrant.1, NOW).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, None);
    assert!(store.ladder().await.unwrap().is_empty());
    assert!(store.activate(first, None, NOW).await.is_err());
}

pub(super) async fn what_comes_after_the_freeze_plays_later(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let first = submit(&store, entrant, NOW, true).await;
    let before = hand_in(&store, entrant, NOW + 1, false).await;
    store.set(Setting::Frozen, Some(&(NOW + 2).to_string())).await.unwrap();
    let lease = lease_check(&store, before, NOW + 9).await;
    assert!(store.finish_check(lease.job, &lease.token, before, &verdict(true)).await.unwrap());
    assert_eq!(active(&store, entrant.0).await, Some(before), "it came before the freeze");
    let after = submit(&store, entrant, NOW + 3, true).await;
    assert_eq!(store.submission(after).await.unwrap().unwrap().state, "plays");
    assert_eq!(active(&store, entrant.0).await, Some(before), "it came after the freeze");
    store.set(Setting::Frozen, None).await.unwrap();
    store.activate(after, None, NOW + 4).await.unwrap();
    assert_eq!(active(&store, entrant.0).await, Some(after));
    assert_ne!(first, after);
}

pub(super) async fn one_that_plays_no_more_leaves_the_ladder(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let id = submit(&store, entrant, NOW, true).await;
    store.check_again(id, entrant.1, NOW).await.unwrap();
    let lease = lease_check(&store, id, NOW).await;
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(false)).await.unwrap());
    assert!(store.ladder().await.unwrap().is_empty());
    // Two orders before it begins are one check. One that comes later is a check too many, and no harm.
    store.check_again(id, entrant.1, NOW).await.unwrap();
    store.check_again(id, entrant.1, NOW).await.unwrap();
    let lease = lease_check(&store, id, NOW).await;
    assert!(store.lease("worker", &FROZEN, NOW).await.unwrap().is_none());
    store.check_again(id, entrant.1, NOW).await.unwrap();
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(true)).await.unwrap());
    let lease = lease_check(&store, id, NOW).await;
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(false)).await.unwrap());
    assert_eq!(active(&store, entrant.0).await, Some(id));
}

pub(super) async fn a_check_again_takes_no_chosen_ones_place(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let second = submit(&store, entrant, NOW, true).await;
    let fourth = submit(&store, entrant, NOW + 1, true).await;
    store.activate(second, None, NOW + 2).await.unwrap();
    store.check_again(fourth, entrant.1, NOW + 3).await.unwrap();
    let lease = lease_check(&store, fourth, NOW + 3).await;
    assert!(store.finish_check(lease.job, &lease.token, fourth, &verdict(true)).await.unwrap());
    assert_eq!(active(&store, entrant.0).await, Some(second), "the student chose it");
    // A submission that is refused at first, and then plays, is the newest.
    let fifth = submit(&store, entrant, NOW + 4, false).await;
    store.check_again(fifth, entrant.1, NOW + 5).await.unwrap();
    let lease = lease_check(&store, fifth, NOW + 5).await;
    assert!(store.finish_check(lease.job, &lease.token, fifth, &verdict(true)).await.unwrap());
    assert_eq!(active(&store, entrant.0).await, Some(fifth));
}

pub(super) async fn late_ones_never_play(place: Place) {
    let store = place.open().await;
    let entrant = enrol(&store, "s").await;
    let late = hand_in(&store, entrant, NOW, true).await;
    let lease = lease_check(&store, late, NOW).await;
    assert!(store.finish_check(lease.job, &lease.token, late, &verdict(true)).await.unwrap());
    assert_eq!(store.submission(late).await.unwrap().unwrap().state, "plays");
    assert_eq!(active(&store, entrant.0).await, None);
}

pub(super) async fn a_new_version_begins_with_the_rating_before(place: Place) {
    let store = place.open().await;
    let ids = players(&store, 2).await;
    for _ in 0..10 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        let mut result = played(&lease, true);
        for game in &mut result.games {
            game.winner = game.players.iter().position(|&id| id == ids[0]);
        }
        assert!(store.finish_pair(lease.job, &lease.token, &result, (NOW, 10)).await.unwrap());
    }
    let before = store.ladder().await.unwrap().remove(0);
    assert_eq!((before.submission, before.games, before.wins), (ids[0], 20, 20));
    assert_eq!(before.trail.split(' ').count(), 20);
    let person = store.person_by_login("s0").await.unwrap().unwrap();
    let next = submit(&store, (before.entrant, person.id), NOW, true).await;
    let after = store.ladder().await.unwrap().remove(0);
    assert_eq!((after.submission, after.games, after.rating), (next, 0, before.rating));
    assert_eq!(after.provisional, 0, "it is known by the version before");
    assert!(after.deviation > before.deviation + 10.0);
    // The one before has its own rating again when it is chosen.
    store.activate(ids[0], None, NOW).await.unwrap();
    let again = store.ladder().await.unwrap().remove(0);
    assert_eq!((again.rating, again.deviation, again.games), (before.rating, before.deviation, 20));
    // A new player stands below all that have a place, whatever its rating.
    let entrant = enrol(&store, "new").await;
    let new = submit(&store, entrant, NOW, true).await;
    let ladder = store.ladder().await.unwrap();
    assert_eq!(ladder.iter().map(|row| row.provisional).collect::<Vec<_>>(), [0, 0, 1]);
    assert!(ladder[2].submission == new && ladder[2].rating > ladder[1].rating, "{ladder:?}");
}

pub(super) async fn baselines_alone_play_until_they_are_known(place: Place) {
    let store = place.open().await;
    for name in ["baseline: one", "baseline: two", "baseline: three"] {
        store.set_baseline(name, "{}", NOW).await.unwrap();
    }
    let mut pairs = 0;
    while let Some(lease) = store.lease("worker", &PLAYS, NOW).await.unwrap() {
        assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, false), (NOW, 10)).await.unwrap());
        pairs += 1;
        assert!(pairs < 1000, "they play without end");
    }
    assert!(pairs > 10, "{pairs}");
    // A student's program plays on against them.
    let entrant = enrol(&store, "s").await;
    let id = submit(&store, entrant, NOW, true).await;
    for _ in 0..200 {
        let lease = lease_pair(&store, &PLAYS, NOW).await;
        assert!(store.finish_pair(lease.job, &lease.token, &played(&lease, false), (NOW, 10)).await.unwrap());
    }
    assert_eq!(store.submission(id).await.unwrap().unwrap().games, 400);
}

pub(super) async fn baselines_come_and_go(place: Place) {
    let store = place.open().await;
    let one = store.set_baseline("baseline: one", "{\"a\":1}", NOW).await.unwrap();
    assert_eq!(store.set_baseline("baseline: one", "{\"a\":1}", NOW).await.unwrap(), one);
    store.set_baseline("baseline: two", "{}", NOW).await.unwrap();
    assert_ne!(store.set_baseline("baseline: one", "{\"a\":2}", NOW).await.unwrap(), one, "another player");
    assert_eq!(store.ladder().await.unwrap().len(), 2);
    lease_pair(&store, &PLAYS, NOW).await;
    store.keep_baselines(&["baseline: two".to_string()]).await.unwrap();
    assert_eq!(store.ladder().await.unwrap().len(), 1);
    assert!(store.stored_submissions().await.unwrap().is_empty());
    store.set_baseline("baseline: one", "{\"a\":2}", NOW).await.unwrap();
    assert_eq!(store.ladder().await.unwrap().len(), 2, "and comes back");
}
