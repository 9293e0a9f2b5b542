//! CPU time of this process and of the calling thread.

use std::time::Duration;

/// CPU time (user and system) of this process and all its threads since it was started.
///
/// Not by the clock `CLOCK_PROCESS_CPUTIME_ID`: where a limit on CPU time is set (`ulimit -t`, as graders do), Linux lets
/// that one stand still between two ticks of its timer, up to 4 ms.
#[must_use]
pub fn process_time() -> Duration {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        if let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) {
            let parts = [usage.user_time(), usage.system_time()];
            return parts.iter().map(|part| Duration::new(part.tv_sec() as u64, part.tv_usec() as u32 * 1_000)).sum();
        }
    }
    cpu_time::ProcessTime::now().as_duration()
}

/// CPU time (user and system) of the calling thread since it was started.
#[must_use]
pub fn thread_time() -> Duration {
    cpu_time::ThreadTime::now().as_duration()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use nix::sys::resource::{Resource, getrlimit, setrlimit};

    #[test]
    fn cpu_time_does_not_stand_still_where_cpu_time_is_limited() {
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
