//! Tests of games whose rules are a program: what works with them, and what happens when the
//! program fails.

use crate::common::{example, judge, run};
use std::path::Path;
use std::process::Command;
use testing::crowd::{Crowd, a_processor};
use testing::{Folder, NewFolder, assert_has, assert_lacks, copy, folder, repository};

pub(crate) const RULES: &str = "game/rules.py";
pub(crate) const SETTINGS: &str = "game/game.toml";

/// A folder with the tic-tac-toe of the starters, as `game`, and a program for it.
pub(crate) fn tic_tac_toe() -> NewFolder {
    let place = folder();
    copy(repository("starters/any-game"), place.join("game"));
    place.write_script("agent.sh", PLAY);
    place
}

pub(crate) fn example_game(name: &str) -> NewFolder {
    let place = folder();
    copy(repository("examples/rules").join(name), place.join("game"));
    place
}

/// A program for the tic-tac-toe, of a shell, which starts sooner than Python: it plays the first
/// empty square.
pub(crate) const PLAY: &str = "exec < input.txt; read side; read clock
for y in 0 1 2; do
    read row
    for x in 0 1 2; do
        case $row in .*) echo $x,$y > output.txt; exit;; esac
        row=${row#?}
    done
done
";

/// The words of a match of two games between two reference players.
pub(crate) fn references(a: &str, b: &str) -> String {
    format!(
        "match --seed 1 --game ./game --games 2 --engine engine=reference:{a} name=a --engine engine=reference:{b} name=b"
    )
}

/// The tic-tac-toe, whose rules program behaves by these lines of Python: they see each `line` and
/// `number` it, and the usual answer is `server.answer(line)`.
fn faulty(lines: &str) -> NewFolder {
    let place = tic_tac_toe();
    let program = format!(
        "import os, sys, time
from menagerie_rules import Server
from rules import TicTacToe
server, number = Server(TicTacToe()), 0
for line in sys.stdin:
    number += 1
{lines}
    print(server.answer(line), flush=True)
"
    );
    place.write("game/faulty.py", program);
    place.edit(SETTINGS, "python3 rules.py", "python3 faulty.py");
    place
}

/// A match of a program with one game as each side.
const MATCH: &str = "match --seed 1 --game ./game --games 2 --engine cmd=./agent.sh name=agent \
                     --engine engine=reference:greedy name=greedy --record record";
const RESUME: &str = "match --resume record";

#[test]
fn a_match_is_played_replayed_and_analysed_and_its_games_are_shown_where_the_folder_is_gone() {
    let place = tic_tac_toe();
    run(&place, MATCH, 0).has(["greedy", "2 games: normal 2"]);
    let show = || {
        run(&place, "replay record --html page.html", 0);
        let page = place.read("page.html");
        assert_has(&page, ["Tic-tac-toe (3 x 3)"]);
        let said = |words: &str| run(&place, words, 0).stdout;
        (said("replay record --text --boards"), said("table record"), page.matches("<svg").count())
    };
    let before = show();
    assert_has(&before.0, [" wins: three in a row", "X . .\n"]);
    assert_has(&before.1, ["2 games: normal 2"]);
    run(&place, "analyse record --game 1", 0).has(["agent", "%"]);
    place.remove("game");
    assert_eq!(show(), before);
    let words = "the rules of tic-tac-toe are not there, and the record keeps only the positions that were played";
    run(&place, "analyse record --game 1", 2).has([words]);
}

/// Removes the checksums of rules from the lines of a record where games start.
fn without_checksums(record: &str) -> String {
    let old =
        |line: &str| match (line.starts_with("{\"event\":\"start\""), line.find(",\"checksum\"")) {
            (true, Some(at)) => format!("{}}}\n", &line[..at]),
            _ => format!("{line}\n"),
        };
    record.lines().map(old).collect()
}

#[test]
fn games_that_other_rules_have_played_are_replayed_and_what_differs_is_played_again() {
    let place = tic_tac_toe();
    // A row of O's is no row: greedy, which plays O in every other game, does not win these.
    let (usual, other) = ("if any(all(", "if side == 0 and any(all(");
    place.edit(RULES, usual, other);
    run(&place, &MATCH.replace("--games 2", "--games 4"), 0);
    run(&place, RESUME, 0).lacks(["note: "]);
    // A record of a judge that did not know the rules of each game.
    let record = place.read("record");
    place.write("record", without_checksums(&record));
    assert_ne!(place.read("record"), record);
    let said = ["4 recorded games were not", "4 end as before, 0 are played again"];
    run(&place, RESUME, 0).has(said);
    run(&place, RESUME, 0).lacks(["note: "]);
    place.edit(RULES, other, usual);
    run(&place, RESUME, 0).has([
        "2 end as before, 2 are played again\n  game 1 (agent vs greedy): ply ",
        "the game is over: O wins: three in a row",
        "game 1 (agent vs greedy): 0-1 by the rules of today, 1/2-1/2 before",
    ]);
    run(&place, RESUME, 0).has(["4 games: normal 4"]).lacks(["note: "]);
}

/// Writes a class for the tic-tac-toe, to be graded by two games as each side; the programs by the
/// names of the students.
fn a_class(place: &Path, programs: &[(&str, &str)]) {
    write_scheme(place, "[[games]]\ncount = 4\npoints = 1\nreference = \"random\"\nclock = 20\n");
    for (student, lines) in programs {
        place.join("class").join(student).write_script("agent.sh", lines);
    }
}

pub(crate) fn write_scheme(place: &Path, groups: &str) {
    place.write("scheme.toml", format!("game = \"tic-tac-toe\"\n{groups}"));
}

pub(crate) const GRADING: &str =
    "grade-all --game ./game class --scheme scheme.toml --csv grades.csv --cmd ./agent.sh";

pub(crate) fn remove_grades(place: &Path) {
    place.remove("grades.csv");
    place.remove("grades.jsonl");
}

const READ: &str = "        move = text.strip()";
/// A line of rules that fails for an output file of other signs than digits.
const READ_NUMBERS: &str =
    "        move = \"%d,%d\" % tuple(int(part) for part in text.split(\",\"))";

#[test]
fn a_class_gets_the_points_of_the_rules_of_today_and_changed_points_are_told() {
    let place = tic_tac_toe();
    a_class(&place, &[("ann", PLAY), ("ben", &PLAY.replace("echo $x,$y", "printf %s $x,$y"))]);
    // A line end in the output file is refused.
    let wrong = "        if text.endswith(\"\\n\"): raise Refused(\"format\", \"expected no line end\")\n        move = text.strip()";
    place.edit(RULES, READ, wrong);
    let write = "    def write(self, state, move):\n        return move\n\n    def read(";
    place.edit(RULES, "    def read(", write);
    let words = format!("{GRADING} --resume");
    run(&place, &words, 0);
    let grades = || place.read("grades.csv");
    let points = |line| grades().lines().nth(line).unwrap().split(',').nth(1).unwrap().to_string();
    assert_has(grades(), ["\nann,0,4,", "4 bad format"]);
    let points_of_ben = points(2);
    place.edit(RULES, wrong, READ);
    let mended = run(&place, &words, 0).has([
        "4 end as before, 4 are played again\n  ann, test 1 (game 1 as X, moving first): ply 1: ",
        "the output file is the move 0,0",
    ]);
    assert_lacks(grades(), ["bad format", "\nann,0,"]);
    assert_eq!(points(2), points_of_ben);
    let told = "points, 0 before: games were played again by the rules of today\n";
    mended.has([&format!("  ann: {} {told}", points(1))]);
    run(&place, &words, 0).lacks(["note: "]);
}

#[test]
fn rules_that_fail_for_the_text_of_one_student_let_this_student_s_tests_wait_alone() {
    let place = tic_tac_toe();
    a_class(&place, &[("ann", "printf 1,x > output.txt"), ("ben", PLAY), ("cleo", PLAY)]);
    place.edit(RULES, READ, READ_NUMBERS);
    let words = format!("{GRADING} --resume");
    let ann = "  ann: 4 tests wait: game 1, engine 'ann': ";
    let said = run(&place, &words, 2);
    said.has(["not graded yet", ann, "ValueError: invalid literal"]).lacks(["  ben: "]);
    let grades = || place.read("grades.csv");
    assert_has(grades(), ["\nben,", "\ncleo,"]);
    assert_lacks(grades(), ["\nann,"]);
    place.edit(RULES, READ_NUMBERS, READ);
    run(&place, &words, 0);
    assert_has(grades(), ["\nann,0,4,", "4 bad format"]);
    // Rules that fail for everybody end the grading early.
    place.edit(RULES, READ, "        raise ValueError(text)");
    remove_grades(&place);
    run(&place, &words, 2).has(["the grading stops here", "engine 'cleo'"]);
}

#[test]
fn a_move_is_checked_and_the_rule_is_named() {
    let place = example_game("little-go");
    let rows = "00000\n00000\n00100\n00000\n00000";
    place.write("input.txt", format!("2\n00000\n00000\n00000\n00000\n00000\n{rows}"));
    for (output, code, words) in [
        ("1,2", 0, "WHITE plays 1,2"),
        ("2,2", 1, "output.txt: illegal move: 2,2 is occupied"),
        ("(1, 2)", 1, "output.txt: line 1: expected ROW,COLUMN or PASS, found '(1, 2)'"),
    ] {
        place.write("output.txt", output);
        run(&place, "check ./game input.txt output.txt", code).has([words]);
    }
    place.write("input.txt", "3\n");
    let words = "input.txt:1: expected 1 (black) or 2 (white), found '3'";
    run(&place, "show ./game input.txt", 2).has([words]);
    run(&place, "perft ./game --depth 2", 0).has(["1 26 ", "2 625 "]);
}

#[test]
fn a_program_of_rules_that_ends_forks_or_deletes_its_folder_is_started_anew() {
    for lines in [
        "    if number % 30 == 0: os._exit(3)",
        "    if number % 30 == 0: os.kill(os.getpid(), 9)",
        "    if number == 1: os.system('rm -rf ./* .requests')",
        "    if number == 1 and os.fork() == 0: time.sleep(60)",
    ] {
        let place = faulty(lines);
        run(&place, MATCH, 0).has(["2 games: normal 2"]);
    }
}

/// A match stops with these words where the rules fail, and nobody is blamed; returns what was said.
#[track_caller]
fn fails(lines: &str, words: &str) -> (NewFolder, String) {
    let place = faulty(lines);
    let said = run(&place, MATCH, 2).has([words, "no fault of a player's"]);
    assert_lacks(place.read("record"), ["forfeit", "\"fault\":{"]);
    (place, said.stderr)
}

/// The match goes on when the rules are mended.
#[track_caller]
fn goes_on(place: &Path) {
    place.edit(SETTINGS, "python3 faulty.py", "python3 rules.py");
    run(place, RESUME, 0).has(["2 games: normal 2"]);
}

#[test]
fn a_program_of_rules_that_fails_costs_nobody_a_point_and_the_match_goes_on_when_it_is_mended() {
    let (place, _) = fails("    if 'XO' in line: os._exit(3)", "it ended: exit code 3");
    goes_on(&place);
    for (lines, words) in [
        (
            "    if 'XO' in line: raise Exception('of mine')",
            "it ended: exit code 1, last words: 'Exception: of mine'",
        ),
        (
            "    if 'XO' in line: print('nonsense', flush=True)",
            "its answer is no JSON object: nonsense",
        ),
        (
            "    if 'XO' in line: print('{\"error\": \"a row is missing\"}', flush=True); continue",
            "a row is missing",
        ),
        (
            "    if '\"view\"' in line: print('{\"turn\": 0}', flush=True); continue",
            "missing field `moves`",
        ),
        (
            "    if 'XO' in line:\n        while True: sys.stdout.write('x' * 65536)",
            "its answer is longer than 16 MiB",
        ),
    ] {
        let (_, said) = fails(lines, words);
        assert_has(&said, ["the rules program of tic-tac-toe failed: "]);
        let (_, request) = said.split_once("the request was {").unwrap();
        assert_has(request.replace('\\', ""), ["\"do\":"]);
    }
}

#[test]
fn nobody_is_blamed_for_what_a_new_process_of_the_rules_answers_otherwise() {
    let refuses = |when: &str, why: &str| {
        format!(
            "    if '\"read\"' in line and {when}:\n        \
             print('{{\"refused\": \"illegal\", \"why\": \"{why}\"}}', flush=True); continue"
        )
    };
    let own = "it refused what it writes for the legal move '0,0'";
    let (place, _) = fails(&refuses("'0,0' in line", "of mine"), own);
    goes_on(&place);
    let plays = "    if number > 20 and '\"play\"' in line:\n        ";
    let over = "over = ', \"view\": {\"turn\": 0, \"over\": {\"winner\": 1}, \"moves\": [], \"board\": \"\"}}'\n        \
                print(server.answer(line).split(', \"view\"')[0] + over, flush=True); continue";
    let other = "print('{\"state\": \"XO........\"}', flush=True); continue";
    let is_over = "\"refused\":\"illegal move: the game is over\"} and {\"move\":";
    for (lines, answer) in [
        (refuses("number > 20", "the game is over"), is_over),
        (format!("{plays}{over}"), "\"board\":"),
        (format!("{plays}{other}"), "\"state\":"),
    ] {
        fails(&lines, &format!("two processes of it answered differently: {{{answer}"));
    }
}

#[test]
fn rules_are_started_by_a_program_that_the_teacher_s_path_alone_has() {
    let place = tic_tac_toe();
    place.write_script("tools/referee", "exec python3 \"$@\"\n");
    place.edit(SETTINGS, "python3 rules.py", "referee rules.py");
    let path = format!("{}:{}", place.join("tools").display(), std::env::var("PATH").unwrap());
    testing::run(judge(&place).env("PATH", path), "perft ./game --depth 1", 0).has(["1 9 "]);
}

#[test]
fn a_folder_that_is_no_game_is_told_file_and_key() {
    let place = tic_tac_toe();
    let sides = "sides = [\"X\", \"O\"]";
    for (right, wrong, words) in [
        ("\"tic-tac-toe\"", "\"tic tac toe\"", "name: expected letters, digits and '-'"),
        ("plies = 9", "plies = 0", "plies: expected 1 to 100000, found 0"),
        (sides, "sides = [\"X\", \"X\"]", "found 'X' twice"),
        (sides, "sides = [\"X\", \"O\", \"Z\"]", "sides: expected two words, found 3"),
        ("keep = []", "keep = \"none\"", "keep: expected \"all\" or a list of names"),
        ("keep = []", "keep = [\"../x\"]", "expected the name of a file, found '../x'"),
        ("title", "titel", "unknown field `titel`"),
        ("python3 rules.py", "C:\\users\\x", "(write a backslash twice, or the text in single"),
    ] {
        place.edit(SETTINGS, right, wrong);
        run(&place, "perft ./game --depth 1", 2).has([words]);
        place.edit(SETTINGS, wrong, right);
    }
    place.remove(SETTINGS);
    run(&place, "perft ./game --depth 1", 2).has(["game/game.toml: no such file"]);
    run(&place, "show chess x", 2).has(["halma"]);
}

#[test]
fn files_that_a_game_does_not_keep_are_gone_in_the_next_turn() {
    let place = tic_tac_toe();
    // Tells what is there, and leaves two files.
    place.write_script("agent.sh", &format!("echo found $(ls) >&2; echo > a; echo > b\n{PLAY}"));
    let settings = place.read(SETTINGS);
    for (keep, seen) in
        [("[]", "input.txt"), ("[\"b\"]", "b input.txt"), ("\"all\"", "a b input.txt")]
    {
        place.write(SETTINGS, settings.replace("keep = []", &format!("keep = {keep}")));
        run(&place, &format!("{MATCH} --overwrite"), 0);
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
    let tests = repository("examples/rules/tests");
    let mut python = Command::new("python3");
    let words = ["-B", "-m", "unittest", "discover", "-s", tests.to_str().unwrap()];
    testing::run(&mut python, &words, 0).has(["OK"]);
}

#[test]
fn the_examples_pass_the_test_of_rules_and_are_played() {
    for (game, perft) in [("little-go", "26 625"), ("duo-othello", "8 56 400 2696")] {
        let place = example_game(game);
        let perft = format!("perft from the start: {perft}");
        run(&place, "rules-test ./game --games 1", 0).has([&perft, "All is well."]);
        let words = format!("{} --max-plies 8", references("mcts:3", "greedy"));
        run(&place, &words, 0).has(["2 games: draw by move limit 2"]);
        run(&place, "rules ./game", 0);
    }
}

/// A class of three for an example is taken in and graded by two games against a random player: one
/// program plays the first legal move, one leaves nonsense, one crashes. `main` is the name that
/// the game asks for, `game` makes the game in Python.
fn a_class_is_graded(example: &str, main: &str, game: &str) {
    let place = example_game(example);
    let settings = place.read(SETTINGS);
    let name = settings.lines().find_map(|line| line.strip_prefix("name = ")).unwrap();
    let games = "[[games]]\ncount = 2\npoints = 1\nreference = \"random\"\nturn-clock = 20\n";
    place.write("game/scheme.toml", format!("game = {name}\nmax-plies = 4\n{games}"));
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
        made.write(main, program);
        copy(place.join("game/rules.py"), made.join("rules.py"));
        let module = repository("starters/any-game/menagerie_rules.py");
        copy(module, made.join("menagerie_rules.py"));
    }
    let command = format!("python3 {main}");
    run(&place, "intake --game ./game made --out class", 1).has([&command, "does not play"]);
    run(&place, "grade-all --game ./game class --csv grades.csv --reports reports", 0);
    let grades = place.read("grades.csv");
    assert_eq!(grades.lines().count(), 4, "{grades}");
    let row = |student: &str| grades.lines().find(|line| line.starts_with(student)).unwrap();
    assert_lacks(row("ann"), ["bad format", "illegal"]);
    assert_has(row("ben"), ["2 bad format"]);
    assert_has(row("cleo"), ["2 crash"]);
    assert_has(place.read("reports/ben.txt"), ["output.txt", "Legal moves ("]);
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
    let game = "rules.OpenSpiel('breakthrough(rows=6,columns=6)')";
    a_class_is_graded("openspiel", "homework.py", game);
    let place = example_game("openspiel");
    run(&place, "rules-test ./game --games 3", 0).has(["perft from the start: 16 256"]);
    run(&place, &references("mcts:30", "random"), 0).has(["2 games: normal 2"]);
}

#[test]
fn halma_as_a_program_of_rules_agrees_with_the_built_in_halma() {
    let place = folder();
    copy(repository("crates/judge/tests/rules/halma"), place.join("halma"));
    copy(repository("starters/halma/python/agent.py"), place.join("halma/agent.py"));
    let mut compare = Command::new(example("compare_rules"));
    let words = "halma addendum halma 3 120 90";
    testing::run(compare.current_dir(&place), words, 0).has([": 0 differ"]);
}

#[test]
#[ignore = "long"]
fn a_program_that_a_busy_machine_kept_waiting_is_not_doubted_in_a_try() {
    let place = tic_tac_toe();
    let agent = place.read("game/python/agent.py");
    // It thinks at the start of a game alone.
    let busy = "import time\nwhile open('input.txt').read().count('...') == 3 and time.process_time() < 0.2: pass\n";
    place.write("agent.py", busy.to_string() + &agent);
    let processor = a_processor();
    let _crowd = Crowd::on(processor, 3);
    let mut judge = Command::new("taskset");
    judge.args(["-c", &processor.to_string(), env!("CARGO_BIN_EXE_judge")]).current_dir(&place);
    let tried = testing::run(&mut judge, "try --game ./game --plies 4 --cmd 'python3 agent.py'", 0);
    tried.has(["the machine gave it"]).lacks(["doubtful"]);
}

#[test]
fn rules_that_fail_for_the_text_of_one_player_let_its_games_of_a_tournament_wait_alone() {
    let place = tic_tac_toe();
    place.write_script("odd.sh", "printf 1,x > output.txt");
    place.edit(RULES, READ, READ_NUMBERS);
    let words = "tournament --seed 1 --game ./game --games 2 --record record --engine cmd=./odd.sh name=odd \
                 --engine cmd=./agent.sh name=agent --engine engine=reference:random name=random";
    let said = ["4 games wait; --resume plays them", "ValueError: invalid literal"];
    run(&place, words, 2).has(said);
    place.edit(RULES, READ_NUMBERS, READ);
    let resumed = run(&place, "tournament --resume record", 0);
    resumed.has(["2 end as before, 0 are played again", "6 games: normal 2, bad format 4"]);
}

#[test]
fn rounds_of_a_swiss_tournament_after_a_changed_result_are_played_again() {
    let place = tic_tac_toe();
    let (usual, other) = ("if any(all(", "if side == 0 and any(all(");
    place.edit(RULES, usual, other);
    let players =
        ["a", "b", "c", "d"].map(|name| format!(" --engine engine=reference:random name={name}"));
    let words = "tournament --seed 1 --game ./game --games 2 --shape swiss --record record";
    run(&place, &format!("{words}{}", players.concat()), 0);
    place.edit(RULES, other, usual);
    let resumed = run(&place, "tournament --resume record", 0).has(["8 games: normal 8"]).stderr;
    let depends = "its pairing depends on a result that is another one";
    assert_eq!(resumed.matches(depends).count(), 4, "{resumed}");
    run(&place, "tournament --resume record", 0).lacks(["note: "]);
}
