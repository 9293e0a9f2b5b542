//! A player that is a process: it finds `input.txt` in its directory and leaves `output.txt` there.

use super::directory::{Found, PlayerDirectory};
use super::exit::{NO_SUPERVISOR, Program, ending, forfeit, job, turn};
use super::left::Unreadable;
use super::words::{last_words, shortened};
use super::{Player, Traces, Turn};
use crate::result::{Fault, Termination};
use crate::terms::Bounds;
use anyhow::{Context, Result, bail};
use engine::protocol::quote;
use engine::score::WIN;
use engine::{Playable, Task, Violation};
use std::time::Duration;
use system::supervise::{Job, run_job};

/// A process player with the directory it lives in. The directory goes when the player does.
pub struct ProcessPlayer {
    job: Job,
    directory: PlayerDirectory,
    bounds: Bounds,
}

impl ProcessPlayer {
    /// A player with an empty directory, or one with a copy of `home`.
    pub fn new(program: &Program, bounds: &Bounds) -> Result<ProcessPlayer> {
        let directory = PlayerDirectory::new(program.home, bounds)?;
        Ok(ProcessPlayer { job: job(program, &directory, bounds)?, directory, bounds: bounds.clone() })
    }
}

impl<A: Playable> Player<A> for ProcessPlayer {
    fn turn(&mut self, task: &Task<A>) -> Result<Turn<A::Move>> {
        let found = self.directory.prepare(&A::write_task(task))?;
        if found == Found::DiskFull {
            let answer = Err(Fault::new(Termination::DiskQuota, "filled the disk".to_string()));
            return Ok(Turn { answer, cpu: Duration::ZERO, wall: Duration::ZERO, traces: Traces::default() });
        }
        let report = run_job(&turn(&self.job, &self.bounds, task.clock)).context(NO_SUPERVISOR)?;
        if let Some(reason) = report.not_started {
            bail!(reason);
        }
        let output = self.directory.read_output();
        let (score, depth) = search_figures(&report.stderr);
        let mut traces = Traces {
            output: output.as_ref().ok().map(|text| shorten(text)),
            stdout: report.stdout.clone(),
            stderr: report.stderr.clone(),
            score,
            depth,
            note: None,
        };
        let ending = ending(&report);
        let answer = match output {
            _ if forfeit(&report).is_some() => {
                Err(Fault::new(Termination::Crash, forfeit(&report).unwrap_or_default()))
            }
            _ if report.timed_out => {
                let after = format!(
                    "no answer within {:.1} s of wall time, ended ({:.2} s of CPU used)",
                    report.wall, report.cpu
                );
                Err(Fault::new(Termination::Stall, after))
            }
            Ok(text) => match task.position.read_move(&text) {
                Ok(mv) => {
                    traces.note = ending.map(|how| format!("{how}, with a legal move left"));
                    Ok(mv)
                }
                Err(violation) => Err(refusal(&violation, &text, ending)),
            },
            Err(Unreadable::Missing) => match ending {
                Some(how) => Err(Fault::new(Termination::Crash, format!("{how}{}", last_words(&report.stderr)))),
                None => Err(Fault::new(Termination::NoOutput, "left no output.txt".to_string())),
            },
            Err(Unreadable::Other(reason)) => Err(Fault::new(Termination::BadFormat, format!("output.txt {reason}"))),
        };
        let answer = match self.directory.over_quota() {
            Some(mib) => Err(Fault::new(
                Termination::DiskQuota,
                format!("its files take {mib} MiB, more than {} MiB", self.bounds.disk_mib),
            )),
            None => answer,
        };
        let mut notes: Vec<String> = traces.note.into_iter().collect();
        if report.left_behind > 0 {
            notes.push(format!("left {} processes behind, which were ended", report.left_behind));
        }
        if let Found::Spoilt(how) = found {
            notes.push(format!("its directory was spoilt and begun anew ({how})"));
        }
        traces.note = (!notes.is_empty()).then(|| notes.join("; "));
        if answer.is_ok() {
            for stream in [&mut traces.stdout, &mut traces.stderr] {
                *stream = shortened(std::mem::take(stream), self.bounds.keep);
            }
        }
        // Figures that are missing are on the safe side.
        let cpu = Duration::from_secs_f64(if report.orphaned { report.cpu.max(report.wall) } else { report.cpu });
        Ok(Turn { answer, cpu, wall: Duration::from_secs_f64(report.wall), traces })
    }
}

/// A player that crashed while it wrote has crashed; one that wrote nonsense of its own will has not.
fn refusal(violation: &Violation, text: &str, ending: Option<String>) -> Fault {
    match violation {
        _ if ending.is_some() => {
            Fault::new(Termination::Crash, format!("{}, output.txt {violation}", ending.unwrap_or_default()))
        }
        Violation::Format { .. } => {
            Fault::new(Termination::BadFormat, format!("output.txt {violation} (the file: {})", quote(text)))
        }
        Violation::Illegal(_) => {
            Fault::new(Termination::IllegalMove, format!("output.txt {violation} (the file: {})", quote(text)))
        }
    }
}

/// Score and depth from the last line of the form `depth N score S ...` that an agent printed about its search.
fn search_figures(stderr: &str) -> (Option<i32>, Option<u32>) {
    let Some(line) = stderr.lines().rev().find(|line| line.starts_with("depth ")) else { return (None, None) };
    let words: Vec<&str> = line.split_whitespace().collect();
    let depth = words.get(1).and_then(|word| word.parse().ok());
    let score = match words.get(3..) {
        Some(["win", "in", plies, ..]) => plies.parse().ok().map(|plies: i32| WIN.saturating_sub(plies)),
        Some(["loss", "in", plies, ..]) => plies.parse().ok().map(|plies: i32| plies.saturating_sub(WIN)),
        Some([points, ..]) => points.parse().ok(),
        _ => None,
    };
    (score, depth)
}

fn shorten(text: &str) -> String {
    const MOST: usize = 2_000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}[...]", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_search_are_read_from_its_last_line() {
        let text = "depth 3 score +12 nodes 5\nnoise\ndepth 4 score -7 nodes 9 nps 1 cpu 0 line\n";
        assert_eq!(search_figures(text), (Some(-7), Some(4)));
        assert_eq!(search_figures("depth 9 score win in 5 (proven) nodes 1"), (Some(WIN - 5), Some(9)));
        assert_eq!(search_figures("depth 9 score loss in 4 nodes 1"), (Some(4 - WIN), Some(9)));
        assert_eq!(search_figures("depth x score"), (None, None));
        assert_eq!(search_figures("nothing"), (None, None));
    }
}
