//! How much CPU time a machine gives a busy process, which may wait by itself or for a processor.

use super::cgroup::own_group;
pub use crate::job::Supply;
use crate::linux::process_tree::TICKS;
use crate::proc_fields::number;
use clock::cpu::thread_time;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const PROBE: Duration = Duration::from_millis(10);
/// All probes together take a fiftieth of a processor.
const PAUSE: Duration = Duration::from_millis(490);

/// A watch over the supply of CPU time, which a thread of this process probes.
pub struct SupplyWatch {
    start: Instant,
    before: Counters,
    /// Microseconds of CPU time, and of wall time, of all probes.
    probed: Arc<(AtomicU64, AtomicU64)>,
    over: Arc<AtomicBool>,
}

/// What takes CPU time away, in the order of [`counters`]: the quota of the control group
/// (`throttled_usec`), other processes (pressure stall information), the host of a virtual machine.
const CAUSES: [&str; 3] = [
    "its control group had used up its part of the processors",
    "others on this machine had the processors",
    "the host had taken a processor away",
];

/// The seconds of each cause since the system's start; `None` where the system does not count them.
type Counters = [Option<f64>; 3];

impl SupplyWatch {
    /// Begins to watch.
    pub fn begin() -> SupplyWatch {
        let (probed, over) =
            (Arc::new((AtomicU64::new(0), AtomicU64::new(0))), Arc::new(AtomicBool::new(false)));
        let (sums, stop) = (Arc::clone(&probed), Arc::clone(&over));
        thread::spawn(move || {
            while !stop.load(Relaxed) {
                let (wall, cpu) = (Instant::now(), thread_time());
                while thread_time() - cpu < PROBE {}
                sums.0.fetch_add((thread_time() - cpu).as_micros() as u64, Relaxed);
                sums.1.fetch_add(wall.elapsed().as_micros() as u64, Relaxed);
                thread::sleep(PAUSE);
            }
        });
        SupplyWatch { start: Instant::now(), before: counters(), probed, over }
    }

    /// The supply since the beginning.
    pub fn supply(&self) -> Supply {
        let (cpu, wall) = (self.probed.0.load(Relaxed) as f64, self.probed.1.load(Relaxed) as f64);
        let share = if wall > 0.0 { (cpu / wall).min(1.0) } else { 1.0 };
        Supply {
            wall: self.start.elapsed().as_secs_f64(),
            share,
            causes: causes(self.before, counters()),
        }
    }
}

impl Drop for SupplyWatch {
    fn drop(&mut self) {
        self.over.store(true, Relaxed);
    }
}

fn counters() -> Counters {
    let read = |path: PathBuf| fs::read_to_string(path).ok();
    let of_group = |name: &str| own_group().and_then(|group| read(group.join(name)));
    let throttled = of_group("cpu.stat").and_then(|text| number::<f64>(&text, "throttled_usec "));
    let pressure = of_group("cpu.pressure").or_else(|| read(PathBuf::from("/proc/pressure/cpu")));
    [
        throttled.map(|microseconds| microseconds / 1e6),
        pressure.and_then(|text| waited(&text)).map(|microseconds| microseconds / 1e6),
        read(PathBuf::from("/proc/stat")).and_then(|text| stolen(&text)),
    ]
}

/// The causes that took more than a tenth of a second between two moments.
fn causes(before: Counters, now: Counters) -> Vec<String> {
    let spans = now.iter().zip(before).map(|(now, before)| Some((*now)? - before?));
    let words = CAUSES.iter().zip(spans).filter_map(|(what, span)| {
        let seconds = span.filter(|seconds| *seconds > 0.1)?;
        Some(format!("for {seconds:.1} s {what}"))
    });
    words.collect()
}

/// The least quota of `cpu.max` of the control groups of this process, in processors.
pub fn allowed_processors() -> Option<f64> {
    let group = own_group()?;
    let quotas = group
        .ancestors()
        .filter_map(|group| quota(&fs::read_to_string(group.join("cpu.max")).ok()?));
    quotas.min_by(f64::total_cmp)
}

fn quota(text: &str) -> Option<f64> {
    let (most, period) = text.trim().split_once(' ')?;
    let (most, period) = (most.parse::<f64>().ok()?, period.parse::<f64>().ok()?);
    (most > 0.0 && period > 0.0).then_some(most / period)
}

/// The microseconds of the first line of pressure stall information.
fn waited(text: &str) -> Option<f64> {
    text.split_once("total=")?.1.split_whitespace().next()?.parse().ok()
}

/// From the first line of `/proc/stat`.
fn stolen(stat: &str) -> Option<f64> {
    let ticks: f64 =
        stat.lines().next()?.strip_prefix("cpu ")?.split_whitespace().nth(7)?.parse().ok()?;
    Some(ticks / TICKS as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_waits_is_told_from_a_machine_that_is_short_of_processors() {
        let supply = |share| Supply { wall: 56.0, share, causes: Vec::new() };
        assert!(supply(0.2).is_short(9.9), "nearly all that there was");
        assert!(!supply(0.2).is_short(2.0), "it waited beside busy programs");
        assert!(!supply(1.0).is_short(9.9) && !supply(1.0).is_short(50.0));
    }

    #[test]
    fn the_system_s_figures_are_read() {
        assert_eq!(quota("50000 100000\n"), Some(0.5));
        assert_eq!(quota("max 100000\n"), None);
        assert_eq!(
            number("usage_usec 7\nnr_throttled 3\nthrottled_usec 2500000\n", "throttled_usec "),
            Some(2_500_000)
        );
        assert_eq!(waited("some avg10=0.00 total=9000000\nfull avg10=0.00 total=7\n"), Some(9e6));
        assert_eq!(stolen("cpu  1 2 3 4 5 6 7 800 9 10\ncpu0 1\n"), Some(8.0));
        let (before, now) = ([Some(1.0), None, Some(2.0)], [Some(31.5), Some(9.0), Some(2.0)]);
        assert_eq!(causes(before, now), [format!("for 30.5 s {}", CAUSES[0])]);
    }

    #[test]
    fn a_busy_thread_gets_some_of_a_processor() {
        let watch = SupplyWatch::begin();
        while watch.probed.1.load(Relaxed) == 0 {
            thread::sleep(PROBE);
        }
        let share = watch.supply().share;
        assert!(share > 0.0 && share <= 1.0, "{share}");
    }
}
