//! The cases of a package: `data/sample` and `data/secret`.

use super::default_validator;
use super::settings::Settings;
use crate::case::{Case, CaseFile, Scores};
use crate::cases::{files, natural};
use crate::right::Compared;
use anygame::game::GameFiles;
use anyhow::{Result, bail, ensure};
use arena::plain;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folder with further files that a program finds in a case.
const FURTHER: &str = ".files";

/// Adds the cases of `sample` or `secret`, which need no answers where programs talk, and the ways in which they are compared, if they are.
pub(super) fn add_cases(
    settings: &Settings,
    part: &str,
    talks: bool,
    mut compared: Option<&mut Vec<Compared>>,
    cases: &mut Vec<Case>,
) -> Result<()> {
    let place = settings.data.join(part);
    let mut found = files(&place)?;
    found.sort_by_cached_key(|path| natural(path));
    let all: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    for path in &found {
        if path.ends_with(".args") {
            bail!("{}: files .args are not supported", place.join(path).display());
        }
        let Some(stem) = path.strip_suffix(".in") else { continue };
        if stem.split('/').any(|name| name.ends_with(FURTHER)) {
            continue;
        }
        let file = |end: &str| place.join(format!("{stem}.{end}"));
        let input = place.join(path);
        let shown = input.display();
        let answer = file("ans");
        let has_answer = answer.is_file();
        ensure!(has_answer || talks, "{shown}: no file {stem}.ans");
        let own = settings.of_case(&file("yaml"))?;
        let folder = input.parent().unwrap_or(&place);
        let words = |keys: &[&str]| settings.words(folder, own.as_ref(), keys);
        let mut of_validator = settings.validator_flags.clone();
        of_validator.extend(words(&["output_validator_args", "output_validator_flags"])?);
        let mut index = None;
        if let Some(all) = &mut compared {
            let own = default_validator::compared(&std::mem::take(&mut of_validator), &input)?;
            index = all.iter().position(|other| *other == own).or(Some(all.len()));
            if index == Some(all.len()) {
                all.push(own);
            }
        }
        let hint = fs::read_to_string(file("hint")).ok();
        let of_case = own.as_ref().and_then(|own| own.get("hint"));
        let of_case = of_case.map(|hint| hint.text().map(str::to_string)).transpose()?;
        let mut finds = vec![(GameFiles::USUAL.input.to_string(), CaseFile::at(input.clone()))];
        let further = format!("{stem}{FURTHER}/");
        for other in all.range(further.as_str()..) {
            let Some(name) = other.strip_prefix(&further) else { break };
            ensure!(!name.contains('/'), "{shown}: a folder of files is not supported");
            finds.push((name.to_string(), CaseFile::at(place.join(other))));
        }
        cases.push(Case {
            name: plain::shown(&format!("{part}-{}", stem.replace('/', "-"))),
            finds,
            expected: has_answer
                .then(|| (GameFiles::USUAL.output.to_string(), vec![CaseFile::at(answer)]))
                .into_iter()
                .collect(),
            is_secret: part == "secret",
            hint: hint.or(of_case).map(|hint| plain::shown(hint.trim())),
            arguments: words(&["args"])?,
            of_checker: of_validator,
            compared: index,
            scores: Scores::Ignored,
            ..Case::default()
        });
    }
    Ok(())
}

/// The path of a case in a package, such as `secret/group/1`: that of its input, without its
/// ending.
pub(super) fn path_of<'c>(data: &Path, case: &'c Case) -> &'c str {
    let input = case.finds.first().map(|(_, file)| file.path.as_path());
    let path = input.and_then(|path| path.strip_prefix(data).ok()?.to_str());
    path.map_or("", |path| path.strip_suffix(".in").unwrap_or(path))
}
