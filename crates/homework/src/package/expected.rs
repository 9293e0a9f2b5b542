//! What the authors of a package say that the programs in `submissions` get.

use super::cases::path_of;
use super::yaml::Yaml;
use crate::case::{Case, CaseResult};
use crate::case_runs::CaseRuns;
use crate::cases::files;
use crate::homework::Homework;
use anyhow::{Result, bail};
use arena::plain;
use std::path::{Path, PathBuf};

const FILE: &str = "submissions/submissions.yaml";
/// Of a rule of `submissions.yaml`; any other key names cases.
const KEYS: &str = "language entrypoint authors model_solution permitted required score \
    message use_for_time_limit";

/// A verdict on a case, or on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// The answer is right.
    Accepted,
    /// The answer is wrong.
    WrongAnswer,
    /// The answer is wrong, and nothing but white space.
    NoOutput,
    /// The program used up its time.
    TimeLimit,
    /// The program crashed.
    RunTimeError,
    /// The output is too long.
    OutputLimit,
    /// The program cannot be built.
    CompilerError,
}

use Found::{Accepted, CompilerError, NoOutput, OutputLimit, RunTimeError, TimeLimit, WrongAnswer};

impl Found {
    /// The verdict of this name in `submissions.yaml` or in a source.
    fn named(word: &str) -> Option<Found> {
        Some(match word.to_uppercase().replace('_', "-").as_str() {
            "AC" | "CORRECT" | "ACCEPTED" => Accepted,
            "WA" | "WRONG-ANSWER" => WrongAnswer,
            "TLE" | "TIMELIMIT" | "TIME-LIMIT-EXCEEDED" => TimeLimit,
            "RTE" | "RUN-ERROR" | "RUN-TIME-ERROR" | "MEMORY-LIMIT" => RunTimeError,
            "NO-OUTPUT" => NoOutput,
            "OLE" | "OUTPUT-LIMIT" => OutputLimit,
            "CE" | "COMPILER-ERROR" => CompilerError,
            _ => return None,
        })
    }

    /// The verdict on a case.
    pub fn of(result: &CaseResult) -> Found {
        match result {
            CaseResult { wrong: None, .. } => Accepted,
            CaseResult { used_up: true, .. } => TimeLimit,
            CaseResult { too_long: true, .. } => OutputLimit,
            CaseResult { fault: Some(_), .. } => RunTimeError,
            CaseResult { is_blank: true, .. } => NoOutput,
            _ => WrongAnswer,
        }
    }

    /// The verdict on a program: that of the first case that is not right.
    pub fn of_program(runs: &CaseRuns) -> Found {
        let mut all = runs.results.iter().map(Found::of);
        all.find(|found| *found != Accepted).unwrap_or(Accepted)
    }

    /// The name, in plain words.
    pub fn name(self) -> &'static str {
        match self {
            Accepted => "accepted",
            WrongAnswer => "wrong answer",
            NoOutput => "no output",
            TimeLimit => "too slow",
            RunTimeError => "run-time error",
            OutputLimit => "output too long",
            CompilerError => "compiler error",
        }
    }

    /// Where a format has no name for it, no output is a wrong answer, and too much of it is any
    /// verdict that refuses. What a language without a compiler refuses crashes.
    fn fits(self, said: Found) -> bool {
        self == said
            || matches!((self, said), (NoOutput, WrongAnswer) | (RunTimeError, CompilerError))
            || self == OutputLimit && matches!(said, RunTimeError | WrongAnswer | TimeLimit)
    }

    fn fits_one(self, said: &[Found]) -> bool {
        said.iter().any(|said| self.fits(*said))
    }
}

/// What the authors of a package say about its programs.
pub struct Expectations {
    is_new: bool,
    /// The rules of `submissions.yaml` by their patterns of programs.
    rules: Vec<(String, Yaml)>,
}

/// What authors say about one program.
#[derive(Debug, Default)]
pub struct Expected {
    rules: Vec<Rule>,
}

#[derive(Debug, Default)]
struct Rule {
    /// In plain words, for people.
    said: String,
    /// The pattern of cases and groups; all of them if it is empty.
    cases: String,
    /// What each case may get.
    permitted: Vec<Found>,
    /// What some case has to get.
    required: Vec<Found>,
    /// What the program may get, whatever its cases get beside that.
    overall: Vec<Found>,
    /// The least and the most points.
    points: Option<(f64, f64)>,
    /// Whether the program gets some points, and not all.
    is_partial: bool,
    /// A part of what the validator says to the teacher.
    message: String,
}

impl Expectations {
    /// Reads the `submissions.yaml` of a package; `None` for a homework that is no package.
    pub fn read(homework: &Homework) -> Result<Option<Expectations>> {
        let Some(package) = &homework.package else { return Ok(None) };
        let path = homework.folder.join(FILE);
        let mut rules = Vec::new();
        if path.is_file() {
            rules = Yaml::read(&path)?.entries().to_vec();
        }
        Ok(Some(Expectations { is_new: package.is_new, rules }))
    }

    /// What is said about a program: its path in `submissions`, and its files' texts.
    pub fn of(&self, path: &str, sources: &[String]) -> Result<Expected> {
        let folder = path.split('/').next().unwrap_or(path);
        let (mut rules, mut replaced) = (Vec::new(), None);
        for (pattern, rule) in &self.rules {
            let is_default = pattern == folder && usual(folder, true).is_some();
            if is_default {
                replaced = Some(rule);
            } else if fits(pattern, path) {
                rules.extend(self.rules_of(rule, Rule::default())?);
            }
        }
        let tag = |name: &str| sources.iter().find_map(|source| tagged(source, name));
        let standard = usual(folder, self.is_new).map(|rule| Rule { said: folder.into(), ..rule });
        match (standard, tag("@EXPECTED_RESULTS@:")) {
            (Some(standard), _) => match replaced {
                Some(rule) => rules.extend(self.rules_of(rule, standard)?),
                None => rules.push(standard),
            },
            (None, Some(names)) => rules.extend(of_names(names)?),
            (None, None) => {}
        }
        if let Some(text) = tag("@EXPECTED_SCORE@:") {
            if let Some(score) = text.parse().ok().filter(|score: &f64| score.is_finite()) {
                // As far as its digits tell.
                let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
                let near = 0.5 * 0.1_f64.powf(digits as f64) + 1e-9;
                let points = Some((score - near, score + near));
                rules.push(Rule { said: format!("{text} points"), points, ..Rule::default() });
            } else {
                // DOMjudge takes verdicts by this name, too.
                rules.extend(of_names(text)?);
            }
        }
        Ok(Expected { rules })
    }

    fn rules_of(&self, yaml: &Yaml, standard: Rule) -> Result<Vec<Rule>> {
        let mut rules = vec![rule_of(yaml, standard)?];
        for (cases, below) in yaml.entries() {
            if KEYS.split(' ').all(|key| key != cases) {
                below.map_of(KEYS)?;
                let rule = Rule { cases: cases.clone(), ..Rule::default() };
                rules.push(rule_of(below, rule)?);
            }
        }
        Ok(rules)
    }
}

/// A rule of `submissions.yaml`, whose keys replace those of another one.
fn rule_of(yaml: &Yaml, mut rule: Rule) -> Result<Rule> {
    let verdicts = |key: &str| -> Result<Option<Vec<Found>>> {
        let Some(value) = yaml.get(key) else { return Ok(None) };
        let one = |word: &String| {
            let words = || format!("{key}: the verdict '{}' is unknown", plain::shown(word));
            Found::named(word).ok_or_else(|| value.error(words()))
        };
        value.words()?.iter().map(one).collect::<Result<_>>().map(Some)
    };
    let mut said = Vec::new();
    for (key, list) in [("permitted", &mut rule.permitted), ("required", &mut rule.required)] {
        if let Some(found) = verdicts(key)? {
            *list = found;
            said.push(format!("{key} {}", names_of(list)));
        }
    }
    if let Some(score) = yaml.get("score") {
        let words = score.words()?;
        let numbers = words.iter().map(|word| word.parse::<f64>()).collect::<Result<Vec<_>, _>>();
        let (least, most) = match numbers.as_deref() {
            Ok([score]) => (*score, *score),
            Ok([least, most]) => (*least, *most),
            _ => return Err(score.error("score: expected one number, or two")),
        };
        rule.points = Some((least - 1e-6, most + 1e-6));
        said.push(format!("{} points", words.join(" to ")));
    }
    if let Some(message) = yaml.get("message") {
        rule.message = message.text()?.to_string();
        said.push(format!("the message '{}'", plain::shown(&rule.message)));
    }
    let cases = if rule.cases.is_empty() { String::new() } else { format!("{}: ", rule.cases) };
    if !said.is_empty() {
        let old = if rule.said.is_empty() { String::new() } else { format!("{}: ", rule.said) };
        rule.said = format!("{old}{cases}{}", said.join(", "));
    }
    Ok(rule)
}

/// The rule of a folder in `submissions`.
fn usual(folder: &str, is_new: bool) -> Option<Rule> {
    let all = [Accepted, WrongAnswer, TimeLimit, RunTimeError];
    let (permitted, required) = match (folder, is_new) {
        ("accepted", _) => (vec![Accepted], vec![]),
        ("rejected", _) => (all.to_vec(), vec![WrongAnswer, TimeLimit, RunTimeError]),
        ("wrong_answer", _) => (vec![Accepted, WrongAnswer], vec![WrongAnswer]),
        ("time_limit_exceeded", true) => (vec![Accepted, TimeLimit], vec![TimeLimit]),
        ("time_limit_exceeded", false) => (vec![Accepted, WrongAnswer, TimeLimit], vec![TimeLimit]),
        ("run_time_error", true) => (vec![Accepted, RunTimeError], vec![RunTimeError]),
        ("run_time_error", false) => (all.to_vec(), vec![RunTimeError]),
        ("brute_force", true) => {
            (vec![Accepted, TimeLimit, RunTimeError], vec![TimeLimit, RunTimeError])
        }
        ("partially_accepted", _) => (vec![], vec![]),
        _ => return None,
    };
    // Judges of older formats stop at the first case that is not right.
    let overall = if is_new { Vec::new() } else { required.clone() };
    let is_partial = folder == "partially_accepted";
    Some(Rule { permitted, required, overall, is_partial, ..Rule::default() })
}

/// What stands behind a tag in a source.
fn tagged<'s>(source: &'s str, tag: &str) -> Option<&'s str> {
    let (_, rest) = source.split_once(tag)?;
    let line = rest.lines().next()?.trim();
    Some(line.strip_suffix("*/").or(line.strip_suffix("-->")).unwrap_or(line).trim())
}

/// The rule of verdicts of which a program gets one; none if people decide.
fn of_names(names: &str) -> Result<Option<Rule>> {
    let mut overall = Vec::new();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match Found::named(name) {
            Some(found) => overall.push(found),
            None if name == "CHECK-MANUALLY" => return Ok(None),
            None => bail!("the verdict '{}' is unknown", plain::shown(name)),
        }
    }
    let said = names_of(&overall);
    Ok((!overall.is_empty()).then_some(Rule { said, overall, ..Rule::default() }))
}

fn names_of(found: &[Found]) -> String {
    found.iter().map(|found| found.name()).collect::<Vec<_>>().join(" or ")
}

impl Expected {
    /// In plain words; empty if nothing is said.
    pub fn said(&self) -> String {
        let said = self.rules.iter().map(|rule| rule.said.as_str());
        said.filter(|said| !said.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// Whether the authors say that it cannot be built.
    pub fn takes_compiler_error(&self) -> bool {
        self.rules.iter().any(|rule| rule.overall.contains(&CompilerError))
    }

    /// What differs from what the authors say, if something does.
    pub fn difference(&self, homework: &Homework, runs: &CaseRuns) -> Option<String> {
        self.rules.iter().find_map(|rule| rule.difference(homework, runs))
    }
}

impl Rule {
    fn difference(&self, homework: &Homework, runs: &CaseRuns) -> Option<String> {
        let data = homework.folder.join("data");
        let is_in = |case: &Case| self.cases.is_empty() || fits(&self.cases, path_of(&data, case));
        let cases = homework.cases.iter().zip(&runs.results).filter(|(case, _)| is_in(case));
        let cases: Vec<_> = cases.map(|(case, result)| (case, result, Found::of(result))).collect();
        if cases.is_empty() {
            return Some(format!("no case fits {}", plain::shown(&self.cases)));
        }
        let found = Found::of_program(runs);
        if !found.fits_one(&self.overall) {
            let is_overall = !self.overall.is_empty() && self.permitted.is_empty();
            let overall = || is_overall.then(|| format!("it gets {}", found.name()));
            if let Some(words) = self.cases_differ(&cases).or_else(overall) {
                return Some(words);
            }
        }
        let points = homework.points(&runs.results);
        let mut got = points.points;
        if let Some(name) = self.cases.strip_prefix("secret/") {
            let at = homework.groups.iter().position(|group| group.name == name.replace('/', "-"));
            got = at.map_or(got, |at| points.groups[at]);
        }
        let shown = crate::points::number(got);
        if self.points.is_some_and(|(least, most)| !(least..=most).contains(&got)) {
            return Some(format!("it gets {shown} points"));
        }
        if self.is_partial && !(0.0 < got && got < points.most) {
            return Some(format!("it gets {shown} points, and no part of them"));
        }
        let says = |result: &CaseResult| result.for_teacher.contains(&self.message);
        if !self.message.is_empty() && !cases.iter().any(|(_, result, _)| says(result)) {
            let message = plain::shown(&self.message);
            return Some(format!("the validator says '{message}' of no case"));
        }
        None
    }

    /// What differs from the verdicts that cases may have.
    fn cases_differ(&self, cases: &[(&Case, &CaseResult, Found)]) -> Option<String> {
        let refused = cases
            .iter()
            .find(|(_, _, found)| !self.permitted.is_empty() && !found.fits_one(&self.permitted));
        if let Some((case, result, found)) = refused {
            let why = result.wrong.as_ref().map_or(String::new(), |wrong| format!(": {wrong}"));
            return Some(format!("case {} gets {}{why}", case.name, found.name()));
        }
        let is_there = cases.iter().any(|(_, _, found)| found.fits_one(&self.required));
        let words = || format!("no case gets {}", names_of(&self.required));
        (!self.required.is_empty() && !is_there).then(words)
    }
}

/// Whether a pattern fits a path or a folder above it: `*` is any text without `/`, and `{a,b}`
/// either.
fn fits(pattern: &str, path: &str) -> bool {
    let mut above = path.match_indices('/').map(|(at, _)| &path[..at]).chain([path]);
    above.any(|part| fits_whole(pattern, part))
}

fn fits_whole(pattern: &str, text: &str) -> bool {
    let Some((before, list, after)) = pattern.split_once('{').and_then(|(before, rest)| {
        let (list, after) = rest.split_once('}')?;
        Some((before, list, after))
    }) else {
        return crate::pattern::fits(pattern, text);
    };
    list.split(',').any(|one| fits_whole(&format!("{before}{}{after}", one.trim()), text))
}

/// The files of a program, which is a file or a folder.
pub fn program_files(program: &Path) -> Result<Vec<PathBuf>> {
    if program.is_file() {
        return Ok(vec![program.to_owned()]);
    }
    Ok(files(program)?.iter().map(|path| program.join(path)).collect())
}
