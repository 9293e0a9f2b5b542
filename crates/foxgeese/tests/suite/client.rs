//! Tests of the real client against scripted servers on real sockets.

use engine::conformance::Run;
use engine::{Game, Outcome, Protocol};
use foxgeese::Position;
use foxgeese::rules::GEESE;
use foxgeese::strategy::Strategy;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::thread::JoinHandle;
use std::time::Duration;

const TOKEN: &str = "se+cret/token";

/// The server's behaviour on one connection.
enum Step {
    /// Answers with these bytes, valid HTTP or not.
    Raw(Vec<u8>),
    CloseUnread,
    /// Sends nothing until the client gives up.
    Stall,
}

fn status(status: &str, body: &str) -> Step {
    let length = body.len();
    Step::Raw(format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes())
}

fn say(text: &str) -> Step {
    status("200 OK", text)
}

/// Reads a request; returns its head and body.
fn read_request(stream: &mut TcpStream) -> (String, String) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap() == 0 {
            return (head, String::new());
        }
    }
    let lower = head.to_ascii_lowercase();
    let length =
        lower.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

/// Starts a server that handles one connection per step, until a connection comes without a
/// request. Returns its address and its thread, which returns the requests that were read.
fn script(steps: Vec<Step>) -> (String, JoinHandle<Vec<(String, String)>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/play", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let mut requests = Vec::new();
        for step in steps {
            let (mut stream, _) = listener.accept().unwrap();
            if matches!(step, Step::CloseUnread) {
                continue;
            }
            let request = read_request(&mut stream);
            if request.0.is_empty() {
                break;
            }
            requests.push(request);
            match step {
                Step::Raw(bytes) => drop(stream.write_all(&bytes)),
                _ => drop(stream.read(&mut [0])),
            }
        }
        requests
    });
    (url, server)
}

/// Runs the client, which must not show the token.
fn client(url: &str, arguments: &[&str]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foxgeese"));
    command.args(["--server", url, "--token", TOKEN, "--think", "1"]).args(arguments);
    for proxy in ["http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"] {
        command.env_remove(proxy);
    }
    let output = command.output().unwrap();
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(!format!("{stdout}{stderr}").contains(TOKEN), "{stdout}{stderr}");
    Run { code: output.status.code(), stdout, stderr }
}

/// Runs the client against a script. Returns the requests, too.
fn run(steps: Vec<Step>, arguments: &[&str]) -> (Run, Vec<(String, String)>) {
    let (url, server) = script(steps);
    let run = client(&url, arguments);
    // If the client has given up, the server still waits for the remaining connections.
    let address = url.trim_start_matches("http://").trim_end_matches("/play");
    while !server.is_finished() {
        let _ = TcpStream::connect(address);
        std::thread::sleep(Duration::from_millis(2));
    }
    (run, server.join().unwrap())
}

/// Checks the exit code and standard output. Returns standard error.
#[track_caller]
fn expect(steps: Vec<Step>, code: i32, stdout: &str) -> String {
    let (run, _) = run(steps, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(code), stdout), "{}", run.stderr);
    run.stderr
}

/// Asserts exit code 3 and a message of one line that names the server and contains `part`.
#[track_caller]
fn assert_failed(step: Step, part: &str) {
    let stderr = expect(vec![step], 3, "");
    assert!(stderr.starts_with("http://127.0.0.1:") && stderr.contains(part), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

/// The answers of a game that the geese win by the rules, in which the foxes always play their
/// first legal move. `before` and `after` surround each answer but the last.
fn won_game(before: &str, after: &str, last: &str) -> Vec<Step> {
    let mut position = Position::initial();
    let mut steps = Vec::new();
    loop {
        position.play(Strategy::embedded().get(position.board()).unwrap().mv);
        if position.outcome() == Some(Outcome::Win(GEESE)) {
            steps.push(say(last));
            return steps;
        }
        let foxes = position.legal_moves()[0];
        let (made, letters) = (position.moves_made(), position.describe_move(foxes));
        steps.push(say(&format!("{before}moves: {made}\nfoxes: {letters}\n{after}")));
        position.play(foxes);
    }
}

#[test]
fn whatever_ends_a_game_won_by_the_rules_is_the_secret_and_is_printed_whole() {
    let long = format!("the word: {}", "s".repeat(5_000));
    for (last, secret) in [
        ("end: token: XYZ", "token: XYZ"),
        ("end: game is lost\nmessage: or is it\n", "game is lost"),
        (
            "moves: 99\nfoxes: none\r\nend: http://127.0.0.1/a b?c=d: e\r\n",
            "http://127.0.0.1/a b?c=d: e",
        ),
        ("status: ok\nEND :  \tpassword = x\ty  \n", "password = x\ty"),
        (&format!("end: {long}"), &long),
    ] {
        expect(won_game("", "", last), 0, &format!("{secret}\n"));
    }
    for last in ["moves: 1\n", "end:\n", "foxes: Xu\n", "well done\n"] {
        expect(won_game("", "", last), 3, "");
    }
}

#[test]
fn lines_that_are_not_understood_are_noted_and_the_game_goes_on() {
    let before = "\u{feff}status: ok\nhello there\n";
    let after = "field: ICAgIC0gLSAt\r\nCiAgICAtIC0gLQo=\r\nscore: 12:30\r\n";
    let steps = won_game(before, after, "\u{feff}end: sesame\nstatus: over\n");
    let exchanges = steps.len();
    let stderr = expect(steps, 0, "sesame\n");
    let notes = [
        "not understood in the answer, line 1: 'status: ok'",
        "not understood in the answer, line 2: 'hello there'",
        "not understood in the answer, line 7: 'score: 12:30'",
    ];
    assert!(stderr.lines().take(3).eq(notes), "{stderr}");
    assert_eq!(stderr.lines().count(), 3 * (exchanges - 1) + 1, "{stderr}");
    assert!(stderr.ends_with("not understood in the answer, line 2: 'status: over'\n"), "{stderr}");
}

#[test]
fn notes_are_escaped_short_and_few_and_hide_the_token() {
    let long = format!("x: \u{1b}[31m{}\n", "y".repeat(10_000));
    let noise = "one\n".repeat(1_000);
    let body = format!("you: {TOKEN}\n{long}moves: many\nmoves: 1\nmoves: 1\nend: sesame\n{noise}");
    let stderr = expect(vec![say(&body)], 0, "sesame\n");
    let notes: Vec<&str> = stderr.lines().collect();
    assert_eq!(notes[0], "not understood in the answer, line 1: 'you: (hidden)'");
    assert!(notes[1].contains("line 2: 'x: \\u{1b}[31my") && notes[1].ends_with("y...'"));
    assert!(
        notes[2].ends_with("line 3: 'moves: many'") && notes[3].ends_with("line 5: 'moves: 1'")
    );
    assert!(stderr.contains("more lines of the answer were not understood\n"), "{stderr}");
    assert!(notes.len() < 20 && notes.iter().all(|note| note.len() < 120), "{stderr}");
}

#[test]
fn an_end_that_is_a_phrase_is_a_loss_whatever_else_the_answer_says() {
    for (body, noted, lost) in [
        ("moves: 1\nend: game is lost\nmessage: too bad\n", false, "game is lost (too bad)"),
        ("moves: 1\nfoxes: none left\nend: game is lost", true, "game is lost"),
        ("moves: 7\nend: game is lost", true, "game is lost"),
        ("end: bye, se+cret/token", false, "bye, (hidden)"),
    ] {
        let stderr = expect(vec![say(body)], 1, "");
        assert_eq!(stderr.starts_with("not understood in the answer: "), noted, "{stderr}");
        assert!(stderr.ends_with(&format!("lost after 1 moves: {lost}\n")), "{stderr}");
    }
}

#[test]
fn the_secret_of_a_win_goes_to_standard_output_whatever_the_line_ends() {
    for answer in [
        "moves: 1\r\nend: sesame\r\n",
        "moves: 1\nend: sesame\n",
        "end:sesame",
        "Moves: 1\n\nEnd:  sesame \n",
    ] {
        assert_eq!(expect(vec![say(answer)], 0, "sesame\n"), "", "{answer}");
    }
}

#[test]
fn requests_have_the_token_the_move_and_at_first_a_start() {
    let (_, requests) = run(vec![say("foxes: Xu\n"), say("end: sesame")], &[]);
    let (head, body) = &requests[0];
    assert!(head.starts_with("POST /play HTTP/1.1") && head.contains("text/plain"), "{head}");
    let lines: Vec<&str> = body.lines().collect();
    assert_eq!(lines[..2], ["token: se+cret/token", "start: 1"]);
    assert!(lines[2].starts_with("geese: ") && lines.len() == 3, "{body}");
    assert!(!requests[1].1.contains("start"), "{requests:?}");
    let (_, requests) = run(vec![say("end: sesame")], &["--urlencoded"]);
    let (head, body) = &requests[0];
    assert!(head.contains("application/x-www-form-urlencoded"), "{head}");
    assert!(body.starts_with("token=se%2Bcret%2Ftoken&start=1&geese="), "{body}");
}

#[test]
fn answers_that_do_not_fit_are_failures_and_nothing_is_sent_again() {
    let long = format!("moves: 1\nfoxes: X{}\n", "u".repeat(40));
    for (answer, part) in [
        ("Unknown token.\r\n", "the server says 'Unknown token.'"),
        ("message: no\nerror: no game\n", "the server says 'message: no\\nerror: no game'"),
        ("no such token: se+cret/token", "the server says 'no such token: (hidden)'"),
        ("", "the server says"),
        ("moves: 1\n", "neither a move of the foxes nor an end"),
        ("moves: 1\nfoxes: Xd\n", "the server's foxes play 'Xd', which is no move here"),
        ("foxes: se+cret/token", "the server's foxes play '(hidden)', which is no move here"),
        (&long, "which is no move here"),
        ("moves: 7\nfoxes: Xu\n", "the server counts 7 moves of the geese, and there have been 1"),
    ] {
        assert_failed(say(answer), part);
    }
    for (code, body, part) in [
        ("403 Forbidden", "go away", "HTTP status 403 Forbidden: the server says 'go away'"),
        ("403 Forbidden", "se+cret/token?", "the server says '(hidden)?'"),
        ("500 No", "moves: 1\nfoxes: Xu\n", "HTTP status 500"),
        ("302 No", "", "HTTP status 302"),
    ] {
        assert_failed(status(code, body), part);
    }
    let stderr = expect(vec![say("moves: 1\nfox: Xu\nfoxes:\nend: \n")], 3, "");
    assert!(stderr.contains("line 2: 'fox: Xu'\n"), "{stderr}");
}

#[test]
fn a_server_that_stalls_closes_or_talks_nonsense_is_a_failure() {
    assert_failed(Step::Raw(Vec::new()), "no answer");
    assert_failed(Step::CloseUnread, "no answer");
    assert_failed(Step::Raw(b"\x00\x01\x02\xff\r\n\r\n".to_vec()), "no answer");
    let broken = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nmoves: 1";
    assert_failed(Step::Raw(broken.to_vec()), "the answer broke off");
    let flood = format!("moves: 1\nfoxes: {}", "u".repeat(100_000));
    assert_failed(say(&flood), "the answer broke off");
    let (stalled, _) = run(vec![Step::Stall], &["--timeout", "1"]);
    assert!(stalled.code == Some(3) && stalled.stderr.contains("no answer: timeout"));
    // Nothing listens on this port any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for url in [&format!("http://127.0.0.1:{port}/"), "not a url"] {
        assert_eq!(client(url, &[]).code, Some(3));
    }
}

#[test]
fn verbose_and_the_record_show_each_exchange_without_the_token() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("game.txt");
    let echo = "moves: 1\r\nend: sesame\r\nmessage: you are se+cret/token\r\n";
    let arguments = ["--verbose", "--record", record.to_str().unwrap()];
    let (Run { code, stderr, .. }, _) = run(vec![say(echo)], &arguments);
    assert_eq!(code, Some(0));
    assert!(stderr.starts_with("> token: (hidden)\n> start: 1\n> geese: "), "{stderr}");
    let answer = "< moves: 1\n< end: sesame\n< message: you are (hidden)\n";
    assert!(stderr.ends_with(answer), "{stderr}");
    assert_eq!(fs::read_to_string(&record).unwrap(), stderr);
    let refused = client("http://127.0.0.1:1/", &["--record", directory.path().to_str().unwrap()]);
    assert_eq!(refused.code, Some(2));
}

#[test]
fn options_that_do_not_fit_together_are_refused() {
    for arguments in
        [&["--server", "http://127.0.0.1:1/"][..], &["--token", "x"], &["--urlencoded"]]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_foxgeese")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
