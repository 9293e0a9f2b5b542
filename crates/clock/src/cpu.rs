//! CPU time of this process and of the calling thread, and the number of idle processors.

use std::collections::BTreeMap;
use std::time::Duration;

/// CPU time (user and system) of this process and all its threads since it was started.
///
/// This does not read `CLOCK_PROCESS_CPUTIME_ID`: under a limit on CPU time (`ulimit -t`, as
/// graders set it), Linux updates that clock only at ticks of its timer, up to 4 ms apart.
pub fn process_time() -> Duration {
    #[cfg(unix)]
    if let Some(time) = used(nix::sys::resource::UsageWho::RUSAGE_SELF) {
        return time;
    }
    cpu_time::ProcessTime::now().as_duration()
}

/// CPU time of the children that this process has waited for, and of their children likewise; zero
/// on systems other than Unix.
pub fn children_time() -> Duration {
    #[cfg(unix)]
    let time = used(nix::sys::resource::UsageWho::RUSAGE_CHILDREN);
    #[cfg(not(unix))]
    let time = None;
    time.unwrap_or_default()
}

#[cfg(unix)]
fn used(who: nix::sys::resource::UsageWho) -> Option<Duration> {
    let usage = nix::sys::resource::getrusage(who).ok()?;
    let duration = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec() as u64, time.tv_usec() as u32 * 1_000)
    };
    Some(duration(usage.user_time()) + duration(usage.system_time()))
}

/// CPU time (user and system) of the calling thread since it was started.
pub fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

/// How many processors that this process may run on are idle for more than half of `time`. The
/// system counts in ticks of 10 ms, so 100 ms are enough. 0 on systems other than Linux.
pub fn idle_processors(time: Duration) -> usize {
    let own = crate::priority::processors();
    if own.is_empty() {
        return 0;
    }
    let read = || ticks(&std::fs::read_to_string("/proc/stat").unwrap_or_default());
    let before = read();
    std::thread::sleep(time);
    let is_idle = |(processor, [idle, all]): (usize, [u64; 2])| {
        own.contains(&processor)
            && before.get(&processor).is_some_and(|[idle_before, all_before]| {
                2 * idle.saturating_sub(*idle_before) > all.saturating_sub(*all_before)
            })
    };
    read().into_iter().filter(|&processor| is_idle(processor)).count()
}

/// The ticks that each processor was idle, and all of its ticks, in the text of `/proc/stat`.
fn ticks(stat: &str) -> BTreeMap<usize, [u64; 2]> {
    let processor = |line: &str| {
        let (number, rest) = line.strip_prefix("cpu")?.split_once(' ')?;
        // user, nice, system, idle, waiting for input, interrupts (two), taken by the host; guests
        // are counted as users.
        let ticks: Vec<u64> =
            rest.split_whitespace().take(8).map_while(|word| word.parse().ok()).collect();
        let idle = ticks.get(3)? + ticks.get(4)?;
        Some((number.parse().ok()?, [idle, ticks.iter().sum()]))
    };
    stat.lines().filter_map(processor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_of_each_processor_are_read_and_nothing_else() {
        let stat = "cpu  9 9 9 9 9 0 0 0 0 0\ncpu0 557567 547833 177375 287523 4213 0 245 1677 5 7\n\
                    cpu11 1 2 3 4 5 6 7 8\ncpu12 1 2 3\nintr 1 2\ncpux 1 2 3 4 5\nctxt 5\n";
        assert_eq!(ticks(stat), [(0, [291_736, 1_576_433]), (11, [9, 36])].into());
        assert!(idle_processors(Duration::from_millis(30)) <= crate::priority::processors().len());
    }

    #[test]
    #[cfg(unix)]
    fn cpu_time_does_not_stand_still_where_cpu_time_is_limited() {
        use nix::sys::resource::{Resource, getrlimit, setrlimit};
        let (_, most) = getrlimit(Resource::RLIMIT_CPU).unwrap();
        setrlimit(Resource::RLIMIT_CPU, most.min(1_000_000), most).unwrap();
        let start = process_time();
        let (mut last, mut steps) = (start, 0);
        while last < start + Duration::from_millis(40) {
            let now = process_time();
            steps += u32::from(now != last);
            last = now;
        }
        // The clock that is read once a tick makes 10 to 40 steps.
        assert!(steps > 200, "{steps} steps in 40 ms");
    }
}
