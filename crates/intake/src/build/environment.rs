//! The table `[environment]` of a scheme or a homework: what programs have where they are graded.

use anyhow::{Context, Result, bail, ensure};
use arena::rules_program::is_file_name;
use arena::terms::Bounds;
use arena::toml_text;
use homework::Homework;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The table `[environment]`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table [environment]")]
pub struct Environment {
    /// Bounds of Python's version, such as `>=3.8,<3.13`.
    python: Option<String>,
    /// Python's modules by pip's names, such as `numpy<2`.
    modules: Vec<String>,
    /// Compilers and interpreters, such as `g++>=9`.
    compilers: Vec<String>,
    /// A virtual environment, relative to the file.
    pub venv: Option<PathBuf>,
}

impl Environment {
    /// Reads the table of a scheme, or else of a homework; an empty one if there is none.
    pub fn of(scheme: Option<&Path>, homework: Option<&Homework>) -> Result<Environment> {
        let own = homework.map(|homework| homework.folder.join(homework::FILE));
        Environment::read(scheme.or(own.as_deref().filter(|path| path.exists())))
    }

    /// Reads the table of a file; an empty one if there is none.
    pub fn read(file: Option<&Path>) -> Result<Environment> {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct File {
            environment: Environment,
        }
        let Some(path) = file else { return Ok(Environment::default()) };
        let File { mut environment } = toml_text::parse(path.display(), &toml_text::read(path)?)?;
        if let Some(venv) = &mut environment.venv {
            *venv = std::path::absolute(path.with_file_name("").join(&*venv))?;
        }
        Ok(environment)
    }

    /// Compares the needs with what there is beside an interpreter of Python. Returns each need,
    /// such as `numpy<2`, what there is, and whether that is enough.
    pub fn survey(&self, python: &Path) -> Result<Vec<(String, String, bool)>> {
        let of_python = self.python.iter().map(|bounds| format!("Python{bounds}"));
        let mut needs: Vec<String> = of_python.chain(self.modules.clone()).collect();
        needs.push("--".to_string());
        needs.extend(self.compilers.clone());
        if needs.len() == 1 {
            return Ok(Vec::new());
        }
        let script = include_str!("../../data/environment.py");
        let output = Command::new(python).args(["-c", script]).args(&needs).output();
        let output =
            output.with_context(|| format!("{}: is needed for [environment]", python.display()))?;
        let line = |line: &str| {
            let parts: Vec<&str> = line.split('\t').collect();
            let [need, has, met] = parts[..] else { bail!("[environment]: found {line:?}") };
            ensure!(met != "?", "[environment]: expected such as numpy>=1.20,<2, found '{need}'");
            Ok((need.to_string(), has.to_string(), met == "1"))
        };
        let said = String::from_utf8_lossy(&output.stdout);
        let found = said.lines().map(line).collect::<Result<Vec<_>>>()?;
        ensure!(found.len() + 1 == needs.len(), "[environment]: {} fails", python.display());
        Ok(found)
    }

    /// Shows the virtual environment to players, and returns their versions. Errors: something is
    /// missing.
    pub fn prepare(&self, bounds: &mut Bounds) -> Result<Option<String>> {
        let mut python = PathBuf::from("python3");
        if let Some(venv) = &self.venv {
            python = venv.join("bin/python3");
            let venv = venv.display();
            ensure!(python.exists(), "[environment]: {venv}: make it by python3 -m venv {venv}");
        }
        bounds.venv.clone_from(&self.venv);
        let found = self.survey(&python)?;
        let lacking = found.iter().filter(|(.., is_met)| !is_met);
        let lacking: Vec<_> =
            lacking.map(|(need, has, _)| format!("{need} is needed: {has}")).collect();
        ensure!(lacking.is_empty(), "[environment]: {}", lacking.join("; "));
        let has: Vec<_> = found.into_iter().map(|(_, has, _)| has).collect();
        Ok((!has.is_empty()).then(|| has.join(", ")))
    }
}

/// Returns the file names of programs that a scheme asks for by its key `programs`, as in
/// `game.toml`. Errors: the file is bad, or one is no name of a file.
pub fn asked_programs(scheme: Option<&Path>) -> Result<Vec<String>> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        programs: Vec<String>,
    }
    let Some(path) = scheme else { return Ok(Vec::new()) };
    let File { programs } = toml_text::parse(path.display(), &toml_text::read(path)?)?;
    let bad = programs.iter().find(|name| !is_file_name(name));
    ensure!(
        bad.is_none(),
        "{}: programs: expected the name of a file, such as hw1*.py, found '{}'",
        path.display(),
        bad.map_or("", String::as_str)
    );
    Ok(programs)
}

#[test]
fn versions_are_compared_part_by_part() {
    for (bounds, is_met) in
        [(">= 3.1, < 4", true), ("<=3", true), ("", true), ("!=3", false), ("<3.0.1", false)]
    {
        let python = Some(bounds.to_string());
        let found = Environment { python, ..Environment::default() }.survey("python3".as_ref());
        assert_eq!(found.unwrap()[0].2, is_met, "{bounds}");
    }
}
