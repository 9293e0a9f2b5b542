//! Property tests of the monitor protocol's lines, with random input.

use engine::Game;
use foxgame::Position;
use foxgame::monitor::wire::{FromAgent, FromMonitor, read_move};
use proptest::prelude::*;

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
            prop_assert_eq!(FromAgent::read(&parsed.line()), Some(parsed));
        }
        if let Some(parsed) = FromMonitor::read(&line) {
            prop_assert_eq!(FromMonitor::read(&parsed.line()), Some(parsed));
        }
        match read_move(&line) {
            Ok(stops) => prop_assert_eq!(read_move(&FromAgent::Move(stops.clone()).line()), Ok(stops)),
            Err(why) => {
                let reason = Position::initial().unreadable(&line, &why);
                prop_assert!(!why.is_empty() && !reason.contains(char::is_control), "{}", reason);
            }
        }
    }

    #[test]
    fn stops_are_a_legal_move_or_refused_with_a_reason(lines in proptest::collection::vec("move( [1-7],[1-7]){2,4}", 1..12)) {
        let mut position = Position::initial();
        for stops in lines.iter().filter_map(|line| read_move(line).ok()) {
            match position.play_over(&stops) {
                Ok(mv) => {
                    prop_assert!(position.is_legal(mv));
                    position.play(mv);
                }
                Err(reason) => prop_assert!(!reason.is_empty() && !reason.contains('\n')),
            }
        }
    }
}
