//! Tests of the program `solve foxgame` on the most advanced flocks.

use crate::slow_solver;
use engine::conformance::Run;
use engine::{Advice, Game, Side};
use foxgame::board::Board;
use foxgame::endings::advice::advise;
use foxgame::endings::store::Endings;
use foxgame::endings::table::{LayerTable, file, subject};
use foxgame::rules::{FOX, SHEEP};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

fn solve(directory: &Path, arguments: &[&str]) -> Run {
    crate::solve("foxgame", directory, &[arguments, &["--out", "."]].concat())
}

fn endings(directory: &Path) -> Endings {
    Endings::new(directory.to_owned(), |error| panic!("{error}"))
}

#[test]
fn values_and_plies_are_those_of_a_plain_solver() {
    let directory = tempfile::tempdir().unwrap();
    // Flocks of 10 sheep with a sum of rows of 11 or 12, and of 9 sheep with one of up to 12.
    solve(directory.path(), &["--sheep", "10", "--layers", "2"]).succeeds();
    let endings = endings(directory.path());
    let values = slow_solver::solve(&[(9, 12), (10, 12)]);
    let mut seen = [0; 3];
    for (&(board, side), &expected) in &values {
        let found = endings.value(board, side).expect("the layer is solved");
        let found = found.map(|value| (value.winner, u32::from(value.plies)));
        assert_eq!(found, expected, "{board:?}, {side:?} to move");
        seen[found.map_or(2, |(winner, _)| winner.index())] += 1;
    }
    assert!(seen.iter().all(|&count| count > 1000), "{seen:?}");
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_tables() {
    let [whole, killed] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let arguments = ["--sheep", "9", "--layers", "9"];
    solve(whole.path(), &arguments);
    let mut command = Command::new(env!("CARGO_BIN_EXE_solve"));
    command.arg("foxgame").args(arguments).arg("--out").arg(killed.path());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !file(killed.path(), 9, 13).exists() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
    // A layer in the middle must be missing, even if the run ended before it was killed.
    let _ = fs::remove_file(file(killed.path(), 9, 15));
    solve(killed.path(), &arguments).succeeds();
    for sum in 9..=17 {
        let [expected, found] =
            [whole.path(), killed.path()].map(|path| fs::read(file(path, 9, sum)).unwrap());
        assert!(expected == found, "rows {sum}");
    }
}

#[test]
fn checks_pass_on_sound_tables_and_find_a_wrong_value() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--sheep", "10", "--layers", "2", "--verify", "--verify-random", "20000"];
    let output = solve(directory.path(), &arguments);
    output.succeeds();
    assert_eq!(output.stdout.matches(" 0 wrong").count(), 3, "{}", output.stdout);

    // A file with valid checksums and a wrong value.
    let path = file(directory.path(), 9, 12);
    let table = LayerTable::open(directory.path(), 9, 12).unwrap();
    let [mut fox, sheep] = Side::BOTH.map(|side| table.codes(side).unwrap().to_vec());
    let undecided = fox.iter().position(|&byte| byte & 15 == 0).unwrap();
    fox[undecided] |= 2;
    tables::write(&path, &subject(9, 12), &[&fox, &sheep, &[]]).unwrap();
    let output = solve(directory.path(), &arguments[..5]);
    assert_eq!(output.code, Some(1), "{}", output.stdout);
    assert!(output.stderr.contains("wrong: "), "{}", output.stderr);
}

#[test]
fn a_damaged_file_is_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let arguments = ["--sheep", "9", "--layers", "4"];
    solve(directory.path(), &arguments);
    let path = file(directory.path(), 9, 11);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    fs::remove_file(file(directory.path(), 9, 12)).unwrap();
    let Run { code, stderr: message, .. } = solve(directory.path(), &arguments);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("foxgame-1-09-11.table") && message.contains("damaged"), "{message}");
}

#[test]
fn the_agent_wins_what_is_won_whatever_is_replied() {
    let directory = tempfile::tempdir().unwrap();
    solve(directory.path(), &["--sheep", "10", "--layers", "3"]);
    let endings = endings(directory.path());
    let values = slow_solver::solve(&[(9, 13)]);
    let is_long_win = |&(&(_, side), &value): &(&(Board, Side), &slow_solver::Plain)| {
        value.is_some_and(|(winner, plies)| winner == side && plies >= 5)
    };
    let mut starts: Vec<_> = values.iter().filter(is_long_win).map(|(&start, _)| start).collect();
    starts.sort_by_key(|&(board, side)| (board.sheep.bits(), board.foxes.bits(), side.index()));
    let mut won = [0; 2];
    for (number, &(board, winner)) in starts.iter().enumerate().step_by(starts.len() / 200) {
        let mut position = foxgame::Position::new(board, winner);
        let mut turn = number;
        while position.outcome().is_none() {
            let moves = position.legal_moves();
            let mv = if position.side_to_move() == winner {
                let Advice::Move(mv, _) = advise(&position, &endings) else { panic!("{board:?}") };
                mv
            } else {
                turn = turn.wrapping_mul(31).wrapping_add(7);
                moves[turn % moves.len()]
            };
            position.play(mv);
        }
        assert_eq!(position.outcome().unwrap().winner(), Some(winner), "{board:?}");
        won[winner.index()] += 1;
    }
    assert!(won[FOX.index()] > 0 && won[SHEEP.index()] > 0, "{won:?}");
}

#[test]
fn flocks_that_have_lost_are_refused_with_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    for (sheep, reason) in [
        ("4", "with fewer than 9 sheep FOX has won"),
        ("17", "expected 9 to 16"),
        ("x", "expected 9 to 16"),
    ] {
        let Run { code, stderr, .. } = solve(directory.path(), &["--sheep", sheep]);
        assert!(code == Some(2) && stderr.contains(reason), "{stderr}");
    }
}
