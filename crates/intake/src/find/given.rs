//! The files that a teacher has handed out, which are never a student's program.

use crate::find::tree::Tree;
use anygame::game::Interface;
use anyhow::{Context, Result};
use arena::rules_program::files;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Default)]
pub(crate) struct Given {
    /// Their names, in lower case.
    names: BTreeSet<String>,
    digests: BTreeSet<String>,
}

impl Given {
    /// Returns the files that `game.toml` or `homework.toml` names, with the contents of those in
    /// its folder, and all files of a directory.
    pub(crate) fn read(interface: &Interface, directory: Option<&Path>) -> Result<Given> {
        let mut given = Given::default();
        for named in interface.given {
            let path = interface.folder.unwrap_or(Path::new("")).join(named);
            if path.is_dir() {
                given.add_all(&path)?;
            } else {
                given.add(&path);
            }
        }
        if let Some(directory) = directory {
            given.add_all(directory)?;
        }
        Ok(given)
    }

    fn add_all(&mut self, directory: &Path) -> Result<()> {
        let within = || format!("{}: cannot be listed", directory.display());
        for path in files(directory).with_context(within)? {
            self.add(&directory.join(path));
        }
        Ok(())
    }

    fn add(&mut self, path: &Path) {
        self.names.insert(name_of(path));
        self.digests.extend(digest_of(path));
    }

    /// Returns the files that were handed out, by contents or names. A file of a name that
    /// `is_asked_for`, such as a frame to fill in, counts only by its contents.
    pub(crate) fn among(
        &self,
        tree: &Tree,
        is_asked_for: impl Fn(&Path) -> bool,
    ) -> BTreeSet<PathBuf> {
        let is_given = |path: &&PathBuf| {
            let by_name = self.names.contains(&name_of(path)) && !is_asked_for(path);
            by_name
                || digest_of(&tree.root.join(path))
                    .is_some_and(|digest| self.digests.contains(&digest))
        };
        if self.names.is_empty() {
            BTreeSet::new()
        } else {
            tree.files.iter().filter(is_given).cloned().collect()
        }
    }

    pub(crate) fn add_to(&self, digest: &mut arena::digest::Digest) {
        self.names.iter().chain(&self.digests).for_each(|one| digest.part("given", one));
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns the digest of a file, whatever its line ends; `None` for an empty one.
fn digest_of(path: &Path) -> Option<String> {
    let mut bytes = fs::read(path).ok()?;
    bytes.retain(|byte| *byte != b'\r');
    (!bytes.trim_ascii().is_empty())
        .then(|| crate::submission::hex(&Sha256::digest(bytes.trim_ascii())))
}
