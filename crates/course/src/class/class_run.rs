//! The run of `judge grade-all`: continues from the record, plays the remaining tests, and writes
//! the results.

use super::bonus::bonus;
use super::class_options::ClassOptions;
use super::class_plan::{Assigned, ClassPlan, HomeworkTest, RecordedCases};
use super::csv::{self, GradeLine};
use super::output::table;
use super::queue::{Queue, TestIndex};
use super::record::{ClassRecord, begin, entry, first_entries};
use super::running_tests;
use super::students::{Student, check_none_waits};
use crate::grade::baseline::baselines;
use crate::grade::play_test::{finished_test, play_test, points};
use crate::grade::report::ReportFormat;
use crate::grade::result::{FinishedTest, Grade, PlaceBonus};
use crate::grade::scheme::plan::GradingPlan;
use anyhow::{Context, Result, bail};
use arena::analysis::finding::Effort;
use arena::changed_rules;
use arena::plain::{counted, shown};
use arena::player::blame::NoTurn;
use arena::player::exit::scarcity;
use arena::player::sandbox_layers::layers;
use arena::player::spec::EngineSpec;
use arena::pool::{Next, work_off};
use arena::processors;
use arena::record::{Attempt, Event, Recorder, TestResult};
use arena::rules_program::share_of_rules;
use clock::priority;
use clock::{lock, unpoisoned};
use homework::CaseRuns;
use serde::Deserialize;
use serde_json::Value;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;
use terminal::games::note_replayed;
use terminal::interrupt;
use terminal::output::print;
use terminal::progress::Progress;
use terminal::sandbox_layers::announce;

/// The attempts that may end with the judge, and by the player's doing, before a test is lost.
const MAX_ATTEMPTS: usize = 2;

/// The run stops when the game's rules have failed for this many submissions in a row: then no
/// submission alone is the reason.
const MAX_FAILED: usize = 3;

/// Ends a grading by an error that is no submission's fault.
const STOPS: &str = "the grading stops here; the same command with --resume continues it";

/// The tests that wait for a correction of the game's rules, which fail in them.
#[derive(Default)]
struct Waiting {
    /// The number of tests of each submission, and the reason of the first one.
    tests: BTreeMap<usize, (usize, String)>,
    /// The submissions of such tests since the last test that was finished.
    in_a_row: BTreeSet<usize>,
}

impl Waiting {
    fn add(&mut self, student: usize, error: anyhow::Error) -> Result<()> {
        self.tests.entry(student).or_insert((0, format!("{error:#}"))).0 += 1;
        self.in_a_row.insert(student);
        if self.in_a_row.len() < MAX_FAILED { Ok(()) } else { Err(error.context(STOPS)) }
    }
}

pub(crate) struct ClassRun<'a> {
    pub(super) options: &'a ClassOptions,
    pub(super) plan: ClassPlan<'a>,
    pub(super) students: Vec<Student>,
    numbers: Vec<u32>,
    effort: Option<Effort>,
    pub(super) record: PathBuf,
    recorder: Mutex<Recorder>,
    /// The record of the earlier run that this one continues.
    earlier: Option<ClassRecord>,
    /// The sandbox layers around the programs of a homework.
    pub(super) layers: Option<String>,
    /// Set after the tournament of the best.
    pub(super) bonuses: OnceLock<Vec<Option<PlaceBonus>>>,
}

impl<'a> ClassRun<'a> {
    pub(super) fn open(
        options: &'a ClassOptions,
        plan: ClassPlan<'a>,
        mut students: Vec<Student>,
        record: PathBuf,
    ) -> Result<ClassRun<'a>> {
        let (mut numbers, mut earlier, shard) = (Vec::new(), None, options.shard);
        let recorder = if options.resume && record.exists() {
            let found = ClassRecord::read(&record)?;
            found.check(&plan, shard).with_context(|| record.display().to_string())?;
            let mut recorder = Recorder::resume(&record)?;
            if shard.is_some() {
                let count = students.len();
                students.retain(|student| {
                    found.entries.iter().any(|entry| entry.submission == student.name)
                });
                if students.len() < count {
                    eprintln!(
                        "{} submissions were added after this part was begun: --resume on the joined record grades them",
                        count - students.len()
                    );
                }
            }
            let mut last = found.entries.iter().map(|entry| entry.number).max().unwrap_or(0);
            for student in &students {
                let known = found.entry(student).map(|entry| entry.number);
                if known.is_none() {
                    // Steps keep the numbers of separately graded parts different.
                    last = last.saturating_add(shard.map_or(1, |shard| shard.of));
                }
                let number = known.unwrap_or(last);
                let is_new = found.entry(student).is_none_or(|known| known.engine.is_none());
                if known.is_none() || is_new && student.player.is_ok() {
                    recorder.append(&Event::Entry(entry(student, number)))?;
                }
                numbers.push(number);
            }
            earlier = Some(found);
            recorder
        } else {
            let entries = first_entries(&students);
            numbers.extend(entries.iter().map(|entry| entry.number));
            begin(&record, &plan, shard, &entries)?
        };
        let (last, tests) = (numbers.iter().copied().max().unwrap_or(0), plan.tests());
        if last.checked_mul(tests.max(1) as u32).is_none() {
            bail!("{last} submissions with {tests} tests each are too many for one record");
        }
        let layers = match plan.games() {
            Some(_) => None,
            None => Some(layers(&plan.bounds)?.to_string()),
        };
        let effort = plan.games().and_then(|plan| options.scheme.effort(plan.game));
        let mut run = ClassRun {
            options,
            layers,
            plan,
            students,
            numbers,
            effort,
            record,
            recorder: Mutex::new(recorder),
            earlier: None,
            bonuses: OnceLock::new(),
        };
        if let Some(earlier) = earlier {
            run.replay(earlier)?;
        }
        Ok(run)
    }

    fn replay(&mut self, mut earlier: ClassRecord) -> Result<()> {
        let Some(plan) = self.plan.games() else {
            self.earlier = Some(earlier);
            return Ok(());
        };
        let mut replayed = changed_rules::replay(plan.game);
        let mut names = BTreeMap::new();
        for (student, Student { name, player, .. }) in self.students.iter().enumerate() {
            for (index, test) in plan.tests.iter().enumerate() {
                let number = self.game_number(TestIndex { student, test: index });
                let (Some(played), Ok(player)) = (earlier.games.games.get(&number), player) else {
                    continue;
                };
                names.insert(number, format!("{name}, test {} ({})", test.number, test.name));
                let order = plan.order(test, player, number);
                changed_rules::add(&mut replayed, plan.game, &order, played)?;
            }
        }
        if !replayed.is_empty() {
            note_replayed(plan.game, &replayed, |number| names[&number].clone());
            earlier.replay(unpoisoned(self.recorder.get_mut()), replayed)?;
        }
        self.earlier = Some(earlier);
        Ok(())
    }

    fn changed_since(&self, before: &[GradeLine], lines: &[Option<GradeLine>]) -> String {
        let mut text = String::new();
        for (place, (student, now)) in self.students.iter().zip(lines).enumerate() {
            let Some(now) = now else { continue };
            let name = &now.submission;
            let then = before.iter().find(|line| line.submission == *name);
            let Some(then) = then.filter(|then| then.points != now.points) else { continue };
            let entries = self.earlier.iter().flat_map(|earlier| &earlier.entries);
            let last = entries.rev().find(|entry| entry.submission == *name);
            let is_replayed = |test| {
                let game = self.game_number(TestIndex { student: place, test });
                self.earlier.iter().any(|earlier| earlier.games.withdrawn.contains_key(&game))
            };
            let why = if last.is_some_and(|entry| entry.digest != student.digest) {
                "its files or its command are others"
            } else if now.digest != then.digest {
                match self.plan.assigned {
                    Assigned::Games(_) => "the scheme has other points",
                    Assigned::Homework(_) => "the homework is another",
                }
            } else if (0..self.plan.tests()).any(is_replayed) {
                "games were played again by the rules of today"
            } else if now.late != then.late {
                "its delay, or the rule for it, is another"
            } else {
                "tests were played since, or its place among the best is another"
            };
            text += &format!("  {name}: {} points, {} before: {why}\n", now.points, then.points);
        }
        text
    }

    pub(super) fn game_number(&self, turn: TestIndex) -> u32 {
        (self.numbers[turn.student] - 1) * self.plan.tests() as u32 + turn.test as u32 + 1
    }

    /// Returns all lines if all tests are finished.
    pub(crate) fn play(&self) -> Result<Option<Vec<GradeLine>>> {
        let options = self.options;
        let (workers, cores) = (options.scheme.concurrency as usize, priority::processors().len());
        if options.pin && workers > cores {
            bail!("--pin: {workers} workers, and this machine lets the judge use {cores} cores");
        }
        let students = 0..self.students.len();
        if let Some(plan) = self.plan.games() {
            baselines(plan)?;
        }
        let done = students.clone().map(|student| self.finished_tests(student));
        let done = done.collect::<Result<Vec<_>>>()?;
        let queue = Queue::new(done, self.plan.sides(), !options.no_early_stop);
        let waits = |student: &usize| self.students[*student].waits.is_some();
        students.clone().filter(waits).for_each(|student| queue.hold(student));
        let before = options.csv.as_deref().filter(|csv| csv.exists()).map(csv::read);
        let before = before.transpose()?.unwrap_or_default();
        options.make_reports()?;
        running_tests::watch(&self.record);
        interrupt::last(running_tests::withdraw);
        let finished =
            |student| queue.is_complete(student).then(|| self.finish(&queue, student)).transpose();
        let mut lines = students.clone().map(finished).collect::<Result<Vec<_>>>()?;
        let at_a_time = self.plan.games().map_or(1, |plan| plan.game.programs_at_a_time());
        let left =
            students.clone().filter(|place| lines[*place].is_none() && !waits(place)).count();
        let walled = left > 0 && announce(&self.plan.bounds, workers * at_a_time)?.namespaces;
        if left > 0 {
            eprintln!("{}", self.plan.announcement(workers, left));
        }
        options.write_csv(lines.iter().flatten())?;
        let mut waiting = Waiting::default();
        let begin = Instant::now();
        let bar = Progress::of(self.students.len() * self.plan.tests(), "tests");
        bar.begin_at(queue.finished());
        let worked = work_off(
            std::iter::from_fn(|| queue.next()),
            workers,
            interrupt::asked,
            |turn| {
                if options.pin {
                    processors::take_one();
                }
                Ok((turn, self.play_one(turn, walled)?))
            },
            |(turn, done)| {
                match done {
                    Ok(Some(done)) => {
                        waiting.in_a_row.clear();
                        if queue.put(turn, done) {
                            let graded = self.finish(&queue, turn.student)?;
                            bar.tell(&self.progress_line(turn.student, &graded));
                            lines[turn.student] = Some(graded);
                            options.write_csv(lines.iter().flatten())?;
                        } else if options.report == ReportFormat::Gradescope {
                            self.finish(&queue, turn.student)?;
                        }
                        bar.set(queue.finished());
                    }
                    Ok(None) => queue.leave(turn),
                    Err(error) => {
                        queue.leave(turn);
                        waiting.add(turn.student, error)?;
                    }
                }
                Ok(Next::GoOn)
            },
        );
        bar.finish();
        let games = self.plan.games();
        let share = games.and_then(|plan| share_of_rules(plan.game, begin.elapsed(), workers));
        share.iter().for_each(|words| eprintln!("{words}"));
        worked?;
        let mut complete = lines.iter().all(Option::is_some);
        if let Some(plan) = games.filter(|plan| complete && plan.bonus.is_some()) {
            complete = self.play_bonus(plan, &queue, &mut lines)?;
        }
        print(&table(lines.iter().flatten()));
        let grades: Vec<Grade> =
            students.clone().map(|student| self.grade(&queue, student)).collect();
        let sum = |of: fn(&Grade) -> f64| grades.iter().map(of).sum();
        if let Some(words) = scarcity(sum(Grade::cpu), sum(Grade::waited)) {
            print(&format!("The programs together: {words}\n"));
        }
        let changed = self.changed_since(&before, &lines);
        if !changed.is_empty() {
            print(&format!("Changed since the last grading:\n{changed}"));
        }
        let open = students.filter(|&student| !queue.is_complete(student));
        let open = open.map(|student| &self.students[student]);
        check_none_waits(open).and(self.check_all_graded(&waiting))?;
        if !complete {
            return Ok(None);
        }
        self.write_page(grades)?;
        options.write_feedback(&self.students)?;
        Ok(lines.into_iter().collect())
    }

    /// Fails with the names of the submissions whose tests wait for a correction of the rules.
    fn check_all_graded(&self, waiting: &Waiting) -> Result<()> {
        if waiting.tests.is_empty() {
            return Ok(());
        }
        let [fails, correct] = match self.plan.assigned {
            Assigned::Games(_) => ["the rules of the game fail", "rules"],
            Assigned::Homework(_) => ["the checker fails, which costs nobody a point", "homework"],
        };
        let mut text = format!("not graded yet, since {fails}:\n");
        for (student, (count, why)) in &waiting.tests {
            let tests = counted(*count, "test waits", "tests wait");
            text += &format!("  {}: {tests}: {why}\n", self.students[*student].name);
        }
        bail!("{text}correct the {correct}; then the same command with --resume plays these tests")
    }

    /// Returns whether the tournament of the best is finished.
    fn play_bonus(
        &self,
        plan: &GradingPlan,
        queue: &Queue,
        lines: &mut [Option<GradeLine>],
    ) -> Result<bool> {
        if self.options.shard.is_some() {
            eprintln!("the tournament of the best is played when all parts are joined");
            return Ok(true);
        }
        let points = |student| self.grade(queue, student).points().0;
        let points: Vec<f64> = (0..self.students.len()).map(points).collect();
        let workers = self.options.scheme.concurrency as usize;
        let Some(bonuses) = bonus(plan, &self.students, &points, &self.record, workers)? else {
            return Ok(false);
        };
        let _ = self.bonuses.set(bonuses);
        for (student, line) in lines.iter_mut().enumerate() {
            *line = Some(self.finish(queue, student)?);
        }
        self.options.write_csv(lines.iter().flatten())?;
        Ok(true)
    }

    fn progress_line(&self, student: usize, line: &GradeLine) -> String {
        let lost = match &*line.lost_by {
            "" => String::new(),
            lost_by => format!(", lost by {lost_by}"),
        };
        let (place, count) = (student + 1, self.students.len());
        format!("{} ({place} of {count}): {} of {}{lost}", line.submission, line.points, line.of)
    }

    /// Plays a test; if something keeps it from being played, that is its result. `None`: ^C ends
    /// it. The inner error is a failure of the game's rules or of the checker, for whose correction
    /// the test waits; the outer one ends the run.
    fn play_one(&self, turn: TestIndex, walled: bool) -> Result<Result<Option<FinishedTest>>> {
        let game = self.game_number(turn);
        let unwritten = Cell::new(false);
        let append = |event: Event| {
            let written = running_tests::append(&self.recorder, &event);
            unwritten.set(unwritten.get() || written.is_err());
            written
        };
        append(Event::Attempt(Attempt { game, walled }))?;
        let player = match &self.students[turn.student].player {
            Ok(player) => player,
            Err(not_run) => bail!("{}", not_run.why),
        };
        let played = match &self.plan.assigned {
            Assigned::Games(plan) => {
                let test = &plan.tests[turn.test];
                play_test(plan, test, player, game, self.effort, &append).map(Some)
            }
            Assigned::Homework(test) => self.play_homework(test, turn.student, player),
        };
        let (played, error) = match played {
            Ok(Some(done)) => (Ok(Some(done)), None),
            Ok(None) => (Ok(None), Some("stopped by ^C".to_string())),
            Err(error) if unwritten.get() => return Err(error),
            Err(error) => {
                let reason = shown(&format!("{error:#}"));
                // Else the rules, the command of all submissions or the machine are at fault.
                let is_tests = error.downcast_ref::<NoTurn>().is_none();
                let played = match &self.plan.assigned {
                    Assigned::Games(_) if is_tests => {
                        Ok(Some(FinishedTest::unplayed("could not be played", reason.clone())))
                    }
                    _ => Err(error),
                };
                (played, Some(reason))
            }
        };
        // An analysis that ^C has cut short is made again when the run continues.
        if self.effort.is_none() || error.is_some() || !interrupt::asked() {
            let done = played.as_ref().ok().and_then(Option::as_ref).filter(|_| error.is_none());
            append(Event::Result(TestResult {
                game,
                points: done.map_or(0.0, |done| self.points(turn, done)),
                wall: done.map_or(0.0, |done| done.wall),
                analysis: done.and_then(|done| done.analysis.clone()),
                cases: done
                    .and_then(|done| done.cases.as_ref())
                    .map(|runs| self.recorded(runs))
                    .transpose()?,
                error,
                panicked: false,
            }))?;
        } else {
            running_tests::leave();
        }
        match played {
            Err(error) if !NoTurn::is_of_rules(&error) => Err(error.context(STOPS)),
            played => Ok(played),
        }
    }

    fn play_homework(
        &self,
        test: &HomeworkTest,
        place: usize,
        player: &EngineSpec,
    ) -> Result<Option<FinishedTest>> {
        let is_watched = self.options.report == ReportFormat::Gradescope;
        let runs = test.run(player, &self.plan.bounds, &mut |runs| {
            if !is_watched || runs.unjudged.is_some() {
                return Ok(());
            }
            let report = self.case_report(test, place, runs).write(self.options.report);
            self.options.write_report(&self.students[place].name, &report)
        })?;
        Ok(runs.map(FinishedTest::of_cases))
    }

    fn points(&self, turn: TestIndex, done: &FinishedTest) -> f64 {
        match (&self.plan.assigned, &done.cases) {
            (Assigned::Games(plan), _) => points(&plan.tests[turn.test], done),
            (Assigned::Homework(test), Some(runs)) => test.homework.points(&runs.results).points,
            _ => 0.0,
        }
    }

    fn recorded(&self, runs: &CaseRuns) -> serde_json::Result<Value> {
        let digest = self.plan.games_digest.clone();
        serde_json::to_value(RecordedCases { digest, runs: runs.clone() })
    }

    fn finished_tests(&self, student: usize) -> Result<Vec<Option<FinishedTest>>> {
        let tests = self.plan.tests();
        if self.students[student].not_run().is_some() {
            return Ok(vec![Some(FinishedTest::unplayed("not run", String::new())); tests]);
        }
        let Some(earlier) = &self.earlier else { return Ok(vec![None; tests]) };
        (0..tests).map(|test| self.finished_earlier(earlier, TestIndex { student, test })).collect()
    }

    fn finished_earlier(
        &self,
        earlier: &ClassRecord,
        turn: TestIndex,
    ) -> Result<Option<FinishedTest>> {
        let game = self.game_number(turn);
        // There is none if the run was killed between the end of the game and its result.
        let result = earlier.results.get(&game);
        let played = earlier.games.games.get(&game);
        match (&self.plan.assigned, played) {
            (Assigned::Games(plan), Some(played)) => {
                let append = |event| lock(&self.recorder).append(&event);
                let test = &plan.tests[turn.test];
                return finished_test(plan, test, played.clone(), result, self.effort, &append)
                    .map(Some);
            }
            (Assigned::Homework(test), _) => {
                if let Some(TestResult { cases: Some(cases), wall, .. }) = result {
                    let RecordedCases { digest, runs } = RecordedCases::deserialize(cases)?;
                    if digest == self.plan.games_digest || digest == test.earlier_digest()? {
                        return Ok(Some(FinishedTest::of_cases(CaseRuns { wall: *wall, ..runs })));
                    }
                }
            }
            (Assigned::Games(_), None) => {}
        }
        let attempts = earlier.attempts.get(&game).map_or(&[][..], Vec::as_slice);
        Ok(self.lost_by_attempts(turn, attempts))
    }

    /// Returns the loss of a test in which the judge ended too often. `attempts` has for each end
    /// whether the player can have caused it.
    fn lost_by_attempts(&self, turn: TestIndex, attempts: &[bool]) -> Option<FinishedTest> {
        let count = attempts.iter().filter(|&&players| players).count();
        if count >= MAX_ATTEMPTS {
            let reason = format!(
                "the judge ended {count} times while this test was running, and no sandbox kept the program from causing that; \
                 the test is not tried again"
            );
            return Some(FinishedTest::unplayed("ended the judge", reason));
        }
        if !attempts.is_empty() {
            let (name, test) = (&self.students[turn.student].name, self.plan.test_name(turn.test));
            let times = counted(attempts.len(), "time", "times");
            let whose =
                if count == 0 { ", not because of the program, which is in a sandbox" } else { "" };
            eprintln!(
                "{name}, {test}: the judge ended {times} while this test was running{whose}; it is played again"
            );
        }
        None
    }
}
