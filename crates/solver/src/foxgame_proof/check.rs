//! The check of stored wins by the rules of the game alone: every position, every move of FOX, every number.

use super::board::{after_sheep, picture, unpack};
use super::repeat::leads_to;
use super::won::{Win, Wins};
use engine::{Game, Outcome};
use foxgame::board::Board;
use foxgame::rules::{Ending, Position, SHEEP};

/// The figures of a set of wins that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Proof {
    /// Positions with SHEEP to move, mirror images counted once.
    pub positions: usize,
    /// Moves of FOX that are answered or that end the game.
    pub replies: u64,
    /// The number of SHEEP's steps in the longest line.
    pub longest: u16,
    /// The fewest sheep in any position.
    pub fewest_sheep: u32,
    /// Moves, of either side, that end the game with no fox left.
    pub no_fox: u64,
    /// Moves, of either side, that end the game with a full pen.
    pub pen_full: u64,
}

/// The reason why a set of wins does not hold, with the picture of the position where it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// A position is over before SHEEP moves.
    Over(String),
    /// The step of a position is not legal there.
    Illegal(String),
    /// SHEEP has not won in a position where the game ends.
    Lost(String),
    /// A move of FOX leads to a position without an answer.
    Unanswered(String),
    /// The number of steps to the end does not fall: lines could go in circles.
    Number(u16, u16, String),
    /// The step of a position may bring back a board of the same line, with the other side to move (the deadlock rule).
    Repeated(String),
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Flaw::Over(picture) => write!(f, "the game is over before SHEEP moves in this position:\n{picture}"),
            Flaw::Illegal(picture) => write!(f, "the step of this position is not legal:\n{picture}"),
            Flaw::Lost(picture) => write!(f, "SHEEP has not won where the game ends in this position:\n{picture}"),
            Flaw::Unanswered(picture) => write!(f, "no step is given in this position:\n{picture}"),
            Flaw::Number(given, after, picture) => {
                write!(f, "{given} steps to the end are given here, {after} after a move of FOX:\n{picture}")
            }
            Flaw::Repeated(picture) => {
                write!(f, "the step of this position may bring back a board of its own line (deadlock):\n{picture}")
            }
        }
    }
}

impl Proof {
    fn count(&mut self, ending: Ending, board: Board) -> Result<(), Flaw> {
        match ending {
            Ending::NoFox => self.no_fox += 1,
            Ending::PenFull => self.pen_full += 1,
            _ => return Err(Flaw::Lost(picture(board))),
        }
        Ok(())
    }
}

/// Checks every win of a set: its step is legal, each move of FOX after it ends the game with a win of SHEEP or leads to
/// another win of the set, the number of steps to the end falls, and no step
/// brings back an earlier board of any line.
pub(crate) fn check(wins: &Wins) -> Result<Proof, Flaw> {
    let mut proof = Proof { fewest_sheep: u32::MAX, ..Proof::default() };
    for (packed, win) in wins.entries() {
        let board = unpack(packed).expect("packed by a board");
        proof.positions += 1;
        proof.fewest_sheep = proof.fewest_sheep.min(board.sheep.len());
        proof.longest = proof.longest.max(win.moves);
        let most = follow(wins, board, win, &mut proof)?;
        if win.moves <= most {
            return Err(Flaw::Number(win.moves, most, picture(board)));
        }
        if may_repeat(wins, board, win) {
            return Err(Flaw::Repeated(picture(board)));
        }
    }
    Ok(proof)
}

/// Plays the step of a position and every move of FOX after it: the largest number of steps that follow.
fn follow(wins: &Wins, board: Board, win: Win, proof: &mut Proof) -> Result<u16, Flaw> {
    let mut position = Position::new(board, SHEEP);
    if position.outcome().is_some() {
        return Err(Flaw::Over(picture(board)));
    }
    if !position.legal_moves().contains(&win.mv) {
        return Err(Flaw::Illegal(picture(board)));
    }
    position.play(win.mv);
    if let Some(ending) = position.ending() {
        proof.count(ending, position.board())?;
        return Ok(0);
    }
    let mut most = 0;
    for reply in position.legal_moves() {
        let mut next = position.clone();
        next.play(reply);
        proof.replies += 1;
        match (next.ending(), next.outcome()) {
            (Some(ending), Some(Outcome::Win(SHEEP))) => proof.count(ending, next.board())?,
            (Some(_), _) => return Err(Flaw::Lost(picture(next.board()))),
            (None, _) => {
                let answer = wins.get(next.board()).ok_or_else(|| Flaw::Unanswered(picture(next.board())))?;
                most = most.max(answer.moves);
            }
        }
    }
    Ok(most)
}

/// Whether the step of a position may bring back a board that was SHEEP's to move earlier in the line.
fn may_repeat(wins: &Wins, board: Board, win: Win) -> bool {
    let after = after_sheep(board, win.mv);
    if win.mv.from.y() != win.mv.to.y() || after.foxes.is_empty() {
        return false;
    }
    let earlier = wins.get(after).filter(|earlier| earlier.moves > win.moves);
    earlier.is_some_and(|earlier| leads_to(wins, (after, earlier), board, win.moves))
}

#[cfg(test)]
mod tests {
    use super::super::board::canonical;
    use super::super::known::Known;
    use super::super::stages::{Answer, Progress, Stages};
    use super::*;

    /// Two foxes below a pen that lacks two sheep, row by row, SHEEP to move.
    const LATE: &str = "SSS SSS S...SSS SSF.FSS SS....S ... .S.";

    fn board(text: &str) -> Board {
        let mut board = Board::default();
        for (point, symbol) in foxgame::board::BOARD.into_iter().zip(text.split(' ').flat_map(str::chars)) {
            match symbol {
                'F' => board.foxes.insert(point),
                'S' => board.sheep.insert(point),
                _ => {}
            }
        }
        board
    }

    /// A search of few nodes from a board: what it answers and knows.
    fn search(board: Board, last_stage: u64) -> (Answer, Known) {
        let effort = |level| super::super::effort(1_000, level);
        let mut tell = |_: &Known, progress: Progress| progress.stages < last_stage;
        let mut stages = Stages::new(Known::default(), &effort, &mut tell);
        let answer = stages.prove(board, 0);
        (answer, stages.known)
    }

    #[test]
    fn a_win_is_found_and_holds_and_anything_changed_is_refused() {
        let start = board(LATE);
        let (answer, known) = search(start, u64::MAX);
        assert_eq!(answer, Answer::Won);
        let proof = check(&known.wins).unwrap();
        assert_eq!(proof.positions, known.wins.len());
        assert!(proof.no_fox + proof.pen_full > 0);
        let win = known.wins.get(start).unwrap();
        assert!(win.moves <= proof.longest);

        let (start, _) = canonical(start);
        let without: Vec<(u64, Win)> = known.wins.entries().filter(|&(packed, _)| packed != start).collect();
        let refused = |changed: Option<(u64, Win)>, left_out: u64| {
            let mut wins = Wins::default();
            for (packed, win) in without.iter().copied().filter(|&(packed, _)| packed != left_out).chain(changed) {
                wins.insert(unpack(packed).unwrap(), win);
            }
            check(&wins).err()
        };
        assert_eq!(refused(None, start), None, "nothing needs the first position but itself");
        let canonical_win = known.wins.entries().find(|&(packed, _)| packed == start).unwrap().1;
        if canonical_win.moves > 1 {
            let sooner = Win { moves: 1, ..canonical_win };
            assert!(matches!(refused(Some((start, sooner)), start), Some(Flaw::Number(..))));
        }
        // Some other position is needed by one before it.
        let (needed, _) = without.iter().copied().find(|&(_, win)| win.moves == 1).unwrap();
        assert!(matches!(refused(Some((start, canonical_win)), needed), Some(Flaw::Unanswered(_))));
    }

    #[test]
    fn a_search_that_is_stopped_keeps_only_what_holds() {
        let (answer, known) = search(board(LATE), 40);
        assert_eq!(answer, Answer::Stopped);
        check(&known.wins).unwrap();
    }
}
