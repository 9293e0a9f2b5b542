//! A line of play: moves and the positions between them.

use engine::{Explain, Outcome, Side};

/// A line of play. The first position is the one before the first move.
pub(crate) struct Line<A: Explain> {
    pub(crate) moves: Vec<A::Move>,
    pub(crate) positions: Vec<A>,
}

impl<A: Explain> Line<A> {
    pub(crate) fn new(before: &A) -> Line<A> {
        Line { moves: Vec::new(), positions: vec![before.clone()] }
    }

    /// The last position.
    pub(crate) fn end(&self) -> &A {
        &self.positions[self.moves.len()]
    }

    pub(crate) fn push(&mut self, mv: A::Move) {
        self.positions.push(self.end().after(mv));
        self.moves.push(mv);
    }

    /// The line with these moves after it, up to the first that cannot be read.
    pub(crate) fn and(mut self, texts: &[String]) -> Line<A> {
        for text in texts {
            let Ok(mv) = self.end().read_move(text) else { break };
            self.push(mv);
        }
        self
    }

    pub(crate) fn mover(&self, ply: usize) -> Side {
        self.positions[ply].side_to_move()
    }

    /// The move of a ply, as text for people.
    pub(crate) fn text(&self, ply: usize) -> String {
        self.positions[ply].describe_move(self.moves[ply])
    }

    /// The winner if the game is over after this many plies of the line.
    pub(crate) fn winner(&self, plies: usize) -> Option<Side> {
        self.positions.get(plies)?.outcome().and_then(Outcome::winner)
    }
}
