//! `judge replay`: the games of a record, as a page for a browser or as text.

pub mod page;
pub mod watch;

use crate::games::{Visitor, rule_set, visit};
use crate::record::{GameRecord, Header, MoveRecord, Record};
use anyhow::{Context, Result, anyhow, bail};
use engine::{Agent, Drawing};
use std::path::Path;

/// A position of a game, with the move that led to it.
pub struct Frame {
    /// The board for drawing, if the game describes it.
    pub drawing: Option<Drawing>,
    /// The board as text.
    pub picture: String,
    /// The move that led here; none for the opening's position.
    pub mv: Option<MoveRecord>,
    /// The index of the side that made it.
    pub side: usize,
}

/// Plays the moves of a record again.
struct Frames<'a> {
    header: &'a Header,
    opening: &'a str,
    moves: &'a [MoveRecord],
}

impl Visitor for Frames<'_> {
    type Output = Result<Vec<Frame>>;

    fn visit<A: Agent>(self) -> Result<Vec<Frame>> {
        let rules = rule_set(self.header.rules.as_deref())?;
        let task = A::read_task(self.opening, rules).map_err(|error| anyhow!("the opening, line {error}"))?;
        let mut position: A = task.position;
        let mut frames =
            vec![Frame { drawing: position.drawing(None), picture: position.picture(None), mv: None, side: 0 }];
        for record in self.moves {
            let mv = position.read_move(&record.output).map_err(|error| anyhow!("ply {}: {error}", record.ply + 1))?;
            let before = position.clone();
            position.play(mv);
            frames.push(Frame {
                drawing: position.drawing(Some((&before, mv))),
                picture: position.picture(Some(mv)),
                mv: Some(record.clone()),
                side: before.side_to_move().index(),
            });
        }
        Ok(frames)
    }
}

/// The positions of a game.
pub fn frames(header: &Header, opening: &str, moves: &[MoveRecord]) -> Result<Vec<Frame>> {
    visit(&header.game, Frames { header, opening, moves }).ok_or_else(|| anyhow!("no such game: {}", header.game))?
}

/// The most games on a page: beyond it, browsers get slow.
const MOST_GAMES: usize = 200;

/// The games of these numbers, or all.
fn chosen<'a>(record: &'a Record, numbers: &[u32]) -> Result<Vec<&'a GameRecord>> {
    if numbers.is_empty() {
        return Ok(record.games.values().collect());
    }
    let find = |number: &u32| record.games.get(number).ok_or_else(|| anyhow!("no game {number} that is over"));
    numbers.iter().map(find).collect()
}

/// Writes a page with the games of records.
pub fn html(files: &[std::path::PathBuf], numbers: &[u32], to: &Path) -> Result<()> {
    let mut parts = Vec::new();
    let mut count = 0;
    for file in files {
        let record = Record::read(file)?;
        let mut games = Vec::new();
        for game in chosen(&record, numbers).with_context(|| file.display().to_string())? {
            count += 1;
            if count <= MOST_GAMES {
                let frames = frames(&record.header, &game.start.opening, &game.moves)
                    .with_context(|| format!("{}: game {}", file.display(), game.end.game))?;
                games.push(page::game(game, &frames));
            }
        }
        parts.push(page::part(&record.header, games)?);
    }
    if count == 0 {
        bail!("no game is over yet");
    }
    if count > MOST_GAMES {
        eprintln!("{count} games: the page has the first {MOST_GAMES}; choose others with --game");
    }
    engine::files::write_atomically(to, &page::page(&parts))
        .with_context(|| format!("{}: cannot be written", to.display()))
}

/// Prints the games as text, move by move.
pub fn text(files: &[std::path::PathBuf], numbers: &[u32]) -> Result<()> {
    for file in files {
        let record = Record::read(file)?;
        for game in chosen(&record, numbers).with_context(|| file.display().to_string())? {
            let kind = crate::games::kind(&record.header.game)?;
            let [one, other] = &game.end.players;
            let [first, second] = kind.sides;
            crate::print(&format!("Game {}: {first} {one}, {second} {other}\n", game.end.game));
            if !game.start.line.is_empty() {
                crate::print(&format!("Opening: {}\n", game.start.line.join(", ")));
            }
            for frame in frames(&record.header, &game.start.opening, &game.moves)? {
                crate::print(&format!("{}{}\n", caption(&frame), frame.picture));
            }
            crate::print(&format!("{}: {}\n", game.end.termination, game.end.reason));
            if let Some(fault) = &game.end.fault {
                let more = if fault.legal_count > fault.legal.len() { " ..." } else { "" };
                crate::print(&format!("legal moves ({}): {}{more}\n", fault.legal_count, fault.legal.join("  ")));
            }
            crate::print("\n");
        }
    }
    Ok(())
}

/// One line about the move that led to a position.
pub fn caption(frame: &Frame) -> String {
    let Some(mv) = &frame.mv else { return String::new() };
    let score = mv.score.map_or(String::new(), |score| format!(", score {}", engine::score::describe(score)));
    let left = mv.left.map_or(String::new(), |left| format!(", {left:.2} s left"));
    format!("{}. {} {} ({:.2} s{left}{score})\n", mv.ply + 1, mv.side, mv.mv, mv.cpu)
}
