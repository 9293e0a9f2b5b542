//! The record of a class, from which `--resume` continues.

use super::class_plan::{ClassPlan, RecordedCases};
use super::output::read_text;
use super::students::Student;
use anyhow::{Context, Result, bail};
use arena::plain;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::{
    Attempt, Entry, Event, Header, Record, Recorder, Replayed, TestResult, VERSION, Withdrawn,
};
use arena::terms::Shard;
use homework::CaseRuns;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use terminal::output::{make_folder, write_file};

/// What the header of a class's record has besides that of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ClassTerms {
    pub digest: String,
    /// Of the scheme without its points; empty in older records.
    #[serde(default)]
    pub games_digest: String,
    pub scheme: String,
    pub tests: u32,
    /// The name of a homework.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub homework: Option<String>,
}

pub(crate) struct ClassRecord {
    pub terms: ClassTerms,
    pub entries: Vec<Entry>,
    /// The attempts at each game that ended with the judge: whether the player can have caused
    /// that.
    pub attempts: BTreeMap<u32, Vec<bool>>,
    pub results: BTreeMap<u32, TestResult>,
    pub games: Record,
}

impl ClassRecord {
    pub(crate) fn read(path: &Path) -> Result<ClassRecord> {
        ClassRecord::parse(&read_text(path)?).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> Result<ClassRecord> {
        let text = &*of_today(text)?;
        let games = Record::parse(text)?;
        let first: Value =
            serde_json::from_str(text.lines().next().unwrap_or_default()).context("line 1")?;
        let terms = first.get("class").context("line 1: a record of games, not of a class")?;
        let mut class = ClassRecord {
            terms: ClassTerms::deserialize(terms).context("line 1: class")?,
            entries: Vec::new(),
            attempts: BTreeMap::new(),
            results: BTreeMap::new(),
            games,
        };
        // Most lines are moves, which `Record` reads.
        const CLASS_EVENTS: [&str; 4] = ["entry", "attempt", "result", "replayed"];
        let is_class_event = |line: &str| {
            CLASS_EVENTS.iter().any(|word| line.starts_with(&format!("{{\"event\":\"{word}\"")))
        };
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| is_class_event(line)) {
            match serde_json::from_str(line) {
                Ok(event) => class.add(event),
                // A run that was killed has left half a line.
                Err(error) if error.is_eof() => {}
                Err(error) => bail!("line {number}: {error}"),
            }
        }
        Ok(class)
    }

    pub(crate) fn replay(&mut self, recorder: &mut Recorder, replayed: Replayed) -> Result<()> {
        self.games.replay(recorder, replayed.clone())?;
        self.add(Event::Replayed(replayed));
        Ok(())
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::Entry(entry) => self.entries.push(entry),
            Event::Attempt(Attempt { game, walled }) => {
                self.attempts.entry(game).or_default().push(!walled)
            }
            Event::Result(result) => {
                match self.attempts.get_mut(&result.game) {
                    Some(attempts) if result.error.is_some() => {
                        attempts.pop();
                        attempts.extend(result.panicked.then_some(true));
                    }
                    Some(attempts) => attempts.clear(),
                    None => {}
                }
                self.results.insert(result.game, result);
            }
            Event::Replayed(replayed) => {
                for Withdrawn { game, .. } in replayed.withdrawn {
                    self.results.remove(&game);
                    self.attempts.remove(&game);
                }
            }
            _ => {}
        }
    }

    /// Checks that a run by a plan can continue this record.
    pub(super) fn check(&self, plan: &ClassPlan, shard: Option<Shard>) -> Result<()> {
        self.games.check_resumable()?;
        let is_of_games = plan.games().is_some();
        if is_of_games != self.terms.homework.is_none() {
            let [there, here] = match is_of_games {
                true => ["homework", "games"],
                false => ["games", "homework"],
            };
            bail!("a record of {there}, and this run grades {here}: name another by --record");
        }
        // The results of a homework have digests of their own.
        let is_other = is_of_games && self.terms.digest != plan.digest;
        if is_other && self.terms.games_digest == plan.games_digest {
            eprintln!(
                "the scheme gives other points than before: they are counted anew, and no test is played again for that"
            );
        } else if is_other {
            bail!(
                "graded by another scheme than this one ({} there, {} here); one record has one scheme: give the scheme \
                 of that one, or other files to --record and --csv\n  there: {}\n  here:  {}",
                plain::shown(&self.terms.digest),
                plan.digest,
                plain::shown(&self.terms.scheme),
                plan.scheme
            );
        }
        if self.terms.tests as usize != plan.tests() {
            bail!("line 1: class: expected {} tests, found {}", plan.tests(), self.terms.tests);
        }
        let there = self.games.header.shard;
        if there != shard && !self.terms.digest.is_empty() {
            let words = |shard: Option<Shard>| {
                shard.map_or("the whole class".to_string(), |shard| format!("part {shard}"))
            };
            bail!("the record has {}, and this run grades {}", words(there), words(shard));
        }
        Ok(())
    }

    /// The latest entry of a submission, unless the submission has changed since.
    pub(crate) fn entry(&self, student: &Student) -> Option<&Entry> {
        let latest = self.entries.iter().rev().find(|entry| entry.submission == student.name)?;
        (latest.digest == student.digest).then_some(latest)
    }
}

/// Turns a record of a homework of earlier versions, which have a line for each submission, into
/// one of today. The digest of a line is that of the homework, of the name and of the program.
fn of_today(text: &str) -> Result<Cow<'_, str>> {
    #[derive(Deserialize)]
    struct Finished {
        submission: String,
        digest: String,
        runs: CaseRuns,
    }
    let (first, lines) = text.split_once('\n').unwrap_or((text, ""));
    let first: Value = serde_json::from_str(first).unwrap_or_default();
    let Some(name) = first["class"]["homework"].as_str().filter(|_| first["event"].is_null())
    else {
        return Ok(text.into());
    };
    let header = Header { version: VERSION, game: name.to_string(), ..Header::default() };
    let terms = ClassTerms { tests: 1, homework: Some(name.to_string()), ..ClassTerms::default() };
    let mut today = header_line(header, &terms)?;
    let mut game = 0;
    for line in lines.lines() {
        let Ok(Finished { submission, digest, runs }) = serde_json::from_str(line) else {
            // A run that was killed has left half a line.
            if line.starts_with("{\"event\"") {
                today += &format!("{line}\n");
            }
            continue;
        };
        game += 1;
        let (homework, program) = (digest.get(..8), digest.get(16..));
        let (Some(homework), Some(program)) = (homework, program) else {
            bail!("submission {submission}: no digest: {digest}")
        };
        let wall = runs.results.iter().map(|case| case.wall).sum();
        let digest = homework.to_string();
        let cases = Some(serde_json::to_value(RecordedCases { digest, runs })?);
        let digest = program.to_string();
        let entry = Entry { number: game, submission, digest, engine: None, reason: None };
        let result = TestResult { game, wall, cases, ..TestResult::default() };
        for event in [Event::Entry(entry), Event::Result(result)] {
            today += &format!("{}\n", serde_json::to_string(&event)?);
        }
    }
    Ok(today.into())
}

fn header_line(header: Header, terms: &ClassTerms) -> Result<String> {
    let header = serde_json::to_string(&Event::Header(header))?;
    // The fields of the class come last in the header's line.
    let header = header.strip_suffix('}').context("a header is an object")?;
    Ok(format!("{header},\"class\":{}}}\n", serde_json::to_string(terms)?))
}

/// The first line of a record: its header.
pub(super) fn first_line(path: &Path) -> Result<Value> {
    let mut line = String::new();
    BufReader::new(File::open(path)?).read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

/// The entries of a new record, numbered by their places in the whole class, so that the numbers of
/// separately graded parts differ.
pub(crate) fn first_entries(students: &[Student]) -> Vec<Entry> {
    students.iter().map(|student| entry(student, student.place + 1)).collect()
}

pub(crate) fn entry(student: &Student, number: u32) -> Entry {
    Entry {
        number,
        submission: student.name.clone(),
        digest: student.digest.clone(),
        engine: student.player.as_ref().ok().cloned().map(with_text_path),
        reason: student.not_run().map(|not_run| not_run.why.clone()),
    }
}

/// Makes the path valid text: only people read it, since every run finds the players again.
fn with_text_path(mut player: EngineSpec) -> EngineSpec {
    if let PlayerKind::Files { directory: Some(directory), .. } = &mut player.kind {
        *directory = directory.to_string_lossy().into_owned().into();
    }
    player
}

/// Begins a record. The file appears with its header and its entries, or not at all.
pub(super) fn begin(
    path: &Path,
    plan: &ClassPlan,
    shard: Option<Shard>,
    entries: &[Entry],
) -> Result<Recorder> {
    if path.exists() {
        bail!(
            "{}: is there already; continue it with --resume, or name another file with --record",
            path.display()
        );
    }
    let mut header = plan.header();
    header.shard = shard;
    let terms = ClassTerms {
        digest: plan.digest.clone(),
        games_digest: plan.games_digest.clone(),
        scheme: plan.scheme.clone(),
        tests: plan.tests() as u32,
        homework: plan.games().is_none().then(|| header.game.clone()),
    };
    let mut text = header_line(header, &terms)?;
    for entry in entries {
        text += &serde_json::to_string(&Event::Entry(entry.clone()))?;
        text.push('\n');
    }
    path.parent().map_or(Ok(()), make_folder)?;
    write_file(path, &text)?;
    Recorder::resume(path)
}
