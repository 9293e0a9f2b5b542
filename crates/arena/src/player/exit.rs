//! The supervised run of a player's program: what is asked for, and how it ended, in words.

use super::directory::PlayerDirectory;
use crate::terms::Bounds;
use engine::protocol::quote;
use nix::sys::signal::Signal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use system::supervise::{ExitReport, Job};

/// What an error says where no supervisor can be started.
pub(super) const NO_SUPERVISOR: &str = "the supervisor of a player cannot be started";

/// What the supervisor is to run.
pub(super) fn job(command: &[String], directory: &PlayerDirectory, bounds: &Bounds, clock: Duration) -> Job {
    static TURNS: AtomicU64 = AtomicU64::new(0);
    let wall = clock.as_secs_f64() + bounds.wall_margin;
    Job {
        command: command.to_vec(),
        directory: directory.path(),
        wall,
        limits: (bounds.memory_mib << 20, bounds.file_mib << 20),
        keep: bounds.keep,
        mark: format!("{}-{}", std::process::id(), TURNS.fetch_add(1, Ordering::Relaxed)),
    }
}

/// How the process ended, if not well.
pub(super) fn ending(report: &ExitReport) -> Option<String> {
    match (report.exit_code, report.signal) {
        (Some(0), _) => None,
        (Some(code), _) => Some(format!("exit code {code}")),
        (None, Some(_)) if report.orphaned => Some("ended its own supervisor".to_string()),
        (None, Some(signal)) => Some(format!("ended by signal {signal}{}", signal_name(signal))),
        (None, None) => Some("ended".to_string()),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match Signal::try_from(signal) {
        Ok(Signal::SIGSEGV) => " (segmentation fault)",
        Ok(Signal::SIGABRT) => " (abort)",
        Ok(Signal::SIGFPE) => " (arithmetic fault)",
        Ok(Signal::SIGXFSZ) => " (a file grew too long)",
        Ok(Signal::SIGXCPU) => " (too much CPU time)",
        Ok(Signal::SIGKILL) => " (killed)",
        _ => "",
    }
}

/// The last line on standard error, which is where most languages say what went wrong.
pub(super) fn last_words(stderr: &str) -> String {
    match stderr.lines().rev().find(|line| !line.trim().is_empty()) {
        Some(line) => format!(", last words: {}", quote(line.trim())),
        None => String::new(),
    }
}
