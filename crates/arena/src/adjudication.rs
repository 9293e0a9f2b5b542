//! Games that end early by the scores that players report. A player resigns by its own scores; a
//! draw needs those of both. So a false score hurts only the player that reports it.

use crate::plain::{key_and_value, number};
use crate::result::Termination;
use anyhow::{Result, bail};
use engine::Side;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The rules for ending games early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// The rule for resigning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<Resign>,
    /// The rule for draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
}

/// A player resigns after enough low scores in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// The score, in the player's points: this far below 0, or lower.
    pub score: i32,
    /// The number of the player's moves in a row.
    pub moves: u32,
}

/// A game is a draw after enough scores near 0 in a row from both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// The first move number from which a game may be a draw.
    pub from: u32,
    /// The number of moves of each player in a row.
    pub moves: u32,
    /// The largest absolute score that counts as near 0.
    pub score: i32,
}

impl Adjudication {
    /// Whether all games are played to the end.
    pub fn is_none(&self) -> bool {
        *self == Adjudication::default()
    }
}

impl FromStr for Resign {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Resign> {
        let parts = text
            .split_once('/')
            .and_then(|(score, moves)| Some((score.parse().ok()?, moves.parse().ok()?)));
        match parts {
            Some((score, moves)) if score > 0 && moves > 0 => Ok(Resign { score, moves }),
            _ => bail!("expected SCORE/MOVES, both above 0, such as 600/3, found '{text}'"),
        }
    }
}

impl DrawRule {
    /// Parses the format of fastchess, `movenumber=40 movecount=8 score=10`.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<DrawRule> {
        let mut rule = DrawRule { from: 0, moves: 0, score: 0 };
        for word in words {
            let (key, value) = key_and_value("--draw", word)?;
            let number: u32 = number("--draw", key, value)?;
            match key {
                "movenumber" => rule.from = number,
                "movecount" => rule.moves = number,
                "score" => rule.score = i32::try_from(number)?,
                _ => bail!("--draw: no such key '{key}'; there are movenumber, movecount, score"),
            }
        }
        if rule.moves == 0 {
            bail!("--draw: expected movecount above 0");
        }
        Ok(rule)
    }
}

#[derive(Default)]
pub(crate) struct Said {
    /// For each player, the moves in a row with a losing score, and with one near 0.
    lost: [u32; 2],
    level: [u32; 2],
}

impl Said {
    /// Takes the score that a player reports after the `plies`-th move. Returns winner, termination
    /// and reason if that ends the game.
    pub(crate) fn hear(
        &mut self,
        rules: &Adjudication,
        side: Side,
        score: Option<i32>,
        plies: u32,
    ) -> Option<(Option<Side>, Termination, String)> {
        let own = side.index();
        if let Some(Resign { score: low, moves }) = rules.resign {
            let is_lost = score.is_some_and(|score| score <= -low);
            self.lost[own] = if is_lost { self.lost[own] + 1 } else { 0 };
            if self.lost[own] >= moves {
                let reason = format!("its own score was -{low} or less for {moves} moves");
                return Some((Some(side.other()), Termination::Resigned, reason));
            }
        }
        if let Some(DrawRule { from, moves, score: near }) = rules.draw {
            let is_level = score.is_some_and(|score| score.unsigned_abs() <= near.unsigned_abs());
            self.level[own] = if is_level { self.level[own] + 1 } else { 0 };
            if plies.div_ceil(2) >= from && self.level.iter().all(|&level| level >= moves) {
                let reason =
                    format!("both players' own scores were within {near} of 0 for {moves} moves");
                return Some((None, Termination::DrawByAdjudication, reason));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_what_makes_no_sense_is_refused() {
        assert_eq!("600/3".parse::<Resign>().unwrap(), Resign { score: 600, moves: 3 });
        for text in ["600", "0/3", "600/0", "-1/2", "a/b", ""] {
            assert!(text.parse::<Resign>().is_err(), "{text}");
        }
        let rule = DrawRule::parse(["movenumber=40", "movecount=8", "score=10"]).unwrap();
        assert_eq!(rule, DrawRule { from: 40, moves: 8, score: 10 });
        for words in [&["movecount"][..], &["movecount=x"], &["moves=3"], &["score=3"]] {
            assert!(DrawRule::parse(words.iter().copied()).is_err(), "{words:?}");
        }
    }

    #[test]
    fn a_player_gives_up_by_its_own_word_alone_and_a_draw_takes_both() {
        let rules = Adjudication {
            resign: Some(Resign { score: 100, moves: 2 }),
            draw: Some(DrawRule { from: 3, moves: 2, score: 5 }),
        };
        assert!(Adjudication::default().is_none() && !rules.is_none());
        let heard = |said: &[(Side, Option<i32>)]| {
            let mut so_far = Said::default();
            let ends = said.iter().zip(1..);
            ends.map(|(&(side, score), plies)| so_far.hear(&rules, side, score, plies))
                .map(|end| end.map(|(winner, word, _)| (winner, word)))
                .collect::<Vec<_>>()
        };
        let (one, other) = (Side::First, Side::Second);
        let low = [Some(-100), None, Some(-200), Some(-200)].map(|score| (one, score));
        let resigned = Some((Some(other), Termination::Resigned));
        assert_eq!(heard(&low), [None, None, None, resigned]);
        assert_eq!(heard(&[(other, Some(900)), low[2], (other, Some(900))]), [None; 3]);
        // Two moves each with scores near 0, but too early in the game.
        let level = [one, other, one, other, one].map(|side| (side, Some(-5)));
        let drawn = Some((None, Termination::DrawByAdjudication));
        assert_eq!(heard(&level), [None, None, None, None, drawn]);
    }
}
