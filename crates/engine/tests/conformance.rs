//! The suite finds out games that break a promise, and says which.

#[path = "../examples/tictactoe.rs"]
#[allow(unused)]
mod tictactoe;

use engine::conformance::{check_keys, check_points_of_view, check_rules};
use engine::search::{Knowledge, Score};
use engine::{Game, OneRuleSet, Outcome, Protocol, Side, split_mix};
use rand::SeedableRng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tictactoe::{OpenLines, Position};

/// What a check says when it panics; `None` if it does not.
fn complaint(check: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(check)).err()?;
    Some(panic.downcast_ref::<String>().expect("a message with figures").clone())
}

/// Forgets for one side to move that estimates are for it.
#[derive(Clone)]
struct WrongFor(Side);

impl Knowledge<Position> for WrongFor {
    fn evaluate(&self, position: &Position) -> Score {
        let right = OpenLines.evaluate(position);
        if position.side_to_move() == self.0 { -right } else { right }
    }
}

#[test]
fn an_evaluation_with_the_wrong_sign_for_one_side_is_found_out_and_the_right_one_is_not() {
    let start = [Position::start(OneRuleSet)];
    for seed in 0..20 {
        assert_eq!(complaint(|| check_points_of_view(&start, &OpenLines, 30, 9, seed)), None);
        for side in Side::BOTH {
            let said = complaint(|| check_points_of_view(&start, &WrongFor(side), 30, 9, seed)).expect("a complaint");
            assert!(said.contains("wrong sign for one side"), "{said}");
        }
    }
}

/// A heap of matches, one to three to be taken: the same heap comes up with either side to move.
#[derive(Clone, Debug, PartialEq)]
struct Heap {
    matches: u8,
    side: Side,
    kept_key: u64,
    mistake: Mistake,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mistake {
    None,
    SideNotInKey,
    SideNotKept,
}

impl Heap {
    fn new(matches: u8, side: Side, mistake: Mistake) -> Heap {
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

#[test]
fn a_key_that_lacks_the_side_to_move_is_named() {
    let check = |mistake| complaint(|| check_keys(&Heap::new(12, Side::First, mistake)));
    assert_eq!(check(Mistake::None), None);
    let said = check(Mistake::SideNotInKey).expect("a complaint");
    assert!(said.starts_with("two positions with the same key differ in the side to move"), "{said}");
}

#[test]
fn a_key_that_is_not_kept_up_to_date_is_named() {
    let mut random = rand::rngs::StdRng::seed_from_u64(1);
    let mut check = |mistake| complaint(|| check_rules(&Heap::new(12, Side::First, mistake), &mut random));
    assert_eq!(check(Mistake::None), None);
    let said = check(Mistake::SideNotKept).expect("a complaint");
    assert!(said.contains("the key differs") && said.contains("side to move"), "{said}");
}
