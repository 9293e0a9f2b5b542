//! The line of play that searches with the learned evaluation expect. The solver solves its positions first, from the last
//! on: the better the line, the closer is each first bound, and the fewer tests follow.

use super::tree::Tree;
use crate::board::{SQUARES, Square};
use crate::evaluate::Evaluation;
use crate::rules::{Move, Position};
use engine::Game;
use engine::search::{Control, Limits, Mode, Searcher};

/// The least number of empty squares with which a search costs less than it saves.
const LEAST: u32 = 14;
/// The nodes of the search with 20 empty squares. The solver visits some hundred times as many.
const NODES_AT_20: u64 = 20_000;
/// The size of the searches' table in bytes.
const TABLE_BYTES: usize = 1 << 20;

/// The squares that both sides are expected to take from a position on, by the number of empty squares before the move. Ends
/// early where `tree` wants the solver stopped.
pub(super) fn line(position: &Position, tree: &mut impl Tree) -> [Option<Square>; SQUARES + 1] {
    let mut line = [None; SQUARES + 1];
    let mut position = position.clone();
    let mut searcher = Searcher::new(Evaluation::Learned, Mode::Selective, TABLE_BYTES);
    while position.empty().len() >= LEAST {
        let empty = position.empty().len();
        // Twice as many with each further empty square.
        let limits = Limits { nodes: (NODES_AT_20 << empty) >> 20, ..Limits::default() };
        let Some(report) = searcher.run(&position, limits, &mut Stop(tree)) else { break };
        line[empty as usize] = Some(report.best.0);
        position.play(report.best);
    }
    line
}

/// Ends a search where the solver is to stop.
struct Stop<'a, T>(&'a mut T);

impl<T: Tree> Control<Move> for Stop<'_, T> {
    fn stop_now(&mut self) -> bool {
        self.0.stop(0)
    }
}
