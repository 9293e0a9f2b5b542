//! Tests of the monitor with clients that are slow, silent, endless, many, or gone too early. It
//! has to go on, serve others, and use little memory.

use crate::monitor::program;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};
use testing::server::{PATIENCE, Server, one_crowd_at_a_time};
use testing::wait;

/// Starts a monitor with these arguments.
fn start(arguments: &[&str]) -> Server {
    Server::start(Command::new(program()).args(arguments))
}

/// CPU time of a server so far, in hundredths of a second.
fn cpu_ticks(server: &Server) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.child.id())).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

fn says(stream: &mut TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).unwrap();
}

/// The next line; empty where the other end has hung up.
fn hears(stream: &mut TcpStream) -> String {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.last() != Some(&b'\n') {
        match stream.read(&mut byte) {
            Ok(1) => line.push(byte[0]),
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("{error} after {}", String::from_utf8_lossy(&line)),
        }
    }
    String::from_utf8(line).unwrap()
}

/// A FOX or SHEEP that is ready to play. The role, or the room before the door, may be taken for a
/// moment by those who have just left.
fn seated(server: &Server, role: &str) -> TcpStream {
    let start = Instant::now();
    loop {
        let mut agent = server.connect();
        if agent.write_all(format!("hello {role}\n").as_bytes()).is_ok()
            && hears(&mut agent) == format!("hello {role}\n")
        {
            says(&mut agent, "ready\n");
            return agent;
        }
        assert!(start.elapsed() < PATIENCE, "{role} is not to be had");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A game in which FOX makes a move and SHEEP hangs up: the monitor works.
#[track_caller]
fn plays_a_game(server: &Server) {
    play(playing(server));
}

/// FOX and SHEEP, whose game has begun.
#[track_caller]
fn playing(server: &Server) -> [TcpStream; 2] {
    let mut pair = ["FOX", "SHEEP"].map(|role| seated(server, role));
    for agent in &mut pair {
        assert_eq!(hears(agent) + &hears(agent), "timeslice 60000\nbegin\n");
    }
    pair
}

/// The same game, after its beginning.
#[track_caller]
fn play([mut fox, mut sheep]: [TcpStream; 2]) {
    says(&mut fox, "move 3,1 4,2\ndone\n");
    assert_eq!(
        [(); 3].map(|()| hears(&mut sheep)).concat(),
        "timeslice 60000\nmove 3,1 4,2\ndone\n"
    );
    drop(sheep);
    assert_eq!(hears(&mut fox), "timeslice 60000\n");
    assert_eq!(hears(&mut fox), "winner FOX reason: SHEEP (ply 2): the connection was lost\n");
}

const SLOW: [&str; 2] = ["--timeslice", "60000"];

#[test]
fn a_crowd_before_the_monitor_s_door_keeps_nobody_out_for_long() {
    let _crowd = one_crowd_at_a_time();
    let mut server = start(&[&SLOW[..], &["--games", "2"]].concat());
    let mut crowd = server.crowd(2_000);
    assert!(crowd.len() > 200, "only {} connections", crowd.len());
    // The oldest silent connections are closed for new ones, with a message.
    for silent in &mut crowd[..50] {
        silent.set_read_timeout(Some(PATIENCE)).unwrap();
        assert_eq!(hears(silent), "refused: others have come, and you have not said hello\n");
        assert_eq!(hears(silent), "");
    }
    plays_a_game(&server);
    let threads = server.figure("Threads");
    assert!(threads < 20, "{threads} threads");
    server.stays_small();
}

#[test]
#[ignore = "long"]
fn endless_lines_and_floods_cost_the_monitor_no_memory() {
    let mut server = start(&[&SLOW[..], &["--games", "9"]].concat());
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
    server.stays_small();
}

#[test]
fn whoever_leaves_the_monitor_at_any_step_leaves_it_working() {
    let mut server = start(&[&SLOW[..], &["--games", "99"]].concat());
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
            let mut agent = server.connect();
            says(&mut agent, words);
            !words.contains('\n') || hears(&mut agent) == "hello FOX\n"
        });
        drop(seated(&server, "FOX"));
    }
    // During the game: the other has won, whatever was said last and whether or not the answer was
    // read.
    for words in ["", "mo", "move 3,1 4,2", "move 3,1 4,2\n", "move 3,1 4,2\ndone"] {
        for read in [true, false] {
            let [mut fox, mut sheep] = ["FOX", "SHEEP"].map(|role| seated(&server, role));
            for agent in [&mut fox, &mut sheep].into_iter().skip(usize::from(!read)) {
                assert_eq!(hears(agent) + &hears(agent), "timeslice 60000\nbegin\n");
            }
            says(&mut fox, words);
            drop(fox);
            let told = std::iter::repeat_with(|| hears(&mut sheep))
                .find(|line| !line.starts_with("timeslice") && line != "begin\n");
            assert_eq!(
                told.unwrap(),
                "winner SHEEP reason: FOX (ply 1): the connection was lost\n",
                "{words:?}"
            );
        }
    }
    let pair = ["FOX", "SHEEP"].map(|role| seated(&server, role));
    drop(pair);
    server.stays_small();
}

#[test]
#[ignore = "long"]
fn slow_and_silent_agents_are_waited_for_and_then_turned_away() {
    let server = start(&[&SLOW[..], &["--games", "1"]].concat());
    let mut silent = server.connect();
    let mut unready = server.connect();
    says(&mut unready, "hello FOX\n");
    assert_eq!(hears(&mut unready), "hello FOX\n");
    let mut slow = server.connect();
    for byte in "hello SHEEP\r\n".bytes() {
        slow.write_all(&[byte]).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(hears(&mut slow), "hello SHEEP\n");
    says(&mut slow, "ready\n");
    assert_eq!(hears(&mut silent), "", "it is turned away");
    assert_eq!(hears(&mut unready), "", "it is turned away");
    let fox = seated(&server, "FOX");
    assert_eq!(hears(&mut slow) + &hears(&mut slow), "timeslice 60000\nbegin\n");
    drop(fox);
}

#[test]
fn a_monitor_without_free_handles_waits_for_some_and_does_not_spin() {
    let _crowd = one_crowd_at_a_time();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", &program()]);
    let mut server = Server::start(command.args(SLOW).args(["--games", "2"]));
    let crowd = server.crowd(200);
    let before = cpu_ticks(&server);
    thread::sleep(Duration::from_millis(600));
    let spent = cpu_ticks(&server) - before;
    assert!(
        spent < 20,
        "{spent} hundredths of a second of CPU within six tenths of a second of waiting"
    );
    drop(crowd);
    thread::sleep(Duration::from_millis(200));
    plays_a_game(&server);
    server.stays_small();
}
