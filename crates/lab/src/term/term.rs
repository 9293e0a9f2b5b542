//! What the threads of a simulated term share.

use super::course::Course;
use super::drawn::Drawn;
use super::server::Server;
use super::watchers::Times;
use std::collections::BTreeMap;
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
    pub drawn: Drawn,
    pub times: Mutex<Times>,
    /// What went wrong for clients, and how often. While the server is being killed, that is expected.
    pub complaints: Mutex<BTreeMap<String, u64>>,
}

impl Term<'_> {
    /// Counts something that went wrong for a client.
    pub(super) fn complain(&self, who: &str, error: &anyhow::Error) {
        let text = format!("{who}: {error:#}");
        let text: String = text.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).take(160).collect();
        *self.complaints.lock().unwrap_or_else(PoisonError::into_inner).entry(text.replace("##", "#")).or_default() +=
            1;
    }
}
