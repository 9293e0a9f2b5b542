//! The keys of a player, on the command line (`--engine key=value ...`) and in tournament files.

use crate::plain::{self, is_plain, key_and_value, number};
use crate::player::protocol::PlayerProtocol;
use crate::player::spec::{EngineSpec, PlayerKind, UNTIMED};
use anygame::game::{Interface, Opponent};
use anygame::{AnyGame, GameClock};
use anyhow::{Context, Result, anyhow, bail, ensure};
use sandbox::system;
use serde::Deserialize;
use std::env::consts::EXE_SUFFIX;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Limits of reference players, which the judge cannot interrupt.
const MOST_DEPTH: u32 = 8;
const MOST_GAMES: u32 = 1_000_000;

/// The keys of one player.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Keys {
    name: Option<String>,
    cmd: Option<String>,
    engine: Option<String>,
    args: Option<String>,
    dir: Option<PathBuf>,
    time: Option<f64>,
    st: Option<f64>,
    margin: Option<f64>,
    proto: Option<String>,
    #[serde(skip)]
    own_command: bool,
}

const FILE_PROTOCOL: &str = "file";
/// The most characters of a name that is given: tables and pages show it whole.
const LONGEST_NAME: usize = 60;

impl Keys {
    /// Parses `key=value` arguments.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Keys> {
        let mut keys = Keys::default();
        for word in words {
            let (key, value) = key_and_value("--engine", word)?;
            let text = || Some(value.to_string());
            let number = || number("--engine", key, value).map(Some);
            match key {
                "name" => {
                    let length = value.chars().count();
                    ensure!(
                        length <= LONGEST_NAME,
                        "--engine: name: expected at most {LONGEST_NAME} characters, found {length}"
                    );
                    keys.name = text();
                }
                "cmd" => keys.cmd = text(),
                "engine" => keys.engine = text(),
                "args" => keys.args = text(),
                "dir" => keys.dir = Some(PathBuf::from(value)),
                "time" => keys.time = number()?,
                "st" => keys.st = number()?,
                "margin" => keys.margin = number()?,
                "proto" => keys.proto = text(),
                _ => bail!(
                    "--engine: no such key '{key}'; there are name, cmd, engine, args, dir, time, st, margin, proto"
                ),
            }
        }
        Ok(keys)
    }

    /// A program in a copy of a directory. If the command comes from there, the program does not
    /// see the files that it names. A `"` in the name becomes `'`.
    pub fn of_submission(
        command: String,
        directory: PathBuf,
        name: &str,
        own_command: bool,
    ) -> Keys {
        Keys {
            name: Some(name.replace('"', "'")),
            cmd: Some(command),
            dir: Some(directory),
            own_command,
            ..Keys::default()
        }
    }

    /// These keys for a program that speaks this protocol, with so many seconds a turn.
    #[must_use]
    pub fn speaking(self, protocol: &str, seconds: f64) -> Keys {
        Keys { proto: Some(protocol.to_string()), st: Some(seconds), ..self }
    }

    /// These keys, with other paths: of the directory, and of words of the command with a slash,
    /// but for an absolute program at its beginning.
    #[must_use]
    pub fn with_paths(mut self, mut place: impl FnMut(&str) -> PathBuf) -> Keys {
        self.dir = self.dir.map(|path| place(&path.to_string_lossy()));
        self.cmd = self.cmd.map(|cmd| {
            let words = cmd.split(' ').enumerate().map(|(at, word)| {
                let is_path = word.contains('/') && (at > 0 || !word.starts_with('/'));
                if is_path { place(word).to_string_lossy().into_owned() } else { word.into() }
            });
            words.collect::<Vec<String>>().join(" ")
        });
        self
    }

    /// These keys, with missing ones taken from the keys for all players.
    #[must_use]
    pub fn or(self, each: &Keys) -> Keys {
        let (time, st) = match (self.time, self.st) {
            (None, None) => (each.time, each.st),
            own => own,
        };
        Keys {
            args: self.args.or_else(|| each.args.clone()),
            dir: self.dir.or_else(|| each.dir.clone()),
            time,
            st,
            margin: self.margin.or(each.margin),
            proto: self.proto.or_else(|| each.proto.clone()),
            ..self
        }
    }

    /// The specification of the player, for a game.
    pub fn engine(self, game: &AnyGame) -> Result<EngineSpec> {
        self.player(game.name, &game.interface)
    }

    /// The specification of the player, for the game or homework of this name and interface.
    pub fn player(self, asked: &str, interface: &Interface) -> Result<EngineSpec> {
        let words = [&self.engine, &self.cmd, &self.args].into_iter().flatten();
        let words: Vec<&str> = words.map(String::as_str).collect();
        let by_words = || plain::shown(&words.join(" ").replace('"', "'"));
        let name = self.name.clone().unwrap_or_else(by_words);
        let within = |error: anyhow::Error| error.context(format!("engine '{name}'"));
        let clock = self.clock(interface).map_err(within)?;
        let margin = self.margin.unwrap_or(0.0);
        if !(0.0..UNTIMED).contains(&margin) {
            return Err(within(anyhow!("margin: expected seconds, found {margin}")));
        }
        let kind = self.kind(asked, interface).map_err(within)?;
        if name.is_empty() || name.contains('"') || !name.chars().all(is_plain) {
            bail!("name: expected a name without quotes, control characters and what is not seen");
        }
        Ok(EngineSpec { name, kind, clock, margin })
    }

    fn clock(&self, interface: &Interface) -> Result<GameClock> {
        let clock = match (self.time, self.st) {
            (Some(_), Some(_)) => bail!("time= and st= exclude each other"),
            (None, Some(seconds)) => GameClock::Single(seconds),
            (Some(seconds), None) => GameClock::Game(seconds),
            (None, None) => interface.clock.unwrap_or(GameClock::Game(DEFAULT_GAME_CLOCK)),
        };
        let (GameClock::Game(seconds) | GameClock::Single(seconds)) = clock;
        if !(seconds > 0.0 && seconds < 1e7) {
            bail!("expected a positive number of seconds, found {seconds}");
        }
        Ok(clock)
    }

    fn kind(self, asked: &str, interface: &Interface) -> Result<PlayerKind> {
        let protocol = self.proto.filter(|protocol| protocol != FILE_PROTOCOL);
        if let Some(protocol) = &protocol {
            let Some(known) = PlayerProtocol::of(interface, protocol) else {
                let known = PlayerProtocol::all(interface).map(|protocol| protocol.name);
                let known: Vec<&str> = std::iter::once(FILE_PROTOCOL).chain(known).collect();
                let known = known.join(" or ");
                bail!("proto: for {asked} expected {known}, found '{protocol}'");
            };
            if let Some(reason) = (known.refusal)(self.st.is_some(), self.margin.is_some()) {
                bail!("proto={protocol}: {reason}");
            }
        }
        let own_command = self.own_command;
        let args = split(self.args.as_deref().unwrap_or("")).context("args")?;
        let (command, directory) = match (self.cmd, self.engine) {
            (Some(_), Some(_)) => bail!("cmd= and engine= exclude each other"),
            (None, None) => bail!("expected cmd=COMMAND or engine=NAME"),
            (Some(command), None) => {
                let mut command = split(&command).context("cmd")?;
                command.extend(args);
                let directory = self.dir.map(|path| std::path::absolute(&path)).transpose()?;
                if let Some(path) = directory.as_deref().filter(|path| !path.is_dir()) {
                    bail!("dir: {}: no such directory", path.display());
                }
                locate(&mut command, directory.as_deref(), own_command)?;
                (command, directory)
            }
            (None, Some(name)) => match name.strip_prefix("reference:") {
                Some(reference) if args.is_empty() => {
                    return reference_player(interface, reference);
                }
                Some(_) => bail!("args: a reference player takes no arguments"),
                None if interface.is_own() => bail!(
                    "expected a reference player, since {asked} has no agent of ours: reference:random, reference:mcts:N, and with a value in \
                     its rules reference:greedy, reference:minimax:N, reference:alphabeta:N; found '{name}'"
                ),
                None if name == asked => (workspace_agent(asked, args)?, None),
                None => {
                    let hint = match reference_kind(&name) {
                        Ok(_) => format!("; did you mean engine=reference:{name}?"),
                        Err(_) => String::new(),
                    };
                    bail!("expected {asked} or reference:NAME, found '{name}'{hint}")
                }
            },
        };
        Ok(match protocol {
            Some(protocol) => PlayerKind::Protocol { protocol, command, directory, own_command },
            None => PlayerKind::Files { command, directory, own_command },
        })
    }
}

/// The default clock, in seconds for a game.
pub const DEFAULT_GAME_CLOCK: f64 = 100.0;

fn split(text: &str) -> Result<Vec<String>> {
    system::shell_words(text).ok_or_else(|| anyhow!("a quote is not closed in '{text}'"))
}

/// Parses a reference player that all games have, such as `random` or `minimax:2`.
pub fn reference_kind(text: &str) -> Result<PlayerKind> {
    let (name, number) = text.split_once(':').unwrap_or((text, ""));
    let up_to = |most: u32, things: &str| match number.parse() {
        Ok(count) if (1..=most).contains(&count) => Ok(count),
        _ => Err(anyhow!(
            "reference player {name}:N: expected 1 to {most} {things}, found '{number}'"
        )),
    };
    Ok(match name {
        "random" if number.is_empty() => PlayerKind::Random,
        "greedy" if number.is_empty() => PlayerKind::Minimax(1),
        "minimax" => PlayerKind::Minimax(up_to(MOST_DEPTH, "plies")?),
        "alphabeta" => PlayerKind::Alphabeta(up_to(MOST_DEPTH, "plies")?),
        "mcts" => PlayerKind::Mcts(up_to(MOST_GAMES, "random games a move")?),
        _ => bail!(
            "no reference player '{text}'; there are random, greedy, minimax:N and alphabeta:N (1 to {MOST_DEPTH} plies), and \
             mcts:N (N random games a move)"
        ),
    })
}

/// The reference player of this name, of the game's folder or of all games; the error lists them.
pub fn reference_player(interface: &Interface, name: &str) -> Result<PlayerKind> {
    let Some((opponent, folder)) = opponent(interface, name).zip(interface.folder) else {
        let own: Vec<&str> = interface.opponents.iter().map(|opponent| opponent.name).collect();
        return reference_kind(name).map_err(|error| match own.is_empty() {
            true => error,
            false => anyhow!("{error}; and in game.toml {}", own.join(", ")),
        });
    };
    let named = || format!("the opponent {name} in game.toml");
    let mut command = split(opponent.command).with_context(named)?;
    locate(&mut command, Some(folder), false).with_context(named)?;
    Ok(PlayerKind::Files { command, directory: Some(folder.to_owned()), own_command: false })
}

fn opponent(interface: &Interface, name: &str) -> Option<&'static Opponent> {
    interface.opponents.iter().find(|opponent| opponent.name == name)
}

/// A reference player with its own clock, or else this one. Its time is not charged: the speed of
/// this machine must not decide a game.
pub fn reference(game: &AnyGame, name: &str, clock: GameClock) -> Result<EngineSpec> {
    let own = opponent(&game.interface, name).and_then(|opponent| opponent.clock);
    let kind = reference_player(&game.interface, name)?;
    Ok(EngineSpec { name: name.to_string(), kind, clock: own.unwrap_or(clock), margin: UNTIMED })
}

/// The agent's output has search figures for the record.
fn workspace_agent(game: &str, args: Vec<String>) -> Result<Vec<String>> {
    let mut command = vec![workspace_program(game)?.to_string_lossy().into_owned()];
    if !args.iter().any(|argument| ["-v", "--verbose"].contains(&argument.as_str())) {
        command.push("--verbose".to_string());
    }
    command.extend(args);
    Ok(command)
}

/// The path of a game's agent in the directory of the judge's executable.
pub fn workspace_program(game: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("the judge's own program cannot be found")?;
    let program = own.with_file_name(format!("{game}{EXE_SUFFIX}"));
    if !program.is_file() {
        let program = program.display();
        let mut folders =
            own.ancestors().skip(1).map(|folder| folder.file_name().unwrap_or_default());
        let profile = match (folders.next().unwrap_or_default().to_string_lossy(), folders.next()) {
            (profile, Some(target)) if target == "target" => profile,
            _ => bail!("{program}: not there; an archive has the agents beside the judge"),
        };
        let profile = if profile == "debug" { "dev" } else { &*profile };
        bail!("{program}: not built yet; run: cargo build --profile {profile} -p {game}");
    }
    Ok(program)
}

/// Makes the paths in a command absolute, since it runs elsewhere, and checks its program. In a
/// copy of `directory` relative paths refer to the copy; a command from there has no other paths.
fn locate(command: &mut [String], directory: Option<&Path>, own_command: bool) -> Result<()> {
    let Some(program) = command.first().cloned() else { bail!("cmd: the command is empty") };
    for (at, word) in command.iter_mut().enumerate() {
        let in_copy = directory.is_some_and(|directory| directory.join(&word).exists());
        let path = Path::new(&word);
        // A folder `java` is not the program of that name.
        let is_there = if at == 0 { path.is_file() } else { path.exists() };
        if !in_copy && !own_command && !word.starts_with('-') && is_there {
            *word = std::path::absolute(&word)?.to_string_lossy().into_owned();
        }
    }
    let found = if system::is_path(&program) || Path::new(&command[0]).is_absolute() {
        let in_copy =
            directory.and_then(|directory| system::program_file(&directory.join(&program)));
        let outside =
            Some(PathBuf::from(&command[0])).filter(|path| path.is_absolute() || !own_command);
        in_copy.or_else(|| system::program_file(&outside?))
    } else {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let mut places = std::env::split_paths(&paths)
            .filter_map(|place| system::program_file(&place.join(&program)));
        places.find(|path| mode(path) & EXECUTABLE != 0)
    };
    match found {
        None => bail!("cmd: {program}: no such program"),
        Some(path) => check_executable(&path).with_context(|| format!("cmd: {program}")),
    }
}

const EXECUTABLE: u32 = 0o111;

fn mode(path: &Path) -> u32 {
    path.metadata().map_or(0, |data| system::mode(&data))
}

fn check_executable(path: &Path) -> Result<()> {
    if mode(path) & EXECUTABLE == 0 {
        bail!(
            "it may not be executed, its mode is {:o}: chmod +x, or name the interpreter before it",
            mode(path) & 0o777
        );
    }
    let mut beginning = Vec::new();
    // A file that cannot be read here may still be executable.
    let _ =
        File::open(path).and_then(|file| file.take(LONGEST_FIRST_LINE).read_to_end(&mut beginning));
    let first =
        beginning.strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    let first = first.map(String::from_utf8_lossy).unwrap_or_default();
    match first.trim_start_matches([' ', '\t']).split([' ', '\t']).next() {
        Some(interpreter) if interpreter.starts_with('/') && !Path::new(interpreter).exists() => {
            bail!("its first line asks for {}, which is not there", plain::shown(interpreter))
        }
        _ => Ok(()),
    }
}

/// The bytes of a script that Linux reads for its interpreter.
const LONGEST_FIRST_LINE: u64 = 256;

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(words: &[&str]) -> Result<EngineSpec> {
        Keys::parse(words.iter().copied())?.engine(&AnyGame::of::<halma::Position>())
    }

    #[test]
    fn keys_become_an_engine() {
        let spec = engine(&["cmd=sh -c 'exit 1'", "args=a 'b c'", "st=2.5", "name=x"]).unwrap();
        assert_eq!(spec.clock, GameClock::Single(2.5));
        let PlayerKind::Files { command, .. } = spec.kind else { panic!() };
        assert_eq!(command[..], ["sh", "-c", "exit 1", "a", "b c"]);
        assert_eq!(engine(&["engine=reference:minimax:2"]).unwrap().kind, PlayerKind::Minimax(2));
        assert_eq!(engine(&["engine=reference:random"]).unwrap().name, "reference:random");
    }

    #[test]
    fn what_is_given_for_one_engine_wins_over_what_is_given_for_each() {
        let each = Keys::parse(["time=100", "margin=1"]).unwrap();
        let own = Keys::parse(["engine=reference:greedy", "st=3"]).unwrap().or(&each);
        assert_eq!(
            own.engine(&AnyGame::of::<halma::Position>()).unwrap().clock,
            GameClock::Single(3.0)
        );
    }

    #[test]
    fn a_program_that_cannot_be_executed_is_refused_wherever_it_lies() {
        let place = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, mode: u32| {
            let path = place.path().join(name);
            std::fs::write(&path, text).unwrap();
            system::set_mode(&path, mode).unwrap();
            path.display().to_string()
        };
        let plain = write("plain", "#!/bin/sh\n", 0o644);
        let stranger = write("stranger", "#! /no/such/interpreter -x\n", 0o755);
        let windows = write("windows", "#!/bin/sh\r\n", 0o755);
        let good = write("good", "#!/bin/sh\n", 0o755);
        let home = format!("dir={}", place.path().display());
        for (program, reason) in [
            (&plain, "it may not be executed, its mode is 644"),
            (&stranger, "its first line asks for /no/such/interpreter, which is not there"),
            (&windows, "its first line asks for /bin/sh\\r, which is not there"),
        ] {
            let in_copy =
                format!("cmd=./{}", Path::new(program).file_name().unwrap().to_string_lossy());
            for words in [vec![format!("cmd={program}")], vec![in_copy, home.clone()]] {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                let error = format!("{:#}", engine(&words).unwrap_err());
                assert!(error.contains(reason), "{words:?}: {error}");
            }
        }
        assert!(engine(&[&format!("cmd={good}")]).is_ok());
        assert!(engine(&["cmd=./good", &home]).is_ok());
    }

    #[test]
    fn a_bad_engine_is_refused_with_its_reason() {
        let long = format!("name={}", "é".repeat(61));
        for (words, reason) in [
            (&["cmd"][..], "KEY=VALUE"),
            (&["depth=3"], "no such key"),
            (&["time=x", "cmd=sh"], "a number"),
            (&["time=-1", "cmd=sh"], "positive"),
            (&["time=1", "st=1", "cmd=sh"], "exclude"),
            (&["cmd=sh", "engine=halma"], "exclude"),
            (&["cmd=no-such-program-anywhere"], "no such program"),
            (&["cmd=./no/such"], "no such program"),
            (&["cmd=sh 'x"], "quote"),
            (&["cmd="], "empty"),
            (&["engine=chess"], "expected halma"),
            (&["engine=minimax:2"], "did you mean engine=reference:minimax:2?"),
            (&["engine=reference:minimax:9"], "minimax:N: expected 1 to 8 plies"),
            (&["engine=reference:minimax:0"], "1 to 8 plies"),
            (&["engine=reference:minimax:x"], "1 to 8 plies"),
            (&["engine=reference:magic"], "no reference player 'magic'"),
            (&["name=x"], "cmd="),
            (&[&long, "cmd=sh"], "name: expected at most 60 characters, found 61"),
        ] {
            let error = format!("{:#}", engine(words).unwrap_err());
            assert!(error.contains(reason) && !error.contains("=:"), "{words:?}: {error}");
        }
    }
}
