//! A problem package of Kattis (legacy, and 2025-09), read as it is.

use crate::case::{Case, CaseFile};
use crate::cases::{entries, files, natural};
use crate::checker::Checker;
use crate::homework::{Count, Group, Homework, MOST_OUTPUT_MIB, OUTPUT_LIMIT_MIB};
use crate::right::{Compared, Right, Unit};
use anygame::game::GameFiles;
use anyhow::{Context, Result, bail, ensure};
use arena::{plain, toml_text};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const FILE: &str = "problem.yaml";
/// With the settings of a group of cases.
const GROUP_FILES: [&str; 2] = ["test_group.yaml", "testdata.yaml"];

/// Scalars by their paths: `limits.time_limit`.
struct Yaml(BTreeMap<String, String>);

impl Yaml {
    /// Reads keys and scalars; lists and texts of several lines are left out.
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
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        number.with_context(|| format!("{}: expected a number, found '{text}'", keys[0])).map(Some)
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
        // A package has points, or only right and wrong.
        let is_scoring = ["type", "validation"]
            .iter()
            .any(|key| yaml.get(&[key]).is_some_and(|value| value.contains("scor")));
        let right = right(folder, &yaml).with_context(within)?;
        let time = yaml.number(&["limits.time_limit"]).with_context(within)?;
        let time = time.filter(|seconds| *seconds > 0.0);
        let output_limit = yaml.get(&["limits.output"]).map_or(Ok(OUTPUT_LIMIT_MIB), str::parse);
        let output_limit = output_limit.ok().filter(|mib| (1..=MOST_OUTPUT_MIB).contains(mib));
        let words = || format!("limits.output: expected MiB from 1 to {MOST_OUTPUT_MIB}");
        let output_limit = output_limit.with_context(words).with_context(within)?;
        let mut cases = Vec::new();
        for part in ["sample", "secret"] {
            if folder.join("data").join(part).is_dir() {
                add_cases(folder, part, &mut cases)?;
            }
        }
        let mut groups = Vec::new();
        if is_scoring {
            let mut members: BTreeMap<PathBuf, Vec<&mut Case>> = BTreeMap::new();
            for case in cases.iter_mut().filter(|case| case.is_secret) {
                let place = case.finds[0].1.path.parent().unwrap_or(folder).to_owned();
                members.entry(place).or_default().push(case);
            }
            add_groups(&folder.join("data/secret"), members, &mut groups)?;
        }
        ensure!(!cases.is_empty(), "{}: no file *.in", folder.join("data").display());
        for case in &mut cases {
            case.time = time;
            case.group = case.group.or((!is_scoring).then_some(0));
        }
        if !is_scoring {
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
            standard: true,
            output_limit: output_limit << 20,
            ..Homework::default()
        })
    }
}

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

const UNSUPPORTED: [&str; 2] = [".args", ".interaction"];
const UNSUPPORTED_KEYS: [&str; 2] = ["args", "output_validator_args"];
/// The folder with further files that a program finds in a case.
const FURTHER: &str = ".files";

fn add_cases(package: &Path, part: &str, cases: &mut Vec<Case>) -> Result<()> {
    let place = package.join("data").join(part);
    let mut found = files(&place)?;
    found.sort_by_cached_key(|path| natural(path));
    for path in &found {
        let within = || place.join(path).display().to_string();
        if let Some(kind) = UNSUPPORTED.iter().find(|end| path.ends_with(**end)) {
            bail!("{}: files {kind} are not supported", within());
        }
        let Some(stem) = path.strip_suffix(".in") else { continue };
        if stem.split('/').any(|name| name.ends_with(FURTHER)) {
            continue;
        }
        let file = |end: &str| place.join(format!("{stem}.{end}"));
        let answer = file("ans");
        ensure!(answer.is_file(), "{}: no file {stem}.ans", within());
        let settings = file("yaml").is_file().then(|| Yaml::read(&file("yaml"))).transpose()?;
        let get = |keys: &[&str]| settings.as_ref().and_then(|yaml| yaml.get(keys));
        if let Some(key) = UNSUPPORTED_KEYS.iter().find(|key| get(&[key]).is_some()) {
            bail!("{}: {key} of a single case is not supported", file("yaml").display());
        }
        let beside =
            ["hint", "desc"].into_iter().find_map(|end| fs::read_to_string(file(end)).ok());
        let hint = beside.or_else(|| get(&["hint", "description"]).map(str::to_string));
        let mut finds = vec![(GameFiles::USUAL.input.to_string(), CaseFile::at(place.join(path)))];
        for other in &found {
            let Some(name) = other.strip_prefix(&format!("{stem}{FURTHER}/")) else { continue };
            ensure!(!name.contains('/'), "{}: a folder of files is not supported", within());
            finds.push((name.to_string(), CaseFile::at(place.join(other))));
        }
        let expected = vec![CaseFile::at(answer)];
        cases.push(Case {
            name: plain::shown(&format!("{part}-{}", stem.replace('/', "-"))),
            finds,
            expected: vec![(GameFiles::USUAL.output.to_string(), expected)],
            points: f64::from(u8::from(part == "secret")),
            is_secret: part == "secret",
            hint: hint.map(|hint| plain::shown(hint.trim())),
            ..Case::default()
        });
    }
    Ok(())
}

/// The settings of a group: its own, or those of the next folder above.
fn group_file(folder: &Path) -> Option<PathBuf> {
    let own = |folder: &Path| {
        GROUP_FILES.iter().map(|name| folder.join(name)).find(|path| path.is_file())
    };
    folder.ancestors().take_while(|folder| !folder.join(FILE).exists()).find_map(own)
}

/// A group for each folder with cases. Groups of groups are sums.
fn add_groups(
    secret: &Path,
    members: BTreeMap<PathBuf, Vec<&mut Case>>,
    groups: &mut Vec<Group>,
) -> Result<()> {
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_by_cached_key(|(folder, _)| natural(&folder.to_string_lossy()));
    for (folder, cases) in members {
        for above in folder.ancestors().skip(1).take_while(|folder| folder.starts_with(secret)) {
            if let Some(path) = group_file(above).filter(|path| path.parent() == Some(above)) {
                let (count, within) = (count_of(&path, &Yaml::read(&path)?)?, path.display());
                ensure!(
                    count == Count::Sum,
                    "{within}: groups of groups are supported as sums alone"
                );
            }
        }
        let path = group_file(&folder);
        // Cases beside the groups, or without any, count as they are.
        if folder == secret && path.as_ref().is_none_or(|path| path.parent() != Some(secret)) {
            continue;
        }
        let shown = folder.strip_prefix(secret)?.to_string_lossy().replace('/', "-");
        let name = if shown.is_empty() { "secret".to_string() } else { plain::shown(&shown) };
        let (mut points, mut count) = (1.0, Count::Sum);
        if let Some(path) = path {
            let yaml = Yaml::read(&path)?;
            let within = || path.display().to_string();
            count = count_of(&path, &yaml)?;
            let each = yaml.number(&["accept_score"]).with_context(within)?;
            let cases = if count == Count::Sum { cases.len() as f64 } else { 1.0 };
            points = each.map_or(1.0, |each| each * cases);
            if path.parent() == Some(&folder) {
                let most = yaml.number(&["max_score", "scoring.score"]).with_context(within)?;
                let range = yaml.get(&["range"]).and_then(|range| range.split_whitespace().last());
                let range = range.map(str::parse::<f64>).transpose();
                let range = range.with_context(|| format!("{}: range: two numbers", within()))?;
                points = most.or(range.filter(|most| most.is_finite())).unwrap_or(points);
            }
        }
        ensure!((0.0..=1e6).contains(&points), "{name}: expected points, found {points}");
        for case in cases {
            case.group = Some(groups.len());
        }
        groups.push(Group { name, points, count, hint: None });
    }
    Ok(())
}

/// How a group counts its cases.
fn count_of(path: &Path, yaml: &Yaml) -> Result<Count> {
    let ways = yaml.get(&["score_aggregation", "scoring.aggregation", "grader_flags"]);
    let ways: Vec<&str> = ways.unwrap_or_default().split_whitespace().collect();
    let unsupported = ["max", "avg", "accept_if_any_accepted", "always_accept"];
    if let Some(way) = ways.iter().find(|way| unsupported.contains(way)) {
        bail!("{}: {way} is not supported", path.display());
    }
    if yaml.0.keys().any(|key| key.ends_with("require_pass")) {
        bail!("{}: require_pass is not supported", path.display());
    }
    Ok(match ways {
        ways if ways.contains(&"pass-fail") => Count::AllOrNothing,
        ways if ways.contains(&"min") => Count::Least,
        _ => Count::Sum,
    })
}

fn right(folder: &Path, yaml: &Yaml) -> Result<Right> {
    let arguments = arguments(folder, yaml)?;
    let is_default = yaml.get(&["validation"]).is_some_and(|value| value.starts_with("default"));
    let own = ["output_validator", "output_validators"].map(|name| folder.join(name));
    if let Some(own) = own.iter().find(|path| !is_default && path.is_dir()) {
        let mut checker = validator(own)?;
        checker.arguments = arguments;
        return Ok(Right::Checked(checker));
    }
    let has = |flag: &str| arguments.iter().any(|word| word == flag);
    let tolerance = |flags: [&str; 2]| -> Result<Option<f64>> {
        let Some(at) = arguments.iter().position(|word| flags.contains(&word.as_str())) else {
            return Ok(None);
        };
        let number = arguments.get(at + 1).and_then(|word| word.parse().ok());
        number.with_context(|| format!("{}: expected a number", arguments[at])).map(Some)
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

/// The arguments of the validator, which are those of all groups.
fn arguments(folder: &Path, yaml: &Yaml) -> Result<Vec<String>> {
    let usual = yaml.get(&["validator_flags"]).unwrap_or_default();
    let mut texts = BTreeMap::new();
    for path in files(&folder.join("data"))?.iter().filter(|path| path.ends_with(".in")) {
        let place = folder.join("data").join(path);
        let settings = group_file(place.parent().unwrap_or(folder));
        let settings = settings.map(|path| Yaml::read(&path)).transpose()?;
        let keys = ["output_validator_args", "output_validator_flags"];
        let own = settings.as_ref().and_then(|settings| settings.get(&keys));
        texts.insert(own.unwrap_or(usual).to_string(), place);
    }
    let mut texts = texts.into_iter();
    let (text, place) = texts.next().unwrap_or_default();
    if let Some((_, other)) = texts.next() {
        let (place, other) = (place.display(), other.display());
        bail!("the validator has other arguments for {place} than for {other}");
    }
    let words = text.split(|one: char| one.is_whitespace() || "[],\"'".contains(one));
    Ok(words.filter(|word| !word.is_empty()).map(str::to_string).collect())
}

/// The validator of a folder, or of the one folder in it.
fn validator(folder: &Path) -> Result<Checker> {
    let mut below = entries(folder)?;
    below.retain(|path| !plain::name(path.file_name().unwrap_or_default()).starts_with('.'));
    let home = match &below[..] {
        [only] if only.is_dir() => only.clone(),
        _ => folder.to_owned(),
    };
    let mut names = files(&home)?;
    names.retain(|name| !name.contains('/'));
    let with = |ends: &[&str]| -> Vec<&str> {
        let names = names.iter().map(String::as_str);
        names.filter(|name| ends.iter().any(|end| name.ends_with(end))).collect()
    };
    let (python, cpp, c) = (with(&[".py"]), with(&[".cpp", ".cc", ".cxx"]), with(&[".c"]));
    let usual = ["__main__.py", "main.py", "validate.py", "validator.py", "output_validator.py"];
    let main = usual.into_iter().find(|name| python.contains(name));
    let (command, build, sources) = if names.iter().any(|name| name == "build") {
        ("./run".to_string(), "./build", Vec::new())
    } else if !cpp.is_empty() {
        ("./.validator".to_string(), "g++ -O2 -std=gnu++20 -o .validator", cpp)
    } else if !c.is_empty() {
        ("./.validator".to_string(), "gcc -O2 -o .validator -lm", c)
    } else if let Some(main) = main.or(if let [only] = python[..] { Some(only) } else { None }) {
        (format!("python3 {main}"), "", Vec::new())
    } else {
        bail!("{}: no validator in Python, C or C++, and no program `build`", home.display())
    };
    let words = |words: &str| words.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let mut checker = Checker::new(home.clone(), words(&command));
    checker.build = words(build);
    checker.build.extend(sources.into_iter().map(str::to_string));
    Ok(checker)
}
