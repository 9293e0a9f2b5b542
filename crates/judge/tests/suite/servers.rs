//! The judge's commands that serve. Tests of the servers themselves: crates/play, crates/monitor.

use crate::common::judge;
use crate::own_game::{SETTINGS, tic_tac_toe};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use testing::server::Server;
use testing::{Folder, assert_has, folder};

fn answer(address: &str, request: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!("{request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}");
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn write_site(place: &Path) {
    for name in ["index.html", "board.js", "worker.js"] {
        place.join("site").write(name, "x");
    }
}

#[test]
fn the_page_the_puzzle_and_the_monitor_are_served_by_the_judge() {
    let place = folder();
    write_site(&place);
    let page = Server::start(judge(&place).args(["play", "--no-browser"]));
    assert!(answer(&page.address, "GET /", "").starts_with("HTTP/1.1 200"));
    let puzzle = Server::start(judge(&place).arg("puzzle"));
    assert!(answer(&puzzle.address, "POST /", "").starts_with("HTTP/1.1 400"));
    let monitor = Server::start(judge(&place).args(["monitor", "--timeslice", "60000"]));
    let mut agent = monitor.connect();
    agent.write_all(b"hello FOX\n").unwrap();
    let mut heard = [0; 10];
    agent.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello FOX\n");
}

/// A program that never ends its answer loses its turn on the page, too, and the page goes on.
#[test]
fn a_program_that_never_ends_its_answer_ends_its_turn_on_the_page() {
    let place = tic_tac_toe();
    place.write(SETTINGS, place.read(SETTINGS) + "programs-talk = \"lines\"\n");
    let reads = "import os, sys\nwhile sys.stdin.readline() != '\\n': pass\n";
    for (name, code) in [
        ("empty", "while True: os.write(1, b'\\n' * 65536)"),
        (
            "child",
            "if os.fork():\n    while True: pass\nwhile True: os.write(1, b' '); sys.stdin.read(0)",
        ),
        ("good", "print('0,0', end='\\n\\n', flush=True)"),
    ] {
        place.write(format!("{name}.py"), format!("{reads}{code}\n"));
    }
    write_site(&place);
    let engines = ["empty", "child", "good"].map(|name| {
        let path = place.join(format!("{name}.py")).display().to_string();
        format!("--engine|name={name}|cmd=python3 {path}|time=1")
    });
    let mut command = judge(&place);
    command.args("play --no-browser --game ./game".split(' '));
    let server = Server::start(command.args(engines.iter().flat_map(|words| words.split('|'))));
    let ask = |request: &str, body: &str| -> Value {
        let answer = answer(&server.address, request, body);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).unwrap()
    };
    let game = &ask("GET /engines.json", "")["games"][0];
    let turn = |engine: usize| {
        let request = json!({ "session": "s", "game": game, "rules": "standard", "engine": engine,
            "input": "\t\"X.........\"" });
        ask("POST /turn", &request.to_string())
    };
    for (engine, word) in ["bad format", "time forfeit"].iter().enumerate() {
        assert_eq!(turn(engine)["fault"]["word"], *word, "{engine}");
    }
    assert_has(turn(2).to_string(), ["\"output\":\"0,0\""]);
}
