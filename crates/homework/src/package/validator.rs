//! The validator of a package, as a checker.

use crate::cases::{entries, files};
use crate::checker::Checker;
use anyhow::{Result, bail};
use arena::plain;
use std::path::Path;

const FOLDERS: [&str; 2] = ["output_validator", "output_validators"];

/// The validator of a package, if it has one of its own. A package of the legacy format says so in
/// `validation`.
pub(super) fn of_package(folder: &Path, kinds: &[String], is_new: bool) -> Result<Option<Checker>> {
    let is_custom = kinds.iter().any(|kind| kind == "custom");
    let is_default = kinds.iter().any(|kind| kind == "default");
    if is_default || !is_new && !is_custom {
        return Ok(None);
    }
    match FOLDERS.iter().map(|name| folder.join(name)).find(|place| place.is_dir()) {
        Some(place) => validator(&place).map(Some),
        None if is_custom => bail!("{}: no folder output_validators", folder.display()),
        None => Ok(None),
    }
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
    let has = |name: &str| names.iter().any(|other| other == name);
    let (command, build, sources) = if has("build") || has("run") {
        ("./run".to_string(), if has("build") { "./build" } else { "" }, Vec::new())
    } else if !cpp.is_empty() {
        ("./.validator".to_string(), "g++ -O2 -std=gnu++20 -o .validator", cpp)
    } else if !c.is_empty() {
        ("./.validator".to_string(), "gcc -O2 -o .validator", c)
    } else if let Some(main) = main.or(if let [only] = python[..] { Some(only) } else { None }) {
        (format!("python3 {main}"), "", Vec::new())
    } else {
        let words = "no validator in Python, C or C++, and no program `build` or `run`";
        bail!("{}: {words}", home.display())
    };
    let words = |words: &str| words.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let mut checker = Checker::new(home.clone(), words(&command));
    checker.build = words(build);
    let is_c = build.starts_with("gcc");
    checker.build.extend(sources.into_iter().map(str::to_string));
    // A library comes after what needs it.
    checker.build.extend(is_c.then(|| "-lm".to_string()));
    Ok(checker)
}
