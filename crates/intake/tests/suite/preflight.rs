//! Tests of `judge try` with mistakes in Halma's starter in Python.

use crate::{judge, run};
use std::fs;
use std::path::Path;
use std::process::Command;
use testing::archive::zip;
use testing::{Folder, Words, assert_has, assert_lacks, class, folder, needs, text};

fn starter() -> String {
    class::starter("python/agent.py")
}

/// Tries a program in Python; returns what the judge prints.
#[track_caller]
fn tried(program: &str, options: &str, code: i32) -> String {
    needs("python3");
    let place = folder();
    place.write("agent.py", program);
    let printed = run(&place, &format!("try --cmd 'python3 agent.py' {options}"), code);
    printed.stdout + &printed.stderr
}

const SHORT: &str = "--game halma --plies 4";
const WRITE: &str = r#"file.write(f"{kind} {x},{y} {to_x},{to_y}\n")"#;
const OPEN: &str = r#"with open("output.txt", "w", newline="\n") as file:"#;
const PATH: &str = "zip(best, best[1:])";

/// Each mistake is a text in the starter, what stands in its place, and words of the judge.
#[track_caller]
fn are_told(mistakes: &[(&str, &str, &str)]) {
    for &(right, wrong, words) in mistakes {
        println!("{wrong}");
        assert_has(starter(), [right]);
        assert_has(tried(&starter().replacen(right, wrong, 1), SHORT, 1), [words]);
    }
}

#[test]
fn what_is_handed_in_is_taken_in_as_by_an_intake_and_tried() {
    needs("python3");
    let (starter, place) = (starter(), folder());
    let agent: &[u8] = starter.as_bytes();
    let uses = starter.replacen("import random", "import random\nimport helper", 1);
    let (uses, helper): (&[u8], &[u8]) = (uses.as_bytes(), b"DEPTH = 2\n");
    let tried = |name: &str, files: &[(&str, &[u8])], code| {
        place.write(name, zip(files));
        run(&place, &format!("try {SHORT} --hand-in {name}"), code)
    };
    let well = "All is well";
    let files = [("mine/homework.py", uses), ("mine/helper.py", helper)];
    tried("whole.zip", &files, 0).has(["command:  python3 homework.py\n", well]);
    let inner = zip(&[("player.py", agent)]);
    let mended = ["inner.zip was unpacked", "mended:   player.py is used as homework", well];
    tried("nested.zip", &[("inner.zip", &inner)], 0).has(mended);
    // What is wrong has its remedy.
    let put = "to fix it: put one program into empty.zip, its source and all files that it needs";
    tried("empty.zip", &[], 1).has(["problem:  nothing was handed in", put]);
    let several = ["problem:  several programs: a.py, b.cpp; keep one, or call it homework"];
    tried("two.zip", &[("a.py", agent), ("b.cpp", b"int main() {}")], 1).has(several);
    let missing = ["No module named 'helper'", "hand it in beside the program", "Not yet: "];
    tried("module.zip", &[("homework.py", uses)], 1).has(missing);
    // A folder holds all files, and a source alone is a hand-in.
    place.join("all").write("homework.py", "exit(1)\n");
    for path in ["all", "all/homework.py"] {
        let said = ["command:  python3 homework.py\n", "two positions in a row failed"];
        run(&place, &format!("try {SHORT} --hand-in {path}"), 1).has(said);
    }
    run(&place, &format!("try {SHORT} --hand-in none.zip"), 2).has(["none.zip: No such file"]);
    run(&place, &format!("try {SHORT} --hand-in two.zip --cmd a"), 2).has(["--hand-in"]);
}

#[test]
fn an_output_file_that_is_not_where_it_should_be_is_found() {
    are_told(&[
        (
            OPEN,
            r#"with open("Output.txt", "w") as file:"#,
            "the name has to be output.txt, in small letters",
        ),
        (
            OPEN,
            r#"with open(__file__.replace("agent.py", "output.txt"), "w") as file:"#,
            "without a directory",
        ),
        (OPEN, "import sys\n    file = sys.stdout\n    if True:", "the move is on standard output"),
        (
            r#"open("input.txt")"#,
            r#"open("/home/me/input.txt")"#,
            "read 'input.txt' without a directory",
        ),
    ]);
}

#[test]
fn moves_that_the_rules_forbid_are_told_how_to_find_others() {
    are_told(&[
        (
            WRITE,
            r#"file.write(f"score 7\n{kind} {x},{y} {to_x},{to_y}\r\n")"#,
            "print everything else to standard error",
        ),
        (r#"kind = "E" if"#, r#"kind = "E" if True or"#, "J is a jump"),
        (
            PATH,
            "[(best[0], best[-1])]",
            "each jump passes over one piece and has a line of its own",
        ),
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
fn the_same_crash_twice_ends_the_try_with_the_whole_standard_error() {
    let told = tried(&starter().replacen("ROW = 18", "1 / 0", 1), SHORT, 1);
    assert_has(&told, ["Traceback (most recent call last):", "1 / 0", "The try ends here"]);
    assert_lacks(&told, ["\n 3  "]);
    // A crash in one position does not keep the others from being tried.
    let once = "1 / (lines[0] == 'SINGLE')\n    rows = lines[3:19]";
    let told = tried(&starter().replacen("rows = lines[3:19]", once, 1), SHORT, 1);
    assert_has(&told, ["\n10  ", " went wrong", "\n11  a second turn"]);
    assert_lacks(&told, ["The try ends here"]);
}

#[test]
fn a_second_turn_finds_the_files_of_the_first_and_other_ends_of_lines_are_told() {
    let keeps = "import os\nif os.path.exists('turn'): 1 / 0\nopen('turn', 'w').close()\nROW = 18";
    are_told(&[(
        "ROW = 18",
        keeps,
        "\n11  a second turn, with the files of the first       WRONG",
    )]);
    let strict = r#"lines = open("input.txt", newline="").read().split("\n")"#;
    let program =
        starter().replacen(r#"lines = [line.strip() for line in open("input.txt")]"#, strict, 1);
    let told = tried(&program, SHORT, 0);
    assert_has(&told, ["with CR LF at the ends of the lines of input.txt", "strip() each line"]);
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
    let told = tried(&starter(), "--game halma --plies 16", 0);
    let first = "rules: addendum (others: --rules base)\nHalma (16 x 16): python3 agent.py\n";
    assert!(told.starts_with(first), "{told}");
    let last = told.lines().find(|line| line.starts_with("10  ")).unwrap();
    assert_has(last, ["0.05 s + ", " s to start, "]);
    let games: Vec<&str> = told.lines().filter(|line| line.contains("a game as")).collect();
    assert_eq!(games.len(), 2, "{told}");
    assert_has(&told, ["\nAll is well up to ply 16 of a game"]);
    assert_has(games[0], ["as BLACK against greedy", "16 plies, no fault"]);
    assert_has(games[1], ["as WHITE against minimax:2", "16 plies, no fault"]);
}

#[test]
fn a_fault_late_in_a_game_is_told_with_its_position() {
    // In the games, Black is silent when one of its pieces is past its camp.
    let asleep = "rows = lines[3:19]\n    if lines[:2] == ['GAME', 'BLACK'] and clock < 90 and 'B' in ''.join(rows[6:]):\n        raise SystemExit\n";
    let program = starter().replacen("rows = lines[3:19]", asleep, 1);
    let told = tried(&program, "--game halma --plies 40", 1);
    assert_has(
        &told,
        ["a game as BLACK against greedy                   WRONG", "to fix it: ", "the board:"],
    );
}

#[test]
#[ignore = "needs java"]
fn classes_are_found_in_the_folder_and_elsewhere_by_the_advice() {
    needs("javac");
    needs("java");
    let place = folder();
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/wolves/java/Agent.java");
    for folder in [".", "build"] {
        let mut compiler = Command::new("javac");
        let output =
            compiler.args(["-d", folder]).arg(&source).current_dir(&place).output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let java = |options: &str| {
        let words = format!("try --game wolves --plies 4 --cmd 'java -cp . Agent' {options}");
        text(&judge(&place).args(words.as_str().words()).output().unwrap().stdout)
    };
    let is_found = |told: &str| {
        assert_has(told, ["\n 9  100 s for the whole game"]);
        assert_lacks(told, ["main class"]);
    };
    is_found(&java(""));
    fs::remove_file(place.join("Agent.class")).unwrap();
    assert_has(java(""), ["name that with --dir: --cmd 'java -cp . Main' --dir DIRECTORY"]);
    is_found(&java("--dir build"));
}

#[test]
fn the_positions_can_be_had_as_files_in_every_game() {
    let place = folder();
    for game in games::all() {
        let name = game.name;
        let told = run(&place, &["try", "--game", name, "--positions", name], 0).stdout;
        assert_eq!(told.lines().count(), 10, "{told}");
        for number in 1..=10 {
            let file = place.read(format!("{name}/{number}.txt"));
            game.rules.read_task(&file, None).unwrap().unwrap();
        }
        assert_has(told.lines().last().unwrap(), ["0.05 s on the clock"]);
    }
}

#[test]
fn the_games_are_played_on_the_grader_s_clock_and_starts_that_use_it_up_are_told() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    let agent = game.read("python/agent.py");
    let tried = |seconds: &str, clock: &str, code| {
        let slow = format!("import time\nwhile time.process_time() < {seconds}: pass\n{agent}");
        tried(&slow, &format!("--game '{}' --clock {clock}", game.display()), code)
    };
    assert_has(
        tried("0.3", "0.7", 1),
        ["used ", "the clock had", "on this clock of 0.7 s for a game its start alone takes 1."],
    );
    let said = tried("0.1", "60", 0);
    assert_has(&said, ["All is well"]);
    assert_lacks(&said, ["its start alone"]);
    assert_has(tried("0.1", "soon", 2), ["expected a positive number of seconds"]);
}

#[test]
fn a_game_that_is_lost_by_a_rule_is_wrong() {
    let agent =
        Path::new(env!("CARGO_MANIFEST_DIR")).read("../../starters/foxgame/python/agent.py");
    // It brings a board back as soon as it can, which FoxGame's rules punish.
    let (right, wrong) = ("not in earlier", "in earlier");
    assert_has(&agent, [right]);
    // With a clock of its own a game is played to its end on a slow machine, too.
    let agent =
        agent.replace(right, wrong).replace("import random", "import random\nrandom.seed(1)");
    let said = tried(&agent, "--game foxgame --clock 100", 1);
    assert_has(&said, ["WRONG", "lost the game at once, which ", "deadlock", "Not yet: "]);
}
