//! Tests of games whose rules are a program: what works with them, and what happens when the program fails.

use crate::common::{example, judge, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::crowd::{Crowd, a_processor};
use testing::text;

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The tic-tac-toe of the starters, as `game` in a directory, and a program for it.
pub(crate) fn tic_tac_toe(place: &Path) {
    copy(&root().join("starters/any-game"), &place.join("game"));
    fs::copy(place.join("game/python/agent.py"), place.join("agent.py")).unwrap();
}

/// The tic-tac-toe, whose rules program behaves by these lines of Python: they see each `line` and `number` it, and the usual
/// answer is `server.answer(line)`.
fn faulty(place: &Path, lines: &str) {
    tic_tac_toe(place);
    let program = format!(
        "import os, sys, time\n\
         from menagerie_rules import Server\n\
         from rules import TicTacToe\n\
         server, number = Server(TicTacToe()), 0\n\
         for line in sys.stdin:\n    number += 1\n{lines}    print(server.answer(line), flush=True)\n"
    );
    fs::write(place.join("game/faulty.py"), program).unwrap();
    let file = fs::read_to_string(place.join("game/game.toml")).unwrap();
    fs::write(place.join("game/game.toml"), file.replace("python3 rules.py", "python3 faulty.py")).unwrap();
}

const MATCH: [&str; 13] = [
    "match",
    "--game",
    "./game",
    "--games",
    "4",
    "--engine",
    "cmd=python3 agent.py",
    "name=agent",
    "--engine",
    "engine=reference:greedy",
    "name=greedy",
    "--record",
    "record",
];

#[test]
fn a_match_is_played_replayed_and_analysed() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let table = text(&run(place.path(), &MATCH, 0).stdout);
    assert!(table.contains("greedy") && table.contains("4 games: normal 4"), "{table}");
    let replay = text(&run(place.path(), &["replay", "record", "--text", "--boards"], 0).stdout);
    assert!(replay.contains("X wins: three in a row") || replay.contains("O wins: three in a row"), "{replay}");
    assert!(replay.contains("X . .\n"), "{replay}");
    run(place.path(), &["replay", "record", "--html", "page.html"], 0);
    let page = fs::read_to_string(place.path().join("page.html")).unwrap();
    assert!(page.contains("Tic-tac-toe (3 x 3)"), "{page}");
    let analysis = text(&run(place.path(), &["analyse", "record", "--game", "1"], 0).stdout);
    assert!(analysis.contains("agent") && analysis.contains('%'), "{analysis}");
    let again = text(&run(place.path(), &["table", "record"], 0).stdout);
    assert!(again.contains("4 games: normal 4"), "{again}");
}

#[test]
fn a_record_shows_its_games_where_the_folder_is_gone() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    run(place.path(), &MATCH, 0);
    let show = || {
        let said = |words: &[&str]| text(&run(place.path(), words, 0).stdout);
        run(place.path(), &["replay", "record", "--html", "page.html"], 0);
        let page = fs::read_to_string(place.path().join("page.html")).unwrap();
        let drawings = page.matches("<svg").count();
        assert!(page.contains("Tic-tac-toe (3 x 3)"), "{page}");
        (said(&["replay", "record", "--text", "--boards"]), said(&["table", "record"]), drawings)
    };
    let before = show();
    fs::remove_dir_all(place.path().join("game")).unwrap();
    assert_eq!(show(), before);
    let refused = run(place.path(), &["analyse", "record", "--game", "1"], 2);
    let words = "the rules of tic-tac-toe are not there, and the record keeps only the positions that were played";
    assert!(text(&refused.stderr).contains(words), "{}", text(&refused.stderr));
}

/// Replaces a text in the rules of the tic-tac-toe.
fn change_rules(place: &Path, from: &str, to: &str) {
    let file = place.join("game/rules.py");
    let rules = fs::read_to_string(&file).unwrap();
    assert!(rules.contains(from), "{from}");
    fs::write(file, rules.replace(from, to)).unwrap();
}

/// Removes the checksums of rules from the lines of a record where games start.
fn without_checksums(record: &Path) {
    let lines = fs::read_to_string(record).unwrap();
    let old = |line: &str| match (line.starts_with("{\"event\":\"start\""), line.find(",\"checksum\"")) {
        (true, Some(at)) => format!("{}}}\n", &line[..at]),
        _ => format!("{line}\n"),
    };
    let old: String = lines.lines().map(old).collect();
    assert_ne!(old, lines);
    fs::write(record, old).unwrap();
}

#[test]
fn games_that_other_rules_have_played_are_replayed_and_what_differs_is_played_again() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    // A row of O's is no row: greedy, which plays O in every other game, does not win these.
    change_rules(place.path(), "if any(all(", "if side == 0 and any(all(");
    run(place.path(), &MATCH, 0);
    let resume = ["match", "--resume", "record"];
    let resumed = || {
        let output = run(place.path(), &resume, 0);
        (text(&output.stdout), text(&output.stderr))
    };
    assert!(!resumed().1.contains("note: "));
    // A record of a judge that did not know the rules of each game.
    without_checksums(&place.path().join("record"));
    let said = resumed().1;
    assert!(
        said.contains("4 recorded games were not") && said.contains("4 end as before, 0 are played again"),
        "{said}"
    );
    assert!(!resumed().1.contains("note: "));
    change_rules(place.path(), "if side == 0 and any(all(", "if any(all(");
    let (table, said) = resumed();
    assert!(said.contains("2 end as before, 2 are played again\n  game 1 (agent vs greedy): ply "), "{said}");
    assert!(said.contains("the game is over: O wins: three in a row"), "{said}");
    assert!(table.contains("game 1 (agent vs greedy): 0-1 by the rules of today, 1/2-1/2 before"), "{table}");
    let (table, said) = resumed();
    assert!(!said.contains("note: ") && table.contains("4 games: normal 4"), "{said}{table}");
}

/// A class for the tic-tac-toe, graded by two games as each side; the programs by the names of the
/// students.
fn a_class(place: &Path, programs: &[(&str, &str)]) {
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 4\npoints = 1\nreference = \"random\"\nturn-clock = 20\n";
    fs::write(place.join("scheme.toml"), scheme).unwrap();
    for (student, program) in programs {
        fs::create_dir_all(place.join("class").join(student)).unwrap();
        fs::write(place.join("class").join(student).join("homework.py"), program).unwrap();
    }
}

const GRADING: [&str; 11] = [
    "grade-all",
    "--game",
    "./game",
    "class",
    "--scheme",
    "scheme.toml",
    "--cmd",
    "python3 homework.py",
    "--csv",
    "grades.csv",
    "--resume",
];

#[test]
fn a_class_gets_the_points_of_the_rules_of_today_and_changed_points_are_told() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let agent = fs::read_to_string(place.path().join("agent.py")).unwrap();
    a_class(place.path(), &[("ann", agent.as_str()), ("ben", &agent.replace("{y}\\n", "{y}"))]);
    // A line end in the output file is refused.
    let wrong = "        if text.endswith(\"\\n\"): raise Refused(\"format\", \"expected no line end\")\n        move = text.strip()";
    change_rules(place.path(), "        move = text.strip()", wrong);
    change_rules(
        place.path(),
        "    def read(",
        "    def write(self, state, move):\n        return move\n\n    def read(",
    );
    run(place.path(), &GRADING, 0);
    let grades = || fs::read_to_string(place.path().join("grades.csv")).unwrap();
    assert!(grades().contains("\nann,0,4,") && grades().contains("4 bad format"), "{}", grades());
    let points_of_ben = grades().lines().nth(2).unwrap().split(',').nth(1).unwrap().to_string();
    change_rules(place.path(), wrong, "        move = text.strip()");
    let mended = run(place.path(), &GRADING, 0);
    let (table, said) = (text(&mended.stdout), text(&mended.stderr));
    assert!(
        said.contains("4 end as before, 4 are played again\n  ann, test 1 (game 1 as X, moving first): ply 1: "),
        "{said}"
    );
    assert!(said.contains("the output file is the move 0,0"), "{said}");
    assert!(!grades().contains("bad format") && !grades().contains("\nann,0,"), "{}", grades());
    assert!(grades().contains(&format!("\nben,{points_of_ben},4,")), "{}", grades());
    assert!(table.contains(" points by the rules of today, 0 before (tests played again: "), "{table}");
    let again = run(place.path(), &GRADING, 0);
    assert!(!text(&again.stderr).contains("note: "), "{}", text(&again.stderr));
}

#[test]
fn rules_that_fail_for_the_text_of_one_student_let_this_student_s_tests_wait_alone() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let agent = fs::read_to_string(place.path().join("agent.py")).unwrap();
    let odd = "open('output.txt', 'w').write('1,x')";
    a_class(place.path(), &[("ann", odd), ("ben", agent.as_str()), ("cleo", agent.as_str())]);
    let wrong = "        move = \"%d,%d\" % tuple(int(part) for part in text.split(\",\"))";
    change_rules(place.path(), "        move = text.strip()", wrong);
    let output = run(place.path(), &GRADING, 2);
    let said = text(&output.stderr);
    assert!(said.contains("not graded yet") && said.contains("  ann: 4 tests wait: game 1, engine 'ann': "), "{said}");
    assert!(said.contains("ValueError: invalid literal") && !said.contains("  ben: "), "{said}");
    let grades = || fs::read_to_string(place.path().join("grades.csv")).unwrap();
    assert!(
        grades().contains("\nben,") && grades().contains("\ncleo,") && !grades().contains("\nann,"),
        "{}",
        grades()
    );
    change_rules(place.path(), wrong, "        move = text.strip()");
    run(place.path(), &GRADING, 0);
    assert!(grades().contains("\nann,0,4,") && grades().contains("4 bad format"), "{}", grades());
    // Rules that fail for everybody end the grading early.
    change_rules(place.path(), "        move = text.strip()", "        raise ValueError(text)");
    for file in ["grades.csv", "grades.jsonl"] {
        fs::remove_file(place.path().join(file)).unwrap();
    }
    let said = text(&run(place.path(), &GRADING, 2).stderr);
    assert!(said.contains("the grading stops here") && said.contains("engine 'cleo'"), "{said}");
}

#[test]
fn a_move_is_checked_and_the_rule_is_named() {
    let place = tempfile::tempdir().unwrap();
    copy(&root().join("examples/rules/little-go"), &place.path().join("go"));
    let rows = "00000\n00000\n00100\n00000\n00000";
    fs::write(place.path().join("input.txt"), format!("2\n00000\n00000\n00000\n00000\n00000\n{rows}")).unwrap();
    for (output, code, words) in [
        ("1,2", 0, "WHITE plays 1,2"),
        ("2,2", 1, "output.txt: illegal move: 2,2 is occupied"),
        ("(1, 2)", 1, "output.txt: line 1: expected ROW,COLUMN or PASS, found '(1, 2)'"),
    ] {
        fs::write(place.path().join("output.txt"), output).unwrap();
        let said = text(&run(place.path(), &["check", "./go", "input.txt", "output.txt"], code).stdout);
        assert!(said.contains(words), "{said}");
    }
    fs::write(place.path().join("input.txt"), "3\n").unwrap();
    let said = text(&run(place.path(), &["show", "./go", "input.txt"], 2).stderr);
    assert!(said.contains("input.txt:1: expected 1 (black) or 2 (white), found '3'"), "{said}");
    let perft = text(&run(place.path(), &["perft", "./go", "--depth", "2"], 0).stdout);
    assert!(perft.contains("1 26 ") && perft.contains("2 625 "), "{perft}");
}

#[test]
fn a_program_is_tried_in_positions_of_the_game() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let words = ["try", "--game", "./game", "--cmd", "python3 agent.py"];
    let said = text(&run(place.path(), &words, 0).stdout);
    assert!(said.contains("Tic-tac-toe (3 x 3)") && said.contains("the start, X to move"), "{said}");
    fs::write(place.path().join("agent.py"), "open('output.txt', 'w').write('3,3')").unwrap();
    let said = text(&run(place.path(), &words, 1).stdout);
    assert!(said.contains("illegal move: 3,3 is not a legal move"), "{said}");
}

#[test]
fn a_class_of_three_is_taken_in_by_the_names_of_the_game_and_graded() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let agent = fs::read_to_string(place.path().join("agent.py")).unwrap();
    let game = fs::read_to_string(place.path().join("game/game.toml")).unwrap();
    let named = "programs = [\"noughts.py\", \"crosses.py\"]\n";
    let game: String =
        game.lines().filter(|line| !line.starts_with("programs")).map(|line| format!("{line}\n")).collect();
    fs::write(place.path().join("game/game.toml"), game + named).unwrap();
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 1\nreference = \"random\"\nturn-clock = 5\n";
    fs::write(place.path().join("game/scheme.toml"), scheme).unwrap();
    for (student, files) in [
        // The first name counts, a module beside it comes along, and the other program is not used.
        (
            "ann",
            &[("noughts.py", "import first\n"), ("first.py", agent.as_str()), ("crosses.py", "raise Exception")][..],
        ),
        ("ben", &[("Crosses.py", agent.as_str())]),
        ("cleo", &[("noughts.py", "open('output.txt', 'w').write('(0, 0)')")]),
    ] {
        fs::create_dir_all(place.path().join("made").join(student)).unwrap();
        for (name, program) in files {
            fs::write(place.path().join("made").join(student).join(name), program).unwrap();
        }
    }
    let intake = text(&run(place.path(), &["intake", "--game", "./game", "made", "--out", "class"], 1).stdout);
    for words in ["python3 noughts.py", "Crosses.py is used as crosses.py", "cleo", "does not play"] {
        assert!(intake.contains(words), "{words}: {intake}");
    }
    let words = ["grade-all", "--game", "./game", "class", "--csv", "grades.csv", "--reports", "reports"];
    run(place.path(), &words, 0);
    let grades = fs::read_to_string(place.path().join("grades.csv")).unwrap();
    assert_eq!(grades.lines().count(), 4, "{grades}");
    assert!(grades.contains("\ncleo,0,2,") && grades.contains("2 bad format"), "{grades}");
    let report = fs::read_to_string(place.path().join("reports/cleo.txt")).unwrap();
    assert!(
        report.contains("expected a square like 2,0, found '(0, 0)'") && report.contains("Legal moves (9): 0,0  1,0"),
        "{report}"
    );
}

#[test]
fn rules_that_are_in_order_pass_their_test_and_others_are_told_request_and_answer() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let said = text(&run(place.path(), &["rules-test", "./game", "--games", "20"], 0).stdout);
    assert!(said.contains("perft from the start: 9 72 504 3024\n") && said.contains("All is well."), "{said}");
    for (right, wrong, words) in [
        ("if square == \".\"]", "if square == \".\"] * 2", "expected moves, each once"),
        ("move = text.strip()", "move = text.strip()[::-1]", "read, write: the move '"),
        ("return lines[0] + \"\".join(lines[2:5])", "return \"X\" + \"\".join(lines[2:5])", "position, task: the file"),
        (
            "for row in (1, 4, 7)], squares",
            "for row in (1, 4, 8)], squares",
            "expected rows of 'cells' with as many texts each",
        ),
        ("(1, 4, 7)], squares", "(1, 4)], squares", "in 'last' is not among 3 columns and 2 rows"),
    ] {
        let rules = fs::read_to_string(root().join("starters/any-game/rules.py")).unwrap();
        assert!(rules.contains(right), "{right}");
        fs::write(place.path().join("game/rules.py"), rules.replace(right, wrong)).unwrap();
        let said = text(&run(place.path(), &["rules-test", "./game", "--games", "3"], 1).stdout);
        assert!(said.contains("wrong: ") && said.contains(words), "{words}: {said}");
    }
    // A program whose answers depend on more than the request.
    fs::copy(root().join("starters/any-game/rules.py"), place.path().join("game/rules.py")).unwrap();
    faulty(place.path(), "    if number == 1 and '\"view\"' in line: line = line.replace('X', 'O', 1)\n");
    let said = text(&run(place.path(), &["rules-test", "./game", "--games", "3"], 1).stdout);
    assert!(said.contains("wrong: "), "{said}");
}

/// Runs a match with a faulty program of rules.
fn with_faults(lines: &str, code: i32) -> (tempfile::TempDir, String) {
    let place = tempfile::tempdir().unwrap();
    faulty(place.path(), lines);
    let output = run(place.path(), &MATCH, code);
    let said = text(&output.stdout) + &text(&output.stderr);
    (place, said)
}

#[test]
fn a_program_of_rules_that_ends_forks_or_deletes_its_folder_is_started_anew() {
    for lines in [
        "    if number % 30 == 0: os._exit(3)\n",
        "    if number % 30 == 0: os.kill(os.getpid(), 9)\n",
        "    if number == 1: os.system('rm -rf ./* .requests')\n",
        "    if number == 1 and os.fork() == 0: time.sleep(60)\n",
    ] {
        let (_, said) = with_faults(lines, 0);
        assert!(said.contains("4 games: normal 4"), "{lines}: {said}");
    }
}

#[test]
fn a_program_of_rules_that_fails_costs_nobody_a_point_and_the_match_goes_on_when_it_is_mended() {
    for (lines, words) in [
        ("    if 'XO' in line: os._exit(3)\n", "it ended: exit code 3"),
        (
            "    if 'XO' in line: raise Exception('of mine')\n",
            "it ended: exit code 1, last words: 'Exception: of mine'",
        ),
        ("    if 'XO' in line: print('nonsense', flush=True)\n", "its answer is no JSON object: nonsense"),
        ("    if 'XO' in line: print('{\"error\": \"a row is missing\"}', flush=True); continue\n", "a row is missing"),
        ("    if '\"view\"' in line: print('{\"turn\": 0}', flush=True); continue\n", "missing field `moves`"),
        (
            "    if 'XO' in line:\n        while True: sys.stdout.write('x' * 65536)\n",
            "its answer is longer than 16 MiB",
        ),
    ] {
        let (place, said) = with_faults(lines, 2);
        assert!(said.contains("the rules program of tic-tac-toe failed: ") && said.contains(words), "{words}: {said}");
        assert!(said.contains("the request was {\\\"do\\\"") || said.contains("the request was {\"do\""), "{said}");
        let record = fs::read_to_string(place.path().join("record")).unwrap();
        assert!(!record.contains("forfeit") && !record.contains("\"fault\":{"), "{record}");
        // The rules are mended, and the match goes on.
        fs::copy(root().join("starters/any-game/game.toml"), place.path().join("game/game.toml")).unwrap();
        let mended = text(&run(place.path(), &["match", "--resume", "record"], 0).stdout);
        assert!(mended.contains("4 games: normal 4"), "{mended}");
    }
}

#[test]
fn nobody_is_blamed_for_what_a_new_process_of_the_rules_answers_otherwise() {
    for (lines, words) in [
        (
            "    if number > 40 and '\"read\"' in line:\n        \
             print('{\"refused\": \"illegal\", \"why\": \"the game is over\"}', flush=True); continue\n",
            "two processes of it answered differently: {\"refused\":\"illegal move: the game is over\"} and {\"move\":",
        ),
        (
            "    if number > 40 and '\"view\"' in line:\n        \
             print('{\"turn\": 0, \"over\": {\"winner\": 1}, \"moves\": [], \"board\": \"\"}', flush=True); continue\n",
            "two processes of it answered differently: {\"board\":",
        ),
        (
            "    if number > 40 and '\"play\"' in line: print('{\"state\": \"XO........\"}', flush=True); continue\n",
            "two processes of it answered differently: {\"state\":",
        ),
        (
            "    if '\"read\"' in line and '0,0' in line:\n        \
             print('{\"refused\": \"illegal\", \"why\": \"of mine\"}', flush=True); continue\n",
            "it refused what it writes for the legal move '0,0'",
        ),
    ] {
        let (place, said) = with_faults(lines, 2);
        assert!(said.contains(words) && said.contains("no fault of a player's"), "{words}: {said}");
        let record = fs::read_to_string(place.path().join("record")).unwrap();
        assert!(!record.contains("\"fault\":{"), "{record}");
        fs::copy(root().join("starters/any-game/game.toml"), place.path().join("game/game.toml")).unwrap();
        let mended = text(&run(place.path(), &["match", "--resume", "record"], 0).stdout);
        assert!(mended.contains("4 games: normal 4"), "{mended}");
    }
}

#[test]
fn a_play_by_chance_does_not_pass_the_test_of_rules() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let chance = "import random\n        board[NAMES.index(move)] = \".\" if random.random() < 0.05 else state[0]";
    change_rules(place.path(), "board[NAMES.index(move)] = state[0]", chance);
    let said = text(&run(place.path(), &["rules-test", "./game"], 1).stdout);
    assert!(
        said.contains("wrong: ") && said.contains("two processes of it answered differently: {\"state\":"),
        "{said}"
    );
}

#[test]
#[ignore = "long"]
fn a_silent_program_of_rules_is_not_waited_for_for_ever() {
    let (_, said) = with_faults("    if 'XO' in line: time.sleep(3600)\n", 2);
    assert!(said.contains("failed: no answer within 10 s"), "{said}");
}

#[test]
fn rules_are_started_by_a_program_that_the_teacher_s_path_alone_has() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let tools = place.path().join("tools");
    fs::create_dir(&tools).unwrap();
    fs::write(tools.join("referee"), "#!/bin/sh\nexec python3 \"$@\"\n").unwrap();
    fs::set_permissions(tools.join("referee"), fs::Permissions::from_mode(0o755)).unwrap();
    let file = fs::read_to_string(place.path().join("game/game.toml")).unwrap();
    fs::write(place.path().join("game/game.toml"), file.replace("python3 rules.py", "referee rules.py")).unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let perft = judge(place.path()).env("PATH", path).args(["perft", "./game", "--depth", "1"]).output().unwrap();
    assert!(text(&perft.stdout).contains("1 9 "), "{}{}", text(&perft.stdout), text(&perft.stderr));
}

#[test]
fn a_folder_that_is_no_game_is_told_file_and_key() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("game")).unwrap();
    let told = |code| text(&run(place.path(), &["perft", "./game", "--depth", "1"], code).stderr);
    assert!(told(2).contains("game/game.toml: no such file"), "{}", told(2));
    let good = fs::read_to_string(root().join("starters/any-game/game.toml")).unwrap();
    for (right, wrong, words) in [
        ("name = \"tic-tac-toe\"", "name = \"tic tac toe\"", "name: expected letters, digits and '-'"),
        ("plies = 9", "plies = 0", "plies: expected 1 to 100000, found 0"),
        ("sides = [\"X\", \"O\"]", "sides = [\"X\", \"X\"]", "found 'X' twice"),
        ("sides = [\"X\", \"O\"]", "sides = [\"X\", \"O\", \"Z\"]", "sides: expected two words, found 3"),
        ("keep = []", "keep = \"none\"", "keep: expected \"all\" or a list of names"),
        ("keep = []", "keep = [\"../x\"]", "expected the name of a file, found '../x'"),
        ("title", "titel", "unknown field `titel`"),
    ] {
        assert!(good.contains(right), "{right}");
        fs::write(place.path().join("game/game.toml"), good.replacen(right, wrong, 1)).unwrap();
        assert!(told(2).contains(words), "{words}: {}", told(2));
    }
    let said = judge(place.path()).args(["show", "chess", "x"]).output().unwrap();
    assert!(text(&said.stderr).contains("halma"), "{}", text(&said.stderr));
}

#[test]
fn files_that_a_game_does_not_keep_are_gone_in_the_next_turn() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    // Tells what is there, and leaves two files.
    let spy = "import os, sys\nprint(sorted(os.listdir('.')), file=sys.stderr)\nopen('a', 'w').write('1')\nopen('b', 'w').write('1')\n";
    let agent = fs::read_to_string(place.path().join("agent.py")).unwrap();
    fs::write(place.path().join("agent.py"), spy.to_string() + &agent).unwrap();
    let file = fs::read_to_string(place.path().join("game/game.toml")).unwrap();
    for (keep, seen) in [
        ("keep = []", "['input.txt']"),
        ("keep = [\"b\"]", "['b', 'input.txt']"),
        ("keep = \"all\"", "['a', 'b', 'input.txt']"),
    ] {
        fs::write(place.path().join("game/game.toml"), file.replace("keep = []", keep)).unwrap();
        run(place.path(), &[&MATCH[..], &["--overwrite"]].concat(), 0);
        let told = text(&run(place.path(), &["replay", "record", "--text", "--stderr"], 0).stdout);
        let lists: Vec<&str> = told.lines().filter_map(|line| line.trim().strip_prefix("| [")).collect();
        let expected = seen.strip_prefix('[').unwrap();
        // The first turn of a game finds nothing.
        assert!(lists.contains(&expected), "{keep}: {told}");
        assert!(lists.iter().all(|list| *list == expected || *list == "'input.txt']"), "{keep}: {told}");
    }
}

#[test]
fn the_examples_keep_to_the_cases_of_their_courses_and_to_second_implementations() {
    let tests = root().join("examples/rules/tests");
    let output = Command::new("python3").args(["-B", "-m", "unittest", "discover", "-s"]).arg(tests).output().unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("OK"), "{said}");
}

#[test]
fn the_examples_pass_the_test_of_rules_and_are_played() {
    let place = tempfile::tempdir().unwrap();
    for (game, words) in
        [("little-go", "perft from the start: 26 625"), ("duo-othello", "perft from the start: 8 56 400 2696")]
    {
        copy(&root().join("examples/rules").join(game), &place.path().join(game));
        let folder = format!("./{game}");
        let said = text(&run(place.path(), &["rules-test", &folder, "--games", "3"], 0).stdout);
        assert!(said.contains(words) && said.contains("All is well."), "{said}");
        let players = ["--engine", "engine=reference:mcts:3", "--engine", "engine=reference:greedy"];
        let said =
            text(&run(place.path(), &[&["match", "--game", &folder, "--games", "2"][..], &players].concat(), 0).stdout);
        assert!(said.contains("2 games: normal 2"), "{said}");
        run(place.path(), &["rules", &folder], 0);
    }
}

/// A class of three for an example, graded by two games against a random player: one program plays the first legal move, one
/// leaves nonsense, one crashes. `main` is the name that the game asks for, `game` makes the game in Python.
fn a_class_is_graded(example: &str, main: &str, game: &str) {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("game");
    copy(&root().join("examples/rules").join(example), &folder);
    let file = fs::read_to_string(folder.join("game.toml")).unwrap();
    let name = file.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
    let games = "[[games]]\ncount = 2\npoints = 1\nreference = \"random\"\nturn-clock = 20\n";
    fs::write(folder.join("scheme.toml"), format!("game = {name}\n{games}")).unwrap();
    let plays = format!(
        "import rules\ngame = {game}\nfound = game.position(open('input.txt').read())\n\
         state = found[0] if isinstance(found, tuple) else found\n\
         open('output.txt', 'w').write(game.write(state, game.moves(state)[0]))\n"
    );
    for (student, program) in [
        ("ann", plays.as_str()),
        ("ben", "open('output.txt', 'w').write('?\\n?')"),
        ("cleo", "raise ValueError('no idea')"),
    ] {
        let made = place.path().join("made").join(student);
        fs::create_dir_all(&made).unwrap();
        fs::write(made.join(main), program).unwrap();
        for module in ["rules.py", "menagerie_rules.py"] {
            fs::copy(folder.join(module), made.join(module)).unwrap();
        }
    }
    run(place.path(), &["intake", "--game", "./game", "made", "--out", "class"], 1);
    let words = ["grade-all", "--game", "./game", "class", "--csv", "grades.csv", "--reports", "reports"];
    run(place.path(), &words, 0);
    let grades = fs::read_to_string(place.path().join("grades.csv")).unwrap();
    assert_eq!(grades.lines().count(), 4, "{grades}");
    let row = |student: &str| grades.lines().find(|line| line.starts_with(student)).unwrap().to_string();
    assert!(!row("ann").contains("bad format") && !row("ann").contains("illegal"), "{grades}");
    assert!(row("ben").contains("2 bad format") && row("cleo").contains("2 crash"), "{grades}");
    let report = fs::read_to_string(place.path().join("reports/ben.txt")).unwrap();
    assert!(report.contains("output.txt") && report.contains("Legal moves ("), "{report}");
}

#[test]
fn a_class_of_little_go_is_graded() {
    a_class_is_graded("little-go", "my_player3.py", "rules.LittleGo()");
}

#[test]
#[ignore = "long"]
fn a_class_of_duo_othello_is_graded() {
    a_class_is_graded("duo-othello", "homework.py", "rules.DuoOthello()");
}

#[test]
#[ignore = "needs open_spiel"]
fn a_class_and_a_match_of_an_openspiel_game() {
    a_class_is_graded("openspiel", "homework.py", "rules.OpenSpiel('breakthrough(rows=6,columns=6)')");
    let place = tempfile::tempdir().unwrap();
    copy(&root().join("examples/rules/openspiel"), &place.path().join("game"));
    let said = text(&run(place.path(), &["rules-test", "./game", "--games", "3"], 0).stdout);
    assert!(said.contains("perft from the start: 16 256"), "{said}");
    let players = ["--engine", "engine=reference:mcts:30", "--engine", "engine=reference:random"];
    let said =
        text(&run(place.path(), &[&["match", "--game", "./game", "--games", "2"][..], &players].concat(), 0).stdout);
    assert!(said.contains("2 games: normal 2"), "{said}");
}

#[test]
fn halma_as_a_program_of_rules_agrees_with_the_built_in_halma() {
    let place = tempfile::tempdir().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/halma"), place.path());
    for file in ["any-game/menagerie_rules.py", "halma/python/agent.py"] {
        let from = root().join("starters").join(file);
        fs::copy(&from, place.path().join(from.file_name().unwrap())).unwrap();
    }
    let output = Command::new(example("compare_rules"))
        .args(["halma", "addendum"])
        .arg(place.path())
        .args(["10", "120", "1000"])
        .output()
        .unwrap();
    let said = text(&output.stdout);
    assert!(output.status.success() && said.contains(": 0 differ"), "{said}{}", text(&output.stderr));
}

#[test]
fn a_program_that_a_busy_machine_kept_waiting_is_not_doubted_in_a_try() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    let agent = fs::read_to_string(place.path().join("agent.py")).unwrap();
    // It thinks at the start of a game alone.
    let busy = "import time\nwhile open('input.txt').read().count('...') == 3 and time.process_time() < 0.8: pass\n";
    fs::write(place.path().join("agent.py"), busy.to_string() + &agent).unwrap();
    let processor = a_processor();
    let _crowd = Crowd::on(processor, 4);
    let output = Command::new("taskset")
        .args([
            "-c",
            &processor.to_string(),
            env!("CARGO_BIN_EXE_judge"),
            "try",
            "--game",
            "./game",
            "--cmd",
            "python3 agent.py",
        ])
        .current_dir(place.path())
        .output()
        .unwrap();
    let said = text(&output.stdout);
    assert!(said.contains("the machine gave it") && !said.contains("doubtful"), "{said}");
    assert!(output.status.success(), "{said}");
}

#[test]
fn rules_that_fail_for_the_text_of_one_player_let_its_games_of_a_tournament_wait_alone() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    fs::write(place.path().join("odd.py"), "open('output.txt', 'w').write('1,x')").unwrap();
    let wrong = "        move = \"%d,%d\" % tuple(int(part) for part in text.split(\",\"))";
    change_rules(place.path(), "        move = text.strip()", wrong);
    let mut words = vec!["tournament", "--game", "./game", "--games", "2", "--record", "record"];
    words.extend(["--engine", "cmd=python3 odd.py", "name=odd", "--engine", "cmd=python3 agent.py", "name=agent"]);
    words.extend(["--engine", "engine=reference:random", "name=random"]);
    let said = text(&run(place.path(), &words, 2).stderr);
    assert!(
        said.contains("4 games wait; --resume plays them") && said.contains("ValueError: invalid literal"),
        "{said}"
    );
    change_rules(place.path(), wrong, "        move = text.strip()");
    let output = run(place.path(), &["tournament", "--resume", "record"], 0);
    let (table, said) = (text(&output.stdout), text(&output.stderr));
    assert!(said.contains("2 end as before, 0 are played again"), "{said}");
    assert!(table.contains("6 games: normal 2, bad format 4"), "{table}");
}

#[test]
fn rounds_of_a_swiss_tournament_after_a_changed_result_are_played_again() {
    let place = tempfile::tempdir().unwrap();
    tic_tac_toe(place.path());
    change_rules(place.path(), "if any(all(", "if side == 0 and any(all(");
    let mut words = vec!["tournament", "--game", "./game", "--games", "2", "--shape", "swiss", "--record", "record"];
    for name in ["name=a", "name=b", "name=c", "name=d"] {
        words.extend(["--engine", "engine=reference:random", name]);
    }
    run(place.path(), &words, 0);
    change_rules(place.path(), "if side == 0 and any(all(", "if any(all(");
    let output = run(place.path(), &["tournament", "--resume", "record"], 0);
    let (table, said) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(said.matches("its pairing depends on a result that is another one").count(), 4, "{said}");
    assert!(table.contains("8 games: normal 8"), "{table}");
    let said = text(&run(place.path(), &["tournament", "--resume", "record"], 0).stderr);
    assert!(!said.contains("note: "), "{said}");
}
