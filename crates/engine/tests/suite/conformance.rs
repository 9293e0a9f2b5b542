//! The conformance suite detects games that break its contract and names the fault.

use crate::heap::{Heap, Mistake};
use crate::tictactoe::{OpenLines, Position};
use engine::conformance::{check_keys, check_points_of_view, check_rules};
use engine::search::{Knowledge, Score};
use engine::{Game, OneRuleSet, Protocol, Side};
use rand::SeedableRng;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs a check and returns the message of its panic; `None` if it does not panic.
fn panic_message(check: impl FnOnce()) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(check)).err()?;
    Some(panic.downcast_ref::<String>().unwrap().clone())
}

/// An evaluation with the wrong sign when this side is to move.
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
        assert_eq!(panic_message(|| check_points_of_view(&start, &OpenLines, 30, 9, seed)), None);
        for side in Side::BOTH {
            let wrong = WrongFor(side);
            let message = panic_message(|| check_points_of_view(&start, &wrong, 30, 9, seed));
            assert!(message.unwrap().contains("wrong sign for one side"));
        }
    }
}

#[test]
fn a_key_that_lacks_the_side_to_move_is_named() {
    let check = |mistake| panic_message(|| check_keys(&Heap::new(12, Side::First, mistake)));
    assert_eq!(check(Mistake::None), None);
    let message = check(Mistake::SideNotInKey).unwrap();
    assert!(message.contains("same key differ in the side to move"), "{message}");
}

#[test]
fn a_key_that_is_not_kept_up_to_date_is_named() {
    let mut random = rand::rngs::StdRng::seed_from_u64(1);
    let mut check =
        |mistake| panic_message(|| check_rules(&Heap::new(12, Side::First, mistake), &mut random));
    assert_eq!(check(Mistake::None), None);
    let message = check(Mistake::SideNotKept).unwrap();
    assert!(message.contains("the key differs") && message.contains("side to move"), "{message}");
}
