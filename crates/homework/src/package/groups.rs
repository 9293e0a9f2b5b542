//! The groups of a package of the type `scoring`, and their points.

use super::cases::path_of;
use super::settings::Settings;
use super::yaml::Yaml;
use crate::case::{Case, Scores};
use crate::homework::{Count, Group};
use crate::points::MOST_POINTS;
use anyhow::{Result, bail, ensure};
use arena::plain;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Cases that are counted together.
#[derive(Debug)]
struct Part {
    name: String,
    points: f64,
    count: Count,
    /// Of cases whose answer is right; `None` if those have all their points.
    scores: Option<Scores>,
    /// Their indices.
    cases: Vec<usize>,
}

impl Part {
    /// Whether it has all its points or none.
    fn is_whole(&self) -> bool {
        let counts = match self.count {
            Count::AllOrNothing => true,
            Count::Sum | Count::SumIfRight => self.cases.len() == 1,
            Count::Least | Count::Most => true,
        };
        counts && self.scores.is_none()
    }

    fn joined(parts: Vec<Part>, name: &str, points: f64) -> Part {
        let cases = parts.into_iter().flat_map(|part| part.cases).collect();
        let name = name.to_string();
        Part { name, points, count: Count::AllOrNothing, scores: None, cases }
    }
}

/// A folder with cases or folders in it.
#[derive(Default)]
struct Folder {
    cases: Vec<usize>,
    folders: BTreeMap<PathBuf, Folder>,
}

/// Groups the cases by their folders, and marks them. `validator_scores` says that the validator
/// of an older format gives scores.
pub(super) fn of_scoring(
    settings: &Settings,
    has_validator: bool,
    validator_scores: bool,
    is_new: bool,
    cases: &mut [Case],
) -> Result<Vec<Group>> {
    let (mut sample, mut secret) = (Folder::default(), Folder::default());
    for (index, case) in cases.iter().enumerate() {
        let mut place = settings.data.clone();
        let mut names: Vec<&str> = path_of(&settings.data, case).split('/').collect();
        names.pop();
        let mut folder = if case.is_secret { &mut secret } else { &mut sample };
        for (depth, name) in names.into_iter().enumerate() {
            place.push(name);
            if depth > 0 {
                folder = folder.folders.entry(place.clone()).or_default();
            }
        }
        folder.cases.push(index);
    }
    if secret.cases.is_empty() && secret.folders.is_empty() {
        bail!("{}: no file *.in, and no points", settings.data.join("secret").display());
    }
    let scoring = Scoring { settings, has_validator, validator_scores };
    let place = settings.data.join("secret");
    let has_old = settings.has_older();
    let mut parts = match is_new && !has_old {
        true => scoring.new_parts(&place, &secret)?,
        false => scoring.older_parts(&place, &secret)?,
    };
    if has_old && scoring.counts_sample()? {
        parts.extend(scoring.older_parts(&settings.data.join("sample"), &sample)?);
    }
    let sum: f64 = parts.iter().map(|part| part.points).sum();
    ensure!(sum <= MOST_POINTS, "{}: more than {MOST_POINTS} points", settings.data.display());
    let mut groups = Vec::new();
    for Part { name, points, count, scores, cases: members } in parts {
        for index in members {
            cases[index].group = Some(groups.len());
            cases[index].scores = scores.clone().unwrap_or(Scores::Ignored);
        }
        groups.push(Group { name: plain::shown(&name), points, count, hint: None });
    }
    Ok(groups)
}

struct Scoring<'s> {
    settings: &'s Settings<'s>,
    has_validator: bool,
    validator_scores: bool,
}

impl Scoring<'_> {
    /// The name of a group: its path below `secret`.
    fn name(&self, place: &Path) -> String {
        let data = &self.settings.data;
        let below = place.strip_prefix(data.join("secret")).or(place.strip_prefix(data));
        match below.map(|below| below.to_string_lossy().replace('/', "-")) {
            Ok(name) if !name.is_empty() => name,
            _ => "secret".to_string(),
        }
    }

    // 2025-09: groups are the folders in `secret` that have a `test_group.yaml`.
    fn new_parts(&self, place: &Path, secret: &Folder) -> Result<Vec<Part>> {
        let own = self.settings.own(place).map(|own| &own.yaml);
        let total = max_score(own)?.unwrap_or(100.0);
        let count = count_of(own, Count::Sum)?;
        let is_group = |place: &&PathBuf| self.settings.own(place).is_some();
        if !secret.folders.keys().any(|place| is_group(&place)) {
            let cases = all_below(secret);
            return Ok(vec![self.new_part(place, cases, total, count)]);
        }
        if let Some(other) = secret.folders.keys().find(|place| !is_group(place)) {
            bail!("{}: a folder without test_group.yaml beside groups", other.display());
        }
        ensure!(secret.cases.is_empty(), "{}: cases beside groups", place.display());
        let mut parts = Vec::new();
        for (place, folder) in &secret.folders {
            if let Some(inner) = self.settings.below(place) {
                return Err(inner.error("a group within a group"));
            }
            let own = self.settings.own(place).map(|own| &own.yaml);
            let Some(points) = max_score(own)? else {
                bail!("{}: groups without max_score are not supported", place.display());
            };
            let count = count_of(own, Count::AllOrNothing)?;
            parts.push(self.new_part(place, all_below(folder), points, count));
        }
        let least = parts.iter().map(|part| part.points).fold(f64::INFINITY, f64::min);
        match count {
            Count::Sum => {
                let sum: f64 = parts.iter().map(|part| part.points).sum();
                let shown = place.display();
                ensure!(sum <= total + 1e-9, "{shown}: max_score is {total}, that of groups {sum}");
                Ok(parts)
            }
            _ if !parts.iter().all(Part::is_whole) => {
                bail!("{}: groups are supported as sums alone here", place.display())
            }
            Count::AllOrNothing => Ok(vec![Part::joined(parts, "secret", total)]),
            _ => Ok(vec![Part::joined(parts, "secret", least)]),
        }
    }

    fn new_part(&self, place: &Path, cases: Vec<usize>, points: f64, count: Count) -> Part {
        let share = points / cases.len().max(1) as f64;
        let whole = if count == Count::Sum { share } else { points };
        let has_scores = self.has_validator && count != Count::AllOrNothing;
        let scores = has_scores.then_some(Scores::Of { whole, most: whole });
        Part { name: self.name(place), points, count, scores, cases }
    }

    /// Whether the sample has points of its own, which none of its folders above gives it.
    fn counts_sample(&self) -> Result<bool> {
        let own = self.settings.own(&self.settings.data.join("sample"));
        let score = own.and_then(|own| own.yaml.get("accept_score"));
        let score = score.map_or(Ok(0.0), |score| score.number(0.0, MOST_POINTS))?;
        let flags = self.settings.get(&self.settings.data, "grader_flags");
        let flags = flags.map_or(Ok(Vec::new()), |(flags, _)| flags.words())?;
        Ok(score > 0.0 && !flags.iter().any(|flag| flag == "ignore_sample"))
    }

    /// How the results in a folder of an older format are put together.
    fn mode(&self, place: &Path) -> Result<Mode> {
        let mut mode = Mode { by: "sum", breaks: true };
        if let Some((scoring, _)) = self.settings.get(place, "scoring") {
            scoring.map_of("score max_score aggregation")?;
            let by = scoring.get("aggregation").map_or(Ok("sum"), Yaml::text)?;
            mode = Mode { by: if by == "min" { "min" } else { "sum" }, breaks: false };
        }
        if let Some((value, _)) = self.settings.get(place, "on_reject") {
            mode.breaks = match value.text()? {
                "break" => true,
                "continue" => false,
                _ => return Err(value.error("on_reject: expected break or continue")),
            };
        }
        for (key, usual) in [("grading", "default"), ("reject_score", "0")] {
            let value = self.settings.get(place, key).map(|(value, _)| value);
            let is_usual = |text: &str| text == usual || text.parse() == Ok(0.0);
            if let Some(value) = value.filter(|value| !value.text().is_ok_and(is_usual)) {
                return Err(value.error(format!("{key}: only {usual} is supported")));
            }
        }
        let mut goes_on = false;
        if let Some((flags, _)) = self.settings.get(place, "grader_flags") {
            for flag in flags.words()? {
                match flag.as_str() {
                    "sum" => mode.by = "sum",
                    "min" => mode.by = "min",
                    "max" => mode.by = "max",
                    "avg" => mode.by = "avg",
                    "always_accept" | "accept_if_any_accepted" => goes_on = true,
                    "worst_error" | "first_error" | "no_errors" | "ignore_sample" => {}
                    _ => {
                        return Err(
                            flags.error(format!("{} is not supported", plain::shown(&flag)))
                        );
                    }
                }
            }
        }
        if goes_on && mode.breaks && mode.by != "min" {
            let words = "always_accept and accept_if_any_accepted are supported with on_reject: continue alone";
            bail!("{}: {words}", place.display());
        }
        Ok(mode)
    }

    /// The parts of a folder of an older format, and of those in it.
    fn older_parts(&self, place: &Path, folder: &Folder) -> Result<Vec<Part>> {
        let mode = self.mode(place)?;
        let mut parts = Vec::new();
        if !folder.cases.is_empty() {
            parts.push(self.older_part(place, &mode, folder.cases.clone())?);
        }
        if folder.folders.is_empty() {
            return Ok(parts);
        }
        let mut below: Vec<_> = folder.folders.iter().collect();
        below.sort_by_cached_key(|(place, _)| crate::cases::natural(&place.to_string_lossy()));
        for (place, folder) in below {
            parts.extend(self.older_parts(place, folder)?);
        }
        let is_whole = parts.iter().all(Part::is_whole);
        let all_scored = parts.iter().all(|part| part.scores.is_none());
        let (name, shown) = (self.name(place), place.display());
        let sum: f64 = parts.iter().map(|part| part.points).sum();
        let least = parts.iter().map(|part| part.points).fold(f64::INFINITY, f64::min);
        let count = folder.folders.len() + usize::from(!folder.cases.is_empty());
        match mode.by {
            "min" if is_whole => Ok(vec![Part::joined(parts, &name, least)]),
            "min" => {
                bail!("{shown}: the least of groups is supported where each has all or nothing")
            }
            "max" => bail!("{shown}: max is supported of cases, and not of groups"),
            "avg" => {
                parts.iter_mut().for_each(|part| part.points /= count as f64);
                Ok(parts)
            }
            // A rejected group ends the judging of the others, and the folder is rejected.
            _ if mode.breaks && parts.len() > 1 => {
                let words = "scores of a validator are supported with on_reject: continue alone";
                ensure!(all_scored, "{shown}: {words}");
                Ok(vec![Part::joined(parts, &name, sum)])
            }
            _ => Ok(parts),
        }
    }

    fn older_part(&self, place: &Path, mode: &Mode, cases: Vec<usize>) -> Result<Part> {
        let accept = match self.settings.get(place, "scoring") {
            Some((scoring, at)) => scoring.get("score").map(|score| (score, at)),
            None => self.settings.get(place, "accept_score"),
        };
        let named = accept.map(|(value, _)| value.number(0.0, MOST_POINTS)).transpose()?;
        let range = match self.settings.own(place).and_then(|own| own.yaml.get("range")) {
            Some(range) => highest(range)?,
            None => None,
        };
        let number = cases.len().max(1) as f64;
        let by_validator =
            self.validator_scores || self.has_validator && range.is_some() && named.is_none();
        let (points, whole, count) = if by_validator {
            let Some(most) = range.or(named) else {
                bail!("{}: scores without a range are not supported", place.display());
            };
            match (mode.by, mode.breaks) {
                ("min", _) => (most, most, Count::Least),
                ("max", false) => (most, most, Count::Most),
                ("max", true) => {
                    let words = "max of scores is supported with on_reject: continue alone";
                    bail!("{}: {words}", place.display())
                }
                ("avg", false) => (most, most, Count::Sum),
                ("avg", true) => (most, most, Count::SumIfRight),
                (_, false) => (most, most / number, Count::Sum),
                (_, true) => (most, most / number, Count::SumIfRight),
            }
        } else {
            // A file that names the points and neither a range nor how cases are put together
            // has them once, for all cases.
            let place = accept.map_or(place, |(_, place)| place);
            let file = self.settings.own(place).map(|own| &own.yaml);
            let says_how = |file: &Yaml| file.get("grader_flags").or(file.get("scoring")).is_some();
            let score = named.or(range).unwrap_or(1.0);
            let is_each = match (named, range) {
                (Some(score), Some(most)) => score * number <= most + 1e-9,
                (Some(_), None) => file.is_some_and(says_how),
                (None, range) => range.is_none(),
            };
            match mode.by {
                "min" => (score, score, Count::Least),
                "max" if !mode.breaks => (score, score, Count::Most),
                "max" => (score, score, Count::AllOrNothing),
                _ if !is_each => (score, score, Count::AllOrNothing),
                "avg" => (score, score, mode.count()),
                _ => (score * number, score, mode.count()),
            }
        };
        let most = range.unwrap_or(points);
        let scores = by_validator.then_some(Scores::Of { whole, most });
        Ok(Part { name: self.name(place), points, count, scores, cases })
    }
}

struct Mode {
    /// `sum`, `min`, `max` or `avg`.
    by: &'static str,
    /// Whether a rejected case or group rejects the others.
    breaks: bool,
}

impl Mode {
    fn count(&self) -> Count {
        if self.breaks { Count::AllOrNothing } else { Count::Sum }
    }
}

fn all_below(folder: &Folder) -> Vec<usize> {
    let below = folder.folders.values().flat_map(all_below);
    folder.cases.iter().copied().chain(below).collect()
}

fn max_score(settings: Option<&Yaml>) -> Result<Option<f64>> {
    let Some(value) = settings.and_then(|settings| settings.get("max_score")) else {
        return Ok(None);
    };
    if value.text()? == "unbounded" {
        return Err(value.error("unbounded scores are not supported"));
    }
    value.number(0.0, MOST_POINTS).map(Some)
}

fn count_of(settings: Option<&Yaml>, usual: Count) -> Result<Count> {
    let Some(value) = settings.and_then(|settings| settings.get("score_aggregation")) else {
        return Ok(usual);
    };
    Ok(match value.text()? {
        "sum" => Count::Sum,
        "min" => Count::Least,
        "pass-fail" => Count::AllOrNothing,
        _ => return Err(value.error("expected sum, min or pass-fail")),
    })
}

/// The end of a range of scores, if it is finite.
fn highest(range: &Yaml) -> Result<Option<f64>> {
    let words = range.words()?;
    let numbers: Result<Vec<f64>, _> = words.iter().map(|word| word.parse()).collect();
    match numbers.as_deref() {
        Ok([least, most]) if least <= most && *most <= MOST_POINTS => Ok(Some(*most)),
        Ok([least, most]) if least <= most && most.is_infinite() => Ok(None),
        _ => Err(range.error(format!("range: expected two numbers up to {MOST_POINTS}"))),
    }
}
