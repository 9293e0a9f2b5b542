//! A database for a test, and short ways to put something into it.

use super::super::{
    CheckResult, LadderLimits, LeagueStore, Lease, NewPerson, NewSubmission, PlayedGame,
    PlayedPair, Role, Work,
};
use super::server::server;
use crate::clock::{DAY, Millis};
use std::ops::Deref;
use tempfile::TempDir;

pub(super) const NOW: Millis = 1_790_000_000_000;
/// The ladder makes pairs.
pub(super) const PLAYS: LadderLimits =
    LadderLimits { running: 8, share: 60.0, frozen: false, closing: None, seed: 7 };
/// Only what was ordered is played.
pub(super) const FROZEN: LadderLimits = LadderLimits { frozen: true, ..PLAYS };

pub(super) struct TestStore {
    store: LeagueStore,
    directory: TempDir,
    url: Option<String>,
}

impl Deref for TestStore {
    type Target = LeagueStore;

    fn deref(&self) -> &LeagueStore {
        &self.store
    }
}

/// Where a new database can be made.
fn new_place(postgres: bool) -> (TempDir, Option<String>) {
    (tempfile::tempdir().unwrap(), postgres.then(|| server().new_database()))
}

pub(super) fn on<F: Future<Output = ()>>(postgres: bool, test: impl FnOnce(TestStore) -> F) {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(2).enable_all().build().unwrap().block_on(async {
        let (directory, url) = new_place(postgres);
        let store = LeagueStore::open(directory.path(), url.as_deref()).await.unwrap();
        test(TestStore { store, directory, url }).await;
    });
}

impl TestStore {
    pub(super) async fn open(&self) -> LeagueStore {
        LeagueStore::open(self.directory.path(), self.url.as_deref()).await.unwrap()
    }

    /// Takes the changes of the tables after the first ones back.
    pub(super) async fn make_old(&self) {
        for statement in [
            "DELETE FROM _sqlx_migrations WHERE version > 1",
            "ALTER TABLE game DROP COLUMN opening",
            "DROP INDEX pair_final",
            "DROP INDEX pair_asked",
            "DROP INDEX submission_program",
            "DROP INDEX submission_twin",
            "ALTER TABLE submission DROP COLUMN program",
            "ALTER TABLE submission DROP COLUMN runtime",
            "ALTER TABLE submission DROP COLUMN twin",
        ] {
            sqlx::query(statement).execute(&self.write).await.unwrap();
        }
    }

    pub(super) fn elsewhere(&self) -> (TempDir, Option<String>) {
        new_place(self.url.is_some())
    }
}

pub(super) fn student(login: &str, team: Option<&str>) -> NewPerson {
    NewPerson {
        login: login.into(),
        name: format!("Name of {login}"),
        team: team.map(String::from),
        role: Role::Student,
    }
}

/// Returns the entrant and the person.
pub(super) async fn enrol(store: &LeagueStore, login: &str) -> (i64, i64) {
    enrol_all(store, [login]).await[0]
}

pub(super) async fn enrol_all<const N: usize>(
    store: &LeagueStore,
    logins: [&str; N],
) -> [(i64, i64); N] {
    let people = logins.map(|login| student(login, None));
    let added = store.add_people(&people).await.unwrap();
    std::array::from_fn(|at| (added[at].entrant.unwrap(), added[at].id))
}

/// Hands in for an entrant at a time, and returns the number of the submission.
pub(super) async fn hand_in(
    store: &LeagueStore,
    (entrant, person): (i64, i64),
    received: Millis,
    late: bool,
) -> i64 {
    let new = NewSubmission {
        entrant,
        person: Some(person),
        received,
        late,
        file_name: "hw.zip",
        bytes: 9,
        digest: "abc",
    };
    store.receive(&new, received - DAY, 100).await.unwrap().unwrap().0
}

pub(super) fn verdict(plays: bool) -> CheckResult {
    let [language, command, verdict, report] =
        ["Python", "python3 homework.py", "it plays", "a report"].map(String::from);
    let (runtime, program) = Default::default();
    CheckResult { plays, language, command, verdict, report, runtime, program }
}

pub(super) async fn next_job(
    store: &LeagueStore,
    limits: &LadderLimits,
    now: Millis,
) -> Option<Lease> {
    store.lease("worker", limits, now).await.unwrap()
}

pub(super) async fn give_back(store: &LeagueStore, lease: &Lease, why: &str, now: Millis) {
    store.give_back(lease.job, &lease.token, why, now).await.unwrap();
}

pub(super) async fn lease_check(store: &LeagueStore, id: i64, now: Millis) -> Lease {
    let lease = next_job(store, &FROZEN, now).await.unwrap();
    assert!(matches!(lease.work, Work::Check { submission, .. } if submission == id), "{lease:?}");
    lease
}

pub(super) async fn end_check(store: &LeagueStore, lease: &Lease, id: i64, plays: bool) {
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(plays)).await.unwrap());
}

pub(super) async fn check(store: &LeagueStore, id: i64, now: Millis, plays: bool) {
    end_check(store, &lease_check(store, id, now).await, id, plays).await;
}

pub(super) async fn state(store: &LeagueStore, id: i64) -> String {
    store.submission(id).await.unwrap().unwrap().state
}

pub(super) async fn person(store: &LeagueStore, login: &str) -> i64 {
    store.person_by_login(login).await.unwrap().unwrap().id
}

pub(super) async fn submit(
    store: &LeagueStore,
    entrant: (i64, i64),
    received: Millis,
    plays: bool,
) -> i64 {
    let id = hand_in(store, entrant, received, false).await;
    check(store, id, received, plays).await;
    id
}

pub(super) async fn players(store: &LeagueStore, count: usize) -> Vec<i64> {
    let mut all = Vec::new();
    for number in 0..count {
        let entrant = enrol(store, &format!("s{number}")).await;
        all.push(submit(store, entrant, NOW, true).await);
    }
    all
}

pub(super) async fn lease_pair(store: &LeagueStore, limits: &LadderLimits, now: Millis) -> Lease {
    let lease = next_job(store, limits, now).await.unwrap();
    assert!(matches!(lease.work, Work::Pair { .. }), "{lease:?}");
    lease
}

/// The results of a leased pair: the first player wins both games, or both are drawn.
pub(super) fn played(lease: &Lease, wins: bool) -> PlayedPair {
    let Work::Pair { pair, players, .. } = &lease.work else { panic!("{lease:?}") };
    let ids = [players[0].submission, players[1].submission];
    let game = |half: usize| PlayedGame {
        players: if half == 0 { ids } else { [ids[1], ids[0]] },
        winner: wins.then_some(half),
        blamed: None,
        termination: "win".into(),
        reason: "because".into(),
        plies: 12,
        cpu: [0.5, 0.25],
        wall: [1.0, 2.0],
        moves: None,
        opening: None,
    };
    PlayedPair { pair: *pair, games: [game(0), game(1)] }
}

/// Counts a pair if its lease is held; ten faults in a row pause a program.
pub(super) async fn finish(
    store: &LeagueStore,
    lease: &Lease,
    result: &PlayedPair,
    now: Millis,
) -> bool {
    store.finish_pair(lease.job, &lease.token, result, (now, 10, 60.0)).await.unwrap()
}

pub(super) async fn end_pair(store: &LeagueStore, lease: &Lease, result: &PlayedPair, now: Millis) {
    assert!(finish(store, lease, result, now).await);
}

pub(super) async fn play_pair(store: &LeagueStore, limits: &LadderLimits, now: Millis, wins: bool) {
    let lease = lease_pair(store, limits, now).await;
    end_pair(store, &lease, &played(&lease, wins), now).await;
}

pub(super) async fn end_analysis(store: &LeagueStore, lease: &Lease, pair: i64) {
    let texts = ["one", "two"].map(String::from);
    assert!(store.finish_analysis(lease.job, &lease.token, pair, &texts).await.unwrap());
}

pub(super) async fn log(store: &LeagueStore) -> Vec<String> {
    let lines = store.audit(1000).await.unwrap();
    lines
        .into_iter()
        .rev()
        .map(|line| {
            format!("{}: {}: {}", line.who.as_deref().unwrap_or("-"), line.action, line.detail)
        })
        .collect()
}

pub(super) async fn active(store: &LeagueStore, entrant: i64) -> Option<i64> {
    store.entrant(entrant).await.unwrap().unwrap().1
}

pub(super) async fn is_well(store: &LeagueStore) {
    assert_eq!(store.faults().await.unwrap(), Vec::<String>::new());
}
