//! Tests of the real client against scripted servers on real sockets: the ways an exchange can go,
//! with exit code and message.

use engine::{Game, Outcome, Protocol};
use foxgeese::Position;
use foxgeese::rules::GEESE;
use foxgeese::strategy::Strategy;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::thread::JoinHandle;
use std::time::Duration;

const TOKEN: &str = "se+cret/token";

/// The server's behaviour on one connection.
enum Step {
    /// Answers 200 with this body.
    Say(String),
    /// Answers with this status and body.
    Status(u16, &'static str),
    /// Answers with these bytes, valid HTTP or not.
    Raw(&'static [u8]),
    /// Reads the request and closes without an answer.
    Close,
    /// Closes without reading.
    CloseUnread,
    /// Sends nothing until the client gives up.
    Stall,
}

fn say(text: &str) -> Step {
    Step::Say(text.to_string())
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
                Step::Say(body) => {
                    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
                    stream.write_all((head + &body).as_bytes()).unwrap();
                }
                Step::Status(status, body) => {
                    let head =
                        format!("HTTP/1.1 {status} No\r\nContent-Length: {}\r\n\r\n", body.len());
                    stream.write_all((head + body).as_bytes()).unwrap();
                }
                Step::Raw(bytes) => drop(stream.write_all(bytes)),
                Step::Close | Step::CloseUnread => {}
                Step::Stall => drop(stream.read(&mut [0])),
            }
        }
        requests
    });
    (url, server)
}

fn client(url: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foxgeese"))
        .args(["--server", url, "--token", TOKEN, "--think", "1"])
        .args(arguments)
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("ALL_PROXY")
        .env_remove("all_proxy")
        .output()
        .unwrap()
}

/// Runs the client against a script. Returns exit code, standard output, standard error, and the
/// requests.
fn run(
    steps: Vec<Step>,
    arguments: &[&str],
) -> (Option<i32>, String, String, Vec<(String, String)>) {
    let (url, server) = script(steps);
    let output = client(&url, arguments);
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(
        !stdout.contains(TOKEN) && !stderr.contains(TOKEN),
        "the token shows:\n{stdout}{stderr}"
    );
    // If the client has given up, the server still waits for the remaining connections of the
    // script.
    let address = url.trim_start_matches("http://").trim_end_matches("/play");
    while !server.is_finished() {
        let _ = TcpStream::connect(address);
        std::thread::sleep(Duration::from_millis(2));
    }
    (output.status.code(), stdout, stderr, server.join().unwrap())
}

/// The answers of a game that the geese win by the rules, in which the foxes always play their
/// first legal move. `before` and `after` surround each answer; the last move is answered with
/// `last`.
fn won_game(before: &str, after: &str, last: &str) -> Vec<Step> {
    let mut position = Position::initial();
    let mut steps = Vec::new();
    loop {
        position.play(
            Strategy::embedded().get(position.board()).expect("a position of the strategy").mv,
        );
        let made = position.moves_made();
        if position.outcome() == Some(Outcome::Win(GEESE)) {
            steps.push(say(last));
            return steps;
        }
        let foxes = position.legal_moves()[0];
        steps.push(Step::Say(format!(
            "{before}moves: {made}\nfoxes: {}\n{after}",
            position.describe_move(foxes)
        )));
        position.play(foxes);
    }
}

#[test]
fn whatever_ends_a_game_won_by_the_rules_is_the_secret_and_is_printed_whole() {
    for (last, secret) in [
        ("end: token: XYZ", "token: XYZ"),
        ("end: game is lost\nmessage: or is it\n", "game is lost"),
        (
            "moves: 99\nfoxes: none\r\nend: http://127.0.0.1/a b?c=d: e\r\n",
            "http://127.0.0.1/a b?c=d: e",
        ),
        ("status: ok\nEND :  \tpassword = x\ty  \n", "password = x\ty"),
    ] {
        let (code, stdout, stderr, _) = run(won_game("", "", last), &[]);
        assert_eq!((code, stdout), (Some(0), format!("{secret}\n")), "{last}: {stderr}");
    }
    let long = "s".repeat(5_000);
    let (code, stdout, ..) = run(won_game("", "", &format!("end: the word: {long}")), &[]);
    assert_eq!((code, stdout), (Some(0), format!("the word: {long}\n")));
}

#[test]
fn a_won_game_without_an_end_is_a_failure_and_no_secret_is_made_up() {
    for last in ["moves: 1\n", "end:\n", "foxes: Xu\n", "well done\n"] {
        let (code, stdout, stderr, _) = run(won_game("", "", last), &[]);
        assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    }
}

#[test]
fn lines_that_are_not_understood_are_noted_and_the_game_goes_on() {
    let before = "\u{feff}status: ok\nhello there\n";
    let after = "field: ICAgIC0gLSAt\r\nCiAgICAtIC0gLQo=\r\nscore: 12:30\r\n";
    let steps = won_game(before, after, "\u{feff}end: sesame\nstatus: over\n");
    let exchanges = steps.len();
    let (code, stdout, stderr, requests) = run(steps, &[]);
    assert_eq!(
        (code, stdout.as_str(), requests.len()),
        (Some(0), "sesame\n", exchanges),
        "{stderr}"
    );
    let first: Vec<&str> = stderr.lines().take(3).collect();
    let notes = [
        "not understood in the answer, line 1: 'status: ok'",
        "not understood in the answer, line 2: 'hello there'",
        "not understood in the answer, line 7: 'score: 12:30'",
    ];
    assert_eq!(first, notes, "{stderr}");
    assert_eq!(
        stderr.lines().count(),
        3 * (exchanges - 1) + 1,
        "the wrapped picture is understood: {stderr}"
    );
    assert!(stderr.ends_with("not understood in the answer, line 2: 'status: over'\n"), "{stderr}");
}

#[test]
fn notes_are_escaped_short_and_few_and_hide_the_token() {
    let long = format!("x: \u{1b}[31m{}\n", "y".repeat(10_000));
    let noise = "one\n".repeat(1_000);
    let body =
        format!("you: se+cret/token\n{long}moves: many\nmoves: 1\nmoves: 1\nend: sesame\n{noise}");
    let (code, stdout, stderr, _) = run(vec![Step::Say(body)], &[]);
    assert_eq!((code, stdout.as_str()), (Some(0), "sesame\n"), "{stderr}");
    let notes: Vec<&str> = stderr.lines().collect();
    assert_eq!(notes[0], "not understood in the answer, line 1: 'you: (hidden)'");
    assert!(
        notes[1].contains("line 2: 'x: \\u{1b}[31my") && notes[1].ends_with("y...'"),
        "{stderr}"
    );
    assert!(
        notes[2].ends_with("line 3: 'moves: many'") && notes[3].ends_with("line 5: 'moves: 1'"),
        "{stderr}"
    );
    assert!(stderr.contains("more lines of the answer were not understood\n"), "{stderr}");
    assert!(notes.len() < 20 && notes.iter().all(|note| note.len() < 120), "{stderr}");
}

#[test]
fn an_end_counts_even_where_the_foxes_play_or_the_count_cannot_be_read() {
    for body in ["moves: 1\nfoxes: none left\nend: game is lost", "moves: 7\nend: game is lost"] {
        let (code, stdout, stderr, _) = run(vec![say(body)], &[]);
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{stderr}");
        assert!(stderr.starts_with("not understood in the answer: "), "{stderr}");
        assert!(stderr.ends_with("lost after 1 moves: game is lost\n"), "{stderr}");
    }
}

#[test]
fn a_move_of_the_foxes_is_all_that_an_answer_needs() {
    let (code, stdout, stderr, _) = run(vec![say("foxes: Xu\n"), say("end: sesame")], &[]);
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "sesame\n", ""));
}

#[test]
fn an_answer_without_foxes_and_end_is_told_and_the_token_in_it_is_not() {
    assert_failed(
        say("message: bad luck\nerror: no game\n"),
        "the server says 'message: bad luck\\nerror: no game'",
    );
    assert_failed(say("no such token: se+cret/token"), "the server says 'no such token: (hidden)'");
    assert_failed(
        say("foxes: se+cret/token"),
        "the server's foxes play '(hidden)', which is no move here",
    );
    let (_, _, stderr, _) = run(vec![say("end: bye, se+cret/token")], &[]);
    assert_eq!(stderr, "lost after 1 moves: bye, (hidden)\n");
    assert_failed(Step::Status(403, "se+cret/token?"), "the server says '(hidden)?'");
    let (code, _, stderr, _) = run(vec![say("moves: 1\nfox: Xu\nfoxes:\nend: \n")], &[]);
    assert_eq!(code, Some(3));
    assert!(
        stderr.contains("line 2: 'fox: Xu'\n")
            && stderr.contains("neither a move of the foxes nor an end"),
        "{stderr}"
    );
}

#[test]
fn the_secret_of_a_win_goes_to_standard_output_whatever_the_line_ends() {
    for answer in [
        "moves: 1\r\nend: sesame\r\n",
        "moves: 1\nend: sesame\n",
        "end:sesame",
        "Moves: 1\n\nEnd:  sesame \n",
    ] {
        let (code, stdout, stderr, requests) = run(vec![say(answer)], &[]);
        assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "sesame\n", ""), "{answer}");
        let (head, body) = &requests[0];
        assert!(head.starts_with("POST /play HTTP/1.1") && head.contains("text/plain"), "{head}");
        let lines: Vec<&str> = body.lines().collect();
        assert_eq!(lines[..2], ["token: se+cret/token", "start: 1"]);
        assert!(lines[2].starts_with("geese: ") && lines.len() == 3, "{body}");
    }
}

#[test]
fn a_form_has_its_token_encoded() {
    let (code, _, _, requests) = run(vec![say("end: sesame")], &["--urlencoded"]);
    assert_eq!(code, Some(0));
    let (head, body) = &requests[0];
    assert!(head.contains("application/x-www-form-urlencoded"), "{head}");
    assert!(body.starts_with("token=se%2Bcret%2Ftoken&start=1&geese="), "{body}");
}

#[test]
fn a_phrase_at_the_end_is_a_loss() {
    let lost = "moves: 1\nend: game is lost\nmessage: too bad\n";
    let (code, stdout, stderr, _) = run(vec![say(lost)], &[]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert_eq!(stderr, "lost after 1 moves: game is lost (too bad)\n");
}

#[test]
fn a_game_goes_on_without_start_after_the_first_move() {
    let (code, stdout, _, requests) = run(
        vec![say("moves: 1\r\nfoxes: Xu\r\nfield: Li4u\r\n"), say("moves: 2\nend: sesame")],
        &[],
    );
    assert_eq!((code, stdout.as_str()), (Some(0), "sesame\n"));
    assert!(requests[0].1.contains("start: 1") && !requests[1].1.contains("start"), "{requests:?}");
}

/// Asserts exit code 3 and a message of one line that names the server and contains `part`.
fn assert_failed(step: Step, part: &str) {
    let timeout: &[&str] = if matches!(step, Step::Stall) { &["--timeout", "1"] } else { &[] };
    let (code, stdout, stderr, _) = run(vec![step], timeout);
    assert_eq!((code, stdout.as_str()), (Some(3), ""), "{stderr}");
    assert!(stderr.starts_with("http://127.0.0.1:") && stderr.contains(part), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}

#[test]
fn error_texts_are_reported_and_nothing_is_sent_again() {
    assert_failed(say("Unknown token.\r\n"), "the server says 'Unknown token.'");
    assert_failed(
        Step::Status(403, "go away"),
        "HTTP status 403 Forbidden: the server says 'go away'",
    );
    assert_failed(Step::Status(500, "moves: 1\nfoxes: Xu\n"), "HTTP status 500");
    assert_failed(Step::Status(302, ""), "HTTP status 302");
    assert_failed(say(""), "the server says");
}

#[test]
fn answers_that_do_not_fit_the_game_are_failures() {
    assert_failed(
        say("moves: 1\nfoxes: Xd\n"),
        "the server's foxes play 'Xd', which is no move here",
    );
    assert_failed(
        say("moves: 1\nfoxes: Xuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu\n"),
        "which is no move here",
    );
    assert_failed(
        say("moves: 7\nfoxes: Xu\n"),
        "the server counts 7 moves of the geese, and there have been 1",
    );
    assert_failed(say("moves: 1\n"), "neither a move of the foxes nor an end");
}

#[test]
fn a_server_that_stalls_closes_or_talks_nonsense_is_a_failure() {
    assert_failed(Step::Stall, "no answer: timeout");
    assert_failed(Step::Close, "no answer");
    assert_failed(Step::CloseUnread, "no answer");
    assert_failed(Step::Raw(b"\x00\x01\x02\xff\r\n\r\n"), "no answer");
    assert_failed(
        Step::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nmoves: 1"),
        "the answer broke off",
    );
    let flood = format!("moves: 1\nfoxes: {}", "u".repeat(100_000));
    assert_failed(Step::Say(flood), "the answer broke off");
    // Nothing listens on this port any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = client(&format!("http://127.0.0.1:{port}/"), &[]);
    assert_eq!(output.status.code(), Some(3));
    let output = client("not a url", &[]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn verbose_and_the_record_show_each_exchange_without_the_token() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("game.txt");
    let name = record.to_str().unwrap();
    let echo = "moves: 1\r\nend: sesame\r\nmessage: you are se+cret/token\r\n";
    let (code, _, stderr, _) = run(vec![say(echo)], &["--verbose", "--record", name]);
    assert_eq!(code, Some(0));
    assert!(stderr.starts_with("> token: (hidden)\n> start: 1\n> geese: "), "{stderr}");
    assert!(
        stderr.ends_with("< moves: 1\n< end: sesame\n< message: you are (hidden)\n"),
        "{stderr}"
    );
    assert_eq!(fs::read_to_string(&record).unwrap(), stderr);
    let output = client("http://127.0.0.1:1/", &["--record", directory.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(2));
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
