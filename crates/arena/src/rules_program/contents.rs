//! The files in the folder of a game, and their checksums.

use super::program::RulesProgram;
use super::solved::TABLE;
use anyhow::{Context, Result};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the file that makes a folder a game.
pub(super) const FILE: &str = "game.toml";

/// The folders and names of programs for students to begin with.
pub(super) const STARTERS: [(&str, &str); 3] =
    [("python", "agent.py"), ("cpp", "agent.cpp"), ("java", "Agent.java")];

/// The files of a game's folder, by their paths in it and in their order, without links and what
/// Python has compiled.
///
/// # Errors
/// A folder cannot be listed.
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

/// The checksum of the names and contents of a folder's files, without the table that is made of
/// them.
pub(super) fn checksum_of(folder: &Path, is_counted: impl Fn(&Path) -> bool) -> Result<String> {
    let mut all = Vec::new();
    let files = files(folder).with_context(|| folder.display().to_string())?;
    for file in files.into_iter().filter(|file| file != Path::new(TABLE) && is_counted(file)) {
        let path = folder.join(&file);
        all.extend(file.to_string_lossy().as_bytes());
        all.extend(fs::read(&path).with_context(|| path.display().to_string())?);
    }
    Ok(format!("{:016x}", engine::checksum(&all)))
}

/// The digest of the rules of a program: of its command and of the files in its folder that it may
/// read. What the judge alone reads does not count.
///
/// # Errors
/// A file cannot be read.
pub fn rules_digest(program: &RulesProgram) -> Result<String> {
    let of_judge = [FILE, "rules.md", "scheme.toml"].map(Path::new);
    let is_rules = |file: &Path| {
        !of_judge.contains(&file)
            && !STARTERS.iter().any(|(language, name)| file == Path::new(language).join(name))
            && !file.starts_with("try")
    };
    let files = checksum_of(&program.folder, is_rules)?;
    let text = format!("{} {files}", program.command.join(" "));
    Ok(format!("{:016x}", engine::checksum(text.as_bytes())))
}
