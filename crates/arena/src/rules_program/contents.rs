//! The files in the folder of a game, and their checksums.

use super::program::RulesProgram;
use super::solved::TABLE;
use crate::digest::Digest;
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const FILE: &str = "game.toml";

/// Programs for students to begin with: folder and name.
pub(super) const STARTERS: [(&str, &str); 3] =
    [("python", "agent.py"), ("cpp", "agent.cpp"), ("java", "Agent.java")];

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

/// Of names and contents, without the table that is made of them.
pub(super) fn checksum_of(folder: &Path, is_counted: impl Fn(&Path) -> bool) -> Result<String> {
    let mut digest = Digest::of("");
    let files = files(folder).with_context(|| folder.display().to_string())?;
    for file in files.into_iter().filter(|file| file != Path::new(TABLE) && is_counted(file)) {
        let path = folder.join(&file);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        digest.part(file.as_os_str().as_encoded_bytes(), bytes);
    }
    Ok(digest.text())
}

/// The digest of a program's command and of the files that it may read: what the judge alone reads
/// does not count.
pub fn rules_digest(program: &RulesProgram) -> Result<String> {
    let of_judge = [FILE, "rules.md", "scheme.toml"].map(Path::new);
    let is_rules = |file: &Path| {
        !of_judge.contains(&file)
            && !STARTERS.iter().any(|(language, name)| file == Path::new(language).join(name))
            && !file.starts_with("try")
    };
    let mut digest = Digest::of(&checksum_of(&program.folder, is_rules)?);
    program.command.iter().for_each(|word| digest.part("command", word));
    Ok(digest.text())
}
