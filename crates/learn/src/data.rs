//! Files of games: a line each, `RULES OPENING MARGIN CODE CODE ...`; `-` for a game without an end.

use crate::played::Played;
use anyhow::{Context, Result, anyhow};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The line of a game.
#[must_use]
pub fn line(played: &Played) -> String {
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

/// The game of a line.
///
/// # Errors
/// If the line is none of [`line()`]'s.
pub fn game(line: &str) -> Result<Played> {
    let wrong = || anyhow!("expected RULES OPENING MARGIN CODE ..., found '{line}'");
    let mut words = line.split(' ');
    let mut next = || words.next().ok_or_else(wrong);
    let (rules, opening, margin) = (next()?, next()?, next()?);
    let margin = if margin == "-" { None } else { Some(margin.parse()?) };
    let moves = words.map(|word| u32::from_str_radix(word, 16)).collect::<Result<_, _>>()?;
    Ok(Played { rules: rules.parse()?, opening: opening.parse()?, moves, margin })
}

/// All games of a file whose line is complete, and the text of these lines.
///
/// # Errors
/// If the file cannot be read or a line is wrong.
pub fn read(path: &Path) -> Result<(Vec<Played>, String)> {
    let mut text = fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let games = text.lines().map(game).collect::<Result<_>>().with_context(|| path.display().to_string())?;
    Ok((games, text))
}

/// The digest of a file's text: its CRC-32.
#[must_use]
pub fn digest(text: &str) -> String {
    format!("{:08x}", crc32fast::hash(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_as_they_are_written() {
        let played = Played { rules: 1, opening: 4, moves: vec![0xFE12, 7, 0], margin: Some(-2.5) };
        assert_eq!(game(line(&played).trim_end()).unwrap(), played);
        let endless = Played { margin: None, ..played };
        assert_eq!(game(line(&endless).trim_end()).unwrap(), endless);
        for wrong in ["", "1", "1 4", "1 4 x 7", "1 4 2.5 zz"] {
            assert!(game(wrong).is_err(), "{wrong}");
        }
    }
}
