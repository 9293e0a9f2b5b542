//! A heap of matches from which a move takes one to three; the side that takes the last one wins.
//! The same heap occurs with either side to move.

use engine::{Game, Outcome, Side, split_mix};

/// The position, with a key that is kept incrementally.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Heap {
    pub(crate) matches: u8,
    pub(crate) side: Side,
    kept_key: u64,
    mistake: Mistake,
}

/// A deliberate error in the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Mistake {
    None,
    SideNotInKey,
    SideNotKept,
}

impl Heap {
    pub(crate) fn new(matches: u8, side: Side, mistake: Mistake) -> Heap {
        let side_part = if mistake == Mistake::SideNotInKey { 0 } else { side.index() as u64 };
        Heap { matches, side, kept_key: split_mix(u64::from(matches)) ^ side_part, mistake }
    }

    fn with(&self, matches: u8) -> Heap {
        let mut next = Heap::new(matches, self.side.other(), self.mistake);
        if self.mistake == Mistake::SideNotKept {
            next.kept_key ^= 1;
        }
        next
    }
}

impl Game for Heap {
    type Move = u8;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.matches == 0).then_some(Outcome::Win(self.side.other()))
    }

    fn moves(&self, out: &mut Vec<u8>) {
        out.extend(1..=self.matches.min(3));
    }

    fn play(&mut self, taken: u8) {
        *self = self.with(self.matches - taken);
    }

    fn undo(&mut self, taken: u8, (): ()) {
        *self = self.with(self.matches + taken);
    }

    fn key(&self) -> u64 {
        self.kept_key
    }

    fn rebuilt(&self) -> Heap {
        Heap::new(self.matches, self.side, self.mistake)
    }

    fn encode(&self, taken: u8) -> u32 {
        u32::from(taken)
    }
}
