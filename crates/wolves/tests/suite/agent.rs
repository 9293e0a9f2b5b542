//! Tests of the agent's binary: files, exit codes, messages, tables, and the course's interface.

use engine::conformance::AgentUnderTest;
use std::fs;
use std::process::Command;
use wolves::Position;

const FIGURE_1: &str = "SINGLE\nWOLVES\n0.05\nSSSSS\nSSSSS\n.....\n.....\n.W.W.\n";

/// The agent without tables except those of its arguments.
fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest {
        environment: &[("MENAGERIE_TABLES", "no tables here")],
        ..AgentUnderTest::new(env!("CARGO_BIN_EXE_wolves"), FIGURE_1)
    }
}

engine::agent_tests!(agent(), Position);

#[test]
fn bad_inputs_are_refused_with_their_line_and_leave_nothing_behind() {
    for (line, text, at, part) in [
        (2, "WOLF", 2, "'WOLF'"),
        (6, "..x..", 6, "'x' in column 3"),
        (6, "....", 6, "4 symbols"),
        (8, ".....", 4, "1 to 3 wolves, found 0"),
        (8, "WWWW.", 4, "1 to 3 wolves, found 4"),
    ] {
        agent().refuses(agent().with_line(line, text), at, part);
    }
    for (text, part) in [
        ("WOLVES\n1\nSSSSS\nSSSSS\nSSSSS\nS....\n.W.W.\n", "0 to 15 sheep, found 16"),
        ("SHEEP\n1\nSS...\n.....\n.....\n.....\n.W.W.\n", "one that WOLVES have already won"),
        ("WOLVES\n1\nSS...\n.....\n.....\nS....\nWS...\n", "one that SHEEP have already won"),
    ] {
        agent().refuses(format!("SINGLE\n{text}"), 4, part);
    }
}

#[test]
fn digits_serve_as_well_as_letters() {
    agent()
        .answers_for_either_side_and_every_clock::<Position>("11111\n11111\n11111\n00000\n02220\n");
}

#[test]
fn without_tables_the_stored_win_is_played_and_every_move_is_explained() {
    let sheep = "SINGLE\nSHEEP\n0.05\nSSSSS\nSSSSS\n.....\n.W...\n...W.\n";
    assert_eq!(agent().answer(sheep, &[]), "E 1,1 1,2\n");
    let messages = agent().run(sheep, &["--verbose"]).1.stderr;
    assert!(messages.contains("stored strategy"), "{messages}");
    let (directory, run) = agent().run(sheep, &["--explain"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().all(|line| line.starts_with("E ") && line.ends_with(" win ?")));
    assert!(!directory.path().join("output.txt").exists());
}

#[test]
fn tables_give_lengths_and_damaged_ones_are_named_and_done_without() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    fs::write(at("input.txt"), "SINGLE\nWOLVES\n1\nS....\n.....\nS.W..\n.....\n..S.W\n").unwrap();
    fs::create_dir(at("here")).unwrap();
    let codes = vec![2u8; wolves::index::Layer::new(2, 3).positions()];
    let file = wolves::table::file(&at("here"), 2, 3);
    tables::write(&file, &wolves::table::subject(2, 3), &[&codes, &codes]).unwrap();
    let arguments = ["--explain", "--tables", "here"];
    let run = agent().run_in(directory.path(), &arguments);
    let lines = run.stdout;
    assert!(run.stderr.is_empty());
    assert!(lines.starts_with("J 2,2 0,2 win 0\n") && lines.contains(" loss 1\n"), "{lines}");

    // The environment variable can name the directory, or the tables can lie beside a copy of the
    // program. Another process makes it: a program that this process has open for writing could not
    // be run while another test's child holds it open.
    let named = AgentUnderTest { environment: &[("MENAGERIE_TABLES", "here")], ..agent() };
    assert_eq!(named.run_in(directory.path(), &["--explain"]).stdout, lines);
    let copy = at("wolves");
    assert!(Command::new("cp").arg(agent().binary).arg(&copy).status().unwrap().success());
    fs::rename(at("here"), at("tables")).unwrap();
    let copy = AgentUnderTest { binary: &copy, ..agent() };
    let mut beside = copy.command(directory.path(), &["--explain"]);
    let beside = beside.env_remove("MENAGERIE_TABLES").output().unwrap();
    assert_eq!(beside.stdout, lines.as_bytes());
    fs::rename(at("tables"), at("here")).unwrap();

    let whole = fs::read(&file).unwrap();
    let mut flipped = whole.clone();
    // The second half of the file holds the positions with sheep to move, which are looked up.
    let half = flipped.len() / 2;
    flipped[half..].iter_mut().for_each(|byte| *byte ^= 1);
    for (bytes, message) in [
        (&whole[..900], "damaged"),
        (&flipped[..], "damaged"),
        (b"hello".as_slice(), "not a table file"),
    ] {
        fs::write(&file, bytes).unwrap();
        let run = agent().run_in(directory.path(), &arguments);
        run.succeeds();
        let found = run.stderr;
        assert!(found.contains("wolves-2-03.table") && found.contains(message), "{found}");
        assert_eq!(found.lines().count(), 1, "{found}");
        assert!(run.stdout.starts_with("J 2,2 0,2 win 0\n"));
        agent().run_in(directory.path(), &["--tables", "here"]).succeeds();
        assert_eq!(fs::read_to_string(at("output.txt")).unwrap(), "J 2,2 0,2\n");
    }
}

#[test]
fn with_three_wolves_and_no_table_the_search_estimates() {
    let input = b"SINGLE\nWOLVES\n1\nSSSSS\nSSSSS\nSSSSS\n.....\n.WWW.\n";
    let lines = agent().run(input, &["--explain", "--nodes", "2000"]).1.stdout;
    assert_eq!(lines.lines().count(), 8, "{lines}");
    assert!(lines.contains(" estimate "), "{lines}");
}

#[test]
fn a_board_file_of_the_course_is_played_on_and_the_next_one_left() {
    let directory = tempfile::tempdir().unwrap();
    let at = |name: &str| directory.path().join(name);
    let board = "1,1,1,1,1\n1,1,1,1,1\n0,0,0,0,0\n0,2,0,0,0\n0,0,0,2,0\n";
    let edited =
        [&board.replace('\n', "\r\n"), &format!("\u{feff}{board}"), board.trim_end(), board];
    for text in edited {
        fs::write(at("state_1.txt"), text).unwrap();
        let run = agent().run_in(directory.path(), &["--state", "state_1.txt", "--side", "sheep"]);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("1 1 2 1\n", ""));
        let next = fs::read_to_string(at("state_2.txt")).unwrap();
        assert_eq!(next, "1,1,1,1,1\n1,0,1,1,1\n0,1,0,0,0\n0,2,0,0,0\n0,0,0,2,0\n");
        fs::remove_file(at("state_2.txt")).unwrap();
    }
    let finished = "0,0,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,0,0\n0,0,0,2,1\n";
    for (name, text, message) in [
        ("state_1.txt", "1,1\n", "state_1.txt:1: expected 5 digits"),
        ("state_1.txt", "", "state_1.txt:1: expected"),
        ("board.txt", board, "board.txt: the name has no number"),
        ("state_3.txt", finished, "state_3.txt:1: expected a position"),
    ] {
        fs::write(at(name), text).unwrap();
        agent().run_in(directory.path(), &["--state", name]).is_refused(message, "");
        assert!(!at("state_2.txt").exists() && !at("state_4.txt").exists());
    }
    assert_eq!(agent().run_in(directory.path(), &["--state", "state_8.txt"]).code, Some(2));
}

#[test]
fn the_number_of_a_board_file_does_not_say_who_moves() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name);
    let run = |words: &[&str]| {
        agent().run_in(directory.path(), &[&["--nodes", "1000", "--state"], words].concat())
    };
    // The course's engine has wolves move on odd numbers, too.
    let third = "0,1,1,1,1\n1,1,1,1,1\n1,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n";
    let fourth = "0,1,1,1,1\n1,1,1,1,1\n1,0,0,0,0\n0,0,0,0,0\n0,2,2,0,0\n";
    fs::write(place("state_3.txt"), third).unwrap();
    run(&["state_3.txt"]).is_refused(
        "state_3.txt: give --side: the number does not say who moves",
        "and no state_2.txt that leads here",
    );
    // A board that is there stays.
    fs::write(place("state_4.txt"), fourth).unwrap();
    run(&["state_3.txt", "--side", "wolves"])
        .is_refused("state_4.txt: is there already, and is never overwritten", "");
    assert_eq!(fs::read_to_string(place("state_4.txt")).unwrap(), fourth);
    // The board before says who moves.
    let inferred = run(&["state_4.txt"]);
    inferred.succeeds();
    assert_eq!(inferred.stderr, "state_4.txt: sheep to move: wolves moved since state_3.txt\n");
    assert!(inferred.stdout.starts_with(['0', '1', '2']), "{}", inferred.stdout);
    assert!(place("state_5.txt").is_file());
    // Wolves begin a game.
    fs::write(place("state_0.txt"), "1,1,1,1,1\n1,1,1,1,1\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n")
        .unwrap();
    let first = run(&["state_0.txt"]);
    assert_eq!(first.stderr, "state_0.txt: wolves to move: the start of a game\n");
    assert!(first.stdout.starts_with("4 "), "{}", first.stdout);
}
