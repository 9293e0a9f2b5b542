//! Tests of `judge play` over real sockets: it serves the files of a site and nothing else, and a
//! message where there is no site.

use crate::program;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use testing::{Folder, assert_has, assert_lacks, folder, server, text};

struct Server(server::Server);

impl Server {
    fn start(directory: &Path, words: &[&str]) -> Server {
        Server(server::Server::start(
            Command::new(program())
                .current_dir(directory)
                .args([&["play", "--no-browser"], words].concat()),
        ))
    }

    /// The head and the body of an answer.
    fn ask(&self, method: &str, path: &str) -> (String, Vec<u8>) {
        self.ask_host("localhost", method, path)
    }

    fn ask_host(&self, host: &str, method: &str, path: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.0.address).unwrap();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|part| part == b"\r\n\r\n").unwrap();
        (text(&answer[..end]), answer[end + 4..].to_vec())
    }
}

/// A folder of the form that scripts/site makes, with a secret beside it.
fn site(place: &Path) {
    place.make("site/rules");
    let files: [(&str, &[u8]); 6] = [
        ("site/index.html", b"<!DOCTYPE html>the page"),
        ("site/board.js", b"// board"),
        ("site/worker.js", b"// worker"),
        ("site/halma_bg.wasm", b"\0asm\xff\xfe"),
        ("site/rules/halma.txt", b"the rules"),
        ("secret.txt", b"nobody reads this"),
    ];
    for (path, bytes) in files {
        place.write(path, bytes);
    }
    std::os::unix::fs::symlink("../secret.txt", place.join("site/link.txt")).unwrap();
}

#[test]
fn the_files_of_the_site_are_served_as_they_are_and_nothing_else_is() {
    let place = folder();
    site(&place);
    let server = Server::start(&place, &["--site", "site"]);
    let (head, body) = server.ask("GET", "/");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-type: text/html"), "{head}");
    assert_eq!(body, b"<!DOCTYPE html>the page");
    let (head, body) = server.ask("GET", "/halma_bg.wasm?v=1");
    assert_has(&head, ["content-type: application/wasm", "x-content-type-options: nosniff"]);
    assert_eq!(body, b"\0asm\xff\xfe");
    let (head, body) = server.ask("GET", "/rules/halma.txt");
    assert!(head.starts_with("HTTP/1.1 200") && body == b"the rules", "{head}");
    for path in [
        "/../secret.txt",
        "/rules/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/link.txt",
        "/rules",
        "/nothing",
        "//",
    ] {
        let (head, body) = server.ask("GET", path);
        assert!(head.starts_with("HTTP/1.1 404"), "{path}: {head}");
        assert_lacks(text(&body), ["nobody"]);
    }
    assert!(server.ask("POST", "/").0.starts_with("HTTP/1.1 405"));
    assert!(server.ask_host("evil.example", "GET", "/").0.starts_with("HTTP/1.1 403"));
}

#[test]
fn a_folder_site_in_the_current_directory_is_found_and_a_missing_one_refused() {
    let place = folder();
    site(&place);
    let server = Server::start(&place, &[]);
    assert!(server.ask("GET", "/index.html").0.starts_with("HTTP/1.1 200"));
    place.make("empty");
    let said = Command::new(program())
        .current_dir(&place)
        .args(["play", "--site", "empty"])
        .output()
        .unwrap();
    assert_eq!(said.status.code(), Some(2));
    assert_has(text(&said.stderr), ["--site: empty is no folder made by `make site`"]);
}
