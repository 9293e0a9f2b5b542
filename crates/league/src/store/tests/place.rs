//! A database for a test, and short ways to put something into it.

use super::super::{
    CheckResult, LadderLimits, LeagueStore, Lease, NewPerson, NewSubmission, PlayedGame,
    PlayedPair, Received, Role, Work,
};
use super::server::server;
use crate::clock::{DAY, Millis};
use std::future::Future;
use std::path::PathBuf;
use tempfile::TempDir;

/// The time of the tests.
pub(super) const NOW: Millis = 1_790_000_000_000;
/// The ladder makes pairs.
pub(super) const PLAYS: LadderLimits =
    LadderLimits { running: 8, share: 60.0, frozen: false, seed: 7 };
/// Only what was ordered is played.
pub(super) const FROZEN: LadderLimits = LadderLimits { frozen: true, ..PLAYS };

/// Where a database is. Each opening of it stands for a process.
pub(super) struct Place {
    directory: TempDir,
    url: Option<String>,
}

pub(super) fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    run(test(Place { directory: tempfile::tempdir().unwrap(), url: None }));
}

pub(super) fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Place) -> F) {
    run(test(Place {
        directory: tempfile::tempdir().unwrap(),
        url: Some(server().new_database()),
    }));
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(test);
}

impl Place {
    pub(super) async fn open(&self) -> LeagueStore {
        self.try_open().await.unwrap()
    }

    pub(super) async fn try_open(&self) -> anyhow::Result<LeagueStore> {
        LeagueStore::open(self.directory.path(), self.url.as_deref()).await
    }

    /// A directory for files.
    pub(super) fn directory(&self) -> PathBuf {
        self.directory.path().to_path_buf()
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

/// Adds a student, and returns the entrant and the person.
pub(super) async fn enrol(store: &LeagueStore, login: &str) -> (i64, i64) {
    let person = store.add_people(&[student(login, None)]).await.unwrap().remove(0);
    (person.entrant.unwrap(), person.id)
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
        person,
        received,
        late,
        file_name: "hw.zip",
        bytes: 9,
        digest: "abc",
    };
    match store.receive(&new, received - DAY, 100).await.unwrap() {
        Received::Accepted { id, .. } => id,
        Received::TooMany => panic!("too many"),
    }
}

pub(super) fn verdict(plays: bool) -> CheckResult {
    let [language, command, verdict, report] =
        ["Python", "python3 homework.py", "it plays", "a report"].map(String::from);
    CheckResult { plays, language, command, verdict, report }
}

/// Leases the check of a submission, which has to be the next job.
pub(super) async fn lease_check(store: &LeagueStore, id: i64, now: Millis) -> Lease {
    let lease = store.lease("worker", &FROZEN, now).await.unwrap().expect("a job");
    assert!(matches!(lease.work, Work::Check { submission, .. } if submission == id), "{lease:?}");
    lease
}

/// Ends a check whose lease is held.
pub(super) async fn end_check(store: &LeagueStore, lease: &Lease, id: i64, plays: bool) {
    assert!(store.finish_check(lease.job, &lease.token, id, &verdict(plays)).await.unwrap());
}

/// Checks a submission, which has to be the next job.
pub(super) async fn check(store: &LeagueStore, id: i64, now: Millis, plays: bool) {
    end_check(store, &lease_check(store, id, now).await, id, plays).await;
}

/// The state of a submission.
pub(super) async fn state(store: &LeagueStore, id: i64) -> String {
    store.submission(id).await.unwrap().unwrap().state
}

/// The person with a login.
pub(super) async fn person(store: &LeagueStore, login: &str) -> i64 {
    store.person_by_login(login).await.unwrap().unwrap().id
}

/// Hands in, and ends the check.
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

/// Adds students with a program that plays each, and returns the submissions.
pub(super) async fn players(store: &LeagueStore, count: usize) -> Vec<i64> {
    let mut all = Vec::new();
    for number in 0..count {
        let entrant = enrol(store, &format!("s{number}")).await;
        all.push(submit(store, entrant, NOW, true).await);
    }
    all
}

/// Leases a pair, which has to be the next job.
pub(super) async fn lease_pair(store: &LeagueStore, limits: &LadderLimits, now: Millis) -> Lease {
    let lease = store.lease("worker", limits, now).await.unwrap().expect("a job");
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
    };
    PlayedPair { pair: *pair, games: [game(0), game(1)] }
}

/// Counts a pair whose lease is held; ten faults in a row pause a program.
pub(super) async fn end_pair(store: &LeagueStore, lease: &Lease, result: &PlayedPair, now: Millis) {
    assert!(store.finish_pair(lease.job, &lease.token, result, (now, 10, 60.0)).await.unwrap());
}

/// Plays a pair, which has to be the next job.
pub(super) async fn play_pair(store: &LeagueStore, limits: &LadderLimits, now: Millis, wins: bool) {
    let lease = lease_pair(store, limits, now).await;
    end_pair(store, &lease, &played(&lease, wins), now).await;
}

/// Ends the analysis of a pair whose lease is held.
pub(super) async fn end_analysis(store: &LeagueStore, lease: &Lease, pair: i64) {
    let texts = ["one", "two"].map(String::from);
    assert!(store.finish_analysis(lease.job, &lease.token, pair, &texts).await.unwrap());
}

/// The actions of the log with their details, the oldest first.
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

/// The submission that plays for an entrant.
pub(super) async fn active(store: &LeagueStore, entrant: i64) -> Option<i64> {
    store.entrant(entrant).await.unwrap().unwrap().1
}

/// Fails where the database does not fit together.
pub(super) async fn is_well(store: &LeagueStore) {
    assert_eq!(store.faults().await.unwrap(), Vec::<String>::new());
}
