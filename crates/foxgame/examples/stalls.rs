//! Tells when no processor of this machine ran anything, as happens to virtual machines: nobody can be in time then.
//!
//!     cargo run --release -p foxgame --example stalls -- 10

use foxgame::promptness::{be_prompt_at, places};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How often to look.
const PAUSE: Duration = Duration::from_millis(1);

fn main() {
    let least: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).expect("usage: stalls MILLISECONDS");
    println!("stalls of {least} ms and more, seen from {} processors", places());
    let start = Instant::now();
    // When any of the threads ran last, in microseconds.
    let last = Arc::new(AtomicU64::new(0));
    let watchers: Vec<_> = (0..places())
        .map(|place| {
            let last = last.clone();
            thread::spawn(move || {
                be_prompt_at(place);
                loop {
                    thread::sleep(PAUSE);
                    let now = start.elapsed().as_micros() as u64;
                    let gap = now.saturating_sub(last.fetch_max(now, SeqCst));
                    if gap >= 1_000 * least {
                        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
                        println!("{time}: {:.1} ms", gap as f64 / 1e3);
                    }
                }
            })
        })
        .collect();
    watchers.into_iter().for_each(|watcher| watcher.join().expect("watchers do not end"));
}
