//! The requests to a program of rules, as methods: each checks the form of its answer.

use super::answers::{DrawnSquares, Refusal, Refused, Shown, View};
use super::program::{RulesProgram, short, view_request};
use crate::record::RecordedPosition;
use anyhow::Result;
use engine::protocol::{InputError, Violation};
use serde_json::{Value, json};

impl RulesProgram {
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
        } else if view.over.is_some() && view.together.is_some() {
            "the game is over, and both sides move at the same time"
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
                Err(Violation::Illegal(short(&why)))
            }
            Some(Refusal { line, why, .. }) => {
                Err(Violation::format(line.unwrap_or(1), short(&why)))
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
                Err(InputError::because(line.unwrap_or(1), short(&why)))
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
        self.remember(&view_request(state), view.clone());
        self.remember(&draw_request(state, before.map(|(_, mv)| mv)), draw);
        if let Some((before, mv)) = before {
            self.remember(&play_request(before, mv), json!({ "state": state }));
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

fn play_request(state: &str, mv: &str) -> Value {
    json!({ "do": "play", "state": state, "move": mv })
}

fn draw_request(state: &str, mv: Option<&str>) -> Value {
    json!({ "do": "draw", "state": state, "move": mv })
}
