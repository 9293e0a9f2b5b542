//! The real binary in a game that a monitor runs: every byte that it sends, what it bears from strangers, exit codes.

mod table;

use engine::Game;
use foxgame::Position;
use foxgame::rules::SHEEP;
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;
use table::Table;

#[test]
fn every_line_is_the_protocol_s_and_none_comes_between_ready_and_begin() {
    let mut table = Table::seat(&["-r", "fox", "-n", "Reineke Fuchs"]);
    assert_eq!(table.hear(), "hello FOX\n");
    table.say("hello FOX\n");
    assert_eq!(table.hear(), "name Reineke Fuchs\n");
    assert_eq!(table.hear(), "ready\n");
    table.say("timeslice 60\n");
    table.hears_nothing(Duration::from_millis(200));
    table.say("begin\n");
    let mut position = Position::initial();
    table.takes_turn(&mut position);
    table.say("timeslice 80\n");
    for _ in 0..4 {
        let mv = position.legal_moves()[0];
        let text: String =
            position.stops(mv).iter().map(|&stop| format!(" {}", foxgame::monitor::wire::monitor_name(stop))).collect();
        position.play(mv);
        table.say(&format!("timeslice 60\nmove{text}\ndone\n"));
        table.takes_turn(&mut position);
    }
    table.say("winner FOX reason: the sheep went home\n");
    let output = table.leaves();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "winner FOX reason: the sheep went home\n");
}

#[test]
fn the_role_granted_is_played_whatever_the_wish() {
    let mut table = Table::seat(&["--role=F"]);
    assert_eq!(table.hear(), "hello FOX\n");
    table.say("hello SHEEP\r\n");
    assert_eq!(table.hear(), "name menagerie\n");
    assert_eq!(table.hear(), "ready\n");
    table.say("timeslice 50\r\nbegin\r\n");
    table.hears_nothing(Duration::from_millis(150));
    let mut position = Position::initial();
    let mv = position.play_over(&["2,0", "3,0"].map(|stop| stop.parse().unwrap())).unwrap();
    position.play(mv);
    assert_eq!(position.side_to_move(), SHEEP);
    // CRLF, commas, and lines that mean nothing.
    table.say("spectators 3\r\n\r\ntimeslice 50\r\nmove 3,1, 4,1,\r\nchat move 9,9 8,8\r\ndone\r\n");
    table.takes_turn(&mut position);
    table.say("winner NONE reason: tea\r\n");
    assert_eq!(table.leaves().status.code(), Some(0));
}

#[test]
fn a_winner_may_come_at_any_moment() {
    for words in
        ["winner FOX\n", "hello FOX\nwinner SHEEP reason: absent\n", "hello SHEEP\ntimeslice 10\nbegin\nwinner\n"]
    {
        let mut table = Table::seat(&[]);
        assert_eq!(table.hear(), "hello\n");
        table.say(words);
        assert_eq!(table.leaves().status.code(), Some(0), "{words:?}");
    }
}

#[test]
fn a_connection_that_is_lost_or_never_made_is_exit_code_3() {
    let mut table = Table::seat(&["-r", "SHEEP"]);
    assert_eq!(table.hear(), "hello SHEEP\n");
    table.stream.shutdown(std::net::Shutdown::Both).unwrap();
    let output = table.leaves();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_foxgame"))
        .args(["-a", "127.0.0.1", "-p", &port, "-r", "fox", "--wait", "0"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

/// An agent whose game as SHEEP has begun.
fn sheep_at_play() -> Table {
    let mut table = Table::seat(&["-r", "SHEEP"]);
    assert_eq!(table.hear(), "hello SHEEP\n");
    table.say("hello SHEEP\n");
    assert_eq!([table.hear(), table.hear()], ["name menagerie\n", "ready\n"]);
    table.say("timeslice 50\nbegin\n");
    table
}

#[test]
fn an_opponent_s_move_that_cannot_be_read_is_told_and_exit_code_3() {
    for (lines, told) in [
        ("move 2,10 4,12 5,5\ndone\n", "'move 2,10 4,12 5,5'"),
        ("move 3,1\r\ndone\r\n", "'move 3,1'"),
        ("play 3,1 3,2\ndone\n", "'play 3,1 3,2'"),
        // What the move came with is not what is told.
        ("chat good luck\nmove 3,1;3,2\nchat \u{7}\ndone\n", "'move 3,1;3,2'"),
        ("move \u{1b}[2J\ndone\n", "'move \\u{1b}[2J'"),
    ] {
        let mut table = sheep_at_play();
        table.say("timeslice 50\n");
        table.say(lines);
        table.hears_the_end();
        let output = table.leaves();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{lines:?}: {message}");
        assert!(message.contains(&format!("the opponent's move cannot be read: {told}")), "{lines:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn a_move_that_is_named_again_so_that_it_can_be_read_counts() {
    let mut table = sheep_at_play();
    table.say("play 3,1 3,2\nmove 1,1\nmove 3,1 4,1\nchat\ndone\n");
    let mut position = Position::initial();
    let mv = position.play_over(&["2,0", "3,0"].map(|stop| stop.parse().unwrap())).unwrap();
    position.play(mv);
    table.takes_turn(&mut position);
    table.say("winner SHEEP reason: enough\n");
    assert_eq!(table.leaves().status.code(), Some(0));
}

#[test]
fn a_monitor_s_last_word_to_an_agent_it_has_no_place_for_is_told() {
    let mut table = Table::seat(&["-r", "SHEEP"]);
    assert_eq!(table.hear(), "hello SHEEP\n");
    table.say("refused: 32 agents stand in line already; come again later\n");
    table.stream.shutdown(std::net::Shutdown::Both).unwrap();
    let output = table.leaves();
    assert_eq!(output.status.code(), Some(3));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.ends_with("'refused: 32 agents stand in line already; come again later'\n"), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
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
        let output = Command::new(env!("CARGO_BIN_EXE_foxgame")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_flood_and_moves_that_are_not_legal_are_borne() {
    let mut table = Table::seat(&["-r", "s", "--threads", "2"]);
    assert_eq!(table.hear(), "hello SHEEP\n");
    table.say("hello SHEEP\n");
    assert_eq!([table.hear(), table.hear()], ["name menagerie\n", "ready\n"]);
    table.say("timeslice 50\nbegin\n");
    table.say(&"x".repeat(100_000));
    table.say("\nmove 1,1 2,2\nmove 3,1 5,7\ndone\ndone\nmove\n\u{0}\n");
    table.hears_nothing(Duration::from_millis(100));
    let mut position = Position::initial();
    let mv = position.play_over(&["2,0", "3,0"].map(|stop| stop.parse().unwrap())).unwrap();
    position.play(mv);
    table.say("move 3,1 4,1\ndone\n");
    table.takes_turn(&mut position);
    table.say("winner SHEEP reason: enough\n");
    assert_eq!(table.leaves().status.code(), Some(0));
}

#[test]
fn the_help_of_the_monitor_mode_has_an_example() {
    let output = Command::new(env!("CARGO_BIN_EXE_foxgame")).args(["-p", "6000", "--help"]).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("Example")
            && text.contains("--threads")
            && text.contains("--reserve")
            && text.contains("Exit code"),
        "{text}"
    );
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("3 no connection, it was lost, or the opponent's move cannot be read"), "{text}");
}
