//! The state that the threads of a simulated term share.

use super::course::Course;
use super::server::Server;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};

/// A submission that the server has confirmed.
pub(super) struct Confirmed {
    /// The number of the submission.
    pub submission: u64,
    /// Its number among those of the student.
    pub number: u64,
    /// The place of the upload in the course.
    pub upload: usize,
}

/// The true strengths of submissions, as the workers learn them from checks, and the results that
/// were confirmed.
#[derive(Default)]
pub(super) struct Drawn {
    /// By submission.
    pub strengths: Mutex<HashMap<i64, f64>>,
    /// The pairs whose results the server has confirmed, each as often as it did.
    pub confirmed: Mutex<Vec<i64>>,
    /// Leases with which a worker vanished.
    pub vanished: Mutex<u64>,
    /// Second reports that were refused.
    pub refused: Mutex<u64>,
}

/// The pages that are watched.
pub(super) const PAGES: [&str; 4] = ["ladder", "player", "game", "live"];

/// Wall times of pages in milliseconds, by kind, and the quarter of the term.
#[derive(Default)]
pub(super) struct Times(pub Vec<(usize, usize, f64)>);

impl Times {
    /// Returns the given quantiles of some pages.
    pub(super) fn quantiles(
        &self,
        wanted: impl Fn(usize, usize) -> bool,
        parts: &[f64],
    ) -> (usize, Vec<f64>) {
        let chosen = self.0.iter().filter(|&&(page, quarter, _)| wanted(page, quarter));
        let mut times: Vec<f64> = chosen.map(|&(_, _, time)| time).collect();
        times.sort_by(f64::total_cmp);
        let at = |part: f64| {
            times.get(((times.len() as f64 * part) as usize).min(times.len().saturating_sub(1)))
        };
        (times.len(), parts.iter().map(|&part| at(part).copied().unwrap_or(f64::NAN)).collect())
    }
}

/// A simulated term.
pub(super) struct Term<'a> {
    pub server: &'a Server,
    pub course: &'a Course,
    /// The number of games to play.
    pub target: u64,
    /// The games that the server has counted.
    pub games: AtomicU64,
    /// The number of the next upload.
    pub next: AtomicU64,
    /// Set when the workers have nothing more to do.
    pub over: AtomicBool,
    /// Set when the watchers and the faults end.
    pub watched: AtomicBool,
    pub confirmed: Mutex<Vec<Confirmed>>,
    /// A lock for each student, who hands in one program at a time.
    pub turns: Vec<Mutex<()>>,
    pub drawn: Drawn,
    pub times: Mutex<Times>,
    /// The errors of clients, and their numbers. While the server is being killed, that is
    /// expected.
    pub complaints: Mutex<BTreeMap<String, u64>>,
}

impl Term<'_> {
    /// Counts something that went wrong for a client. Errors that differ only in their numbers are
    /// counted together.
    pub(super) fn complain(&self, who: &str, error: &anyhow::Error) {
        let text = format!("{error:#}");
        let text: String =
            text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(160).collect();
        let text = format!("{who}: {}", text.replace("##", "#"));
        *self.complaints.lock().unwrap_or_else(PoisonError::into_inner).entry(text).or_default() +=
            1;
    }
}
