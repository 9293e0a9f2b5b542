//! `judge check`, `judge show`: one position, one play.

use crate::games::{Visitor, rule_set};
use anyhow::{Context, Result, anyhow};
use engine::files::read_input;
use engine::protocol::{Task, seconds};
use engine::score::describe;
use engine::{Agent, Outcome, Protocol, Side};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Reads an input file as an agent would.
pub fn read_task<A: Agent>(file: &Path, rules: Option<&str>) -> Result<Task<A>> {
    let rules = rule_set(rules)?;
    let text = read_input(file).with_context(|| format!("{}: cannot be read", file.display()))?;
    A::read_task(&text, rules).map_err(|error| anyhow!("{}:{error}", file.display()))
}

/// What `judge check` found out.
pub enum Verdict {
    /// The play is legal; the board after it.
    Legal(String),
    /// It is not; why.
    Refused(String),
}

/// Checks an output file against its input file.
pub struct Check {
    /// The input file.
    pub input: PathBuf,
    /// The output file.
    pub output: PathBuf,
    /// The rule set's name, if one was given.
    pub rules: Option<String>,
}

impl Visitor for Check {
    type Output = Result<Verdict>;

    fn visit<A: Agent>(self) -> Result<Verdict> {
        let task = read_task::<A>(&self.input, self.rules.as_deref())?;
        let output = read_input(&self.output).with_context(|| format!("{}: cannot be read", self.output.display()))?;
        let mut position = task.position;
        let play = match position.read_play(&output) {
            Ok(play) => play,
            Err(violation) => return Ok(Verdict::Refused(format!("{}: {violation}", self.output.display()))),
        };
        let mut text = format!("{} plays {}\n", word(&position), position.describe_play(play));
        position.play(play);
        text.push_str(&position.picture(Some(play)));
        text.push_str(&state(&position));
        Ok(Verdict::Legal(text))
    }
}

/// Draws a position and lists its legal plays.
pub struct Show {
    /// The input file.
    pub input: PathBuf,
    /// The rule set's name, if one was given.
    pub rules: Option<String>,
}

impl Visitor for Show {
    type Output = Result<String>;

    fn visit<A: Agent>(self) -> Result<String> {
        let task = read_task::<A>(&self.input, self.rules.as_deref())?;
        let position = &task.position;
        let mut text = position.picture(None);
        text.push_str(&state(position));
        writeln!(text, "clock: {} s ({})", seconds(task.clock), task.control.word())?;
        let plays = position.legal_moves();
        writeln!(text, "{} legal plays:", plays.len())?;
        for play in plays {
            writeln!(text, "  {}", position.describe_play(play))?;
        }
        Ok(text)
    }
}

fn word<P: Protocol>(position: &P) -> &'static str {
    P::side_word(position.side_to_move())
}

/// Whose turn it is, or how the game ended.
fn state<P: Protocol>(position: &P) -> String {
    match position.outcome() {
        None => format!("{} to move\n", word(position)),
        Some(Outcome::Draw) => "the game is a draw\n".to_string(),
        Some(Outcome::Win(side)) => format!("{} has won\n", P::side_word(side)),
        Some(Outcome::Points(difference)) => {
            format!("the game is over, {} {}\n", P::side_word(Side::First), describe(difference))
        }
    }
}
