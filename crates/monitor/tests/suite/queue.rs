//! Tests of the queue for the games of `judge monitor`: who gets which role, who gets a place, and
//! what the others are told.

use crate::monitor::{Agent, LONG, Monitor, SLICE};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testing::server::one_crowd_at_a_time;

/// A number of connections larger than may be open without having sent `hello`.
const CROWD: usize = 150;
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
        let mut halves: [Vec<Agent>; 2] = [Vec::new(), Vec::new()];
        for role in roles {
            let agent = monitor.agent_that_says(&format!("hello {role}\nname {role}\nready\n"));
            halves[usize::from(role == "SHEEP")].push(agent);
            monitor.tells("waits: both roles are taken", 1);
        }
        give_up(game);
        let [foxes, flocks] = halves;
        for (mut fox, mut flock) in foxes.into_iter().zip(flocks) {
            for (agent, role) in [(&mut fox, "FOX"), (&mut flock, "SHEEP")] {
                agent.hears(&[&format!("hello {role}\n")]);
                agent.hears_the_beginning(SLICE);
            }
            give_up([fox, flock]);
        }
        let report = monitor.server.report();
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
    monitor.tells("agent 7 closed the connection", 1);
    line.push(join(PLACES));
    give_up(game);
    line[0].hears(&["hello FOX\n"]);
    line[1].hears(&["hello SHEEP\n"]);
}

/// One of those who want a role and do not become ready.
fn takes_a_role(address: &str, number: usize) -> Agent {
    let mut agent = Agent::on(TcpStream::connect(address).unwrap());
    // It may have been sent away already.
    let hello = ["hello FOX\n", "hello SHEEP\n", "hello\n"][number % 3];
    let _ = agent.stream.write_all(hello.as_bytes());
    agent
}

/// Ends the threads that look at it, also when a test fails.
struct Stops<'a>(&'a AtomicBool);

impl Drop for Stops<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn clients_that_take_roles_and_never_become_ready_keep_nobody_from_playing() {
    let _crowd = one_crowd_at_a_time();
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "3"]);
    let address = &*monitor.address;
    // Some stay until they are sent away, some come back at once.
    let staying: Vec<Agent> = (0..60).map(|number| takes_a_role(address, number)).collect();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stops = Stops(&stop);
        for number in 0..20 {
            let stop = &stop;
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let stream = takes_a_role(address, number).stream;
                    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
                    let waits = |error: std::io::Error| error.kind() == ErrorKind::WouldBlock;
                    while !stop.load(Ordering::Relaxed)
                        && (&stream).read(&mut [0; 100]).map_or_else(waits, |count| count > 0)
                    {
                    }
                }
            });
        }
        // The others are still there when a game is over.
        for _ in 0..2 {
            let mut pair = monitor.seated_pair();
            pair.iter_mut().for_each(|agent| agent.hears_the_beginning(SLICE));
            give_up(pair);
        }
    });
    // Agents that were sent away were told the reason.
    let sent_away = staying.into_iter().any(|mut agent| {
        let lines: Vec<String> = std::iter::repeat_with(|| agent.hear()).take(2).collect();
        lines.contains(&"refused: others have come, and you are not ready\n".to_string())
    });
    assert!(sent_away);
}

#[test]
fn who_is_ready_plays_before_those_who_are_not_and_they_play_after_it() {
    let monitor = Monitor::start(&["--timeslice", LONG, "--games", "2"]);
    let joins = |more: &str| {
        ["FOX", "SHEEP"].map(|role| {
            let mut agent = monitor.agent_that_says(&format!("hello {role}\n{more}"));
            agent.hears(&[&format!("hello {role}\n")]);
            agent
        })
    };
    let mut slow = joins("");
    let mut pair = joins("ready\n");
    pair.iter_mut().for_each(|agent| agent.hears_the_beginning(SLICE));
    slow.iter_mut().for_each(|agent| agent.say("ready\n"));
    give_up(pair);
    slow.iter_mut().for_each(|agent| agent.hears_the_beginning(SLICE));
    give_up(slow);
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
