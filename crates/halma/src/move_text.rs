//! Parses the move in an output file and explains why a text is not a legal move.

use crate::board::{BLACK, CAMPS, NEIGHBOURS, Square, WHITE};
use crate::rules::{Move, Position, Rules};
use engine::legs::{Leg, illegal_leg, read_legs};
use engine::{Game, Protocol, Violation};

/// Parses the legal move that an output file contains.
pub(crate) fn read_move(position: &Position, text: &str) -> Result<Move, Violation> {
    let legs = read_legs::<Square>(text)?;
    let (Some(first), Some(last)) = (legs.first(), legs.last()) else {
        return if must_pass(position) {
            Ok(Move::PASS)
        } else {
            Err(Violation::format(
                1,
                "expected a move such as 'E 3,4 4,5' or 'J 3,4 5,4', found an empty file",
            ))
        };
    };
    let mv = Move { from: first.from, to: last.to };
    check_start(position, mv.from)?;
    for (index, &leg) in legs.iter().enumerate() {
        check_leg(position, mv.from, leg).map_err(|reason| illegal_leg(&legs, index, reason))?;
    }
    if mv.is_pass() {
        return Err(Violation::Illegal(format!("the chain ends on {}, where it began", mv.to)));
    }
    if position.is_legal(mv) {
        Ok(mv)
    } else {
        Err(Violation::Illegal(why_forbidden(position, mv)))
    }
}

/// Returns whether a pass is the only legal move.
fn must_pass(position: &Position) -> bool {
    position.legal_moves() == [Move::PASS]
}

/// Checks that the side to move has a piece on the starting square.
fn check_start(position: &Position, from: Square) -> Result<(), Violation> {
    let side = position.side_to_move();
    if position.pieces(side).contains(from) {
        return Ok(());
    }
    let word = Position::side_word(side);
    Err(Violation::Illegal(if position.pieces(side.other()).contains(from) {
        format!(
            "the piece on {} belongs to {}, and it is {word}'s turn",
            from,
            Position::side_word(side.other())
        )
    } else {
        format!("{word} has no piece on {}", from)
    }))
}

/// Checks one leg of a move: a step goes to an empty neighbouring square, a jump over a
/// neighbouring piece to the empty square right behind it.
fn check_leg(position: &Position, start: Square, leg: Leg<Square>) -> Result<(), String> {
    let occupied =
        |square: Square| position.pieces(BLACK).or(position.pieces(WHITE)).contains(square);
    if occupied(leg.to) && leg.to != start {
        return Err(format!("{} is occupied", leg.to));
    }
    if !leg.is_jump {
        return if NEIGHBOURS[leg.from.index()].contains(leg.to) {
            Ok(())
        } else {
            Err(format!("{} is not next to {}", leg.to, leg.from))
        };
    }
    if !matches!(leg.from.abs_diff(leg.to), (0, 2) | (2, 0) | (2, 2)) {
        return Err(format!("{} is not two squares from {} in a straight line", leg.to, leg.from));
    }
    let over = leg.from.jumped_over(leg.to);
    if over == start {
        return Err(format!("the piece cannot jump over {}, its own starting square", over));
    }
    if !occupied(over) {
        return Err(format!("there is no piece on {} to jump over", over));
    }
    Ok(())
}

/// Explains why a move whose legs are correct is not allowed.
fn why_forbidden(position: &Position, mv: Move) -> String {
    let side = position.side_to_move();
    let target = Position::target(side);
    let camp = CAMPS[side.index()];
    if target.contains(mv.from) && !target.contains(mv.to) {
        return format!("the piece on {} may not leave the opposing camp", mv.from);
    }
    if position.rules(side) == Rules::Addendum && !camp.contains(mv.from) && camp.contains(mv.to) {
        return format!(
            "no move may start outside the own camp and end inside it, on {} (addendum, rule 1)",
            mv.to
        );
    }
    let mut leaving = false;
    position.each_piece(|_, destinations| leaving |= !destinations.minus(camp).is_empty());
    if leaving {
        "a piece in the own camp can be played out of it, and must be (addendum, rule 2)"
            .to_string()
    } else {
        "a piece in the own camp can be played further from its corner, and must be (addendum, rule 2)".to_string()
    }
}
