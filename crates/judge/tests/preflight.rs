//! `judge try`: typical mistakes of students, each made in the starter for Halma in Python, and what the judge says to do about
//! them.

mod common;

use common::{judge, text};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The starter that the mistakes are made in.
fn starter() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py");
    fs::read_to_string(path).unwrap()
}

/// Whether there is Python; a word if not.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: there is no python3 here");
    }
    found
}

/// Tries a program in Python; its exit code and what the judge prints.
fn try_program(program: &str) -> (i32, String) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("agent.py"), program).unwrap();
    let words = ["try", "--game", "halma", "--cmd", "python3 agent.py"];
    let output = judge(place.path()).args(words).output().unwrap();
    (output.status.code().unwrap(), text(&output.stdout) + &text(&output.stderr))
}

const WRITE: &str = r#"file.write(f"{kind} {x},{y} {to_x},{to_y}\n")"#;
const OPEN: &str = r#"with open("output.txt", "w", newline="\n") as file:"#;
const PATH: &str = "zip(best or [], best[1:] if best else [])";

/// Makes mistakes in the starter, each a text in it, the text in its place, and words that the judge has to say.
#[track_caller]
fn are_told(mistakes: &[(&str, &str, &str)]) {
    if !has_python() {
        return;
    }
    for &(right, wrong, words) in mistakes {
        let program = starter();
        assert!(program.contains(right), "{right}");
        let (code, told) = try_program(&program.replacen(right, wrong, 1));
        assert!(code == 1 && told.contains(words), "{wrong}: expected exit code 1 and '{words}', found {code}\n{told}");
    }
}

#[test]
fn an_output_file_that_is_not_where_it_should_be_is_found() {
    are_told(&[
        (OPEN, r#"with open("Output.txt", "w") as file:"#, "the name has to be output.txt, in small letters"),
        (OPEN, r#"with open(__file__.replace("agent.py", "output.txt"), "w") as file:"#, "without a directory"),
        (OPEN, "import sys\nfile = sys.stdout\nif True:", "the move is on standard output"),
        (r#"open("input.txt")"#, r#"open("/home/me/input.txt")"#, "read 'input.txt' without a directory"),
    ]);
}

#[test]
fn bytes_that_some_graders_refuse_are_named() {
    are_told(&[
        (WRITE, r#"file.write(f"{kind} {x},{y} {to_x},{to_y}")"#, "no line end after the last line"),
        (WRITE, r#"file.write(f"{kind} {x},{y} {to_x},{to_y}\r\n")"#, "lines end with CR LF"),
        (WRITE, r#"file.write(f"{kind}  {x},{y} {to_x},{to_y}\n")"#, "more than one blank"),
        (WRITE, r#"file.write(f"{kind} {x},{y} {to_x},{to_y} \n")"#, "blanks at the end of a line"),
        (r#"newline="\n") as"#, r#"encoding="utf-16") as"#, "not as UTF-16"),
    ]);
}

#[test]
fn moves_that_are_written_in_another_form_are_told_what_the_slip_is() {
    are_told(&[
        (WRITE, r#"file.write(f"{kind} ({x}, {y}) ({to_x}, {to_y})\n")"#, "without brackets, quotes"),
        (WRITE, r#"file.write(f"{kind} {y},{x} {to_y},{to_x}\n")"#, "coordinates are swapped"),
        (WRITE, r#"file.write(f"{kind} {x + 1},{y + 1} {to_x + 1},{to_y + 1}\n")"#, "count from 0"),
        (WRITE, r#"file.write(f"{kind} {x},{y} {to_x},{to_y}\n".lower())"#, "capital and small letters"),
        (WRITE, r#"file.write(f"score 7\n{kind} {x},{y} {to_x},{to_y}\n")"#, "print everything else to standard error"),
        (WRITE, r#"file.write(f"{x},{y} {to_x},{to_y}\n")"#, "begin each line with its kind"),
    ]);
}

#[test]
fn moves_that_the_rules_forbid_are_told_how_to_find_others() {
    are_told(&[
        (r#"kind = "E" if"#, r#"kind = "E" if True or"#, "J is a jump"),
        (PATH, "[(best[0], best[-1])]", "each jump passes over one piece and has a line of its own"),
        (PATH, "list(zip(best, best[1:])) + [(best[-1], best[0])]", "to mend it: "),
        (r#"side, seconds = lines[1]"#, r#"side, seconds = "WHITE""#, "play the side that line 2"),
        (
            "legal = leaving or [m for",
            "legal = [m for m in legal if m[0] not in own] or [m for",
            "look for moves out of it first",
        ),
        (
            "legal = leaving or [m for",
            "legal = [m for m in moves() if m[0] in target and m[-1] not in target] or leaving or [m for",
            "leave out moves that begin in the opposing camp",
        ),
    ]);
}

#[test]
fn a_crash_ends_the_try_with_the_whole_standard_error() {
    are_told(&[
        ("SIZE = 16", "def search():\n    search()\n\n\nsearch()\nSIZE = 16", "give it a depth"),
        ("import time", "import time\nimport nonumpy", "graders have the standard library alone"),
        ("float(lines[2])", "int(lines[2])", "read the seconds in line 3 with float()"),
        ("SIZE = 16", "SIZE == = 16", "does not even start"),
        ("rows = lines[3:3 + SIZE]", "rows = lines[3:9]", "an index left the board"),
    ]);
    if has_python() {
        let (_, told) = try_program(&starter().replacen("SIZE = 16", "1 / 0", 1));
        assert!(told.contains("Traceback (most recent call last):") && told.contains("1 / 0"), "{told}");
        assert!(told.contains("The try ends here") && !told.contains("\n 2  "), "{told}");
    }
}

#[test]
fn a_program_that_does_not_keep_to_the_clock_or_its_exit_code_is_told_so() {
    let late = "while time.process_time() < 0.3:\n    pass\nbest = None";
    are_told(&[
        ("best = None", "while True:\n    pass", "it never ended: an endless loop"),
        ("best = None", late, "line 3 of input.txt is the CPU time in seconds"),
        (WRITE, &format!("{WRITE}\nraise SystemExit(3)"), "end with exit code 0"),
    ]);
}

#[test]
fn a_program_that_answers_all_positions_plays_two_games_against_different_players() {
    if !has_python() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("agent.py"), starter()).unwrap();
    let words = ["try", "--game", "halma", "--cmd", "python3 agent.py", "--plies", "16"];
    let told = text(&common::run(place.path(), &words, 0).stdout);
    let games: Vec<&str> = told.lines().filter(|line| line.contains("a game as")).collect();
    assert!(games.len() == 2 && games.iter().all(|game| game.contains("16 plies, no fault")), "{told}");
    assert!(games[0].contains("as BLACK against greedy") && games[1].contains("as WHITE against minimax:2"), "{told}");
}

#[test]
fn a_fault_late_in_a_game_is_told_with_its_position() {
    if !has_python() {
        return;
    }
    // In the games, Black is silent as soon as one of its pieces is past the middle; the positions are all answered.
    let place = tempfile::tempdir().unwrap();
    let asleep = "rows = lines[3:3 + SIZE]\nif lines[:2] == ['GAME', 'BLACK'] and 'B' in ''.join(rows[8:]):\n    raise SystemExit\n";
    fs::write(place.path().join("agent.py"), starter().replacen("rows = lines[3:3 + SIZE]", asleep, 1)).unwrap();
    let told = text(&common::run(place.path(), &["try", "--game", "halma", "--cmd", "python3 agent.py"], 1).stdout);
    assert!(told.contains("a game as BLACK against greedy                   WRONG"), "{told}");
    assert!(told.contains("to mend it: ") && told.contains("the board:"), "{told}");
}

#[test]
fn the_positions_can_be_had_as_files_in_every_game() {
    let place = tempfile::tempdir().unwrap();
    for game in ["halma", "wolves", "squirrels", "foxgame", "foxgeese"] {
        let told = text(&common::run(place.path(), &["try", "--game", game, "--positions", game], 0).stdout);
        assert_eq!(told.lines().count(), 10, "{told}");
        for number in 1..=10 {
            common::run(place.path(), &["show", game, &format!("{game}/{number}.txt")], 0);
        }
        assert!(told.lines().last().unwrap().contains("0.05 s on the clock"), "{told}");
    }
}
