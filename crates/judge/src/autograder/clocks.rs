//! How long a grading may take, and clocks that are scaled so that a platform's time-out is kept.

use crate::toml_text::parse;
use anyhow::{Context, Error, Result, bail};
use arena::AnyGame;
use engine::TimeControl;
use std::fmt::Write;
use toml::{Table, Value};

/// The part of a platform's time that the players' clocks may fill: references, compilers and starts need the rest.
const PLAYERS_PART: f64 = 0.6;

/// What is graded by, with clocks that fit.
#[derive(Debug, PartialEq)]
pub(super) struct Fitted {
    /// The scheme's file with its clocks scaled, if there is one.
    pub scheme: Option<String>,
    /// Options for the grading.
    pub options: Vec<String>,
    /// What was done to the clocks, for the teacher and the students.
    pub said: String,
}

/// A scheme's file, or the game's own scheme, with clocks for a platform that ends a grading after so many seconds.
pub(super) fn fitted(scheme: Option<&str>, game: &AnyGame, timeout: u64) -> Result<Fitted> {
    let room = timeout as f64 * PLAYERS_PART;
    match scheme {
        Some(text) => of_file(text, room, timeout),
        None => Ok(of_course(game, room, timeout)),
    }
}

/// A factor that makes clocks fit, and what to say of it.
fn factor(longest: f64, room: f64, timeout: u64) -> (f64, String) {
    // A clock of a whole number of hundredths is read by everyone.
    let factor = (room / longest.max(1e-9)).min(1.0);
    let said = if factor < 1.0 {
        format!(
            "clocks are {:.0} % of the scheme's: the platform ends a grading after {timeout} s, and by the scheme's own \
             clocks the program alone might take {longest:.0} s",
            factor * 100.0
        )
    } else {
        format!(
            "clocks are the scheme's own: the program takes {longest:.0} s at most, the platform allows {timeout} s"
        )
    };
    (factor, said)
}

fn scaled(seconds: f64, factor: f64) -> f64 {
    if factor < 1.0 { ((seconds * factor * 100.0).floor() / 100.0).max(0.01) } else { seconds }
}

/// The plies that an agent plays in a game of usual length, for clocks that are for a move each.
const MOVES_OF_A_GAME: f64 = 60.0;

fn of_course(game: &AnyGame, room: f64, timeout: u64) -> Fitted {
    let course = &game.course;
    let moves = if course.game_control == TimeControl::Game { 1.0 } else { MOVES_OF_A_GAME };
    let longest = f64::from(course.singles) * course.single_clock + f64::from(course.games) * course.game_clock * moves;
    let (factor, said) = factor(longest, room, timeout);
    let games = if course.game_control == TimeControl::Game { "--game-clock" } else { "--turn-clock" };
    let clocks = [("--single-clock", course.single_clock), (games, course.game_clock)];
    let options =
        clocks.into_iter().flat_map(|(option, seconds)| [option.to_string(), scaled(seconds, factor).to_string()]);
    Fitted { scheme: None, options: options.collect(), said }
}

/// The keys of a scheme's tests that are clocks, and how many clocks' time each may take.
const CLOCKS: [(&str, &str, f64); 3] =
    [("positions", "clock", 1.0), ("games", "clock", 1.0), ("games", "turn-clock", MOVES_OF_A_GAME)];

fn of_file(text: &str, room: f64, timeout: u64) -> Result<Fitted> {
    let mut table: Table = parse(text).map_err(Error::msg)?;
    let mut longest = 0.0;
    visit(&mut table, |count, seconds, times| {
        longest += count * seconds * times;
        seconds
    })?;
    let (factor, said) = factor(longest, room, timeout);
    let scheme = if factor < 1.0 {
        visit(&mut table, |_, seconds, _| scaled(seconds, factor))?;
        let mut scheme = String::new();
        let _ = writeln!(scheme, "# {said}.\n{table}");
        scheme
    } else {
        text.to_string()
    };
    Ok(Fitted { scheme: Some(scheme), options: Vec::new(), said })
}

/// Replaces every clock of a scheme. `replace` gets how many tests it is for, its seconds, and how often each is used.
fn visit(table: &mut Table, mut replace: impl FnMut(f64, f64, f64) -> f64) -> Result<()> {
    for (kind, key, times) in CLOCKS {
        let Some(tests) = table.get_mut(kind) else { continue };
        let tests = tests.as_array_mut().with_context(|| format!("1: {kind}: expected [[{kind}]]"))?;
        for test in tests {
            // A ladder of references has so many games against each.
            let references = test.get("reference").and_then(Value::as_array).map_or(1, Vec::len);
            let count = test.get("count").and_then(number).unwrap_or(1.0) * references as f64;
            let Some(clock) = test.get_mut(key) else { continue };
            let Some(seconds) = number(clock) else { bail!("1: {kind}: {key}: expected seconds, found {clock}") };
            *clock = Value::Float(replace(count, seconds, times));
        }
    }
    Ok(())
}

fn number(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEME: &str = "game = \"halma\"\n[[positions]]\ncount = 10\nclock = 30\n[[games]]\ncount = 9\nclock = 100\n\
                          [[games]]\ncount = 2\nturn-clock = 1.5\n";

    #[test]
    fn clocks_are_scaled_to_what_a_platform_allows_and_that_is_said() {
        let long = of_file(SCHEME, 1e6, 10).unwrap();
        assert_eq!(long.scheme.as_deref(), Some(SCHEME));
        assert!(long.said.contains("the scheme's own"), "{}", long.said);
        // 300 s, 900 s and 180 s.
        let short = of_file(SCHEME, 138.0, 230).unwrap();
        assert!(short.said.contains("clocks are 10 %") && short.said.contains("1380 s"), "{}", short.said);
        let table: Table = short.scheme.unwrap().parse().unwrap();
        assert_eq!(table["positions"][0]["clock"].as_float(), Some(3.0));
        assert_eq!(table["games"][0]["clock"].as_float(), Some(10.0));
        assert_eq!(table["games"][1]["turn-clock"].as_float(), Some(0.15));
        assert!(of_file("games = 3", 1.0, 1).is_err() && of_file("[[games]]\nclock = \"x\"", 1.0, 1).is_err());
        assert!(of_file("a =", 1.0, 1).unwrap_err().to_string().starts_with("1: "));
    }

    #[test]
    fn each_reference_of_a_ladder_has_its_games() {
        let ladder = "[[games]]\ncount = 4\nreference = [\"greedy\", \"minimax:2\", \"alphabeta:3\"]\nclock = 10\n";
        let fitted = of_file(ladder, 60.0, 100).unwrap();
        assert!(fitted.said.contains("clocks are 50 %") && fitted.said.contains("120 s"), "{}", fitted.said);
    }

    #[test]
    fn a_course_without_a_file_is_scaled_by_options() {
        let game = crate::games::find("halma").unwrap();
        let fitted = of_course(&game.arena, 120.0, 200);
        assert_eq!(fitted.options, ["--single-clock", "3", "--game-clock", "10"]);
        assert!(fitted.said.contains("10 %"), "{}", fitted.said);
    }
}
