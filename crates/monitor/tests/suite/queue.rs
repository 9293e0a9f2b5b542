//! Tests of the queue for the games of `judge monitor`: who gets which role, who gets a place, and
//! what the others are told.

use crate::monitor::{Agent, LONG, Monitor, SLICE};
use std::io::Write;
use std::net::TcpStream;
use testing::server::one_crowd_at_a_time;

/// A number of connections larger than may be open without having sent `hello`.
const CROWD: usize = 150;

/// FOX ends its game at once.
fn give_up(game: [Agent; 2]) {
    let [mut fox, mut sheep] = game;
    fox.say("move\n");
    assert!(sheep.hears_the_winner().starts_with("winner SHEEP"));
}

#[test]
fn whoever_leaves_the_line_is_forgotten() {
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "2"]);
    let game = monitor.game(SLICE);
    for _ in 0..2 {
        let gone = monitor.agent_that_says("hello FOX\nname gone\nready\n");
        monitor.tells("waits: both roles are taken", 1);
        drop(gone);
        monitor.tells("gone closed the connection", 1);
    }
    let mut fox = monitor.agent_that_says("hello FOX\nready\n");
    let mut sheep = monitor.agent_that_says("hello SHEEP\nready\n");
    monitor.tells("waits: both roles are taken", 2);
    give_up(game);
    fox.hears(&["hello FOX\n"]);
    fox.hears_the_beginning(SLICE);
    sheep.hears(&["hello SHEEP\n"]);
}

#[test]
fn an_agent_in_the_middle_of_a_crowd_is_not_taken_for_a_silent_one() {
    let _crowd = one_crowd_at_a_time();
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let _before = monitor.crowd(CROWD);
    let mut agent = monitor.agent_that_says("hello SHEEP\nready\n");
    let _after = monitor.crowd(CROWD);
    agent.hears(&["hello SHEEP\n"]);
}

/// One of those who want a role and do not become ready.
fn takes_a_role(address: &str, number: usize) -> Agent {
    let mut agent = Agent::on(TcpStream::connect(address).unwrap());
    // It may have been sent away already.
    let hello = ["hello FOX\n", "hello SHEEP\n", "hello\n"][number % 3];
    let _ = agent.stream.write_all(hello.as_bytes());
    agent
}

#[test]
fn clients_that_take_roles_and_never_become_ready_keep_nobody_from_playing() {
    let _crowd = one_crowd_at_a_time();
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "3"]);
    let address = &*monitor.address;
    let staying: Vec<Agent> = (0..60).map(|number| takes_a_role(address, number)).collect();
    // The others are still there when a game is over.
    for _ in 0..2 {
        let mut pair = monitor.seated_pair();
        pair.iter_mut().for_each(|agent| agent.hears_the_beginning(SLICE));
        give_up(pair);
    }
    // Agents that were sent away were told the reason.
    let sent_away = staying.into_iter().any(|mut agent| {
        let lines: Vec<String> = std::iter::repeat_with(|| agent.hear()).take(2).collect();
        lines.contains(&"refused: others have come, and you are not ready\n".to_string())
    });
    assert!(sent_away);
}

#[test]
fn whoever_talks_too_much_before_the_game_is_sent_away() {
    let monitor = Monitor::start(&["--timeslice", LONG]);
    let mut agent = monitor.agent_that_says("hello FOX\n");
    agent.hears(&["hello FOX\n"]);
    agent.say(&"chatter\n".repeat(400));
    agent.hears(&["refused: expected ready within 256 lines\n", ""]);
    // The role is free again, also for those who ask for it at once; one that is ready may not
    // flood either.
    monitor.tells("refused: ", 1);
    let mut ready = monitor.agent_that_says("hello FOX\nready\n");
    ready.hears(&["hello FOX\n"]);
    let _ = ready.stream.write_all("ready\n".repeat(100_000).as_bytes());
    monitor.tells("FOX disconnected before the game began", 1);
    monitor.game(SLICE);
}
