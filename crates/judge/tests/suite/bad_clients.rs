//! Tests of `judge monitor` and `judge puzzle` with clients that are slow, silent, endless, many, or gone too early.
//! The servers must go on, serve others, and use little memory.

use crate::common::monitor::PATIENCE;
use crate::common::{judge, one_crowd_at_a_time};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server of the judge's. Dropping it ends it.
struct Server {
    child: Child,
    port: u16,
}

impl Server {
    /// Starts `judge KIND --port 0` with these arguments; the first line that it says names its port.
    fn start(kind: &str, arguments: &[&str]) -> Server {
        Server::listening(judge(Path::new(".")).args([kind, "--port", "0"]).args(arguments))
    }

    fn listening(command: &mut Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (said, told) = std::sync::mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let said = said.clone();
            // Everything is read, so that no pipe fills up.
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let after = line.split("127.0.0.1:").nth(1).filter(|_| line.starts_with("listening on "));
                    if let Some(after) = after {
                        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
                        let _ = said.send(digits.parse().unwrap());
                    }
                }
            });
        }
        let port = told.recv_timeout(PATIENCE).expect("it says where it listens, on loopback");
        Server { child, port }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A figure of the process, sizes in kB, by its name in `/proc/PID/status`.
    fn figure(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// CPU time so far, in hundredths of a second.
    fn cpu_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    #[track_caller]
    fn stays_small(&mut self) {
        assert!(self.child.try_wait().unwrap().is_none(), "it has ended");
        let peak = self.figure("VmHWM");
        assert!(peak < 64 << 10, "{peak} kB");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
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

/// A crowd of `most` connections, but at most a quarter of the handles that this process may have: other tests run beside.
fn crowd(server: &Server, most: usize) -> Vec<TcpStream> {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let handles = limits.lines().find_map(|line| line.strip_prefix("Max open files")).unwrap();
    let handles: usize = handles.split_whitespace().next().unwrap().parse().unwrap_or(usize::MAX);
    let address = ("127.0.0.1", server.port);
    (0..most.min(handles / 4)).map_while(|_| TcpStream::connect(address).ok()).collect()
}

/// A FOX or SHEEP that is ready to play. The role, or the room before the door, may be taken for a moment by those who
/// have just left.
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
    assert_eq!([(); 3].map(|()| hears(&mut sheep)).concat(), "timeslice 60000\nmove 3,1 4,2\ndone\n");
    drop(sheep);
    assert_eq!(hears(&mut fox), "timeslice 60000\n");
    assert_eq!(hears(&mut fox), "winner FOX reason: SHEEP (ply 2): the connection was lost\n");
}

const SLOW: [&str; 2] = ["--timeslice", "60000"];

#[test]
fn a_crowd_before_the_monitor_s_door_keeps_nobody_out_for_long() {
    let _crowd = one_crowd_at_a_time();
    let mut server = Server::start("monitor", &[&SLOW[..], &["--games", "2"]].concat());
    let mut crowd = crowd(&server, 2_000);
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
fn endless_lines_and_floods_cost_the_monitor_no_memory() {
    let mut server = Server::start("monitor", &[&SLOW[..], &["--games", "9"]].concat());
    // The game has begun before: one that says "ready" may take a role, and FOX's time slice is long.
    let playing = playing(&server);
    let flooding: Vec<_> = [vec![b'x'; 1 << 16], b"ready\n".repeat(10_000), b"\n\xff\0move 1,1\n".repeat(6_000)]
        .into_iter()
        .map(|block| {
            let mut stream = server.connect();
            // The monitor takes floods in slowly, and turns away who does not say hello within ten seconds. Where other
            // programs keep it waiting for a processor, it reads nothing for a while.
            stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
            thread::spawn(move || (0..400).take_while(|_| stream.write_all(&block).is_ok()).count())
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
    let mut server = Server::start("monitor", &[&SLOW[..], &["--games", "99"]].concat());
    // Before the game: the place is free again for another.
    for words in
        ["", "hel", "hello FOX", "hello FOX\n", "hello FOX\nname x\n", "hello FOX\nready", "hello FOX\nready\n"]
    {
        let start = Instant::now();
        loop {
            let mut agent = server.connect();
            says(&mut agent, words);
            // It takes a moment until the last one's leaving is noticed.
            if !words.contains('\n') || hears(&mut agent) == "hello FOX\n" {
                break;
            }
            assert!(start.elapsed() < PATIENCE, "the role was not given back before {words:?}");
            thread::sleep(Duration::from_millis(5));
        }
        drop(seated(&server, "FOX"));
    }
    // During the game: the other has won, whatever was said last and whether or not the answer was read.
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
            assert_eq!(told.unwrap(), "winner SHEEP reason: FOX (ply 1): the connection was lost\n", "{words:?}");
        }
    }
    let pair = ["FOX", "SHEEP"].map(|role| seated(&server, role));
    drop(pair);
    server.stays_small();
}

#[test]
fn slow_and_silent_agents_are_waited_for_and_then_turned_away() {
    let server = Server::start("monitor", &[&SLOW[..], &["--games", "1"]].concat());
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
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_judge"), "monitor", "--port", "0"]);
    let mut server = Server::listening(command.args(SLOW).args(["--games", "2"]));
    let crowd = crowd(&server, 200);
    let before = server.cpu_ticks();
    thread::sleep(Duration::from_millis(600));
    let spent = server.cpu_ticks() - before;
    assert!(spent < 20, "{spent} hundredths of a second of CPU within six tenths of a second of waiting");
    drop(crowd);
    thread::sleep(Duration::from_millis(200));
    plays_a_game(&server);
    server.stays_small();
}

/// Asks the puzzle server for a first move; the status.
fn asks(server: &Server) -> u16 {
    let body = "token: menagerie\nstart: 1\ngeese: du\n";
    let request = format!("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let mut stream = server.connect();
    let _ = stream.write_all(request.as_bytes());
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text.split(' ').nth(1).map_or(0, |status| status.parse().unwrap())
}

#[track_caller]
fn answers_soon(server: &Server) {
    let start = Instant::now();
    while asks(server) != 200 {
        assert!(start.elapsed() < PATIENCE, "it does not answer any more");
        thread::sleep(Duration::from_millis(20));
    }
}

const PUZZLE: [&str; 6] = ["--foxes", "random", "--timeout", "1", "--token", "menagerie"];

#[test]
fn a_crowd_before_the_puzzle_server_is_turned_away_with_a_word_and_forgotten() {
    let _crowd = one_crowd_at_a_time();
    let mut server = Server::start("puzzle", &PUZZLE);
    let mut crowd = crowd(&server, 2_000);
    assert!(crowd.len() > 100, "only {} connections", crowd.len());
    answers_soon(&server);
    let last = crowd.len() - 1;
    for one in [0, last / 2, last] {
        crowd[one].set_read_timeout(Some(PATIENCE)).unwrap();
        let mut text = String::new();
        crowd[one].read_to_string(&mut text).expect("it is hung up on");
        assert!(text.starts_with("HTTP/1.1 503 ") || text.starts_with("HTTP/1.1 408 "), "{one}: {text:?}");
        assert!(text.contains("\r\n\r\nerror: the "), "{one}: {text}");
    }
    server.stays_small();
}

#[test]
fn a_puzzle_server_without_free_handles_sends_silent_connections_away() {
    let _crowd = one_crowd_at_a_time();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 24; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_judge"), "puzzle", "--port", "0"]);
    let server = Server::listening(command.args(["--foxes", "random", "--timeout", "600", "--token", "menagerie"]));
    let _crowd = crowd(&server, 100);
    answers_soon(&server);
}

#[test]
fn slow_and_endless_requests_are_given_up_and_the_others_served() {
    let mut server = Server::start("puzzle", &PUZZLE);
    let head = "POST / HTTP/1.1\r\nHost: localhost\r\n";
    let slow = |start: &'static str, block: &'static [u8]| {
        let mut stream = server.connect();
        thread::spawn(move || {
            let _ = stream.write_all(start.as_bytes());
            let begun = Instant::now();
            while begun.elapsed() < PATIENCE {
                if stream.write_all(block).is_err() {
                    return true;
                }
                thread::sleep(Duration::from_millis(10));
            }
            false
        })
    };
    static BLOCK: [u8; 1 << 16] = [b'x'; 1 << 16];
    let slow = [
        slow("", b"P"),
        slow("POST / HTTP/1.1\r\n", b"a"),
        slow("POST / HTTP/1.1\r\n", b"a: b\r\n"),
        slow("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n", b"a"),
        slow("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        slow("POST / HTTP/1.1\r\na: ", &BLOCK),
        slow("POST /", &BLOCK),
        slow("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n", &BLOCK),
    ];
    answers_soon(&server);
    assert_eq!(slow.map(|thread| thread.join().unwrap()), [true; 8], "every one of them is given up");
    for part in [
        "",
        "POS",
        head,
        &format!("{head}Content-Length: 40\r\n\r\n"),
        &format!("{head}Content-Length: 40\r\n\r\ntoken: m"),
    ] {
        drop(server.connect().write_all(part.as_bytes()));
        answers_soon(&server);
    }
    // Nobody stays for the answer.
    let body = "token: menagerie\nstart: 1\ngeese: du\n";
    for _ in 0..50 {
        let _ = server.connect().write_all(format!("{head}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }
    answers_soon(&server);
    server.stays_small();
}
