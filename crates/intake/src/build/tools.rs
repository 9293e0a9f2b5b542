//! Finds compilers and interpreters, what the sandbox has to show for them, and what they support.

use crate::find::languages::{Language, Languages};
use anygame::game::GameFiles;
use anyhow::Result;
use arena::player::case::{CasePlayer, CaseRun};
use arena::player::exit::Program;
use arena::terms::Bounds;
use clock::lock;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// Runs a tool in the box of programs, for as long as it may print its version or parse the sources
/// of a submission, whose folder is `home`. Errors: it cannot be started.
pub(super) fn run_tool(
    command: &[String],
    home: Option<&Path>,
    bounds: &Bounds,
) -> Result<CaseRun> {
    const TIME: Duration = Duration::from_secs(20);
    let program = Program { command, home, own_command: true };
    CasePlayer::new(&program, GameFiles::USUAL, bounds)?.run("", TIME)
}

pub(crate) struct Tools {
    bounds: Bounds,
    tried: Mutex<HashMap<String, Option<Tool>>>,
}

#[derive(Clone, Default)]
pub(crate) struct Tool {
    /// The path, if the name does not suffice in the sandbox.
    pub path: Option<PathBuf>,
    /// Paths that the sandbox has to show for the tool.
    pub shown: Vec<PathBuf>,
    /// The version that the tool prints, such as `3.11.2`.
    pub version: Option<String>,
}

impl Tools {
    pub(crate) fn new(bounds: &Bounds) -> Tools {
        Tools { bounds: bounds.clone(), tried: Mutex::default() }
    }

    /// Tools that build within `memory_mib`, programs of at most `size_mib`.
    pub(crate) fn of_builds(bounds: &Bounds, memory_mib: u64, size_mib: u64) -> Tools {
        let (file_mib, disk_mib, keep) = (size_mib, 2 * size_mib, 1 << 16);
        Tools::new(&Bounds { memory_mib, file_mib, disk_mib, keep, ..bounds.clone() })
    }

    /// Returns which tool of a language is missing or does not work; `None` if all work.
    pub(crate) fn missing(&self, language: &Language) -> Result<Option<String>> {
        let version = language.version.as_deref();
        for name in &language.needs {
            if self.tool(name, version)?.is_none() {
                let what = match find_tool(name) {
                    None => "is not installed".to_string(),
                    Some(_) => format!(
                        "does not work: `{name} {}` fails in the players' sandbox",
                        version.unwrap_or_default()
                    ),
                };
                return Ok(Some(format!("{name} {what}; install it and run the intake again")));
            }
        }
        Ok(None)
    }

    /// Returns a tool; `None` if it is missing or does not work.
    pub(crate) fn tool(&self, name: &str, version: Option<&str>) -> Result<Option<Tool>> {
        // The lock is held so that no other thread tries the tool.
        let mut tried = lock(&self.tried);
        if !tried.contains_key(name) {
            tried.insert(name.to_string(), self.try_out(name, version)?);
        }
        Ok(tried[name].clone())
    }

    fn try_out(&self, name: &str, version: Option<&str>) -> Result<Option<Tool>> {
        let Some(path) = find_tool(name) else { return Ok(None) };
        let mut tool = resolve_rustup(&path, name).unwrap_or_default();
        let Some(version) = version else { return Ok(Some(tool)) };
        let command = [program(name, &tool), version.to_string()];
        let bounds = self.bounds_for([&tool].into_iter());
        let run = || {
            let run = run_tool(&command, None, &bounds).ok()?;
            Some(run).filter(|run| run.fault.is_none() && !run.lost)
        };
        // One start decides for a whole class: what may be a failure of the machine is tried again.
        let Some(run) = run().or_else(run) else { return Ok(None) };
        tool.version = version_in(&run.said);
        Ok(Some(tool))
    }

    /// Returns the limits of a sandbox in which these tools work.
    pub(crate) fn bounds_for<'t>(&self, tools: impl Iterator<Item = &'t Tool>) -> Bounds {
        let mut bounds = self.bounds.clone();
        for tool in tools {
            bounds.read_only.extend(tool.shown.iter().cloned());
            if let Some(folder) = tool.path.as_deref().and_then(Path::parent) {
                bounds.env.push(format!("PATH={}:/usr/local/bin:/usr/bin:/bin", folder.display()));
            }
        }
        bounds
    }

    pub(crate) fn bounds(&self, language: &Language) -> Result<Bounds> {
        let mut tools = Vec::new();
        for name in &language.needs {
            tools.extend(self.tool(name, language.version.as_deref())?);
        }
        Ok(self.bounds_for(tools.iter()))
    }

    /// Puts the names under which interpreters are installed into the table.
    pub(crate) fn installed(&self, mut languages: Languages) -> Result<Languages> {
        let has_others = |language: &&mut Language| !language.instead.is_empty();
        for language in languages.list.iter_mut().filter(has_others) {
            let version = language.version.as_deref();
            let Some(name) = language.needs.first_mut() else { continue };
            for other in [name.clone()].iter().chain(&language.instead) {
                if self.tool(other, version)?.is_some() {
                    language.run = language.run.replacen(&*name, other, 1);
                    name.clone_from(other);
                    break;
                }
            }
        }
        Ok(languages)
    }

    /// Returns a command with the path of its tool.
    pub(crate) fn resolved(&self, mut command: Vec<String>) -> Vec<String> {
        let tried = lock(&self.tried);
        if let Some(first) = command.first_mut()
            && let Some(Some(tool)) = tried.get(first)
        {
            *first = program(first, tool);
        }
        command
    }
}

/// A language of the table, and whether this machine supports it.
pub struct LanguageSupport {
    /// The name of the language.
    pub name: String,
    /// The version of its first compiler or interpreter.
    pub version: Option<String>,
    /// Why submissions in this language cannot be taken in, and what helps.
    pub missing: Option<String>,
}

/// Tries the compilers and interpreters of all languages in the players' sandbox.
pub fn language_support() -> Result<Vec<LanguageSupport>> {
    let tools = Tools::new(&Bounds { keep: 1 << 12, ..Bounds::default() });
    let languages = tools.installed(Languages::new(None)?)?;
    let look = |language: &Language| {
        let first = language.needs.first();
        let first = first.map(|name| tools.tool(name, language.version.as_deref())).transpose()?;
        let version = first.flatten().and_then(|tool| tool.version);
        let missing = tools.missing(language)?;
        Ok(LanguageSupport { name: language.name.clone(), version, missing })
    };
    languages.list.iter().map(look).collect()
}

/// Returns the first word that is a version: digits and dots, perhaps after a `v`.
pub(crate) fn version_in(output: &str) -> Option<String> {
    // Maven's version ends in a terminal code.
    let words = output
        .split(|sign: char| sign.is_whitespace() || sign.is_control() || "\"'(),".contains(sign));
    let versions = words.map(|word| word.strip_prefix('v').unwrap_or(word)).filter(|word| {
        word.contains('.')
            && word.starts_with(|sign: char| sign.is_ascii_digit())
            && !word.ends_with('.')
    });
    versions.map(|word| word.chars().take(20).collect()).next()
}

/// Returns the path of a tool, or its name if the name suffices.
fn program(name: &str, tool: &Tool) -> String {
    tool.path.as_ref().map_or(name.to_string(), |path| path.display().to_string())
}

/// Returns the path of a program in the judge's own PATH.
pub(crate) fn find_tool(name: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).map(|place| place.join(name)).find(|path| path.is_file())
}

/// Returns a warning if `python3` is a script that looks for the interpreter, as pyenv's: players
/// pay for that at each start.
pub fn python_script() -> Option<String> {
    script_warning(&find_tool("python3")?)
}

fn script_warning(path: &Path) -> Option<String> {
    let mut beginning = [0; 2];
    File::open(path).ok()?.read_exact(&mut beginning).ok()?;
    if &beginning != b"#!" {
        return None;
    }
    let asked = "import os, sys; print(os.path.dirname(sys.executable))";
    let output = Command::new(path).args(["-c", asked]).stdin(Stdio::null()).output().ok()?;
    let real = String::from_utf8_lossy(&output.stdout).trim().to_string();
    let first = match real.is_empty() {
        true => "the directory of the interpreter itself".to_string(),
        false => arena::plain::shown(&real),
    };
    Some(format!(
        "{} is a script that looks for the interpreter at each start, and programs pay for that: put {first} first in PATH",
        path.display()
    ))
}

/// Returns the tool behind one of rustup's proxies, which read the user's home directory.
fn resolve_rustup(path: &Path, name: &str) -> Option<Tool> {
    let real = std::fs::canonicalize(path).ok()?;
    let is_rustup = real.file_name().is_some_and(|name| name == "rustup")
        || path.parent().is_some_and(|folder| {
            folder.join("rustup").is_file() && folder.ends_with(".cargo/bin")
        });
    if !is_rustup {
        return None;
    }
    // In the root directory, no file names another toolchain.
    let output = Command::new(path.with_file_name("rustc"))
        .args(["--print", "sysroot"])
        .current_dir("/")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let root = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let program = root.join("bin").join(name);
    let shown = ["bin", "lib", "libexec"]
        .map(|part| root.join(part))
        .into_iter()
        .filter(|part| part.exists());
    program.is_file().then(|| Tool { path: Some(program), shown: shown.collect(), version: None })
}

#[cfg(test)]
mod tests {
    use super::{script_warning, version_in};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_script_that_looks_for_python_is_told_with_the_directory_of_the_real_one() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("python3");
        let told = |text: &str| {
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
            script_warning(&path)
        };
        let shim = told("#!/bin/sh\necho /real/bin\n").unwrap();
        assert!(shim.starts_with(&path.display().to_string()), "{shim}");
        assert!(shim.ends_with(": put /real/bin first in PATH"), "{shim}");
        assert_eq!(told("\u{7f}ELF"), None);
    }

    #[test]
    fn versions_are_found_in_what_compilers_and_interpreters_say() {
        for (said, version) in [
            ("Python 3.11.2\n", Some("3.11.2")),
            (
                "g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022",
                Some("12.2.0-14+deb12u1"),
            ),
            ("openjdk version \"17.0.13\" 2024-10-15", Some("17.0.13")),
            ("v18.20.4\n", Some("18.20.4")),
            ("\u{1b}[1mApache Maven 3.8.7\u{1b}[m\nMaven home: /usr/share/maven", Some("3.8.7")),
            ("no version. At all", None),
        ] {
            assert_eq!(version_in(said).as_deref(), version, "{said}");
        }
    }
}
