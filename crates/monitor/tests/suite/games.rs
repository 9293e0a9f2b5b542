//! Tests of `judge monitor` over real sockets: its lines, late answers, strangers, and the page.

use crate::monitor::Monitor;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

#[test]
fn every_line_is_the_protocol_s() {
    let directory = tempfile::tempdir().unwrap();
    let record = directory.path().join("games.jsonl");
    let monitor = Monitor::start(&["--timeslice", "5000", "--record", record.to_str().unwrap()]);
    let [mut fox, mut sheep] = monitor.game(5_000);
    fox.say("move 3,1 4,2\ndone\n");
    sheep.hears(&["timeslice 5000\n", "move 3,1 4,2\n", "done\n"]);
    fox.hears(&["timeslice 5000\n"]);
    // Commas and CRLF are taken, and not passed on.
    sheep.say("move 4,4, 4,3,\r\ndone\r\n");
    fox.hears(&["timeslice 5000\n", "move 4,4 4,3\n", "done\n"]);
    sheep.hears(&["timeslice 5000\n"]);
    // A jump to 4,4, which the sheep has left.
    fox.say("move 4,2 4,4\ndone\n");
    sheep.hears(&["timeslice 5000\n", "move 4,2 4,4\n", "done\n"]);
    fox.hears(&["timeslice 5000\n"]);
    sheep.say("move 3,4 3,5\ndone\n");
    let reason = "winner FOX reason: SHEEP (ply 4): 3,5 is occupied\n";
    fox.hears(&[reason, ""]);
    sheep.hears(&[reason, ""]);
    drop((fox, sheep));
    let report = monitor.server.report();
    assert_eq!(
        report,
        "game 1: FOX Reineke, SHEEP Flock: winner FOX, illegal move (SHEEP (ply 4): 3,5 is occupied), 3 plies\n"
    );
    let text = std::fs::read_to_string(record).unwrap();
    assert_eq!(text.lines().count(), 6, "header, start, three moves, end");
    assert!(text.contains("\"output\":\"J 3,1 3,3\\n\""), "{text}");
}

#[test]
fn a_late_answer_is_refused_and_told_how_late_it_was() {
    let monitor = Monitor::start(&["--timeslice", "60"]);
    let [mut fox, sheep] = monitor.pair();
    fox.say("move 3,1 4,2\n");
    std::thread::sleep(Duration::from_millis(90));
    fox.say("done\n");
    drop((fox, sheep));
    let report = monitor.server.report();
    let took = report.split("late: ").nth(1).and_then(|rest| rest.split(" ms").next()).unwrap();
    assert!(took.parse::<f64>().unwrap() >= 60.0, "{report}");
}

#[test]
fn a_move_without_done_is_late_and_loses() {
    let monitor = Monitor::start(&["--timeslice", "60"]);
    let [mut fox, mut sheep] = monitor.pair();
    fox.say("move 3,1 4,2\n");
    let told = sheep.hears_the_winner();
    assert!(told.starts_with("winner SHEEP reason: FOX (ply 1): late: no answer after "), "{told}");
    assert_eq!(fox.hears_the_winner(), told);
}

#[test]
fn a_browser_can_follow_the_game() {
    let monitor =
        Monitor::start(&["--http", "0", "--timeslice", "5000", "--host", "games.example"]);
    let get_of = |host: &str, path: &str| {
        let mut stream = TcpStream::connect(monitor.page.as_ref().unwrap()).unwrap();
        stream
            .write_all(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let get = |path: &str| get_of("localhost", path);
    assert!(get_of("games.example", "/").starts_with("HTTP/1.1 200"));
    for path in ["/", "/game.json"] {
        let refused = get_of("evil.example", path);
        let named = refused.starts_with("HTTP/1.1 403") && refused.contains("--host NAME");
        assert!(named, "{refused}");
    }
    assert!(get("/").starts_with("HTTP/1.1 200 OK\r\n") && get("/").contains("id=\"board\""));
    assert!(get("/../etc/passwd").starts_with("HTTP/1.1 404"));
    assert!(get("/game.json").contains("waiting for agents"));
    let [mut fox, mut sheep] = monitor.game(5_000);
    fox.say("move 3,1 4,2\ndone\n");
    sheep.hears(&["timeslice 5000\n", "move 3,1 4,2\n", "done\n"]);
    let json = |path: &str| -> serde_json::Value {
        serde_json::from_str(get(path).split("\r\n\r\n").nth(1).unwrap()).unwrap()
    };
    let data = json("/game.json");
    assert_eq!((&data["players"][0], &data["turn"]), (&"Reineke".into(), &"SHEEP".into()));
    assert_eq!(data["position"]["path"], serde_json::json!([[2, 0], [3, 1]]));
    // Whoever has the move of this game is not told it again.
    for (path, moves) in [("/game.json", 1), ("/game.json/1/1", 0), ("/game.json/7/1", 1)] {
        assert_eq!(json(path)["moves"].as_array().unwrap().len(), moves, "{path}");
    }
    assert!(get("/game.json/x/1").starts_with("HTTP/1.1 404"));
}
