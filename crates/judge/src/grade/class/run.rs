//! The run of a class: what is done already, what is still to be played, and what comes of it.

use super::bonus::bonus;
use super::csv::Line;
use super::output::{Outputs, file_stem, line, table};
use super::queue::{Done, IN_A_ROW, Queue, Turn};
use super::record::{ClassRecord, begin, entry, first_entries};
use super::running;
use super::students::Student;
use crate::classpage::ClassPage;
use crate::grade::play::{analysis, item, play_test};
use crate::grade::result::{Bonus, Grade, Item, LEFT_OUT, NotRun, Outcome};
use crate::grade::scheme::Scheme;
use crate::grade::scheme::plan::Plan;
use crate::interrupt;
use crate::output::print;
use crate::progress::Progress;
use crate::walls::announce_to_processes;
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::pool::{Next, work_off};
use arena::record::{Attempt, Event, Record, Recorder, TestResult};
use arena::terms::Shard;
use std::cell::Cell;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use system::priority::{processors, stay_on};

/// Attempts at a test that ended with the judge itself, after which it counts as lost.
const MOST_ATTEMPTS: u32 = 2;

/// A class with its record.
pub(crate) struct Class {
    plan: Plan,
    students: Vec<Student>,
    /// The number of each submission.
    numbers: Vec<u32>,
    /// Whether other submissions are graded elsewhere.
    is_part: bool,
    /// What an earlier run has left.
    before: Option<ClassRecord>,
    recorder: Mutex<Recorder>,
    /// What places among the best give, once these have met.
    bonuses: OnceLock<Vec<Option<Bonus>>>,
}

impl Class {
    /// Begins a record, or goes on with one.
    pub(crate) fn open(
        plan: Plan,
        mut students: Vec<Student>,
        record: &Path,
        resume: bool,
        shard: Option<Shard>,
    ) -> Result<Class> {
        if !resume || !record.exists() {
            let entries = first_entries(&students);
            let recorder = Mutex::new(begin(record, &plan, shard, &entries)?);
            let numbers = entries.iter().map(|entry| entry.number).collect();
            return Class {
                plan,
                students,
                numbers,
                is_part: shard.is_some(),
                before: None,
                recorder,
                bonuses: OnceLock::new(),
            }
            .checked();
        }
        let before = ClassRecord::read(record)?;
        before.check(&plan, shard).with_context(|| record.display().to_string())?;
        let mut recorder = Recorder::resume(record)?;
        if shard.is_some() {
            let count = students.len();
            students.retain(|student| before.entries.iter().any(|entry| entry.submission == student.name));
            if students.len() < count {
                eprintln!(
                    "{} submissions came after this part was begun: they are graded by --resume on the joined record",
                    count - students.len()
                );
            }
        }
        let step = shard.map_or(1, |shard| shard.of);
        let mut last = before.last_number();
        let mut numbers = Vec::new();
        for student in &students {
            let number = match before.entry(student) {
                Some(entry) => entry.number,
                None => {
                    // Parts of a class have numbers of their own, whatever comes to them later.
                    last = last.saturating_add(step);
                    recorder.append(&Event::Entry(entry(student, last)))?;
                    last
                }
            };
            numbers.push(number);
        }
        Class {
            plan,
            students,
            numbers,
            is_part: shard.is_some(),
            before: Some(before),
            recorder: Mutex::new(recorder),
            bonuses: OnceLock::new(),
        }
        .checked()
    }

    fn checked(self) -> Result<Class> {
        let last = self.numbers.iter().copied().max().unwrap_or(0);
        if last.checked_mul(self.plan.tests.len().max(1) as u32).is_none() {
            bail!("{last} submissions with {} tests each are too many for one record", self.plan.tests.len());
        }
        Ok(self)
    }

    /// The number of a test's game in the record.
    fn game(&self, turn: Turn) -> u32 {
        (self.numbers[turn.student] - 1) * self.plan.tests.len() as u32 + turn.test as u32 + 1
    }

    /// Plays what is not done yet and writes what comes of it. Whether everything is done.
    pub(crate) fn play(
        &self,
        scheme: &Scheme,
        pin: bool,
        stops: bool,
        outputs: &Outputs,
        record: &Path,
    ) -> Result<bool> {
        let effort = scheme.effort();
        let workers = scheme.settings.concurrency();
        if pin && workers > processors() {
            bail!("--pin: {workers} workers, and this machine lets the judge use {} cores", processors());
        }
        let done = (0..self.students.len()).map(|student| self.done(student, effort)).collect::<Result<Vec<_>>>()?;
        let sides = self.plan.tests.iter().map(|test| test.side.index()).collect();
        let queue = Queue::new(done, sides, stops);
        outputs.prepare()?;
        running::watch(record);
        interrupt::last(running::take_back);
        let mut lines: Vec<Option<Line>> = vec![None; self.students.len()];
        for (student, line) in lines.iter_mut().enumerate() {
            if queue.is_complete(student) {
                *line = Some(self.finish(&queue, student, outputs)?);
            }
        }
        if lines.iter().any(Option::is_none) {
            announce_to_processes(self.plan.bounds())?;
        }
        outputs.csv(lines.iter().flatten())?;
        let bar = Progress::of(self.students.len() * self.plan.tests.len(), "tests");
        bar.begin_at(queue.finished());
        let places = AtomicUsize::new(0);
        let worked = work_off(
            std::iter::from_fn(|| queue.next()),
            workers,
            interrupt::asked,
            |turn| {
                if pin {
                    stay_once(&places);
                }
                Ok((turn, self.test(turn, effort)?))
            },
            |(turn, done)| {
                if queue.put(turn, done) {
                    let graded = self.finish(&queue, turn.student, outputs)?;
                    bar.tell(&self.told(turn.student, &graded));
                    lines[turn.student] = Some(graded);
                    outputs.csv(lines.iter().flatten())?;
                }
                bar.set(queue.finished());
                Ok(Next::GoOn)
            },
        );
        bar.finish();
        worked?;
        let mut complete = lines.iter().all(Option::is_some);
        if complete && self.plan.bonus.is_some() {
            complete = self.meet(&queue, &mut lines, workers, outputs, record)?;
        }
        print(&table(lines.iter().flatten()));
        if let Some(path) = outputs.page.as_deref().filter(|_| complete) {
            let grades: Vec<_> = (0..self.students.len())
                .map(|student| (file_stem(&self.students[student].name), self.grade(&queue, student)))
                .collect();
            let record = &Record::read(record)?;
            ClassPage { path, title: self.plan.game.title, scheme: &self.plan.words, record }.write(&grades)?;
        }
        Ok(complete)
    }

    /// Lets the best meet, if the scheme has points for that, and writes what comes of it. Whether they all met.
    fn meet(
        &self,
        queue: &Queue,
        lines: &mut [Option<Line>],
        workers: usize,
        outputs: &Outputs,
        record: &Path,
    ) -> Result<bool> {
        let Some(rule) = &self.plan.bonus else { return Ok(true) };
        if self.is_part {
            eprintln!("the tournament of the best is played once all parts are joined");
            return Ok(true);
        }
        let points: Vec<f64> = (0..self.students.len()).map(|student| self.grade(queue, student).points().0).collect();
        let Some(bonuses) = bonus(&self.plan, rule, &self.students, &points, record, workers)? else {
            return Ok(false);
        };
        let _ = self.bonuses.set(bonuses);
        for (student, line) in lines.iter_mut().enumerate() {
            *line = Some(self.finish(queue, student, outputs)?);
        }
        outputs.csv(lines.iter().flatten())?;
        Ok(true)
    }

    /// A line about a submission that is finished.
    fn told(&self, student: usize, line: &Line) -> String {
        let lost = if line.lost_by.is_empty() { String::new() } else { format!(", lost by {}", line.lost_by) };
        let (place, count) = (student + 1, self.students.len());
        format!("{} ({place} of {count}): {} of {}{lost}", line.submission, line.points, line.of)
    }

    /// Plays a test. An error is one of the record; whatever else keeps the test from being played is its result.
    fn test(&self, turn: Turn, effort: Option<Effort>) -> Result<Done> {
        let (test, game) = (&self.plan.tests[turn.test], self.game(turn));
        let unwritten = Cell::new(false);
        let append = |event: Event| {
            let written = self.recorder.lock().unwrap_or_else(PoisonError::into_inner).append(&event);
            unwritten.set(unwritten.get() || written.is_err());
            written
        };
        append(Event::Attempt(Attempt { game }))?;
        running::note(game, true);
        let played = match &self.students[turn.student].player {
            Ok(player) => play_test(&self.plan, test, player, game, effort, &append),
            Err(not_run) => bail!("{}", not_run.why),
        };
        let mut result = TestResult { game, points: 0.0, wall: 0.0, analysis: None, error: None };
        let done = match played {
            Ok(played) => {
                result.points = test.points(&played.end);
                (result.wall, result.analysis) = (played.wall, played.analysis.clone());
                let outcome = Outcome::Over(Box::new(played.end));
                Done { outcome, wall: played.wall, analysis: played.analysis, walls: played.walls }
            }
            Err(error) if unwritten.get() => return Err(error),
            Err(error) => {
                let reason = arena::plain::shown(&format!("{error:#}"));
                result.error = Some(reason.clone());
                unplayed("could not be played", reason)
            }
        };
        // An analysis that ^C has cut short is made anew when the run goes on.
        if effort.is_none() || result.error.is_some() || !interrupt::asked() {
            append(Event::Result(result))?;
        }
        running::note(game, false);
        Ok(done)
    }

    /// What is done of a submission's tests.
    fn done(&self, student: usize, effort: Option<Effort>) -> Result<Vec<Option<Done>>> {
        let tests = self.plan.tests.len();
        if self.students[student].player.is_err() {
            return Ok(vec![Some(unplayed("not run", String::new())); tests]);
        }
        let Some(before) = &self.before else { return Ok(vec![None; tests]) };
        (0..tests).map(|test| self.done_before(before, Turn { student, test }, effort)).collect()
    }

    /// What an earlier run has left of a test.
    fn done_before(&self, before: &ClassRecord, turn: Turn, effort: Option<Effort>) -> Result<Option<Done>> {
        let game = self.game(turn);
        let Some(played) = before.games.games.get(&game) else {
            let attempts = before.attempts.get(&game).copied().unwrap_or(0);
            return Ok((attempts >= MOST_ATTEMPTS).then(|| {
                let reason =
                    format!("the judge was ended {attempts} times while this test was running; it is not tried again");
                unplayed("ended the judge", reason)
            }));
        };
        let result = before.results.get(&game);
        let analysis = match result {
            Some(result) => result.analysis.clone(),
            // The run was killed between the end of the game and its result.
            None => analysis(
                &self.plan,
                &self.plan.tests[turn.test],
                &played.start,
                played.moves.clone(),
                &played.end,
                effort,
            )?,
        };
        let moves = || played.moves.iter().map(|mv| mv.wall).sum();
        Ok(Some(Done {
            outcome: Outcome::Over(Box::new(played.end.clone())),
            wall: result.map_or_else(moves, |result| result.wall),
            analysis,
            walls: played.start.walls.clone(),
        }))
    }

    /// Writes the report of a submission that is complete; its line of the table.
    fn finish(&self, queue: &Queue, student: usize, outputs: &Outputs) -> Result<Line> {
        let grade = self.grade(queue, student);
        let name = &self.students[student].name;
        outputs.report(name, &grade)?;
        Ok(line(name, &grade, &self.plan.words, &self.plan.digest))
    }

    /// The grade of a submission.
    fn grade(&self, queue: &Queue, place: usize) -> Grade {
        let student = &self.students[place];
        let (done, counting) = queue.results(place);
        let not_run: Option<NotRun> = student.player.as_ref().err().cloned();
        let mut items: Vec<Item> = Vec::new();
        let walls = done.iter().flatten().find_map(|done| done.walls.clone());
        if not_run.is_none() {
            for (index, (test, done)) in self.plan.tests.iter().zip(done).enumerate() {
                let game = self.game(Turn { student: place, test: index });
                let done = done.filter(|_| index < counting).unwrap_or_else(|| {
                    let reason = format!("left out after {IN_A_ROW} stalls or crashes in a row, up to test {counting}");
                    unplayed(LEFT_OUT, reason)
                });
                items.push(item(&self.plan, test, game, done.outcome, done.wall, done.analysis));
            }
        }
        Grade {
            title: self.plan.game.title,
            agent: student.name.clone(),
            walls,
            wall: items.iter().map(|item| item.wall).sum(),
            items,
            most: self.plan.most(),
            bonus: self.bonuses.get().and_then(|bonuses| bonuses[place].clone()),
            not_run,
            notes: student.notes.clone(),
        }
    }
}

fn unplayed(word: &'static str, reason: String) -> Done {
    Done { outcome: Outcome::Unplayed { word, reason }, wall: 0.0, analysis: None, walls: None }
}

/// Keeps a worker on a core of its own, from its first test on.
fn stay_once(places: &AtomicUsize) {
    thread_local! {
        static STAYS: Cell<bool> = const { Cell::new(false) };
    }
    if !STAYS.replace(true) {
        stay_on(places.fetch_add(1, Ordering::Relaxed));
    }
}
