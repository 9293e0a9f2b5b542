//! The files of cases, as the patterns of a `homework.toml` find them.

use crate::archive::{folder_name, unpack};
use crate::case::{Case, CaseFile, is_litter, read};
use crate::pattern::{Captures, Pattern};
use anyhow::{Context, Result, bail};
use arena::plain;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of one name in the folder of a program or of the checker.
pub(crate) struct Role {
    pub name: String,
    pub pattern: Pattern,
    /// Of the pattern in `homework.toml`, in bytes.
    pub place: usize,
}

pub(crate) struct Roles {
    pub finds: Vec<Role>,
    pub expected: Vec<Role>,
    pub beside: Vec<Role>,
    /// Of files that are no case's.
    pub ignored: Vec<Pattern>,
}

/// An error, and the place in `homework.toml` that it is about.
pub(crate) type At = (usize, anyhow::Error);

pub(crate) fn wrong<T>(place: usize, words: impl Display) -> Result<T, At> {
    Err((place, anyhow::Error::msg(words.to_string())))
}

/// The beginnings of the paths of files that are no case's.
const OTHERS: [&str; 3] = ["homework.toml", "checker/", "submissions/"];
const MOST_FILES: usize = 500_000;

impl Roles {
    pub(crate) fn cases(&self, folder: &Path) -> Result<Vec<Case>, At> {
        let files = self.files(folder).map_err(|error| (0, error))?;
        let input = self.finds.iter().find(|role| role.pattern.has_captures());
        let Some(input) = input else {
            let place = self.finds.first().map_or(0, |role| role.place);
            return wrong(place, "expected a pattern with {n}, by which cases have their names");
        };
        let mut cases = Named::new();
        for path in files.keys() {
            let Some(captures) = input.pattern.captures(path) else { continue };
            let name = captures.values().map(String::as_str).collect::<Vec<_>>().join("-");
            let case = Case { name: plain::shown(&name), ..Case::default() };
            if let Some((_, _, other)) = cases.insert(name.clone(), (captures, case, path)) {
                let words =
                    format!("two files are the input of the case '{name}': {other}, {path}");
                return wrong(input.place, words);
            }
        }
        if cases.is_empty() {
            return wrong(input.place, format!("no file is called {}", input.pattern.text));
        }
        for role in &self.finds {
            add_one(role, &files, &mut cases, |case| &mut case.finds)?;
        }
        for role in &self.beside {
            add_one(role, &files, &mut cases, |case| &mut case.beside)?;
        }
        for role in &self.expected {
            let found = of_cases(role, &files, &cases)?;
            for (name, (captures, case, _)) in &mut cases {
                let Some(found) = found.get(name) else {
                    let wanted = role.pattern.of_case(captures);
                    let words = format!("the case '{name}' has no expected file {wanted}");
                    return wrong(role.place, words);
                };
                let found = found.iter().map(|(_, file)| (*file).clone()).collect();
                case.expected.push((role.name.clone(), found));
            }
        }
        let mut cases: Vec<Case> = cases.into_values().map(|(_, case, _)| case).collect();
        cases.sort_by_cached_key(|case| natural(&case.name));
        Ok(cases)
    }

    /// Lists the files of a folder and of the archives in it that no pattern takes.
    fn files(&self, folder: &Path) -> Result<BTreeMap<String, CaseFile>> {
        let is_ignored = |path: &str| {
            OTHERS.iter().any(|other| path.starts_with(other))
                || self.ignored.iter().any(|one| one.captures(path).is_some())
        };
        let is_file = |path: &str| {
            let mut roles = self.finds.iter().chain(&self.expected).chain(&self.beside);
            is_ignored(path) || roles.any(|role| role.pattern.captures(path).is_some())
        };
        let is_archive = |path: &String| folder_name(path).is_some() && !is_file(path);
        let paths = files(folder)?.into_iter().filter(|path| !is_ignored(path));
        let (archives, plain): (Vec<_>, Vec<_>) = paths.partition(is_archive);
        let at = |path: String| (path.clone(), CaseFile::at(folder.join(path)));
        let mut found: BTreeMap<_, _> = plain.into_iter().map(at).collect();
        for path in archives {
            unpack(folder, &path, read(&folder.join(&path))?, &is_file, &mut found)?;
        }
        found.retain(|path, _| !is_ignored(path));
        Ok(found)
    }
}

fn add_one(
    role: &Role,
    files: &BTreeMap<String, CaseFile>,
    cases: &mut Named,
    of: impl Fn(&mut Case) -> &mut Vec<(String, CaseFile)>,
) -> Result<(), At> {
    let found = of_cases(role, files, cases)?;
    for (name, (captures, case, _)) in cases {
        let how = match found.get(name).map(Vec::as_slice) {
            Some([(_, file)]) => {
                of(case).push((role.name.clone(), (*file).clone()));
                continue;
            }
            Some([(one, _), (other, _), ..]) => {
                format!("two files for {}: {one}, {other}", role.name)
            }
            _ => format!("no file {}", role.pattern.of_case(captures)),
        };
        return wrong(role.place, format!("the case '{name}' has {how}"));
    }
    Ok(())
}

/// Cases by name, each with the path of its input.
type Named<'a> = BTreeMap<String, (Captures, Case, &'a String)>;

/// The files that a pattern matches, by cases.
type Matched<'a> = BTreeMap<String, Vec<(&'a String, &'a CaseFile)>>;

/// A pattern without captures is that of all cases.
fn of_cases<'a>(
    role: &Role,
    files: &'a BTreeMap<String, CaseFile>,
    cases: &Named,
) -> Result<Matched<'a>, At> {
    let (mut found, mut by_captures) = (Matched::new(), None);
    for (path, file) in files {
        let Some(captures) = role.pattern.captures(path) else { continue };
        // The words of a pattern are the same in all paths.
        let by_captures = by_captures.get_or_insert_with(|| {
            let mut by_captures = HashMap::<Captures, Vec<&String>>::new();
            for (name, (of_case, ..)) in cases {
                let text = |word: &String| Some((word.clone(), of_case.get(word)?.clone()));
                if let Some(same) = captures.keys().map(text).collect() {
                    by_captures.entry(same).or_default().push(name);
                }
            }
            by_captures
        });
        let Some(fitting) = by_captures.get(&captures) else {
            let name = captures.into_values().collect::<Vec<_>>().join("-");
            return wrong(role.place, format!("{path}: the case '{name}' has no input file"));
        };
        for name in fitting {
            found.entry(name.to_string()).or_default().push((path, file));
        }
    }
    if found.is_empty() {
        return wrong(role.place, format!("no file is called {}", role.pattern.text));
    }
    Ok(found)
}

/// Sorts texts by the numbers in them.
pub(crate) fn natural(text: &str) -> Vec<(u64, String)> {
    let letters: Vec<char> = text.chars().collect();
    // A part is a number and what follows it up to the next one.
    let parts = letters.chunk_by(|one, next| one.is_ascii_digit() || !next.is_ascii_digit());
    let part = |part: &[char]| {
        let part: String = part.iter().collect();
        let rest = part.trim_start_matches(|one: char| one.is_ascii_digit());
        let digits = &part[..part.len() - rest.len()];
        let number = if digits.is_empty() { 0 } else { digits.parse().unwrap_or(u64::MAX) };
        (number, rest.to_string())
    };
    parts.map(part).collect()
}

/// Lists files by their paths, `/` between the parts, without litter.
pub(crate) fn files(folder: &Path) -> Result<Vec<String>> {
    let (mut found, mut waiting) = (Vec::new(), vec![String::new()]);
    while let Some(below) = waiting.pop() {
        let place = folder.join(&below);
        let within = || format!("{}: cannot be listed", place.display());
        for entry in fs::read_dir(&place).with_context(within)? {
            let entry = entry.with_context(within)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if is_litter(&name) {
                continue;
            }
            let path = format!("{below}{name}");
            // A link to a file is that file; one to a folder would let cases lie anywhere.
            let kind = entry.file_type().with_context(within)?;
            if kind.is_dir() {
                waiting.push(path + "/");
            } else if kind.is_file() || entry.path().is_file() {
                found.push(path);
            }
            if found.len() + waiting.len() > MOST_FILES {
                bail!("{}: more than {MOST_FILES} files", folder.display());
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The cases of a folder without a `homework.toml`: folders with the file `input`, in which all
/// other files are expected ones.
pub(crate) fn plain_cases(folder: &Path, input: &str) -> Result<Vec<Case>> {
    let mut folders = entries(folder)?;
    folders.retain(|path| path.join(input).is_file());
    if folders.is_empty() {
        bail!("{}: no folder with a file {input}", folder.display());
    }
    folders.iter().map(|folder| plain_case(folder, input)).collect()
}

/// The paths in a folder, by name.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder).and_then(|all| all.map(|entry| Ok(entry?.path())).collect());
    let mut paths: Vec<PathBuf> =
        paths.with_context(|| format!("{}: cannot be read", folder.display()))?;
    paths.sort();
    Ok(paths)
}

fn plain_case(folder: &Path, input: &str) -> Result<Case> {
    let mut expected = Vec::new();
    for path in entries(folder)? {
        let name = path.file_name().unwrap_or_default();
        if name != input && path.is_file() {
            expected.push((plain::name(name), vec![CaseFile::at(path)]));
        }
    }
    if expected.is_empty() {
        bail!("{}: no expected file beside {input}", folder.display());
    }
    Ok(Case {
        name: plain::name(folder.file_name().unwrap_or_default()),
        finds: vec![(input.to_string(), CaseFile::at(folder.join(input)))],
        expected,
        points: 1.0,
        ..Case::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_by_their_numbers() {
        let mut names = ["10", "9", "a2", "a10", "1-2", "1-10"].map(String::from).to_vec();
        names.sort_by_cached_key(|name| natural(name));
        assert_eq!(names, ["a2", "a10", "1-2", "1-10", "9", "10"]);
    }
}
