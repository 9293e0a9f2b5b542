//! The folder of a game: `game.toml` and what lies beside it.

use super::position::ProgramRules;
use super::program::RulesProgram;
use crate::game::AnyGame;
use crate::game_files::{GameFiles, Keep};
use crate::terms::Clock;
use anyhow::{Context, Result, bail, ensure};
use engine::Side;
use sandbox::system;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The name of the file that makes a folder a game.
const FILE: &str = "game.toml";
/// The longest file of a folder that is read, in bytes.
const LONGEST: u64 = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameFile {
    name: String,
    title: String,
    sides: [String; 2],
    rules: String,
    plies: u32,
    #[serde(default = "usual_input")]
    input: String,
    #[serde(default = "usual_output")]
    output: String,
    #[serde(default)]
    keep: KeepKey,
    #[serde(default)]
    programs: Vec<String>,
    clock: Option<ClockKey>,
}

fn usual_input() -> String {
    GameFiles::USUAL.input.to_string()
}

fn usual_output() -> String {
    GameFiles::USUAL.output.to_string()
}

#[derive(Deserialize)]
#[serde(untagged)]
enum KeepKey {
    Word(String),
    Names(Vec<String>),
}

impl Default for KeepKey {
    fn default() -> KeepKey {
        KeepKey::Word("all".to_string())
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ClockKey {
    Move(f64),
    Game(f64),
}

/// A position for `judge try`.
#[derive(Deserialize)]
struct TryFile {
    /// A state as the rules program has it, or the value of which menagerie_rules.py makes one.
    state: Value,
    note: Option<String>,
}

/// Whether the name of a game is that of a folder: a path, or an existing folder.
pub fn is_folder(name: &str) -> bool {
    system::is_path(name) || Path::new(name).is_dir()
}

/// Loads the game of a folder, once for each folder.
///
/// # Errors
/// The folder has no valid `game.toml`; the message names the file and what was expected.
pub fn load(folder: &Path) -> Result<&'static AnyGame> {
    let folder = fs::canonicalize(folder)
        .with_context(|| format!("{}: a game's folder has a file {FILE} and its rules", folder.display()))?;
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let games = loaded.get_or_insert_default();
    if let Some((game, _)) = games.get(&folder) {
        return Ok(game);
    }
    let (game, program) = read(&folder)?;
    let game: &'static AnyGame = Box::leak(Box::new(game));
    games.insert(folder, (game, program));
    Ok(game)
}

/// The program that knows the rules of a game; `None` if they are code of this process.
pub fn program_of(game: &AnyGame) -> Option<&'static RulesProgram> {
    let loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.as_ref()?.get(game.folder?).map(|(_, program)| *program)
}

/// The games that this process has loaded, by their folders.
static LOADED: Mutex<Option<HashMap<PathBuf, Loaded>>> = Mutex::new(None);

/// A game, and the program that knows its rules.
type Loaded = (&'static AnyGame, &'static RulesProgram);

/// A text that lives as long as the process, as those of the games of this process do.
fn kept(text: impl Into<String>) -> &'static str {
    Box::leak(text.into().into_boxed_str())
}

fn text_of(folder: &Path, name: &str) -> Result<Option<String>> {
    let path = folder.join(name);
    if !path.exists() {
        return Ok(None);
    }
    let size = fs::metadata(&path)?.len();
    ensure!(size <= LONGEST, "{}: longer than {} KiB", path.display(), LONGEST >> 10);
    fs::read_to_string(&path).map(Some).with_context(|| path.display().to_string())
}

fn read(folder: &Path) -> Result<(AnyGame, &'static RulesProgram)> {
    let path = folder.join(FILE);
    let text = text_of(folder, FILE)?.with_context(|| format!("{}: no such file", path.display()))?;
    let within = || path.display().to_string();
    let file: GameFile = toml::from_str(&text).with_context(within)?;
    file.check().with_context(within)?;
    let command = system::words(&file.rules).filter(|words| !words.is_empty());
    let command = command.with_context(|| format!("{}: rules: expected a command", path.display()))?;
    let sides = file.sides.map(kept);
    let (input, output) = (kept(file.input), kept(file.output));
    let files = [input.to_string(), output.to_string()];
    let program = RulesProgram::new(file.name.clone(), folder.to_owned(), command, files);
    let clock = file.clock.map(|clock| match clock {
        ClockKey::Move(seconds) => Clock::Single(seconds),
        ClockKey::Game(seconds) => Clock::Game(seconds),
    });
    let control = clock.unwrap_or(Clock::Game(1.0)).control();
    let rules: &'static ProgramRules =
        Box::leak(Box::new(ProgramRules { program: Box::leak(Box::new(program)), sides, control }));
    let list = |names: Vec<String>| -> &'static [&'static str] {
        Box::leak(names.into_iter().map(kept).collect::<Vec<_>>().into_boxed_slice())
    };
    let game = AnyGame {
        name: kept(file.name),
        key: kept(folder.to_string_lossy()),
        title: kept(file.title),
        sides,
        first: Side::First,
        ply_limit: file.plies,
        protocols: &[],
        algorithms: &[],
        agent_rules: "standard",
        rules_page: text_of(folder, "rules.md")?.map(kept),
        test_positions: test_positions(folder)?,
        remedies: &[],
        adapters: &[],
        scheme: text_of(folder, "scheme.toml")?.map(kept),
        files: GameFiles {
            input,
            output,
            keep: match file.keep {
                KeepKey::Word(_) => Keep::All,
                KeepKey::Names(names) => Keep::Only(list(names)),
            },
        },
        programs: list(file.programs),
        clock,
        folder: Some(Box::leak(folder.to_owned().into_boxed_path())),
        other_player: |_, _| None,
        rules,
    };
    Ok((game, rules.program))
}

impl GameFile {
    fn check(&self) -> Result<()> {
        let is_name = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && text.len() <= 40
        };
        ensure!(is_name(&self.name), "name: expected letters, digits and '-', found '{}'", self.name);
        for side in &self.sides {
            let is_word = !side.is_empty() && side.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
            ensure!(is_word, "sides: expected two words, found '{side}'");
        }
        ensure!(self.sides[0] != self.sides[1], "sides: expected two names, found '{}' twice", self.sides[0]);
        ensure!((1..=100_000).contains(&self.plies), "plies: expected 1 to 100000, found {}", self.plies);
        let kept = match &self.keep {
            KeepKey::Word(word) if word == "all" => &[][..],
            KeepKey::Word(word) => bail!("keep: expected \"all\" or a list of names, found \"{word}\""),
            KeepKey::Names(names) => names,
        };
        for name in [&self.input, &self.output].into_iter().chain(kept).chain(&self.programs) {
            let plain = !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != "..";
            ensure!(plain, "expected the name of a file, found '{name}'");
        }
        ensure!(self.input != self.output, "input, output: expected two files, found '{}' twice", self.input);
        if let Some(ClockKey::Move(seconds) | ClockKey::Game(seconds)) = self.clock {
            ensure!(seconds > 0.0 && seconds < 1e7, "clock: expected a positive number of seconds, found {seconds}");
        }
        Ok(())
    }
}

/// The states in `try/*.json`, by the names of the files: titles and states.
fn test_positions(folder: &Path) -> Result<&'static [(&'static str, &'static str)]> {
    let Ok(entries) = fs::read_dir(folder.join("try")) else { return Ok(&[]) };
    let mut names: Vec<String> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".json"));
    names.sort();
    let mut positions = Vec::new();
    for name in names {
        let name = format!("try/{name}");
        let text = text_of(folder, &name)?.unwrap_or_default();
        let position: TryFile =
            serde_json::from_str(&text).with_context(|| folder.join(&name).display().to_string())?;
        let title = position.note.unwrap_or(name);
        let state = match position.state {
            Value::String(state) => state,
            other => format!("\t{other}"),
        };
        positions.push((kept(crate::plain::shown(&title)), kept(state)));
    }
    Ok(Box::leak(positions.into_boxed_slice()))
}
