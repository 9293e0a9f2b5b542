//! When the monitor tells the end of a game. The words that it ends games with stand in
//! `conversations/` (conversations.rs).

use crate::monitor::{Agent, LONG, Monitor, SLICE};

#[test]
fn both_agents_are_told_at_once_who_has_won() {
    let games = 5;
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", &games.to_string()]);
    let at_once = |_: &usize| {
        let [mut fox, mut sheep] = monitor.game(SLICE);
        fox.say("move 4,4 4,3\ndone\n");
        sheep.hears_the_winner();
        // The monitor waits a second for FOX to hang up. If SHEEP was told before that, what FOX
        // says is still taken.
        let says = |fox: &mut Agent| {
            std::thread::sleep(std::time::Duration::from_millis(20));
            std::io::Write::write_all(&mut fox.stream, b"oh\n").is_ok()
        };
        says(&mut fox) && says(&mut fox) && says(&mut fox)
    };
    // Once is enough: the machine may stand still for a second.
    assert!((0..games).filter(at_once).count() > 0, "SHEEP is told only after FOX was seen off");
}
