//! `judge replay`: the games of records as a page or as text.

mod page;
pub mod watch;

use crate::analysis_text;
use crate::frames::{Frame, frames};
use anygame::AnyGame;
use anyhow::{Context, Result, anyhow, bail};
use arena::plain::shown;
use arena::player::shortened;
use arena::record::{FaultRecord, GameRecord, MoveRecord, Record};
use arena::replayed::ReplayedGame;
use boards::Thoughts;
use clap::Args;
use engine::score::{WIN_BOUND, describe};
use page::Part;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use terminal::games::game_of;
use terminal::output::{print, write_file};

/// Options of `judge replay`.
#[derive(Args)]
pub struct ReplayOptions {
    /// The records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write one self-contained HTML page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print the games, a line for each move
    #[arg(long)]
    text: bool,
    /// Print the board after each move as well
    #[arg(long, conflicts_with = "html")]
    boards: bool,
    /// Print what the players wrote to standard error in each turn as well; a page has it always
    #[arg(long, conflicts_with = "html")]
    stderr: bool,
    /// Print only this move, by its number in the text: 1 is the first after the opening
    #[arg(long, value_name = "NUMBER", conflicts_with = "html")]
    ply: Option<NonZeroUsize>,
    /// Show only these games, by number
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    game: Vec<u32>,
}

/// Writes the page or prints the games.
pub fn replay(options: &ReplayOptions) -> Result<()> {
    match &options.html {
        Some(page) => write_html(&options.files, &options.game, page),
        None => print_text(options),
    }
}

/// Browsers get slow with more.
const MAX_GAMES: usize = 200;
/// Of all input files on a page, which a button copies.
const MAX_INPUT_BYTES: usize = 4 << 20;

/// Of the standard error of all turns on a page, and of one turn.
const MAX_ERROR_BYTES: usize = 4 << 20;
const MAX_TURN_ERROR_BYTES: usize = 4_000;

fn games_by_number<'a>(record: &'a Record, numbers: &[u32]) -> Result<Vec<&'a GameRecord>> {
    if numbers.is_empty() {
        return Ok(record.games.values().collect());
    }
    let find = |number: &u32| {
        record.games.get(number).ok_or_else(|| anyhow!("no game {number} that is over"))
    };
    numbers.iter().map(find).collect()
}

fn write_html(files: &[PathBuf], numbers: &[u32], to: &Path) -> Result<()> {
    let mut games = PageGames::default();
    for file in files {
        let record = Record::read(file)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        games.add(&record, &name, numbers).with_context(|| file.display().to_string())?;
    }
    match games.count {
        0 => bail!("no game is over yet"),
        count if count > MAX_GAMES => {
            eprintln!(
                "{count} games: the page has the first {MAX_GAMES}; choose others with --game"
            );
        }
        _ => {}
    }
    write_file(to, &page::page(&games.parts))
}

/// The page with these games of a record, or with all. The fragment `#NUMBER/PLY` of its address
/// selects a position.
pub fn page_of(record: &Record, name: &str, numbers: &[u32]) -> Result<String> {
    let mut page = PageGames::default();
    page.add(record, name, numbers)?;
    Ok(page::page(&page.parts))
}

#[derive(Default)]
struct PageGames {
    parts: Vec<Part>,
    /// All games, also those beyond the maximum.
    count: usize,
    input_bytes: usize,
    error_bytes: usize,
}

/// These texts, unless they take `bytes` beyond the most that a page has of them.
fn within(texts: Vec<String>, bytes: &mut usize, most: usize) -> Vec<String> {
    let more = *bytes + texts.iter().map(String::len).sum::<usize>();
    if more > most {
        return Vec::new();
    }
    *bytes = more;
    texts
}

impl PageGames {
    fn add(&mut self, record: &Record, name: &str, numbers: &[u32]) -> Result<()> {
        let any_game = game_of(record)?;
        let mut games = Vec::new();
        for game in games_by_number(record, numbers)? {
            self.count += 1;
            if self.count <= MAX_GAMES {
                let replayed =
                    ReplayedGame::of(any_game, &record.header, &game.start.opening, &game.moves)
                        .with_context(|| format!("game {}", game.end.game))?;
                let frames = frames(&replayed, &game.moves)?;
                let inputs = inputs(&replayed, record, game);
                let inputs = within(inputs, &mut self.input_bytes, MAX_INPUT_BYTES);
                let errors = game.moves.iter().map(error_of).collect();
                let errors = within(errors, &mut self.error_bytes, MAX_ERROR_BYTES);
                games.push(page::game(any_game, &record.header, game, &frames, &inputs, &errors));
            }
        }
        let AnyGame { title, sides, first, .. } = *any_game;
        let (file, first) = (name.to_string(), first.index());
        self.parts.push(Part { title, file, sides, first, win_bound: WIN_BOUND, games });
        Ok(())
    }
}

/// The input files of all turns. The position at the end of a game has none.
fn inputs(replayed: &ReplayedGame, record: &Record, game: &GameRecord) -> Vec<String> {
    let GameRecord { start, moves, .. } = game;
    let input = |plies| replayed.input(&record.header, &start.players, moves, plies).ok();
    (0..=moves.len()).map_while(input).collect()
}

fn error_of(mv: &MoveRecord) -> String {
    let said = shortened(mv.stderr.clone(), MAX_TURN_ERROR_BYTES);
    let lines = said.lines().map(|line| shown(&line.trim_end().replace('\t', "  ")));
    lines.collect::<Vec<_>>().join("\n")
}

fn print_text(options: &ReplayOptions) -> Result<()> {
    for file in &options.files {
        let record = Record::read(file)?;
        for game in
            games_by_number(&record, &options.game).with_context(|| file.display().to_string())?
        {
            let any_game = game_of(&record)?;
            let [one, other] = &game.end.players;
            let [first, second] = any_game.sides;
            print(&format!("Game {}: {first} {one}, {second} {other}\n", game.end.game));
            if !game.start.line.is_empty() {
                print(&format!("Opening: {}\n", game.start.line.join(", ")));
            }
            let replayed =
                ReplayedGame::of(any_game, &record.header, &game.start.opening, &game.moves)?;
            // The frame of a turn is that of the position after its move.
            let is_shown = |at: usize| options.ply.is_none_or(|ply| at == ply.get());
            let all = frames(&replayed, &game.moves)?;
            for (at, frame) in all.iter().enumerate().filter(|(at, _)| is_shown(*at)) {
                let both = frame.is_half && at + 1 < all.len() && options.ply.is_none();
                let thought = frame.mv.as_ref().map(|mv| Thoughts::of(&mv.stderr).words());
                let thought = thought.filter(|thought| !thought.is_empty());
                // Two moves at the same time are one line, unless lines of the first one follow it.
                match caption(frame) {
                    line if both && !options.stderr && thought.is_none() => {
                        print(&format!("{} | ", line.trim_end()));
                    }
                    line => print(&line),
                }
                if let Some(thought) = thought {
                    print(&format!("    its thoughts: {}\n", shown(&thought)));
                }
                print_error(options, &frame.mv.as_ref().map(error_of).unwrap_or_default());
                if options.boards && !both {
                    print(&format!("{}\n", frame.picture));
                }
            }
            if !is_shown(game.moves.len() + 1) {
                continue;
            }
            print(&format!("{}: {}\n", game.end.termination, game.end.reason));
            if let Some(FaultRecord { stderr, legal, legal_count, .. }) = &game.end.fault {
                print_error(options, stderr);
                let more = if *legal_count > legal.len() { " ..." } else { "" };
                print(&format!("legal moves ({legal_count}): {}{more}\n", legal.join("  ")));
            }
            print("\n");
        }
    }
    Ok(())
}

fn print_error(options: &ReplayOptions, said: &str) {
    if options.stderr {
        said.lines().for_each(|line| print(&format!("    | {line}\n")));
    }
}

/// A line about the move that led to a position.
pub(crate) fn caption(frame: &Frame) -> String {
    let Some(mv) = &frame.mv else { return String::new() };
    let mut text = format!("{}. {} {} ({:.2} s", mv.ply + 1, mv.side, mv.mv, mv.cpu);
    if let Some(left) = mv.left {
        text += &format!(", {left:.2} s left");
    }
    if let Some(score) = mv.score {
        text += &format!(", score {}", describe(score));
    }
    text.push(')');
    if let Some(finding) = &mv.analysis {
        text += &analysis_text::caption(frame, finding);
    }
    text + "\n"
}
