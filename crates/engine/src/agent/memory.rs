//! The file in which an agent keeps what it remembers of a game between its turns.
//!
//! Its first line names the game and the format. The second has the clock that the last turn was
//! given and the CPU time that it used, in microseconds, the key of the position after its move,
//! and the [`Charges`]. What the game itself keeps follows, and a checksum.

use super::Agent;
use super::agent_options::Options;
use crate::charges::Charges;
use crate::game::checksum;
use crate::protocol::{Task, TimeControl};
use files::{Destination, write_atomically};
use std::fs::{File, OpenOptions, symlink_metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const NAME: &str = "playdata.txt";
/// The maximum size of the file in bytes; a longer one is not an agent's.
const LIMIT: u64 = 1 << 16;
const VERSION: &str = "2";

/// The memory file of this turn, to be written once the move is chosen.
pub(super) struct MemoryFile {
    path: PathBuf,
    game: &'static str,
}

/// What the last turn left: nothing if it is of another game, damaged, or not there.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memory {
    /// The charges of the turns so far.
    pub(super) charges: Charges,
    /// The text that the game itself keeps.
    pub(super) text: String,
}

/// What the next turn must know of this one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    /// The clock that it was given.
    pub(super) clock: Duration,
    /// The CPU time at its end.
    pub(super) used: Duration,
    /// The key of the position after its move.
    pub(super) key: u64,
}

impl MemoryFile {
    /// Opens the memory of a game, with what the last turn left. `None` if this turn keeps no
    /// memory: it is limited by depth or nodes, or a single position; the answer goes to no file;
    /// or another program's file has the name.
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

    /// The file without its first line and the checksum; an empty text if it is damaged or of
    /// another version, and `None` if it is another program's.
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
    /// new file takes 90. Should the process be killed in between, the checksum tells.
    pub(super) fn write(&self, turn: Turn, memory: &Memory) {
        let body = memory.body(turn);
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
    fn body(&self, Turn { clock, used, key }: Turn) -> String {
        let (clock, used) = (clock.as_micros(), used.as_micros());
        format!("turn {clock} {used} {key:016x} {}\n{}", self.charges.text(), self.text)
    }

    /// Parses a body in a turn with this clock. `None` if it is none, or another game's: its clock
    /// or the key of its last position do not fit.
    fn read(body: &str, clock: Duration, may_be_before: impl Fn(u64) -> bool) -> Option<Memory> {
        let (line, text) = body.strip_prefix("turn ")?.split_once('\n')?;
        let mut words = line.splitn(4, ' ');
        let mut microseconds = || words.next()?.parse().ok().map(Duration::from_micros);
        let (before, used) = (microseconds()?, microseconds()?);
        let key = u64::from_str_radix(words.next()?, 16).ok()?;
        let charges = Charges::read(words.next()?)?.after_turn(before, used, clock)?;
        may_be_before(key).then(|| Memory { charges, text: text.to_string() })
    }
}

fn overwrite(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.write_all(text.as_bytes())?;
    if file.metadata()?.len() > text.len() as u64 {
        file.set_len(text.len() as u64)
    } else {
        Ok(())
    }
}

fn sum_of(body: &str) -> String {
    format!("{:016x}", checksum(body.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn us(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    /// The body that the first turn of a game leaves.
    fn left() -> String {
        let turn = Turn { clock: us(900_000), used: us(5_000), key: 0xab };
        Memory { charges: Charges::default(), text: "of the game\n".into() }.body(turn)
    }

    #[test]
    fn what_a_turn_was_charged_is_known_in_the_next() {
        let memory = Memory::read(&left(), us(894_000), |key| key == 0xab).unwrap();
        assert_eq!(memory.text, "of the game\n");
        let after_turn =
            |charges: Charges, before, used, now| charges.after_turn(us(before), us(used), us(now));
        let first = after_turn(Charges::default(), 900_000, 5_000, 894_000);
        assert_eq!(Some(memory.charges), first);
        let body = memory.body(Turn { clock: us(894_000), used: us(4_000), key: 0xcd });
        let later = Memory::read(&body, us(888_000), |_| true).unwrap();
        assert_eq!(Some(later.charges), after_turn(memory.charges, 894_000, 4_000, 888_000));
    }

    #[test]
    fn another_games_memory_is_none() {
        // Its clock has grown, or has lost more than is believed; no move leads here.
        for (clock, may_be_before) in [(900_001, true), (600_000, true), (894_000, false)] {
            assert_eq!(Memory::read(&left(), us(clock), |_| may_be_before), None);
        }
    }

    #[test]
    fn no_text_makes_it_panic_and_no_line_cut_short_counts() {
        let body = left();
        for end in 0..body.find('\n').unwrap() {
            let cut = format!("{}\n", &body[..end]);
            assert_eq!(Memory::read(&cut, us(894_000), |_| true), None, "{cut}");
        }
        let most = u64::MAX;
        for text in ["turn\n", "turn 1 2 3 4\n", &format!("turn {most} {most} ffff 1 1 1\n")] {
            let _ = Memory::read(text, us(894_000), |_| true);
        }
    }
}
