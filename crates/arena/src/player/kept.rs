//! The files that a program keeps between its turns, recorded for `judge rerun`.

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

const MOST_FILES: usize = 200;
const MOST_LEVELS: usize = 4;
/// In bytes; of a larger file no content is recorded.
const LARGEST: u64 = 1 << 20;
/// Of contents, for each side in the record of a game.
const MOST_BYTES: usize = 4 << 20;
const COMPILED: &str = "__pycache__";

/// A file in a program's directory before a turn that was not there before its first turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptFile {
    /// The path in the directory.
    pub name: String,
    /// The checksum in hexadecimal digits; empty if the file is too large.
    pub digest: String,
    /// In base64, unless an earlier turn has it or it is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl KeptFile {
    /// The content, which this or an earlier turn has.
    pub fn bytes<'a>(&self, earlier: impl IntoIterator<Item = &'a KeptFile>) -> Option<Vec<u8>> {
        let same = |file: &&KeptFile| file.digest == self.digest && file.content.is_some();
        let found = Some(self).filter(same).or_else(|| earlier.into_iter().find(same))?;
        BASE64_STANDARD.decode(found.content.as_ref()?).ok()
    }
}

/// Size and time of a file, which change when it is written.
type Stamp = (u64, Option<SystemTime>);

#[derive(Default)]
pub(super) struct KeptFiles {
    first: Option<BTreeMap<PathBuf, Stamp>>,
    /// The digests whose contents a turn has, and their bytes.
    told: BTreeSet<String>,
    bytes: usize,
}

impl KeptFiles {
    pub(super) fn before_turn(&mut self, directory: &Path, files: GameFiles) -> Vec<KeptFile> {
        let found = found(directory, files);
        let Some(first) = &self.first else {
            self.first = Some(found);
            return Vec::new();
        };
        let others: Vec<_> =
            found.into_iter().filter(|(path, stamp)| first.get(path) != Some(stamp)).collect();
        others.into_iter().filter_map(|(path, _)| self.file(directory, path)).collect()
    }

    fn file(&mut self, directory: &Path, path: PathBuf) -> Option<KeptFile> {
        let name = path.to_string_lossy().into_owned();
        let mut content = Vec::new();
        let file = system::open_untrusted(directory, &path).ok()?;
        file.take(LARGEST + 1).read_to_end(&mut content).ok()?;
        let fits = content.len() as u64 <= LARGEST;
        let digest = if fits { format!("{:016x}", checksum(&content)) } else { String::new() };
        let is_new =
            fits && self.bytes + content.len() <= MOST_BYTES && self.told.insert(digest.clone());
        let content = is_new.then(|| {
            self.bytes += content.len();
            BASE64_STANDARD.encode(&content)
        });
        Some(KeptFile { name, digest, content })
    }
}

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
