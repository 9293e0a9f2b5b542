//! The soak: the real agents are asked for moves from random positions under short clocks, and every answer is checked.
//! With `--kill` they are killed at random moments instead, and what they leave is checked.

mod options;
pub mod question;
mod table;
mod trial;

use crate::output::print;
use crate::{games, interrupt};
use anyhow::{Context, Result, ensure};
use arena::player::directory::PlayerDirectory;
use arena::player::keys::workspace_program;
use engine::{Side, TimeControl, split_mix};
pub use options::{EXAMPLE, SoakOptions};
use question::{Question, Quiz, Source, Wish};
use serde_json::json;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use system::{host_pauses, priority};
use table::{SHORTEST_TIMED, Tally};
use trial::{Run, Until};

/// CPU time beyond the clock that is not yet late.
const TOLERANCE: Duration = Duration::from_millis(1);
/// Wall time beyond three times the clock after which there is no answer: the processor may be busy with others.
const WALL_MARGIN: Duration = Duration::from_secs(60);
/// CPU time by which an agent has left its first output.
const FIRST_OUTPUT: Duration = Duration::from_millis(10);
/// So many questions to an agent take their positions from the same one of its games.
const PER_OWN_GAME: u64 = 150;
/// In the kill test, every so many questions measure the time to the first output.
const FIRST_EVERY: u64 = 10;
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// A game with its agent.
struct Subject {
    name: &'static str,
    quiz: Quiz,
    program: PathBuf,
    /// The game against itself that was played last, by its number.
    own_game: Mutex<(u64, Arc<Vec<String>>)>,
}

impl Subject {
    /// A game of the agent against itself.
    fn own_game(&self, number: u64, seed: u64) -> Arc<Vec<String>> {
        let mut last = self.own_game.lock().unwrap_or_else(PoisonError::into_inner);
        if last.0 != number || last.1.is_empty() {
            *last = (number, Arc::new((self.quiz.self_play)(split_mix(seed ^ split_mix(!number)))));
        }
        Arc::clone(&last.1)
    }
}

/// What the workers share.
struct Shared {
    tally: Tally,
    next: u64,
    record: Option<File>,
    told: Instant,
    error: Option<anyhow::Error>,
}

/// Asks, checks, and prints the table. The exit code says whether all was well.
pub fn soak(options: &SoakOptions) -> Result<ExitCode> {
    let mut subjects = Vec::new();
    for game in games::all() {
        let name = game.arena.name;
        if options.game.is_empty() || options.game.iter().any(|chosen| chosen == name) {
            let (quiz, program) = (game.quiz, workspace_program(name)?);
            subjects.push(Subject { name, quiz, program, own_game: Mutex::default() });
        }
    }
    let arguments = shlex::split(&options.args).context("--args: a quote is not closed")?;
    let seen: HashSet<u64> = options.clock.iter().map(|clock| clock.to_bits()).collect();
    ensure!(seen.len() == options.clock.len(), "--clock: a clock stands there twice");
    let seed = options.seed.unwrap_or_else(rand::random);
    let record = match &options.record {
        Some(path) => {
            let mut file = File::create(path).with_context(|| format!("{}: cannot be written", path.display()))?;
            writeln!(file, "{}", json!({ "event": "soak", "seed": seed, "kill": options.kill }))?;
            Some(file)
        }
        None => None,
    };
    interrupt::catch()?;
    host_pauses::watch();
    eprintln!("seed {seed}");
    let start = Instant::now();
    let shared = Mutex::new(Shared { tally: Tally::default(), next: options.first, record, told: start, error: None });
    let task = Work { options, subjects: &subjects, arguments, seed, start, shared: &shared };
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..busy_threads(options) {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let worker = || {
            if let Err(error) = task.until_enough() {
                lock(&shared).error.get_or_insert(error);
            }
        };
        let workers: Vec<_> = (0..options.jobs).map(|_| scope.spawn(worker)).collect();
        // A worker that panics does so again when the scope ends; the others are waited for first.
        workers.into_iter().for_each(|worker| drop(worker.join()));
        done.store(true, Relaxed);
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name).collect();
    let table = if options.kill { shared.tally.kills(&names) } else { shared.tally.answers(&names) };
    print(&format!("{}, {:.0} s\n{table}", conditions(options, seed), start.elapsed().as_secs_f64()));
    if let Some(error) = shared.error {
        return Err(error);
    }
    Ok(match shared.tally.failures() {
        0 if interrupt::asked() => ExitCode::from(interrupt::EXIT_CODE),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many threads run in circles beside the agents.
fn busy_threads(options: &SoakOptions) -> usize {
    match options.busy {
        None => 0,
        Some(0) => thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).max(1)),
        Some(count) => count as usize,
    }
}

/// Under what conditions the figures came about, for the table's heading.
fn conditions(options: &SoakOptions, seed: u64) -> String {
    let mut text = format!("seed {seed}, {} at a time", options.jobs);
    if let Some(nice) = options.nice {
        text += &format!(", nice {nice}");
    }
    if options.busy.is_some() {
        text += &format!(", {} busy threads beside", busy_threads(options));
    }
    if !options.args.is_empty() {
        text += &format!(", agents run with {}", options.args);
    }
    text
}

/// What a worker needs.
struct Work<'a> {
    options: &'a SoakOptions,
    subjects: &'a [Subject],
    arguments: Vec<String>,
    seed: u64,
    start: Instant,
    shared: &'a Mutex<Shared>,
}

impl Work<'_> {
    /// Asks one question after the other until there is enough.
    fn until_enough(&self) -> Result<()> {
        let directory = PlayerDirectory::new(None, 1 << 30)?;
        if let Some(nice) = self.options.nice {
            priority::be_nice(nice).with_context(|| format!("--nice {nice}"))?;
        }
        while let Some(number) = self.next() {
            let trial = Trial::new(self.options, self.subjects, self.seed, number);
            let program = &trial.subject.program;
            let run = trial::run(program, &self.arguments, &directory, &trial.question.input, trial.until)?;
            trial.enter(&run, &mut lock(self.shared))?;
            self.tell_progress();
        }
        Ok(())
    }

    /// The number of the next question, unless there is enough.
    fn next(&self) -> Option<u64> {
        let mut shared = lock(self.shared);
        let over = self.start.elapsed().as_secs() >= self.options.seconds
            || self.options.questions.is_some_and(|most| shared.next - self.options.first >= most)
            || shared.error.is_some()
            || interrupt::asked();
        if over {
            return None;
        }
        // Games that have had enough are passed over.
        let games = self.subjects.len() as u64;
        let wanting = |number: &u64| {
            let game = (number % games) as usize;
            self.options.each.is_none_or(|most| shared.tally.counted(game, self.options.kill) < most)
        };
        let number = (shared.next..shared.next + games).find(wanting)?;
        shared.next = number + 1;
        Some(number)
    }

    fn tell_progress(&self) {
        let mut shared = lock(self.shared);
        if shared.told.elapsed() >= PROGRESS_EVERY {
            shared.told = Instant::now();
            let (asked, gone) = (shared.next - self.options.first, self.start.elapsed().as_secs());
            let worst = shared.tally.worst();
            let overrun = if worst.is_finite() { format!(", worst overrun {worst:+.2} ms") } else { String::new() };
            let failures = shared.tally.failures();
            eprintln!("{gone} s of {}: {asked} asked, {failures} failures{overrun}", self.options.seconds);
        }
    }
}

/// One question to one agent.
struct Trial<'a> {
    number: u64,
    game: usize,
    subject: &'a Subject,
    wish: Wish,
    question: Question,
    until: Until,
}

impl Trial<'_> {
    /// Everything about it follows from the seed and its number.
    fn new<'a>(options: &SoakOptions, subjects: &'a [Subject], seed: u64, number: u64) -> Trial<'a> {
        let mut rest = number;
        let mut turn = |count: usize| {
            let index = rest % count as u64;
            rest /= count as u64;
            index as usize
        };
        let game = turn(subjects.len());
        let clock = Duration::from_secs_f64(options.clock[turn(options.clock.len())]);
        let own_seed = split_mix(seed ^ split_mix(number));
        let source = match Source::of(split_mix(own_seed)) {
            // A refusal is over too soon to be killed.
            Source::Over if options.kill => Source::Random,
            source => source,
        };
        let wish = Wish {
            source,
            side: Side::BOTH[turn(2)],
            control: [TimeControl::Single, TimeControl::Game][turn(2)],
            clock,
            seed: own_seed,
            playable: options.kill,
        };
        let subject = &subjects[game];
        let own_game = match source {
            Source::SelfPlay => subject.own_game(number / subjects.len() as u64 / PER_OWN_GAME, seed),
            _ => Arc::default(),
        };
        let moment = split_mix(!wish.seed);
        let until = match options.kill {
            false => Until::Done(clock * 3 + WALL_MARGIN),
            true if (moment >> 32).is_multiple_of(FIRST_EVERY) => Until::FirstOutput(WALL_MARGIN),
            true => Until::Killed(clock.mul_f64(moment as u32 as f64 / f64::from(u32::MAX))),
        };
        Trial { number, game, subject, wish, question: (subject.quiz.ask)(wish, &own_game), until }
    }

    /// Checks how it went, counts it, and records it.
    fn enter(&self, run: &Run, shared: &mut Shared) -> Result<()> {
        shared.tally.came_from(self.question.source);
        let cell = shared.tally.cell(self.game, self.wish.clock);
        cell.peak_kib = cell.peak_kib.max(run.peak_kib);
        let legal = match &run.output {
            Ok(Some(text)) => Some((self.subject.quiz.check)(&self.question.input, text)),
            Ok(None) => None,
            Err(reason) => Some(Err(reason.clone())),
        };
        let refused = self.question.refusal.as_ref().map(|refusal| {
            run.left && run.exit_code == Some(2) && run.output == Ok(None) && run.stderr == format!("{refusal}\n")
        });
        let fault = match (self.until, legal) {
            _ if refused == Some(true) => {
                cell.refused += 1;
                None
            }
            _ if refused == Some(false) => {
                cell.illegal += 1;
                Some(format!("not refused with {}", self.question.refusal.as_deref().unwrap_or_default()))
            }
            (_, Some(Err(reason))) => {
                cell.illegal += 1;
                Some(format!("illegal: {reason}"))
            }
            (_, Some(Ok(()))) if run.left && run.exit_code != Some(0) => {
                cell.missing += 1;
                Some(format!("exit code {}", run.exit_code.unwrap_or_default()))
            }
            (Until::Done(_), Some(Ok(()))) if !run.left => {
                cell.missing += 1;
                Some("never ended".to_string())
            }
            (Until::Done(_), Some(Ok(()))) => {
                cell.cpu[(self.wish.control == TimeControl::Game) as usize].push(run.cpu);
                let late = self.wish.clock >= SHORTEST_TIMED && run.cpu > self.wish.clock + TOLERANCE;
                cell.late += usize::from(late);
                late.then(|| {
                    // A host that takes the processor away counts the time as the process's own.
                    let excuse = host_pauses::excuse(run.start, run.start + run.wall);
                    format!("late: {:.2} ms of CPU{excuse}", run.cpu.as_secs_f64() * 1e3)
                })
            }
            (Until::Killed(_), Some(Ok(()))) if run.left => {
                cell.done += 1;
                None
            }
            (Until::Killed(_), Some(Ok(()))) => {
                cell.whole += 1;
                None
            }
            (Until::FirstOutput(_), Some(Ok(()))) => {
                cell.first.push((run.wall, run.cpu));
                None
            }
            (Until::Killed(_), None) if !run.left && run.cpu <= FIRST_OUTPUT => {
                cell.absent.push(run.cpu);
                None
            }
            (_, None) => {
                cell.missing += 1;
                Some("no output".to_string())
            }
        };
        let mut line = json!({
            "event": "answer",
            "number": self.number,
            "game": self.subject.name,
            "control": self.wish.control.word(),
            "clock": self.wish.clock.as_secs_f64(),
            "side": self.question.side,
            "position": self.question.source.word(),
            "cpu": run.cpu.as_secs_f64(),
            "wall": run.wall.as_secs_f64(),
            "peak_kib": run.peak_kib,
            "left": run.left,
            "output": run.output.as_ref().is_ok_and(Option::is_some),
        });
        if let Some(fault) = fault {
            eprintln!(
                "{} {} {} {} s, number {}: {fault}",
                self.subject.name,
                self.question.side,
                self.wish.control.word(),
                self.wish.clock.as_secs_f64(),
                self.number
            );
            line["fault"] = json!(fault);
            line["input"] = json!(self.question.input);
            line["output"] = json!(run.output);
            line["exit_code"] = json!(run.exit_code);
            line["stderr"] = json!(run.stderr);
        }
        if let Some(record) = &mut shared.record {
            writeln!(record, "{line}").context("the record cannot be written")?;
        }
        Ok(())
    }
}
