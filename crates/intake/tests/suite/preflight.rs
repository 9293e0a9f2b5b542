//! Tests of `judge try`: typical mistakes of students, each made in Halma's starter in Python, and the judge's advice.

use crate::common::{self, judge};
use std::fs;
use std::path::Path;
use std::process::Command;
use testing::{needs, text};

/// The starter that the mistakes are made in.
fn starter() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py");
    fs::read_to_string(path).unwrap()
}

/// Tries a program in Python, with short games; returns the exit code and the judge's output.
fn try_program(program: &str) -> (i32, String) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("agent.py"), program).unwrap();
    let words = ["try", "--game", "halma", "--plies", "4", "--cmd", "python3 agent.py"];
    let output = judge(place.path()).args(words).output().unwrap();
    (output.status.code().unwrap(), text(&output.stdout) + &text(&output.stderr))
}

const WRITE: &str = r#"file.write(f"{kind} {x},{y} {to_x},{to_y}\n")"#;
const OPEN: &str = r#"with open("output.txt", "w", newline="\n") as file:"#;
const PATH: &str = "zip(best, best[1:])";

/// Makes mistakes in the starter, each a text in it, the text in its place, and words that the judge has to say.
#[track_caller]
fn are_told(mistakes: &[(&str, &str, &str)]) {
    needs("python3");
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
        (OPEN, "import sys\n    file = sys.stdout\n    if True:", "the move is on standard output"),
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
        (PATH, "list(zip(best, best[1:])) + [(best[-1], best[0])]", "to fix it: "),
        (r#"side, clock = lines[1][0]"#, r#"side, clock = "W""#, "play the side that line 2"),
        (
            "return leaving or [m for",
            "return [m for m in found if m[0] not in own] or [m for",
            "look for moves out of it first",
        ),
        (
            "    found = [m for m in found if not (m[0] in target",
            "    fled = [m for m in found if m[0] in target and m[-1] not in target]\n    if fled:\n        return fled\n    \
             found = [m for m in found if not (m[0] in target",
            "leave out moves that begin in the opposing camp",
        ),
    ]);
}

#[test]
fn a_crash_ends_the_try_with_the_whole_standard_error() {
    are_told(&[
        ("ROW = 18", "def search():\n    search()\n\n\nsearch()\nROW = 18", "give it a depth"),
        ("import random", "import random\nimport nonumpy", "that module is missing here"),
        ("float(lines[2])", "int(lines[2])", "read the seconds in line 3 with float()"),
        ("ROW = 18", "ROW == = 18", "does not even start"),
        (r##" + "#" * 2 * ROW)"##, ")", "an index left the board"),
    ]);
    let (_, told) = try_program(&starter().replacen("ROW = 18", "1 / 0", 1));
    assert!(told.contains("Traceback (most recent call last):") && told.contains("1 / 0"), "{told}");
    assert!(told.contains("The try ends here") && !told.contains("\n 2  "), "{told}");
}

#[test]
fn a_program_that_does_not_keep_to_the_clock_or_its_exit_code_is_told_so() {
    let late = "import time\n    while clock < 1 and time.process_time() < 0.8:\n        pass\n    best = choose(";
    // In three of the positions; each uses up its clock.
    let endless = "while lines[:2] == ['SINGLE', 'BLACK']:\n        pass\n    best = choose(";
    let end = "\nmain()\n";
    are_told(&[
        ("best = choose(", endless, "the program never ended: an endless loop"),
        ("best = choose(", late, "line 3 of input.txt is the CPU time in seconds"),
        (end, &format!("{end}raise SystemExit(3)\n"), "exit with code 0"),
    ]);
}

#[test]
fn a_program_that_answers_all_positions_plays_two_games_against_different_players() {
    needs("python3");
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("agent.py"), starter()).unwrap();
    let words = ["try", "--game", "halma", "--cmd", "python3 agent.py", "--plies", "16"];
    let told = text(&common::run(place.path(), &words, 0).stdout);
    assert!(told.starts_with("rules: addendum (others: --rules base)\nHalma (16 x 16): python3 agent.py\n"), "{told}");
    let last = told.lines().find(|line| line.starts_with("10  ")).unwrap();
    assert!(last.contains("0.05 s + ") && last.contains(" s to start, "), "{told}");
    let games: Vec<&str> = told.lines().filter(|line| line.contains("a game as")).collect();
    assert!(games.len() == 2 && games.iter().all(|game| game.contains("16 plies, no fault")), "{told}");
    assert!(games[0].contains("as BLACK against greedy") && games[1].contains("as WHITE against minimax:2"), "{told}");
}

#[test]
fn a_fault_late_in_a_game_is_told_with_its_position() {
    needs("python3");
    // In the games, Black is silent as soon as one of its pieces is past its camp; the positions are all answered.
    let place = tempfile::tempdir().unwrap();
    let asleep = "rows = lines[3:19]\n    if lines[:2] == ['GAME', 'BLACK'] and 'B' in ''.join(rows[6:]):\n        raise SystemExit\n";
    fs::write(place.path().join("agent.py"), starter().replacen("rows = lines[3:19]", asleep, 1)).unwrap();
    let told = text(&common::run(place.path(), &["try", "--game", "halma", "--cmd", "python3 agent.py"], 1).stdout);
    assert!(told.contains("a game as BLACK against greedy                   WRONG"), "{told}");
    assert!(told.contains("to fix it: ") && told.contains("the board:"), "{told}");
}

#[test]
#[ignore = "needs java"]
fn classes_are_found_in_the_folder_and_elsewhere_by_the_advice() {
    needs("javac");
    needs("java");
    let place = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/wolves/java/Agent.java");
    for folder in [".", "build"] {
        let mut compiler = Command::new("javac");
        let output = compiler.args(["-d", folder]).arg(&source).current_dir(place.path()).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let java = |words: &[&str]| {
        let words = [&["try", "--game", "wolves", "--plies", "4", "--cmd", "java -cp . Agent"], words].concat();
        let output = judge(place.path()).args(words).output().unwrap();
        text(&output.stdout)
    };
    let is_found =
        |told: &str| assert!(told.contains("\n 9  100 s for the whole game") && !told.contains("main class"), "{told}");
    is_found(&java(&[]));
    fs::remove_file(place.path().join("Agent.class")).unwrap();
    let told = java(&[]);
    assert!(
        told.contains("name the directory of the classes with --dir: --cmd 'java -cp . Main' --dir DIRECTORY"),
        "{told}"
    );
    is_found(&java(&["--dir", "build"]));
}

#[test]
fn the_positions_can_be_had_as_files_in_every_game() {
    let place = tempfile::tempdir().unwrap();
    for game in games::all() {
        let name = game.name;
        let told = text(&common::run(place.path(), &["try", "--game", name, "--positions", name], 0).stdout);
        assert_eq!(told.lines().count(), 10, "{told}");
        for number in 1..=10 {
            let file = fs::read_to_string(place.path().join(format!("{name}/{number}.txt"))).unwrap();
            game.rules.read_task(&file, None).unwrap().unwrap();
        }
        assert!(told.lines().last().unwrap().contains("0.05 s on the clock"), "{told}");
    }
}

#[test]
fn the_games_are_played_on_the_grader_s_clock_and_starts_that_use_it_up_are_told() {
    let place = tempfile::tempdir().unwrap();
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    assert!(Command::new("cp").arg("-R").arg(starter).arg(place.path().join("game")).status().unwrap().success());
    let agent = fs::read_to_string(place.path().join("game/python/agent.py")).unwrap();
    let slow = format!("import time\nwhile time.process_time() < 0.3: pass\n{agent}");
    fs::write(place.path().join("agent.py"), slow).unwrap();
    let words = ["try", "--game", "./game", "--cmd", "python3 agent.py", "--clock"];
    let said = text(&common::run(place.path(), &[&words[..], &["0.7"]].concat(), 1).stdout);
    assert!(said.contains("used ") && said.contains("the clock had"), "{said}");
    assert!(said.contains("on this clock of 0.7 s for a game its start alone takes 1."), "{said}");
    let said = text(&common::run(place.path(), &[&words[..], &["60"]].concat(), 0).stdout);
    assert!(said.contains("All is well") && !said.contains("its start alone"), "{said}");
    let said = text(&common::run(place.path(), &[&words[..], &["soon"]].concat(), 2).stderr);
    assert!(said.contains("expected a positive number of seconds"), "{said}");
}

#[test]
fn a_game_that_is_lost_by_a_rule_is_wrong() {
    needs("python3");
    let place = tempfile::tempdir().unwrap();
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/foxgame/python/agent.py");
    let agent = fs::read_to_string(starter).unwrap();
    // It brings a board back as soon as it can, which FoxGame's rules punish.
    let (right, wrong) = ("not in earlier", "in earlier");
    assert!(agent.contains(right));
    fs::write(place.path().join("agent.py"), agent.replace(right, wrong)).unwrap();
    let words = ["try", "--game", "foxgame", "--cmd", "python3 agent.py"];
    let said = text(&common::run(place.path(), &words, 1).stdout);
    assert!(said.contains("WRONG") && said.contains("lost the game at once, which "), "{said}");
    assert!(said.contains("deadlock") && said.contains("Not yet: "), "{said}");
}
