//! Rules with one mistake each: what `judge rules-test` says of them, and that no student loses a
//! point by them once they are mended.

use crate::common::{judge, run};
use crate::own_game::{GRADING, PLAY, RULES, SETTINGS, remove_grades, tic_tac_toe, write_scheme};
use crate::own_game_terms::slow_down;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use testing::{Folder, assert_has, copy, repository};

/// A text in rules.py, what stands in its place, and what the test says: `wrong: ` and some words,
/// or `note: ` and some words; nothing of a mistake that only somebody who knows the game can see.
const MISTAKES: [(&str, &str, &str); 30] = [
    ("        return move\n", "        return move[::-1]\n", "wrong: read, write: the move "),
    (" if square == \".\"]", "]", ""),
    ("return [name for", "return 2 * [name for", "wrong: expected moves, each once"),
    ("        return (\"O\" if", "        (\"O\" if", "wrong: TypeError"),
    ("board = list(state[1:])", "board = list(state[1:]); NAMES.reverse()", "wrong: "),
    (
        "(\"O\" if state[0] == \"X\" else \"X\") + \"\".join",
        "state[0] + \"\".join",
        "note: O has won no game",
    ),
    ("{\"winner\": side,", "{\"winner\": name,", "wrong: expected 0 or 1"),
    (
        "{\"winner\": side,",
        "{\"winner\": side, \"points\": 2 * side - 1,",
        "wrong: over: the points",
    ),
    ("{\"winner\": side,", "{\"winner\": side, \"points\": float(\"nan\"),", "wrong: ValueError"),
    ("{\"winner\": None,", "{\"winner\": None, \"points\": 1,", "wrong: over: the points"),
    ("\"\".join(lines[2:5]), ", "\"\".join(lines[4:1:-1]), ", "wrong: position, task: the file"),
    ("clocks[self.turn(state)]", "clocks[1 - self.turn(state)]", "wrong: task, position: side "),
    ("[state[0], \"%.3f\"", "[\"%.3f\"", "wrong: position: refuses the file"),
    ("clocks[self.turn(state)]", "clocks[2]", "wrong: IndexError"),
    (
        "    def read(",
        "    def write(self, state, move):\n        return move[::-1]\n\n    def read(",
        "wrong: read",
    ),
    (
        "[list(state[row : row + 3])",
        "[list(state[row : row + row])",
        "wrong: expected rows of 'cells'",
    ),
    ("Refused(\"illegal\", move", "Refused(\"forbidden\", move", ""),
    ("line=1)\n        if move in", "line=\"one\")\n        if move in", "wrong: invalid type"),
    ("return free[state[0]] - free", "return free and \"good\" or free", "wrong: invalid type"),
    ("for part in move.split", "for part in (move + \"9\").split", "wrong: the square ["),
    ("class TicTacToe(Game):", "class TicTacToe(Game)", "wrong: SyntaxError"),
    ("return \"XO\".index(state[0])", "print(state)\n        return \"XO\".index(state[0])", ""),
    (
        "return \"XO\".index(state[0])",
        "raise SystemExit",
        "wrong: exit code 0 (at the end of rules.py has to be run",
    ),
    ("        board = list(", "\tboard = list(", "wrong: rules.py, line "),
    ("import re\n", "import re, no_such_module\n", "wrong: ModuleNotFoundError"),
    (
        "NAMES.index(move)] = ",
        "NAMES.index(move) * (__import__(\"random\").random() > 0.2)] = ",
        "wrong: two processes",
    ),
    ("zip(NAMES, state[1:])", "sorted(zip(NAMES, state[1:]), key=hash)", "wrong: answered"),
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

/// Makes a mistake, and expects what the test of rules says of it.
fn test(place: &Path, (from, to, said): (&str, &str, &str), options: &str) {
    place.edit(RULES, from, to);
    let code = i32::from(said.starts_with("wrong: "));
    let (kind, words) = said.split_once(": ").unwrap_or_default();
    run(place, &format!("rules-test ./game {options}"), code).has([kind, words]);
}

#[test]
fn every_fifth_mistake_in_rules_is_told() {
    // All of them are in the long test below.
    MISTAKES.iter().step_by(5).for_each(|mistake| test(&tic_tac_toe(), *mistake, "--games 20"));
}

fn points(place: &Path) -> Option<String> {
    let mut command = judge(place);
    let graded = command.args(GRADING.split(' ')).arg("--resume").output().unwrap();
    match graded.status.code() {
        Some(0) => {
            let grades = place.read("grades.csv");
            Some(grades.lines().nth(1).unwrap().split(',').take(3).collect::<Vec<_>>().join(","))
        }
        Some(2) => None,
        _ => panic!("{graded:?}"),
    }
}

/// Tests these mistakes one after the other, and that the points of a student are right once they
/// are mended.
fn try_mistakes(mistakes: &[(&str, &str, &str)]) {
    let place = tic_tac_toe();
    write_scheme(&place, "[[games]]\ncount = 2\npoints = 10\nreference = \"random\"\nclock = 60\n");
    place.join("class/ann").write_script("agent.sh", PLAY);
    let right = points(&place).unwrap();
    let good = place.read(RULES);
    for mistake @ (_, to, _) in mistakes {
        test(&place, *mistake, "--games 20 --time 300");
        remove_grades(&place);
        let by_wrong_rules = points(&place);
        place.write(RULES, &good);
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
}

#[test]
#[ignore = "long"]
fn of_thirty_mistakes_in_rules_most_are_told_and_none_costs_a_student_a_point() {
    thread::scope(|scope| {
        MISTAKES.chunks(5).for_each(|chunk| drop(scope.spawn(|| try_mistakes(chunk))));
    });
    assert_eq!(MISTAKES.iter().filter(|(.., said)| said.is_empty()).count(), 4);
}

#[test]
fn a_test_of_rules_keeps_to_its_requests_and_says_how_much_it_has_seen() {
    let place = tic_tac_toe();
    run(&place, "rules-test ./game", 0).has([
        "All is well.",
        "perft from the start: 9 72 504 3024\n",
        " moves there; of the positions of the last games ",
    ]);
    let said = run(&place, "rules-test ./game --requests 300", 3);
    let said = said.has(["; --requests COUNT tests more", "(the requests were over)"]);
    // The words do not depend on the speed of the machine.
    slow_down(&place, 0.02);
    assert_eq!(run(&place, "rules-test ./game --requests 300", 3).stdout, said.stdout);
}

#[test]
fn a_test_of_rules_names_what_it_has_not_seen() {
    let place = tic_tac_toe();
    copy(repository("crates/judge/tests/rules/endless/rules.py"), place.join(RULES));
    place.edit(SETTINGS, "plies = 9", "plies = 100000");
    let test = |requests: u32, code, words: &[&str]| {
        let said = run(&place, &format!("rules-test ./game --requests {requests}"), code);
        assert_eq!(said.stdout.contains("All is well."), code == 0, "{said:?}");
        words.iter().for_each(|words| assert_has(&said.stdout, [*words]));
    };
    let unfinished = "not seen: a finished game: 1 game was begun, the longest of ";
    test(2_000, 3, &[unfinished, "fewer `plies` in game.toml (100000 now)"]);
    test(2, 3, &["not seen: a finished game", "not seen: the answers of a second process"]);
    place.edit(SETTINGS, "plies = 100000", "plies = 4");
    test(6_000, 3, &["not seen: an end by the rules: all finished games reached the `plies`"]);
    place.edit(RULES, "LAST = 0", "LAST = 3");
    test(6_000, 0, &["asked again: a second process says the same"]);
    let refusal = "raise Refused(\"format\", \"expected x,y\")";
    place.edit(RULES, refusal, "return self.moves(state)[0]");
    test(6_000, 3, &["not seen: a refused move: `read` took every odd text for a move"]);
}

#[test]
fn rules_that_reach_outside_or_wait_are_told_why_at_once() {
    let test = |from: &str, to: &str, code, words: &str| {
        let place = tic_tac_toe();
        place.edit(RULES, from, to);
        run(&place, "rules-test ./game --games 3", code).has([words]);
        place
    };
    let turn = "return \"XO\".index(state[0])";
    // Python says so at once. Rules that are waited for in vain get other words.
    test(turn, "return int(input())", 1, "input() reads nothing");
    let outside = "see no other file of yours";
    test(turn, "return open('/home/teacher/a').read()", 1, outside);
    test("import re\n", "import re\nopen('/home/teacher/a')\n", 1, outside);
    // The copy of the folder can be written to.
    let writes = format!("open('notes.txt', 'a').write('x'); {turn}");
    assert!(!test(turn, &writes, 0, "All is well.").join("game/notes.txt").exists());
}
