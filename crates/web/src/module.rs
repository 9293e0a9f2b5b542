//! The functions that a game's module exports. Errors are thrown as texts.

use crate::desk::{self, Request};
use crate::study;
use engine::clock::Clock;
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

/// The game: [`desk::game`].
#[wasm_bindgen]
pub fn game() -> String {
    desk::game::<Position>().to_string()
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
pub fn look(input: &str, rules: &str) -> Result<String, String> {
    desk::look::<Position>(input, rules).map(|seen| seen.to_string())
}

/// A move made: [`desk::play`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn play(input: &str, rules: &str, output: &str) -> Result<String, String> {
    desk::play::<Position>(input, rules, output).map(|played| played.to_string())
}

/// A move chosen: [`desk::think`]. `tell` gets each iteration as JSON; a value of `false` from it ends the thinking.
///
/// # Errors
/// As there, and a request that cannot be read.
#[wasm_bindgen]
pub fn think(input: &str, rules: &str, request: &str, tell: &js_sys::Function) -> Result<String, String> {
    let request: Request = serde_json::from_str(request).map_err(|error| format!("request: {error}"))?;
    let mut told = |iteration: serde_json::Value| {
        let answer = tell.call1(&JsValue::NULL, &JsValue::from_str(&iteration.to_string()));
        answer.map_or(true, |answer| answer.as_bool() != Some(false))
    };
    let clock = SinceThen(Instant::now());
    desk::think::<Position>(input, rules, &request, &clock, &mut told).map(|answer| answer.to_string())
}

/// A move that was made, looked at: [`study::analyse`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn analyse(input: &str, rules: &str, output: &str, nodes: f64) -> Result<String, String> {
    study::analyse::<Position>(input, rules, output, nodes as u64).map(|told| told.to_string())
}

/// A move that a record has findings of: [`study::explain`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn explain(input: &str, rules: &str, output: &str, finding: &str) -> Result<String, String> {
    study::explain::<Position>(input, rules, output, finding).map(|told| told.to_string())
}

/// An output file checked: [`study::check`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn check(input: &str, rules: &str, output: &str) -> Result<String, String> {
    study::check::<Position>(input, rules, output).map(|verdict| verdict.to_string())
}

/// The position with the other side to move: [`study::turned`].
///
/// # Errors
/// As there.
#[wasm_bindgen]
pub fn turned(input: &str, rules: &str) -> Result<String, String> {
    study::turned::<Position>(input, rules)
}

/// The names of the stored results that the game can be given by [`provide`], as a JSON list. They lie beside the module as
/// `GAME-NAME.bin`; without them the game is played by the search alone.
#[wasm_bindgen]
pub fn stores() -> String {
    serde_json::json!(STORES).to_string()
}

/// Hands over stored results, once.
///
/// # Errors
/// There are none of this name, or these are not they.
#[wasm_bindgen]
pub fn provide(name: &str, bytes: Vec<u8>) -> Result<(), String> {
    provided(name, bytes)
}
