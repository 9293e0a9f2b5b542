//! An agent's process, from the command line to the exit code.

use super::agent_options::Options;
use super::command_line::parse;
use super::memory::{Memory, MemoryFile, Turn};
use super::{Agent, AgentError};
use crate::clock::Clock;
use crate::protocol::{Protocol, RuleSet};
use crate::score::describe;
use crate::search::{self, Observer};
use crate::think::{Algorithm, Report, best_one_ply_ahead, think_observed};
use crate::verdict::{described, standing};
use files::{Destination, read_input};
use std::process::ExitCode;
use std::time::Duration;

/// Runs an agent's process. The exit code is 0 with a move written, 2 with one line on standard
/// error, or that of [`Agent::other_mode`] or [`Agent::other_input`].
pub fn run<A: Agent>() -> ExitCode {
    let (options, extra) = parse::<A>();
    let done =
        A::other_mode(&options, &extra).unwrap_or_else(|| answer_file::<A>(&options, &extra));
    done.unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::from(2)
    })
}

/// Writes a legal move at once, and at the end the best one found.
fn answer_file<A: Agent>(options: &Options, extra: &A::Extra) -> Result<ExitCode, AgentError> {
    let text = read_input(&options.input)
        .map_err(|error| AgentError::Read { file: options.input.clone(), error })?;
    if let Some(done) = A::other_input(&text, options, extra) {
        return done;
    }
    let rules = options.rules.as_deref().and_then(A::Rules::by_name).unwrap_or(A::Rules::AGENT);
    let task = A::read_task(&text, rules)
        .map_err(|error| AgentError::Input { file: options.input.clone(), error })?;
    let position = &task.position;
    let destination = Destination::of(&options.output);
    let write = |mv| {
        let written = destination.write(&position.write_move(mv));
        written.map_err(|error| AgentError::Write { file: options.output.clone(), error })
    };
    let first = best_one_ply_ahead(position);
    if destination.is_replaceable() {
        write(first)?;
    }
    if options.show {
        eprint!("{}{}", position.picture(None), standing(position));
    }
    let mut settings = options.settings(A::own_settings(extra));
    let memory_file = MemoryFile::open(options, &task).map(|(file, memory)| {
        A::recall(&mut settings.own, &memory.text);
        settings.charges = memory.charges;
        file
    });
    let mut observer = VerboseObserver { position, verbose: options.verbose };
    let report = think_observed(&task, &settings, &CpuClock, &mut observer);
    observer.print_result(&report, options.algorithm);
    if options.show {
        let after = position.after(report.best);
        eprint!("{}", described(position, report.best, &after));
    }
    if !destination.is_replaceable() {
        write(report.best)?;
    } else if report.best != first {
        if let Err(error) = write(report.best) {
            // The file still has the first move, which is legal.
            eprintln!("{error}; the first move in the output file stays");
            return Ok(ExitCode::SUCCESS);
        }
    }
    if let Some(file) = memory_file {
        let text = A::memory_after(&settings.own, &task, &report);
        let after = position.after(report.best);
        let turn = Turn { clock: task.clock, used: CpuClock.used(), key: after.key() };
        file.write(turn, &Memory { charges: settings.charges, text });
    }
    Ok(ExitCode::SUCCESS)
}

/// The CPU time of this process, which is what graders charge.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpuClock;

impl Clock for CpuClock {
    fn used(&self) -> Duration {
        clock::cpu::process_time()
    }
}

/// Prints every iteration to standard error if `--verbose` is given.
struct VerboseObserver<'a, G> {
    position: &'a G,
    verbose: bool,
}

impl<G: Protocol> VerboseObserver<'_, G> {
    /// Prints the result of a move that does not come from iterative deepening.
    fn print_result(&self, report: &Report<G::Move>, algorithm: Algorithm) {
        if !self.verbose {
            return;
        }
        let cpu = CpuClock.used().as_secs_f64();
        match (&report.advice, &report.search) {
            (Some(advice), _) => {
                let played = self.position.describe_move(report.best);
                eprintln!("{advice} cpu {cpu:.3} line {played}");
            }
            (None, Some(search)) if algorithm != Algorithm::Iterative => {
                eprintln!("score {} nodes {} cpu {cpu:.3}", describe(search.score), search.nodes);
            }
            _ => {}
        }
    }
}

impl<G: Protocol> Observer<G::Move> for VerboseObserver<'_, G> {
    fn iteration(&mut self, report: &search::Report<G::Move>) {
        if !self.verbose {
            return;
        }
        let cpu = CpuClock.used().as_secs_f64();
        let mut text = format!(
            "depth {} score {}{} nodes {} nps {:.0} cpu {cpu:.3} line",
            report.depth,
            describe(report.score),
            if report.proven { " (proven)" } else { "" },
            report.nodes,
            report.nodes as f64 / cpu.max(1e-6),
        );
        let mut position = self.position.clone();
        for (index, &mv) in report.line.iter().enumerate() {
            if !position.is_legal(mv) {
                break;
            }
            text += if index == 0 { " " } else { " | " };
            text += &position.describe_move(mv);
            position.play(mv);
        }
        eprintln!("{text}");
    }

    fn smaller_table(&mut self, asked: usize, had: usize) {
        let [asked, had] = [asked, had].map(|bytes| match bytes >> 20 {
            0 => format!("{} KiB", bytes >> 10),
            mib => format!("{mib} MiB"),
        });
        eprintln!("not enough memory for a table of {asked}: it has {had}");
    }

    fn is_last(&self) -> bool {
        true
    }
}
