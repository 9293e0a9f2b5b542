//! People, entrants, and what people sign in with.

use super::{LeagueStore, Write};
use super::{execute, scalar, sql};
use crate::clock::{DAY, Millis};
use crate::secret::{hash, new_secret};
use anyhow::{Result, bail};
use sqlx::{Any, Executor};
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    Student,
    Assistant,
    Teacher,
}

impl Role {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Role::Student => "student",
            Role::Assistant => "assistant",
            Role::Teacher => "teacher",
        }
    }
}

impl FromStr for Role {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Role> {
        Ok(match text.trim().to_lowercase().as_str() {
            "" | "student" | "learner" => Role::Student,
            "assistant" | "ta" | "grader" | "reader" => Role::Assistant,
            "teacher" | "instructor" => Role::Teacher,
            _ => bail!("role: expected student, assistant or teacher, found '{text}'"),
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewPerson {
    /// The name that identifies the person, such as the number of the course system.
    pub login: String,
    pub name: String,
    /// The team; without one, a student plays alone.
    pub team: Option<String>,
    pub role: Role,
}

#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub id: i64,
    pub login: String,
    pub name: String,
    pub role: Role,
    pub entrant: Option<i64>,
}

impl Person {
    pub(crate) fn is_staff(&self) -> bool {
        self.role >= Role::Assistant
    }
}

pub(crate) const LINK_DAYS: i64 = 60;
/// The sessions of a person. The oldest ends for a new one: whoever signs in again and again fills
/// no disk.
const MOST_SESSIONS: i64 = 50;

type PersonRow = (i64, String, String, String, Option<i64>);

fn person((id, login, name, role, entrant): PersonRow) -> Result<Person> {
    Ok(Person { id, login, name, role: role.parse()?, entrant })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CredentialKind {
    Link,
    Session,
    Token,
    Worker,
    Feed,
}

impl CredentialKind {
    const fn word(self) -> &'static str {
        match self {
            CredentialKind::Link => "link",
            CredentialKind::Session => "session",
            CredentialKind::Token => "token",
            CredentialKind::Worker => "worker",
            CredentialKind::Feed => "feed",
        }
    }
}

impl LeagueStore {
    /// Adds people, or changes those of the same login. Students play for an entrant of their own
    /// or their team's, whose name must not be another's.
    pub(crate) async fn add_people(&self, people: &[NewPerson]) -> Result<Vec<Person>> {
        let mut transaction = self.begin().await?;
        let mut added = Vec::new();
        for new in people {
            let entrant = match (new.role, &new.team) {
                (Role::Student, Some(team)) => Some(entrant(&mut transaction, team, "team").await?),
                (Role::Student, None) => Some(own_entrant(&mut transaction, new).await?),
                _ => None,
            };
            let row: PersonRow = sql!(fetch_one(&mut *transaction), "INSERT INTO person (login, name, role, entrant) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (login) DO UPDATE SET name = excluded.name, role = excluded.role, entrant = excluded.entrant
                 RETURNING id, login, name, role, entrant", &new.login, &new.name, new.role.word(), entrant);
            added.push(person(row)?);
        }
        transaction.commit().await?;
        Ok(added)
    }

    pub(crate) async fn people(&self) -> Result<Vec<(Person, Option<String>)>> {
        type Row = (i64, String, String, String, Option<i64>, Option<String>);
        let rows: Vec<Row> = sql!(
            fetch_all(&self.read),
            "SELECT person.id, login, person.name, role, entrant, entrant.name FROM person
             LEFT JOIN entrant ON entrant.id = person.entrant ORDER BY person.name, person.id"
        );
        rows.into_iter()
            .map(|(id, login, name, role, own, team)| {
                Ok((person((id, login, name, role, own))?, team))
            })
            .collect()
    }

    pub(crate) async fn person_by_login(&self, login: &str) -> Result<Option<Person>> {
        let row: Option<PersonRow> = sql!(
            fetch_optional(&self.read),
            "SELECT id, login, name, role, entrant FROM person WHERE login = $1",
            login
        );
        row.map(person).transpose()
    }

    /// Makes a secret for a person, or for a worker, and returns it. Only its hash is kept.
    pub(crate) async fn new_credential(
        &self,
        kind: CredentialKind,
        person: Option<i64>,
        label: &str,
        times: (Millis, Millis),
    ) -> Result<String> {
        new_secret_of(&self.write, kind, person, label, times).await
    }

    pub(crate) async fn new_link(&self, person: i64, now: Millis) -> Result<String> {
        let times = (now, now + LINK_DAYS * DAY);
        self.new_credential(CredentialKind::Link, Some(person), "", times).await
    }

    /// Exchanges a one-time link for a session's secret; `None` if the link is not good any more.
    pub(crate) async fn redeem_link(
        &self,
        link: &str,
        now: Millis,
        session_ends: Millis,
    ) -> Result<Option<String>> {
        let mut transaction = self.begin().await?;
        let redeemed: Option<i64> = scalar!(
            fetch_optional(&mut *transaction),
            "DELETE FROM credential WHERE hash = $1 AND kind = 'link' AND expires > $2 RETURNING person",
            hash(link),
            now
        );
        let Some(person) = redeemed else { return Ok(None) };
        let secret = new_session(&mut transaction, person, (now, session_ends)).await?;
        transaction.commit().await?;
        Ok(Some(secret))
    }

    pub(crate) async fn new_session(
        &self,
        person: i64,
        now: Millis,
        ends: Millis,
    ) -> Result<String> {
        let mut transaction = self.begin().await?;
        let secret = new_session(&mut transaction, person, (now, ends)).await?;
        transaction.commit().await?;
        Ok(secret)
    }

    /// Returns who has a secret of this kind that has not expired.
    pub(crate) async fn bearer(
        &self,
        kind: CredentialKind,
        secret: &str,
        now: Millis,
    ) -> Result<Option<Person>> {
        let row: Option<PersonRow> = sql!(fetch_optional(&self.read), "SELECT person.id, login, name, role, entrant FROM credential JOIN person ON person.id = credential.person
             WHERE hash = $1 AND kind = $2 AND expires > $3", hash(secret), kind.word(), now);
        row.map(person).transpose()
    }

    pub(crate) async fn worker(&self, secret: &str, now: Millis) -> Result<Option<String>> {
        Ok(scalar!(
            fetch_optional(&self.read),
            "SELECT label FROM credential WHERE hash = $1 AND kind = 'worker' AND expires > $2",
            hash(secret),
            now
        ))
    }

    pub(crate) async fn tokens(&self, person: i64) -> Result<Vec<(String, Millis)>> {
        Ok(sql!(
            fetch_all(&self.read),
            "SELECT label, created FROM credential WHERE person = $1 AND kind IN ('token', 'feed') ORDER BY created",
            person
        ))
    }

    pub(crate) async fn forget_secret(&self, secret: &str) -> Result<()> {
        execute!(&self.write, "DELETE FROM credential WHERE hash = $1", hash(secret));
        Ok(())
    }

    pub(crate) async fn forget_tokens(&self, person: i64, label: &str) -> Result<()> {
        execute!(
            &self.write,
            "DELETE FROM credential WHERE person = $1 AND label = $2 AND kind IN ('token', 'feed')",
            person,
            label
        );
        Ok(())
    }

    /// Returns the name of an entrant and its active submission.
    pub(crate) async fn entrant(&self, id: i64) -> Result<Option<(String, Option<i64>)>> {
        Ok(sql!(fetch_optional(&self.read), "SELECT name, active FROM entrant WHERE id = $1", id))
    }

    pub(crate) async fn own_deadline(&self, entrant: i64) -> Result<Option<Millis>> {
        let row: Option<Option<i64>> = scalar!(
            fetch_optional(&self.read),
            "SELECT deadline FROM entrant WHERE id = $1",
            entrant
        );
        Ok(row.flatten())
    }

    /// Gives an entrant a deadline of its own, or takes it away. What it handed in after `until`,
    /// the later one of the league's and its own, is late.
    pub(crate) async fn set_own_deadline(
        &self,
        entrant: i64,
        (deadline, until): (Option<Millis>, Option<Millis>),
        (person, detail): (i64, &str),
        now: Millis,
    ) -> Result<()> {
        let mut transaction = self.begin().await?;
        execute!(
            &mut *transaction,
            "UPDATE entrant SET deadline = $1 WHERE id = $2",
            deadline,
            entrant
        );
        execute!(
            &mut *transaction,
            "UPDATE submission SET late = CASE WHEN received > $2 THEN 1 ELSE 0 END WHERE entrant = $1",
            entrant,
            until.unwrap_or(Millis::MAX)
        );
        super::settings::note(&mut transaction, now, Some(person), "set a deadline", detail)
            .await?;
        Ok(transaction.commit().await?)
    }
}

/// Begins a session, and ends those that have expired and the person's oldest.
async fn new_session(
    transaction: &mut Write,
    person: i64,
    (now, ends): (Millis, Millis),
) -> Result<String> {
    execute!(&mut **transaction, "DELETE FROM credential WHERE expires <= $1", now);
    execute!(&mut **transaction, "DELETE FROM credential WHERE kind = 'session' AND person = $1 AND hash NOT IN
             (SELECT hash FROM credential WHERE kind = 'session' AND person = $1 ORDER BY created DESC LIMIT $2)", person, MOST_SESSIONS - 1);
    new_secret_of(&mut **transaction, CredentialKind::Session, Some(person), "", (now, ends)).await
}

/// Makes a secret that is good from one time to another, and returns it.
async fn new_secret_of<'a>(
    to: impl Executor<'a, Database = Any>,
    kind: CredentialKind,
    person: Option<i64>,
    label: &str,
    (now, expires): (Millis, Millis),
) -> Result<String> {
    let secret = new_secret();
    execute!(
        to,
        "INSERT INTO credential (hash, kind, person, label, created, expires) VALUES ($1, $2, $3, $4, $5, $6)",
        hash(&secret),
        kind.word(),
        person,
        label,
        now,
        expires
    );
    Ok(secret)
}

/// Returns the entrant with a name, which is made if it is missing.
pub(super) async fn entrant(transaction: &mut Write, name: &str, kind: &str) -> Result<i64> {
    let (id, found): (i64, String) = sql!(
        fetch_one(&mut **transaction),
        "INSERT INTO entrant (name, kind) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id, kind",
        name,
        kind
    );
    if found != kind {
        bail!("'{name}' is already the name of a {found}; choose another one");
    }
    Ok(id)
}

/// Two students may have the same name: then the login stands behind it.
async fn own_entrant(transaction: &mut Write, new: &NewPerson) -> Result<i64> {
    let own: Option<(i64, String)> = sql!(
        fetch_optional(&mut **transaction),
        "SELECT entrant.id, kind FROM person JOIN entrant ON entrant.id = person.entrant WHERE login = $1",
        &new.login
    );
    if let Some((id, kind)) = own
        && kind == "student"
    {
        return Ok(id);
    }
    let taken: Option<i64> = scalar!(
        fetch_optional(&mut **transaction),
        "SELECT id FROM entrant WHERE name = $1",
        &new.name
    );
    let name = match taken {
        Some(_) => format!("{} ({})", new.name, new.login.replace('"', "'")),
        None => new.name.clone(),
    };
    entrant(transaction, &name, "student").await
}
