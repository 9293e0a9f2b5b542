//! The programs that are compared, and their sources.

use crate::class::Student;
use anyhow::{Context, Result};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::rules_program::files;
use intake::source_likeness::{Text, source_extension};
use intake::source_text;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const MOST_BYTES: u64 = 1 << 20;

pub(super) struct Program {
    /// For another class after the name of its directory.
    pub name: String,
    pub class: String,
    /// Of the submission's files and its command.
    pub digest: String,
    pub player: Option<EngineSpec>,
    /// Without files that were handed out.
    pub sources: Vec<Source>,
    pub text: Text,
    pub is_own: bool,
    /// Whether it has sources, and nothing in them but what was handed out.
    pub is_handed_out: bool,
}

pub(super) struct Source {
    pub path: PathBuf,
    pub text: String,
    pub changed: SystemTime,
}

impl Program {
    pub(super) fn folder(&self) -> String {
        self.name.replace('/', " - ")
    }
}

/// Reads a submission's sources, without what was handed out.
pub(super) fn program(
    student: Student,
    class: String,
    is_own: bool,
    given: &Text,
) -> Result<Program> {
    let name = if is_own { student.name } else { format!("{class}/{}", student.name) };
    let digest = student.digest;
    let (mut text, mut sources) = (Text::default(), Vec::new());
    let player = student.player.ok();
    if let Some(PlayerKind::Files { directory: Some(directory), .. }) =
        player.as_ref().map(|player| &player.kind)
    {
        read_sources(directory, &mut |path, bytes, changed| {
            text.add(path, bytes);
            if source_extension(path).is_some() && !given.has_file(bytes) {
                sources.push(Source { path: path.to_owned(), text: source_text(bytes), changed });
            }
        })?;
    }
    let has_text = text.has_runs();
    text.remove(given);
    let is_handed_out = has_text && !text.has_runs();
    Ok(Program { name, class, digest, player, sources, text, is_own, is_handed_out })
}

/// Calls `add` with the path, the bytes and the last change of each readable file.
pub(super) fn read_sources(
    directory: &Path,
    add: &mut dyn FnMut(&Path, &[u8], SystemTime),
) -> Result<()> {
    let within = || format!("{}: cannot be listed", directory.display());
    for path in files(directory).with_context(within)? {
        let Ok(file) = File::open(directory.join(&path)) else { continue };
        let changed = file.metadata().and_then(|data| data.modified()).unwrap_or(UNIX_EPOCH);
        let mut bytes = Vec::new();
        if file.take(MOST_BYTES).read_to_end(&mut bytes).is_ok() {
            add(&path, &bytes, changed);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::{Commands, students};
    use testing::{Folder, folder, repository};

    #[test]
    fn a_program_with_nothing_but_the_starter_is_known_whatever_its_names_are() {
        let (place, starter) = (folder(), repository("starters/squirrels/python"));
        let text = starter.read("agent.py");
        place.write("class/renamed/agent.py", text.replace("board", "b"));
        place.write("class/own/agent.py", text + &"x = (x + 1) * 2\n".repeat(4));
        place.write("class/program/agent", "\x7fELF");
        let mut given = Text::default();
        read_sources(&starter, &mut |path, bytes, _| given.add(path, bytes)).unwrap();
        let commands = Commands { cmd: Some("sh agent".to_string()), own_commands: false };
        let game = (&games::all().leak()[0]).into();
        for student in students(&place.join("class"), &commands, &game).unwrap() {
            let program = program(student, "class".to_string(), true, &given).unwrap();
            assert_eq!(program.is_handed_out, program.name == "renamed", "{}", program.name);
        }
    }
}
