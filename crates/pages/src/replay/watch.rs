//! `judge watch`: the newest game of a growing record in the terminal.

use super::caption;
use crate::frames::frame;
use anyhow::{Result, bail};
use arena::analysis::finding::Effort;
use arena::record::{End, GameRecord, Record};
use arena::replayed::ReplayedGame;
use arena::tournament::count;
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;
use terminal::games::game_of;
use terminal::output::print_anew;
use terminal::standings;

const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Options of `judge watch`.
#[derive(Args)]
pub struct WatchOptions {
    /// The record
    file: PathBuf,
    /// Show the newest game once, and end
    #[arg(long)]
    once: bool,
    /// Analyse the newest move by a search of 20,000 nodes: its cost, and a better move
    #[arg(long)]
    analyse: bool,
}

const EFFORT: Effort = Effort::Nodes(20_000);

/// Draws the newest game and the standings whenever the record has grown, or once.
pub fn watch(options: &WatchOptions) -> Result<()> {
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
            let total = count(&record.header, game_of(&record)?.first);
            let text = view(&record, total, *analyse)?;
            print_anew(&text);
            if *once || total > 0 && record.games.len() >= total {
                return Ok(());
            }
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn view(record: &Record, total: usize, analyse: bool) -> Result<String> {
    let any_game = game_of(record)?;
    let mut text = String::new();
    let last_over = record.games.values().next_back();
    let newest = record.open.values().max_by_key(|(start, _)| start.game);
    let (start, moves) = match (newest, last_over) {
        (Some((start, moves)), _) => (start, moves),
        (None, Some(GameRecord { start, moves, .. })) => (start, moves),
        (None, None) => return Ok("no game has begun yet\n".to_string()),
    };
    let [one, other] = &start.players;
    let [first, second] = any_game.sides;
    let _ = writeln!(text, "Game {}: {first} {one}, {second} {other}", start.game);
    let replayed = ReplayedGame::of(any_game, &record.header, &start.opening, moves)?;
    let mut moves = moves.clone();
    let plies = moves.len();
    if analyse && let Some(newest) = moves.last_mut().filter(|newest| newest.analysis.is_none()) {
        newest.analysis = Some(Box::new(replayed.turn(plies - 1).analyse(EFFORT)?));
    }
    let frame = frame(&replayed, &moves, plies)?;
    let _ = write!(text, "{}{}", frame.picture, caption(&frame));
    let ends: Vec<End> = record.ends().cloned().collect();
    // The record of a grading has no schedule, and then the total is 0.
    let of = if total > 0 { format!(" of {total}") } else { String::new() };
    let _ = writeln!(text, "\n{}{of} games over, {} running", ends.len(), record.open.len());
    if !ends.is_empty() {
        text.push_str(&standings::table(any_game, &record.header, &ends));
    }
    Ok(text)
}
