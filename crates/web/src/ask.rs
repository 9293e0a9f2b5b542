//! The questions of a page: functions of [`game_api`] and [`study`] by their names, with their
//! arguments as JSON. A WebAssembly module and `judge play --game ./folder` answer by them.

use crate::game_api::{self, Request};
use crate::study;
use analysis::finding::{Effort, Finding, Mark, ProvenResult};
use anygame::AnyGame;
use engine::clock::Clock;
use serde_json::{Value, json};

/// Answers the question `ask`. `tell` gets each iteration of a search, and stops the search by
/// returning `false`.
///
/// # Errors
/// If there is no such question, a word is missing or of another kind, or the function fails.
pub fn answer(
    game: &AnyGame,
    ask: &str,
    words: &[Value],
    clock: &dyn Clock,
    tell: &mut dyn FnMut(Value) -> bool,
) -> Result<Value, String> {
    let word = |at: usize| words.get(at).unwrap_or(&Value::Null);
    let text = |at: usize| word(at).as_str().ok_or_else(|| format!("{ask}: expected a text"));
    let number = |at: usize| word(at).as_f64().ok_or_else(|| format!("{ask}: expected a number"));
    match ask {
        "game" => Ok(game_api::game(game)),
        "start" => game_api::start(game, text(0)?, number(1)?).map(Value::from),
        "look" => game_api::look(game, text(0)?, text(1)?),
        "losing" => game_api::losing(game, text(0)?, text(1)?),
        "play" => game_api::play(game, text(0)?, text(1)?, text(2)?),
        "think" => game_api::think(game, text(0)?, text(1)?, &request(word(2)), clock, tell),
        "truth" => game_api::truth(game, text(0)?, text(1)?),
        "sketch" => game_api::sketch(game, text(0)?, text(1)?, text(2)?, &texts(word(3))),
        "picture" => game_api::picture(game, text(0)?, text(1)?, text(2).ok()).map(Value::from),
        "arrow" => {
            let path: Vec<usize> = list(word(0), |at| at.as_f64().map(|at| at as usize));
            let path: Vec<_> = path.chunks_exact(2).map(|place| (place[0], place[1])).collect();
            Ok(json!(boards::aim(&path)))
        }
        "analyse" => study::analyse(game, text(0)?, text(1)?, text(2)?, number(3)? as u64),
        "explain" => {
            let finding = finding(word(3)).ok_or("expected the finding of a record")?;
            study::explain(game, text(0)?, text(1)?, text(2)?, &finding)
        }
        "accuracy" => Ok(study::accuracy(&list(word(0), Value::as_f64))),
        "check" => study::check(game, text(0)?, text(1)?, text(2)?),
        "turned" => study::turned(game, text(0)?, text(1)?).map(Value::from),
        _ => Err(format!("there is no question '{ask}'")),
    }
}

/// The items of a list of which `item` makes something.
fn list<T>(value: &Value, item: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    value.as_array().into_iter().flatten().filter_map(item).collect()
}

fn texts(value: &Value) -> Vec<String> {
    list(value, |text| text.as_str().map(str::to_string))
}

/// The request of an object with the fields of [`Request`]. Reading it by `serde` would add 30 kB
/// to a module. Numbers of JavaScript are floating-point numbers.
fn request(value: &Value) -> Request {
    let number = |name: &str| value[name].as_f64();
    Request {
        nodes: number("nodes").map(|nodes| nodes as u64),
        depth: number("depth").map(|depth| depth as u32),
        seconds: number("seconds"),
        clock: number("clock"),
        hash: number("hash").map(|mib| mib as u32),
        algorithm: value["algorithm"].as_str().map(str::to_string),
    }
}

/// The finding of a record; `None` if a field is missing.
fn finding(value: &Value) -> Option<Finding> {
    let text = |name: &str| value[name].as_str().map(str::to_string);
    let number = |name: &str| value[name].as_f64();
    let score = |name: &str| number(name).map(|score| score as i32);
    let result = |name: &str| {
        let word = value[name].as_str()?;
        [ProvenResult::Loss, ProvenResult::Draw, ProvenResult::Win]
            .into_iter()
            .find(|result| result.word() == word)
    };
    let mark = value["mark"].as_str();
    Some(Finding {
        best: text("best")?,
        line: texts(&value["line"]),
        reply: text("reply"),
        reply_line: texts(&value["reply_line"]),
        score: score("score"),
        best_score: score("best_score"),
        chance: number("chance")?,
        best_chance: number("best_chance")?,
        mark: mark.and_then(|word| Mark::ALL.into_iter().find(|mark| mark.word() == word)),
        proven: value["proven"].as_bool()?,
        before: result("before"),
        after: result("after"),
        source: text("source"),
        choices: number("choices")? as u32,
        depth: number("depth")? as u32,
        // The effort is not part of what is shown.
        effort: Effort::Nodes(0),
    })
}
