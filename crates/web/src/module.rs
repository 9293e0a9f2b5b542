//! The functions that a game's WebAssembly module exports. Errors are thrown as strings.

use crate::ask::answer;
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

/// The game of the module, without the texts that a site has as pages.
static GAME: LazyLock<AnyGame> =
    LazyLock::new(|| AnyGame { rules_page: None, starters: &[], ..AnyGame::of::<Position>() });

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

/// Converts a JavaScript value to JSON: the inverse of [`js`]. A function is null.
fn json(value: &JsValue) -> Value {
    if let Some(truth) = value.as_bool() {
        truth.into()
    } else if let Some(number) = value.as_f64() {
        number.into()
    } else if let Some(text) = value.as_string() {
        text.into()
    } else if js_sys::Array::is_array(value) {
        js_sys::Array::from(value).iter().map(|value| json(&value)).collect()
    } else if let Some(object) = value.dyn_ref::<js_sys::Object>().filter(|_| value.is_object()) {
        let field = |field: JsValue| {
            let [name, value] = [0, 1].map(|at| js_sys::Array::from(&field).get(at));
            (name.as_string().unwrap_or_default(), json(&value))
        };
        Value::Object(js_sys::Object::entries(object).iter().map(field).collect())
    } else {
        Value::Null
    }
}

/// Answers a question about the game: [`answer`]. `words` is an array of its arguments, `tell` the
/// function that gets the iterations of a search.
///
/// # Errors
/// See [`answer`].
#[wasm_bindgen]
pub fn ask(name: &str, words: &JsValue, tell: &js_sys::Function) -> Result<JsValue, String> {
    let mut told = |iteration: Value| {
        let answer = tell.call1(&JsValue::NULL, &js(&iteration));
        answer.map_or(true, |answer| answer.as_bool() != Some(false))
    };
    let Value::Array(words) = json(words) else { return Err("expected an array".to_string()) };
    answer(&GAME, name, &words, &WallClock(Instant::now()), &mut told).map(|told| js(&told))
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
