//! The requests to a program of rules, and their answers, which are remembered.

use super::conversation::{Conversation, Failure};
use crate::plain;
use crate::player::blame::{Blame, NoTurn};
use crate::record::RecordedPosition;
use anyhow::{Result, bail};
use clock::lock;
use engine::protocol::{InputError, Violation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Requests to new processes before the program has failed.
const TRIES: u32 = 3;
/// Bytes of requests and answers.
const REMEMBERED: usize = 64 << 20;
/// Characters of a request or an answer in messages.
const SHOWN: usize = 300;

/// The end of the reason of each failure.
pub const NO_PLAYERS_FAULT: &str =
    " (no fault of a player's: no game counts that it was needed for)";

/// A position as the rules see it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// How often random players play each move, in proportion.
    #[serde(default)]
    pub weights: Option<Vec<f64>>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Over {
    /// The index of the side that won; none for a draw.
    pub winner: Option<usize>,
    /// The reason, for people.
    #[serde(default)]
    pub why: String,
    /// The first side's points less the second's, in a game that counts them.
    #[serde(default)]
    pub points: Option<f64>,
    /// The winner at equal times, where more time left decides a draw.
    #[serde(default)]
    pub by_time: Option<usize>,
}

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
pub struct DrawnSquares {
    /// The rows, from the top: a text for each square, `.` for none.
    pub cells: Vec<Vec<String>>,
    /// The squares of the last move: column and row.
    #[serde(default)]
    pub last: Vec<(usize, usize)>,
    /// The labels of the columns; empty for numbers from 0.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The labels of the rows, from the top; numbers from 0 if there are none.
    #[serde(default)]
    pub rows: Vec<String>,
}

impl DrawnSquares {
    fn fault(&self) -> Option<String> {
        let (width, height) = (self.cells.first().map_or(0, Vec::len), self.cells.len());
        let fits = |labels: &[String], count| labels.is_empty() || labels.len() == count;
        if width == 0 || self.cells.iter().any(|row| row.len() != width) {
            Some("expected rows of 'cells' with as many texts each".to_string())
        } else if let Some((x, y)) = self.last.iter().find(|&&(x, y)| x >= width || y >= height) {
            Some(format!(
                "the square [{x}, {y}] in 'last' is not among {width} columns and {height} rows"
            ))
        } else if !fits(&self.columns, width) || !fits(&self.rows, height) {
            Some(format!("expected {width} labels in 'columns' and {height} in 'rows', or none"))
        } else {
            None
        }
    }
}

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
        if self.bytes > REMEMBERED {
            *self = Remembered::default();
        }
        self.bytes += request.len() + length;
        self.answers.insert(request, answer);
    }
}

fn short(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        short.push_str("...");
    }
    plain::shown(&short)
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

    fn failed(&self, request: &dyn fmt::Display, what: &str) -> anyhow::Error {
        let (name, request) = (&self.name, short(&request.to_string()));
        let reason = format!(
            "the rules program of {name} failed: {what}; the request was {request}{NO_PLAYERS_FAULT}"
        );
        NoTurn { blame: Blame::Rules, reason }.into()
    }

    fn contradicted(
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
    fn answer(&self, request: &Value) -> Result<Arc<Value>> {
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
        for _ in 0..TRIES {
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

    fn optional(&self, request: &Value) -> Result<Option<Arc<Value>>> {
        Ok(Some(self.answer(request)?).filter(|answer| answer.get("absent").is_none()))
    }

    fn of_form<T: DeserializeOwned>(&self, request: &Value, answer: &Value) -> Result<T> {
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

    fn wrong(&self, request: &Value, answer: &Value, why: &str) -> anyhow::Error {
        self.failed(request, &format!("it answered {}: {why}", short(&answer.to_string())))
    }

    fn text_in(&self, request: &Value, answer: &Value, key: &str) -> Result<String> {
        let text = answer[key].as_str().map(str::to_string);
        text.ok_or_else(|| self.wrong(request, answer, &format!("expected a text '{key}'")))
    }

    fn state(&self, request: &Value) -> Result<String> {
        self.text_in(request, &*self.answer(request)?, "state")
    }

    /// The start of a game, of its number or of none.
    pub fn start(&self, variant: Option<u32>) -> Result<String> {
        self.state(&json!({ "do": "start", "variant": variant }))
    }

    /// A state that agrees with what a side knows, the rest drawn by a number; `None` if the rules
    /// guess nothing.
    pub fn guess(&self, state: &str, side: usize, number: u32) -> Result<Option<String>> {
        let request = json!({ "do": "guess", "state": state, "side": side, "number": number });
        let Some(answer) = self.optional(&request)? else { return Ok(None) };
        self.text_in(&request, &answer, "state").map(Some)
    }

    /// A guess shows its side something else than the state does.
    pub(super) fn wrong_guess(&self, state: &str, guess: &str) -> anyhow::Error {
        let request = json!({ "do": "guess", "state": state });
        self.failed(&request, &format!("{} has another side to move, or other moves", short(guess)))
    }

    /// What the rules say of a state.
    pub fn view(&self, state: &str) -> Result<View> {
        let request = view_request(state);
        let answer = self.answer(&request)?;
        let view: View = self.of_form(&request, &answer)?;
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
        } else if view.weights.as_ref().is_some_and(|weights| {
            weights.len() != view.moves.len()
                || !weights.iter().all(|weight| (0.0..=1e9).contains(weight))
        }) {
            "'weights' are numbers from 0 to 1e9, one for each move"
        } else {
            return Ok(view);
        };
        Err(self.wrong(&request, &answer, why))
    }

    /// The state after a legal move.
    pub fn play(&self, state: &str, mv: &str) -> Result<String> {
        self.state(&play_request(state, mv))
    }

    fn file(&self, request: &Value, name: &str) -> Result<String> {
        let answer = self.answer(request)?;
        let text = answer["files"].as_object().filter(|files| files.len() == 1);
        let text = text.and_then(|files| files.get(name)?.as_str()).map(str::to_string);
        text.ok_or_else(|| {
            self.wrong(request, &answer, &format!("expected 'files' with the one file {name}"))
        })
    }

    /// The input file, with the seconds of both sides, for one move if `single`.
    pub fn task(&self, state: &str, clocks: [f64; 2], single: bool) -> Result<String> {
        let request = json!({ "do": "task", "state": state, "clocks": clocks, "single": single });
        self.file(&request, &self.files[0])
    }

    /// The output file of a legal move.
    pub fn write(&self, state: &str, mv: &str) -> Result<String> {
        self.file(&json!({ "do": "write", "state": state, "move": mv }), &self.files[1])
    }

    fn refusal(&self, request: &Value, answer: &Value) -> Result<Option<Refusal>> {
        answer.get("refused").map(|_| self.of_form(request, answer)).transpose()
    }

    fn read_request(&self, state: &str, output: &str) -> Value {
        json!({ "do": "read", "state": state, "files": { self.files[1].as_str(): output } })
    }

    /// The move in the text of an output file.
    pub fn read(&self, state: &str, output: &str) -> Result<Result<String, Violation>> {
        let request = self.read_request(state, output);
        let answer = self.answer(&request)?;
        Ok(match self.refusal(&request, &answer)? {
            None => Ok(self.text_in(&request, &answer, "move")?),
            Some(Refusal { refused: Refused::Illegal, why, .. }) => {
                Err(Violation::Illegal(plain::shown(&why)))
            }
            Some(Refusal { line, why, .. }) => {
                Err(Violation::format(line.unwrap_or(1), plain::shown(&why)))
            }
        })
    }

    /// Asks for a view again. Side to move, end and moves in any order decide a game, and have to
    /// be those of `known`.
    pub(super) fn confirm_view(&self, state: &str, known: &View) -> Result<()> {
        let decisive = |view: &View| {
            let mut moves = view.moves.clone();
            moves.sort();
            (
                view.turn,
                view.over.as_ref().map(|over| (over.winner, over.points, over.by_time)),
                moves,
            )
        };
        let again = self.view(state)?;
        if decisive(&again) == decisive(known) {
            return Ok(());
        }
        Err(self.contradicted(&view_request(state), &json!(known), &json!(again)))
    }

    pub(super) fn confirm_play(&self, state: &str, mv: &str, known: &str) -> Result<()> {
        let again = self.play(state, mv)?;
        if again == known {
            return Ok(());
        }
        let [known, again] = [known, &again].map(|state| json!({ "state": state }));
        Err(self.contradicted(&play_request(state, mv), &known, &again))
    }

    /// Reads an output file again: the move, or that it is none, has to be the same.
    pub(super) fn confirm_read(
        &self,
        state: &str,
        output: &str,
        known: &Result<String, Violation>,
    ) -> Result<()> {
        let again = self.read(state, output)?;
        if again.as_ref().ok() == known.as_ref().ok() {
            return Ok(());
        }
        let [known, again] = [known, &again].map(|found| match found {
            Ok(mv) => json!({ "move": mv }),
            Err(violation) => json!({ "refused": violation.to_string() }),
        });
        Err(self.contradicted(&self.read_request(state, output), &known, &again))
    }

    /// What an input file shows; `None` if the rules read none. The inner error is the file's.
    pub fn position(&self, input: &str) -> Result<Option<Result<Shown, InputError>>> {
        let request = json!({ "do": "position", "files": { self.files[0].as_str(): input } });
        let Some(answer) = self.optional(&request)? else { return Ok(None) };
        Ok(Some(match self.refusal(&request, &answer)? {
            None => Ok((self.text_in(&request, &answer, "state")?, answer["clock"].as_f64())),
            Some(Refusal { line, why, .. }) => {
                Err(InputError::because(line.unwrap_or(1), plain::shown(&why)))
            }
        }))
    }

    /// A file was read as no legal move, or refused although it is one.
    pub(super) fn misread(&self, state: &str, output: &str, why: &str) -> anyhow::Error {
        self.failed(&self.read_request(state, output), why)
    }

    pub(super) fn recorded(&self, state: &str, mv: Option<&str>) -> Result<RecordedPosition> {
        let view = Value::clone(&*self.answer(&view_request(state))?);
        let goes_on = view["over"].is_null();
        let input = goes_on.then(|| self.task(state, [1.0; 2], false).ok()).flatten();
        let input = input.map(|text| format!("{:016x}", engine::checksum(text.as_bytes())));
        // A picture is worth no game.
        let draw = self.optional(&draw_request(state, mv)).ok().flatten();
        let draw = draw.map(|draw| Value::clone(&draw));
        Ok(RecordedPosition { state: state.to_string(), view, draw, input })
    }

    /// `before` is the state and the move that led to the position.
    pub(super) fn remember_position(
        &self,
        position: &RecordedPosition,
        before: Option<(&str, &str)>,
    ) {
        let RecordedPosition { state, view, draw, .. } = position;
        let draw = draw.clone().unwrap_or_else(|| json!({ "absent": "draw" }));
        let mut remembered = lock(&self.remembered);
        let mut add = |request: Value, answer: Value| {
            remembered.answers.insert(request.to_string(), Arc::new(answer));
        };
        add(view_request(state), view.clone());
        add(draw_request(state, before.map(|(_, mv)| mv)), draw);
        if let Some((before, mv)) = before {
            add(play_request(before, mv), json!({ "state": state }));
        }
    }

    /// The squares for a picture after a move, if the rules draw any.
    pub fn draw(&self, state: &str, mv: Option<&str>) -> Result<Option<DrawnSquares>> {
        let request = draw_request(state, mv);
        let Some(answer) = self.optional(&request)? else { return Ok(None) };
        let squares: DrawnSquares = self.of_form(&request, &answer)?;
        match squares.fault() {
            Some(why) => Err(self.wrong(&request, &answer, &why)),
            None => Ok(Some(squares)),
        }
    }
}

fn view_request(state: &str) -> Value {
    json!({ "do": "view", "state": state })
}

fn play_request(state: &str, mv: &str) -> Value {
    json!({ "do": "play", "state": state, "move": mv })
}

fn draw_request(state: &str, mv: Option<&str>) -> Value {
    json!({ "do": "draw", "state": state, "move": mv })
}

/// A state, and the seconds of the side to move, if known.
pub type Shown = (String, Option<f64>);

impl fmt::Debug for RulesProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
