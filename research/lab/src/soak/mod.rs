//! `lab soak`: an endurance test. It asks the agents for moves in random positions under short
//! clocks, and checks every answer. With `--kill` it kills them at random moments instead, and
//! checks their output files.

mod options;
mod process;
pub(crate) mod question;
mod state;
mod tally;
mod trial;

use anyhow::{Context, Result, ensure};
use arena::keys::workspace_program;
use arena::player::directory::PlayerDirectory;
use arena::pool::{Next, work_off};
use arena::terms::{Bounds, Sandbox};
use clock::priority;
pub(crate) use options::{EXAMPLE, SoakOptions};
use process::AgentRun;
use sandbox::host_pauses;
use serde_json::json;
use state::{GameUnderTest, SharedState};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tally::Tally;
use terminal::games;
use terminal::interrupt;
use terminal::output::print;
use trial::SoakTrial;

/// Wall time between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Runs `lab soak`. The exit code is 1 if an answer failed.
pub(crate) fn soak(options: &SoakOptions) -> Result<ExitCode> {
    let mut subjects = Vec::new();
    for game in games::all() {
        let name = game.name;
        if options.game.is_empty() || options.game.iter().any(|chosen| chosen == name) {
            let program = workspace_program(name)?;
            subjects.push(GameUnderTest { name, game, program, own_game: Mutex::default() });
        }
    }
    let arguments = shlex::split(&options.args).context("--args: a quote is not closed")?;
    let seen: HashSet<u64> = options.clock.iter().map(|clock| clock.to_bits()).collect();
    ensure!(seen.len() == options.clock.len(), "--clock: a clock is given twice");
    let seed = options.seed.unwrap_or_else(rand::random);
    let record = match &options.record {
        Some(path) => {
            let mut file = File::create(path)
                .with_context(|| format!("{}: cannot be written", path.display()))?;
            writeln!(file, "{}", json!({ "event": "soak", "seed": seed, "kill": options.kill }))?;
            Some(file)
        }
        None => None,
    };
    interrupt::catch()?;
    host_pauses::watch();
    eprintln!("seed {seed}");
    let start = Instant::now();
    let shared = Mutex::new(SharedState {
        tally: Tally::default(),
        next: options.first,
        record,
        last_progress: start,
        directories: Vec::new(),
    });
    let work = Soak { options, subjects: &subjects, arguments, seed, start, shared: &shared };
    let done = AtomicBool::new(false);
    let worked = thread::scope(|scope| {
        for _ in 0..busy_threads(options) {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        // The guard stops the busy threads even if a worker panics.
        let _guard = StopGuard(&done);
        let numbers = std::iter::from_fn(|| work.next());
        let counted =
            |(trial, run): (SoakTrial, AgentRun)| work.count(&trial, &run).map(|()| Next::GoOn);
        work_off(
            numbers,
            options.jobs as usize,
            || work.is_over(),
            |number| work.ask(number),
            counted,
        )
    });
    let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    let names: Vec<&str> = subjects.iter().map(|subject| subject.name).collect();
    let table =
        if options.kill { shared.tally.kills(&names) } else { shared.tally.answers(&names) };
    print(&format!(
        "{}, {:.0} s\n{table}",
        conditions(options, seed),
        start.elapsed().as_secs_f64()
    ));
    worked?;
    Ok(match shared.tally.failures() {
        0 if interrupt::asked() => ExitCode::from(interrupt::EXIT_CODE),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Stops the busy threads when it is dropped.
struct StopGuard<'a>(&'a AtomicBool);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Locks the state that the workers share.
fn lock(shared: &Mutex<SharedState>) -> std::sync::MutexGuard<'_, SharedState> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of threads that keep processors busy besides the agents.
fn busy_threads(options: &SoakOptions) -> usize {
    match options.busy {
        None => 0,
        Some(0) => {
            thread::available_parallelism().map_or(1, |count| count.get().saturating_sub(1).max(1))
        }
        Some(count) => count as usize,
    }
}

/// Describes the conditions of the run, for the heading of the table.
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

/// The settings and the state of a soak.
struct Soak<'a> {
    options: &'a SoakOptions,
    subjects: &'a [GameUnderTest],
    arguments: Vec<String>,
    seed: u64,
    start: Instant,
    shared: &'a Mutex<SharedState>,
}

impl<'a> Soak<'a> {
    /// Asks the question with this number.
    fn ask(&self, number: u64) -> Result<(SoakTrial<'a>, AgentRun)> {
        let free = lock(self.shared).directories.pop();
        let directory = match free {
            Some(directory) => directory,
            // The agents are Menagerie's own, so they need no sandbox.
            None => {
                PlayerDirectory::new(None, &Bounds { sandbox: Sandbox::Off, ..Bounds::default() })?
            }
        };
        if let Some(nice) = self.options.nice {
            priority::be_nice(nice).with_context(|| format!("--nice {nice}"))?;
        }
        let trial = SoakTrial::new(self.options, self.subjects, self.seed, number);
        let program = &trial.subject.program;
        let run =
            process::run(program, &self.arguments, &directory, &trial.question.input, trial.until)?;
        lock(self.shared).directories.push(directory);
        Ok((trial, run))
    }

    /// Counts and records an answer.
    fn count(&self, trial: &SoakTrial, run: &AgentRun) -> Result<()> {
        trial.count(run, &mut lock(self.shared))?;
        self.print_progress();
        Ok(())
    }

    /// Returns whether the time is over or the user has pressed ^C.
    fn is_over(&self) -> bool {
        self.start.elapsed().as_secs() >= self.options.seconds || interrupt::asked()
    }

    /// Returns the number of the next question; `None` if enough questions were asked.
    fn next(&self) -> Option<u64> {
        let mut shared = lock(self.shared);
        if self.options.questions.is_some_and(|most| shared.next - self.options.first >= most) {
            return None;
        }
        // Games with enough questions are skipped.
        let games = self.subjects.len() as u64;
        let wanting = |number: &u64| {
            let game = (number % games) as usize;
            self.options
                .each
                .is_none_or(|most| shared.tally.counted(game, self.options.kill) < most)
        };
        let number = (shared.next..shared.next + games).find(wanting)?;
        shared.next = number + 1;
        Some(number)
    }

    /// Prints a line of progress, unless the last one is recent.
    fn print_progress(&self) {
        let mut shared = lock(self.shared);
        if shared.last_progress.elapsed() >= PROGRESS_EVERY {
            shared.last_progress = Instant::now();
            let (asked, gone) = (shared.next - self.options.first, self.start.elapsed().as_secs());
            let worst = shared.tally.worst();
            let overrun = if worst.is_finite() {
                format!(", worst overrun {worst:+.2} ms")
            } else {
                String::new()
            };
            let failures = shared.tally.failures();
            eprintln!(
                "{gone} s of {}: {asked} asked, {failures} failures{overrun}",
                self.options.seconds
            );
        }
    }
}
