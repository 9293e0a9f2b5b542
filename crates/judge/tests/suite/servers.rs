//! The judge's commands that serve. Tests of the servers themselves: crates/play, crates/monitor.

use crate::common::judge;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use testing::server::Serving;

/// The answer to a request, head and body.
fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_page_the_puzzle_and_the_monitor_are_served_by_the_judge() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("site")).unwrap();
    for name in ["index.html", "board.js", "worker.js"] {
        fs::write(place.path().join("site").join(name), "x").unwrap();
    }
    let page = Serving::of(judge(place.path()).args(["play", "--no-browser"]));
    assert!(answer(&page.address, "GET /").starts_with("HTTP/1.1 200"));
    let puzzle = Serving::of(judge(place.path()).arg("puzzle"));
    assert!(answer(&puzzle.address, "POST /").starts_with("HTTP/1.1 400"));
    let words = ["monitor", "--port", "0", "--timeslice", "60000"];
    let mut monitor = judge(place.path()).args(words).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(monitor.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on ").unwrap().split(',').next().unwrap();
    let mut agent = TcpStream::connect(address).unwrap();
    agent.write_all(b"hello FOX\n").unwrap();
    let mut heard = [0; 10];
    agent.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello FOX\n");
    monitor.kill().unwrap();
    monitor.wait().unwrap();
}
