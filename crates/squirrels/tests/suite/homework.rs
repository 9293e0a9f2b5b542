//! The homework's files through the real binary: stored cases, random ones against a slow checker,
//! and bad inputs.

use crate::slow;
use engine::Game;
use engine::conformance::AgentUnderTest;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use squirrels::exact::{Solver, Table};
use squirrels::homework::{self, Homework};
use squirrels::{Move, Position};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

const FILES: [&str; 4] = ["next_state.txt", "traverse_log.txt", "trace_state.txt", "output.txt"];

/// The files that the program leaves for an input.
fn files_of(input: &str, arguments: &[&str]) -> BTreeMap<&'static str, String> {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("input.txt"), input).unwrap();
    agent().run_in(directory.path(), arguments).succeeds();
    let read = |name| fs::read_to_string(directory.path().join(name)).ok().map(|text| (name, text));
    let files: BTreeMap<_, _> = FILES.into_iter().filter_map(read).collect();
    assert_eq!(
        fs::read_dir(directory.path()).unwrap().count(),
        files.len() + 1,
        "no other file is left"
    );
    files
}

/// Compares files line by line, so that the message of a failure is short.
fn assert_same(input: &str, expected: &BTreeMap<&str, String>, found: &BTreeMap<&str, String>) {
    assert_eq!(
        expected.keys().collect::<Vec<_>>(),
        found.keys().collect::<Vec<_>>(),
        "for\n{input}"
    );
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
    let empties = if round.is_multiple_of(4) {
        random.random_range(0..5)
    } else {
        random.random_range(5..=25)
    };
    let mut text = String::new();
    let player = ["X", "O"][random.random_range(0..2)];
    let other = if player == "X" { "O" } else { "X" };
    let depth = |random: &mut StdRng| {
        if empties > 12 { random.random_range(1..3) } else { random.random_range(1..4) }
    };
    if round % 5 == 4 {
        text += &format!("4\n{player}\n{}\n{}\n", random.random_range(1..4), depth(random));
        text += &format!("{other}\n{}\n{}\n", random.random_range(1..4), depth(random));
    } else {
        text += &format!("{}\n{player}\n{}\n", 1 + round % 3, depth(random));
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

/// The cases of inputs/squirrels: the files in expected/squirrels equal the slow checker's and the
/// program's. With BLESS=1 in the environment, the slow checker writes the expected files.
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
        let (expected, folder, arguments) = if competition {
            // The expected output is a file with the case's name, not a folder of files.
            let folder = root.join("expected/squirrels");
            (
                BTreeMap::from([("output.txt", slow::competition(&input))]),
                folder,
                vec!["--nodes", "200000"],
            )
        } else {
            let folder = root.join("expected/squirrels").join(name);
            (slow::homework(&input), folder, vec!["--input", "input.txt"])
        };
        for (file, text) in &expected {
            let file =
                if competition { Path::new(name).with_extension("txt") } else { file.into() };
            let file = folder.join(file);
            if bless {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&file, text).unwrap();
            }
            assert!(
                fs::read_to_string(&file).unwrap() == *text,
                "{} is not the slow checker's",
                file.display()
            );
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
    let replaced = |from: &str, to: &str| format!("3\nX\n2\n{BOARDS}").replacen(from, to, 1);
    let battle = |second: &str| format!("4\nX\n1\n1\n{second}\n2\n2\n{BOARDS}");
    let cases: Vec<(String, usize)> = vec![
        (replaced("48", "10001"), 6),
        (replaced("48", "65537"), 6),
        (replaced("48", "4294967296"), 6),
        (replaced("48", "-5"), 6),
        (replaced("48", "many"), 6),
        (replaced("48", "4.8"), 6),
        (replaced("48 9", "48"), 6),
        (replaced("48 9", "48 9 9"), 6),
        (replaced("20 12 10 6 2\n", ""), 8),
        (replaced("***O*\n", ""), 13),
        (replaced("***O*", "***Q*"), 11),
        (replaced("***O*", "***o*"), 11),
        (replaced("***O*", "***O"), 11),
        (replaced("***O*", "***O**"), 11),
        (replaced("*****\n", "*****\n*****\n"), 14),
        (replaced("3\nX", "7\nX"), 1),
        (replaced("3\nX", "0\nX"), 1),
        (replaced("3\nX", "-1\nX"), 1),
        (replaced("3\nX", "3\nY"), 2),
        (replaced("X\n2\n", "X\n0\n"), 3),
        (replaced("X\n2\n", "X\n-3\n"), 3),
        (replaced("X\n2\n", "X\n101\n"), 3),
        (replaced("X\n2\n", "X\n99999999999999999999\n"), 3),
        (replaced("X\n2\n", "X\n2.5\n"), 3),
        (battle("X"), 5),
        (battle("Z"), 5),
        (battle("O").replacen("O\n2\n2", "O\n4\n2", 1), 6),
        (battle("O").replacen("O\n2\n2", "O\n2\n0", 1), 7),
        (String::new(), 1),
        ("task\n".to_string(), 1),
        (format!("SINGLE\nX\n0\n{BOARDS}"), 3),
        (format!("SINGLE\nX\n1\n{BOARDS}").replacen("48", "10001", 1), 6),
        (format!("SINGLE\nX\n1\n{}{}", BOARDS.split_at(71).0, "XXXXX\n".repeat(5)), 9),
    ];
    for (text, line) in cases {
        agent().refuses(text, line, "");
    }
}

#[test]
fn a_value_above_10_000_is_refused_with_what_was_expected_and_found() {
    for head in [
        "1\nX\n1\n",
        "2\nX\n1\n",
        "3\nX\n1\n",
        "4\nX\n1\n1\nO\n1\n1\n",
        "SINGLE\nX\n1\n",
        "GAME\nO\n1\n",
    ] {
        let line = head.lines().count() + 3;
        let text = format!("{head}{BOARDS}").replacen("48", "10001", 1);
        agent().refuses(text, line, "expected 5 values from 0 to 10000, found '10001'");
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
    // The log has several lines for a node, but the reference search counts each node once.
    use engine::reference;
    use engine::search::Knowledge;
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

/// The final difference of the sums for the side that moves first, of a game between two players.
fn difference_of_game(position: &Position, players: [&dyn Fn(&Position) -> Move; 2]) -> i32 {
    let (mut position, side) = (position.clone(), position.side_to_move());
    for player in players.into_iter().cycle() {
        if position.outcome().is_some() {
            break;
        }
        position.play(player(&position));
    }
    position.difference(side)
}

#[test]
fn a_battle_file_holds_the_moves_of_its_two_players_in_turn() {
    let Homework::Battle { mut position, players } =
        homework::read(&format!("4\nX\n3\n2\nO\n2\n2\n{BOARDS}")).unwrap()
    else {
        unreachable!()
    };
    let mut trace = String::new();
    for player in players.iter().cycle() {
        let Some(mv) = homework::play(&position, *player, &mut ()) else { break };
        position.play(mv);
        trace += &squirrels::board_lines(&position);
    }
    assert_eq!(trace, files_of(&format!("4\nX\n3\n2\nO\n2\n2\n{BOARDS}"), &[])["trace_state.txt"]);
}

#[test]
fn an_exact_player_gets_the_value_against_itself_and_no_less_against_another() {
    let Homework::Battle { mut position, players } =
        homework::read(&format!("4\nX\n3\n2\nO\n2\n2\n{BOARDS}")).unwrap()
    else {
        unreachable!()
    };
    // Fourteen squares are left.
    for square in ["A1", "A2", "A5"] {
        position.play(Move(square.parse().unwrap()));
    }
    let table = Table::new(Table::LEAST_BYTES);
    let solve = |position: &Position| {
        Solver::new(position.values(), &table, |_, _| false).solve(position, |_, _| ()).unwrap()
    };
    let exact = |position: &Position| Move(solve(position).best);
    let alpha_beta = |position: &Position| homework::play(position, players[0], &mut ()).unwrap();
    let value = solve(&position).value;
    assert!(difference_of_game(&position, [&exact, &alpha_beta]) >= value);
    assert_eq!(difference_of_game(&position, [&exact, &exact]), value);
}
