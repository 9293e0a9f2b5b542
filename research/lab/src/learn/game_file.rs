//! The file format of games: one line for each game, `RULES OPENING MARGIN CODE CODE ...`. The
//! margin is `-` for an unfinished game; move codes are hexadecimal.

use crate::learn::game_record::GameRecord;
use anyhow::{Context, Result, anyhow};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Formats a game as a line.
pub(crate) fn format_game(played: &GameRecord) -> String {
    let mut line = format!("{} {} ", played.rules, played.opening);
    match played.margin {
        Some(margin) => {
            let _ = write!(line, "{margin}");
        }
        None => line.push('-'),
    }
    for code in &played.moves {
        let _ = write!(line, " {code:x}");
    }
    line.push('\n');
    line
}

/// Parses a line that [`format_game`] has written, without its line feed.
///
/// # Errors
/// If the line is malformed.
pub(crate) fn parse_game(line: &str) -> Result<GameRecord> {
    let wrong = || anyhow!("expected RULES OPENING MARGIN CODE ..., found '{line}'");
    let mut words = line.split(' ');
    let mut next = || words.next().ok_or_else(wrong);
    let (rules, opening, margin) = (next()?, next()?, next()?);
    let margin = if margin == "-" { None } else { Some(margin.parse()?) };
    let moves = words.map(|word| u32::from_str_radix(word, 16)).collect::<Result<_, _>>()?;
    Ok(GameRecord { rules: rules.parse()?, opening: opening.parse()?, moves, margin })
}

/// Reads the games of a file, a line each by `parse`, and the text of their lines. An incomplete
/// last line is left out.
///
/// # Errors
/// If the file cannot be read or a line is malformed.
pub(crate) fn read<T>(path: &Path, parse: fn(&str) -> Result<T>) -> Result<(Vec<T>, String)> {
    let mut text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let games = text
        .lines()
        .map(parse)
        .collect::<Result<_>>()
        .with_context(|| path.display().to_string())?;
    Ok((games, text))
}

/// Returns the CRC-32 of a text, in hexadecimal.
pub(crate) fn digest(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatted_game_is_parsed_again() {
        let played =
            GameRecord { rules: 1, opening: 4, moves: vec![0xFE12, 7, 0], margin: Some(-2.5) };
        assert_eq!(parse_game(format_game(&played).trim_end()).unwrap(), played);
        let endless = GameRecord { margin: None, ..played };
        assert_eq!(parse_game(format_game(&endless).trim_end()).unwrap(), endless);
        for wrong in ["", "1", "1 4", "1 4 x 7", "1 4 2.5 zz"] {
            assert!(parse_game(wrong).is_err(), "{wrong}");
        }
    }
}
