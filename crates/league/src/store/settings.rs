//! Settings that the staff changes while the league runs, and the audit log.

use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use crate::clock::Millis;
use anyhow::Result;
use sqlx::{Any, Executor};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Since when the ladder is frozen, in milliseconds since 1970.
    Frozen,
    /// Since when uploads and choices are closed, while games go on until the ratings are known.
    Closing,
    Message,
    Served,
}

impl Setting {
    pub(super) const fn key(self) -> &'static str {
        match self {
            Setting::Frozen => "frozen",
            Setting::Closing => "closing",
            Setting::Message => "message",
            Setting::Served => "served",
        }
    }
}

super::row! {
#[derive(Clone, Debug)]
pub(crate) struct AuditRow {
    pub at: Millis,
    /// The person who acted; nobody if the league acted by itself.
    pub who: Option<String>,
    pub action: String,
    pub detail: String,
}
}

impl LeagueStore {
    pub(crate) async fn setting(&self, setting: Setting) -> Result<Option<String>> {
        let key = setting.key();
        Ok(scalar!(fetch_optional(&self.read), "SELECT value FROM setting WHERE key = $1", key))
    }

    /// Returns since when the ladder is frozen.
    pub(crate) async fn frozen(&self) -> Result<Option<Millis>> {
        let since = self.setting(Setting::Frozen).await?;
        Ok(since.and_then(|since| since.parse().ok()))
    }

    /// Returns since when uploads and choices are closed.
    pub(crate) async fn closing(&self) -> Result<Option<Millis>> {
        let since = self.setting(Setting::Closing).await?;
        Ok(since.and_then(|since| since.parse().ok()))
    }

    /// Freezes the ladder, unless it is frozen. What counts is told by the numbers of games and
    /// submissions, whatever the clock says later.
    pub(crate) async fn freeze(&self, person: Option<i64>, now: Millis) -> Result<()> {
        let mut transaction = self.begin_alone().await?;
        let made = execute!(
            &mut *transaction,
            "INSERT INTO setting (key, value) VALUES ('frozen', $1) ON CONFLICT (key) DO NOTHING",
            now.to_string()
        );
        if made.rows_affected() == 0 {
            return Ok(());
        }
        execute!(&mut *transaction, "DELETE FROM setting WHERE key = 'closing'");
        execute!(
            &mut *transaction,
            "INSERT INTO setting (key, value)
             SELECT 'frozen-game', CAST(COALESCE(MAX(id), 0) AS TEXT) FROM game
             UNION ALL SELECT 'frozen-submission', CAST(COALESCE(MAX(id), 0) AS TEXT) FROM submission"
        );
        note(&mut transaction, now, person, "froze the ladder", "").await?;
        Ok(transaction.commit().await?)
    }

    /// Closes uploads and choices, unless they are closed or the ladder is frozen.
    pub(crate) async fn close(&self, person: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin_alone().await?;
        let made = execute!(
            &mut *transaction,
            "INSERT INTO setting (key, value) SELECT 'closing', $1
             WHERE NOT EXISTS (SELECT 1 FROM setting WHERE key IN ('closing', 'frozen'))",
            now.to_string()
        );
        if made.rows_affected() > 0 {
            note(&mut transaction, now, Some(person), "closed uploads and choices", "").await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Ends the freeze or the closing period.
    pub(crate) async fn go_on(&self, person: i64, now: Millis) -> Result<()> {
        let mut transaction = self.begin_alone().await?;
        execute!(
            &mut *transaction,
            "DELETE FROM setting WHERE key IN ('closing', 'frozen', 'frozen-game', 'frozen-submission')"
        );
        note(&mut transaction, now, Some(person), "let the ladder go on", "").await?;
        Ok(transaction.commit().await?)
    }

    /// Changes a setting, or removes it.
    pub(crate) async fn set(&self, setting: Setting, value: Option<&str>) -> Result<()> {
        match value {
            Some(value) => write(&self.write, setting.key(), value).await?,
            None => {
                execute!(&self.write, "DELETE FROM setting WHERE key = $1", setting.key());
            }
        }
        Ok(())
    }

    pub(crate) async fn note(
        &self,
        at: Millis,
        person: Option<i64>,
        action: &str,
        detail: &str,
    ) -> Result<()> {
        let mut transaction = self.begin().await?;
        note(&mut transaction, at, person, action, detail).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn audit(&self, most: i64) -> Result<Vec<AuditRow>> {
        Ok(sql!(fetch_all(&self.read), "SELECT at, person.name AS who, action, detail FROM audit LEFT JOIN person ON person.id = audit.person
             ORDER BY audit.id DESC LIMIT $1", most))
    }
}

pub(super) async fn write<'a>(
    to: impl Executor<'a, Database = Any>,
    key: &str,
    value: &str,
) -> Result<()> {
    execute!(
        to,
        "INSERT INTO setting (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        key,
        value
    );
    Ok(())
}

pub(super) async fn note(
    transaction: &mut Write,
    at: Millis,
    person: Option<i64>,
    action: &str,
    detail: &str,
) -> Result<()> {
    execute!(
        &mut **transaction,
        "INSERT INTO audit (at, person, action, detail) VALUES ($1, $2, $3, $4)",
        at,
        person,
        action,
        detail
    );
    Ok(())
}
