//! Rules with one mistake each: what `judge rules-test` says of them, and that no student loses a
//! point by them once they are mended.

use crate::common::{judge, run};
use crate::own_game::{change_rules, program, tic_tac_toe};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, folder, text};

/// A text in rules.py, what stands in its place, and what the test says: `wrong: ` and some words,
/// or `note: ` and some words; nothing of a mistake that only somebody who knows the game can see.
const MISTAKES: [(&str, &str, &str); 40] = [
    ("        return move\n", "        return move[::-1]\n", "wrong: read, write: the move "),
    (
        "if square == \".\"]",
        "if square == \".\" and state[5] != \"O\"]",
        "wrong: expected moves, each once",
    ),
    (" if square == \".\"]", "]", ""),
    ("return [name for", "return 2 * [name for", "wrong: expected moves, each once"),
    ("return [name for", "return [NAMES.index(name) for", "wrong: expected moves, each once"),
    (
        "(\"O\" if state[0] == \"X\" else \"X\") + \"\".join",
        "state[0] + \"\".join",
        "note: O has won no game",
    ),
    ("        return (\"O\" if", "        (\"O\" if", "wrong: TypeError"),
    ("board = list(state[1:])", "board = list(state[1:]); NAMES.reverse()", "wrong: "),
    ("{\"winner\": side,", "{\"winner\": name,", "wrong: expected 0 or 1"),
    ("{\"winner\": side,", "{\"winner\": side + 1,", "wrong: a side is 0 or 1"),
    (
        "return None if \".\" in state else",
        "return None if state else",
        "wrong: expected moves, each once",
    ),
    (
        "{\"winner\": side,",
        "{\"winner\": side, \"points\": 2 * side - 1,",
        "wrong: over: the points",
    ),
    ("{\"winner\": side,", "{\"winner\": side, \"points\": 0.5 - side,", "wrong: over: the points"),
    ("{\"winner\": side,", "{\"winner\": side, \"points\": float(\"nan\"),", "wrong: ValueError"),
    ("{\"winner\": None,", "{\"winner\": None, \"points\": 1,", "wrong: over: the points"),
    ("clocks[self.turn(state)]", "clocks[1 - self.turn(state)]", "wrong: task, position: side "),
    ("[state[0], \"%.3f\"", "[\"%.3f\"", "wrong: position: refuses the file"),
    ("clocks[self.turn(state)]", "clocks[2]", "wrong: IndexError"),
    (
        "    def read(",
        "    def write(self, state, move):\n        return move[::-1]\n\n    def read(",
        "wrong: read",
    ),
    ("move = text.strip()", "move = text.strip()[0:3]; text[0]", "wrong: IndexError"),
    ("line=1)\n        if move in", "line=\"one\")\n        if move in", "wrong: invalid type"),
    ("Refused(\"illegal\", move", "Refused(\"forbidden\", move", ""),
    ("return lines[0] + ", "return \"X\" + ", "wrong: "),
    ("\"\".join(lines[2:5]), ", "\"\".join(lines[4:1:-1]), ", "wrong: position, task: the file"),
    ("return free[state[0]] - free", "return free and \"good\" or free", "wrong: invalid type"),
    ("return \"\\n\".join(\" \".join", "return list(\" \".join", "wrong: invalid type"),
    (
        "[list(state[row : row + 3])",
        "[list(state[row : row + row])",
        "wrong: expected rows of 'cells'",
    ),
    ("for part in move.split", "for part in (move + \"9\").split", "wrong: the square ["),
    ("return \"XO\".index(state[0])", "print(state)\n        return \"XO\".index(state[0])", ""),
    (
        "return \"XO\".index(state[0])",
        "raise SystemExit",
        "wrong: exit code 0 (at the end of rules.py has to be run",
    ),
    ("class TicTacToe(Game):", "class TicTacToe(Game)", "wrong: SyntaxError"),
    ("        board = list(", "\tboard = list(", "wrong: rules.py, line "),
    ("import re\n", "import re, no_such_module\n", "wrong: ModuleNotFoundError"),
    (
        "    run(TicTacToe())",
        "    pass",
        "wrong: exit code 0 (at the end of rules.py has to be run",
    ),
    ("zip(NAMES, state[1:])", "sorted(zip(NAMES, state[1:]), key=hash)", "wrong: answered"),
    (
        "NAMES.index(move)] = ",
        "NAMES.index(move) * (__import__(\"random\").random() > 0.2)] = ",
        "wrong: two processes",
    ),
    ("        return (\"O\" if", "        return set(board) or (\"O\" if", "wrong: TypeError"),
    (
        "        return (\"O\" if",
        "        return {1: board} or (\"O\" if",
        "wrong: a dict in a state has texts",
    ),
    (
        "return \"XO\".index(state[0])",
        "open(\"/home/teacher/book.txt\")",
        "wrong: see no other file of yours",
    ),
    ("\"winner\": None, ", "", ""),
];

/// The points of a grading of one student.
fn points(place: &Path) -> Option<String> {
    let words = "grade-all --game ./game class --scheme scheme.toml --cmd ./agent.sh --csv grades.csv --resume";
    let graded = judge(place).args(words.split_whitespace()).output().unwrap();
    let said = text(&graded.stderr);
    match graded.status.code() {
        Some(0) => {
            let grades = place.read("grades.csv");
            Some(grades.lines().nth(1).unwrap().split(',').take(3).collect::<Vec<_>>().join(","))
        }
        Some(2) => None,
        code => panic!("{code:?}: {said}"),
    }
}

/// Tests these mistakes one after the other, and returns the number of those that the test of rules
/// does not tell.
fn try_mistakes(mistakes: &[(&str, &str, &str)]) -> usize {
    let place = folder();
    tic_tac_toe(&place);
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 10\nreference = \"random\"\nclock = 60\n";
    place.write("scheme.toml", scheme);
    let agent = place.read("agent.sh");
    program(&place.join("class/ann"), "agent.sh", agent.split_once('\n').unwrap().1);
    let right = points(&place).unwrap();
    let good = place.read("game/rules.py");
    for (from, to, words) in mistakes {
        place.write("game/rules.py", &good);
        change_rules(&place, from, to);
        let code = i32::from(words.starts_with("wrong: "));
        let (kind, words) = words.split_once(": ").unwrap_or_default();
        let said = judge(&place)
            .args(["rules-test", "./game", "--games", "20", "--time", "300"])
            .output()
            .unwrap();
        assert_eq!(
            said.status.code(),
            Some(code),
            "{to}: {}{}",
            text(&said.stdout),
            text(&said.stderr)
        );
        assert!(text(&said.stdout).contains(kind), "{to}: {}", text(&said.stdout));
        assert!(text(&said.stdout).contains(words), "{to}: {}", text(&said.stdout));
        for file in ["grades.csv", "grades.jsonl"] {
            let _ = fs::remove_file(place.join(file));
        }
        let by_wrong_rules = points(&place);
        place.write("game/rules.py", &good);
        let points = points(&place);
        // The luck of `random` is another one where each process has the moves in an order of its own.
        assert!(points.as_ref() == Some(&right) || to.contains("hash"), "{to}: {by_wrong_rules:?}");
        // Games that were played again stay in the record before those that count.
        let record = place.read("grades.jsonl");
        let ends = record.lines().filter(|line| line.starts_with("{\"event\":\"end\""));
        let game = |end: &str| serde_json::from_str::<Value>(end).unwrap()["game"].to_string();
        let counted: BTreeMap<String, &str> = ends.map(|end| (game(end), end)).collect();
        assert!(!counted.is_empty(), "{to}: {record}");
        assert!(counted.values().all(|end| !end.contains("\"fault\":{")), "{to}: {counted:?}");
    }
    mistakes.iter().filter(|(_, _, words)| words.is_empty()).count()
}

#[test]
#[ignore = "long"]
fn of_forty_mistakes_in_rules_most_are_told_and_none_costs_a_student_a_point() {
    let untold: Vec<_> = std::thread::scope(|scope| {
        let chunks: Vec<_> =
            MISTAKES.chunks(5).map(|chunk| scope.spawn(|| try_mistakes(chunk))).collect();
        chunks.into_iter().map(|chunk| chunk.join()).collect()
    });
    assert_eq!(untold.into_iter().map(Result::unwrap).sum::<usize>(), 4);
}

#[test]
fn a_test_of_rules_keeps_to_its_time_and_says_how_much_it_has_seen() {
    let place = folder();
    tic_tac_toe(&place);
    let said = run(&place, "rules-test ./game", 0).stdout;
    assert_has(
        &said,
        [
            "All is well.",
            "perft from the start: 9 72 504 3024",
            " moves there; of the positions of the last games ",
        ],
    );
    // A thousand moves, each in 20 ms.
    let slow = "import time\n        time.sleep(0.02)\n        board = list(state[1:])";
    change_rules(&place, "board = list(state[1:])", slow);
    let begin = std::time::Instant::now();
    let said = run(&place, "rules-test ./game --time 4", 0).stdout;
    assert!(begin.elapsed().as_secs() < 30, "{said}");
    assert_has(&said, ["; --time SECONDS tests more", "(the time was over)"]);
}

#[test]
fn rules_that_reach_outside_or_wait_are_told_why_at_once() {
    let place = folder();
    let test = |from: &str, to: &str, code| {
        let _ = fs::remove_dir_all(place.join("game"));
        tic_tac_toe(&place);
        change_rules(&place, from, to);
        run(&place, "rules-test ./game --games 3", code)
    };
    let turn = "return \"XO\".index(state[0])";
    let begin = std::time::Instant::now();
    assert_has(test(turn, "return int(input())", 1).stdout, ["input() reads nothing"]);
    assert!(begin.elapsed().as_secs() < 9);
    let outside = "see no other file of yours";
    assert_has(test(turn, "return open('/home/teacher/a').read()", 1).stdout, [outside]);
    assert_has(test("import re\n", "import re\nopen('/home/teacher/a')\n", 1).stdout, [outside]);
    // The copy of the folder can be written to.
    let writes = "open('notes.txt', 'a').write('x'); return \"XO\".index(state[0])";
    assert_has(test(turn, writes, 0).stdout, ["All is well."]);
    assert!(!place.join("game/notes.txt").exists());
    let toml = place.read("game/game.toml");
    for (from, to, words) in [
        ("sides = [", "sides = [\"Z\", ", "sides: expected two words, found 3"),
        (
            "python3 rules.py",
            "C:\\users\\x",
            "(write a backslash twice, or the text in single quotes",
        ),
    ] {
        assert_has(&toml, [from]);
        place.write("game/game.toml", toml.replace(from, to));
        assert_has(run(&place, "rules-test ./game", 2).stderr, [words]);
    }
}
