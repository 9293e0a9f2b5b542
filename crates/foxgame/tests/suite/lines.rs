//! Property tests of the monitor protocol's lines, with random input.

use engine::{Game, OneRuleSet, Protocol};
use foxgame::Position;
use foxgame::monitor::wire::{FromAgent, FromMonitor, LONGEST_LINE, Lines, read_move};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Random lines: words of the protocol and others, numbers, and points on and off the board.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "(hello|name|ready|move|done|timeslice|begin|winner)( (FOX|sheep|NONE|reason:|[0-9]{1,3}|[0-9],[0-9],?)){0,8}\r?",
        "move( [1-7],[1-7],?){0,6}",
        ".{0,80}",
    ]
}

proptest! {
    #[test]
    fn what_a_line_says_is_said_again_when_it_is_written(line in line()) {
        if let Some(parsed) = FromAgent::read(&line) {
            let again = parsed.line();
            prop_assert!(again.ends_with('\n'));
            prop_assert_eq!(FromAgent::read(&again), Some(parsed));
        }
        if let Some(parsed) = FromMonitor::read(&line) {
            let again = parsed.line();
            prop_assert_eq!(FromMonitor::read(&again), Some(parsed));
        }
    }

    #[test]
    fn an_agent_s_line_in_its_turn_names_stops_or_is_refused_with_a_reason_on_one_line(line in line()) {
        match read_move(&line) {
            Ok(stops) => prop_assert_eq!(read_move(&FromAgent::Move(stops.clone()).line()), Ok(stops)),
            Err(why) => {
                let reason = Position::start(OneRuleSet).unreadable(&line, &why);
                prop_assert!(!why.is_empty() && !reason.contains(char::is_control), "{}", reason);
            }
        }
    }

    #[test]
    fn stops_are_a_legal_move_or_refused_with_a_reason(lines in proptest::collection::vec("move( [1-7],[1-7]){2,4}", 1..12)) {
        let mut position = Position::start(OneRuleSet);
        for line in lines {
            let Some(FromMonitor::Move(stops)) = FromMonitor::read(&line) else { continue };
            match position.play_over(&stops) {
                Ok(mv) => {
                    prop_assert!(position.is_legal(mv));
                    position.play(mv);
                    if position.outcome().is_some() {
                        break;
                    }
                }
                Err(reason) => prop_assert!(!reason.is_empty() && !reason.contains('\n')),
            }
        }
    }

    #[test]
    fn any_bytes_are_lines_of_bounded_length(
        bytes in proptest::collection::vec(prop_oneof![3 => any::<u8>(), 1 => Just(b'\n')], 0..4_000),
        piece in 1_usize..100,
    ) {
        let mut lines = Lines::default();
        let mut count = 0;
        for piece in bytes.chunks(piece) {
            let _ = lines.push(piece, |line| {
                // A byte that is not UTF-8 is replaced by a character of three bytes.
                assert!(!line.contains('\n') && line.len() <= 3 * LONGEST_LINE);
                count += 1;
                ControlFlow::Continue(())
            });
        }
        prop_assert_eq!(count, bytes.iter().filter(|&&byte| byte == b'\n').count());
    }
}
