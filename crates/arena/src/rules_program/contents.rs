//! The files in the folder of a game, and their checksums.

use crate::digest::Digest;
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file with the results of all positions, in the game's folder.
pub const TABLE: &str = "solved.txt";

pub(super) const FILE: &str = "game.toml";

/// Programs for students to begin with: folder and name.
pub(super) const STARTERS: [(&str, &str); 3] =
    [("python", "agent.py"), ("cpp", "agent.cpp"), ("java", "Agent.java")];

/// The module of rules in Python, for folders without a file of this name.
pub(super) const MODULE: &str = "menagerie_rules.py";
pub(super) const MODULE_TEXT: &str =
    include_str!("../../../../starters/any-game/menagerie_rules.py");

/// Whether a folder has a file in Python that names [`MODULE`], and no such file.
pub(super) fn lacks_module(folder: &Path) -> bool {
    let names_it = |path: PathBuf| {
        path.extension().is_some_and(|extension| extension == "py")
            && fs::read_to_string(path).is_ok_and(|text| text.contains("menagerie_rules"))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    !folder.join(MODULE).exists() && entries.map(|entry| entry.path()).any(names_it)
}

/// The files of a folder by their paths, sorted, without links and what Python has compiled.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut waiting) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(below) = waiting.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, below.join(entry.file_name()));
            if kind.is_dir() && entry.file_name() != "__pycache__" {
                waiting.push(path);
            } else if kind.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Of names and contents, without the table that is made of them. [`MODULE`] counts as if it were
/// in each folder that needs it.
pub(super) fn checksum_of(folder: &Path, is_counted: impl Fn(&Path) -> bool) -> Result<String> {
    let mut digest = Digest::of("");
    let mut files = files(folder).with_context(|| folder.display().to_string())?;
    let lacks_module = lacks_module(folder);
    if lacks_module {
        files.push(PathBuf::from(MODULE));
        files.sort();
    }
    for file in files.into_iter().filter(|file| file != Path::new(TABLE) && is_counted(file)) {
        let path = folder.join(&file);
        let bytes = if lacks_module && file == Path::new(MODULE) {
            MODULE_TEXT.into()
        } else {
            fs::read(&path).with_context(|| path.display().to_string())?
        };
        digest.part(file.as_os_str().as_encoded_bytes(), bytes);
    }
    Ok(digest.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_the_module_that_it_names_counts_as_if_it_had_it() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
        let checksum = || checksum_of(place.path(), |_| true).unwrap();
        write("rules.py", "import json\n");
        let is_changed_by = |text: &str| {
            let before = checksum();
            write(MODULE, text);
            checksum() != before
        };
        assert!(is_changed_by(MODULE_TEXT), "rules that do not need it");
        fs::remove_file(place.path().join(MODULE)).unwrap();
        write("rules.py", "from menagerie_rules import run\n");
        assert!(!is_changed_by(MODULE_TEXT));
        assert!(is_changed_by("def run(game): pass\n"), "one of its own");
    }
}
