//! A second move generator, slow and simple, written from the rules page alone. It shares no code
//! with the crate.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Place = (i32, i32);

/// The board as letters by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlowBoard {
    pub pieces: BTreeMap<Place, char>,
    pub foxes_turn: bool,
    pub moves: u32,
}

pub(crate) fn on_board((row, column): Place) -> bool {
    let wide = (2..=4).contains(&row) && (0..7).contains(&column);
    let tall = (2..=4).contains(&column) && (0..7).contains(&row);
    wide || tall
}

const WAYS: [(char, i32, i32); 4] = [('u', -1, 0), ('d', 1, 0), ('l', 0, -1), ('r', 0, 1)];

impl SlowBoard {
    pub(crate) fn read(picture: &str, foxes_turn: bool, moves: u32) -> SlowBoard {
        let mut pieces = BTreeMap::new();
        for (row, line) in picture.lines().enumerate() {
            let symbols: Vec<char> =
                line.chars().filter(|symbol| !symbol.is_whitespace()).collect();
            let first = if symbols.len() == 3 { 2 } else { 0 };
            for (column, symbol) in symbols.into_iter().enumerate() {
                if symbol != '-' {
                    pieces.insert((row as i32, column as i32 + first), symbol);
                }
            }
        }
        SlowBoard { pieces, foxes_turn, moves }
    }

    fn is_empty(&self, place: Place) -> bool {
        on_board(place) && !self.pieces.contains_key(&place)
    }

    fn goose_at(&self, place: Place) -> bool {
        self.pieces.get(&place).is_some_and(char::is_ascii_lowercase)
    }

    fn geese(&self) -> usize {
        self.pieces.values().filter(|piece| piece.is_ascii_lowercase()).count()
    }

    fn place_of(&self, letter: char) -> Option<Place> {
        self.pieces.iter().find(|(_, piece)| **piece == letter).map(|(place, _)| *place)
    }

    /// Appends all chains of jumps of a fox, spelled, with the board after each.
    fn chains(&self, fox: char, spelled: &str, found: &mut Vec<(String, SlowBoard)>) {
        let (row, column) = self.place_of(fox).unwrap();
        for (letter, down, right) in WAYS {
            let over = (row + down, column + right);
            let landing = (row + 2 * down, column + 2 * right);
            if self.goose_at(over) && self.is_empty(landing) {
                let mut next = self.clone();
                next.pieces.remove(&over);
                next.pieces.remove(&(row, column));
                next.pieces.insert(landing, fox);
                let longer = format!("{spelled}{letter}");
                found.push((longer.clone(), next.clone()));
                next.chains(fox, &longer, found);
            }
        }
    }

    fn steps(&self, piece: char, letters: &str) -> Vec<(String, SlowBoard)> {
        let Some((row, column)) = self.place_of(piece) else { return Vec::new() };
        let mut found = Vec::new();
        for (letter, down, right) in WAYS {
            let to = (row + down, column + right);
            if letters.contains(letter) && self.is_empty(to) {
                let mut next = self.clone();
                next.pieces.remove(&(row, column));
                next.pieces.insert(to, piece);
                found.push((format!("{piece}{letter}"), next));
            }
        }
        found
    }

    fn fox_plays(&self) -> Vec<(String, SlowBoard)> {
        let mut jumps = Vec::new();
        for fox in ['X', 'Y'] {
            self.chains(fox, &fox.to_string(), &mut jumps);
        }
        let least = jumps.iter().map(|(_, board)| board.geese()).min();
        match least {
            Some(least) => jumps.into_iter().filter(|(_, board)| board.geese() == least).collect(),
            None => ['X', 'Y'].into_iter().flat_map(|fox| self.steps(fox, "udlr")).collect(),
        }
    }

    /// The winner once the game is over: 'G' for the geese, 'F' for the foxes.
    pub(crate) fn winner(&self) -> Option<char> {
        let square = (0..3).flat_map(|row| (2..5).map(move |column| (row, column)));
        if self.geese() <= 8 {
            return Some('F');
        }
        if square.into_iter().all(|place| self.goose_at(place))
            || (self.foxes_turn && self.fox_plays().is_empty())
        {
            return Some('G');
        }
        if !self.foxes_turn && ('a'..='z').all(|goose| self.steps(goose, "ulr").is_empty()) {
            return Some('F');
        }
        (self.moves >= 100).then_some('F')
    }

    /// All legal moves in all spellings, with the board after each.
    pub(crate) fn plays(&self) -> Vec<(String, SlowBoard)> {
        if self.winner().is_some() {
            return Vec::new();
        }
        let mut plays = match self.foxes_turn {
            true => self.fox_plays(),
            false => ('a'..='z').flat_map(|goose| self.steps(goose, "ulr")).collect(),
        };
        for (_, board) in &mut plays {
            board.moves += u32::from(!self.foxes_turn);
            board.foxes_turn = !self.foxes_turn;
        }
        plays
    }

    /// The boards after all legal moves. Chains of one fox that take the same geese and end on the
    /// same cell are one move.
    pub(crate) fn after_plays(&self) -> Vec<SlowBoard> {
        let mut seen = BTreeSet::new();
        self.plays()
            .into_iter()
            .filter(|(spelling, board)| {
                seen.insert((spelling.chars().next(), board.pieces.clone()))
            })
            .map(|(_, board)| board)
            .collect()
    }

    pub(crate) fn perft(&self, depth: u32) -> u64 {
        let after = self.after_plays();
        if depth == 1 {
            return after.len() as u64;
        }
        after.into_iter().map(|board| board.perft(depth - 1)).sum()
    }
}
