//! The records of games: a file for each pair, and lines of several pairs in one record.

use crate::files::{LeagueFiles, Stored};
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::record::{Event, Header, Record};
use std::fmt::Display;

pub(crate) async fn record_of(files: &LeagueFiles, pair: i64) -> Result<Record> {
    let bytes = files.get(Stored::Record(pair)).await?;
    Record::parse(std::str::from_utf8(&bytes)?)
}

/// Returns the first line of a record of these pairs, which names all their players.
pub(crate) async fn first_line(files: &LeagueFiles, pairs: &[i64]) -> Result<Vec<u8>> {
    let mut all: Option<Header> = None;
    for &pair in pairs {
        let bytes = files.get(Stored::Record(pair)).await?;
        let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let Event::Header(header) = serde_json::from_slice(line)? else {
            bail!("pair {pair}: a record without a header");
        };
        let all = all.get_or_insert_with(|| Header { engines: Vec::new(), ..header.clone() });
        for engine in header.engines {
            if !all.engines.iter().any(|known| known.name == engine.name) {
                all.engines.push(engine);
            }
        }
    }
    let mut line = Vec::new();
    append(&mut line, &Event::Header(all.context("no games have been played")?))?;
    Ok(line)
}

/// Returns the lines of a pair in a record of several. Its games have the numbers 2 P - 1 and 2 P.
pub(crate) fn lines_of(pair: i64, record: Record) -> Result<Vec<u8>> {
    let mut lines = Vec::new();
    for (game, mut played) in record.games {
        let game = u32::try_from(2 * (pair - 1))? + game;
        (played.start.game, played.end.game) = (game, game);
        append(&mut lines, &Event::Start(played.start))?;
        for mut mv in played.moves {
            mv.game = game;
            append(&mut lines, &Event::Move(mv))?;
        }
        append(&mut lines, &Event::End(played.end))?;
    }
    Ok(lines)
}

pub(crate) fn text_of(record: Record) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    append(&mut text, &Event::Header(record.header.clone()))?;
    text.extend(lines_of(1, record)?);
    Ok(text)
}

pub(crate) fn append(record: &mut Vec<u8>, event: &Event) -> Result<()> {
    serde_json::to_writer(&mut *record, event)?;
    record.push(b'\n');
    Ok(())
}

/// Returns the reason of a fault for everybody: the true one may quote what the program said.
pub(crate) fn public_reason(game: &AnyGame, player: usize, termination: impl Display) -> String {
    format!("{} lost by a fault: {termination}", game.sides[player])
}
