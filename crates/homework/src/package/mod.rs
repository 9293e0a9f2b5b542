//! A problem package of Kattis, read as it is: its legacy format, 2023-07, and 2025-09.

mod cases;
mod default_validator;
mod expected;
mod groups;
mod settings;
#[cfg(test)]
mod tests;
mod validator;
mod yaml;

pub use expected::{Expectations, Expected, Found, program_files};

use crate::case::{Case, Files, read};
use crate::cases::files;
use crate::checker::with_constants;
use crate::homework::{
    Count, Group, Homework, MOST_OUTPUT_MIB, OUTPUT_LIMIT_MIB, Package, TimeRule,
};
use crate::right::{Compared, Right};
use anygame::game::GameFiles;
use anyhow::{Result, bail, ensure};
use arena::digest::Digest;
use arena::{plain, toml_text};
use settings::Settings;
use std::path::{Path, PathBuf};
use yaml::Yaml;

/// The name of the file that makes a folder a package.
pub const FILE: &str = "problem.yaml";
/// Of all versions; what is only about people and statements is not read.
const KEYS: &str = "problem_format_version type name uuid version credits author authors \
    source source_url license rights_owner embargo_until limits keywords languages \
    allow_file_writing constants validation validator_flags output_validator_flags grading \
    attachments";
const LIMITS: &str = "time_limit time_multipliers time_multiplier time_safety_margin \
    time_resolution memory output code compilation_time compilation_memory validation_time \
    validation_memory validation_output validation_passes";
const MOST_MEMORY_MIB: u64 = 1 << 20;
const TIME: &str = ".timelimit";
const LEAST_SECONDS: f64 = 1e-3;
const MOST_SECONDS: f64 = 1e6;
const INCLUDE: &str = "include";
/// The folders in `include`, each with the endings of the sources that it is for.
const INCLUDED: &str = "c:c cpp:cc,cpp,cxx,c++ csharp:cs go:go haskell:hs java:java \
    javascript:js,mjs,cjs kotlin:kt lua:lua ocaml:ml perl:pm php:php prolog:pl \
    python3:py,py3,ipynb ruby:rb rust:rs";

fn package(yaml: &Yaml, limits: &Limits, is_new: bool) -> Result<Package> {
    let mut constants = Vec::new();
    for (name, value) in yaml.get("constants").map_or(&[][..], Yaml::entries) {
        if let Some(plain) = value.get("value").or(value.entries().is_empty().then_some(value)) {
            constants.push((format!("{{{{{name}}}}}"), plain.text()?.to_string()));
            constants.push((format!("{{{{{name}.value}}}}"), plain.text()?.to_string()));
        }
        for (variant, text) in value.entries() {
            constants.push((format!("{{{{{name}.{variant}}}}}"), text.text()?.to_string()));
        }
    }
    let (time, lacks_time) = (limits.rule, limits.time.is_none());
    Ok(Package { is_new, time, lacks_time, constants })
}

impl Homework {
    /// Whether the homework is a package of Kattis.
    pub fn is_package(&self) -> bool {
        self.package.is_some()
    }

    /// Puts the values of a package's constants into a file.
    pub fn with_constants(&self, bytes: Vec<u8>) -> Vec<u8> {
        match &self.package {
            Some(package) => with_constants(&package.constants, bytes),
            None => bytes,
        }
    }

    /// The files that a package adds to a program with these files, before it is built: those for
    /// its language, or else the usual ones.
    pub fn included(&self, program: &[PathBuf]) -> Result<Files> {
        let place = self.folder.join(INCLUDE);
        let is_of = |ends: &str| {
            let ending = |path: &PathBuf| path.extension()?.to_str().map(str::to_lowercase);
            let mut endings = program.iter().filter_map(ending);
            endings.any(|ending| ends.split(',').any(|end| end == ending))
        };
        let mut languages = INCLUDED.split(' ').filter_map(|one| one.split_once(':'));
        let language = languages.find(|(_, ends)| is_of(ends)).map(|(language, _)| language);
        let mut places = language.into_iter().chain(["default"]).map(|name| place.join(name));
        let place = places.find(|place| self.is_package() && place.is_dir());
        let Some(place) = place else { return Ok(Files::new()) };
        let file = |name: String| {
            let bytes = self.with_constants(read(&place.join(&name))?);
            Ok((name, bytes))
        };
        files(&place)?.into_iter().map(file).collect()
    }

    /// Adds what is added to programs.
    pub(crate) fn add_included(&self, digest: &mut Digest) -> Result<()> {
        let place = self.folder.join(INCLUDE);
        let names = if place.is_dir() { files(&place)? } else { Vec::new() };
        names.iter().try_for_each(|name| {
            digest.part(format!("include {name}"), read(&place.join(name))?);
            Ok(())
        })
    }

    /// Whether it is a package without a time limit.
    pub fn lacks_time(&self) -> bool {
        self.package.as_ref().is_some_and(|package| package.lacks_time)
    }

    /// The CPU seconds of a case that follow, if the slowest case of an accepted program takes so
    /// many; of a homework that is no package, as in the legacy format.
    pub fn time_after(&self, slowest: f64) -> f64 {
        let rule = self.package.as_ref().map_or(TimeRule::LEGACY, |package| package.time);
        (slowest * rule.multiplier / rule.resolution).ceil().max(1.0) * rule.resolution
    }

    pub(crate) fn of_package(folder: &Path) -> Result<Homework> {
        let yaml = Yaml::read(&folder.join(FILE))?;
        yaml.map_of(KEYS)?;
        let version = yaml.get("problem_format_version").map_or(Ok(""), Yaml::text)?;
        let is_legacy = matches!(version, "" | "legacy" | "legacy-icpc");
        let number = version.strip_suffix("-draft").unwrap_or(version);
        if !is_legacy && !matches!(number, "2023-07" | "2025-09" | "draft") {
            let words = format!("the format {} is not supported", plain::shown(version));
            return Err(yaml.get("problem_format_version").unwrap_or(&yaml).error(words));
        }
        let is_new = !is_legacy;
        let types = kinds(&yaml)?;
        check_supported(folder, &yaml, &types)?;
        let mut limits = Limits::read(&yaml, is_new)?;
        // DOMjudge's packages have their time in a file of its own.
        let seconds = toml_text::read(&folder.join(TIME)).ok();
        let seconds = seconds.and_then(|text| text.trim().parse().ok());
        let seconds = seconds.filter(|seconds| (LEAST_SECONDS..=MOST_SECONDS).contains(seconds));
        limits.time = limits.time.or(seconds);
        let package = package(&yaml, &limits, is_new)?;
        let own_name = plain::name(folder.file_name().unwrap_or_default());
        let title = match yaml.get("name") {
            Some(name) => {
                let first = name.entries().first().map(|(_, first)| first);
                name.get("en").or(first).unwrap_or(name).text()?
            }
            None => &own_name,
        };
        let is_scoring = types.iter().any(|kind| matches!(kind.as_str(), "scoring" | "score"));
        let settings = Settings::read(folder, &yaml, &package.constants)?;
        let talks = types.iter().any(|kind| kind == "interactive");
        let validator = validator::of_package(folder, &types, is_new)?;
        let right = match validator {
            Some(mut validator) => {
                validator.time = limits.validation_time.unwrap_or(validator.time);
                validator.constants.clone_from(&package.constants);
                if talks { Right::Talks(validator) } else { Right::Checked(validator) }
            }
            None if talks => bail!("{}: no folder output_validators", folder.display()),
            None => Right::Compared(Compared { ignores_case: true, ..Compared::TOKENS }),
        };
        let has_validator = !matches!(right, Right::Compared(_));
        let (mut cases, mut compared) = (Vec::new(), Vec::new());
        for part in ["sample", "secret"] {
            if folder.join("data").join(part).is_dir() {
                let compared = (!has_validator).then_some(&mut compared);
                cases::add_cases(&settings, part, talks, compared, &mut cases)?;
            }
        }
        ensure!(!cases.is_empty(), "{}: no file *.in", folder.join("data").display());
        let groups = match is_scoring {
            true => {
                let scores = has_validator && types.iter().any(|kind| kind == "score");
                groups::of_scoring(&settings, has_validator, scores, is_new, &mut cases)?
            }
            false => vec![all_cases(&settings, &mut cases)?],
        };
        for case in &mut cases {
            case.time = limits.time;
        }
        let letter = |one: char| if one.is_ascii_alphanumeric() { one } else { '-' };
        Ok(Homework {
            name: own_name.chars().map(letter).take(40).collect(),
            title: plain::shown(title),
            folder: folder.to_owned(),
            cases,
            groups,
            right,
            compared,
            leaves: vec![GameFiles::USUAL.output.to_string()],
            standard: true,
            output_limit: limits.output << 20,
            memory_limit: limits.memory,
            package: Some(package),
            ..Homework::default()
        })
    }
}

/// A problem without points is worth one point, if all cases are right.
fn all_cases(settings: &Settings, cases: &mut [Case]) -> Result<Group> {
    settings.refuse_points()?;
    cases.iter_mut().for_each(|case| case.group = Some(0));
    let (name, count) = ("all cases".to_string(), Count::AllOrNothing);
    Ok(Group { name, points: 1.0, count, hint: None })
}

/// The words of `type` and `validation`.
fn kinds(yaml: &Yaml) -> Result<Vec<String>> {
    let mut kinds = Vec::new();
    for key in ["type", "validation"] {
        kinds.extend(yaml.get(key).map_or(Ok(Vec::new()), Yaml::words)?);
    }
    Ok(kinds)
}

struct Limits {
    time: Option<f64>,
    output: u64,
    memory: Option<u64>,
    validation_time: Option<f64>,
    rule: TimeRule,
}

impl Limits {
    fn read(yaml: &Yaml, is_new: bool) -> Result<Limits> {
        let limits = yaml.get("limits").map(|limits| limits.map_of(LIMITS)).transpose()?;
        let get = |key: &str| limits.and_then(|limits| limits.get(key));
        let seconds =
            |key: &str| get(key).map(|value| value.number(LEAST_SECONDS, MOST_SECONDS)).transpose();
        let multipliers = match get("time_multipliers") {
            Some(all) => Some(all.map_of("ac_to_time_limit time_limit_to_tle")?),
            None => None,
        };
        let multiplier = multipliers.and_then(|all| all.get("ac_to_time_limit"));
        let multiplier = multiplier.or(get("time_multiplier")).map(|one| one.number(1.0, 1e3));
        let usual = if is_new { 2.0 } else { TimeRule::LEGACY.multiplier };
        let rule = TimeRule {
            multiplier: multiplier.transpose()?.unwrap_or(usual),
            resolution: seconds("time_resolution")?.unwrap_or(1.0),
        };
        Ok(Limits {
            rule,
            time: seconds("time_limit")?,
            output: get("output").map_or(Ok(OUTPUT_LIMIT_MIB), |mib| mib.mib(MOST_OUTPUT_MIB))?,
            memory: get("memory").map(|mib| mib.mib(MOST_MEMORY_MIB)).transpose()?,
            validation_time: seconds("validation_time")?,
        })
    }
}

/// What a package may have, and this judge has not.
fn check_supported(folder: &Path, yaml: &Yaml, kinds: &[String]) -> Result<()> {
    for kind in ["multi-pass", "submit-answer"] {
        if kinds.iter().any(|other| other == kind) {
            let has = |key: &&str| {
                let words = yaml.get(key).and_then(|value| value.words().ok());
                words.is_some_and(|words| words.iter().any(|word| word == kind))
            };
            let key = ["type", "validation"].into_iter().find(has).unwrap_or("type");
            let at = yaml.get(key).unwrap_or(yaml);
            return Err(at.error(format!("{key}: {kind} problems are not supported")));
        }
    }
    let known = ["pass-fail", "scoring", "default", "custom", "score", "interactive"];
    if let Some(kind) = kinds.iter().find(|kind| !known.contains(&kind.as_str())) {
        let kind = plain::shown(kind);
        return Err(yaml.error(format!("type or validation: '{kind}' is not supported")));
    }
    if let Some(grading) = yaml.get("grading") {
        grading.map_of("objective show_test_data_groups")?;
        if let Some(objective) =
            grading.get("objective").filter(|one| one.text().ok() != Some("max"))
        {
            return Err(objective.error("objective: only max is supported"));
        }
    }
    for (part, what) in [
        ("graders", "a grader of its own is"),
        ("interactors", "an interactor of its own is"),
        ("static_validator", "a validator of sources is"),
    ] {
        let place = folder.join(part);
        if place.is_dir() && !files(&place)?.is_empty() {
            bail!("{}/: {what} not supported", place.display());
        }
    }
    Ok(())
}
