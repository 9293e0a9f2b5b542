//! The judge's commands that serve. Tests of the servers themselves: crates/play, crates/monitor.

use crate::common::judge;
use std::io::{Read, Write};
use std::net::TcpStream;
use testing::server::Server;
use testing::{Folder, folder};

fn answer(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(
            format!("{request} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
                .as_bytes(),
        )
        .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_page_the_puzzle_and_the_monitor_are_served_by_the_judge() {
    let place = folder();
    for name in ["index.html", "board.js", "worker.js"] {
        place.join("site").write(name, "x");
    }
    let page = Server::start(judge(&place).args(["play", "--no-browser"]));
    assert!(answer(&page.address, "GET /").starts_with("HTTP/1.1 200"));
    let puzzle = Server::start(judge(&place).arg("puzzle"));
    assert!(answer(&puzzle.address, "POST /").starts_with("HTTP/1.1 400"));
    let monitor = Server::start(judge(&place).args(["monitor", "--timeslice", "60000"]));
    let mut agent = monitor.connect();
    agent.write_all(b"hello FOX\n").unwrap();
    let mut heard = [0; 10];
    agent.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"hello FOX\n");
}
