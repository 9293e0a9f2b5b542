//! The record of a class: who is graded, by which scheme, and how far each test has come. It is what a run goes on from.

use super::super::scheme::plan::Plan;
use super::students::Student;
use anyhow::{Context, Result, anyhow, bail};
use arena::plain;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{Attempt, Entry, Event, Record, Recorder, TestResult};
use arena::terms::Shard;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// What the header of a class's record says beside what every header says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Terms {
    /// The digest of the scheme.
    pub digest: String,
    /// The scheme, in words.
    pub scheme: String,
    /// The number of tests of each submission.
    pub tests: u32,
}

/// What a record says of a class.
pub(crate) struct ClassRecord {
    /// The scheme and so on.
    pub terms: Terms,
    /// The part of the class that it is about.
    pub shard: Option<Shard>,
    /// All submissions that came in, in the order of the record.
    pub entries: Vec<Entry>,
    /// How often a game was begun, apart from attempts that failed by the judge's own fault.
    pub attempts: BTreeMap<u32, u32>,
    /// The results of tests.
    pub results: BTreeMap<u32, TestResult>,
    /// The games.
    pub games: Record,
}

impl ClassRecord {
    /// Reads a record.
    pub(crate) fn read(path: &Path) -> Result<ClassRecord> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
        ClassRecord::parse(&text).with_context(|| name.to_string())
    }

    fn parse(text: &str) -> Result<ClassRecord> {
        let games = Record::parse(text)?;
        let first: Value = serde_json::from_str(text.lines().next().unwrap_or_default()).context("line 1")?;
        let terms = first.get("class").ok_or_else(|| anyhow!("line 1: a record of games, not of a class"))?;
        let terms: Terms = serde_json::from_value(terms.clone()).context("line 1: class")?;
        let shard = games.header.shard;
        let mut class = ClassRecord {
            terms,
            shard,
            entries: Vec::new(),
            attempts: BTreeMap::new(),
            results: BTreeMap::new(),
            games,
        };
        // Most lines are moves, which the record of games has.
        const OURS: [&str; 3] = ["entry", "attempt", "result"];
        let ours = |line: &str| OURS.iter().any(|word| line.starts_with(&format!("{{\"event\":\"{word}\"")));
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| ours(line)) {
            match serde_json::from_str(line) {
                Ok(event) => class.add(event),
                // Left by a run that was killed.
                Err(error) if error.is_eof() => {}
                Err(error) => bail!("line {number}: {error}"),
            }
        }
        Ok(class)
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Entry(entry) => self.entries.push(entry),
            Event::Attempt(Attempt { game }) => *self.attempts.entry(game).or_default() += 1,
            Event::Result(result) => {
                if let (Some(_), Some(attempts)) = (&result.error, self.attempts.get_mut(&result.game)) {
                    *attempts = attempts.saturating_sub(1);
                }
                self.results.insert(result.game, result);
            }
            Event::Header(_) | Event::Start(_) | Event::Move(_) | Event::End(_) => {}
        }
    }

    /// Checks that a run by a plan can go on from this record.
    pub(crate) fn check(&self, plan: &Plan, shard: Option<Shard>) -> Result<()> {
        self.games.check_resumable()?;
        if self.terms.digest != plan.digest {
            bail!(
                "graded by another scheme than this one ({} there, {} here); one record is for one scheme: give the options \
                 of that one, or other files to --record and --csv\n  there: {}\n  here:  {}",
                plain::shown(&self.terms.digest),
                plan.digest,
                plain::shown(&self.terms.scheme),
                plan.words
            );
        }
        if self.terms.tests as usize != plan.tests.len() {
            bail!("line 1: class: expected {} tests, found {}", plan.tests.len(), self.terms.tests);
        }
        if self.shard != shard {
            let words =
                |shard: Option<Shard>| shard.map_or("the whole class".to_string(), |shard| format!("part {shard}"));
            bail!("the record is of {}, and this run is of {}", words(self.shard), words(shard));
        }
        Ok(())
    }

    /// The largest number of a submission.
    pub(crate) fn last_number(&self) -> u32 {
        self.entries.iter().map(|entry| entry.number).max().unwrap_or(0)
    }

    /// The entry of a submission as it is now, the latest one.
    pub(crate) fn entry(&self, student: &Student) -> Option<&Entry> {
        let latest = self.entries.iter().rev().find(|entry| entry.submission == student.name)?;
        (latest.digest == student.digest).then_some(latest)
    }
}

/// The entries of a class that is begun: every submission has the number of its place in the whole class, so that parts of it
/// that are graded apart have different ones.
pub(crate) fn first_entries(students: &[Student]) -> Vec<Entry> {
    students.iter().map(|student| entry(student, student.place + 1)).collect()
}

/// The entry of a submission under a number.
pub(crate) fn entry(student: &Student, number: u32) -> Entry {
    Entry {
        number,
        submission: student.name.clone(),
        digest: student.digest.clone(),
        engine: student.player.as_ref().ok().map(|player| EngineSpec { kind: told(&player.kind), ..player.clone() }),
        reason: student.player.as_ref().err().map(|not_run| not_run.why.clone()),
    }
}

/// A player as a record has it, which holds text alone: for people, since every run finds the players anew.
fn told(kind: &PlayerKind) -> PlayerKind {
    let mut kind = kind.clone();
    if let PlayerKind::Files { directory: Some(directory), .. } = &mut kind {
        *directory = directory.to_string_lossy().into_owned().into();
    }
    kind
}

/// Begins the record of a class: its header and its entries are there at once, or the file is not.
pub(crate) fn begin(path: &Path, plan: &Plan, shard: Option<Shard>, entries: &[Entry]) -> Result<Recorder> {
    if path.exists() {
        bail!("{}: is there already; go on with it by --resume, or name another file with --record", path.display());
    }
    let mut header = plan.header();
    header.shard = shard;
    let tests = plan.tests.len() as u32;
    let terms = Terms { digest: plan.digest.clone(), scheme: plan.words.clone(), tests };
    let header = serde_json::to_string(&Event::Header(header))?;
    // What is the class's own comes last in the line.
    let header = header.strip_suffix('}').context("a header is an object")?;
    let mut text = format!("{header},\"class\":{}}}\n", serde_json::to_string(&terms)?);
    for entry in entries {
        text += &serde_json::to_string(&Event::Entry(entry.clone()))?;
        text.push('\n');
    }
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory).with_context(|| format!("{}: cannot be made", directory.display()))?;
    }
    engine::agent::files::write_atomically(path, &text)
        .with_context(|| format!("{}: cannot be written", path.display()))?;
    Recorder::resume(path)
}
