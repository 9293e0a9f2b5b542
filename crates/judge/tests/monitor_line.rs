//! Who stands in line for the games of `judge monitor`: who gets which role, who gets a place, and what the others are
//! told. Real sockets against the real binary.

mod common;

use common::monitor::{Agent, Monitor};

/// A slice in milliseconds that no test waits for.
const LONG: &str = "600000";
const SLICE: u64 = 600_000;

/// A number of connections larger than may stand at the door and say nothing.
const CROWD: usize = 150;
/// The number of agents that may stand in line.
const PLACES: usize = 32;

/// FOX ends its game at once.
fn give_up(game: [Agent; 2]) {
    let [mut fox, mut sheep] = game;
    fox.say("move\n");
    assert!(sheep.hears_the_winner().starts_with("winner SHEEP"));
}

#[test]
fn roles_asked_for_are_given_though_all_who_want_the_other_came_first() {
    for first in ["FOX", "SHEEP"] {
        let monitor = Monitor::start(&["--timeslice", LONG, "--games", "4"]);
        let game = monitor.game(SLICE);
        let mut roles = [first; 6];
        roles[3..].fill(if first == "FOX" { "SHEEP" } else { "FOX" });
        // One after the other: those who want the same role stand together.
        let mut line = Vec::new();
        for role in roles {
            line.push((role, monitor.agent_that_says(&format!("hello {role}\nname {role}\nready\n"))));
            monitor.tells("waits: both roles are taken", 1);
        }
        give_up(game);
        // The first of either role meet, then the second; FOX ends each game.
        let mut halves: [Vec<Agent>; 2] = [Vec::new(), Vec::new()];
        line.into_iter().for_each(|(role, agent)| halves[usize::from(role == "SHEEP")].push(agent));
        let [foxes, flocks] = halves;
        for (mut fox, mut flock) in foxes.into_iter().zip(flocks) {
            for (agent, role) in [(&mut fox, "FOX"), (&mut flock, "SHEEP")] {
                agent.hears(&[&format!("hello {role}\n"), &format!("timeslice {SLICE}\n"), "begin\n"]);
            }
            give_up([fox, flock]);
        }
        let report = monitor.report();
        assert_eq!(report.matches(": FOX FOX, SHEEP SHEEP: ").count(), 3, "{report}");
    }
}

#[test]
fn whoever_leaves_the_line_is_forgotten() {
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "2"]);
    let game = monitor.game(SLICE);
    for _ in 0..2 {
        let gone = monitor.agent_that_says("hello FOX\nname gone\nready\n");
        monitor.tells("waits: both roles are taken", 1);
        drop(gone);
        monitor.tells("gone hung up", 1);
    }
    let mut fox = monitor.agent_that_says("hello FOX\nready\n");
    let mut sheep = monitor.agent_that_says("hello SHEEP\nready\n");
    monitor.tells("waits: both roles are taken", 2);
    give_up(game);
    fox.hears(&["hello FOX\n", &format!("timeslice {SLICE}\n"), "begin\n"]);
    sheep.hears(&["hello SHEEP\n"]);
}

#[test]
fn silent_clients_make_room_for_an_honest_agent_and_are_told_so() {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let mut crowd = monitor.crowd(CROWD);
    let game = monitor.game(SLICE);
    // Those who came last may still say hello.
    let mut last = Agent::on(crowd.pop().unwrap());
    last.say("hello FOX\nname late\n");
    monitor.tells("waits: both roles are taken", 1);
    // Those who came first have gone first, with a word.
    for silent in crowd.into_iter().take(10) {
        Agent::on(silent).hears(&["refused: others have come, and you have not said hello\n", ""]);
    }
    give_up(game);
}

#[test]
fn an_agent_in_the_middle_of_a_crowd_is_not_taken_for_a_silent_one() {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let _before = monitor.crowd(CROWD);
    let mut agent = monitor.agent_that_says("hello SHEEP\nready\n");
    let _after = monitor.crowd(CROWD);
    agent.hears(&["hello SHEEP\n"]);
}

#[test]
fn whoever_finds_the_line_full_is_told_so_and_a_place_that_is_left_is_given_again() {
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "2"]);
    let game = monitor.game(SLICE);
    let join = |number: usize| {
        let agent = monitor.agent_that_says(&format!("hello\nname agent {number}\nready\n"));
        monitor.tells("waits: both roles are taken", 1);
        agent
    };
    let mut line: Vec<Agent> = (0..PLACES).map(join).collect();
    let full = "refused: 32 agents stand in line already; come again later\n";
    for words in ["hello\n", "hello FOX\nname x\nready\n", "ready\n"] {
        monitor.agent_that_says(words).hears(&[full, ""]);
    }
    line.remove(7);
    monitor.tells("agent 7 hung up", 1);
    line.push(join(PLACES));
    give_up(game);
    line[0].hears(&["hello FOX\n"]);
    line[1].hears(&["hello SHEEP\n"]);
}

#[test]
fn whoever_talks_too_much_before_the_game_is_sent_away() {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let mut agent = monitor.agent_that_says("hello FOX\n");
    agent.hears(&["hello FOX\n"]);
    agent.say(&"chatter\n".repeat(400));
    agent.hears(&["refused: expected ready within 256 lines\n", ""]);
    // The role is free again, also for those who ask for it at once; one that is ready may not flood either.
    monitor.tells("turned away: ", 1);
    let mut ready = monitor.agent_that_says("hello FOX\nready\n");
    ready.hears(&["hello FOX\n"]);
    let _ = std::io::Write::write_all(&mut ready.stream, "ready\n".repeat(100_000).as_bytes());
    monitor.tells("FOX left before the game began", 1);
    monitor.game(SLICE);
}
