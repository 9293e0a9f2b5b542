//! Tests of output files: writing moves, reading them back, and the reasons given for refused
//! texts.

use engine::protocol::quote;
use engine::{Game, Protocol};
use halma::board::{Square, Squares, WHITE};
use halma::{Move, Position, Rules};

fn set(squares: &[(usize, usize)]) -> Squares {
    squares.iter().map(|&(x, y)| Square::at(x, y)).collect()
}

fn move_of(from: (usize, usize), to: (usize, usize)) -> Move {
    Move { from: Square::at(from.0, from.1), to: Square::at(to.0, to.1) }
}

fn refusal(position: &Position, text: &str) -> String {
    position.read_move(text).expect_err(text).to_string()
}

/// Returns a position with four white pieces in the middle that can jump over each other, and Black
/// far away.
fn jump_position(rules: Rules) -> Position {
    let white = set(&[(8, 8), (9, 8), (11, 8), (12, 9)]);
    Position::new([set(&[(1, 14), (0, 15)]), white], WHITE, rules)
}

#[test]
fn a_step_is_written_as_e_and_a_chain_as_one_j_a_jump() {
    let position = jump_position(Rules::Base);
    assert_eq!(position.write_move(move_of((8, 8), (7, 7))), "E 8,8 7,7\n");
    assert_eq!(position.write_move(move_of((8, 8), (12, 8))), "J 8,8 10,8\nJ 10,8 12,8\n");
    assert_eq!(
        position.write_move(move_of((8, 8), (12, 10))),
        "J 8,8 10,8\nJ 10,8 12,8\nJ 12,8 12,10\n"
    );
    assert_eq!(position.describe_move(move_of((8, 8), (12, 8))), "8,8-10,8-12,8");
}

#[test]
fn a_longer_chain_than_needed_is_still_read() {
    let position = jump_position(Rules::Base);
    // The chain goes out, back, and out again over the same piece.
    let text = "J 8,8 10,8\nJ 10,8 8,8\nJ 8,8 10,8\n";
    assert_eq!(position.read_move(text), Ok(move_of((8, 8), (10, 8))));
    assert_eq!(position.read_move("J  8,8   10,8 \r\n\r\n"), Ok(move_of((8, 8), (10, 8))));
}

#[test]
fn refusals_name_the_line_and_the_reason() {
    let position = jump_position(Rules::Base);
    let cases = [
        ("", "line 1: expected a move such as"),
        ("E 8,8 7,7 6,6", "line 1: expected 'E X,Y X,Y'"),
        ("e 8,8 7,7", "line 1: expected 'E X,Y X,Y'"),
        ("E 8,8 16,7", "line 1: expected a square X,Y with both from 0 to 15, found '16,7'"),
        ("E 8,8 7,7\nE 7,7 6,6", "line 2: a step stands alone"),
        (
            "J 8,8 10,8\nJ 8,8 10,8",
            "line 2: the jump starts on 8,8, but the last one ended on 10,8",
        ),
        ("E 0,15 1,15", "illegal move: the piece on 0,15 belongs to BLACK, and it is WHITE's turn"),
        ("E 5,5 6,6", "illegal move: WHITE has no piece on 5,5"),
        ("E 8,8 9,8", "illegal move: 9,8 is occupied"),
        ("E 8,8 6,6", "illegal move: 6,6 is not next to 8,8"),
        ("J 8,8 6,6", "illegal move: there is no piece on 7,7 to jump over"),
        ("J 8,8 11,7", "illegal move: 11,7 is not two squares from 8,8 in a straight line"),
        ("J 8,8 10,8\nJ 10,8 8,8", "illegal move: the chain ends on 8,8, where it began"),
        ("J 8,8 10,8\nJ 10,8 10,6", "illegal move: line 2: there is no piece on 10,7 to jump over"),
    ];
    for (text, expected) in cases {
        let message = refusal(&position, text);
        assert!(message.starts_with(expected), "{}: {message}", quote(text));
    }
}

#[test]
fn a_piece_in_the_opposing_camp_stays_there() {
    let position = Position::new([set(&[(15, 15)]), set(&[(4, 1), (9, 9)])], WHITE, Rules::Base);
    assert!(refusal(&position, "E 4,1 5,1").contains("may not leave the opposing camp"));
    assert!(position.read_move("E 4,1 3,1").is_ok());
}

#[test]
fn the_addendum_is_refused_by_its_rules() {
    // White's own camp is at the bottom right.
    let outside = Position::new([set(&[(0, 0)]), set(&[(11, 11)])], WHITE, Rules::Addendum);
    let message = refusal(
        &Position::new([set(&[(0, 0)]), set(&[(12, 12)])], WHITE, Rules::Addendum),
        "E 12,12 12,13",
    );
    assert!(message.contains("addendum, rule 1"), "{message}");
    assert!(outside.read_move("E 11,11 10,10").is_ok());

    let both = Position::new([set(&[(0, 0)]), set(&[(8, 8), (14, 11)])], WHITE, Rules::Addendum);
    assert!(refusal(&both, "E 8,8 7,7").contains("out of it, and must be (addendum, rule 2)"));
    assert!(both.read_move("E 14,11 13,10").is_ok());

    let deep = Position::new([set(&[(0, 0)]), set(&[(8, 8), (15, 15)])], WHITE, Rules::Addendum);
    assert!(
        refusal(&deep, "E 8,8 7,7")
            .contains("further from its corner, and must be (addendum, rule 2)")
    );
    assert!(deep.read_move("E 15,15 15,14").is_ok());
    assert!(
        Position::new([set(&[(0, 0)]), set(&[(8, 8), (15, 15)])], WHITE, Rules::Base)
            .read_move("E 8,8 7,7")
            .is_ok()
    );
}

#[test]
fn a_chain_through_the_opposing_camp_is_written_only_when_nothing_else_leads_there() {
    // White jumps from 6,0 into Black's camp at 4,0 and out again to 6,2; the other path goes over
    // 6,1.
    let through = [(6, 0), (5, 0), (5, 1)];
    let other_way = [(6, 0), (5, 0), (5, 1), (6, 1)];
    let position = |white: &[(usize, usize)]| {
        Position::new([set(&[(15, 15)]), set(white)], WHITE, Rules::Base)
    };
    let there = move_of((6, 0), (6, 2));
    assert_eq!(position(&through).write_move(there), "J 6,0 4,0\nJ 4,0 6,2\n");
    assert!(position(&through).is_disputed(there));
    assert!(position(&through).read_move("J 6,0 4,0\nJ 4,0 6,2\n").is_ok(), "the judge accepts it");
    assert_eq!(position(&other_way).write_move(there), "J 6,0 6,2\n");
    assert!(!position(&other_way).is_disputed(there));
    assert!(!engine::think::moves_for_every_grader(&position(&through)).contains(&there));
}

#[test]
fn only_the_side_that_has_just_played_can_have_won() {
    let camp = Position::target(WHITE);
    let mut white = camp;
    white.toggle(Square::at(0, 0));
    white.insert(Square::at(8, 8));
    // Black itself stands in the last hole: White's target is full, but White has still to move.
    let gift = Position::new([set(&[(0, 0), (15, 15)]), white], WHITE, Rules::Base);
    assert_eq!(gift.outcome(), None);
    assert!(!gift.legal_moves().is_empty());
}

#[test]
fn any_text_is_refused_or_read_as_a_position_that_keeps_its_promises() {
    engine::conformance::any_texts::<Position>(300);
}
