//! The sheep's win from figure 1: the strategy in the program is followed against every move of the
//! wolves, with the slow rules of the tests. `make prove` runs it and shows the figures.

use crate::slow::{SlowBoard, SlowMove};
use engine::Game;
use std::collections::HashMap;
use wolves::board::{ALL, SYMMETRIES, Square, Squares};
use wolves::rules::{Layout, Position, SHEEP, WOLVES};
use wolves::strategy;

/// The sets of wolves and of sheep, the same for all images of a board.
type Key = (u64, u64);

fn position(board: &SlowBoard) -> Position {
    let set = |piece| {
        ALL.into_iter().filter(|square| board.rows[square.y()][square.x()] == piece).collect()
    };
    Position::new(set('W'), set('S'), if board.wolves_turn { WOLVES } else { SHEEP })
}

fn key(board: &SlowBoard) -> Key {
    let images = (0..SYMMETRIES).map(|symmetry| {
        let image = position(board).image(symmetry);
        (image.wolves().bits(), image.sheep().bits())
    });
    images.min().unwrap()
}

/// The sheep's answer by the strategy, as a move of the slow rules.
fn answer(board: &SlowBoard) -> SlowMove {
    let mv = strategy::play(&position(board)).unwrap_or_else(|| panic!("no answer: {board:?}"));
    let point = |square: Square| (square.x() as i32, square.y() as i32);
    let mv = (false, point(mv.from), point(mv.to));
    assert!(board.moves().contains(&mv), "{mv:?} is not allowed: {board:?}");
    mv
}

#[derive(Default)]
struct Proof {
    /// The largest number of plies left, by positions with wolves to move; `None` while the
    /// continuations are being followed.
    plies: HashMap<Key, Option<u32>>,
    /// The same, by positions with sheep to move.
    answered: HashMap<Key, u32>,
}

impl Proof {
    fn wolves_to_move(&mut self, board: &SlowBoard) -> u32 {
        match board.winner() {
            Some('S') => return 0,
            Some(_) => panic!("the wolves have won: {board:?}"),
            None => {}
        }
        let key = key(board);
        match self.plies.get(&key) {
            Some(Some(plies)) => return *plies,
            Some(None) => panic!("a position comes again: {board:?}"),
            None => {}
        }
        self.plies.insert(key, None);
        let lines = board.moves().into_iter().map(|mv| 1 + self.sheep_to_move(&board.after(mv)));
        let plies = lines.max().expect("a side that has not lost has a move");
        self.plies.insert(key, Some(plies));
        plies
    }

    fn sheep_to_move(&mut self, board: &SlowBoard) -> u32 {
        assert_eq!(board.winner(), None, "{board:?}");
        let key = key(board);
        if let Some(&plies) = self.answered.get(&key) {
            return plies;
        }
        let plies = 1 + self.wolves_to_move(&board.after(answer(board)));
        self.answered.insert(key, plies);
        plies
    }
}

#[test]
fn the_sheep_win_figure_1_against_every_move_of_the_wolves_without_a_repetition() {
    let start = Position::layout(Layout::Figure1);
    let rows =
        ["SSSSS", "SSSSS", ".....", ".....", ".W.W."].map(|row| row.chars().collect()).to_vec();
    let board = SlowBoard { rows, wolves_turn: true };
    assert_eq!(position(&board), start);
    let mut proof = Proof::default();
    let plies = proof.wolves_to_move(&board);
    println!(
        "figure 1: the sheep win every line, in at most {plies} plies; {} positions with wolves to move, {} with sheep \
         to move, up to symmetry; no position comes twice in a line",
        proof.plies.len(),
        proof.answered.len()
    );
    assert_eq!(plies, 54, "the strategy is as quick as best move (docs/wolves.md)");
}

#[test]
fn elsewhere_the_strategy_has_nothing_to_say() {
    // Positions outside the strategy: wolves to move, three wolves, more sheep than it has.
    assert_eq!(strategy::play(&Position::layout(Layout::Figure1)), None);
    for layout in [Layout::Question2a, Layout::Question2b] {
        let mut position = Position::layout(layout);
        position.play(position.legal_moves()[0]);
        assert_eq!(strategy::play(&position), None);
    }
    let set = |names: &str| names.parse::<Squares>().unwrap();
    // A position from which no move leads into the set.
    let lost = Position::new(set("0,0 4,4"), set("1,2 2,2 3,2"), SHEEP);
    assert_eq!(strategy::play(&lost), None);
}
