//! The game of a folder, and that of a record whose folder is not there.

use super::contents::{FILE, STARTERS, checksum_of};
use super::position::ProgramRules;
use super::program::RulesProgram;
use crate::keys::reference_kind;
use crate::record::{Header, MoveRecord, Record, RecordedPosition};
use crate::toml_text;
use anygame::game::{FolderGame, GameFiles, Interface, Keep, Opponent, kept, kept_list};
use anygame::{AnyGame, GameClock};
use anyhow::{Context, Result, bail, ensure};
use clock::lock;
use sandbox::system;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// Less time of the rules is not worth a word.
const WORTH_TELLING: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct GameFile {
    name: String,
    title: String,
    sides: Vec<String>,
    rules: String,
    plies: u32,
    input: Option<String>,
    output: Option<String>,
    keep: Option<KeepKey>,
    #[serde(default)]
    programs: Vec<String>,
    #[serde(default)]
    given: Vec<String>,
    clock: Option<ClockKey>,
    #[serde(default)]
    hidden: bool,
    #[serde(default)]
    opponents: Vec<OpponentFile>,
    programs_talk: Option<TalkKey>,
    adapter: Option<AdapterKey>,
}

/// What asks hand-ins of a language for moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table, such as { python = \"agent(observation)\" }")]
struct AdapterKey {
    /// A function or method with its parameters.
    python: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum TalkKey {
    Lines,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpponentFile {
    name: String,
    command: String,
    clock: Option<ClockKey>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum KeepKey {
    Word(String),
    Names(Vec<String>),
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum ClockKey {
    Move(f64),
    Game(f64),
}

impl ClockKey {
    fn clock(self) -> GameClock {
        match self {
            ClockKey::Move(seconds) => GameClock::Single(seconds),
            ClockKey::Game(seconds) => GameClock::Game(seconds),
        }
    }
}

#[derive(Deserialize)]
struct TryFile {
    /// As the rules program has it, or a value of which menagerie_rules.py makes one.
    state: Value,
    note: Option<String>,
}

/// Whether a game's name is a path or an existing folder.
pub fn is_folder(name: &str) -> bool {
    system::is_path(name) || Path::new(name).is_dir()
}

/// Loads the game of a folder, once for each folder.
pub fn load(folder: &Path) -> Result<&'static AnyGame> {
    let folder = fs::canonicalize(folder).with_context(|| {
        format!("{}: a game's folder has a file {FILE} and its rules", folder.display())
    })?;
    let mut loaded = lock(&LOADED);
    let games = loaded.get_or_insert_default();
    if let Some((game, _)) = games.get(&folder) {
        return Ok(game);
    }
    let (game, program) = read(&folder)?;
    let game: &'static AnyGame = Box::leak(Box::new(game));
    games.insert(folder, (game, program));
    Ok(game)
}

/// The program of a game's rules, if they are one.
pub fn program_of(game: &AnyGame) -> Option<&'static RulesProgram> {
    let loaded = lock(&LOADED);
    loaded.as_ref()?.get(game.interface.folder?).map(|(_, program)| *program)
}

/// Words on the part of a run's time that the rules took, if it is more than a third.
pub fn share_of_rules(game: &AnyGame, wall: Duration, workers: usize) -> Option<String> {
    words_on_share(program_of(game)?.waited_for(), wall, workers)
}

fn words_on_share(rules: Duration, wall: Duration, workers: usize) -> Option<String> {
    let share = rules.as_secs_f64() / (wall.as_secs_f64() * workers.max(1) as f64);
    (rules > WORTH_TELLING && share > 1.0 / 3.0).then(|| {
        format!(
            "the rules took {:.0} % of the time: docs/own-game.md, \"Speed\", says how to make them faster",
            100.0 * share.min(1.0)
        )
    })
}

static LOADED: Mutex<Option<HashMap<PathBuf, Loaded>>> = Mutex::new(None);

type Loaded = (&'static AnyGame, &'static RulesProgram);

fn text_of(folder: &Path, name: &str) -> Result<Option<String>> {
    let path = folder.join(name);
    if path.exists() { toml_text::read(&path).map(Some) } else { Ok(None) }
}

fn read(folder: &Path) -> Result<(AnyGame, &'static RulesProgram)> {
    let path = folder.join(FILE);
    let text =
        text_of(folder, FILE)?.with_context(|| format!("{}: no such file", path.display()))?;
    let command = command(&toml_text::parse(path.display(), &text)?);
    let command =
        command.with_context(|| format!("{}: rules: expected a command", path.display()))?;
    let program = |name: &str, files| RulesProgram::new(name, folder, command, files);
    let (game, program) =
        game_of(&text, folder, program).with_context(|| path.display().to_string())?;
    let game = AnyGame {
        rules_page: text_of(folder, "rules.md")?.map(kept),
        test_positions: test_positions(folder)?,
        scheme: text_of(folder, "scheme.toml")?.map(kept),
        starters: starters(folder)?,
        in_records: Some(Box::leak(Box::new(FolderGame {
            toml: text,
            checksum: checksum_of(folder, |_| true)?,
        }))),
        ..game
    };
    Ok((game, program))
}

fn starters(folder: &Path) -> Result<&'static [(&'static str, &'static str)]> {
    let mut found = Vec::new();
    for (language, name) in STARTERS {
        let text = text_of(folder, &format!("{language}/{name}"))?;
        found.extend(text.map(|text| (name, kept(text))));
    }
    Ok(found.leak())
}

fn command(file: &GameFile) -> Option<Vec<String>> {
    system::shell_words(&file.rules).filter(|words| !words.is_empty())
}

/// A game without what lies beside `game.toml`. `program` makes the rules of the game's name and
/// the names of its files.
fn game_of(
    text: &str,
    folder: &Path,
    program: impl FnOnce(&str, [String; 2]) -> RulesProgram,
) -> Result<(AnyGame, &'static RulesProgram)> {
    let file: GameFile = toml_text::parse(FILE, text)?;
    file.check()?;
    let hidden = file.hidden;
    let sides = [0, 1].map(|side: usize| kept(file.sides[side].as_str()));
    let input = file.input.map_or(GameFiles::USUAL.input, kept);
    let output = file.output.map_or(GameFiles::USUAL.output, kept);
    let program: &'static RulesProgram =
        Box::leak(Box::new(program(&file.name, [input.to_string(), output.to_string()])));
    let clock = file.clock.map(ClockKey::clock);
    let opponents = file.opponents.into_iter().map(|opponent| Opponent {
        name: kept(opponent.name),
        command: kept(opponent.command),
        clock: opponent.clock.map(ClockKey::clock),
    });
    let control = clock.unwrap_or(GameClock::Game(1.0)).control();
    let solved = OnceLock::new();
    let rules = Box::leak(Box::new(ProgramRules { program, sides, control, hidden, solved }));
    let keep = match file.keep {
        Some(KeepKey::Names(names)) => Keep::Only(kept_list(names)),
        _ => Keep::All,
    };
    let game = AnyGame {
        key: kept(folder.to_string_lossy()),
        sides,
        ply_limit: file.plies,
        interface: Interface {
            folder: Some(Box::leak(folder.into())),
            files: GameFiles { input, output, keep },
            programs: kept_list(file.programs),
            given: kept_list(file.given),
            talks: file.programs_talk.is_some() || file.adapter.is_some(),
            function: file.adapter.map(|adapter| kept(adapter.python)),
            opponents: opponents.collect::<Vec<_>>().leak(),
            clock,
            ..Interface::default()
        },
        ..AnyGame::bare(kept(file.name), kept(file.title), rules)
    };
    Ok((game, program))
}

/// Whether a text is the name of a function, or a class and a method, and names of parameters.
fn is_function(text: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && word.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let Some((name, rest)) = text.split_once('(') else { return false };
    let Some(parameters) = rest.strip_suffix(')') else { return false };
    let (class, function) = name.rsplit_once('.').unwrap_or(("any", name));
    is_word(&class.replace('*', "any"))
        && is_word(function)
        && parameters.split(',').map(str::trim).all(is_word)
}

/// Whether a text can be the name of a file, without a folder. A `*` stands for any letters where
/// programs are looked for.
pub fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', '\0']) && name != "." && name != ".."
}

/// The game of a record whose folder is not there: it knows the positions that were played alone.
pub fn of_record(record: &Record) -> Result<&'static AnyGame> {
    let Header { game, own, .. } = &record.header;
    let Some(own) = own else {
        bail!("{game}: no such folder, and the record does not keep what its rules showed")
    };
    let folder = Path::new(game);
    let program = |name: &str, files| {
        let program = RulesProgram::new(name, folder, Vec::new(), files);
        for (_, moves, end) in record.all_games() {
            remember(&program, moves, end.and_then(|end| end.position.as_deref()));
        }
        program
    };
    let (game, _) = game_of(&own.toml, folder, program)
        .with_context(|| format!("{game}: game.toml in the record"))?;
    Ok(Box::leak(Box::new(game)))
}

/// Tells a program the answers for a recorded game. `last` is its last position.
fn remember(program: &RulesProgram, moves: &[MoveRecord], last: Option<&RecordedPosition>) {
    let positions = moves.iter().map(|mv| mv.position.as_deref()).chain([last]);
    let mut before: Option<(&str, &str)> = None;
    for (ply, position) in positions.enumerate() {
        if let Some(position) = position {
            program.remember_position(position, before);
        }
        before = position
            .zip(moves.get(ply))
            .map(|(position, mv)| (position.state.as_str(), mv.output.as_str()));
    }
}

impl GameFile {
    fn check(&self) -> Result<()> {
        let is_name = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
                && text.len() <= 40
        };
        let GameFile { name, sides, plies, .. } = self;
        ensure!(is_name(name), "name: expected letters, digits and '-', found '{name}'");
        ensure!(
            sides.len() == 2,
            "sides: expected two words, found {}: the judge plays games of two sides alone",
            sides.len()
        );
        for side in sides {
            let is_word = !side.is_empty()
                && side.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
            ensure!(is_word, "sides: expected two words, found '{side}'");
        }
        ensure!(sides[0] != sides[1], "sides: expected two names, found '{}' twice", sides[0]);
        ensure!((1..=100_000).contains(plies), "plies: expected 1 to 100000, found {plies}");
        let kept = match &self.keep {
            Some(KeepKey::Word(word)) if word != "all" => {
                bail!("keep: expected \"all\" or a list of names, found \"{word}\"")
            }
            Some(KeepKey::Names(names)) => &names[..],
            _ => &[],
        };
        let files = [&self.input, &self.output].into_iter().flatten();
        for name in files.chain(kept).chain(&self.programs) {
            ensure!(is_file_name(name), "expected the name of a file, found '{name}'");
        }
        for path in &self.given {
            let is_inside =
                Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
            ensure!(
                is_inside && !path.is_empty(),
                "given: expected a name, or a path in the folder, found '{path}'"
            );
        }
        if let Some(AdapterKey { python }) = &self.adapter {
            ensure!(
                is_function(python),
                "adapter: expected a function and its parameters, as \"agent(observation)\", or a \
                 method, as \"*.step(board, side)\", found \"{python}\""
            );
        }
        let input = self.input.as_deref().unwrap_or(GameFiles::USUAL.input);
        let output = self.output.as_deref().unwrap_or(GameFiles::USUAL.output);
        ensure!(input != output, "input, output: expected two files, found '{input}' twice");
        for opponent in &self.opponents {
            let name = &opponent.name;
            ensure!(
                is_name(name),
                "opponents: expected a name of letters, digits and '-', found '{name}'"
            );
            ensure!(
                reference_kind(name).is_err(),
                "opponents: {name} is a reference player of all games: expected another name"
            );
            let same = self.opponents.iter().filter(|other| other.name == *name).count();
            ensure!(same == 1, "opponents: expected each name once, found {name} again");
        }
        let clocks = self.opponents.iter().filter_map(|opponent| opponent.clock).chain(self.clock);
        for ClockKey::Move(seconds) | ClockKey::Game(seconds) in clocks {
            ensure!(
                seconds > 0.0 && seconds < 1e7,
                "clock: expected a positive number of seconds, found {seconds}"
            );
        }
        Ok(())
    }
}

/// Titles and states of `try/*.json`, by the names of the files.
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
        let position: TryFile = serde_json::from_str(&text)
            .with_context(|| folder.join(&name).display().to_string())?;
        let title = position.note.unwrap_or(name);
        let state = match position.state {
            Value::String(state) => state,
            other => format!("\t{other}"),
        };
        positions.push((kept(crate::plain::shown(&title)), kept(state)));
    }
    Ok(Box::leak(positions.into_boxed_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_slow_rules_is_told() {
        for (rules, wall, workers, share) in [
            (6, 12, 1, Some("the rules took 50 % of the time")),
            (90, 12, 4, Some("the rules took 100 % of the time")),
            (6, 18, 1, None),
            (6, 12, 2, None),
            (5, 5, 1, None),
        ] {
            let [rules, wall] = [rules, wall].map(Duration::from_secs);
            let words = words_on_share(rules, wall, workers);
            assert_eq!(words.as_ref().and_then(|words| words.split(':').next()), share);
        }
    }
}
