//! `judge replay`: the games of a record, as a page for a browser or as text.

pub(crate) mod frames;
pub(crate) mod page;
pub(crate) mod watch;

use crate::analyse::words;
use crate::games::{Game, find};
use crate::output::print;
use anyhow::{Context, Result, anyhow, bail};
use arena::record::{GameRecord, Record};
use clap::Args;
use frames::Frame;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Options of `judge replay`.
#[derive(Args)]
pub(crate) struct ReplayOptions {
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write one self-contained page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the games
    #[arg(long)]
    text: bool,
    /// Only these games, by number
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    game: Vec<u32>,
}

/// Writes the page, or prints the games.
pub(crate) fn replay(options: &ReplayOptions) -> Result<()> {
    match &options.html {
        Some(page) => html(&options.files, &options.game, page),
        None => text(&options.files, &options.game),
    }
}

/// The most games on a page: beyond it, browsers get slow.
const MOST_GAMES: usize = 200;
/// Bytes of input files on a page, for `copy as input.txt`.
const MOST_INPUT: usize = 4 << 20;

/// The games of these numbers, or all.
fn chosen<'a>(record: &'a Record, numbers: &[u32]) -> Result<Vec<&'a GameRecord>> {
    if numbers.is_empty() {
        return Ok(record.games.values().collect());
    }
    let find = |number: &u32| record.games.get(number).ok_or_else(|| anyhow!("no game {number} that is over"));
    numbers.iter().map(find).collect()
}

/// Writes a page with the games of records.
fn html(files: &[PathBuf], numbers: &[u32], to: &Path) -> Result<()> {
    let mut page = Page::default();
    for file in files {
        let record = Record::read(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        page.add(&record, &name, numbers).with_context(|| file.display().to_string())?;
    }
    let Page { parts, count, .. } = page;
    if count == 0 {
        bail!("no game is over yet");
    }
    if count > MOST_GAMES {
        eprintln!("{count} games: the page has the first {MOST_GAMES}; choose others with --game");
    }
    engine::agent::files::write_atomically(to, &page::page(&parts))
        .with_context(|| format!("{}: cannot be written", to.display()))
}

/// The page of some games of one record, under a name; a link to one of them is `#NUMBER/PLY`.
pub(crate) fn page_of(record: &Record, name: &str, numbers: &[u32]) -> Result<String> {
    let mut page = Page::default();
    page.add(record, name, numbers)?;
    Ok(page::page(&page.parts))
}

/// What comes onto a page.
struct Page {
    parts: Vec<Value>,
    /// The number of games, those included that there is no room for.
    count: usize,
    /// Bytes of input files that there is still room for.
    room: usize,
}

impl Default for Page {
    fn default() -> Page {
        Page { parts: Vec::new(), count: 0, room: MOST_INPUT }
    }
}

impl Page {
    /// Adds the games of these numbers, or all of a record.
    fn add(&mut self, record: &Record, name: &str, numbers: &[u32]) -> Result<()> {
        let known = find(&record.header.game)?;
        let mut games = Vec::new();
        for game in chosen(record, numbers)? {
            self.count += 1;
            if self.count <= MOST_GAMES {
                let frames = (known.frames)(&record.header, &game.start.opening, &game.moves)
                    .with_context(|| format!("game {}", game.end.game))?;
                let inputs = inputs(known, record, game, &mut self.room);
                games.push(page::game(&known.arena, &record.header, game, &frames, &inputs));
            }
        }
        self.parts.push(page::part(&known.arena, name, games));
        Ok(())
    }
}

/// The input files of all turns of a game; none once there is no room for them.
fn inputs(known: &Game, record: &Record, game: &GameRecord, room: &mut usize) -> Vec<String> {
    let at =
        |plies: usize| (known.position)(&record.header, &game.start.opening, &game.start.players, &game.moves[..plies]);
    let mut inputs = Vec::new();
    for plies in 0..=game.moves.len() {
        // There is none for the end of a game.
        let Ok(text) = at(plies) else { break };
        let Some(left) = room.checked_sub(text.len()) else { return Vec::new() };
        *room = left;
        inputs.push(text);
    }
    inputs
}

/// Prints the games as text, move by move.
fn text(files: &[PathBuf], numbers: &[u32]) -> Result<()> {
    for file in files {
        let record = Record::read(file)?;
        for game in chosen(&record, numbers).with_context(|| file.display().to_string())? {
            let known = find(&record.header.game)?;
            let [one, other] = &game.end.players;
            let [first, second] = known.arena.sides;
            print(&format!("Game {}: {first} {one}, {second} {other}\n", game.end.game));
            if !game.start.line.is_empty() {
                print(&format!("Opening: {}\n", game.start.line.join(", ")));
            }
            for frame in (known.frames)(&record.header, &game.start.opening, &game.moves)? {
                print(&format!("{}{}\n", caption(&frame), frame.picture));
            }
            print(&format!("{}: {}\n", game.end.termination, game.end.reason));
            if let Some(fault) = &game.end.fault {
                let more = if fault.legal_count > fault.legal.len() { " ..." } else { "" };
                print(&format!("legal moves ({}): {}{more}\n", fault.legal_count, fault.legal.join("  ")));
            }
            print("\n");
        }
    }
    Ok(())
}

/// A line about the move that led to a position, and one about what an analysis says of it.
pub(crate) fn caption(frame: &Frame) -> String {
    let Some(mv) = &frame.mv else { return String::new() };
    let score = mv.score.map_or(String::new(), |score| format!(", score {}", engine::score::describe(score)));
    let left = mv.left.map_or(String::new(), |left| format!(", {left:.2} s left"));
    let mut text = format!("{}. {} {} ({:.2} s{left}{score})\n", mv.ply + 1, mv.side, mv.mv, mv.cpu);
    if let Some(finding) = &mv.analysis {
        text.push_str(&words::caption(frame, finding));
    }
    text
}
