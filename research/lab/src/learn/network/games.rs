//! Games of Halma with the scores of their searches, from the start and from late positions, and
//! their file format: one line for each game, `RULES BEGINNING MARGIN CODE:SCORE CODE:SCORE ...`.
//! The beginning is the length of a random opening in plies, or a late position, `BLACK,WHITE,SIDE`
//! with two hexadecimal digits for each piece. A move that no search was asked for has no score.

use crate::learn::games::{GameConditions, random_move, search};
use crate::learn::halma_tables::HalmaTables;
use crate::learn::model::LinearModel;
use anyhow::{Context, Result};
use engine::search::Score;
use engine::think::moves_for_every_grader;
use engine::{Game, Protocol, RuleSet, Side};
use halma::board::{CAMPS, PIECES, SIZE, Square, Squares};
use halma::learned::Tables;
use halma::network::Network;
use halma::{Evaluation, Position, Rules, race};
use rand::rngs::StdRng;
use rand::seq::IteratorRandom;
use rand::{RngExt, SeedableRng};
use std::fmt::Write;

/// A game, with the scores of its searches.
pub(crate) struct ScoredGame {
    /// The index of the rule set in [`RuleSet::ALL`].
    rules: usize,
    /// The length of the random opening, in plies; 0 for a game from a late position.
    pub(crate) opening: usize,
    /// The late position that the game begins with; `None` if it begins at the start.
    late: Option<Position>,
    /// The first side's margin, in moves; `None` for a game without a result.
    pub(crate) margin: Option<f64>,
    /// The codes of all moves, the opening's included, and the scores of the searches for the first
    /// side, in points.
    pub(crate) moves: Vec<(u32, Option<Score>)>,
}

impl ScoredGame {
    /// Returns all positions, the first one first.
    ///
    /// # Errors
    /// If a move is illegal.
    pub(crate) fn positions(&self) -> Result<Vec<Position>> {
        let mut position = self.beginning();
        let mut positions = vec![position.clone()];
        for &(code, _) in &self.moves {
            let mv = position.decode(code).with_context(|| format!("{code:x}: illegal"))?;
            position.play(mv);
            positions.push(position.clone());
        }
        Ok(positions)
    }

    /// Returns the first position.
    fn beginning(&self) -> Position {
        self.late.clone().unwrap_or_else(|| Position::start(Rules::ALL[self.rules].1))
    }

    /// Formats the game as a line.
    pub(crate) fn line(&self) -> String {
        let mut line = format!("{} ", self.rules);
        match &self.late {
            None => line += &self.opening.to_string(),
            Some(position) => {
                for side in Side::BOTH {
                    position.pieces(side).each(|square| {
                        let _ = write!(line, "{:02x}", square.index());
                    });
                    line.push(',');
                }
                line += &position.side_to_move().index().to_string();
            }
        }
        line += &self.margin.map_or(" -".to_string(), |margin| format!(" {margin}"));
        for (code, score) in &self.moves {
            let _ = write!(line, " {code:x}");
            if let Some(score) = score {
                let _ = write!(line, ":{score}");
            }
        }
        line.push('\n');
        line
    }

    /// Parses a line that [`ScoredGame::line`] has formatted, without its line feed.
    ///
    /// # Errors
    /// If the line is malformed.
    pub(crate) fn parse(line: &str) -> Result<ScoredGame> {
        let parse = || {
            let mut words = line.split(' ');
            let rules = words.next()?.parse().ok().filter(|&rules| rules < Rules::ALL.len())?;
            let beginning = words.next()?;
            let late = beginning.contains(',').then(|| parse_position(beginning, rules));
            let margin = words.next()?;
            let scored = |word: &str| {
                let (code, score) = match word.split_once(':') {
                    Some((code, score)) => (code, Some(score.parse().ok()?)),
                    None => (word, None),
                };
                Some((u32::from_str_radix(code, 16).ok()?, score))
            };
            Some(ScoredGame {
                rules,
                opening: if late.is_some() { 0 } else { beginning.parse().ok()? },
                late: if let Some(position) = late { Some(position?) } else { None },
                margin: if margin == "-" { None } else { Some(margin.parse().ok()?) },
                moves: words.map(scored).collect::<Option<_>>()?,
            })
        };
        parse().with_context(|| {
            format!("expected RULES BEGINNING MARGIN CODE:SCORE ..., found '{line}'")
        })
    }
}

/// Parses a position `BLACK,WHITE,SIDE`; `None` if the text is malformed.
fn parse_position(text: &str, rules: usize) -> Option<Position> {
    let mut words = text.split(',');
    let mut pieces = [Squares::EMPTY; 2];
    for own in &mut pieces {
        let digits = words.next()?.as_bytes().chunks(2);
        let square = |digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok();
        *own = digits.map(|digits| square(digits).map(Square::new)).collect::<Option<_>>()?;
    }
    let side = words.next()?.parse::<usize>().ok()?;
    let apart = pieces[0].and(pieces[1]).is_empty();
    let side = *Side::BOTH.get(side)?;
    apart.then(|| Position::new(pieces, side, Rules::ALL[rules].1))
}

/// Returns a random position with both armies around their targets, up to four pieces of each
/// further behind.
fn late_position(random: &mut StdRng) -> Position {
    loop {
        let mut pieces = [Squares::EMPTY; 2];
        for side in Side::BOTH {
            let near = random.random_range(7..=15);
            let far = random.random_range(18..=25);
            let astray = random.random_range(0..=4);
            for number in 0..PIECES {
                let reach = if number < astray { far } else { near };
                let taken = pieces[0].or(pieces[1]).or(CAMPS[side.index()]);
                let within = |&square: &Square| {
                    let gone = square.x() + square.y();
                    let left = if side == Side::First { 2 * (SIZE - 1) - gone } else { gone };
                    left <= reach && !taken.contains(square)
                };
                if let Some(square) = Square::all().filter(within).choose(random) {
                    pieces[side.index()].insert(square);
                }
            }
        }
        let position =
            Position::new(pieces, Side::BOTH[random.random_range(0..2)], Rules::Addendum);
        let whole = pieces.iter().all(|own| own.len() == PIECES as u32);
        if whole && position.outcome().is_none() && !race::has_begun(&position) {
            return position;
        }
    }
}

/// Plays a game of the tables with a network, or without one, against themselves. A game by rules
/// `None` is one from a late position. The same seed gives the same game.
pub(crate) fn play(
    network: Option<Network>,
    rules: Option<usize>,
    conditions: GameConditions,
    seed: u64,
) -> ScoredGame {
    let random = &mut StdRng::seed_from_u64(seed);
    let (first, last) = conditions.opening;
    let mut played = ScoredGame {
        rules: rules.unwrap_or(Rules::ALL.len() - 1),
        opening: if rules.is_some() { random.random_range(first..=last) } else { 0 },
        late: if rules.is_some() { None } else { Some(late_position(random)) },
        margin: None,
        moves: Vec::new(),
    };
    let mut position = played.beginning();
    for ply in 0..conditions.longest {
        if ply >= played.opening {
            played.margin = HalmaTables.margin(&position);
        }
        if played.margin.is_some() || position.outcome().is_some() {
            break;
        }
        let (mv, score) = if ply < played.opening {
            (random_move(&position, random), None)
        } else {
            searched_move(network, &position, conditions, random)
        };
        played.moves.push((position.encode(mv), score));
        position.play(mv);
    }
    played
}

/// Returns the move to play, which is sometimes a random one, and the score of the search for the
/// first side; `None` where there is but one move.
fn searched_move(
    network: Option<Network>,
    position: &Position,
    conditions: GameConditions,
    random: &mut StdRng,
) -> (halma::Move, Option<Score>) {
    let moves = moves_for_every_grader(position);
    if let [only] = moves[..] {
        return (only, None);
    }
    let searched = Tables::in_use().as_searched(position, network);
    let report = search(Evaluation, &searched, &moves, conditions.nodes);
    let sign = if position.side_to_move() == Side::First { 1 } else { -1 };
    let strays = random.random_range(0..conditions.random_every) == 0;
    let mv = if strays { random_move(position, random) } else { report.best };
    (mv, Some(sign * report.score))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::network::CONDITIONS;

    #[test]
    fn a_formatted_game_is_parsed_again_and_its_moves_are_legal() {
        let quick = GameConditions { nodes: 30, ..CONDITIONS };
        for (rules, opening) in [(Some(0), 2..=12), (None, 0..=0)] {
            let line = play(None, rules, quick, 7).line();
            let read = ScoredGame::parse(line.trim_end()).unwrap();
            assert_eq!(read.line(), line);
            assert!(opening.contains(&read.opening));
            assert_eq!(read.positions().unwrap().len(), read.moves.len() + 1);
            assert!(read.margin.is_some() && read.moves.iter().any(|mv| mv.1.is_some()));
        }
        for wrong in ["", "1", "1 4", "9 4 - 7", "1 4 x 7", "1 4 2.5 zz", "1 4 2 7:x", "1 0,00,1 -"]
        {
            assert!(ScoredGame::parse(wrong).is_err(), "{wrong}");
        }
    }
}
