//! A problem package of Kattis (legacy, and 2025-09), read as it is.

use crate::case::Case;
use crate::cases::{files, natural};
use crate::checker::Checker;
use crate::group::{Count, Group};
use crate::homework::Homework;
use crate::right::{Compared, Right, Unit};
use anygame::game::GameFiles;
use anyhow::{Context, Result, bail, ensure};
use arena::{plain, toml_text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file that makes a folder a package.
pub(crate) const FILE: &str = "problem.yaml";
/// The files that describe a group of cases.
const GROUP_FILES: [&str; 2] = ["test_group.yaml", "testdata.yaml"];

/// The scalar values of a YAML file, by their paths: `limits.time_limit`.
struct Yaml(BTreeMap<String, String>);

impl Yaml {
    /// Reads the keys and scalars of a file, as packages have them. Lists and texts of several lines
    /// are left out.
    fn read(path: &Path) -> Result<Yaml> {
        let mut values = BTreeMap::new();
        let mut above: Vec<(usize, String)> = Vec::new();
        for line in toml_text::read(path)?.lines() {
            let content = line.split(" #").next().unwrap_or_default();
            let indent = content.len() - content.trim_start().len();
            let Some((key, value)) = content.trim().split_once(':') else { continue };
            if key.starts_with(['#', '-']) {
                continue;
            }
            above.retain(|(other, _)| *other < indent);
            let begin = above.last().map_or(String::new(), |(_, path)| format!("{path}."));
            let path = begin + key.trim();
            let value = value.trim().trim_matches(['"', '\'']);
            values.insert(path.clone(), value.to_string());
            above.push((indent, path));
        }
        Ok(Yaml(values))
    }

    fn get(&self, keys: &[&str]) -> Option<&str> {
        let found = keys.iter().find_map(|key| self.0.get(*key));
        found.map(String::as_str).filter(|value| !value.is_empty())
    }

    fn number(&self, keys: &[&str]) -> Result<Option<f64>> {
        let Some(text) = self.get(keys) else { return Ok(None) };
        let number: f64 = text
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite())
            .with_context(|| format!("{}: expected a number, found '{text}'", keys[0]))?;
        Ok(Some(number))
    }
}

impl Homework {
    pub(crate) fn of_package(folder: &Path) -> Result<Homework> {
        let path = folder.join(FILE);
        let within = || path.display().to_string();
        let yaml = Yaml::read(&path)?;
        check_supported(folder, &yaml).with_context(within)?;
        let own_name = plain::name(folder.file_name().unwrap_or_default());
        let title = yaml.get(&["name", "name.en"]).unwrap_or(&own_name).to_string();
        let is_scoring = is_scoring(&yaml);
        let right = right(folder, &yaml).with_context(within)?;
        let time = yaml.number(&["limits.time_limit"]).with_context(within)?;
        let time = time.filter(|seconds| *seconds > 0.0);
        let (mut cases, mut groups) = (Vec::new(), Vec::new());
        for part in ["sample", "secret"] {
            let place = folder.join("data").join(part);
            if place.is_dir() {
                add_cases(&place, part, is_scoring, &mut cases, &mut groups)?;
            }
        }
        ensure!(!cases.is_empty(), "{}: no file *.in", folder.join("data").display());
        for case in &mut cases {
            case.time = time;
        }
        if !is_scoring {
            cases.iter_mut().for_each(|case: &mut Case| case.group = Some(0));
            let (name, count) = ("all cases".to_string(), Count::AllOrNothing);
            groups = vec![Group { name, points: 1.0, count, hint: None }];
        }
        let letter = |one: char| if one.is_ascii_alphanumeric() { one } else { '-' };
        Ok(Homework {
            name: own_name.chars().map(letter).take(40).collect(),
            title: plain::shown(&title),
            folder: folder.to_owned(),
            cases,
            groups,
            right,
            leaves: vec![GameFiles::USUAL.output.to_string()],
            files: GameFiles::USUAL,
            programs: Vec::new(),
            given: Vec::new(),
            time_of_all: None,
            standard: true,
            is_plain: false,
        })
    }
}

/// Returns whether a package has points, and not only right and wrong.
fn is_scoring(yaml: &Yaml) -> bool {
    let is = |keys: &[&str]| yaml.get(keys).is_some_and(|value| value.contains("scor"));
    is(&["type"]) || is(&["validation"])
}

/// Refuses what is not supported, by its name.
fn check_supported(folder: &Path, yaml: &Yaml) -> Result<()> {
    for key in ["type", "validation"] {
        for kind in ["interactive", "multi-pass", "submit-answer"] {
            if yaml.get(&[key]).is_some_and(|value| value.contains(kind)) {
                bail!("{key}: {kind} problems are not supported");
            }
        }
    }
    for part in ["graders", "interactors"] {
        if folder.join(part).is_dir() {
            bail!("{part}/: a grader or interactor of its own is not supported");
        }
    }
    Ok(())
}

/// Adds the cases of `data/sample` or `data/secret`, and the groups of the latter.
fn add_cases(
    place: &Path,
    part: &str,
    is_scoring: bool,
    cases: &mut Vec<Case>,
    groups: &mut Vec<Group>,
) -> Result<()> {
    let mut found = files(place)?;
    found.sort_by_cached_key(|path| natural(path));
    let group_file = |folder: &Path| -> Result<Option<Yaml>> {
        let file = GROUP_FILES.iter().map(|name| folder.join(name)).find(|path| path.is_file());
        file.map(|path| Yaml::read(&path)).transpose()
    };
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for path in &found {
        if let Some(kind) = [".args", ".interaction"].iter().find(|end| path.ends_with(**end)) {
            bail!("{}: files {kind} are not supported", place.join(path).display());
        }
        let Some(stem) = path.strip_suffix(".in") else { continue };
        let file = |end: &str| place.join(format!("{stem}.{end}"));
        let answer = file("ans");
        ensure!(answer.is_file(), "{}: no file {stem}.ans", place.join(path).display());
        let hint = ["hint", "desc"].into_iter().find_map(|end| fs::read_to_string(file(end)).ok());
        let mut case = Case {
            name: plain::shown(&format!("{part}-{}", stem.replace('/', "-"))),
            finds: vec![(GameFiles::USUAL.input.to_string(), place.join(path))],
            expected: vec![(GameFiles::USUAL.output.to_string(), vec![answer])],
            points: f64::from(u8::from(part == "secret")),
            is_secret: part == "secret",
            hint: hint.map(|hint| plain::shown(hint.trim())),
            ..Case::default()
        };
        if let Some((folder, _)) = stem.split_once('/').filter(|_| is_scoring && part == "secret") {
            let known = numbers.get(folder).copied();
            let index = match known {
                Some(index) => index,
                None => {
                    let yaml = group_file(&place.join(folder))?;
                    groups.push(group(folder, yaml.as_ref())?);
                    numbers.insert(folder.to_string(), groups.len() - 1);
                    groups.len() - 1
                }
            };
            case.group = Some(index);
        }
        cases.push(case);
    }
    Ok(())
}

/// Returns a group of cases: its points are the upper end of `range`, or `max_score`.
fn group(name: &str, yaml: Option<&Yaml>) -> Result<Group> {
    let get = |keys: &[&str]| yaml.and_then(|yaml| yaml.get(keys));
    let points = match yaml.map(|yaml| yaml.number(&["max_score"])).transpose()?.flatten() {
        Some(points) => points,
        None => {
            let range = get(&["range"]).and_then(|range| range.split_whitespace().last());
            let points = range.or(get(&["accept_score"])).map_or(Ok(1.0), str::parse::<f64>);
            points.with_context(|| format!("{name}: range: expected two numbers"))?
        }
    };
    ensure!((0.0..=1e6).contains(&points), "{name}: expected points, found {points}");
    let way = get(&["score_aggregation", "grader_flags"]).unwrap_or("sum");
    let count = match way {
        "pass-fail" => Count::AllOrNothing,
        _ if way.contains("min") => Count::Least,
        _ => Count::Sum,
    };
    Ok(Group { name: plain::shown(name), points, count, hint: None })
}

/// Returns what is right: the validator of the package, or the default one.
fn right(folder: &Path, yaml: &Yaml) -> Result<Right> {
    let arguments = arguments(folder, yaml)?;
    let is_default = yaml.get(&["validation"]).is_some_and(|value| value.starts_with("default"));
    let own = ["output_validator", "output_validators"]
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_dir())
        .filter(|_| !is_default);
    if let Some(own) = own {
        let mut checker = validator(&own)?;
        checker.arguments = arguments;
        return Ok(Right::Checked(checker));
    }
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let tolerance = |flags: [&str; 2]| -> Result<Option<f64>> {
        let Some(at) = arguments.iter().position(|word| flags.contains(&word.as_str())) else {
            return Ok(None);
        };
        let number = arguments.get(at + 1).and_then(|word| word.parse().ok());
        let number: f64 =
            number.with_context(|| format!("{}: expected a number", arguments[at]))?;
        Ok(Some(number))
    };
    let absolute = tolerance(["float_tolerance", "float_absolute_tolerance"])?;
    let relative = tolerance(["float_tolerance", "float_relative_tolerance"])?;
    Ok(Right::Compared(Compared {
        by: match absolute.or(relative) {
            Some(_) => Unit::Numbers,
            None if has("space_change_sensitive") => Unit::Lines,
            None => Unit::Tokens,
        },
        ignores_case: !has("case_sensitive"),
        absolute: absolute.unwrap_or(0.0),
        relative: relative.unwrap_or(0.0),
        ..Compared::LINES
    }))
}

/// Returns the arguments of the validator.
fn arguments(folder: &Path, yaml: &Yaml) -> Result<Vec<String>> {
    let mut text = yaml.get(&["validator_flags"]).unwrap_or_default().to_string();
    for path in ["data", "data/secret"].map(|name| folder.join(name)) {
        for name in GROUP_FILES {
            let path = path.join(name);
            if path.is_file() {
                let yaml = Yaml::read(&path)?;
                let keys = ["output_validator_args", "output_validator_flags"];
                text = yaml.get(&keys).unwrap_or(&text).to_string();
            }
        }
    }
    let words = text.split(|one: char| one.is_whitespace() || "[],\"'".contains(one));
    Ok(words.filter(|word| !word.is_empty()).map(str::to_string).collect())
}

/// Returns the validator of a folder, or of the one folder in it.
fn validator(folder: &Path) -> Result<Checker> {
    let mut home: PathBuf = folder.to_owned();
    let below: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<Vec<_>>>()?
        .into_iter()
        .filter(|path| !plain::name(path.file_name().unwrap_or_default()).starts_with('.'))
        .collect();
    if let [only] = &below[..]
        && only.is_dir()
    {
        home.clone_from(only);
    }
    let names: Vec<String> = files(&home)?.into_iter().filter(|name| !name.contains('/')).collect();
    let with = |ends: &[&str]| -> Vec<String> {
        let fits = |name: &&String| ends.iter().any(|end| name.ends_with(end));
        names.iter().filter(fits).cloned().collect()
    };
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let compiled = |compiler: &str, sources: Vec<String>| {
        let mut checker = Checker::new(home.clone(), words("./.validator"));
        checker.build = words(compiler);
        checker.build.extend(sources);
        checker
    };
    let (python, cpp, c) = (with(&[".py"]), with(&[".cpp", ".cc", ".cxx"]), with(&[".c"]));
    if names.iter().any(|name| name == "build") {
        let mut checker = Checker::new(home.clone(), words("./run"));
        checker.build = words("./build");
        return Ok(checker);
    }
    if !cpp.is_empty() {
        return Ok(compiled("g++ -O2 -std=gnu++20 -o .validator", cpp));
    }
    if !c.is_empty() {
        return Ok(compiled("gcc -O2 -o .validator -lm", c));
    }
    let usual = ["__main__.py", "main.py", "validate.py", "validator.py", "output_validator.py"];
    let main = usual.iter().find(|name| python.iter().any(|one| one == *name));
    match (main.map(|name| (*name).to_string()), &python[..]) {
        (Some(main), _) => Ok(Checker::new(home, vec!["python3".to_string(), main])),
        (None, [only]) => {
            let only = only.clone();
            Ok(Checker::new(home, vec!["python3".to_string(), only]))
        }
        _ => bail!("{}: no validator in Python, C or C++, and no program `build`", home.display()),
    }
}
