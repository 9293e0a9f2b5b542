//! Two processes, each with several tasks, that want the same at the same time.

use super::super::{AnalysisOrder, LadderLimits, LeagueStore, NewSubmission, Work};
use super::place::{
    FROZEN, NOW, PLAYS, TestStore, enrol, finish, hand_in, is_well, lease_pair, next_job, person,
    play_pair, played, players,
};
use crate::clock::DAY;
use std::collections::{BTreeSet, HashMap};
use std::future::Future;
use std::sync::Arc;
use tokio::sync::Barrier;

/// Does something eight times at once, half of it in another process.
async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(
    place: &TestStore,
    deed: impl Fn(LeagueStore, usize) -> F,
) -> Vec<T> {
    const TASKS: usize = 8;
    let stores = [place.open().await, place.open().await];
    let barrier = Arc::new(Barrier::new(TASKS));
    let mut tasks = Vec::new();
    for number in 0..TASKS {
        let (barrier, deed) = (Arc::clone(&barrier), deed(stores[number % 2].clone(), number));
        tasks.push(tokio::spawn(async move {
            barrier.wait().await;
            deed.await
        }));
    }
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}

pub(super) async fn no_job_is_leased_twice(store: TestStore) {
    const JOBS: usize = 40;
    let entrant = enrol(&store, "s").await;
    for _ in 0..JOBS {
        hand_in(&store, entrant, NOW, false).await;
    }
    let leased = at_once(&store, |store, number| async move {
        let mut own = Vec::new();
        while let Some(lease) = store.lease(&number.to_string(), &FROZEN, NOW).await.unwrap() {
            own.push((lease.job, lease.token));
        }
        own
    });
    let leased: Vec<_> = leased.await.into_iter().flatten().collect();
    let (jobs, tokens): (BTreeSet<_>, BTreeSet<_>) = leased.iter().cloned().unzip();
    assert_eq!((leased.len(), jobs.len(), tokens.len()), (JOBS, JOBS, JOBS));
}

pub(super) async fn no_pair_of_the_ladder_exceeds_its_share(store: TestStore) {
    players(&store.open().await, 9).await;
    let limits = LadderLimits { running: 1, ..PLAYS };
    let leases = at_once(&store, move |store, _| async move {
        let mut own = Vec::new();
        while let Some(lease) = next_job(&store, &limits, NOW).await {
            own.push(lease);
        }
        own
    });
    let mut at_work: HashMap<i64, u32> = HashMap::new();
    for lease in leases.await.into_iter().flatten() {
        let Work::Pair { players, .. } = lease.work else { panic!("{lease:?}") };
        assert_ne!(players[0].submission, players[1].submission);
        players.iter().for_each(|player| *at_work.entry(player.submission).or_default() += 1);
    }
    assert_eq!(at_work.len(), 8, "four pairs of nine: {at_work:?}");
    assert!(at_work.values().all(|&count| count == 1), "{at_work:?}");
}

pub(super) async fn a_pair_counts_once_whoever_says_so_at_the_same_time(store: TestStore) {
    players(&store, 2).await;
    let lease = lease_pair(&store, &PLAYS, NOW).await;
    let counted = at_once(&store, {
        let lease = lease.clone();
        move |store, _| {
            let lease = lease.clone();
            async move { finish(&store, &lease, &played(&lease, true), NOW).await }
        }
    });
    assert_eq!(counted.await.into_iter().filter(|&counts| counts).count(), 1);
    assert_eq!(store.game_count().await.unwrap(), 2);
    is_well(&store).await;
}

pub(super) async fn results_at_the_same_time_lose_no_game(store: TestStore) {
    const PAIRS: i64 = 6;
    players(&store, 3).await;
    // All play the same three: every result changes sums that another one changes as well.
    at_once(&store, |store, _| async move {
        for _ in 0..PAIRS {
            play_pair(&store, &LadderLimits { running: 100, ..PLAYS }, NOW, true).await;
        }
    })
    .await;
    assert_eq!(store.game_count().await.unwrap(), 8 * PAIRS * 2);
    is_well(&store).await;
    let ladder = store.ladder().await.unwrap();
    assert_eq!(ladder.iter().map(|row| row.games).sum::<i64>(), 8 * PAIRS * 4);
    assert_eq!(ladder.iter().map(|row| row.wins).sum::<i64>(), 8 * PAIRS * 2);
    // Every process has seen every game.
    let other = store.open().await.ladder().await.unwrap();
    for (row, other) in ladder.iter().zip(&other) {
        assert_eq!(store.rating_history(row.submission).await.unwrap().len() as i64, row.games);
        assert_eq!(row.games, other.games);
        assert!((row.rating - other.rating).abs() < 1e-3, "{row:?} {other:?}");
    }
}

pub(super) async fn uploads_at_the_same_time_keep_the_limit_and_their_numbers(store: TestStore) {
    let (entrant, person) = enrol(&store.open().await, "s").await;
    let answers = at_once(&store, move |store, _| async move {
        let new = NewSubmission {
            entrant,
            person: Some(person),
            received: NOW,
            ..NewSubmission::default()
        };
        store.receive(&new, NOW - DAY, 3).await.unwrap()
    });
    let mut numbers: Vec<i64> =
        answers.await.into_iter().flatten().map(|(_, number)| number).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(store.open().await.submissions_since(entrant, NOW - DAY).await.unwrap(), 3);
}

pub(super) async fn a_link_is_used_once_by_two_browsers(store: TestStore) {
    let (_, person) = enrol(&store, "s").await;
    let link = store.new_link(person, NOW).await.unwrap();
    let sessions = at_once(&store, move |store, _| {
        let link = link.clone();
        async move { store.redeem_link(&link, NOW, NOW + DAY).await.unwrap() }
    });
    assert_eq!(sessions.await.into_iter().flatten().count(), 1);
}

pub(super) async fn challenges_at_the_same_time_keep_the_limit(store: TestStore) {
    let ids = players(&store, 2).await;
    let person = person(&store, "s0").await;
    let pair = (ids[0], ids[1]);
    let ordered = at_once(&store, move |store, _| async move {
        store.order_challenge(pair, person, (NOW - DAY, 5), (NOW, 7)).await.unwrap()
    });
    assert_eq!(ordered.await.into_iter().filter(|&ordered| ordered).count(), 5);
    let next_day = (NOW + 1, 5);
    assert!(store.order_challenge(pair, person, next_day, (NOW + 1, 7)).await.unwrap());
    assert_eq!(store.job_counts().await.unwrap().pairs, 6);
}

pub(super) async fn an_analysis_is_ordered_once_at_the_same_time(store: TestStore) {
    players(&store, 2).await;
    play_pair(&store, &PLAYS, NOW, true).await;
    let person = person(&store, "s0").await;
    let pair = store.played_pairs().await.unwrap()[0];
    let ordered = at_once(&store, move |store, _| async move {
        store.order_analysis(pair, person, (NOW, 20), NOW).await.unwrap()
    });
    assert!(ordered.await.into_iter().all(|answer| answer == AnalysisOrder::Ordered));
    let lease = next_job(&store, &FROZEN, NOW).await.unwrap();
    assert!(matches!(lease.work, Work::Analysis { pair: of } if of == pair));
    assert!(next_job(&store, &FROZEN, NOW).await.is_none());
}

pub(super) async fn two_servers_that_start_make_the_tables_once(store: TestStore) {
    let (directory, url) = store.elsewhere();
    let open = || LeagueStore::open(directory.path(), url.as_deref());
    let (one, two, three) = tokio::join!(open(), open(), open());
    for store in [one, two, three] {
        store.unwrap().set_baseline("baseline: random", "{}", NOW).await.unwrap();
    }
    let store = open().await.unwrap();
    store.keep_baselines(&["baseline: random".to_string()]).await.unwrap();
    assert_eq!(store.ladder().await.unwrap().len(), 1);
}
