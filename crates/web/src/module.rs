//! The functions that a game's WebAssembly module exports. Errors are thrown as strings.

use crate::game_api::{self, Request};
use crate::study;
use analysis::finding::{Effort, Finding, Mark, ProvenResult};
use anygame::AnyGame;
use engine::Playable;
use engine::clock::Clock;
use serde_json::Value;
use std::sync::LazyLock;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_time::Instant;

// `use games::GAME::Position`, written by build.rs.
include!(concat!(env!("OUT_DIR"), "/position.rs"));

/// The game of the module.
static GAME: LazyLock<AnyGame> = LazyLock::new(AnyGame::of::<Position>);

/// A clock of the wall time since a search began.
struct WallClock(Instant);

impl Clock for WallClock {
    fn used(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Converts JSON to a JavaScript value directly. A detour through text would double the code for
/// floating-point numbers in a module.
fn js(value: &Value) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(truth) => JsValue::from_bool(*truth),
        Value::Number(number) => number.as_f64().map_or(JsValue::NULL, JsValue::from_f64),
        Value::String(text) => JsValue::from_str(text),
        Value::Array(values) => values.iter().map(js).collect::<js_sys::Array>().into(),
        Value::Object(fields) => {
            let object = js_sys::Object::new();
            for (name, value) in fields {
                // Setting a property fails for frozen objects only.
                let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), &js(value));
            }
            object.into()
        }
    }
}

/// A field of a JavaScript object; `None` if it is missing, null or undefined.
fn field(object: &JsValue, name: &str) -> Option<JsValue> {
    let value = js_sys::Reflect::get(object, &JsValue::from_str(name)).ok()?;
    (!value.is_null() && !value.is_undefined()).then_some(value)
}

fn number(object: &JsValue, name: &str) -> Option<f64> {
    field(object, name)?.as_f64()
}

fn text(object: &JsValue, name: &str) -> Option<String> {
    field(object, name)?.as_string()
}

/// Converts a JavaScript object with the fields of [`Request`].
fn request(object: &JsValue) -> Request {
    Request {
        nodes: number(object, "nodes").map(|nodes| nodes as u64),
        depth: number(object, "depth").map(|depth| depth as u32),
        seconds: number(object, "seconds"),
        clock: number(object, "clock"),
        hash: number(object, "hash").map(|mib| mib as u32),
        algorithm: text(object, "algorithm"),
    }
}

/// Converts the finding of a record, a JavaScript object; `None` if a field is missing.
fn finding(object: &JsValue) -> Option<Finding> {
    let truth = |name: &str| {
        let word = text(object, name)?;
        [ProvenResult::Loss, ProvenResult::Draw, ProvenResult::Win]
            .into_iter()
            .find(|truth| truth.word() == word)
    };
    let mark = text(object, "mark");
    let moves =
        |list: JsValue| js_sys::Array::from(&list).iter().filter_map(|mv| mv.as_string()).collect();
    Some(Finding {
        best: text(object, "best")?,
        line: moves(field(object, "line")?),
        reply: text(object, "reply"),
        reply_line: field(object, "reply_line").map(moves).unwrap_or_default(),
        score: number(object, "score").map(|score| score as i32),
        best_score: number(object, "best_score").map(|score| score as i32),
        chance: number(object, "chance")?,
        best_chance: number(object, "best_chance")?,
        mark: mark.and_then(|word| Mark::ALL.into_iter().find(|mark| mark.word() == word)),
        proven: field(object, "proven")?.as_bool()?,
        before: truth("before"),
        after: truth("after"),
        source: text(object, "source"),
        choices: number(object, "choices")? as u32,
        depth: number(object, "depth")? as u32,
        // The effort is not part of what is shown.
        effort: Effort::Nodes(0),
    })
}

/// The description of the game: [`game_api::game`].
#[wasm_bindgen]
pub fn game() -> JsValue {
    js(&game_api::game(&GAME))
}

/// The input file of the starting position: [`game_api::start`].
///
/// # Errors
/// See [`game_api::start`].
#[wasm_bindgen]
pub fn start(rules: &str, seconds: f64) -> Result<String, String> {
    game_api::start(&GAME, rules, seconds)
}

/// Describes a position: [`game_api::look`].
///
/// # Errors
/// See [`game_api::look`].
#[wasm_bindgen]
pub fn look(input: &str, rules: &str) -> Result<JsValue, String> {
    game_api::look(&GAME, input, rules).map(|seen| js(&seen))
}

/// The moves that lose at once: [`game_api::losing`].
///
/// # Errors
/// See [`game_api::losing`].
#[wasm_bindgen]
pub fn losing(input: &str, rules: &str) -> Result<JsValue, String> {
    game_api::losing(&GAME, input, rules).map(|found| js(&found))
}

/// Plays a move: [`game_api::play`].
///
/// # Errors
/// See [`game_api::play`].
#[wasm_bindgen]
pub fn play(input: &str, rules: &str, output: &str) -> Result<JsValue, String> {
    game_api::play(&GAME, input, rules, output).map(|played| js(&played))
}

/// Draws a board set up by hand: [`game_api::sketch`].
///
/// # Errors
/// See [`game_api::sketch`].
#[wasm_bindgen]
pub fn sketch(
    rules: &str,
    owners: &str,
    letters: &str,
    texts: Vec<String>,
) -> Result<JsValue, String> {
    game_api::sketch(&GAME, rules, owners, letters, &texts).map(|drawn| js(&drawn))
}

/// Draws a position as an SVG document: [`game_api::picture`].
///
/// # Errors
/// See [`game_api::picture`].
#[wasm_bindgen]
pub fn picture(input: &str, rules: &str, output: Option<String>) -> Result<String, String> {
    game_api::picture(&GAME, input, rules, output.as_deref())
}

/// Draws an arrow along the cells whose columns and rows follow each other in `path`:
/// [`boards::aim`].
#[wasm_bindgen]
pub fn arrow(path: &[u32]) -> String {
    let path: Vec<_> =
        path.chunks_exact(2).map(|place| (place[0] as usize, place[1] as usize)).collect();
    boards::aim(&path)
}

/// Chooses a move: [`game_api::think`]. `wanted` is an object with the fields of [`Request`].
/// `tell` is called with each iteration, and stops the search by returning `false`.
///
/// # Errors
/// See [`game_api::think`].
#[wasm_bindgen]
pub fn think(
    input: &str,
    rules: &str,
    wanted: &JsValue,
    tell: &js_sys::Function,
) -> Result<JsValue, String> {
    let mut told = |iteration: Value| {
        let answer = tell.call1(&JsValue::NULL, &js(&iteration));
        answer.map_or(true, |answer| answer.as_bool() != Some(false))
    };
    let clock = WallClock(Instant::now());
    game_api::think(&GAME, input, rules, &request(wanted), &clock, &mut told)
        .map(|answer| js(&answer))
}

/// The proven result of a position: [`game_api::truth`].
///
/// # Errors
/// See [`game_api::truth`].
#[wasm_bindgen]
pub fn truth(input: &str, rules: &str) -> Result<JsValue, String> {
    game_api::truth(&GAME, input, rules).map(|known| js(&known))
}

/// Analyses a move: [`study::analyse`].
///
/// # Errors
/// See [`study::analyse`].
#[wasm_bindgen]
pub fn analyse(input: &str, rules: &str, output: &str, nodes: f64) -> Result<JsValue, String> {
    study::analyse(&GAME, input, rules, output, nodes as u64).map(|told| js(&told))
}

/// Explains a move whose findings are in a record: [`study::explain`].
///
/// # Errors
/// See [`study::explain`]; also if a field of the findings is missing.
#[wasm_bindgen]
pub fn explain(input: &str, rules: &str, output: &str, found: &JsValue) -> Result<JsValue, String> {
    let finding = finding(found).ok_or("expected the findings of a record")?;
    study::explain(&GAME, input, rules, output, &finding).map(|told| js(&told))
}

/// Checks an output file: [`study::check`].
///
/// # Errors
/// See [`study::check`].
#[wasm_bindgen]
pub fn check(input: &str, rules: &str, output: &str) -> Result<JsValue, String> {
    study::check(&GAME, input, rules, output).map(|verdict| js(&verdict))
}

/// The position with the other side to move: [`study::turned`].
///
/// # Errors
/// See [`study::turned`].
#[wasm_bindgen]
pub fn turned(input: &str, rules: &str) -> Result<String, String> {
    study::turned(&GAME, input, rules)
}

/// The names of the data files that [`provide`] takes: stored results of the game. They are beside
/// the module as `GAME-NAME.bin`. Without them every move comes from a search.
#[wasm_bindgen]
pub fn stores() -> Vec<String> {
    Position::STORES.iter().map(|store| store.name.to_string()).collect()
}

/// Loads the bytes of a data file of [`stores`]. May be called once for each.
///
/// # Errors
/// If the game has no data file of this name, or the bytes are damaged.
#[wasm_bindgen]
pub fn provide(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    let store = Position::STORES.iter().find(|store| store.name == name);
    (store.ok_or_else(|| format!("unknown store {name}"))?.provide)(bytes)
}
