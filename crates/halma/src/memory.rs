//! The agent's memory of a game between its turns: the positions, so that the side that is ahead
//! does not go in circles, and the rest of its plan, so that it need not be found again.

use crate::board::{BLACK, Square, WHITE};
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position, SIDE_KEY, piece_key};
use engine::search::Knowledge;
use engine::{Game, Playable};
use std::fmt::Write;

/// The maximum number of positions remembered.
const MOST_POSITIONS: usize = 1_000;

/// The word at the beginning of the line with the plan.
const PLAN: &str = "plan";

/// The keys of the positions that the agent's own moves have led to in this game, the last one at
/// the end, and the moves that it has planned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    keys: Vec<u64>,
    plan: Vec<Move>,
}

impl Memory {
    /// Parses a text that [`Memory::text_after`] returned; the memory of any other text is empty.
    #[must_use]
    pub fn read(text: &str) -> Memory {
        let mut memory = Memory::default();
        for line in text.lines() {
            if let Some(moves) = line.strip_prefix(PLAN) {
                memory.plan = moves.split_whitespace().map_while(planned_move).collect();
            } else if let Ok(key) = u64::from_str_radix(line, 16) {
                memory.keys.push(key);
            } else {
                return Memory::default();
            }
        }
        memory
    }

    /// Returns the moves that were planned for now. They may be impossible, since the opponent has
    /// played.
    #[must_use]
    pub fn planned(&self) -> &[Move] {
        &self.plan
    }

    /// Returns the text to remember after a move in a position, and the moves planned after it.
    #[must_use]
    pub fn text_after(&self, position: &Position, mv: Move, later: &[Move]) -> String {
        let mut text = String::new();
        for key in &self.keys[self.keys.len().saturating_sub(MOST_POSITIONS - 1)..] {
            let _ = writeln!(text, "{key:016x}");
        }
        let _ = writeln!(text, "{:016x}", key_after(position, mv));
        if !later.is_empty() {
            text.push_str(PLAN);
            for mv in later {
                let _ = write!(text, " {:02x}{:02x}", mv.from.index(), mv.to.index());
            }
            text.push('\n');
        }
        text
    }

    /// Returns the moves that lead to positions which this game has not had, if there are any but
    /// not all are such moves, and the side to move is ahead. A side that is behind may well repeat
    /// positions.
    #[must_use]
    pub fn new_moves(&self, position: &Position, mut moves: Vec<Move>) -> Option<Vec<Move>> {
        let count = moves.len();
        if !self.keys.is_empty() {
            moves.retain(|&mv| !self.keys.contains(&key_after(position, mv)));
        }
        if moves.is_empty() || moves.len() == count {
            return None;
        }
        let searched = Position::as_searched(position);
        (Evaluation.evaluate(&searched) >= searched.worths().tempo()).then_some(moves)
    }
}

/// Parses a move of a plan: the indices of its two squares, as two hexadecimal digits each.
fn planned_move(word: &str) -> Option<Move> {
    let [from, to] = u16::from_str_radix(word, 16).ok()?.to_be_bytes().map(Square::new);
    (word.len() == 4).then_some(Move { from, to })
}

/// Returns the key of the position after a move.
fn key_after(position: &Position, mv: Move) -> u64 {
    let side = position.side_to_move();
    position.key()
        ^ SIDE_KEY
        ^ if mv.is_pass() { 0 } else { piece_key(side, mv.from) ^ piece_key(side, mv.to) }
}

/// Returns whether one move of the opponent, of any piece to any square, or a pass may have led
/// from the position with this key to a position.
// The agent alone remembers positions.
#[cfg_attr(not(feature = "agent"), allow(dead_code))]
pub(crate) fn may_lead_to(before: u64, position: &Position) -> bool {
    let other = position.side_to_move().other();
    let difference = before ^ position.key() ^ SIDE_KEY;
    let occupied = position.pieces(BLACK).or(position.pieces(WHITE));
    let mut empty = Square::all().filter(|&from| !occupied.contains(from));
    difference == 0
        || empty.any(|from| {
            position
                .pieces(other)
                .into_iter()
                .any(|to| piece_key(other, from) ^ piece_key(other, to) == difference)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    /// A position in the middle of the board in which White is ahead by as much as `lead` rows.
    fn position(lead: usize) -> Position {
        let row = |y: usize| (4..8).map(move |x| Square::at(x, y)).collect();
        Position::new([row(5), row(10 - lead)], WHITE, Rules::Base)
    }

    #[test]
    fn what_is_written_is_recalled_in_the_next_turn_of_the_same_game_alone() {
        let mut position = position(0);
        let mut memory = Memory::default();
        for count in 0..3 {
            let mv = position.legal_moves()[0];
            let later = position.legal_moves()[..count].to_vec();
            let text = memory.text_after(&position, mv, &later);
            position.play(mv);
            let key = position.key();
            position.play(position.legal_moves()[2]);
            memory = Memory::read(&text);
            assert_eq!(memory.keys.last(), Some(&key));
            assert_eq!(memory.planned(), later);
            assert_eq!(Memory::read(&text.replacen('\n', "x\n", 1)), Memory::default());
            // One move leads here, and none to a position two moves of one side away.
            assert!(may_lead_to(key, &position));
            assert!(!may_lead_to(key, &position.after(position.legal_moves()[0])));
        }
        assert_eq!(memory.keys.len(), 3);
    }

    #[test]
    fn the_side_that_is_ahead_avoids_what_it_had_and_the_other_need_not() {
        let ahead = position(3);
        let moves = ahead.legal_moves();
        let memory = Memory { keys: vec![key_after(&ahead, moves[1]), 7], ..Memory::default() };
        let left = memory.new_moves(&ahead, moves.clone()).unwrap();
        assert!(left.len() == moves.len() - 1 && !left.contains(&moves[1]));
        assert_eq!(Memory::default().new_moves(&ahead, moves.clone()), None);
        let all = Memory {
            keys: moves.iter().map(|&mv| key_after(&ahead, mv)).collect(),
            ..Memory::default()
        };
        assert_eq!(all.new_moves(&ahead, moves), None);
        let rear = Square::all().skip(13 * 16 + 8).take(4).collect();
        let behind = Position::new([ahead.pieces(BLACK), rear], WHITE, Rules::Base);
        let moves = behind.legal_moves();
        let memory = Memory { keys: vec![key_after(&behind, moves[0])], ..Memory::default() };
        assert_eq!(memory.new_moves(&behind, moves), None);
    }
}
