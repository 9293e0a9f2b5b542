//! Busy programs beside the one that a test looks at.

use std::fs;
use std::process::{Child, Command, Stdio};

/// Busy programs on one processor, each in a session of its own, as which Linux shares time.
pub struct Crowd(Vec<Child>);

impl Crowd {
    /// Starts so many busy programs on a processor.
    pub fn on(processor: usize, count: usize) -> Crowd {
        let spin = |_| {
            let line =
                ["-c", &processor.to_string(), "setsid", "-w", "sh", "-c", "while :; do :; done"]
                    .map(String::from);
            Command::new("taskset").args(line).stdin(Stdio::null()).spawn().unwrap()
        };
        Crowd((0..count).map(spin).collect())
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // The program has become the leader of its session, or its child has.
            let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id()))
                .unwrap_or_default();
            for id in children.split_whitespace().chain([child.id().to_string().as_str()]) {
                let _ = Command::new("kill").args(["-9", id]).status();
            }
            let _ = child.wait();
        }
    }
}

/// The first processor that this test may use.
pub fn a_processor() -> usize {
    clock::priority::processors()[0]
}
