//! The homework's files through the real binary: stored cases, random ones against a slow checker,
//! and bad inputs.

use crate::slow;
use engine::Game;
use engine::conformance::AgentUnderTest;
use engine::reference;
use engine::search::Knowledge;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::Position;
use squirrels::homework::{self, Homework};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["next_state.txt", "traverse_log.txt", "trace_state.txt", "output.txt"];

/// The files that the program leaves for an input.
fn files_of(input: &str, arguments: &[&str]) -> BTreeMap<&'static str, String> {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    agent().run_in(directory.path(), arguments).succeeds();
    let read = |name| Some((name, fs::read_to_string(directory.path().join(name)).ok()?));
    let files: BTreeMap<_, _> = FILES.into_iter().filter_map(read).collect();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), files.len() + 1);
    files
}

/// Compares files line by line, so that the message of a failure is short.
fn assert_same(input: &str, expected: &BTreeMap<&str, String>, found: &BTreeMap<&str, String>) {
    assert!(expected.keys().eq(found.keys()), "{:?} for\n{input}", found.keys());
    for (name, text) in expected {
        for (number, (ours, theirs)) in found[name].lines().zip(text.lines()).enumerate() {
            assert_eq!(ours, theirs, "{name}:{} for\n{input}", number + 1);
        }
        assert!(found[name] == *text, "{name} has another length for\n{input}");
    }
}

/// A random homework input, of each kind in turn, with values drawn by `value`.
fn random_homework(
    random: &mut StdRng,
    round: usize,
    mut value: impl FnMut(&mut StdRng) -> u16,
) -> String {
    let empties = match round % 4 {
        0 => random.random_range(0..5),
        _ => random.random_range(5..=25),
    };
    let mut text = String::new();
    let players = [["X", "O"], ["O", "X"]][random.random_range(0..2)];
    let most_depth = if empties > 12 { 3 } else { 4 };
    if round % 5 == 4 {
        text += "4\n";
        for player in players {
            let (algorithm, depth) =
                (random.random_range(1..4), random.random_range(1..most_depth));
            text += &format!("{player}\n{algorithm}\n{depth}\n");
        }
    } else {
        let depth = random.random_range(1..most_depth);
        text += &format!("{}\n{}\n{depth}\n", 1 + round % 3, players[0]);
    }
    for _ in 0..5 {
        let values: Vec<String> = (0..5).map(|_| value(random).to_string()).collect();
        text += &(values.join(" ") + "\n");
    }
    let mut cells = ['*'; 25];
    let mut taken = 25 - empties;
    while taken > 0 {
        let at = random.random_range(0..25);
        if cells[at] == '*' {
            cells[at] = ['X', 'O'][random.random_range(0..2)];
            taken -= 1;
        }
    }
    for row in cells.chunks(5) {
        text += &(row.iter().collect::<String>() + "\n");
    }
    text
}

#[test]
fn random_homeworks_are_the_slow_checker_s() {
    let mut random = StdRng::seed_from_u64(8);
    for round in 0..240 {
        let text = random_homework(&mut random, round, |random| match round / 15 % 6 {
            0 => random.random_range(0..=10_000),
            // The course's own cases have values up to 100.
            1 => random.random_range(90..=100),
            2 => [0, 10_000][random.random_range(0..2)],
            3 => [0, 100, 10_000][random.random_range(0..3)],
            4 => random.random_range(1..=2),
            _ => [0, 100, 10_000][round / 90 % 3],
        });
        assert_same(&text, &slow::homework(&text), &files_of(&text, &[]));
    }
}

/// With BLESS=1 in the environment, the slow checker writes the expected files.
#[test]
fn made_cases_are_the_slow_checker_s_and_the_program_s() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bless = std::env::var_os("BLESS").is_some();
    let mut count = 0;
    for entry in fs::read_dir(root.join("inputs/squirrels")).unwrap() {
        let path = entry.unwrap().path();
        let input = fs::read_to_string(&path).unwrap();
        let competition = input.starts_with(char::is_alphabetic);
        if competition && input.matches(['*', '.']).count() > 12 {
            // Too long for plain minimax to the end: only scripts/check compares the answer.
            continue;
        }
        let name = path.file_stem().unwrap();
        let root = root.join("expected/squirrels");
        // A competition's expected output is a file with the case's name, not a folder of files.
        let (expected, arguments) = if competition {
            (BTreeMap::from([("output.txt", slow::competition(&input))]), vec!["--nodes", "200000"])
        } else {
            (slow::homework(&input), vec![])
        };
        for (file, text) in &expected {
            let file = match competition {
                true => root.join(name).with_extension("txt"),
                false => root.join(name).join(file),
            };
            if bless {
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, text).unwrap();
            }
            assert!(fs::read_to_string(&file).unwrap() == *text, "{}", file.display());
        }
        assert_same(&input, &expected, &files_of(&input, &arguments));
        count += 1;
    }
    assert!(count >= 25, "only {count} cases");
}

const BOARDS: &str = "\
20 16 1 32 30
20 12 2 11 8
28 48 9 1 1
20 12 10 6 2
25 30 23 21 10
**XX*
**XOX
***O*
**OO*
*****
";

#[test]
fn crlf_is_read_and_written() {
    let input = format!("3\nX\n2\n{BOARDS}");
    let unix = files_of(&input, &[]);
    let course = files_of(&input.replace('\n', "\r\n"), &["--crlf"]);
    for (name, text) in &unix {
        assert!(text.ends_with('\n') && !text.contains('\r'));
        assert_eq!(text.replace('\n', "\r\n"), course[name]);
    }
}

#[test]
fn a_byte_order_mark_before_the_task_changes_nothing() {
    for input in [format!("3\nX\n2\n{BOARDS}"), format!("4\nX\n1\n1\nO\n2\n2\n{BOARDS}")] {
        assert_eq!(files_of(&format!("\u{feff}{input}"), &[]), files_of(&input, &[]));
    }
    agent().refuses(format!("\u{feff}7\nX\n2\n{BOARDS}"), 1, "found '7'");
}

fn agent() -> AgentUnderTest<'static> {
    AgentUnderTest::new(env!("CARGO_BIN_EXE_squirrels"), format!("SINGLE\nX\n0.05\n{BOARDS}"))
}

engine::agent_tests!(agent(), Position);

#[test]
fn bad_inputs_are_refused_with_their_line_and_leave_nothing() {
    for (line, from, to) in [
        (6, "48", "65537"),
        (6, "48", "4294967296"),
        (6, "48", "-5"),
        (6, "48", "many"),
        (6, "48", "4.8"),
        (6, "48 9", "48"),
        (6, "48 9", "48 9 9"),
        (8, "20 12 10 6 2\n", ""),
        (13, "***O*\n", ""),
        (11, "***O*", "***Q*"),
        (11, "***O*", "***o*"),
        (11, "***O*", "***O"),
        (11, "***O*", "***O**"),
        (14, "*****\n", "*****\n*****\n"),
        (1, "3\nX", "7\nX"),
        (1, "3\nX", "0\nX"),
        (1, "3\nX", "-1\nX"),
        (2, "3\nX", "3\nY"),
        (3, "X\n2\n", "X\n0\n"),
        (3, "X\n2\n", "X\n-3\n"),
        (3, "X\n2\n", "X\n101\n"),
        (3, "X\n2\n", "X\n99999999999999999999\n"),
        (3, "X\n2\n", "X\n2.5\n"),
    ] {
        agent().refuses(format!("3\nX\n2\n{BOARDS}").replacen(from, to, 1), line, "");
    }
    for (line, head) in [
        (5, "4\nX\n1\n1\nX\n2\n2\n"),
        (5, "4\nX\n1\n1\nZ\n2\n2\n"),
        (6, "4\nX\n1\n1\nO\n4\n2\n"),
        (7, "4\nX\n1\n1\nO\n2\n0\n"),
        (3, "SINGLE\nX\n0\n"),
    ] {
        agent().refuses(format!("{head}{BOARDS}"), line, "");
    }
    agent().refuses("", 1, "");
    agent().refuses("task\n", 1, "");
    let full = format!("SINGLE\nX\n1\n{}{}", BOARDS.split_at(71).0, "XXXXX\n".repeat(5));
    agent().refuses(full, 9, "");
    for head in [
        "1\nX\n1\n",
        "2\nX\n1\n",
        "3\nX\n1\n",
        "4\nX\n1\n1\nO\n1\n1\n",
        "SINGLE\nX\n1\n",
        "GAME\nO\n1\n",
    ] {
        let text = format!("{head}{BOARDS}").replacen("48", "10001", 1);
        let expected = "expected 5 values from 0 to 10000, found '10001'";
        agent().refuses(text, head.lines().count() + 3, expected);
    }
}

#[test]
fn a_log_that_cannot_be_written_leaves_no_half_of_it() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), format!("2\nX\n1\n{BOARDS}")).unwrap();
    fs::create_dir(directory.path().join("traverse_log.txt")).unwrap();
    assert_eq!(agent().run_in(directory.path(), &[]).code, Some(2));
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
}

#[test]
fn the_reference_node_counts_of_the_rules_page_hold() {
    let Homework::Move { position, .. } = homework::read(&format!("3\nX\n5\n{BOARDS}")).unwrap()
    else {
        unreachable!()
    };
    let evaluate = |position: &Position| squirrels::Evaluation::Difference.evaluate(position);
    for (depth, nodes) in [(5, 27_870), (6, 114_425), (7, 639_144)] {
        assert_eq!(reference::alpha_beta(&position, depth, evaluate, &mut ()).nodes, nodes);
    }
}

#[test]
fn a_solved_position_is_played_exactly_and_said_so() {
    let boards = BOARDS.replace("**XX*\n**XOX", "XOXX*\nOOXOX");
    let (directory, run) = agent().run(format!("SINGLE\nX\n20\n{boards}"), &["--verbose"]);
    run.succeeds();
    assert!(run.stderr.contains("solved, proven final difference"), "{}", run.stderr);
    assert!(directory.path().join("output.txt").exists());
}

#[test]
fn a_battle_file_holds_the_moves_of_its_two_players_in_turn() {
    let text = format!("4\nX\n3\n2\nO\n2\n2\n{BOARDS}");
    let Homework::Battle { mut position, players } = homework::read(&text).unwrap() else {
        unreachable!()
    };
    let mut trace = String::new();
    for player in players.iter().cycle() {
        let Some(mv) = homework::play(&position, *player, &mut ()) else { break };
        position.play(mv);
        trace += &squirrels::board_lines(&position);
    }
    assert_eq!(trace, files_of(&text, &[])["trace_state.txt"]);
}
