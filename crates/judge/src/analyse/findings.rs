//! The file of findings of `judge analyse --json`: one JSON line for each move, in the order of the
//! analysis while it runs, and in the order of the games at its end.

use anyhow::{Result, bail};
use arena::analysis::finding::{Effort, Finding};
use arena::record::{MoveRecord, Recorder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use terminal::output::write_file;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct FindingLine {
    /// The game's number.
    pub game: u32,
    /// The number of the move, from 0 after the opening.
    pub ply: u32,
    /// The name of the side that played the move.
    pub side: String,
    /// The move in the format of an output file.
    #[serde(rename = "move")]
    pub mv: String,
    #[serde(flatten)]
    pub finding: Finding,
}

impl FindingLine {
    pub(crate) fn new(mv: &MoveRecord, finding: Finding) -> FindingLine {
        let MoveRecord { game, ply, side, output, .. } = mv;
        FindingLine { game: *game, ply: *ply, side: side.clone(), mv: output.clone(), finding }
    }
}

/// The findings of an analysis, which are kept in a file if one is given.
pub(crate) struct FindingsFile {
    effort: Effort,
    /// The lines by game and ply.
    known: BTreeMap<(u32, u32), FindingLine>,
    file: Option<(PathBuf, Recorder)>,
}

impl FindingsFile {
    /// Opens or creates a file for findings of this effort. An incomplete last line is ignored.
    pub(crate) fn open(path: Option<&Path>, effort: Effort) -> Result<FindingsFile> {
        let Some(path) = path else {
            return Ok(FindingsFile { effort, known: BTreeMap::new(), file: None });
        };
        let (lines, recorder) = Recorder::reopen::<FindingLine>(path, "a line of findings")?;
        let known = lines.into_iter().map(|line| ((line.game, line.ply), line)).collect();
        Ok(FindingsFile { effort, known, file: Some((path.to_owned(), recorder)) })
    }

    /// Returns the finding about a move, if the file has one; `serves` says whether its effort is
    /// good enough.
    ///
    /// # Errors
    /// The line in the file is about another move, or has another effort.
    pub(crate) fn finding(
        &mut self,
        game: u32,
        mv: &MoveRecord,
        serves: impl Fn(Effort) -> bool,
    ) -> Result<Option<Finding>> {
        let Some(line) = self.known.get(&(game, mv.ply)) else { return Ok(None) };
        let name = self.file.as_ref().map_or(String::new(), |(path, _)| path.display().to_string());
        if line.mv != mv.output || line.side != mv.side {
            bail!(
                "{name}: game {game}, ply {}: these findings are about another record; give another file",
                mv.ply + 1
            );
        }
        let found = line.finding.effort;
        if !serves(found) {
            let same = match found {
                Effort::Nodes(nodes) => format!("--nodes {nodes}"),
                Effort::Time(seconds) => format!("--time {seconds}"),
            };
            bail!(
                "{name}: its findings took {found} a position, not {}; give another file, or {same}",
                self.effort
            );
        }
        Ok(Some(line.finding.clone()))
    }

    pub(crate) fn keep(&mut self, line: FindingLine) -> Result<()> {
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

    pub(crate) fn finish(self) -> Result<()> {
        let Some((path, _)) = self.file else { return Ok(()) };
        let lines: Result<Vec<String>, _> =
            self.known.values().map(serde_json::to_string).collect();
        let text: String = lines?.into_iter().map(|line| line + "\n").collect();
        write_file(&path, &text)
    }
}
