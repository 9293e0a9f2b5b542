//! Tests of the agent's binary in the monitor mode: every byte that it sends, its tolerance of bad
//! input, exit codes.

use crate::monitor_stub::{MonitorStub, assert_failed};
use engine::Game;
use foxgame::Position;
use std::net::TcpListener;
use std::process::{Command, Output};
use std::time::Duration;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foxgame")).args(arguments).output().unwrap()
}

#[test]
fn every_line_is_the_protocol_s_and_none_comes_between_ready_and_begin() {
    let mut monitor = MonitorStub::start(&["-r", "fox", "-n", "Reineke Fuchs"]);
    assert_eq!(monitor.receive(), "hello FOX\n");
    monitor.send("hello FOX\n");
    assert_eq!(monitor.receive(), "name Reineke Fuchs\n");
    assert_eq!(monitor.receive(), "ready\n");
    monitor.send("timeslice 60\n");
    monitor.expect_silence(Duration::from_millis(200));
    monitor.send("begin\n");
    let mut position = Position::initial();
    monitor.play_agent_turn(&mut position);
    monitor.send("timeslice 80\n");
    for _ in 0..4 {
        monitor.play_first_move(&mut position, 60);
        monitor.play_agent_turn(&mut position);
    }
    let last = "winner FOX reason: the sheep went home\n";
    monitor.send(last);
    let output = monitor.wait();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), last);
}

/// The position after the move `3,1 4,1` of FOX, as monitors call its points.
fn after_the_first_move() -> Position {
    let position = Position::initial();
    let mv = position.play_over(&["2,0", "3,0"].map(|stop| stop.parse().unwrap())).unwrap();
    position.after(mv)
}

#[test]
fn the_role_granted_is_played_whatever_the_wish() {
    let mut monitor = MonitorStub::start(&["--role=F"]);
    assert_eq!(monitor.receive(), "hello FOX\n");
    monitor.send("hello SHEEP\r\n");
    assert_eq!(monitor.receive(), "name menagerie\n");
    assert_eq!(monitor.receive(), "ready\n");
    monitor.send("timeslice 50\r\nbegin\r\n");
    monitor.expect_silence(Duration::from_millis(150));
    let mut position = after_the_first_move();
    // CRLF line ends, commas, and lines that are none of the protocol.
    monitor.send(
        "spectators 3\r\n\r\ntimeslice 50\r\nmove 3,1, 4,1,\r\nchat move 9,9 8,8\r\ndone\r\n",
    );
    monitor.play_agent_turn(&mut position);
    monitor.end();
}

#[test]
fn a_winner_may_come_at_any_moment() {
    for words in [
        "winner FOX\n",
        "hello FOX\nwinner SHEEP reason: absent\n",
        "hello SHEEP\ntimeslice 10\nbegin\nwinner\n",
    ] {
        let mut monitor = MonitorStub::start(&[]);
        assert_eq!(monitor.receive(), "hello\n");
        monitor.send(words);
        assert_eq!(monitor.wait().status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn a_connection_that_is_lost_or_never_made_is_exit_code_3() {
    let mut monitor = MonitorStub::start(&["-r", "SHEEP"]);
    assert_eq!(monitor.receive(), "hello SHEEP\n");
    monitor.stream.shutdown(std::net::Shutdown::Both).unwrap();
    monitor.expect_failure();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    assert_failed(run(&["-a", "127.0.0.1", "-p", &port, "-r", "fox", "--wait", "0"]));
}

#[test]
fn an_opponent_s_move_that_cannot_be_read_is_told_and_exit_code_3() {
    for (lines, quoted) in [
        ("move 2,10 4,12 5,5\ndone\n", "'move 2,10 4,12 5,5'"),
        ("move 3,1\r\ndone\r\n", "'move 3,1'"),
        ("play 3,1 3,2\ndone\n", "'play 3,1 3,2'"),
        // The message quotes the line that begins like a move, not the lines around it.
        ("chat good luck\nmove 3,1;3,2\nchat \u{7}\ndone\n", "'move 3,1;3,2'"),
        ("move \u{1b}[2J\ndone\n", "'move \\u{1b}[2J'"),
    ] {
        let mut monitor = MonitorStub::at_play("SHEEP", &[], 50);
        monitor.send(&format!("timeslice 50\n{lines}"));
        monitor.expect_end();
        let message = monitor.expect_failure();
        let expected = format!("the opponent's move cannot be read: {quoted}");
        assert!(message.contains(&expected), "{lines:?}: {message}");
    }
}

#[test]
fn a_move_that_is_named_again_so_that_it_can_be_read_counts() {
    let mut monitor = MonitorStub::at_play("SHEEP", &[], 50);
    monitor.send("play 3,1 3,2\nmove 1,1\nmove 3,1 4,1\nchat\ndone\n");
    let mut position = after_the_first_move();
    monitor.play_agent_turn(&mut position);
    monitor.end();
}

#[test]
fn a_monitor_s_last_word_to_an_agent_it_has_no_place_for_is_told() {
    let mut monitor = MonitorStub::start(&["-r", "SHEEP"]);
    assert_eq!(monitor.receive(), "hello SHEEP\n");
    monitor.send("refused: come again later\n");
    monitor.stream.shutdown(std::net::Shutdown::Both).unwrap();
    let message = monitor.expect_failure();
    assert!(message.ends_with("'refused: come again later'\n"), "{message}");
}

#[test]
fn bad_arguments_are_exit_code_2() {
    for arguments in [
        &["-p", "0"][..],
        &["-p", "high"],
        &["-r", "wolf"],
        &["-r", ""],
        &["-p", "6000", "-n", ""],
        &["-p", "6000", "-n", "two\nlines"],
        &["-p", "6000", "--threads", "0"],
        &["-p", "6000", "--reserve", "-1"],
        &["--reserve", "60001"],
        &["-p", "6000", "--input", "x"],
    ] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_flood_and_moves_that_are_not_legal_are_borne() {
    let mut monitor = MonitorStub::at_play("SHEEP", &["--threads", "2"], 50);
    monitor.send(&"x".repeat(100_000));
    monitor.send("\nmove 1,1 2,2\nmove 3,1 5,7\ndone\ndone\nmove\n\u{0}\n");
    monitor.expect_silence(Duration::from_millis(100));
    let mut position = after_the_first_move();
    monitor.send("move 3,1 4,1\ndone\n");
    monitor.play_agent_turn(&mut position);
    monitor.end();
}

#[test]
fn the_help_of_the_monitor_mode_has_an_example() {
    let output = run(&["-p", "6000", "--help"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("Example"), "{output:?}");
}
