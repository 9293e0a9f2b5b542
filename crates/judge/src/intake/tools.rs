//! The compilers and interpreters of the machine: which are there, and what a box has to show so that they run.

use super::languages::Language;
use anyhow::Result;
use arena::player::case::CasePlayer;
use arena::player::exit::Program;
use arena::terms::Bounds;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The time within which a program has to say its version.
const PATIENCE: Duration = Duration::from_secs(20);

/// The programs of the machine, tried once each.
pub(super) struct Tools {
    bounds: Bounds,
    tried: Mutex<HashMap<String, Option<Tool>>>,
}

/// A program that works in a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tool {
    /// Where it is, if its name alone does not find it in a box.
    pub path: Option<PathBuf>,
    /// What a box has to show for it.
    pub shown: Vec<PathBuf>,
    /// The version that it says it has, such as `3.11.2`.
    pub version: Option<String>,
}

impl Tools {
    /// The programs of a machine, for boxes with these limits.
    pub(super) fn new(bounds: &Bounds) -> Tools {
        Tools { bounds: bounds.clone(), tried: Mutex::default() }
    }

    /// What a language needs and has not got here: why, and what to do about it.
    pub(super) fn missing(&self, language: &Language) -> Result<Option<String>> {
        for name in &language.needs {
            if self.tool(name, language.version.as_deref())?.is_none() {
                let version = language.version.as_deref().unwrap_or_default();
                return Ok(Some(match located(name) {
                    None => format!("no {name} here; install it and run the intake again"),
                    Some(_) => format!("no {name} here that works: `{name} {version}` fails in the box of players"),
                }));
            }
        }
        Ok(None)
    }

    /// A program that works; `None` if it does not.
    pub(super) fn tool(&self, name: &str, version: Option<&str>) -> Result<Option<Tool>> {
        // One program is tried at a time: the others that ask wait for what is found.
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tried.get(name) {
            return Ok(known.clone());
        }
        let found = self.try_out(name, version)?;
        tried.insert(name.to_string(), found.clone());
        Ok(found)
    }

    fn try_out(&self, name: &str, version: Option<&str>) -> Result<Option<Tool>> {
        let Some(path) = located(name) else { return Ok(None) };
        let mut tool = behind_rustup(&path, name).unwrap_or_default();
        let Some(version) = version else { return Ok(Some(tool)) };
        let command = [program(name, &tool), version.to_string()];
        let bounds = self.bounds_for([&tool].into_iter());
        let program = Program { command: &command, home: None, own_command: true };
        let run = CasePlayer::new(&program, &bounds).and_then(|player| player.run("", PATIENCE));
        // What cannot even be started is not there.
        let Some(run) = run.ok().filter(|run| run.fault.is_none() && !run.lost) else { return Ok(None) };
        tool.version = version_in(&run.said);
        Ok(Some(tool))
    }

    /// The limits of a box in which these programs work.
    pub(super) fn bounds_for<'t>(&self, tools: impl Iterator<Item = &'t Tool>) -> Bounds {
        let mut bounds = self.bounds.clone();
        for tool in tools {
            bounds.read_only.extend(tool.shown.iter().cloned());
            if let Some(folder) = tool.path.as_deref().and_then(Path::parent) {
                bounds.env.push(format!("PATH={}:/usr/local/bin:/usr/bin:/bin", folder.display()));
            }
        }
        bounds
    }

    /// The limits of a box for what a language needs.
    pub(super) fn bounds(&self, language: &Language) -> Result<Bounds> {
        let mut tools = Vec::new();
        for name in &language.needs {
            tools.extend(self.tool(name, language.version.as_deref())?);
        }
        Ok(self.bounds_for(tools.iter()))
    }

    /// A command with its program by the place where it works.
    pub(super) fn resolved(&self, mut command: Vec<String>) -> Vec<String> {
        let tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = command.first_mut()
            && let Some(Some(tool)) = tried.get(first)
        {
            *first = program(first, tool);
        }
        command
    }
}

/// The first word of a text that is a version: digits and dots, a `v` before it at most.
fn version_in(said: &str) -> Option<String> {
    let words = said.split(|sign: char| sign.is_whitespace() || "\"'(),".contains(sign));
    let versions = words.map(|word| word.strip_prefix('v').unwrap_or(word)).filter(|word| {
        word.contains('.') && word.starts_with(|sign: char| sign.is_ascii_digit()) && !word.ends_with('.')
    });
    versions.map(|word| word.chars().take(20).collect()).next()
}

fn program(name: &str, tool: &Tool) -> String {
    tool.path.as_ref().map_or(name.to_string(), |path| path.display().to_string())
}

/// Where a program is, by the judge's own PATH.
pub(super) fn located(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).map(|place| place.join(name)).find(|path| path.is_file())
}

/// The real program behind one of rustup's, which asks for files of its user's to find it.
fn behind_rustup(path: &Path, name: &str) -> Option<Tool> {
    let real = std::fs::canonicalize(path).ok()?;
    let is_rustup = real.file_name().is_some_and(|name| name == "rustup")
        || path.parent().is_some_and(|folder| folder.join("rustup").is_file() && folder.ends_with(".cargo/bin"));
    if !is_rustup {
        return None;
    }
    // From a directory in which nobody has left a file that names another toolchain.
    let said = Command::new(path.with_file_name("rustc"))
        .args(["--print", "sysroot"])
        .current_dir("/")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let root = PathBuf::from(String::from_utf8(said.stdout).ok()?.trim());
    let program = root.join("bin").join(name);
    let shown = ["bin", "lib", "libexec"].map(|part| root.join(part)).into_iter().filter(|part| part.exists());
    program.is_file().then(|| Tool { path: Some(program), shown: shown.collect(), version: None })
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn versions_are_found_in_what_compilers_and_interpreters_say() {
        for (said, version) in [
            ("Python 3.11.2\n", Some("3.11.2")),
            ("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022", Some("12.2.0-14+deb12u1")),
            ("openjdk version \"17.0.13\" 2024-10-15", Some("17.0.13")),
            ("v18.20.4\n", Some("18.20.4")),
            ("no version. At all", None),
        ] {
            assert_eq!(version_in(said).as_deref(), version, "{said}");
        }
    }
}
