//! Checks of the file that an agent keeps between the turns of a game.

use super::files::{AgentUnderTest, directory_with};
use crate::agent::Agent;
use std::fs;

impl AgentUnderTest<'_> {
    /// A turn of a game leaves a memory; no memory, whatever it says, keeps the next turn from a
    /// legal answer; there is none where the answer must depend on the input alone.
    pub(super) fn remembers_the_turns_of_a_game<A: Agent>(&self) {
        let input = self.with_line(1, "GAME");
        let played = |memory: Option<&str>, arguments: &[&str]| {
            let directory = directory_with(&[("input.txt", input.as_bytes())]);
            let path = directory.path().join("playdata.txt");
            if let Some(memory) = memory {
                fs::write(&path, memory).unwrap();
            }
            self.plays_in::<A>(directory.path(), &input, arguments);
            fs::read_to_string(&path).ok()
        };
        let memory = played(None, &[]).unwrap();
        assert!(memory.starts_with(&format!("{} memory ", A::NAME)), "{memory}");
        // The same clock once more: a grader that charges nothing.
        assert_eq!(turns(&memory), Some(0), "{memory}");
        let next = played(Some(&memory), &[]).unwrap();
        assert!(matches!(turns(&next), Some(0 | 1)), "{next}");
        let old = format!("{} memory 1\n0123456789abcdef\nsum 0\n", A::NAME);
        let damaged = memory.replacen("turn ", "turn 9", 1);
        for text in [&old, &damaged, &memory[..memory.len() / 2]] {
            let replaced = played(Some(text), &[]).unwrap();
            assert_eq!(turns(&replaced), Some(0), "{text}");
        }
        for arguments in [&["--nodes", "100"][..], &["--depth", "1"], &["--no-memory"]] {
            assert_eq!(played(None, arguments), None, "{arguments:?}");
        }
        // The output is no file, and the directory not the agent's.
        let (directory, run) = self.run(&input, &["--output", "-"]);
        run.succeeds();
        assert!(!directory.path().join("playdata.txt").exists());
    }
}

/// The number of turns whose charges a memory holds.
fn turns(memory: &str) -> Option<u32> {
    memory.lines().nth(1)?.split(' ').nth(4)?.parse().ok()
}
