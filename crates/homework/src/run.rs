//! A program on a case.

use crate::case::{Case, CaseResult, Files};
use crate::cases::files;
use crate::homework::Homework;
use crate::right::{Difference, Right, is_utf16};
use anyhow::{Context, Result};
use arena::plain;
use arena::player::blame::{Blame, NoTurn};
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::player::untrusted_file::Unreadable;
use arena::terms::Bounds;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a judgement says of an answer that a program has left.
#[derive(Default)]
struct Verdict {
    score: f64,
    wrong: Option<String>,
    remark: String,
    marked: Option<(String, usize)>,
    unjudged: Option<String>,
}

impl Verdict {
    fn wrong(why: String) -> Verdict {
        Verdict { wrong: Some(why), ..Verdict::default() }
    }
}

impl Homework {
    /// Runs a program on a case, and judges what it leaves. `clock` is the time of a case that names
    /// none.
    ///
    /// # Errors
    /// The machine fails, or a file of the case cannot be read.
    pub fn run(
        &self,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<CaseResult> {
        let clock = case.time.map_or(clock, Duration::from_secs_f64);
        let name = case.name.clone();
        let (player, run) = match self.start(case, program, bounds, clock) {
            Ok(ran) => ran,
            Err(error) => {
                let no_turn = error.downcast_ref::<NoTurn>();
                if no_turn.is_none_or(|no_turn| no_turn.blame != Blame::Player) {
                    return Err(error);
                }
                let wrong = Some(plain::shown(&format!("{error:#}")));
                let fault = wrong.clone();
                return Ok(CaseResult {
                    name,
                    wrong,
                    fault,
                    unanswered: true,
                    ..CaseResult::default()
                });
            }
        };
        let CaseRun { cpu, lost, timed_out, fault, said, .. } = run;
        let late = (cpu > clock.as_secs_f64())
            .then(|| format!("{cpu:.2} s of CPU, more than {:.2} s", clock.as_secs_f64()));
        let used_up = late.is_some() || timed_out;
        let mut result = CaseResult {
            name,
            cpu,
            unanswered: late.is_some() || lost,
            used_up,
            said,
            fault: fault.clone(),
            ..CaseResult::default()
        };
        let is_lost = lost || self.standard && fault.is_some();
        result.wrong = late.or_else(|| {
            let (left, missing) = self.left(case, &player, bounds);
            let verdict = match &missing {
                Some(why) if matches!(self.right, Right::Checked(_)) => Verdict::wrong(why.clone()),
                _ if self.standard && fault.is_some() => Verdict::default(),
                _ => self.judge(case, &left),
            };
            let wrong = verdict.wrong.or_else(|| {
                result.unanswered |= missing.is_some();
                missing
            });
            (result.remark, result.marked) = (verdict.remark, verdict.marked);
            (result.unjudged, result.score) = (verdict.unjudged, verdict.score);
            match (wrong, &fault) {
                (None, Some(fault)) if is_lost => Some(fault.clone()),
                (Some(wrong), Some(fault)) => Some(format!("{wrong} ({fault})")),
                (wrong, _) => wrong,
            }
        });
        if result.unanswered || is_lost {
            (result.score, result.unjudged) = (0.0, None);
        }
        Ok(result)
    }

    /// Judges what somebody has left for a case, without a run.
    ///
    /// # Errors
    /// The checker has failed.
    pub fn judge_files(&self, case: &Case, left: &Files) -> Result<CaseResult> {
        let Verdict { score, wrong, remark, marked, unjudged } = self.judge(case, left);
        match unjudged {
            Some(why) => Err(anyhow::anyhow!("the checker: {why}")),
            None => {
                let name = case.name.clone();
                Ok(CaseResult { name, score, wrong, remark, marked, ..CaseResult::default() })
            }
        }
    }

    fn start(
        &self,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<(CasePlayer, CaseRun)> {
        let input = case.finds.first().map_or("input.txt", |(name, _)| name);
        let mut player = CasePlayer::new(program, self.files, bounds)?;
        for (name, path) in &case.finds {
            player.lay(name, Some(read(path)?));
        }
        if !self.is_plain {
            for name in self.leaves.iter().filter(|name| *name != input) {
                player.lay(name, None);
            }
        }
        if self.standard {
            let output = self.leaves.first().map_or("output.txt", String::as_str);
            player.start_by(format!("exec \"$0\" \"$@\" < {input} > {output}"));
        }
        let run = player.run("", clock)?;
        Ok((player, run))
    }

    /// Returns the files that a program has left, up to the first that cannot be read, and why that
    /// cannot be.
    fn left(&self, case: &Case, player: &CasePlayer, bounds: &Bounds) -> (Files, Option<String>) {
        let names: Vec<(&str, &Path, u64)> = match &self.right {
            Right::Checked(_) => {
                let limit = bounds.file_mib << 20;
                self.leaves.iter().map(|name| (name.as_str(), Path::new(name), limit)).collect()
            }
            // A file that is longer than this differs in any case.
            Right::Compared(_) => {
                let longest = |paths: &[PathBuf]| {
                    paths
                        .iter()
                        .filter_map(|path| fs::metadata(path).ok())
                        .map(|data| data.len())
                        .max()
                };
                let limit = |paths: &[PathBuf]| 2 * longest(paths).unwrap_or_default() + 1024;
                let mut names = Vec::new();
                for (name, paths) in &case.expected {
                    // The name of a plain case's file may be no text.
                    let kept = paths.first().and_then(|path| path.file_name());
                    let path = kept.filter(|_| self.is_plain).map_or(Path::new(name), Path::new);
                    names.push((name.as_str(), path, limit(paths)));
                }
                names
            }
        };
        let mut left = Files::new();
        for (name, path, limit) in names {
            let shown = plain::shown(name);
            let why = match player.read(path, limit) {
                Ok(bytes) if self.is_plain || !is_utf16(&bytes) => {
                    left.push((name.to_string(), bytes));
                    continue;
                }
                Ok(_) => "is UTF-16, expected UTF-8".to_string(),
                Err(Unreadable::Missing) => "is missing".to_string(),
                Err(Unreadable::Other(why)) => why,
            };
            return (left, Some(format!("{shown} {why}")));
        }
        (left, None)
    }

    fn judge(&self, case: &Case, left: &Files) -> Verdict {
        match &self.right {
            Right::Compared(_) => match self.difference(case, left) {
                Ok(None) => Verdict { score: 1.0, ..Verdict::default() },
                Ok(Some(Difference { words, without_expected, marked })) => {
                    let words = if case.is_secret { without_expected } else { words };
                    Verdict { wrong: Some(words), marked, ..Verdict::default() }
                }
                Err(error) => {
                    Verdict { unjudged: Some(format!("{error:#}")), ..Verdict::default() }
                }
            },
            Right::Checked(checker) => match checker.judge(case, left) {
                Ok(judgement) => {
                    let words = match judgement.words.is_empty() {
                        true => "the checker refuses it".to_string(),
                        false => judgement.words.clone(),
                    };
                    Verdict {
                        score: judgement.score,
                        wrong: (!judgement.is_right).then_some(words),
                        remark: if judgement.is_right { judgement.words } else { String::new() },
                        ..Verdict::default()
                    }
                }
                Err(error) => Verdict {
                    unjudged: Some(plain::shown(&format!("{error:#}"))),
                    ..Verdict::default()
                },
            },
        }
    }

    /// Returns the first difference of files from the expected ones; of several that are accepted,
    /// from the first.
    fn difference(&self, case: &Case, left: &Files) -> Result<Option<Difference>> {
        let Right::Compared(compared) = &self.right else { return Ok(None) };
        for (name, paths) in &case.expected {
            let shown = plain::shown(name);
            let Some((_, found)) = left.iter().find(|(other, _)| other == name) else {
                continue;
            };
            let mut first = None;
            let mut is_right = false;
            for path in paths {
                match compared.difference(&shown, &read(path)?, found) {
                    None => is_right = true,
                    Some(difference) => first = first.or(Some(difference)),
                }
            }
            if !is_right {
                let mut difference = first;
                if let Some(difference) = difference.as_mut().filter(|_| paths.len() > 1) {
                    difference.words += &format!(" (the first of {} accepted files)", paths.len());
                }
                return Ok(difference);
            }
        }
        Ok(None)
    }

    /// Returns the names of all files that programs shall leave.
    pub fn left_names(&self) -> BTreeSet<String> {
        let expected = self.cases.iter().flat_map(|case| &case.expected).map(|(name, _)| name);
        self.leaves.iter().chain(expected).cloned().collect()
    }

    /// Returns a text that changes with the names and contents of the homework's files, without the
    /// staff's own solutions.
    pub fn contents(&self) -> Result<String> {
        let mut all = String::new();
        let mut add = |path: &Path| -> Result<()> {
            all += &format!("{}\0{}\0", path.display(), String::from_utf8_lossy(&read(path)?));
            Ok(())
        };
        if self.is_plain {
            for case in &self.cases {
                let expected = case.expected.iter().flat_map(|(_, paths)| paths);
                let found = case.finds.iter().map(|(_, path)| path);
                expected.chain(found).try_for_each(|path| add(path))?;
            }
        } else {
            let files = files(&self.folder)?;
            let counts = files.iter().filter(|path| !path.starts_with("submissions/"));
            counts.map(|path| self.folder.join(path)).try_for_each(|path| add(&path))?;
        }
        Ok(all)
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
}
