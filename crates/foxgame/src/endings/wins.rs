//! What SHEEP wins from the start on, by steps ahead and inwards alone: the layers of both foxes that
//! `solve foxgame --floor 9 --won-only --inwards --keep` leaves in a directory.
//!
//! No board that such a step makes was there before, if SHEEP has played no others since the last capture or step ahead: it
//! wins so under the deadlock rule too. What is not won so may still be won with steps outwards.

use super::index::{Class, Profile, SUMS, profile};
use super::layers::{Kind, LayerFile, Question, steps_inwards};
use super::pairs::{bit, words};
use crate::board::{Board, POINTS};
use crate::rules::{LEAST_SHEEP, MOST_SHEEP, Move, Position, SHEEP, sum_of_rows};
use engine::{Advice, Game};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use tables::{TableDirectory, TableError};

/// The layers that are read.
const QUESTION: Question = Question { floor: LEAST_SHEEP, sets: 1, inwards: true };

/// The layers of a directory. Each file is opened when it is first needed.
#[derive(Debug)]
pub struct Wins(TableDirectory<LayerFile>);

impl Wins {
    /// Prepares the layers of a directory, which need not exist. `report` is called with the error of each file that is
    /// refused.
    pub fn new(directory: PathBuf, report: fn(&TableError)) -> Wins {
        Wins(TableDirectory::new(directory, ((MOST_SHEEP + 1 - LEAST_SHEEP) * SUMS) as usize, report))
    }

    /// Returns the moves from which the side to move should choose in an unfinished position: for SHEEP those that win, for FOX
    /// those after which SHEEP does not win, or if there are none, those after which the fewest replies win. Nothing if the
    /// files do not say, or say that SHEEP does not win so.
    pub fn advise(&self, position: &Position) -> Advice<Move> {
        // A browser has no files. The early return keeps the reader out of the WebAssembly module.
        if cfg!(target_arch = "wasm32") {
            return Advice::Nothing;
        }
        let mut reader = Reader { wins: self, classes: HashMap::new() };
        let moves = position.legal_moves();
        let mut after = position.clone();
        let is_sheep = position.side_to_move() == SHEEP;
        let mut best: Option<(usize, Vec<Move>)> = None;
        for mv in moves {
            let undo = after.play(mv);
            // Wins of SHEEP that follow: a move of SHEEP's own should have one, one of FOX's as few as can be.
            let wins = match after.outcome() {
                Some(outcome) => Some(if outcome.winner() == Some(SHEEP) { usize::MAX } else { 0 }),
                None if is_sheep && !steps_inwards(mv) => Some(0),
                None if is_sheep => reader.is_won(after.board()).map(usize::from),
                None => reader.winning_replies(&mut after),
            };
            after.undo(mv, undo);
            let Some(wins) = wins else { return Advice::Nothing };
            let order = if is_sheep { usize::MAX - wins } else { wins };
            match &mut best {
                Some((least, list)) if *least == order => list.push(mv),
                Some((least, _)) if *least < order => {}
                _ => best = Some((order, vec![mv])),
            }
        }
        match best {
            Some((usize::MAX, _)) if is_sheep => Advice::Nothing,
            Some((_, list)) if is_sheep => Advice::Move(list[0], "known: won".to_string()),
            Some((_, list)) => Advice::Among(list),
            None => Advice::Nothing,
        }
    }
}

/// A reader of one position's surroundings, which lie in few classes.
struct Reader<'a> {
    wins: &'a Wins,
    classes: HashMap<Profile, Option<(Class, Vec<u64>)>>,
}

impl Reader<'_> {
    /// Returns whether SHEEP wins a board with FOX to move; `None` if its layer is not there.
    fn is_won(&mut self, board: Board) -> Option<bool> {
        let sheep = board.sheep.len();
        if sheep < LEAST_SHEEP {
            return Some(false);
        }
        let words = words(POINTS - sheep as usize);
        let profile = profile(board.sheep);
        let read = || {
            let sum = sum_of_rows(board.sheep);
            let number = sheep.checked_sub(LEAST_SHEEP)? * SUMS + sum;
            let open = |directory: &Path| LayerFile::open(&QUESTION, directory, Kind::Fox, sheep, sum);
            self.wins.0.look_up(number as usize, open, |file| file.class(profile, words))
        };
        let (class, values) = self.classes.entry(profile).or_insert_with(read).as_ref()?;
        let place = class.place(board.sheep);
        let bit = bit(board, place.mirrored);
        Some(values[place.number * words + bit / 64] >> (bit % 64) & 1 != 0)
    }

    /// Returns the number of SHEEP's moves that win; `None` if a layer is not there.
    fn winning_replies(&mut self, position: &mut Position) -> Option<usize> {
        let mut won = 0;
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            let wins = match position.outcome() {
                Some(outcome) => Some(outcome.winner() == Some(SHEEP)),
                None if steps_inwards(mv) => self.is_won(position.board()),
                None => Some(false),
            };
            position.undo(mv, undo);
            won += usize::from(wins?);
        }
        Some(won)
    }
}
