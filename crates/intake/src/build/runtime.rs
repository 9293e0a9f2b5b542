//! What runs a program besides its own files, such as an interpreter: the intake writes it into
//! `submission.toml`, and whoever runs the program later tries first whether it is still there.

use crate::build::tools::{find_tool, run_tool, version_in};
use crate::find::languages::Languages;
use crate::find::python_imports::imported_names;
use crate::find::source_text::{read_beginning, shebang};
use crate::submission::{PROGRAM, Runtime, State, Submission, read_mark};
use anyhow::{Result, bail};
use arena::plain;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::terms::Bounds;
use clock::lock;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Mutex;

impl Runtime {
    /// What runs a command in its folder, without versions; `None` without a command.
    fn of(command: &str, language: Option<&str>, folder: &Path) -> Option<Runtime> {
        let program = command.split_whitespace().next()?.to_string();
        if program.contains('/') {
            let first = read_beginning(&folder.join(&program));
            let program = shebang(&first).map_or(program, str::to_string);
            return Some(Runtime { program, ..Runtime::default() });
        }
        let languages = Languages::new(None).ok()?.list;
        let known = languages.into_iter().find(|known| Some(&*known.name) == language);
        let option = known.and_then(|known| known.version).unwrap_or_default();
        Some(Runtime { program, option, ..Runtime::default() })
    }

    fn is_compiled(&self) -> bool {
        self.program.contains('/')
    }

    fn shown(&self) -> String {
        let version = self.version.as_ref().map_or(String::new(), |version| format!(" {version}"));
        let path =
            self.path.as_ref().map_or(String::new(), |path| format!(" ({})", path.display()));
        plain::shown(&format!("{}{version}{path}", self.program))
    }
}

type Said = Result<String, String>;

/// What runs programs on this machine. Each interpreter is tried once, in the box of programs.
pub struct Runtimes {
    bounds: Bounds,
    tried: Mutex<HashMap<Vec<String>, Said>>,
}

impl Runtimes {
    /// Nothing has been tried. The limits are those of programs.
    pub fn new(bounds: &Bounds) -> Runtimes {
        Runtimes { bounds: Bounds { keep: 1 << 14, ..bounds.clone() }, tried: Mutex::default() }
    }

    /// Returns what runs a submission's program in its folder, as it is found now.
    pub(crate) fn find(&self, submission: &Submission, folder: &Path) -> Option<Runtime> {
        let command = submission.command.as_deref()?;
        let mut found = Runtime::of(command, submission.language.as_deref(), folder)?;
        if found.is_compiled() {
            return self.libraries(&found, folder).is_ok().then_some(found);
        }
        found.path = find_tool(&found.program);
        match self.version(&found) {
            Ok(version) => found.version = version,
            Err(_) => found.option.clear(),
        }
        if found.program.starts_with("py") {
            let is_source = |path: &Path| path.extension().is_some_and(|end| end == "py");
            let sources = submission.files.iter().filter(|path| is_source(path));
            let names: BTreeSet<String> = sources
                .flat_map(|path| imported_names(&read_beginning(&folder.join(path))))
                .collect();
            found.modules = self.modules(&found, names.into_iter().collect());
        }
        Some(found)
    }

    /// Returns how what runs a submission's program differs from what the intake has found; `None`
    /// if it does not. Of a submission that was taken in before runtimes were kept, and of a command
    /// that was changed by hand, only what is missing or fails is told.
    pub fn fault(&self, submission: &Submission, folder: &Path) -> Option<String> {
        let command = submission.command.as_deref()?;
        let now = Runtime::of(command, submission.language.as_deref(), folder)?;
        let known = submission.runtime.as_ref().filter(|then| then.program == now.program);
        let then = known.unwrap_or(&now);
        let fault = if then.is_compiled() {
            let was_tried = known.is_some() || submission.state != State::DoesNotPlay;
            was_tried.then(|| self.libraries(then, folder).err()).flatten()
        } else {
            match self.version(then) {
                Err(why) => Some(why),
                Ok(found) if then.version.is_some() && found != then.version => {
                    let found = found.unwrap_or_else(|| "of no version".to_string());
                    Some(format!("{} is {found} here", then.program))
                }
                Ok(_) => self.lacking(then),
            }
        };
        fault.map(|fault| format!("the intake found {}, and {fault}", then.shown()))
    }

    /// As [`Self::fault`], of a player in the folder that an intake has written.
    pub fn fault_of(&self, player: &EngineSpec) -> Option<String> {
        let (PlayerKind::Files { command, directory, .. }
        | PlayerKind::Protocol { command, directory, .. }) = &player.kind
        else {
            return None;
        };
        let folder = directory.as_deref().filter(|folder| folder.ends_with(PROGRAM))?;
        let place = folder.parent()?;
        read_mark(place.parent()?).ok().flatten()?;
        let submission = Submission::read(place).ok()?;
        let own = submission.command.as_deref().and_then(shlex::split);
        self.fault(&submission, folder).filter(|_| own.as_ref() == Some(command))
    }

    /// Fails with the names of the players that an intake has taken in and that do not run here as
    /// they did there.
    pub fn check(&self, players: &[EngineSpec]) -> Result<()> {
        let fault = |player: &EngineSpec| Some((player.name.clone(), self.fault_of(player)?));
        let waiting: Vec<_> = players.iter().filter_map(fault).collect();
        if !waiting.is_empty() {
            bail!("{}", waiting_words(&waiting));
        }
        Ok(())
    }

    fn version(&self, runtime: &Runtime) -> Result<Option<String>, String> {
        let Runtime { program, option, .. } = runtime;
        if find_tool(program).is_none() {
            return Err(format!("{program} is not installed here"));
        }
        if option.is_empty() {
            return Ok(None);
        }
        Ok(version_in(&self.said(&[program, option], None)?))
    }

    fn libraries(&self, runtime: &Runtime, folder: &Path) -> Result<(), String> {
        const LISTER: &str = "ldd";
        if find_tool(LISTER).is_none() {
            return Ok(());
        }
        // A program that is linked statically, and one that is no program of this system, fails.
        let Ok(said) = self.said(&[LISTER, &runtime.program], Some(folder)) else { return Ok(()) };
        let lacking = said.lines().find(|line| line.contains("not found"));
        lacking.map_or(Ok(()), |line| Err(plain::shown(line.trim())))
    }

    /// Returns those of these modules that are installed beside Python's own, with their versions.
    fn modules(&self, runtime: &Runtime, names: Vec<String>) -> Vec<String> {
        let installed = |name: &String| {
            let script = include_str!("../../data/modules.py");
            let said = self.said(&[&runtime.program, "-c", script, name], None).ok()?;
            let line = said.lines().find_map(|line| line.strip_prefix("module\t"))?;
            Some(plain::shown(line.trim()))
        };
        names.iter().filter_map(installed).collect()
    }

    fn lacking(&self, then: &Runtime) -> Option<String> {
        then.modules.iter().find_map(|module| {
            let name = module.split(' ').next().unwrap_or_default().to_string();
            let now = self.modules(then, vec![name]);
            match now.first() {
                Some(now) if now == module => None,
                Some(now) => Some(format!("its module {module} is {now} here")),
                None => Some(format!("its module {module} is missing here")),
            }
        })
    }

    /// Returns what a command prints. Errors: it fails, and how.
    fn said(&self, command: &[&str], home: Option<&Path>) -> Said {
        let command: Vec<String> = command.iter().map(ToString::to_string).collect();
        let key = home.map(|home| home.display().to_string());
        let key: Vec<String> = key.into_iter().chain(command.clone()).collect();
        // The lock is held so that no other thread tries the same.
        let mut tried = lock(&self.tried);
        if let Some(said) = tried.get(&key) {
            return said.clone();
        }
        let run = || -> Said {
            let run = run_tool(&command, home, &self.bounds);
            let run = run.map_err(|error| format!("it cannot be tried here: {error:#}"))?;
            match run.fault {
                Some(how) => {
                    let line = command.iter().take(2).cloned().collect::<Vec<_>>().join(" ");
                    Err(plain::shown(&format!("`{line}` fails here: {how}")))
                }
                None => Ok(run.said),
            }
        };
        // What may be a failure of the machine is tried again.
        let said = run().or_else(|_| run());
        tried.insert(key, said.clone());
        said
    }
}

/// Words about submissions that wait, each by its name and with its reason, and the remedy.
pub fn waiting_words(waiting: &[(String, String)]) -> String {
    let lines = waiting.iter().map(|(name, why)| format!("  {name}: {why}\n")).collect::<String>();
    format!(
        "not graded, since this machine runs them by something else than the intake did; nobody has \
         lost points by that:\n{lines}install what the intake found, or run judge intake again into \
         the same directory, which tries them with what is here; then the same command with --resume \
         goes on"
    )
}
