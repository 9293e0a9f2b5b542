//! `judge watch`: follows a record that another judge is writing, and draws its running games in the terminal.

use super::caption;
use crate::games::find;
use crate::output::print;
use crate::standings;
use anyhow::{Result, bail};
use arena::analysis::finding::Effort;
use arena::record::{End, GameRecord, Record};
use arena::tournament::count;
use clap::Args;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

/// The time between two looks at the record.
const PAUSE: Duration = Duration::from_millis(500);

/// Options of `judge watch`.
#[derive(Args)]
pub(crate) struct WatchOptions {
    /// The record
    file: PathBuf,
    /// Show it once, and leave
    #[arg(long)]
    once: bool,
    /// Say what the newest move was worth, and what was better: a search of 20,000 nodes for each
    #[arg(long)]
    analyse: bool,
}

/// Nodes for the newest move.
const EFFORT: Effort = Effort::Nodes(20_000);

/// Draws the newest running game, and the standings, whenever the record has grown; until all games are over or, with
/// `once`, one time.
pub(crate) fn watch(options: &WatchOptions) -> Result<()> {
    let WatchOptions { file, once, analyse } = options;
    let mut seen = 0;
    if *once && !file.is_file() {
        bail!("{}: no such file", file.display());
    }
    loop {
        let length = std::fs::metadata(file).map_or(0, |data| data.len());
        if length != seen {
            seen = length;
            let record = Record::read(file)?;
            let total = count(&record.header, find(&record.header.game)?.arena.first);
            let text = view(&record, total, *analyse)?;
            // Home, and clear what is below: no flicker, and nothing of this in files.
            let clear = if stdout().is_terminal() { "\u{1b}[H\u{1b}[J" } else { "" };
            print(&format!("{clear}{text}"));
            if *once || total > 0 && record.games.len() >= total {
                return Ok(());
            }
        }
        thread::sleep(PAUSE);
    }
}

fn view(record: &Record, total: usize, analyse: bool) -> Result<String> {
    let known = find(&record.header.game)?;
    let mut text = String::new();
    let last_over = record.games.values().next_back();
    let newest = record.open.values().max_by_key(|(start, _)| start.game);
    let (start, moves) = match (newest, last_over) {
        (Some((start, moves)), _) => (start, moves),
        (None, Some(GameRecord { start, moves, .. })) => (start, moves),
        (None, None) => return Ok("no game has begun yet\n".to_string()),
    };
    let [one, other] = &start.players;
    let [first, second] = known.arena.sides;
    let _ = writeln!(text, "Game {}: {first} {one}, {second} {other}", start.game);
    let mut moves = moves.clone();
    if analyse && moves.last().is_some_and(|newest| newest.analysis.is_none()) {
        let newest = (known.questions)(&record.header, &start.opening, &moves)?.pop();
        if let (Some(question), Some(mv)) = (newest, moves.last_mut()) {
            mv.analysis = Some(Box::new(question.look(EFFORT)));
        }
    }
    if let Some(frame) = (known.frames)(&record.header, &start.opening, &moves)?.pop() {
        let _ = write!(text, "{}{}", frame.picture, caption(&frame));
    }
    let ends: Vec<End> = record.ends().cloned().collect();
    // A grading's games are not of a schedule.
    let of = if total > 0 { format!(" of {total}") } else { String::new() };
    let _ = writeln!(text, "\n{}{of} games over, {} running", ends.len(), record.open.len());
    if !ends.is_empty() {
        text.push_str(&standings::table(&known.arena, &record.header, &ends));
    }
    Ok(text)
}
