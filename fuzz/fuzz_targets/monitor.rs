//! The lines of FoxGame's monitor, from either end, as a stream of any bytes; and moves over their
//! stops.
#![no_main]

use engine::{Game, OneRuleSet, Protocol};
use foxgame::Position;
use foxgame::monitor::wire::{FromAgent, FromMonitor, LONGEST_LINE, Lines, read_move};
use std::ops::ControlFlow;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut position = Position::start(OneRuleSet);
    let mut lines = Vec::new();
    let mut reader = Lines::default();
    for piece in data.chunks(64) {
        let _ = reader.push(piece, |line| {
            lines.push(line);
            ControlFlow::Continue(())
        });
    }
    for line in lines {
        assert!(!line.contains('\n') && line.len() <= 3 * LONGEST_LINE);
        if let Some(heard) = FromAgent::read(&line) {
            assert_eq!(FromAgent::read(heard.line().trim_end_matches('\n')).as_ref(), Some(&heard));
        }
        match read_move(&line) {
            Ok(stops) => assert_eq!(read_move(&FromAgent::Move(stops.clone()).line()), Ok(stops)),
            Err(why) => assert!(!position.unreadable(&line, &why).contains(char::is_control)),
        }
        let Some(heard) = FromMonitor::read(&line) else { continue };
        let again = heard.line();
        assert_eq!(FromMonitor::read(&again).map(|heard| heard.line()), Some(again));
        if let FromMonitor::Move(stops) = heard
            && position.outcome().is_none()
        {
            match position.play_over(&stops) {
                Ok(mv) => {
                    assert!(position.is_legal(mv));
                    position.play(mv);
                }
                Err(reason) => assert!(!reason.is_empty() && !reason.contains('\n')),
            }
        }
    }
});
