//! People who watch: each loads a page every other second, as a browser does.

use super::client::Client;
use super::state::Term;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

/// Watches until the term is over.
pub(super) fn watch(term: &Term, cookie: &str, mut random: ChaCha8Rng) {
    let client = Client::new(&term.server.address);
    while !term.watched.load(Relaxed) {
        thread::sleep(Duration::from_millis(random.random_range(1_000..3_000)));
        let games = term.games.load(Relaxed);
        let page = match random.random_range(0..10) {
            0..3 => 0,
            3..6 => 1,
            6..8 if games > 0 => 2,
            _ => 3,
        };
        let path = match page {
            0 => "/".to_string(),
            // The baselines come first.
            1 => format!("/players/{}", random.random_range(1..=term.course.students.len())),
            2 => format!("/games/{}", random.random_range(1..=games)),
            _ => "/live".to_string(),
        };
        let start = Instant::now();
        match client.page(cookie, &path) {
            Ok((200, _)) => {
                let time = start.elapsed().as_secs_f64() * 1_000.0;
                let quarter = (4 * games / term.target.max(1)).min(3) as usize;
                term.times.lock().unwrap_or_else(PoisonError::into_inner).0.push((page, quarter, time));
            }
            Ok((status, _)) => term.complain(&format!("a watcher: status {status}"), &anyhow::anyhow!("{path}")),
            Err(error) => term.complain("a watcher", &error),
        }
    }
}
