//! Tests of games whose rules are a program: what works with them, and what happens when the
//! program fails.

use crate::common::{example, judge, run};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use testing::crowd::{Crowd, a_processor};
use testing::{Folder, NewFolder, assert_has, assert_lacks, folder, text};

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn copy(from: &Path, to: &Path) {
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
    program(place, "agent.sh", PLAY);
}

/// A program for the tic-tac-toe, of a shell, which starts sooner than Python: it plays the first
/// empty square.
const PLAY: &str = "exec < input.txt; read side; read clock\n\
    for y in 0 1 2; do\n    read row\n    for x in 0 1 2; do\n        \
    case $row in .*) echo $x,$y > output.txt; exit;; esac\n        row=${row#?}\n    done\ndone\n";

/// Writes a shell script that can be executed.
pub(crate) fn program(place: &Path, name: &str, lines: &str) {
    place.write(name, format!("#!/bin/sh\n{lines}"));
    fs::set_permissions(place.join(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// The tic-tac-toe, whose rules program behaves by these lines of Python: they see each `line` and
/// `number` it, and the usual answer is `server.answer(line)`.
fn faulty(place: &Path, lines: &str) {
    tic_tac_toe(place);
    let program = format!(
        "import os, sys, time\n\
         from menagerie_rules import Server\n\
         from rules import TicTacToe\n\
         server, number = Server(TicTacToe()), 0\n\
         for line in sys.stdin:\n    number += 1\n{lines}    print(server.answer(line), flush=True)\n"
    );
    place.write("game/faulty.py", program);
    let file = place.read("game/game.toml");
    place.write("game/game.toml", file.replace("python3 rules.py", "python3 faulty.py"));
}

/// The match with one game as each side.
fn two_games() -> String {
    MATCH.replace("--games 4", "--games 2")
}

const MATCH: &str = "match --game ./game --games 4 --engine cmd=./agent.sh name=agent --engine engine=reference:greedy \
                     name=greedy --record record";

#[test]
fn a_match_is_played_replayed_and_analysed_and_its_games_are_shown_where_the_folder_is_gone() {
    let place = folder();
    tic_tac_toe(&place);
    let table = run(&place, MATCH, 0).stdout;
    assert_has(&table, ["greedy", "4 games: normal 4"]);
    let show = || {
        run(&place, "replay record --html page.html", 0);
        let said = |words: &str| run(&place, words, 0).stdout;
        (
            said("replay record --text --boards"),
            said("table record"),
            place.read("page.html").matches("<svg").count(),
        )
    };
    let before = show();
    assert!(
        before.0.contains("X wins: three in a row") || before.0.contains("O wins: three in a row"),
        "{}",
        before.0
    );
    assert_has(&before.0, ["X . .\n"]);
    assert_has(&before.1, ["4 games: normal 4"]);
    assert_has(place.read("page.html"), ["Tic-tac-toe (3 x 3)"]);
    assert_has(run(&place, "analyse record --game 1", 0).stdout, ["agent", "%"]);
    fs::remove_dir_all(place.join("game")).unwrap();
    assert_eq!(show(), before);
    assert_has(place.read("page.html"), ["Tic-tac-toe (3 x 3)"]);
    let words = "the rules of tic-tac-toe are not there, and the record keeps only the positions that were played";
    assert_has(run(&place, "analyse record --game 1", 2).stderr, [words]);
}

/// Replaces a text in the rules of the tic-tac-toe.
pub(crate) fn change_rules(place: &Path, from: &str, to: &str) {
    let file = place.join("game/rules.py");
    let rules = fs::read_to_string(&file).unwrap();
    assert_has(&rules, [from]);
    fs::write(file, rules.replace(from, to)).unwrap();
}

/// Removes the checksums of rules from the lines of a record where games start.
fn without_checksums(record: &Path) {
    let lines = fs::read_to_string(record).unwrap();
    let old =
        |line: &str| match (line.starts_with("{\"event\":\"start\""), line.find(",\"checksum\"")) {
            (true, Some(at)) => format!("{}}}\n", &line[..at]),
            _ => format!("{line}\n"),
        };
    let old: String = lines.lines().map(old).collect();
    assert_ne!(old, lines);
    fs::write(record, old).unwrap();
}

#[test]
fn games_that_other_rules_have_played_are_replayed_and_what_differs_is_played_again() {
    let place = folder();
    tic_tac_toe(&place);
    // A row of O's is no row: greedy, which plays O in every other game, does not win these.
    change_rules(&place, "if any(all(", "if side == 0 and any(all(");
    run(&place, MATCH, 0);
    let resume = "match --resume record";
    let resumed = || {
        let output = run(&place, resume, 0);
        (output.stdout, output.stderr)
    };
    assert_lacks(&resumed().1, ["note: "]);
    // A record of a judge that did not know the rules of each game.
    without_checksums(&place.join("record"));
    let said = resumed().1;
    assert_has(&said, ["4 recorded games were not", "4 end as before, 0 are played again"]);
    assert_lacks(&resumed().1, ["note: "]);
    change_rules(&place, "if side == 0 and any(all(", "if any(all(");
    let (table, said) = resumed();
    assert_has(
        &said,
        [
            "2 end as before, 2 are played again\n  game 1 (agent vs greedy): ply ",
            "the game is over: O wins: three in a row",
        ],
    );
    assert_has(&table, ["game 1 (agent vs greedy): 0-1 by the rules of today, 1/2-1/2 before"]);
    let (table, said) = resumed();
    assert!(!said.contains("note: ") && table.contains("4 games: normal 4"), "{said}{table}");
}

/// A class for the tic-tac-toe, graded by two games as each side; the programs by the names of the
/// students.
fn a_class(place: &Path, programs: &[(&str, &str)]) {
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 4\npoints = 1\nreference = \"random\"\nturn-clock = 20\n";
    place.write("scheme.toml", scheme);
    for (student, lines) in programs {
        program(&place.join("class").join(student), "agent.sh", lines);
    }
}

const GRADING: &str =
    "grade-all --game ./game class --scheme scheme.toml --cmd ./agent.sh --csv grades.csv --resume";

#[test]
fn a_class_gets_the_points_of_the_rules_of_today_and_changed_points_are_told() {
    let place = folder();
    tic_tac_toe(&place);
    a_class(&place, &[("ann", PLAY), ("ben", &PLAY.replace("echo $x,$y", "printf %s $x,$y"))]);
    // A line end in the output file is refused.
    let wrong = "        if text.endswith(\"\\n\"): raise Refused(\"format\", \"expected no line end\")\n        move = text.strip()";
    change_rules(&place, "        move = text.strip()", wrong);
    change_rules(
        &place,
        "    def read(",
        "    def write(self, state, move):\n        return move\n\n    def read(",
    );
    run(&place, GRADING, 0);
    let grades = || place.read("grades.csv");
    assert_has(grades(), ["\nann,0,4,", "4 bad format"]);
    let points_of_ben = grades().lines().nth(2).unwrap().split(',').nth(1).unwrap().to_string();
    change_rules(&place, wrong, "        move = text.strip()");
    let mended = run(&place, GRADING, 0);
    let (table, said) = (mended.stdout, mended.stderr);
    assert_has(
        &said,
        [
            "4 end as before, 4 are played again\n  ann, test 1 (game 1 as X, moving first): ply 1: ",
            "the output file is the move 0,0",
        ],
    );
    assert_lacks(grades(), ["bad format", "\nann,0,"]);
    assert_has(grades(), [&format!("\nben,{points_of_ben},4,")]);
    let points = grades().lines().nth(1).unwrap().split(',').nth(1).unwrap().to_string();
    let told = format!(
        "  ann: {points} points, 0 before: games were played again by the rules of today\n"
    );
    assert_has(&table, [&told]);
    let again = run(&place, GRADING, 0);
    assert_lacks(&again.stderr, ["note: "]);
}

#[test]
fn rules_that_fail_for_the_text_of_one_student_let_this_student_s_tests_wait_alone() {
    let place = folder();
    tic_tac_toe(&place);
    a_class(&place, &[("ann", "printf 1,x > output.txt"), ("ben", PLAY), ("cleo", PLAY)]);
    let wrong = "        move = \"%d,%d\" % tuple(int(part) for part in text.split(\",\"))";
    change_rules(&place, "        move = text.strip()", wrong);
    let output = run(&place, GRADING, 2);
    let said = output.stderr;
    assert_has(
        &said,
        [
            "not graded yet",
            "  ann: 4 tests wait: game 1, engine 'ann': ",
            "ValueError: invalid literal",
        ],
    );
    assert_lacks(&said, ["  ben: "]);
    let grades = || place.read("grades.csv");
    assert_has(grades(), ["\nben,", "\ncleo,"]);
    assert_lacks(grades(), ["\nann,"]);
    change_rules(&place, wrong, "        move = text.strip()");
    run(&place, GRADING, 0);
    assert_has(grades(), ["\nann,0,4,", "4 bad format"]);
    // Rules that fail for everybody end the grading early.
    change_rules(&place, "        move = text.strip()", "        raise ValueError(text)");
    for file in ["grades.csv", "grades.jsonl"] {
        fs::remove_file(place.join(file)).unwrap();
    }
    let said = run(&place, GRADING, 2).stderr;
    assert_has(&said, ["the grading stops here", "engine 'cleo'"]);
}

#[test]
fn a_move_is_checked_and_the_rule_is_named() {
    let place = folder();
    copy(&root().join("examples/rules/little-go"), &place.join("go"));
    let rows = "00000\n00000\n00100\n00000\n00000";
    place.write("input.txt", format!("2\n00000\n00000\n00000\n00000\n00000\n{rows}"));
    for (output, code, words) in [
        ("1,2", 0, "WHITE plays 1,2"),
        ("2,2", 1, "output.txt: illegal move: 2,2 is occupied"),
        ("(1, 2)", 1, "output.txt: line 1: expected ROW,COLUMN or PASS, found '(1, 2)'"),
    ] {
        place.write("output.txt", output);
        let said = run(&place, "check ./go input.txt output.txt", code).stdout;
        assert_has(&said, [words]);
    }
    place.write("input.txt", "3\n");
    let said = run(&place, "show ./go input.txt", 2).stderr;
    assert_has(&said, ["input.txt:1: expected 1 (black) or 2 (white), found '3'"]);
    let perft = run(&place, "perft ./go --depth 2", 0).stdout;
    assert_has(&perft, ["1 26 ", "2 625 "]);
}

#[test]
fn a_program_is_tried_in_positions_of_the_game() {
    let place = folder();
    tic_tac_toe(&place);
    let words = "try --game ./game --plies 4 --cmd ./agent.sh";
    let said = run(&place, words, 0).stdout;
    assert_has(&said, ["Tic-tac-toe (3 x 3)", "the start, X to move"]);
    program(&place, "agent.sh", "echo 3,3 > output.txt");
    let said = run(&place, words, 1).stdout;
    assert_has(&said, ["illegal move: 3,3 is not a legal move"]);
}

#[test]
fn a_class_of_three_is_taken_in_by_the_names_of_the_game_and_graded() {
    let place = folder();
    tic_tac_toe(&place);
    let agent = place.read("game/python/agent.py");
    let game = place.read("game/game.toml");
    let named = "programs = [\"noughts.py\", \"crosses.py\"]\n";
    let game: String = game
        .lines()
        .filter(|line| !line.starts_with("programs"))
        .map(|line| format!("{line}\n"))
        .collect();
    place.write("game/game.toml", game + named);
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 1\nreference = \"random\"\nturn-clock = 5\n";
    place.write("game/scheme.toml", scheme);
    for (student, files) in [
        // The first name counts, a module beside it comes along, and the other program is not used.
        (
            "ann",
            &[
                ("noughts.py", "import first\n"),
                ("first.py", agent.as_str()),
                ("crosses.py", "raise Exception"),
            ][..],
        ),
        ("ben", &[("Crosses.py", agent.as_str())]),
        ("cleo", &[("noughts.py", "open('output.txt', 'w').write('(0, 0)')")]),
    ] {
        fs::create_dir_all(place.join("made").join(student)).unwrap();
        for (name, program) in files {
            fs::write(place.join("made").join(student).join(name), program).unwrap();
        }
    }
    let intake = run(&place, "intake --game ./game made --out class", 1).stdout;
    assert_has(
        &intake,
        ["python3 noughts.py", "Crosses.py is used as crosses.py", "cleo", "does not play"],
    );
    let words = "grade-all --game ./game class --csv grades.csv --reports reports";
    run(&place, words, 0);
    let grades = place.read("grades.csv");
    assert_eq!(grades.lines().count(), 4, "{grades}");
    assert_has(&grades, ["\ncleo,0,2,", "2 bad format"]);
    let report = place.read("reports/cleo.txt");
    assert_has(
        &report,
        ["expected a square like 2,0, found '(0, 0)'", "Legal moves (9): 0,0  1,0"],
    );
}

#[test]
fn rules_that_are_in_order_pass_their_test_and_others_are_told_request_and_answer() {
    let place = folder();
    tic_tac_toe(&place);
    let said = run(&place, "rules-test ./game --games 20", 0).stdout;
    assert_has(&said, ["perft from the start: 9 72 504 3024\n", "All is well."]);
    for (right, wrong, words) in [
        ("if square == \".\"]", "if square == \".\"] * 2", "expected moves, each once"),
        ("move = text.strip()", "move = text.strip()[::-1]", "read, write: the move '"),
        (
            "return lines[0] + \"\".join(lines[2:5])",
            "return \"X\" + \"\".join(lines[2:5])",
            "position, task: the file",
        ),
        (
            "for row in (1, 4, 7)], squares",
            "for row in (1, 4, 8)], squares",
            "expected rows of 'cells' with as many texts each",
        ),
        ("(1, 4, 7)], squares", "(1, 4)], squares", "in 'last' is not among 3 columns and 2 rows"),
    ] {
        let rules = fs::read_to_string(root().join("starters/any-game/rules.py")).unwrap();
        assert_has(&rules, [right]);
        place.write("game/rules.py", rules.replace(right, wrong));
        let said = run(&place, "rules-test ./game --games 1", 1).stdout;
        assert_has(&said, ["wrong: ", words]);
    }
    // A program whose answers depend on more than the request.
    fs::copy(root().join("starters/any-game/rules.py"), place.join("game/rules.py")).unwrap();
    faulty(&place, "    if number == 1 and '\"view\"' in line: line = line.replace('X', 'O', 1)\n");
    let said = run(&place, "rules-test ./game --games 1", 1).stdout;
    assert_has(&said, ["wrong: "]);
}

/// Runs a match with a faulty program of rules.
fn with_faults(lines: &str, code: i32) -> (NewFolder, String) {
    let place = folder();
    faulty(&place, lines);
    let output = run(&place, &two_games(), code);
    let said = output.stdout + &output.stderr;
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
        assert_has(&said, ["2 games: normal 2"]);
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
        (
            "    if 'XO' in line: print('nonsense', flush=True)\n",
            "its answer is no JSON object: nonsense",
        ),
        (
            "    if 'XO' in line: print('{\"error\": \"a row is missing\"}', flush=True); continue\n",
            "a row is missing",
        ),
        (
            "    if '\"view\"' in line: print('{\"turn\": 0}', flush=True); continue\n",
            "missing field `moves`",
        ),
        (
            "    if 'XO' in line:\n        while True: sys.stdout.write('x' * 65536)\n",
            "its answer is longer than 16 MiB",
        ),
    ] {
        let (place, said) = with_faults(lines, 2);
        assert_has(&said, ["the rules program of tic-tac-toe failed: ", words]);
        assert!(
            said.contains("the request was {\\\"do\\\"")
                || said.contains("the request was {\"do\""),
            "{said}"
        );
        let record = place.read("record");
        assert_lacks(&record, ["forfeit", "\"fault\":{"]);
        // The rules are mended, and the match goes on.
        fs::copy(root().join("starters/any-game/game.toml"), place.join("game/game.toml")).unwrap();
        let mended = run(&place, "match --resume record", 0).stdout;
        assert_has(&mended, ["2 games: normal 2"]);
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
        assert_has(&said, [words, "no fault of a player's"]);
        let record = place.read("record");
        assert_lacks(&record, ["\"fault\":{"]);
        fs::copy(root().join("starters/any-game/game.toml"), place.join("game/game.toml")).unwrap();
        let mended = run(&place, "match --resume record", 0).stdout;
        assert_has(&mended, ["2 games: normal 2"]);
    }
}

#[test]
fn a_play_by_chance_does_not_pass_the_test_of_rules() {
    let place = folder();
    tic_tac_toe(&place);
    let chance = "import random\n        board[NAMES.index(move)] = \".\" if random.random() < 0.05 else state[0]";
    change_rules(&place, "board[NAMES.index(move)] = state[0]", chance);
    let said = run(&place, "rules-test ./game", 1).stdout;
    assert_has(&said, ["wrong: ", "two processes of it answered differently: {\"state\":"]);
}

#[test]
#[ignore = "long"]
fn a_silent_program_of_rules_is_not_waited_for_for_ever() {
    let (_, said) = with_faults("    if 'XO' in line: time.sleep(3600)\n", 2);
    assert_has(&said, ["failed: no answer within 10 s"]);
}

#[test]
fn rules_are_started_by_a_program_that_the_teacher_s_path_alone_has() {
    let place = folder();
    tic_tac_toe(&place);
    let tools = place.join("tools");
    fs::create_dir(&tools).unwrap();
    tools.write("referee", "#!/bin/sh\nexec python3 \"$@\"\n");
    fs::set_permissions(tools.join("referee"), fs::Permissions::from_mode(0o755)).unwrap();
    let file = place.read("game/game.toml");
    place.write("game/game.toml", file.replace("python3 rules.py", "referee rules.py"));
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let perft =
        judge(&place).env("PATH", path).args(["perft", "./game", "--depth", "1"]).output().unwrap();
    assert!(text(&perft.stdout).contains("1 9 "), "{}{}", text(&perft.stdout), text(&perft.stderr));
}

#[test]
fn a_folder_that_is_no_game_is_told_file_and_key() {
    let place = folder();
    place.make("game");
    let told = |code| run(&place, "perft ./game --depth 1", code).stderr;
    assert_has(told(2), ["game/game.toml: no such file"]);
    let good = fs::read_to_string(root().join("starters/any-game/game.toml")).unwrap();
    for (right, wrong, words) in [
        (
            "name = \"tic-tac-toe\"",
            "name = \"tic tac toe\"",
            "name: expected letters, digits and '-'",
        ),
        ("plies = 9", "plies = 0", "plies: expected 1 to 100000, found 0"),
        ("sides = [\"X\", \"O\"]", "sides = [\"X\", \"X\"]", "found 'X' twice"),
        (
            "sides = [\"X\", \"O\"]",
            "sides = [\"X\", \"O\", \"Z\"]",
            "sides: expected two words, found 3",
        ),
        ("keep = []", "keep = \"none\"", "keep: expected \"all\" or a list of names"),
        ("keep = []", "keep = [\"../x\"]", "expected the name of a file, found '../x'"),
        ("title", "titel", "unknown field `titel`"),
    ] {
        assert_has(&good, [right]);
        place.write("game/game.toml", good.replacen(right, wrong, 1));
        assert!(told(2).contains(words), "{words}: {}", told(2));
    }
    let said = judge(&place).args(["show", "chess", "x"]).output().unwrap();
    assert_has(text(&said.stderr), ["halma"]);
}

#[test]
fn files_that_a_game_does_not_keep_are_gone_in_the_next_turn() {
    let place = folder();
    tic_tac_toe(&place);
    // Tells what is there, and leaves two files.
    program(&place, "agent.sh", &format!("echo found $(ls) >&2; echo > a; echo > b\n{PLAY}"));
    let file = place.read("game/game.toml");
    for (keep, seen) in [
        ("keep = []", "input.txt"),
        ("keep = [\"b\"]", "b input.txt"),
        ("keep = \"all\"", "a b input.txt"),
    ] {
        place.write("game/game.toml", file.replace("keep = []", keep));
        run(&place, &format!("{} --overwrite", two_games()), 0);
        let told = run(&place, "replay record --text --stderr", 0).stdout;
        let lists: Vec<&str> =
            told.lines().filter_map(|line| line.trim().strip_prefix("| found ")).collect();
        // The first turn of a game finds nothing.
        assert!(lists.contains(&seen), "{keep}: {told}");
        assert!(lists.iter().all(|list| *list == seen || *list == "input.txt"), "{keep}: {told}");
    }
}

#[test]
fn the_examples_keep_to_the_cases_of_their_courses_and_to_second_implementations() {
    let tests = root().join("examples/rules/tests");
    let output = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "-s"])
        .arg(tests)
        .output()
        .unwrap();
    let said = text(&output.stderr);
    assert!(output.status.success() && said.contains("OK"), "{said}");
}

#[test]
fn the_examples_pass_the_test_of_rules_and_are_played() {
    let place = folder();
    for (game, words) in [
        ("little-go", "perft from the start: 26 625"),
        ("duo-othello", "perft from the start: 8 56 400 2696"),
    ] {
        copy(&root().join("examples/rules").join(game), &place.join(game));
        let said = |words: &str| run(&place, words, 0).stdout;
        assert_has(said(&format!("rules-test ./{game} --games 1")), [words, "All is well."]);
        let players = "--engine engine=reference:mcts:3 --engine engine=reference:greedy";
        let words = format!("match --game ./{game} --games 2 --max-plies 8 {players}");
        assert_has(said(&words), ["2 games: draw by move limit 2"]);
        said(&format!("rules ./{game}"));
    }
}

/// A class of three for an example, graded by two games against a random player: one program plays
/// the first legal move, one leaves nonsense, one crashes. `main` is the name that the game asks
/// for, `game` makes the game in Python.
fn a_class_is_graded(example: &str, main: &str, game: &str) {
    let place = folder();
    let folder = place.join("game");
    copy(&root().join("examples/rules").join(example), &folder);
    let file = folder.read("game.toml");
    let name = file.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
    let games = "[[games]]\ncount = 2\npoints = 1\nreference = \"random\"\nturn-clock = 20\n";
    folder.write("scheme.toml", format!("game = {name}\nmax-plies = 4\n{games}"));
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
        let made = place.join("made").join(student);
        fs::create_dir_all(&made).unwrap();
        made.write(main, program);
        for module in ["rules.py", "menagerie_rules.py"] {
            fs::copy(folder.join(module), made.join(module)).unwrap();
        }
    }
    run(&place, "intake --game ./game made --out class", 1);
    let words = "grade-all --game ./game class --csv grades.csv --reports reports";
    run(&place, words, 0);
    let grades = place.read("grades.csv");
    assert_eq!(grades.lines().count(), 4, "{grades}");
    let row =
        |student: &str| grades.lines().find(|line| line.starts_with(student)).unwrap().to_string();
    assert_lacks(row("ann"), ["bad format", "illegal"]);
    assert_has(row("ben"), ["2 bad format"]);
    assert_has(row("cleo"), ["2 crash"]);
    let report = place.read("reports/ben.txt");
    assert_has(&report, ["output.txt", "Legal moves ("]);
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
    a_class_is_graded(
        "openspiel",
        "homework.py",
        "rules.OpenSpiel('breakthrough(rows=6,columns=6)')",
    );
    let place = folder();
    copy(&root().join("examples/rules/openspiel"), &place.join("game"));
    let said = run(&place, "rules-test ./game --games 3", 0).stdout;
    assert_has(&said, ["perft from the start: 16 256"]);
    let players = ["--engine", "engine=reference:mcts:30", "--engine", "engine=reference:random"];
    let said =
        run(&place, &[&["match", "--game", "./game", "--games", "2"][..], &players].concat(), 0)
            .stdout;
    assert_has(&said, ["2 games: normal 2"]);
}

#[test]
fn halma_as_a_program_of_rules_agrees_with_the_built_in_halma() {
    let place = folder();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/halma"), &place);
    for file in ["any-game/menagerie_rules.py", "halma/python/agent.py"] {
        let from = root().join("starters").join(file);
        fs::copy(&from, place.join(from.file_name().unwrap())).unwrap();
    }
    let output = Command::new(example("compare_rules"))
        .args(["halma", "addendum"])
        .arg(&*place)
        .args(["3", "120", "90"])
        .output()
        .unwrap();
    let said = text(&output.stdout);
    assert!(
        output.status.success() && said.contains(": 0 differ"),
        "{said}{}",
        text(&output.stderr)
    );
}

#[test]
fn a_program_that_a_busy_machine_kept_waiting_is_not_doubted_in_a_try() {
    let place = folder();
    tic_tac_toe(&place);
    let agent = place.read("game/python/agent.py");
    // It thinks at the start of a game alone.
    let busy = "import time\nwhile open('input.txt').read().count('...') == 3 and time.process_time() < 0.4: pass\n";
    place.write("agent.py", busy.to_string() + &agent);
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
        .current_dir(&place)
        .output()
        .unwrap();
    let said = text(&output.stdout);
    assert_has(&said, ["the machine gave it"]);
    assert_lacks(&said, ["doubtful"]);
    assert!(output.status.success(), "{said}");
}

#[test]
fn rules_that_fail_for_the_text_of_one_player_let_its_games_of_a_tournament_wait_alone() {
    let place = folder();
    tic_tac_toe(&place);
    program(&place, "odd.sh", "printf 1,x > output.txt");
    let wrong = "        move = \"%d,%d\" % tuple(int(part) for part in text.split(\",\"))";
    change_rules(&place, "        move = text.strip()", wrong);
    let words = "tournament --game ./game --games 2 --record record --engine cmd=./odd.sh name=odd \
                 --engine cmd=./agent.sh name=agent --engine engine=reference:random name=random";
    let said = run(&place, words, 2).stderr;
    assert_has(&said, ["4 games wait; --resume plays them", "ValueError: invalid literal"]);
    change_rules(&place, wrong, "        move = text.strip()");
    let output = run(&place, "tournament --resume record", 0);
    let (table, said) = (output.stdout, output.stderr);
    assert_has(&said, ["2 end as before, 0 are played again"]);
    assert_has(&table, ["6 games: normal 2, bad format 4"]);
}

#[test]
fn rounds_of_a_swiss_tournament_after_a_changed_result_are_played_again() {
    let place = folder();
    tic_tac_toe(&place);
    change_rules(&place, "if any(all(", "if side == 0 and any(all(");
    let mut words = vec![
        "tournament",
        "--game",
        "./game",
        "--games",
        "2",
        "--shape",
        "swiss",
        "--record",
        "record",
    ];
    for name in ["name=a", "name=b", "name=c", "name=d"] {
        words.extend(["--engine", "engine=reference:random", name]);
    }
    run(&place, &words, 0);
    change_rules(&place, "if side == 0 and any(all(", "if any(all(");
    let output = run(&place, "tournament --resume record", 0);
    let (table, said) = (output.stdout, output.stderr);
    assert_eq!(
        said.matches("its pairing depends on a result that is another one").count(),
        4,
        "{said}"
    );
    assert_has(&table, ["8 games: normal 8"]);
    let said = run(&place, "tournament --resume record", 0).stderr;
    assert_lacks(&said, ["note: "]);
}
