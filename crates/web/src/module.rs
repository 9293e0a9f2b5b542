//! The functions that a game's module exports. Errors are thrown as texts.

use crate::desk::{self, Request};
use crate::study;
use analysis::finding::{Effort, Finding, Mark, Truth};
use engine::clock::Clock;
use serde_json::Value;
use std::time::Duration;
use wasm_bindgen::prelude::*;
use web_time::Instant;

#[cfg(feature = "foxgame")]
type Position = foxgame::Position;
#[cfg(feature = "foxgeese")]
type Position = foxgeese::Position;
#[cfg(feature = "halma")]
type Position = halma::Position;
#[cfg(feature = "squirrels")]
type Position = squirrels::Position;
#[cfg(feature = "wolves")]
type Position = wolves::Position;

#[cfg(feature = "foxgeese")]
const STORES: &[&str] = &["strategy"];
#[cfg(feature = "wolves")]
const STORES: &[&str] = &["outcomes", "strategy"];
#[cfg(not(any(feature = "foxgeese", feature = "wolves")))]
const STORES: &[&str] = &[];

#[cfg(feature = "foxgeese")]
fn provided(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    match name {
        "strategy" => foxgeese::strategy::provide(bytes).map_err(|damage| damage.to_string()),
        _ => Err(format!("there is no store {name}")),
    }
}
#[cfg(feature = "wolves")]
fn provided(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    match name {
        "outcomes" => wolves::embedded::provide(bytes),
        "strategy" => wolves::strategy::provide(bytes),
        _ => Err(format!("there is no store {name}")),
    }
}
#[cfg(not(any(feature = "foxgeese", feature = "wolves")))]
fn provided(name: &str, _: Vec<u8>) -> Result<(), String> {
    Err(format!("there is no store {name}"))
}

#[cfg(not(any(
    feature = "foxgame",
    feature = "foxgeese",
    feature = "halma",
    feature = "squirrels",
    feature = "wolves"
)))]
compile_error!("a module holds one game: give its name as the feature");

/// Wall time since the thinking began.
struct SinceThen(Instant);

impl Clock for SinceThen {
    fn used(&self) -> Duration {
        self.0.elapsed()
    }
}

/// A value as JavaScript has it. Going through a text would double what floating-point numbers cost in a module.
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
                // Fails for frozen objects alone.
                let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), &js(value));
            }
            object.into()
        }
    }
}

/// A field of an object, where it is there.
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

/// The request in an object with the fields of [`Request`].
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

/// The finding in an object as records have it; `None` if something is missing.
fn finding(object: &JsValue) -> Option<Finding> {
    let truth = |name: &str| {
        let word = text(object, name)?;
        [Truth::Loss, Truth::Draw, Truth::Win].into_iter().find(|truth| truth.word() == word)
    };
    let mark = text(object, "mark");
    let line = js_sys::Array::from(&field(object, "line")?);
    Some(Finding {
        best: text(object, "best")?,
        line: line.iter().filter_map(|mv| mv.as_string()).collect(),
        reply: text(object, "reply"),
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
        // What was asked for says nothing of the move.
        effort: Effort::Nodes(0),
    })
}

/// The game: [`desk::game`].
#[wasm_bindgen]
pub fn game() -> JsValue {
    js(&desk::game::<Position>())
}

/// The start: [`desk::start`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn start(rules: &str, seconds: f64) -> Result<String, String> {
    desk::start::<Position>(rules, seconds)
}

/// A position: [`desk::look`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn look(input: &str, rules: &str) -> Result<JsValue, String> {
    desk::look::<Position>(input, rules).map(|seen| js(&seen))
}

/// A move made: [`desk::play`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn play(input: &str, rules: &str, output: &str) -> Result<JsValue, String> {
    desk::play::<Position>(input, rules, output).map(|played| js(&played))
}

/// A move chosen: [`desk::think`]. `wanted` has the fields of [`Request`]; `tell` gets each iteration, and a value of `false` from
/// it ends the thinking.
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn think(input: &str, rules: &str, wanted: &JsValue, tell: &js_sys::Function) -> Result<JsValue, String> {
    let mut told = |iteration: Value| {
        let answer = tell.call1(&JsValue::NULL, &js(&iteration));
        answer.map_or(true, |answer| answer.as_bool() != Some(false))
    };
    let clock = SinceThen(Instant::now());
    desk::think::<Position>(input, rules, &request(wanted), &clock, &mut told).map(|answer| js(&answer))
}

/// What is known for certain: [`desk::truth`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn truth(input: &str, rules: &str) -> Result<JsValue, String> {
    desk::truth::<Position>(input, rules).map(|known| js(&known))
}

/// A move that was made, looked at: [`study::analyse`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn analyse(input: &str, rules: &str, output: &str, nodes: f64) -> Result<JsValue, String> {
    study::analyse::<Position>(input, rules, output, nodes as u64).map(|told| js(&told))
}

/// A move that a record has findings of: [`study::explain`].
///
/// # Errors
/// As there, and where something is missing in the findings.
#[wasm_bindgen]
pub fn explain(input: &str, rules: &str, output: &str, found: &JsValue) -> Result<JsValue, String> {
    let finding = finding(found).ok_or("expected the findings of a record")?;
    study::explain::<Position>(input, rules, output, &finding).map(|told| js(&told))
}

/// An output file checked: [`study::check`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn check(input: &str, rules: &str, output: &str) -> Result<JsValue, String> {
    study::check::<Position>(input, rules, output).map(|verdict| js(&verdict))
}

/// The position with the other side to move: [`study::turned`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn turned(input: &str, rules: &str) -> Result<String, String> {
    study::turned::<Position>(input, rules)
}

/// The names of the stored results that the game can be given by [`provide`]. They lie beside the module as
/// `GAME-NAME.bin`; without them the game is played by the search alone.
#[wasm_bindgen]
pub fn stores() -> Vec<String> {
    STORES.iter().map(|name| (*name).to_string()).collect()
}

/// Hands over stored results, once.
///
/// # Errors
/// There are none of this name, or these are not they.
#[wasm_bindgen]
pub fn provide(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    provided(name, bytes)
}
