//! A program of rules: it is asked, again if it fails, and its answers are remembered.

use super::answers::RandomGame;
use super::contents::{FILE, STARTERS, checksum_of};
use super::conversation::{Conversation, Failure};
use crate::digest::Digest;
use crate::plain;
use crate::player::blame::{Blame, NoTurn};
use anyhow::{Result, bail};
use clock::lock;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Requests to new processes before the program has failed.
const TRIES_OF_A_REQUEST: u32 = 3;
/// Bytes of requests and answers.
const REMEMBERED_BYTES: usize = 64 << 20;
/// Characters of a request or an answer in messages.
const SHOWN_CHARACTERS: usize = 300;

/// The end of the reason of each failure.
pub const NO_PLAYERS_FAULT: &str =
    " (no fault of a player's: no game counts that it was needed for)";

/// A program of rules, started when it is first asked, once for each thread that asks at the same
/// time.
#[derive(Default)]
pub struct RulesProgram {
    /// The game's name, for messages.
    pub name: String,
    /// The game's folder.
    pub folder: PathBuf,
    /// The command that starts the program in the folder; empty if only a record's positions are
    /// known.
    pub command: Vec<String>,
    /// The names of the input file and of the output file.
    pub files: [String; 2],
    idle: Mutex<Vec<Conversation>>,
    remembered: Mutex<Remembered>,
    /// Nanoseconds of waiting for this program and those made anew of it.
    waited_for: Arc<AtomicU64>,
    /// The answers of this program, without those from memory.
    answered: AtomicU64,
    /// Whether it has refused to play a random game.
    plays_none_out: AtomicBool,
}

#[derive(Default)]
struct Remembered {
    answers: HashMap<String, Arc<Value>>,
    bytes: usize,
}

impl Remembered {
    fn add(&mut self, request: String, answer: Arc<Value>, length: usize) {
        if self.bytes > REMEMBERED_BYTES {
            *self = Remembered::default();
        }
        self.bytes += request.len() + length;
        self.answers.insert(request, answer);
    }
}

pub(super) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN_CHARACTERS).collect();
    if text.chars().nth(SHOWN_CHARACTERS).is_some() {
        short.push_str("...");
    }
    plain::shown(&short)
}

/// The digest of a program's command and of the files that it may read: what the judge alone reads
/// does not count.
pub fn rules_digest(program: &RulesProgram) -> Result<String> {
    let of_judge = [FILE, "rules.md", "scheme.toml"].map(Path::new);
    let is_rules = |file: &Path| {
        !of_judge.contains(&file)
            && !STARTERS.iter().any(|(language, name)| file == Path::new(language).join(name))
            && !file.starts_with("try")
    };
    let mut digest = Digest::of(&checksum_of(&program.folder, is_rules)?);
    program.command.iter().for_each(|word| digest.part("command", word));
    Ok(digest.text())
}

impl RulesProgram {
    pub(super) fn new(
        name: &str,
        folder: &Path,
        command: Vec<String>,
        files: [String; 2],
    ) -> RulesProgram {
        let (name, folder) = (name.to_string(), folder.to_owned());
        RulesProgram { name, folder, command, files, ..RulesProgram::default() }
    }

    /// The same program in a process that has answered nothing yet.
    pub(super) fn anew(&self) -> RulesProgram {
        RulesProgram {
            waited_for: Arc::clone(&self.waited_for),
            name: self.name.clone(),
            folder: self.folder.clone(),
            command: self.command.clone(),
            files: self.files.clone(),
            ..RulesProgram::default()
        }
    }

    /// The time for which all who asked have waited for answers so far.
    pub fn waited_for(&self) -> Duration {
        Duration::from_nanos(self.waited_for.load(Ordering::Relaxed))
    }

    /// The requests that this program has answered so far; remembered answers do not count.
    pub fn answered(&self) -> u64 {
        self.answered.load(Ordering::Relaxed)
    }

    /// Asks a new process again what was asked so far, in another order, up to `most` requests and
    /// until `is_over`. Returns their number; an error if an answer is another one.
    pub fn ask_again(&self, most: usize, is_over: &dyn Fn() -> bool) -> Result<u64> {
        let (remembered, anew) = (lock(&self.remembered), self.anew());
        let mut asked: Vec<(&String, &Arc<Value>)> = remembered.answers.iter().collect();
        asked.sort_by_key(|(request, _)| (engine::checksum(request.as_bytes()), *request));
        for (request, answer) in asked.into_iter().take(most) {
            if is_over() {
                break;
            }
            // The view that comes with a new state is checked when it is asked for by itself.
            let (again, ..) = anew.ask_patiently(request)?;
            if again != **answer {
                return Err(self.contradicted(&request, answer, &again));
            }
        }
        Ok(anew.answered())
    }

    pub(super) fn failed(&self, request: &dyn fmt::Display, what: &str) -> anyhow::Error {
        let (name, request) = (&self.name, short(&request.to_string()));
        let reason = format!(
            "the rules program of {name} failed: {what}; the request was {request}{NO_PLAYERS_FAULT}"
        );
        NoTurn { blame: Blame::Rules, reason }.into()
    }

    pub(super) fn contradicted(
        &self,
        request: &dyn fmt::Display,
        one: &Value,
        other: &Value,
    ) -> anyhow::Error {
        let sorted = |answer: &Value| {
            let mut moves: Vec<String> =
                answer["moves"].as_array().into_iter().flatten().map(Value::to_string).collect();
            moves.sort();
            moves
        };
        let order = one["moves"] != other["moves"] && sorted(one) == sorted(other);
        let how = if order { "with the moves in another order" } else { "differently" };
        let [one, other] = [one, other].map(|answer| short(&answer.to_string()));
        self.failed(request, &format!("two processes of it answered {how}: {one} and {other}"))
    }

    /// Adds what an error of Python does not say.
    fn with_hint(words: String) -> String {
        let is_of_file =
            ["FileNotFoundError", "PermissionError"].iter().any(|error| words.contains(error));
        if is_of_file && words.contains("'/") {
            format!(
                "{words} (the rules run in a copy of their folder, and see no other file of yours: put what they need into the \
                 folder, and open it by its name alone)"
            )
        } else if words.contains("lost sys.stdin") {
            format!("{words} (input() reads nothing: the judge speaks to the rules there)")
        } else {
            words
        }
    }

    /// The answer, an object, and its length. The error says what the program did instead, and
    /// whether a new process may do better.
    fn ask_once(&self, request: &str) -> Result<(Value, usize), (String, bool)> {
        let begin = Instant::now();
        let waiting = lock(&self.idle).pop();
        let mut conversation = match waiting {
            Some(conversation) => conversation,
            None => Conversation::start(&self.folder, &self.command)
                .map_err(|error| (format!("{error:#}"), true))?,
        };
        let asked = conversation.ask(request);
        self.waited_for.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
        let line = match asked {
            Ok(line) => line,
            Err(failure) => {
                let words = RulesProgram::with_hint(conversation.words_on(&failure));
                return Err((words, !matches!(failure, Failure::Silent)));
            }
        };
        match serde_json::from_str(&line) {
            Ok(Value::Object(object)) => {
                lock(&self.idle).push(conversation);
                if object.contains_key("error") {
                    let words = format!("it answered {}", short(&line));
                    return Err((RulesProgram::with_hint(words), false));
                }
                Ok((Value::Object(object), line.len()))
            }
            // Whatever it says next belongs to no request: it is not asked again.
            _ => Err((format!("its answer is no JSON object: {}", short(&line)), true)),
        }
    }

    /// The answer, an object without `error`, from memory or from the program.
    pub(super) fn answer(&self, request: &Value) -> Result<Arc<Value>> {
        let request = request.to_string();
        if let Some(answer) = lock(&self.remembered).answers.get(&request) {
            return Ok(Arc::clone(answer));
        }
        let (answer, view, length) = self.ask_patiently(&request)?;
        let answer = Arc::new(answer);
        let mut remembered = lock(&self.remembered);
        remembered.add(request, Arc::clone(&answer), length);
        if let (Some(view @ Value::Object(_)), Some(state)) = (view, answer["state"].as_str()) {
            remembered.answers.entry(view_request(state).to_string()).or_insert(Arc::new(view));
        }
        Ok(answer)
    }

    /// Remembers what a record has.
    pub(super) fn remember(&self, request: &Value, answer: Value) {
        lock(&self.remembered).answers.insert(request.to_string(), Arc::new(answer));
    }

    /// The answer of the program, started anew if it fails; the view that may come with a state;
    /// and the length of both.
    fn ask_patiently(&self, request: &str) -> Result<(Value, Option<Value>, usize)> {
        if self.command.is_empty() {
            bail!(
                "{}: the rules of {} are not there, and the record keeps only the positions that were played",
                self.folder.display(),
                self.name
            );
        }
        let mut what = String::new();
        for _ in 0..TRIES_OF_A_REQUEST {
            match self.ask_once(request) {
                Ok((mut answer, length)) => {
                    let view = answer.as_object_mut().and_then(|answer| answer.remove("view"));
                    self.answered.fetch_add(1, Ordering::Relaxed);
                    return Ok((answer, view, length));
                }
                Err((words, may_do_better)) => {
                    what = words;
                    if !may_do_better {
                        break;
                    }
                }
            }
        }
        Err(self.failed(&request, &what))
    }

    /// The winner of a random game from a state; the inner `None` is a draw. `None` if the program
    /// plays none or fails: move by move the error shows its place.
    pub(super) fn play_out(&self, state: &str, number: u32) -> Option<Option<usize>> {
        if self.plays_none_out.load(Ordering::Relaxed) {
            return None;
        }
        let request = json!({ "do": "playout", "state": state, "number": number });
        let answer = self.ask_once(&request.to_string()).ok();
        let winner = answer.as_ref().and_then(|(answer, _)| answer.get("winner"));
        match winner.map(|winner| (winner.is_null(), winner.as_u64())) {
            Some((true, _)) => Some(None),
            Some((_, Some(side @ 0..2))) => Some(Some(side as usize)),
            _ => {
                self.plays_none_out.store(true, Ordering::Relaxed);
                None
            }
        }
    }

    /// A random game from a state, as the program plays it by itself, of at most so many moves.
    /// `None` if it plays none or fails: move by move the error shows its place.
    pub fn random_game(&self, state: &str, number: u32, most: u32) -> Result<Option<RandomGame>> {
        if self.plays_none_out.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let request = json!({ "do": "playout", "state": state, "number": number, "most": most });
        let answer = self.optional(&request).ok().flatten();
        let Some(answer) = answer.filter(|answer| answer.get("states").is_some()) else {
            self.plays_none_out.store(true, Ordering::Relaxed);
            return Ok(None);
        };
        self.of_form(&request, &answer["states"]).map(Some)
    }

    pub(super) fn optional(&self, request: &Value) -> Result<Option<Arc<Value>>> {
        Ok(Some(self.answer(request)?).filter(|answer| answer.get("absent").is_none()))
    }

    pub(super) fn of_form<T: DeserializeOwned>(
        &self,
        request: &Value,
        answer: &Value,
    ) -> Result<T> {
        T::deserialize(answer).map_err(|error| {
            // The words of a reader who knows JSON.
            let why = error
                .to_string()
                .replace("struct Over", "null or an object with 'winner' and 'why'")
                .replace("expected usize", "expected 0 or 1")
                .replace("sequence", "list");
            self.wrong(request, answer, &why)
        })
    }

    pub(super) fn wrong(&self, request: &Value, answer: &Value, why: &str) -> anyhow::Error {
        self.failed(request, &format!("it answered {}: {why}", short(&answer.to_string())))
    }
}

pub(super) fn view_request(state: &str) -> Value {
    json!({ "do": "view", "state": state })
}

impl fmt::Debug for RulesProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
