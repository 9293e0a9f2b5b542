//! `homework.toml`.

use crate::case::Case;
use crate::cases::{At, Role, Roles, plain_cases, wrong};
use crate::checker::Checker;
use crate::homework::{Count, Group, Homework, MOST_OUTPUT_MIB, OUTPUT_LIMIT_MIB, SecretTells};
use crate::late::LateRule;
use crate::pattern::{Pattern, fits};
use crate::points::MOST_POINTS;
use crate::right::{Compared, Right, Unit};
use anygame::AnyGame;
use anygame::game::{GameFiles, Interface, kept, kept_list};
use anyhow::{Context, Result, ensure};
use arena::{plain, toml_text};
use sandbox::system;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The name of the file that makes a folder a homework.
pub const FILE: &str = "homework.toml";
const CHECKER: &str = "checker";
const LONGEST: f64 = 1e6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HomeworkFile {
    name: Spanned<String>,
    title: String,
    input: Spanned<Names>,
    expected: Option<Spanned<Names>>,
    leaves: Option<Spanned<OneOrMore>>,
    beside: Option<Spanned<Names>>,
    #[serde(default)]
    ignored: Vec<Spanned<String>>,
    samples: Option<Vec<Spanned<String>>>,
    points: Option<Spanned<f64>>,
    time: Option<Spanned<f64>>,
    time_of_all: Option<Spanned<f64>>,
    output_limit: Option<Spanned<u64>>,
    #[serde(default)]
    secret_cases_tell: SecretTells,
    #[serde(default)]
    standard: bool,
    #[serde(default)]
    programs: Vec<String>,
    #[serde(default)]
    given: Vec<String>,
    /// The intake reads it for itself.
    #[serde(rename = "environment")]
    _environment: Option<IgnoredAny>,
    #[serde(default)]
    right: RightKey,
    late: Option<Spanned<LateRule>>,
    #[serde(default)]
    group: Vec<Spanned<GroupKey>>,
    #[serde(default)]
    case: Vec<Spanned<CaseKey>>,
}

/// A pattern for the usual name, or patterns by names.
#[derive(Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(BTreeMap<String, String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    Several(Vec<String>),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, such as { by = \"tokens\" }")]
struct RightKey {
    by: Option<Spanned<By>>,
    #[serde(default)]
    ignore: Vec<Ignored>,
    absolute: Option<Spanned<f64>>,
    relative: Option<Spanned<f64>>,
    checker: Option<Spanned<String>>,
    talk: Option<Spanned<String>>,
    build: Option<Spanned<String>>,
    time: Option<Spanned<f64>>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum By {
    Exact,
    Lines,
    Tokens,
    Numbers,
    Checker,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
enum Ignored {
    TrailingBlanks,
    BlankLines,
    Case,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [[group]]")]
struct GroupKey {
    name: String,
    cases: Vec<Spanned<String>>,
    points: Spanned<f64>,
    #[serde(default)]
    count: Count,
    hint: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [[case]]")]
struct CaseKey {
    name: String,
    points: Option<Spanned<f64>>,
    time: Option<Spanned<f64>>,
    hint: Option<String>,
}

fn roles(names: &Spanned<Names>, usual: &str) -> Result<Vec<Role>, At> {
    let place = names.span().start;
    let role = |name: &str, pattern: &str| {
        check_name(name)?;
        Ok(Role { name: name.to_string(), pattern: Pattern::read(pattern)?, place })
    };
    let read = || match names.get_ref() {
        Names::One(pattern) => Ok(vec![role(usual, pattern)?]),
        Names::Several(patterns) => {
            patterns.iter().map(|(name, pattern)| role(name, pattern)).collect()
        }
    };
    read().map_err(|error: anyhow::Error| (place, error))
}

fn check_name(name: &str) -> Result<()> {
    let is_plain = !name.is_empty()
        && name.chars().all(|one| one.is_alphanumeric() || "._- +".contains(one))
        && !name.starts_with('.');
    ensure!(is_plain, "expected the name of a file, found '{name}'");
    Ok(())
}

fn number(
    value: Option<&Spanned<f64>>,
    what: &str,
    is_good: impl Fn(f64) -> bool,
) -> Result<Option<f64>, At> {
    let Some(value) = value else { return Ok(None) };
    match *value.get_ref() {
        number if is_good(number) => Ok(Some(number)),
        number => wrong(value.span().start, format!("expected {what}, found {number}")),
    }
}

fn seconds(value: &Option<Spanned<f64>>, what: &str) -> Result<Option<f64>, At> {
    number(value.as_ref(), &format!("CPU seconds for {what}"), |time| time > 0.0 && time < LONGEST)
}

fn points_of(value: Option<&Spanned<f64>>) -> Result<Option<f64>, At> {
    let range = 0.0..=MOST_POINTS;
    number(value, &format!("points from 0 to {MOST_POINTS}"), |points| range.contains(&points))
}

impl Homework {
    /// Returns whether a folder is that of a homework.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(FILE).exists() || folder.join(crate::package::FILE).exists()
    }

    /// Reads a folder with a `homework.toml`, or a package of Kattis. Errors name the file and the
    /// line.
    pub fn read(folder: &Path) -> Result<Homework> {
        let folder = &fs::canonicalize(folder)
            .with_context(|| format!("{}: cannot be read", folder.display()))?;
        let path = folder.join(FILE);
        let mut homework = if !path.exists() && folder.join(crate::package::FILE).exists() {
            Homework::of_package(folder)?
        } else {
            let (shown, text) = (path.display(), toml_text::read(&path)?);
            let file: HomeworkFile = toml_text::parse(&shown, &text)?;
            let homework = file.homework(folder);
            homework.map_err(|(place, error)| toml_text::at(&shown, &text, place, error))?
        };
        homework.interface.folder = Some(Box::leak(folder.as_path().into()));
        Ok(homework)
    }

    /// The homework of a folder of cases of a game, which are compared by lines.
    pub fn of_cases(folder: &Path, game: &'static AnyGame) -> Result<Homework> {
        Ok(Homework {
            name: game.name.to_string(),
            title: game.title.to_string(),
            folder: folder.to_owned(),
            cases: plain_cases(folder, game.interface.files.input)?,
            interface: game.interface,
            output_limit: OUTPUT_LIMIT_MIB << 20,
            game: Some(game),
            ..Homework::default()
        })
    }
}

impl HomeworkFile {
    fn homework(&self, folder: &Path) -> Result<Homework, At> {
        let name = self.name.get_ref();
        let is_word = !name.is_empty()
            && name.len() <= 40
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !is_word {
            let words = format!("expected letters, digits and '-', found '{name}'");
            return wrong(self.name.span().start, words);
        }
        let mut leaves = match self.leaves.as_ref().map(Spanned::get_ref) {
            None => Vec::new(),
            Some(OneOrMore::One(name)) => vec![name.clone()],
            Some(OneOrMore::Several(names)) => names.clone(),
        };
        let place = self.leaves.as_ref().map_or(0, |leaves| leaves.span().start);
        leaves.iter().try_for_each(|name| check_name(name)).map_err(|error| (place, error))?;
        let usual = leaves.first().map_or(GameFiles::USUAL.output, String::as_str);
        let expected =
            self.expected.as_ref().map_or(Ok(Vec::new()), |expected| roles(expected, usual))?;
        if self.leaves.is_none() {
            leaves.extend(expected.iter().map(|role| role.name.clone()));
        } else if let Some(role) = expected.iter().find(|role| !leaves.contains(&role.name)) {
            return wrong(role.place, format!("{}: leaves does not name this file", role.name));
        }
        if leaves.is_empty() {
            leaves.push(GameFiles::USUAL.output.to_string());
        }
        if let Some(late) = &self.late {
            late.get_ref().check().map_err(|error| (late.span().start, error))?;
        }
        let right = self.right.right(folder)?;
        if let (Right::Talks(_), true) = (&right, self.leaves.is_some() || self.standard) {
            return wrong(place, "a program that talks has neither leaves nor standard");
        }
        let has_none = |name: &&String| expected.iter().all(|role| role.name != **name);
        if let (Right::Compared(_), Some(name)) = (&right, leaves.iter().find(has_none)) {
            let words = format!("{name}: a pattern of expected files or a checker is needed");
            return wrong(place, words);
        }
        let pattern = |text: &Spanned<String>| {
            Pattern::read(text.get_ref()).map_err(|error| (text.span().start, error))
        };
        let ignored = self.ignored.iter().map(pattern).collect::<Result<Vec<_>, _>>()?;
        let patterns = Roles {
            finds: roles(&self.input, GameFiles::USUAL.input)?,
            expected,
            beside: self.beside.as_ref().map_or(Ok(Vec::new()), |beside| roles(beside, ""))?,
            ignored,
        };
        check_roles(&patterns)?;
        if let Some(role) = patterns.finds.iter().find(|role| leaves.contains(&role.name)) {
            let place = self.leaves.as_ref().map_or(role.place, |leaves| leaves.span().start);
            return wrong(place, format!("{}: the program finds this file already", role.name));
        }
        let mut cases = patterns.cases(folder)?;
        let groups = self.mark(&mut cases)?;
        let input = cases[0].finds[0].0.as_str();
        Ok(Homework {
            name: name.clone(),
            title: plain::shown(&self.title),
            folder: folder.to_owned(),
            interface: Interface {
                files: GameFiles {
                    input: kept(input),
                    output: kept(leaves[0].as_str()),
                    ..GameFiles::USUAL
                },
                programs: kept_list(self.programs.clone()),
                given: kept_list(self.given.clone()),
                ..Interface::default()
            },
            groups,
            right,
            leaves,
            time_of_all: seconds(&self.time_of_all, "all cases")?,
            standard: self.standard,
            output_limit: self.output_limit(&cases)?,
            secret_tells: self.secret_cases_tell,
            late: self.late.as_ref().map(|late| late.get_ref().clone()),
            cases,
            ..Homework::default()
        })
    }

    /// The output limit in bytes, which no expected file exceeds.
    fn output_limit(&self, cases: &[Case]) -> Result<u64, At> {
        let key = self.output_limit.as_ref();
        let place = key.map_or(0, |key| key.span().start);
        let mib = key.map_or(OUTPUT_LIMIT_MIB, |key| *key.get_ref());
        if !(1..=MOST_OUTPUT_MIB).contains(&mib) {
            let words = format!("expected MiB from 1 to {MOST_OUTPUT_MIB}, found {mib}");
            return wrong(place, words);
        }
        let expected = cases.iter().flat_map(|case| &case.expected).flat_map(|(_, files)| files);
        match expected.max_by_key(|file| file.size()).filter(|file| file.size() > mib << 20) {
            Some(file) => {
                let path = file.path.display();
                wrong(place, format!("{path}: longer than {mib} MiB: set output_limit to more"))
            }
            None => Ok(mib << 20),
        }
    }

    /// Gives the cases their points, times, hints and groups. Returns the groups.
    fn mark(&self, cases: &mut [Case]) -> Result<Vec<Group>, At> {
        let time = seconds(&self.time, "each case")?;
        let each = points_of(self.points.as_ref())?.unwrap_or(1.0);
        for case in cases.iter_mut() {
            (case.points, case.time, case.is_secret) = (each, time, self.samples.is_some());
        }
        let mut by_name = HashMap::<String, Vec<usize>>::new();
        for (at, case) in cases.iter().enumerate() {
            by_name.entry(case.name.clone()).or_default().push(at);
        }
        // A search through all cases for each name would take the square of their number.
        let fitting = |pattern: &Spanned<String>, cases: &[Case]| {
            let text = pattern.get_ref();
            let fitting = if text.contains('*') {
                (0..cases.len()).filter(|at| fits(text, &cases[*at].name)).collect()
            } else {
                by_name.get(text).cloned().unwrap_or_default()
            };
            if fitting.is_empty() {
                return wrong(pattern.span().start, format!("no case is called {text}"));
            }
            Ok(fitting)
        };
        for pattern in self.samples.iter().flatten() {
            for at in fitting(pattern, cases)? {
                cases[at].is_secret = false;
            }
        }
        let mut named = HashSet::new();
        for spanned in &self.case {
            let place = spanned.span().start;
            let CaseKey { name, points: worth, time, hint } = spanned.get_ref();
            let Some(at) = by_name.get(name).and_then(|all| all.first()) else {
                return wrong(place, format!("no case is called '{name}'"));
            };
            let case = &mut cases[*at];
            if !named.insert(name) {
                return wrong(place, format!("the case '{name}' is there twice"));
            }
            case.points = points_of(worth.as_ref())?.unwrap_or(case.points);
            case.time = seconds(time, "a case")?.or(case.time);
            case.hint.clone_from(hint);
        }
        let mut groups = Vec::new();
        for spanned in &self.group {
            let place = spanned.span().start;
            let GroupKey { name, cases: patterns, points: worth, count, hint } = spanned.get_ref();
            let points = points_of(Some(worth))?.unwrap_or_default();
            let index = groups.len();
            let members = patterns.iter().map(|pattern| fitting(pattern, cases));
            let members = members.collect::<Result<Vec<_>, _>>()?;
            for at in members.into_iter().flatten().collect::<BTreeSet<_>>() {
                let case = &mut cases[at];
                if let Some(other) = case.group.replace(index) {
                    let (case, other): (_, &Group) = (&case.name, &groups[other]);
                    let words = format!("the case '{case}' is in the group '{}' too", other.name);
                    return wrong(place, words);
                }
                if case.hint.is_none() {
                    case.hint.clone_from(hint);
                }
            }
            let (name, count, hint) = (plain::shown(name), *count, hint.clone());
            groups.push(Group { name, points, count, hint });
        }
        Ok(groups)
    }
}

/// The text of a `homework.toml` with this time of a case, which changes or adds one line.
pub fn with_time(text: &str, time: &str) -> Result<String> {
    let file: HomeworkFile = toml::from_str(text)?;
    let mut text = text.to_string();
    match file.time {
        Some(before) => text.replace_range(before.span(), time),
        None => {
            let name = file.name.span().end;
            let end = text[name..].find('\n').map_or(text.len(), |at| name + at);
            text.insert_str(end, &format!("\ntime = {time}"));
        }
    }
    Ok(text)
}

/// Refuses two files of one name in the folder of a program or of the checker.
fn check_roles(roles: &Roles) -> Result<(), At> {
    let mut names = HashSet::new();
    for role in roles.finds.iter().chain(&roles.beside) {
        if !names.insert(&role.name) {
            return wrong(role.place, format!("two files are called {}", role.name));
        }
    }
    Ok(())
}

impl RightKey {
    fn right(&self, folder: &Path) -> Result<Right, At> {
        let by = match (&self.by, &self.checker) {
            (Some(by), _) => *by.get_ref(),
            (None, Some(_)) => By::Checker,
            (None, None) => By::Lines,
        };
        let place = self.by.as_ref().map_or(0, |by| by.span().start);
        let tolerance = |value: &Option<Spanned<f64>>| {
            if let Some(value) = value.as_ref().filter(|_| by != By::Numbers) {
                return wrong(value.span().start, "a tolerance is for by = \"numbers\"");
            }
            let is_good = |number: f64| number >= 0.0 && number.is_finite();
            Ok(number(value.as_ref(), "a number that is not below 0", is_good)?.unwrap_or(0.0))
        };
        let (absolute, relative) = (tolerance(&self.absolute)?, tolerance(&self.relative)?);
        if let Some(talk) = &self.talk {
            let others =
                [self.checker.as_ref().map(Spanned::span), self.by.as_ref().map(Spanned::span)];
            if let Some(other) = others.into_iter().flatten().next() {
                return wrong(
                    other.start,
                    "talk stands alone: neither checker nor by goes with it",
                );
            }
            return self.checker(talk, folder).map(Right::Talks);
        }
        if by == By::Checker {
            let Some(checker) = &self.checker else {
                return wrong(place, "checker = \"COMMAND\" is missing");
            };
            return self.checker(checker, folder).map(Right::Checked);
        }
        if let Some(checker) = &self.checker {
            return wrong(checker.span().start, "a checker is for by = \"checker\"");
        }
        let ignores = |what| self.ignore.contains(&what);
        Ok(Right::Compared(Compared {
            by: match by {
                By::Exact => Unit::Bytes,
                By::Tokens => Unit::Tokens,
                By::Numbers => Unit::Numbers,
                By::Lines | By::Checker => Unit::Lines,
            },
            ignores_trailing_blanks: ignores(Ignored::TrailingBlanks),
            ignores_blank_lines: ignores(Ignored::BlankLines),
            ignores_case: ignores(Ignored::Case),
            absolute,
            relative,
            ..Compared::LINES
        }))
    }

    fn checker(&self, checker: &Spanned<String>, folder: &Path) -> Result<Checker, At> {
        let place = checker.span().start;
        let words = |text: &Spanned<String>| {
            let words = system::shell_words(text.get_ref()).filter(|words| !words.is_empty());
            words.context("expected a command").map_err(|error| (text.span().start, error))
        };
        let home: PathBuf = folder.join(CHECKER);
        if !home.is_dir() {
            return wrong(place, format!("no folder {CHECKER} with the checker"));
        }
        let command = words(checker)?;
        let missing = command.iter().skip(1).find(|word| {
            word.ends_with(".py") && !word.contains('/') && !home.join(word).is_file()
        });
        if let Some(missing) = missing {
            return wrong(place, format!("no file {CHECKER}/{missing}"));
        }
        let mut made = Checker::new(home, command);
        made.build = self.build.as_ref().map_or(Ok(Vec::new()), words)?;
        if let Some(time) = seconds(&self.time, "each answer")? {
            made.time = time;
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOUBLE: &str = "name = \"double\"\ntitle = \"Double\"\ninput = \"input{n}.txt\"\n";

    #[test]
    fn a_time_is_written_into_one_line() {
        let rest = "title = \"T\"\ninput = \"{n}\"\n# 5 s\n[[case]]\nname = \"1\"\ntime = 9\n";
        for (before, after) in [
            ("name = \"a\" # mine\n", "name = \"a\" # mine\ntime = 3\n"),
            ("time = 2.5 # enough\nname = \"a\"\n", "time = 3 # enough\nname = \"a\"\n"),
        ] {
            let text = with_time(&format!("{before}{rest}"), "3").unwrap();
            assert_eq!(text, format!("{after}{rest}"));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        for name in ["input1", "input2", "output1", "output2-1", "output2-2"] {
            write(&format!("{name}.txt"), "1");
        }
        let refused = |toml: &str, words: &str| {
            write("homework.toml", toml);
            let error = format!("{:#}", Homework::read(place.path()).unwrap_err());
            assert!(error.contains(&format!("homework.toml:{words}")), "{toml}{error}");
        };
        let outputs = "expected = \"output{n}*.txt\"\n";
        for (line, words) in [
            ("expected = \"none{n}.txt\"", "4: no file is called none{n}.txt"),
            (
                "expected = \"output{n}-1.txt\"",
                "4: the case '1' has no expected file output1-1.txt",
            ),
            ("expected = \"../x{n}\"", "4: expected the path of files in the folder"),
            ("leaves = \"a/b\"", "4: expected the name of a file, found 'a/b'"),
            ("leaves = \"a.txt\"", "4: a.txt: a pattern of expected files or a checker is needed"),
            ("excepted = 1", "4: unknown field `excepted`"),
            (
                "right = \"tokens\"",
                "4: invalid type: string \"tokens\", expected a table, such as { by = \"tokens\" }",
            ),
        ] {
            refused(&format!("{DOUBLE}{line}\n"), words);
        }
        for (line, words) in [
            ("beside = { cost = \"cost{n}\" }", "5: no file is called cost{n}"),
            ("time = -1", "5: expected CPU seconds"),
            ("samples = [\"7\"]", "5: no case is called 7"),
            ("[right]\nchecker = \"python3 x.py\"", "6: no folder checker"),
            ("[right]\nabsolute = 1", "6: a tolerance is for by = \"numbers\""),
            (
                "[[group]]\nname = \"g\"\npoints = 1\ncases = [\"1\",\n\"33\"]",
                "9: no case is called 33",
            ),
            ("leaves = [\"output.txt\", \"input.txt\"]", "5: "),
            ("output_limit = 0", "5: expected MiB from 1 to 512"),
            ("[[case]]\nname = \"77\"", "5: no case is called '77'"),
        ] {
            refused(&format!("{DOUBLE}{outputs}{line}\n"), words);
        }
        let toml = format!("{DOUBLE}{outputs}");
        write("a/input1.txt", "1");
        write("b/input1.txt", "1");
        let two = toml.replace("input{n}.txt", "*/input{n}.txt");
        refused(&two, "3: two files are the input of the case");
        fs::remove_file(place.path().join("input2.txt")).unwrap();
        refused(&toml, "4: output2-1.txt: the case '2' has no input file");
    }
}
