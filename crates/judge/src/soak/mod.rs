//! The soak: the real agents are asked for moves from random positions under short clocks, and every answer is checked.
//! With `--kill` they are killed at random moments instead, and what they leave is checked.

mod options;
mod process;
pub(crate) mod question;
mod state;
mod table;
mod trial;

use crate::output::print;
use crate::{games, interrupt};
use anyhow::{Context, Result, ensure};
use arena::player::directory::PlayerDirectory;
use arena::player::keys::workspace_program;
use arena::pool::{Next, work_off};
use arena::terms::{Bounds, Sandbox};
pub(crate) use options::{EXAMPLE, SoakOptions};
use process::Run;
use serde_json::json;
use state::{Shared, Subject};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use system::{host_pauses, priority};
use table::Tally;
use trial::Trial;

/// Wall time between two lines about how far it is.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Asks, checks, and prints the table. The exit code says whether all was well.
pub(crate) fn soak(options: &SoakOptions) -> Result<ExitCode> {
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
    let shared = Mutex::new(Shared {
        tally: Tally::default(),
        next: options.first,
        record,
        told: start,
        directories: Vec::new(),
    });
    let work = Work { options, subjects: &subjects, arguments, seed, start, shared: &shared };
    let done = AtomicBool::new(false);
    let worked = thread::scope(|scope| {
        for _ in 0..busy_threads(options) {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        // The busy threads end also if a worker panics.
        let _ends = Ends(&done);
        let numbers = std::iter::from_fn(|| work.next());
        let entered = |(trial, run): (Trial, Run)| work.enter(&trial, &run).map(|()| Next::GoOn);
        work_off(numbers, options.jobs as usize, || work.is_over(), |number| work.ask(number), entered)
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name).collect();
    let table = if options.kill { shared.tally.kills(&names) } else { shared.tally.answers(&names) };
    print(&format!("{}, {:.0} s\n{table}", conditions(options, seed), start.elapsed().as_secs_f64()));
    worked?;
    Ok(match shared.tally.failures() {
        0 if interrupt::asked() => ExitCode::from(interrupt::EXIT_CODE),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Lets the busy threads end when it is dropped.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

fn lock(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of threads that keep processors busy beside the agents.
fn busy_threads(options: &SoakOptions) -> usize {
    match options.busy {
        None => 0,
        Some(0) => thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).max(1)),
        Some(count) => count as usize,
    }
}

/// The conditions of the run, for the table's heading.
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

/// The work that all workers share.
struct Work<'a> {
    options: &'a SoakOptions,
    subjects: &'a [Subject],
    arguments: Vec<String>,
    seed: u64,
    start: Instant,
    shared: &'a Mutex<Shared>,
}

impl<'a> Work<'a> {
    /// Asks the question of this number.
    fn ask(&self, number: u64) -> Result<(Trial<'a>, Run)> {
        let free = lock(self.shared).directories.pop();
        let directory = match free {
            Some(directory) => directory,
            // These are agents of our own.
            None => PlayerDirectory::new(None, &Bounds { sandbox: Sandbox::Off, ..Bounds::default() })?,
        };
        if let Some(nice) = self.options.nice {
            priority::be_nice(nice).with_context(|| format!("--nice {nice}"))?;
        }
        let trial = Trial::new(self.options, self.subjects, self.seed, number);
        let program = &trial.subject.program;
        let run = process::run(program, &self.arguments, &directory, &trial.question.input, trial.until)?;
        lock(self.shared).directories.push(directory);
        Ok((trial, run))
    }

    /// Counts and records an answer.
    fn enter(&self, trial: &Trial, run: &Run) -> Result<()> {
        trial.enter(run, &mut lock(self.shared))?;
        self.tell_progress();
        Ok(())
    }

    /// Whether no other question is to be asked.
    fn is_over(&self) -> bool {
        self.start.elapsed().as_secs() >= self.options.seconds || interrupt::asked()
    }

    /// The number of the next question, unless there is enough.
    fn next(&self) -> Option<u64> {
        let mut shared = lock(self.shared);
        if self.options.questions.is_some_and(|most| shared.next - self.options.first >= most) {
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
