//! The positions that SHEEP wins from the start on with its sideways steps in one direction
//! ([`crate::one_way`]), under the deadlock rule too: the layers of both foxes that `two-foxes
//! --floor 9 --won-only --one-way --keep` leaves in a directory.

use crate::layer_files::{Kind, LayerFile, Question};
use crate::one_way::{DIRECTIONS, winning_move};
use crate::pairs::{bit, words};
use crate::store::sheep_and_sum;
use engine::{Advice, Game};
use foxgame::board::{Board, POINTS};
use foxgame::endings::index::{LAYER_NUMBERS, Profile, ProfileClass, layer_number, profile};
use foxgame::rules::{LEAST_SHEEP, Move, Position, SHEEP};
use memmap2::MmapMut;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tables::{TableDirectory, TableError};

/// The CPU time for a byte of a class, in nanoseconds: about 1 was measured.
const NANOSECONDS_A_BYTE: f64 = 2.0;

/// The number of look-ups between two looks at the clock.
const LOOKUPS_A_POLL: u32 = 100;

/// The layers that are read.
const QUESTION: Question = Question { floor: LEAST_SHEEP, sets: 1, one_way: true };

/// The layers of a directory. Each file is opened when it is first needed.
#[derive(Debug)]
pub struct Wins(TableDirectory<LayerFile>);

impl Wins {
    /// Prepares the layers of a directory, which need not exist. `report` is called with the error
    /// of each file that is refused.
    pub fn new(directory: PathBuf, report: fn(&TableError)) -> Wins {
        Wins(TableDirectory::new(directory, LAYER_NUMBERS, report))
    }

    /// Returns for SHEEP a move that wins, for FOX the moves after which SHEEP does not win;
    /// nothing if there are none, or the files do not say. `can_afford` is asked before each class,
    /// with the time that it takes to read. Where it refuses, or no move wins for certain, SHEEP is
    /// told the moves to boards that it wins from there by what was read: its steps may not keep to
    /// a direction.
    pub fn advise(
        &self,
        position: &Position,
        can_afford: &dyn Fn(Duration) -> bool,
    ) -> Advice<Move> {
        let mut reader = Reader { wins: self, can_afford, lookups: 0, classes: HashMap::new() };
        let advice = if position.side_to_move() == SHEEP {
            reader.winning_move(position).or_else(|| reader.promising_moves(position))
        } else {
            reader.saving_moves(position)
        };
        advice.unwrap_or(Advice::Nothing)
    }
}

/// A reader of one position's surroundings, which lie in few classes.
struct Reader<'a> {
    wins: &'a Wins,
    can_afford: &'a dyn Fn(Duration) -> bool,
    lookups: u32,
    classes: HashMap<Profile, Option<(ProfileClass, MmapMut)>>,
}

impl Reader<'_> {
    /// Returns whether SHEEP wins a board with FOX to move; `None` if its layer is not there, or
    /// there is no time.
    fn is_won(&mut self, board: Board) -> Option<bool> {
        self.lookups += 1;
        if self.lookups.is_multiple_of(LOOKUPS_A_POLL) && !(self.can_afford)(Duration::ZERO) {
            return None;
        }
        let sheep = board.sheep.len();
        if sheep < LEAST_SHEEP {
            return Some(false);
        }
        let words = words(POINTS - sheep as usize);
        let profile = profile(board.sheep);
        let read = || {
            let (sheep, sum) = sheep_and_sum(profile);
            let open =
                |directory: &Path| LayerFile::open(&QUESTION, directory, Kind::Fox, sheep, sum);
            let find = |file: &LayerFile| {
                let class = file.class(profile);
                let length = 8 * words * class.len();
                if !(self.can_afford)(Duration::from_nanos(
                    (length as f64 * NANOSECONDS_A_BYTE) as u64,
                )) {
                    return Ok(None);
                }
                // This memory goes back to the system when it is dropped, not when the program
                // ends, whose clock may be over then.
                let Ok(mut bytes) = MmapMut::map_anon(length) else { return Ok(None) };
                file.decompress(profile, &mut bytes)?;
                Ok(Some((class.clone(), bytes)))
            };
            self.wins.0.look_up(layer_number(sheep, sum)?, open, find).flatten()
        };
        let (class, bytes) = self.classes.entry(profile).or_insert_with(read).as_ref()?;
        let place = class.place(board.sheep);
        let bit = bit(board, place.mirrored);
        Some(bytes[8 * words * place.number + bit / 8] >> (bit % 8) & 1 != 0)
    }

    /// Returns a move of SHEEP's that wins, one with as few steps sideways as can be before the
    /// next step ahead: so their number falls with each of them.
    fn winning_move(&mut self, position: &Position) -> Option<Advice<Move>> {
        let mut after = position.clone();
        let left =
            DIRECTIONS.each_ref().map(|direction| direction.steps_left(position.board().sheep));
        for sideways in 0..=left.into_iter().max()? {
            for direction in &DIRECTIONS {
                let mut is_won = |after: &Position| self.is_won(after.board()).ok_or(());
                if let Some(mv) = winning_move(&mut after, direction, sideways, &mut is_won).ok()? {
                    return Some(Advice::Move(mv, "known: won".to_string()));
                }
            }
        }
        None
    }

    /// Returns the moves of SHEEP after which it wins by what has been read.
    fn promising_moves(&mut self, position: &Position) -> Option<Advice<Move>> {
        let mut after = position.clone();
        let mut promising = position.legal_moves();
        promising.retain(|&mv| {
            let undo = after.play(mv);
            let wins = self.is_won(after.board());
            after.undo(mv, undo);
            wins == Some(true)
        });
        (!promising.is_empty()).then_some(Advice::Among(promising))
    }

    /// Returns the moves of FOX after which SHEEP does not win so. Where SHEEP wins after each, the
    /// search knows better than the layers which is the hardest to answer.
    fn saving_moves(&mut self, position: &Position) -> Option<Advice<Move>> {
        let mut after = position.clone();
        let mut kept = Vec::new();
        for mv in position.legal_moves() {
            let undo = after.play(mv);
            let wins = match after.outcome() {
                Some(outcome) => Some(outcome.winner() == Some(SHEEP)),
                None => self.has_winning_reply(&mut after),
            };
            after.undo(mv, undo);
            if !wins? {
                kept.push(mv);
            }
        }
        Some(if kept.is_empty() { Advice::Nothing } else { Advice::Among(kept) })
    }

    /// Returns whether SHEEP has a move after which it wins; `None` if a layer is not there.
    fn has_winning_reply(&mut self, position: &mut Position) -> Option<bool> {
        for mv in position.legal_moves() {
            let undo = position.play(mv);
            let wins = match position.outcome() {
                Some(outcome) => Some(outcome.winner() == Some(SHEEP)),
                None => self.is_won(position.board()),
            };
            position.undo(mv, undo);
            if wins? {
                return Some(true);
            }
        }
        Some(false)
    }
}
