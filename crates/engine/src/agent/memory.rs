//! The file in which an agent keeps what it remembers of a game between its turns, since it is
//! started anew for each.
//!
//! Its first line names the game and the format. The second is about the turn that left it and
//! those before: the clock that the turn was given and the CPU time that it had used at its end, in
//! microseconds, the key of the position that its move led to, and the [`Charges`]. What the game
//! itself keeps follows, and a checksum.

use super::Agent;
use super::agent_options::Options;
use crate::charges::Charges;
use crate::checksum::checksum;
use crate::protocol::{Task, TimeControl};
use files::{Destination, write_atomically};
use std::fs::{File, OpenOptions, symlink_metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file, beside the output file.
const NAME: &str = "playdata.txt";
/// The maximum size of the file in bytes; a longer one is not an agent's.
const LIMIT: u64 = 1 << 16;
/// The version of the format. A memory of another version counts as none.
const VERSION: &str = "2";

/// The memory file of this turn: to be written once the move is chosen.
pub(super) struct MemoryFile {
    path: PathBuf,
    game: &'static str,
}

/// The content of the memory file, which a turn leaves to the next one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memory {
    /// The turn that leaves it; `None` in the memory that is read if it is of another game,
    /// damaged, or not there.
    pub(super) turn: Option<Turn>,
    /// The charges of the game's turns beyond their own count: before the turn that leaves it, and
    /// in the memory that is read with that turn.
    pub(super) charges: Charges,
    /// The text that the game itself keeps.
    pub(super) text: String,
}

/// A turn, as far as the next one must know of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The clock that it was given.
    pub(super) clock: Duration,
    /// The CPU time that the process had used at the end.
    pub(super) used: Duration,
    /// The key of the position after its move.
    pub(super) key: u64,
}

impl MemoryFile {
    /// Opens the memory of a game, and returns it with what the last turn left, nothing if that is
    /// of another game or damaged. Returns `None` if this turn keeps no memory: it is limited by
    /// depth or nodes, or a single position; the answer goes to no file; or another program's file
    /// has the name.
    pub(super) fn open<A: Agent>(
        options: &Options,
        task: &Task<A>,
    ) -> Option<(MemoryFile, Memory)> {
        let is_turn =
            task.control == TimeControl::Game && options.depth.is_none() && options.nodes.is_none();
        if !is_turn || options.no_memory || !Destination::of(&options.output).is_replaceable() {
            return None;
        }
        let path = options.output.parent().unwrap_or(Path::new("")).join(NAME);
        let file = MemoryFile { path, game: A::NAME };
        let text = file.read()?;
        let memory = Memory::read(&text, task.clock, |key| A::may_follow(&task.position, key));
        Some((file, memory.unwrap_or_default()))
    }

    /// Reads the file, without its first line and the checksum; an empty text if it is damaged or
    /// of another version, and `None` if it is another program's.
    fn read(&self) -> Option<String> {
        let Ok(file) = File::open(&self.path) else {
            return (!self.path.exists()).then(String::new);
        };
        let mut text = String::new();
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        if !is_file || file.take(LIMIT).read_to_string(&mut text).is_err() {
            return None;
        }
        let rest = text.strip_prefix(self.game)?.strip_prefix(" memory ")?;
        let body = rest.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('\n'));
        let whole = body.and_then(|body| body.rsplit_once("sum "));
        let whole = whole.filter(|(body, sum)| sum.trim_end() == sum_of(body));
        Some(whole.map_or(String::new(), |(body, _)| body.to_string()))
    }

    /// Writes the file anew. A memory that cannot be written is forgotten: the move is not at
    /// stake.
    ///
    /// A file that is there is overwritten in its place, which takes some 3 us of CPU time where a
    /// new file takes 90, in each turn. Should the process be killed in between, the checksum
    /// tells.
    pub(super) fn write(&self, memory: &Memory) {
        let body = memory.body();
        let text = format!("{} memory {VERSION}\n{body}sum {}\n", self.game, sum_of(&body));
        let is_file = symlink_metadata(&self.path).is_ok_and(|data| data.is_file());
        let _ = if is_file {
            overwrite(&self.path, &text)
        } else {
            write_atomically(&self.path, &text)
        };
    }
}

impl Memory {
    /// Formats the memory as [`Memory::read`] parses it.
    fn body(&self) -> String {
        let turn = self.turn.map_or(String::new(), |Turn { clock, used, key }| {
            format!("{} {} {key:016x} ", clock.as_micros(), used.as_micros())
        });
        format!("turn {turn}{}\n{}", self.charges.text(), self.text)
    }

    /// Parses a body, in a turn with this clock. `None` if it is none, or that of another game: its
    /// clock or its last position, whose key `may_be_before` takes, do not fit.
    fn read(body: &str, clock: Duration, may_be_before: impl Fn(u64) -> bool) -> Option<Memory> {
        let (line, text) = body.strip_prefix("turn ")?.split_once('\n')?;
        let mut words = line.splitn(4, ' ');
        let mut microseconds = || words.next()?.parse().ok().map(Duration::from_micros);
        let (before, used) = (microseconds()?, microseconds()?);
        let key = u64::from_str_radix(words.next()?, 16).ok()?;
        let charges = Charges::read(words.next()?)?.after_turn(before, used, clock)?;
        let turn = Some(Turn { clock: before, used, key });
        may_be_before(key).then(|| Memory { turn, charges, text: text.to_string() })
    }
}

/// Replaces the content of a file.
fn overwrite(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(text.as_bytes())?;
    if file.metadata()?.len() > text.len() as u64 {
        file.set_len(text.len() as u64)
    } else {
        Ok(())
    }
}

/// Returns the checksum of the file's body as text.
fn sum_of(body: &str) -> String {
    format!("{:016x}", checksum(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn us(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    fn left() -> Memory {
        let turn = Turn { clock: us(900_000), used: us(5_000), key: 0xab };
        Memory { turn: Some(turn), charges: Charges::default(), text: "of the game\n".into() }
    }

    #[test]
    fn what_a_turn_was_charged_is_known_in_the_next() {
        let body = left().body();
        let memory = Memory::read(&body, us(894_000), |key| key == 0xab).unwrap();
        assert_eq!(memory.text, "of the game\n");
        assert_eq!(
            Some(memory.charges),
            Charges::default().after_turn(us(900_000), us(5_000), us(894_000))
        );
        // And in the one after.
        let turn = Turn { clock: us(894_000), used: us(4_000), key: 0xcd };
        let body = Memory { turn: Some(turn), ..memory.clone() }.body();
        let later = Memory::read(&body, us(888_000), |_| true).unwrap();
        assert_eq!(
            Some(later.charges),
            memory.charges.after_turn(us(894_000), us(4_000), us(888_000))
        );
    }

    #[test]
    fn another_games_memory_is_none() {
        let body = left().body();
        assert_eq!(Memory::read(&body, us(900_001), |_| true), None, "the clock has grown");
        assert_eq!(
            Memory::read(&body, us(600_000), |_| true),
            None,
            "the clock has lost more than is believed"
        );
        assert_eq!(Memory::read(&body, us(894_000), |_| false), None, "no move leads here");
    }

    #[test]
    fn no_text_makes_it_panic_and_no_line_cut_short_counts() {
        let body = left().body();
        let line = body.find('\n').unwrap();
        for end in 0..line {
            let cut = format!("{}\n", &body[..end]);
            let read = Memory::read(&cut, us(894_000), |_| true);
            assert!(read.is_none(), "{cut}");
        }
        for text in [
            "turn\n",
            "turn 1 2 3 4\n",
            "turn 18446744073709551615 18446744073709551615 ffff 1 1 1\n",
        ] {
            let _ = Memory::read(text, us(894_000), |_| true);
        }
    }
}
