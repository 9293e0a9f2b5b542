//! The database: SQLite in the league's directory, or PostgreSQL for several machines, with the
//! same statements. What belongs together is one transaction; what was confirmed to somebody is
//! committed. SQLite has one connection that writes.

mod games;
mod jobs;
mod known;
mod ladder;
mod leases;
mod news;
mod people;
mod remarks;
mod settings;
mod standings;
mod submissions;
#[cfg(test)]
mod tests;

pub(crate) use games::{GameRow, GamesAsked, Meeting, PlayedGame, PlayedPair, RatedGame};
pub(crate) use jobs::{AnalysisOrder, JobKind, Lease, PlayerOrder, RunningJob, Work};
pub(crate) use ladder::{LadderLimits, LadderRow};
pub(crate) use news::News;
pub(crate) use people::{CredentialKind, LINK_DAYS, NewPerson, Person, Role};
pub(crate) use settings::Setting;
pub(crate) use submissions::{CheckResult, NewSubmission, SubmissionRow};

use crate::disk::has_room_for;
use anyhow::{Context, Result, bail};
use known::{Deviations, Known};
use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{Any, AnyConnection, AnyPool, Connection, SqlSafeStr, Transaction};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tokio::sync::Mutex;

/// The tables. Later changes are further migrations: databases keep the checksum of each.
const SQLITE: [&str; 4] = [
    include_str!("../../migrations/sqlite/0001_league.sql"),
    include_str!("../../migrations/0002_cells_and_twins.sql"),
    include_str!("../../migrations/0003_runtime.sql"),
    include_str!("../../migrations/0004_indexes.sql"),
];
const POSTGRES: [&str; 4] =
    [include_str!("../../migrations/postgres/0001_league.sql"), SQLITE[1], SQLITE[2], SQLITE[3]];

fn migrator(changes: &[&'static str]) -> Migrator {
    let change = |(number, text): (i64, &&'static str)| {
        let text = text.into_sql_str();
        Migration::new(number, "league".into(), MigrationType::Simple, text, false)
    };
    Migrator::with_migrations((1..).zip(changes).map(change).collect())
}

use crate::row::row;

/// Fetches rows: how and from where, the statement, and its values.
macro_rules! sql {
    ($fetch:ident($on:expr), $statement:expr $(, $value:expr)* $(,)?) => {
        sqlx::query_as($statement)$(.bind($value))*.$fetch($on).await?
    };
}
use sql;

/// As [`sql`], for statements with one column.
macro_rules! scalar {
    ($fetch:ident($on:expr), $statement:expr $(, $value:expr)* $(,)?) => {
        sqlx::query_scalar($statement)$(.bind($value))*.$fetch($on).await?
    };
}
use scalar;

macro_rules! execute {
    ($on:expr, $statement:expr $(, $value:expr)* $(,)?) => {
        sqlx::query($statement)$(.bind($value))*.execute($on).await?
    };
}
use execute;

/// The condition that a pair belongs to the final that counts. The setting `final-after` has the
/// last pair of one that was reset; in a database of an earlier version `final` has its time.
macro_rules! of_the_final {
    () => {
        "pair.reason = 'final' AND pair.id > COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE key = 'final-after'), 0)
             AND pair.created >= COALESCE((SELECT CAST(value AS BIGINT) FROM setting WHERE key = 'final'), 0)"
    };
}
use of_the_final;

macro_rules! is_rated {
    () => {
        "(SELECT reason FROM pair WHERE pair.id = game.pair) <> 'unrated'"
    };
}
use is_rated;

/// The rated games of a submission, `$1`: the opponent, its own rating before and its points.
macro_rules! rated_games {
    () => {
        concat!(
            "SELECT id, CASE WHEN first = $1 THEN second ELSE first END AS opponent,
                 CASE WHEN first = $1 THEN first_rating ELSE second_rating END AS rating,
                 CAST(CASE WHEN winner IS NULL THEN 0.5 WHEN (winner = 0) = (first = $1) THEN 1.0 ELSE 0.0 END AS DOUBLE PRECISION) AS score
             FROM game WHERE (first = $1 OR second = $1) AND ",
            crate::store::is_rated!()
        )
    };
}
use rated_games;

pub(crate) const FILE: &str = "league.sqlite";

#[derive(Clone)]
pub(crate) struct LeagueStore {
    read: AnyPool,
    write: AnyPool,
    postgres: bool,
    /// Whether this process gave out an analysis after the last pair of the ladder.
    analysed: Arc<AtomicBool>,
    known: Arc<Mutex<Known>>,
    deviations: Arc<Mutex<Option<Deviations>>>,
}

const UNCHANGED: &str = "mode=ro&immutable=1";

const LOCK_ATTEMPTS: u32 = 600;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

type Write = Transaction<'static, Any>;

impl LeagueStore {
    /// Opens the database of a directory, or the one at a URL such as
    /// `postgres://league@localhost/league`, and makes its tables.
    pub(crate) async fn open(directory: &Path, url: Option<&str>) -> Result<LeagueStore> {
        install_default_drivers();
        match url {
            None => LeagueStore::sqlite(&directory.join(FILE)).await,
            Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
                LeagueStore::postgres(url).await
            }
            Some(url) => bail!("--database: expected postgres://USER@HOST/NAME, found '{url}'"),
        }
    }

    pub(crate) async fn sqlite(file: &Path) -> Result<LeagueStore> {
        install_default_drivers();
        let path = std::path::absolute(file)?;
        let encoded = utf8(&path)?.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
        let connect = |connections, mode| {
            let url = format!("sqlite://{encoded}?{mode}");
            async move {
                pool(connections)
                    .connect(&url)
                    .await
                    .with_context(|| format!("{}: cannot be opened", file.display()))
            }
        };
        let folder = file.parent().unwrap_or(file).to_path_buf();
        let has_log = || {
            let log = std::fs::metadata(file.with_extension("sqlite-wal"));
            log.is_ok_and(|log| log.len() > 0)
        };
        let lock = locked(&file.with_extension("lock")).await?;
        let made = async {
            let write = connect(1, "mode=rwc").await?;
            execute!(&write, "PRAGMA journal_mode = WAL");
            let made = migrator(&SQLITE).run(&write).await;
            made.with_context(|| format!("{}: the tables cannot be made", file.display()))?;
            anyhow::Ok((connect(4, "mode=rwc").await?, write))
        };
        let (read, write) = match made.await {
            // SQLite needs room for the index of its log. Without a log, and while nobody can
            // write, it reads the file alone.
            Err(_) if !has_room_for(&folder, 0) && !has_log() => {
                (connect(4, UNCHANGED).await?, connect(1, UNCHANGED).await?)
            }
            made => made?,
        };
        drop(lock);
        Ok(LeagueStore::on(read, write, false))
    }

    async fn postgres(url: &str) -> Result<LeagueStore> {
        const UNREACHABLE: &str = "the PostgreSQL server cannot be reached";
        let options = pool(10);
        // The pool waits for a server that is still starting, without a word.
        match AnyConnection::connect(url).await {
            Ok(connection) => connection.close().await?,
            Err(sqlx::Error::Io(error)) if error.kind() == ErrorKind::ConnectionRefused => {
                let seconds = options.get_acquire_timeout().as_secs();
                eprintln!("{UNREACHABLE} ({error}); trying again for {seconds} seconds");
            }
            Err(error) => return Err(error).context(UNREACHABLE),
        }
        let pool = options.connect(url).await.context(UNREACHABLE)?;
        migrator(&POSTGRES).run(&pool).await.context("the tables cannot be made")?;
        Ok(LeagueStore::on(pool.clone(), pool, true))
    }

    fn on(read: AnyPool, write: AnyPool, postgres: bool) -> LeagueStore {
        let (analysed, known, deviations) = Default::default();
        LeagueStore { read, write, postgres, analysed, known, deviations }
    }

    async fn begin(&self) -> Result<Write> {
        let begin = if self.postgres { "BEGIN" } else { "BEGIN IMMEDIATE" };
        Ok(self.write.begin_with(begin).await?)
    }

    /// Begins a transaction in which nobody else decides who plays next.
    async fn begin_alone(&self) -> Result<Write> {
        let mut transaction = self.begin().await?;
        if self.postgres {
            execute!(&mut *transaction, "SELECT pg_advisory_xact_lock(7238455)");
        }
        Ok(transaction)
    }

    /// Writes a copy of a SQLite database while it is used; PostgreSQL has tools of its own.
    pub(crate) async fn copy_to(&self, file: &Path) -> Result<()> {
        if self.postgres {
            bail!("a PostgreSQL database is copied by pg_dump");
        }
        execute!(&self.read, "VACUUM INTO $1", utf8(file)?);
        Ok(())
    }

    pub(crate) async fn faults(&self) -> Result<Vec<String>> {
        let mut found = Vec::new();
        if !self.postgres {
            let lines: Vec<String> = scalar!(fetch_all(&self.read), "PRAGMA integrity_check");
            found.extend(lines.into_iter().filter(|line| line != "ok"));
        }
        let checks: [(&'static str, &str); 3] = [
            (
                "SELECT COUNT(*) FROM pair WHERE state = 'done' AND (SELECT COUNT(*) FROM game WHERE game.pair = pair.id) <> 2",
                "pairs that are done and do not have two games",
            ),
            (
                "SELECT COUNT(*) FROM game WHERE (SELECT state FROM pair WHERE pair.id = game.pair) <> 'done'",
                "games of pairs that are not done",
            ),
            (
                "SELECT COUNT(*) FROM entrant WHERE active IS NOT NULL AND (SELECT entrant FROM submission WHERE submission.id = entrant.active) <> entrant.id",
                "entrants whose active submission is somebody else's",
            ),
        ];
        for (statement, what) in checks {
            let count: i64 = scalar!(fetch_one(&self.read), statement);
            if count > 0 {
                found.push(format!("{count} {what}"));
            }
        }
        Ok(found)
    }
}

fn utf8(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{}: a name that is not UTF-8", path.display()))
}

fn pool(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).before_acquire(|connection, _| {
        // SQLite ends a transaction that meets a full disk, and sqlx goes on to count it: such a
        // connection could never begin another one.
        let is_free = !connection.is_in_transaction();
        Box::pin(async move { Ok(is_free) })
    })
}

/// Locks a file until it is dropped: SQLite does not keep two processes from making tables at the
/// same time.
async fn locked(path: &Path) -> Result<std::fs::File> {
    let name = path.display();
    let file = std::fs::File::create(path).with_context(|| format!("{name}: cannot be made"))?;
    for _ in 0..LOCK_ATTEMPTS {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(std::fs::TryLockError::WouldBlock) => tokio::time::sleep(LOCK_PAUSE).await,
            Err(std::fs::TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("{name}: cannot be locked"));
            }
        }
    }
    bail!(
        "{name}: another process has been making the tables for a minute; if there is none, remove this file"
    )
}
