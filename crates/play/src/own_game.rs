//! A game of somebody's own on the page (`judge play --game ./folder`): the judge asks its rules, a
//! program, by the functions of [`web`] that answer for other games in the browser.

use anygame::{AnyGame, Position};
use anyhow::{Context, Error, Result, anyhow, bail};
use engine::Drawing;
use engine::drawing::Place;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::Deserialize;
use serde_json::{Value, json};
use web::game_api;

const MOST_PLAYED: usize = 200;
/// The effort of a hint, and the most of an analysis, in nodes: a random game stands for 100.
const HINT_NODES: u64 = 5_000;
const MOST_NODES: u64 = 200_000;

/// A function that the WebAssembly module of another game has, and its arguments.
#[derive(Deserialize)]
pub(super) struct Question {
    game: String,
    ask: String,
    words: Vec<Value>,
}

/// The entry of the game in the page's list, with the first paragraph of its rules.
pub(super) fn listed(game: &AnyGame) -> Value {
    let title = game.title.split(" (").next();
    let goal = game.rules_page.and_then(|page| page.split("\n\n").nth(1)).unwrap_or_default();
    json!({ "name": game.key, "title": title, "goal": goal, "rules": game.rules_page.is_some() })
}

pub(super) fn answer(game: &'static AnyGame, question: &Question) -> Result<Value> {
    let Question { game: key, ask, words } = question;
    if key != game.key {
        bail!("no game {key}: it comes from the command line alone");
    }
    let text = |at: usize| {
        words.get(at).and_then(Value::as_str).with_context(|| format!("{ask}: expected a text"))
    };
    let nodes = |value: &Value| value.as_u64().unwrap_or(HINT_NODES).min(MOST_NODES);
    let limited = |at: usize, limit: &dyn Fn(&Value) -> Value| {
        let mut words = words.clone();
        words.resize(words.len().max(at + 1), Value::Null);
        words[at] = limit(&words[at]);
        words
    };
    let words = match ask.as_str() {
        "game" => return about(game),
        "start" => return start(game, text(0)?),
        "look" => return look(game, text(0)?, text(1)?),
        "play" => return play(game, text(0)?, text(1)?, text(2)?),
        "stored" => return stored(game, text(0)?, text(1)?),
        "check" => return check(game, text(0)?, text(1)?, text(2)?),
        "losing" if is_hidden(&restored(game, text(0)?, text(1)?)?)? => return Ok(json!([])),
        "think" => limited(2, &|request| json!({ "nodes": nodes(&request["nodes"]) })),
        "analyse" => limited(3, &|effort| nodes(effort).into()),
        _ => words.clone(),
    };
    let told = web::ask::answer(game, ask, &words, &engine::clock::NoClock, &mut |_| true);
    told.map_err(Error::msg)
}

/// Whether a position has what its side to move does not see, or what chance will do.
fn is_hidden(position: &Position) -> Result<bool> {
    Ok(position.guesses(0, &mut || 0)?.is_some())
}

fn restored(game: &AnyGame, stored: &str, rules: &str) -> Result<Position> {
    Ok(game_api::read(game, stored, rules).map_err(Error::msg)?.position)
}

fn about(game: &'static AnyGame) -> Result<Value> {
    let mut value = game_api::game(game);
    value["name"] = json!(game.key);
    value["own"] = json!(true);
    value["hidden"] = json!(is_hidden(&game.rules.start(None)?)?);
    Ok(value)
}

/// A start of the game: with dice or cards, another one each time.
fn start(game: &AnyGame, rules: &str) -> Result<Value> {
    let position = game.rules.start_of(Some(rules), SysRng.try_next_u64()?)?;
    Ok(json!(position.stored(engine::TimeControl::Game, anygame::position::ANY_CLOCK)?))
}

fn look(game: &AnyGame, stored: &str, rules: &str) -> Result<Value> {
    let mut seen = game_api::look(game, stored, rules).map_err(Error::msg)?;
    let position = restored(game, stored, rules)?;
    let hidden = is_hidden(&position)?;
    if let Some(drawing) = position.drawing().filter(|_| !hidden) {
        for (index, path) in paths(&position, &drawing).into_iter().enumerate() {
            seen["moves"][index]["path"] = json!(path);
        }
    }
    seen["task"] = task(game, seen["over"].is_null().then_some(stored), rules)?;
    if hidden {
        seen["board"] = Value::Null;
    }
    let own = seen["task"].clone();
    show(&mut seen, hidden.then_some(own));
    Ok(seen)
}

fn play(game: &AnyGame, stored: &str, rules: &str, output: &str) -> Result<Value> {
    let mut played = game_api::play(game, stored, rules, output).map_err(Error::msg)?;
    let hidden = is_hidden(&restored(game, stored, rules)?)?;
    let own = hidden.then(|| task(game, played["input"].as_str(), rules)).transpose()?;
    show(&mut played, own);
    Ok(played)
}

/// The input file of a position; null at the end of a game.
fn task(game: &AnyGame, stored: Option<&str>, rules: &str) -> Result<Value> {
    let text = |stored| game_api::read(game, stored, rules).map_err(Error::msg)?.input();
    Ok(json!(stored.map(text).transpose()?))
}

/// Gives a position without a drawing the text of the board. `own` is, where something is hidden,
/// what the side to move sees.
fn show(value: &mut Value, own: Option<Value>) {
    if own.is_some() || value["position"].is_null() {
        let picture = value["picture"].clone();
        value["position"] = json!({ "picture": picture, "path": [], "changed": [] });
    }
    if let Some(own) = own {
        value["position"]["own"] = own;
    }
}

/// The squares on which each legal move is pressed: one that the rules' `draw` tells of it, or two
/// with a piece of the mover's on the first. None where that does not tell moves apart.
fn paths(position: &Position, before: &Drawing) -> Vec<Vec<Place>> {
    let codes = position.codes();
    if codes.len() > MOST_PLAYED {
        return Vec::new();
    }
    let own = |&(x, y): &Place| {
        let piece = before.cells.get(y * before.width + x).and_then(|cell| cell.piece);
        piece.is_some_and(|(side, _)| side == position.side_to_move())
    };
    let path = |code: u32| -> Option<Vec<Place>> {
        let mut path = position.clone().play(code).ok()?.drawing()?.changed;
        path.sort_by_key(|place| !own(place));
        let fits = path.len() == 1 || path.len() == 2 && own(&path[0]) && !own(&path[1]);
        fits.then_some(path)
    };
    let found: Vec<Vec<Place>> =
        codes.into_iter().map(|code| path(code).unwrap_or_default()).collect();
    let is_alone =
        |path: &&Vec<Place>| found.iter().filter(|other| other.starts_with(path)).count() == 1;
    found.iter().map(|path| Some(path).filter(is_alone).cloned().unwrap_or_default()).collect()
}

/// The position of an input file, as the page has positions.
fn stored(game: &AnyGame, input: &str, rules: &str) -> Result<Value> {
    let task = game.rules.read_task(input, Some(rules))?;
    let task = task.map_err(|error| anyhow!("{}: line {error}", game.interface.files.input))?;
    Ok(json!(task.position.stored(task.control, task.clock)?))
}

fn check(game: &AnyGame, stored: &str, rules: &str, output: &str) -> Result<Value> {
    let found = restored(game, stored, rules)?.read_move(output)?;
    let (legal, words) = match found {
        Ok(mv) => (true, format!("the legal move {}", mv.described)),
        Err(violation) => (false, violation.to_string()),
    };
    Ok(json!({ "legal": legal, "text": format!("{}: {words}", game.interface.files.output) }))
}
