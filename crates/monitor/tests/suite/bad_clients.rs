//! Tests of the monitor with clients that are slow, silent, endless, many, or gone too early.

use crate::monitor::{Agent, Monitor, program};
use std::io::Write;
use std::process::Command;
use std::thread;
use std::time::Duration;
use testing::server::{Server, one_crowd_at_a_time};
use testing::wait;

/// CPU time of a server so far, in hundredths of a second.
fn cpu_ticks(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn start(games: &str) -> Monitor {
    Monitor::start(&["--timeslice", "60000", "--games", games])
}

/// A game in which FOX makes a move and SHEEP hangs up: the monitor works.
#[track_caller]
fn plays_a_game(monitor: &Monitor) {
    play(playing(monitor));
}

/// FOX and SHEEP, whose game has begun.
#[track_caller]
fn playing(monitor: &Monitor) -> [Agent; 2] {
    let mut pair = monitor.seated_pair();
    pair.iter_mut().for_each(|agent| agent.hears_the_beginning(60_000));
    pair
}

/// The same game, after its beginning.
#[track_caller]
fn play([mut fox, mut sheep]: [Agent; 2]) {
    fox.say("move 3,1 4,2\ndone\n");
    sheep.hears(&["timeslice 60000\n", "move 3,1 4,2\n", "done\n"]);
    drop(sheep);
    fox.hears(&[
        "timeslice 60000\n",
        "winner FOX reason: SHEEP (ply 2): the connection was lost\n",
    ]);
}

#[test]
fn a_crowd_before_the_monitor_s_door_keeps_nobody_out_for_long() {
    let _crowd = one_crowd_at_a_time();
    let mut server = start("2");
    let crowd = server.crowd(2_000);
    assert!(crowd.len() > 200, "only {} connections", crowd.len());
    // The oldest silent connections are closed for new ones, with a message.
    let mut crowd = crowd.into_iter();
    for silent in crowd.by_ref().take(50) {
        Agent::on(silent).hears(&["refused: others have come, and you have not said hello\n", ""]);
    }
    plays_a_game(&server);
    let threads = server.figure("Threads");
    assert!(threads < 20, "{threads} threads");
    server.server.stays_small();
}

#[test]
#[ignore = "long"]
fn endless_lines_and_floods_cost_the_monitor_no_memory() {
    let mut server = start("9");
    // The game has begun before: one that says "ready" may take a role, and FOX's time slice is
    // long.
    let playing = playing(&server);
    let flooding: Vec<_> =
        [vec![b'x'; 1 << 16], b"ready\n".repeat(10_000), b"\n\xff\0move 1,1\n".repeat(6_000)]
            .into_iter()
            .map(|block| {
                let mut stream = server.connect();
                // The monitor takes floods in slowly, and turns away who does not say hello within
                // ten seconds. Where other programs keep it waiting for a processor, it reads
                // nothing for a while.
                stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
                thread::spawn(move || {
                    (0..400).take_while(|_| stream.write_all(&block).is_ok()).count()
                })
            })
            .collect();
    play(playing);
    let sent: Vec<usize> = flooding.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(sent[0] > 100, "lines without end are read, and not kept: {sent:?}");
    plays_a_game(&server);
    server.server.stays_small();
}

#[test]
fn whoever_leaves_the_monitor_at_any_step_leaves_it_working() {
    let mut server = start("99");
    // Before the game: the place is free again for another.
    for words in [
        "",
        "hel",
        "hello FOX",
        "hello FOX\n",
        "hello FOX\nname x\n",
        "hello FOX\nready",
        "hello FOX\nready\n",
    ] {
        // It takes a moment until the last one's leaving is noticed.
        wait(&format!("the role before {words:?}"), || {
            let mut agent = server.agent_that_says(words);
            !words.contains('\n') || agent.hear() == "hello FOX\n"
        });
        drop(server.seated("FOX"));
    }
    // During the game: the other has won, whatever was said last and whether or not the answer was
    // read.
    for words in ["", "mo", "move 3,1 4,2", "move 3,1 4,2\n", "move 3,1 4,2\ndone"] {
        for read in [true, false] {
            let [mut fox, mut sheep] = server.seated_pair();
            if read {
                fox.hears_the_beginning(60_000);
            }
            sheep.hears_the_beginning(60_000);
            fox.say(words);
            drop(fox);
            assert_eq!(
                sheep.hears_the_winner(),
                "winner SHEEP reason: FOX (ply 1): the connection was lost\n",
                "{words:?}"
            );
        }
    }
    drop(server.seated_pair());
    server.server.stays_small();
}

#[test]
#[ignore = "long"]
fn slow_and_silent_agents_are_waited_for_and_then_turned_away() {
    let server = start("1");
    let mut silent = server.agent();
    let mut unready = server.agent_that_says("hello FOX\n");
    unready.hears(&["hello FOX\n"]);
    let mut slow = server.agent();
    for symbol in "hello SHEEP\r\n".chars() {
        slow.say(&symbol.to_string());
        thread::sleep(Duration::from_millis(5));
    }
    slow.hears(&["hello SHEEP\n"]);
    slow.say("ready\n");
    silent.hears(&[""]);
    unready.hears(&[""]);
    let _fox = server.seated("FOX");
    slow.hears_the_beginning(60_000);
}

#[test]
fn a_monitor_without_free_handles_waits_for_some_and_does_not_spin() {
    let _crowd = one_crowd_at_a_time();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", &program()]);
    let server = Server::start(command.args(["--timeslice", "60000", "--games", "2"]));
    let mut server = Monitor { server, page: None };
    let crowd = server.crowd(200);
    let before = cpu_ticks(&server);
    thread::sleep(Duration::from_millis(600));
    let spent = cpu_ticks(&server) - before;
    assert!(spent < 20, "{spent} hundredths of a second of CPU in six tenths of waiting");
    drop(crowd);
    thread::sleep(Duration::from_millis(200));
    plays_a_game(&server);
    server.server.stays_small();
}
