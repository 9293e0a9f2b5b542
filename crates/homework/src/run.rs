//! A program on a case.

use crate::case::{Case, CaseFile, CaseResult, Files, read};
use crate::cases::files;
use crate::checker::{Judgement, quoted};
use crate::homework::Homework;
use crate::right::{Compared, Difference, Right, is_utf16};
use anyhow::{Result, bail};
use arena::digest::Digest;
use arena::plain;
use arena::player::blame::{Blame, NoTurn};
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::player::untrusted_file::Unreadable;
use arena::terms::Bounds;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

impl Homework {
    /// Runs a program on a case, and judges what it leaves. `clock` is the time of a case that
    /// names none. Errors: the machine fails, or a file of the case cannot be read.
    pub(crate) fn run(
        &self,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<CaseResult> {
        let clock = case.time.map_or(clock, Duration::from_secs_f64);
        let name = case.name.clone();
        let ran = match &self.right {
            Right::Talks(checker) => self.talk(checker, case, program, bounds, clock),
            _ => self.run_and_judge(case, program, bounds, clock),
        };
        match ran {
            Ok(result) => Ok(CaseResult { name, ..result }),
            Err(error) => {
                let no_turn = error.downcast_ref::<NoTurn>();
                if no_turn.is_none_or(|no_turn| no_turn.blame != Blame::Player) {
                    return Err(error);
                }
                let wrong = Some(plain::shown(&format!("{error:#}")));
                let (fault, unanswered) = (wrong.clone(), true);
                Ok(CaseResult { name, wrong, fault, unanswered, ..CaseResult::default() })
            }
        }
    }

    /// The result has no name.
    fn run_and_judge(
        &self,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<CaseResult> {
        let (player, run) = self.start(case, program, bounds, clock)?;
        let CaseRun { cpu, wall, memory, lost, timed_out, fault, said, .. } = run;
        let (seconds, has_failed) = (clock.as_secs_f64(), self.standard && fault.is_some());
        let (is_late, is_lost) = (cpu > seconds, lost || has_failed);
        let used_up = is_late || timed_out;
        let mut result = CaseResult::default();
        if is_late {
            result.wrong = Some(too_late(cpu, seconds));
        } else {
            let (left, missing);
            (left, missing, result.too_long) = self.left(case, &player);
            let too_long = result.too_long;
            if !(has_failed || self.has_checker() && missing.is_some()) {
                result = CaseResult { too_long, ..self.judge(case, &left) };
            }
            result.unanswered = result.wrong.is_none() && missing.is_some();
            result.wrong = match (result.wrong.or(missing), &fault) {
                (None, Some(fault)) if is_lost => Some(fault.clone()),
                (Some(wrong), Some(fault)) => Some(format!("{wrong} ({fault})")),
                (wrong, _) => wrong,
            };
        }
        if let Some(wrong) = &mut result.wrong {
            *wrong += &self.unread(case, program.home, &player);
        }
        result.unanswered |= is_late || lost;
        if result.unanswered || is_lost {
            (result.score, result.unjudged) = (0.0, None);
        }
        Ok(CaseResult { cpu, wall, memory, used_up, said, fault, ..result })
    }

    /// Judges files for a case, without a run. An error is the checker's.
    pub fn judge_files(&self, case: &Case, left: &Files) -> Result<CaseResult> {
        let is_too_long = |(_, bytes): &&(_, Vec<u8>)| bytes.len() as u64 > self.output_limit;
        if let Some((name, _)) = left.iter().find(is_too_long) {
            let (name, wrong) = (case.name.clone(), Some(self.too_long(name)));
            let (too_long, unanswered) = (true, true);
            return Ok(CaseResult { name, wrong, too_long, unanswered, ..CaseResult::default() });
        }
        let result = self.judge(case, left);
        if let Some(why) = result.unjudged {
            bail!("the checker: {why}");
        }
        Ok(CaseResult { name: case.name.clone(), ..result })
    }

    fn start(
        &self,
        case: &Case,
        program: &Program,
        bounds: &Bounds,
        clock: Duration,
    ) -> Result<(CasePlayer, CaseRun)> {
        let input = case.finds.first().map_or("input.txt", |(name, _)| name);
        let mut player = self.player(program, bounds)?;
        for (name, file) in &case.finds {
            player.lay(name, Some(file.read()?));
        }
        if !self.is_plain() {
            for name in self.leaves.iter().filter(|name| *name != input) {
                player.lay(name, None);
            }
        }
        if self.standard {
            let output = self.leaves.first().map_or("output.txt", String::as_str);
            let more = quoted(&case.arguments);
            player.start_by(format!("exec \"$0\" \"$@\"{more} < {input} > {output}"));
        }
        let run = player.run("", clock)?;
        Ok((player, run))
    }

    /// The program in a directory without the files of a case.
    pub(crate) fn player(&self, program: &Program, bounds: &Bounds) -> Result<CasePlayer> {
        let mut bounds = bounds.clone();
        bounds.file_mib = bounds.file_mib.max(1 + (self.output_limit >> 20));
        bounds.memory_mib = self.memory_limit.unwrap_or(bounds.memory_mib);
        CasePlayer::new(program, self.interface.files, &bounds)
    }

    /// The files that a program has left, up to the first that cannot be read, why that cannot be,
    /// and whether its length is the reason.
    fn left(&self, case: &Case, player: &CasePlayer) -> (Files, Option<String>, bool) {
        let checked = self.leaves.iter().filter(|_| self.has_checker());
        let checked = checked.map(|name| (name, Path::new(name)));
        let compared = case.expected.iter().filter(|_| !self.has_checker());
        let compared = compared.map(|(name, files)| {
            // The name of a plain case's file may be no text.
            let kept = files.first().and_then(|file| file.path.file_name());
            (name, kept.filter(|_| self.is_plain()).map_or(Path::new(name), Path::new))
        });
        let mut left = Files::new();
        for (name, path) in checked.chain(compared) {
            let shown = plain::shown(name);
            let why = match player.read(path, self.output_limit) {
                Ok(bytes) => {
                    left.push((name.to_string(), bytes));
                    continue;
                }
                Err(Unreadable::Missing) => {
                    let is_alike = |other: &&String| other.eq_ignore_ascii_case(name);
                    let others = player.files();
                    let other = others.iter().find(is_alike).map(|other| plain::shown(other));
                    let alike = |other| format!(", and {other} is another name");
                    format!("{shown} is missing{}", other.map_or(String::new(), alike))
                }
                Err(Unreadable::TooLong(_)) => return (left, Some(self.too_long(name)), true),
                Err(Unreadable::Other(why)) => format!("{shown} {why}"),
            };
            return (left, Some(why), false);
        }
        (left, None, false)
    }

    pub(crate) fn too_long(&self, name: &str) -> String {
        let mib = self.output_limit >> 20;
        format!("{} is longer than the output limit of {mib} MiB", plain::shown(name))
    }

    /// The result has no name, and nothing of a run.
    fn judge(&self, case: &Case, left: &Files) -> CaseResult {
        let mut result = CaseResult::default();
        let own = case.compared.map(|index| &self.compared[index]);
        match &self.right {
            Right::Compared(usual) => match difference(own.unwrap_or(usual), case, left) {
                Ok(None) => result.score = 1.0,
                Ok(Some(Difference { words, without_expected, marked })) => {
                    result.wrong = Some(if case.is_secret { without_expected } else { words });
                    result.marked = marked;
                }
                Err(error) => result.unjudged = Some(format!("{error:#}")),
            },
            Right::Checked(checker) => {
                let staying = self.staying.judge(checker, case, left).transpose();
                result = judged(staying.unwrap_or_else(|| checker.judge(case, left)));
            }
            Right::Talks(_) => {
                let why = "it talks with the program, which leaves no file to be judged";
                result.unjudged = Some(why.to_string());
            }
        }
        result.is_blank = left.iter().all(|(_, bytes)| bytes.trim_ascii().is_empty());
        if let Some(wrong) = &mut result.wrong {
            let is_wide = |(_, bytes): &&(_, Vec<u8>)| is_utf16(bytes);
            let is_expected = |file: &CaseFile| file.read().is_ok_and(|bytes| is_utf16(&bytes));
            let mut expected = case.expected.iter().flat_map(|(_, files)| files);
            if let Some((name, _)) = left.iter().find(is_wide)
                && !expected.any(is_expected)
            {
                *wrong += &format!(" ({} is UTF-16, expected UTF-8)", plain::shown(name));
            }
        }
        result
    }

    /// Whether a checker decides, and not a comparison.
    pub fn has_checker(&self) -> bool {
        matches!(self.right, Right::Checked(_))
    }

    /// The names of all files that programs shall leave.
    pub fn left_names(&self) -> BTreeSet<String> {
        let expected = self.cases.iter().flat_map(|case| &case.expected).map(|(name, _)| name);
        self.leaves.iter().chain(expected).cloned().collect()
    }

    /// The paths of the homework's files, without the staff's solutions.
    pub fn paths(&self) -> Result<Vec<String>> {
        let mut paths = files(&self.folder)?;
        paths.retain(|path| !path.starts_with("submissions/"));
        Ok(paths)
    }

    /// The digest of what decides about the results of programs, such as the files of cases and of
    /// the checker, and the digest of that with the points. `terms` are those of the run.
    pub fn digests(&self, terms: &str) -> Result<[String; 2]> {
        let (mut digest, all) = (Digest::of(terms), self.time_of_all.unwrap_or(f64::INFINITY));
        let limits = format!("{all} {} {} {}", self.output_limit, self.standard, self.is_plain());
        digest.part("limits", limits);
        self.memory_limit.iter().for_each(|mib| digest.part("memory", mib.to_string()));
        self.leaves.iter().for_each(|name| digest.part("leaves", name));
        if self.is_package() {
            self.add_included(&mut digest)?;
        }
        match &self.right {
            Right::Compared(compared) => digest.part("right", serde_json::to_vec(compared)?),
            Right::Checked(checker) => checker.add_to(&mut digest)?,
            Right::Talks(checker) => {
                digest.part("right", "talks");
                checker.add_to(&mut digest)?;
            }
        }
        for case in &self.cases {
            let Case { name, finds, expected, beside, time, is_secret, .. } = case;
            digest.part(name, format!("{} {is_secret}", time.unwrap_or_default()));
            for (kind, files) in [("finds", finds), ("beside", beside)] {
                for (name, file) in files {
                    digest.part(format!("{kind} {name}"), file.read()?);
                }
            }
            if self.package.is_some() {
                let compared = case.compared.map(|index| &self.compared[index]);
                let own = (&case.arguments, &case.of_checker, compared, &case.scores);
                digest.part("settings", serde_json::to_vec(&own)?);
            }
            for (name, files) in expected {
                for file in files {
                    digest.part(format!("expected {name}"), file.read()?);
                }
            }
        }
        let of_results = digest.text();
        let mut digest = Digest::of(&of_results);
        for case in &self.cases {
            digest.part("case", serde_json::to_vec(&(case.points, case.group))?);
        }
        for group in &self.groups {
            digest.part("group", serde_json::to_vec(&(group.points, group.count))?);
        }
        Ok([of_results, digest.text()])
    }

    /// Bytes that change with the names and contents of these files: each with its length before it.
    pub fn contents(&self) -> Result<Vec<u8>> {
        let mut paths = Vec::new();
        if self.is_plain() {
            for case in &self.cases {
                let expected = case.expected.iter().flat_map(|(_, files)| files);
                let found = case.finds.iter().map(|(_, file)| file);
                paths.extend(expected.chain(found).map(|file| file.path.clone()));
            }
        } else {
            paths.extend(self.paths()?.iter().map(|path| self.folder.join(path)));
        }
        let mut contents = Vec::new();
        for path in paths {
            for part in [path.as_os_str().as_encoded_bytes(), &read(&path)?] {
                contents.extend(part.len().to_le_bytes());
                contents.extend(part);
            }
        }
        Ok(contents)
    }
}

/// The result that the checker gives, without what is of a run.
pub(crate) fn judged(judgement: Result<Judgement>) -> CaseResult {
    let mut result = CaseResult::default();
    match judgement {
        Ok(Judgement { score, is_right, words, for_teacher }) => {
            (result.score, result.for_teacher) = (score, for_teacher);
            if is_right {
                result.remark = words;
            } else {
                let why = "the checker refuses it".to_string();
                result.wrong = Some(if words.is_empty() { why } else { words });
            }
        }
        Err(error) => result.unjudged = Some(plain::shown(&format!("{error:#}"))),
    }
    result
}

pub(crate) fn too_late(cpu: f64, seconds: f64) -> String {
    format!("{cpu:.2} s of CPU, more than {seconds:.2} s")
}

/// The first difference; of several accepted files, from the first.
fn difference(compared: &Compared, case: &Case, left: &Files) -> Result<Option<Difference>> {
    for (name, accepted) in &case.expected {
        let shown = plain::shown(name);
        let Some((_, found)) = left.iter().find(|(other, _)| other == name) else {
            continue;
        };
        let differs = |file: &CaseFile| Ok(compared.difference(&shown, &file.read()?, found));
        let differences = accepted.iter().map(differs).collect::<Result<Option<Vec<_>>>>()?;
        if let Some(mut first) = differences.and_then(|all| all.into_iter().next()) {
            if let count @ 2.. = accepted.len() {
                first.words += &format!(" (the first of {count} accepted files)");
            }
            return Ok(Some(first));
        }
    }
    Ok(None)
}
