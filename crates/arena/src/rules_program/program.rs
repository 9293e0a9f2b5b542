//! The requests to a program of rules, and their answers, which are remembered.

use super::conversation::{Conversation, SILENT};
use crate::plain;
use crate::player::blame::NoTurn;
use anyhow::Result;
use engine::protocol::{InputError, Violation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many times a request is sent, each time to a program that was started anew, before the program has failed.
const TRIES: u32 = 3;
/// The most bytes of requests and answers that are remembered.
const REMEMBERED: usize = 64 << 20;
/// The most characters of a request or an answer that are shown.
const SHOWN: usize = 300;

/// A position as the rules see it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct View {
    /// The index of the side to move.
    pub turn: usize,
    /// The end of the game, if it is over.
    pub over: Option<Over>,
    /// The legal moves, in the order of the rules; none if the game is over.
    pub moves: Vec<String>,
    /// The board for people.
    pub board: String,
    /// An estimate for the side to move, in points, if the rules have one.
    #[serde(default)]
    pub value: Option<f64>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Over {
    /// The index of the side that won; none for a draw.
    pub winner: Option<usize>,
    /// The reason, for people.
    #[serde(default)]
    pub why: String,
    /// The first side's points less the second's, in a game that counts them.
    #[serde(default)]
    pub points: Option<f64>,
    /// In a game where more time left decides a draw: the side that wins if both have the same.
    #[serde(default)]
    pub by_time: Option<usize>,
}

/// An answer that may be a refusal of what somebody else wrote.
#[derive(Deserialize)]
struct Refusal {
    refused: Refused,
    #[serde(default)]
    line: Option<usize>,
    why: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Refused {
    Format,
    Illegal,
}

/// The squares of a board for a picture.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub(super) struct Squares {
    /// The rows, from the top: a text for each square, `.` for none.
    pub cells: Vec<Vec<String>>,
    /// The squares of the last move: column and row.
    #[serde(default)]
    pub last: Vec<(usize, usize)>,
}

/// A program of rules: it is started when it is asked for the first time, once for each thread that asks at the same time.
pub struct RulesProgram {
    /// The game's name, for messages.
    pub name: String,
    /// The game's folder.
    pub folder: PathBuf,
    /// The words of the command that starts the program in the folder.
    pub command: Vec<String>,
    /// The names of the input file and of the output file.
    pub files: [String; 2],
    idle: Mutex<Vec<Conversation>>,
    remembered: Mutex<Remembered>,
}

#[derive(Default)]
struct Remembered {
    answers: HashMap<String, Arc<Value>>,
    bytes: usize,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push_str("...");
    }
    plain::shown(&short)
}

impl RulesProgram {
    /// A program that has not been started.
    pub(super) fn new(name: String, folder: PathBuf, command: Vec<String>, files: [String; 2]) -> RulesProgram {
        RulesProgram { name, folder, command, files, idle: Mutex::default(), remembered: Mutex::default() }
    }

    /// Forgets all answers, and ends all programs: the next request starts one anew.
    pub fn start_anew(&self) {
        *locked(&self.remembered) = Remembered::default();
        locked(&self.idle).clear();
    }

    /// The error of a program that failed at a request.
    fn failed(&self, request: &str, what: &str) -> anyhow::Error {
        let (name, request) = (&self.name, short(request));
        NoTurn::by_machine(format!(
            "the rules program of {name} failed: {what}; the request was {request} (no fault of a player's: no game counts that \
             it was needed for)"
        ))
        .into()
    }

    /// Sends a request, and returns the answer as it came. The error says what the program did instead.
    fn ask_once(&self, request: &str) -> Result<String, String> {
        let waiting = locked(&self.idle).pop();
        let mut conversation = match waiting {
            Some(conversation) => conversation,
            None => Conversation::start(&self.folder, &self.command).map_err(|error| format!("{error:#}"))?,
        };
        let answer = conversation.ask(request)?;
        locked(&self.idle).push(conversation);
        Ok(answer)
    }

    /// Sends a request, and returns the answer, an object without `error`. A program that fails is started anew and asked again.
    fn answer(&self, request: &Value) -> Result<Arc<Value>> {
        let request = request.to_string();
        if let Some(answer) = locked(&self.remembered).answers.get(&request) {
            return Ok(Arc::clone(answer));
        }
        let mut what = String::new();
        for _ in 0..TRIES {
            let line = match self.ask_once(&request) {
                Ok(line) => line,
                // A program that is silent would be as silent again.
                Err(reason) if reason.starts_with(SILENT) => {
                    what = reason;
                    break;
                }
                Err(reason) => {
                    what = reason;
                    continue;
                }
            };
            match serde_json::from_str::<Value>(&line) {
                Ok(Value::Object(object)) if object.contains_key("error") => {
                    what = format!("it answered {}", short(&line));
                    break;
                }
                Ok(answer @ Value::Object(_)) => {
                    let mut remembered = locked(&self.remembered);
                    if remembered.bytes > REMEMBERED {
                        *remembered = Remembered::default();
                    }
                    remembered.bytes += request.len() + line.len();
                    let answer = Arc::new(answer);
                    remembered.answers.insert(request, Arc::clone(&answer));
                    return Ok(answer);
                }
                _ => {
                    what = format!("its answer is no JSON object: {}", short(&line));
                    // Whatever follows belongs to no request.
                    locked(&self.idle).pop();
                }
            }
        }
        Err(self.failed(&request, &what))
    }

    /// Sends a request, and returns the answer of this form.
    fn typed<T: DeserializeOwned>(&self, request: &Value) -> Result<T> {
        let answer = self.answer(request)?;
        T::deserialize(&*answer).map_err(|error| {
            // The words of a reader who knows JSON.
            let why = error.to_string().replace("struct Over", "null or an object with 'winner' and 'why'");
            self.wrong(request, &answer, &why.replace("expected usize", "expected 0 or 1").replace("sequence", "list"))
        })
    }

    /// The error of an answer that is none to its request.
    fn wrong(&self, request: &Value, answer: &Value, why: &str) -> anyhow::Error {
        self.failed(&request.to_string(), &format!("it answered {}: {why}", short(&answer.to_string())))
    }

    fn text_of(&self, request: &Value, key: &str) -> Result<String> {
        let answer = self.answer(request)?;
        match answer[key].as_str() {
            Some(text) => Ok(text.to_string()),
            None => Err(self.wrong(request, &answer, &format!("expected a text '{key}'"))),
        }
    }

    /// The state in which a game starts.
    pub fn start(&self) -> Result<String> {
        self.text_of(&json!({ "do": "start", "variant": null }), "state")
    }

    /// What the rules say of a state.
    pub fn view(&self, state: &str) -> Result<View> {
        let request = json!({ "do": "view", "state": state });
        let view: View = self.typed(&request)?;
        let is_side = |side: usize| side < 2;
        let sides = view.over.iter().flat_map(|over| [over.winner, over.by_time]).flatten();
        let why = if !is_side(view.turn) || !sides.into_iter().all(is_side) {
            "a side is 0 or 1"
        } else if view.over.is_none() && view.moves.is_empty() {
            "the game goes on and there is no move"
        } else if view.over.is_some() && !view.moves.is_empty() {
            "the game is over and there are moves"
        } else if view.moves.iter().any(|mv| mv.is_empty() || mv.chars().any(char::is_control)) {
            "a move is a text of one line"
        } else {
            return Ok(view);
        };
        Err(self.wrong(&request, &*self.answer(&request)?, why))
    }

    /// The state after a legal move.
    pub fn play(&self, state: &str, mv: &str) -> Result<String> {
        self.text_of(&json!({ "do": "play", "state": state, "move": mv }), "state")
    }

    /// The text of the file that is given to a player, or taken from it.
    fn file(&self, request: &Value, name: &str) -> Result<String> {
        #[derive(Deserialize)]
        struct Files {
            files: BTreeMap<String, String>,
        }
        let Files { mut files } = self.typed(request)?;
        match (files.remove(name), files.is_empty()) {
            (Some(text), true) => Ok(text),
            _ => Err(self.wrong(request, &*self.answer(request)?, &format!("expected the one file {name}"))),
        }
    }

    /// The input file of a state, with the seconds that both sides have left. `single` says that they are for one move.
    pub fn task(&self, state: &str, clocks: [f64; 2], single: bool) -> Result<String> {
        self.file(&json!({ "do": "task", "state": state, "clocks": clocks, "single": single }), &self.files[0])
    }

    /// The output file of a legal move.
    pub fn write(&self, state: &str, mv: &str) -> Result<String> {
        self.file(&json!({ "do": "write", "state": state, "move": mv }), &self.files[1])
    }

    /// The refusal in an answer, if it is one.
    fn refusal(&self, request: &Value) -> Result<Option<Refusal>> {
        let answer = self.answer(request)?;
        match answer.get("refused") {
            None => Ok(None),
            Some(_) => self.typed(request).map(Some),
        }
    }

    /// The move in the text of an output file.
    pub fn read(&self, state: &str, output: &str) -> Result<Result<String, Violation>> {
        let request = json!({ "do": "read", "state": state, "files": { self.files[1].as_str(): output } });
        Ok(match self.refusal(&request)? {
            None => Ok(self.text_of(&request, "move")?),
            Some(Refusal { refused: Refused::Illegal, why, .. }) => Err(Violation::Illegal(plain::shown(&why))),
            Some(Refusal { line, why, .. }) => Err(Violation::format(line.unwrap_or(1), plain::shown(&why))),
        })
    }

    /// The state that an input file shows, and the seconds on the clock, if it tells them. The outer error says also where the
    /// rules read no input files.
    pub fn position(&self, input: &str) -> Result<Result<(String, Option<f64>), InputError>> {
        let request = json!({ "do": "position", "files": { self.files[0].as_str(): input } });
        if self.answer(&request)?.get("absent").is_some() {
            anyhow::bail!("the rules of {} read no input files (their program does not know 'position')", self.name);
        }
        if let Some(Refusal { line, why, .. }) = self.refusal(&request)? {
            return Ok(Err(InputError::because(line.unwrap_or(1), plain::shown(&why))));
        }
        Ok(Ok((self.text_of(&request, "state")?, self.answer(&request)?["clock"].as_f64())))
    }

    /// The squares of a board for a picture, after a move; `None` if the rules draw none.
    pub(super) fn draw(&self, state: &str, mv: Option<&str>) -> Result<Option<Squares>> {
        let request = json!({ "do": "draw", "state": state, "move": mv });
        if self.answer(&request)?.get("absent").is_some() {
            return Ok(None);
        }
        self.typed(&request).map(Some)
    }

    /// Whether the program knows a request that it need not know, `position` or `draw`.
    pub fn knows(&self, request: &Value) -> Result<bool> {
        Ok(self.answer(request)?.get("absent").is_none())
    }
}

impl std::fmt::Debug for RulesProgram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RulesProgram").field("folder", &self.folder).field("command", &self.command).finish()
    }
}
