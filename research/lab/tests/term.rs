//! A simulated term in small: the real server, killed now and then.

use crate::{program, run, text};

#[test]
#[ignore = "takes minutes; make test-league runs it"]
fn what_the_server_confirmed_is_there_after_kills() {
    program("league");
    let directory = tempfile::tempdir().unwrap();
    let words =
        ["--students", "6", "--uploads", "20", "--rush", "8", "--games", "80", "--watchers", "4"];
    let more = ["--workers", "2", "--kills", "4", "--kill-pause", "2", "--seed", "7"];
    let output = run(directory.path(), &[&["term"], &words[..], &more[..]].concat(), 0);
    let text = text(&output.stdout);
    assert!(text.contains("uploads: 20 confirmed, 20 are there"), "{text}");
    assert!(!text.contains("WRONG"), "{text}");
}
