//! The files that a program keeps between its turns, as records have them, so that a turn can be run
//! again (`judge rerun`).

use anygame::game::GameFiles;
use base64::prelude::{BASE64_STANDARD, Engine};
use engine::checksum;
use sandbox::system;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The most files of a turn that are looked at.
const MOST_FILES: usize = 200;
/// The deepest directory that is looked at, in levels below the program's own.
const MOST_LEVELS: usize = 4;
/// The largest file whose content is recorded, in bytes.
const LARGEST: u64 = 1 << 20;
/// The bytes of contents that the record of a game has for each side.
const MOST_BYTES: usize = 4 << 20;
/// Directories of what Python has compiled, which it makes anew.
const COMPILED: &str = "__pycache__";

/// A file that a program found in its directory before a turn, other than the input file and what
/// was copied there before the first turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptFile {
    /// The path in the directory.
    pub name: String,
    /// The checksum of the content, in hexadecimal digits; empty for a file that is too large.
    pub digest: String,
    /// The content in base64; none if an earlier turn of the side has it, or it is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl KeptFile {
    /// The content of a file, which this turn or one of the earlier turns of the side has.
    pub fn bytes<'a>(&self, earlier: impl IntoIterator<Item = &'a KeptFile>) -> Option<Vec<u8>> {
        let same = |file: &&KeptFile| file.digest == self.digest && file.content.is_some();
        let found = Some(self).filter(same).or_else(|| earlier.into_iter().find(same))?;
        BASE64_STANDARD.decode(found.content.as_ref()?).ok()
    }
}

/// Size and time of a file: both are as they were if nobody has written to it.
type Stamp = (u64, Option<SystemTime>);

/// What is known of the files of a program.
#[derive(Default)]
pub(super) struct KeptFiles {
    /// The files before the first turn.
    first: Option<BTreeMap<PathBuf, Stamp>>,
    digests: BTreeMap<PathBuf, (Stamp, String)>,
    /// The digests whose contents a turn has.
    told: BTreeSet<String>,
    /// The bytes of these contents.
    bytes: usize,
}

impl KeptFiles {
    /// The files of a directory before a turn.
    pub(super) fn before_turn(&mut self, directory: &Path, files: GameFiles) -> Vec<KeptFile> {
        let found = found(directory, files);
        let Some(first) = &self.first else {
            self.first = Some(found);
            return Vec::new();
        };
        let others: Vec<_> =
            found.into_iter().filter(|(path, stamp)| first.get(path) != Some(stamp)).collect();
        others.into_iter().filter_map(|(path, stamp)| self.file(directory, path, stamp)).collect()
    }

    fn file(&mut self, directory: &Path, path: PathBuf, stamp: Stamp) -> Option<KeptFile> {
        let name = path.to_string_lossy().into_owned();
        let known = self.digests.get(&path).filter(|(known, _)| *known == stamp);
        if let Some((_, digest)) = known {
            return Some(KeptFile { name, digest: digest.clone(), content: None });
        }
        let mut content = Vec::new();
        let file = system::open_untrusted(directory, &path).ok()?;
        file.take(LARGEST + 1).read_to_end(&mut content).ok()?;
        let fits = content.len() as u64 <= LARGEST;
        let digest = if fits { format!("{:016x}", checksum(&content)) } else { String::new() };
        self.digests.insert(path, (stamp, digest.clone()));
        let is_new =
            fits && self.bytes + content.len() <= MOST_BYTES && self.told.insert(digest.clone());
        let content = is_new.then(|| {
            self.bytes += content.len();
            BASE64_STANDARD.encode(&content)
        });
        Some(KeptFile { name, digest, content })
    }
}

/// The regular files of a directory by their paths in it, without the files of the game.
fn found(directory: &Path, files: GameFiles) -> BTreeMap<PathBuf, Stamp> {
    let (mut found, mut open) = (BTreeMap::new(), vec![(PathBuf::new(), 0)]);
    while let Some((folder, level)) = open.pop() {
        let Ok(entries) = fs::read_dir(directory.join(&folder)) else { continue };
        for entry in entries.flatten().take(MOST_FILES) {
            let path = folder.join(entry.file_name());
            // Links are not followed.
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() && level < MOST_LEVELS && entry.file_name() != COMPILED {
                open.push((path, level + 1));
            } else if data.is_file()
                && found.len() < MOST_FILES
                && ![files.input, files.output].iter().any(|name| path == Path::new(name))
            {
                found.insert(path, (data.len(), data.modified().ok()));
            }
        }
    }
    found
}
