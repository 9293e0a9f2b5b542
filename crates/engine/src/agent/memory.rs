//! The file in which an agent keeps what it remembers of a game between its turns, since it is started anew for each.

use super::Agent;
use super::options::Options;
use crate::checksum::checksum;
use crate::protocol::{Task, TimeControl};
use files::write_atomically;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of the file, beside the output file.
const NAME: &str = "playdata.txt";
/// The maximum size of the file in bytes; a longer one is not an agent's.
const LIMIT: u64 = 1 << 16;

/// The memory file of this turn: to be written once the move is chosen.
pub(super) struct MemoryFile {
    path: PathBuf,
    header: String,
}

impl MemoryFile {
    /// Opens the memory of a game, and returns it with the text that the last turn left, empty if there is none or it is
    /// damaged. Returns `None` if this turn keeps no memory: it is limited by depth or nodes, or a single position; the
    /// answer goes to no file; or another program's file has the name.
    pub(super) fn open<A: Agent>(options: &Options, extra: &A::Extra, task: &Task<A>) -> Option<(MemoryFile, String)> {
        let is_turn = task.control == TimeControl::Game && options.depth.is_none() && options.nodes.is_none();
        if !is_turn || !A::remembers(extra, task) {
            return None;
        }
        let path = options.output.parent().unwrap_or(Path::new("")).join(NAME);
        let memory = MemoryFile { path, header: format!("{} memory 1\n", A::NAME) };
        let text = memory.read()?;
        Some((memory, text))
    }

    /// Reads the file; `None` if it is another program's.
    fn read(&self) -> Option<String> {
        let Ok(file) = File::open(&self.path) else { return (!self.path.exists()).then(String::new) };
        let mut text = String::new();
        let is_file = file.metadata().is_ok_and(|data| data.is_file());
        if !is_file || file.take(LIMIT).read_to_string(&mut text).is_err() {
            return None;
        }
        let body = text.strip_prefix(&self.header)?;
        let whole = body.rsplit_once("sum ").filter(|(body, sum)| sum.trim_end() == sum_of(body));
        Some(whole.map_or(String::new(), |(body, _)| body.to_string()))
    }

    /// Writes the file anew. A memory that cannot be written is forgotten: the move is not at stake.
    pub(super) fn write(&self, body: &str) {
        let _ = write_atomically(&self.path, &format!("{}{body}sum {}\n", self.header, sum_of(body)));
    }
}

/// Returns the checksum of the file's body as text.
fn sum_of(body: &str) -> String {
    format!("{:016x}", checksum(body.as_bytes()))
}
