//! `judge check`, `judge show`: one position, one move.

use crate::names::name_parser;
use crate::standings::aligned;
use anyhow::{Context, Result, anyhow};
use arena::analysis::ThreadTime;
use arena::analysis::finding::Effort;
use arena::analysis::look::choices;
use arena::terms::rule_set;
use clap::Args;
use engine::agent::files::read_input;
use engine::protocol::{Task, seconds};
use engine::score::describe;
use engine::verdict::standing;
use engine::{Playable, Protocol};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Reads an input file as an agent would.
pub(crate) fn read_task<A: Playable>(file: &Path, rules: Option<&str>) -> Result<Task<A>> {
    let rules = rule_set(rules)?;
    A::read_task(&text_of(file)?, rules).map_err(|error| anyhow!("{}:{error}", file.display()))
}

fn text_of(file: &Path) -> Result<String> {
    read_input(file).with_context(|| format!("{}: cannot be read", file.display()))
}

/// The finding of `judge check`.
pub(crate) enum Verdict {
    /// The move is legal; the board after it.
    Legal(String),
    /// The move is refused; the reason, in one line or more.
    Refused(String),
}

/// Options of `judge check`.
#[derive(Args)]
pub(crate) struct CheckOptions {
    /// The game
    #[arg(value_parser = name_parser())]
    pub game: String,
    /// The input file: the position
    pub input: PathBuf,
    /// The output file: the move
    pub output: PathBuf,
    /// The rule set to refuse by; the most permissive one unless given
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
}

/// Checks an output file against its input file.
pub(crate) fn check<A: Playable>(options: &CheckOptions) -> Result<Verdict> {
    let CheckOptions { input, output, rules, .. } = options;
    let (rules, text) = (rule_set::<A::Rules>(rules.as_deref())?, text_of(input)?);
    let refused = |error| anyhow!("{}:{error}", input.display());
    // A bad input is reported before an output that cannot be read.
    A::read_task(&text, rules).map_err(refused)?;
    let verdict = engine::Verdict::<A>::of(&text, &text_of(output)?, rules).map_err(refused)?;
    let words = verdict.words(&output.display().to_string());
    Ok(if verdict.found.is_ok() { Verdict::Legal(words) } else { Verdict::Refused(words) })
}

/// Options of `judge show`.
#[derive(Args)]
pub(crate) struct ShowOptions {
    /// The game
    #[arg(value_parser = name_parser())]
    pub game: String,
    /// The input file: the position
    pub input: PathBuf,
    /// The rule set; the judge's most permissive one unless given
    #[arg(long, value_name = "NAME")]
    pub rules: Option<String>,
    /// Give every legal move its score, the best first, and the evaluation's parts where the game tells them
    #[arg(long)]
    pub scores: bool,
    /// Nodes that decide the depth to which every move is searched
    #[arg(long, value_name = "COUNT", requires = "scores", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
}

/// Draws a position and lists its legal moves.
pub(crate) fn show<A: Playable>(options: &ShowOptions) -> Result<String> {
    let task = read_task::<A>(&options.input, options.rules.as_deref())?;
    let position = &task.position;
    let mut text = position.picture(None);
    text.push_str(&standing(position));
    writeln!(text, "clock: {} s ({})", seconds(task.clock), task.control.word())?;
    if options.scores {
        return Ok(text + &scores(position, Effort::Nodes(options.nodes)));
    }
    let moves = position.legal_moves();
    writeln!(text, "{} legal moves:", moves.len())?;
    for mv in moves {
        writeln!(text, "  {}", position.describe_move(mv))?;
    }
    Ok(text)
}

/// Every legal move with its score and winning chances, the best first; then the evaluation, part by part.
fn scores<A: Playable>(position: &A, effort: Effort) -> String {
    if position.outcome().is_some() {
        return String::new();
    }
    let (choices, depth) = choices(position, effort, &ThreadTime);
    let mut rows = vec![["", "Move", "Score", "Chances", ""].map(String::from).to_vec()];
    for (choice, place) in choices.iter().zip(1..) {
        let score = choice.score.map_or("-".to_string(), describe);
        let chances = format!("{:.0} %", 50.0 * (choice.chance + 1.0));
        let truth = choice.truth.map_or(String::new(), |truth| format!("proven {}", truth.word()));
        rows.push(vec![format!("{place}."), position.describe_move(choice.mv), score, chances, truth]);
    }
    let mut text = format!("{} legal moves, searched {depth} plies deep:\n{}", choices.len(), aligned(&rows, &[1, 4]));
    // The search may see the position otherwise than it is, and value it so.
    let terms = A::terms(&A::as_searched(position));
    if !terms.is_empty() {
        let sum: i32 = terms.iter().map(|(_, points)| points).sum();
        let mut rows: Vec<Vec<String>> =
            terms.iter().map(|(what, points)| vec![what.to_string(), format!("{points:+}")]).collect();
        rows.push(vec!["sum".to_string(), format!("{sum:+}")]);
        text += &format!("The evaluation of the board as it is, in points for {}:\n", word(position));
        text += &aligned(&rows, &[0]);
    }
    text
}

fn word<P: Protocol>(position: &P) -> &'static str {
    P::side_word(position.side_to_move())
}
