//! The file of findings: a JSON line for each move, appended as they come and sorted in the end.

use anyhow::{Context, Result, bail};
use arena::analysis::finding::{Effort, Finding};
use arena::record::{MoveRecord, Recorder};
use engine::agent::files::write_atomically;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// The game's number.
    pub game: u32,
    /// The number of the move, from 0 at the opening's position.
    pub ply: u32,
    /// The word for the side that played.
    pub side: String,
    /// The move as an output file.
    #[serde(rename = "move")]
    pub mv: String,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
}

impl Line {
    /// The line of a move.
    pub(crate) fn new(mv: &MoveRecord, finding: Finding) -> Line {
        Line { game: mv.game, ply: mv.ply, side: mv.side.clone(), mv: mv.output.clone(), finding }
    }
}

/// The lines that are known, and the file that they are kept in, if there is one.
pub(crate) struct Lines {
    effort: Effort,
    known: BTreeMap<(u32, u32), Line>,
    file: Option<(PathBuf, Recorder)>,
}

impl Lines {
    /// Opens a file, which may be there already, for findings of this effort. A last line that was not written in full is
    /// passed over.
    pub(crate) fn open(path: Option<&Path>, effort: Effort) -> Result<Lines> {
        let Some(path) = path else { return Ok(Lines { effort, known: BTreeMap::new(), file: None }) };
        let name = path.display();
        let create = OpenOptions::new().append(true).create(true).open(path);
        drop(create.with_context(|| format!("{name}: cannot be written"))?);
        let text = std::fs::read_to_string(path).with_context(|| format!("{name}: cannot be read"))?;
        let mut known = BTreeMap::new();
        for (text, number) in text.split_inclusive('\n').zip(1..) {
            match serde_json::from_str::<Line>(text) {
                Ok(line) => drop(known.insert((line.game, line.ply), line)),
                Err(error) if error.is_eof() => {}
                Err(error) => bail!("{name}:{number}: expected a line of findings: {error}"),
            }
        }
        let recorder = Recorder::resume(path)?;
        Ok(Lines { effort, known, file: Some((path.to_owned(), recorder)) })
    }

    /// What the file says of a move; an error if it is about another game or was found with another effort.
    pub(crate) fn take(&mut self, game: u32, mv: &MoveRecord) -> Result<Option<Finding>> {
        let Some(line) = self.known.get(&(game, mv.ply)) else { return Ok(None) };
        let name = self.file.as_ref().map_or(String::new(), |(path, _)| path.display().to_string());
        if line.mv != mv.output || line.side != mv.side {
            bail!("{name}: game {game}, ply {}: these findings are about another record; give another file", mv.ply);
        }
        if line.finding.effort != self.effort {
            let there = line.finding.effort;
            bail!("{name}: its findings took {there} a position, not {}; give another file", self.effort);
        }
        Ok(Some(line.finding.clone()))
    }

    /// Keeps a line.
    pub(crate) fn keep(&mut self, line: Line) -> Result<()> {
        let at = (line.game, line.ply);
        if self.known.contains_key(&at) {
            return Ok(());
        }
        if let Some((_, recorder)) = &mut self.file {
            recorder.append(&line)?;
        }
        self.known.insert(at, line);
        Ok(())
    }

    /// Puts the lines of the file in order.
    pub(crate) fn finish(self) -> Result<()> {
        let Some((path, _)) = self.file else { return Ok(()) };
        let lines: Result<Vec<String>, _> = self.known.values().map(serde_json::to_string).collect();
        let text: String = lines?.into_iter().map(|line| line + "\n").collect();
        write_atomically(&path, &text).with_context(|| format!("{}: cannot be written", path.display()))
    }
}
