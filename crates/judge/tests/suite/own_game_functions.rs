//! Tests of hand-ins that are a function or a class, which the judge's own loop asks for moves.

use crate::common::run;
use crate::own_game::{RULES, SETTINGS, example_game, remove_grades, tic_tac_toe};
use testing::{Folder, NewFolder, assert_has, assert_lacks, copy, events};

/// Keeps what it knows from turn to turn, prints, and tells its second move by what it kept.
const COUNTS: &str = "\
from helper import columns_of
turns = []

def agent(observation, configuration):
    turns.append(observation['step'])
    print('turn', len(turns))
    free = columns_of(observation.board, configuration.columns)
    return free[len(turns) % len(free)]

if __name__ == '__main__':
    raise SystemExit('this is no program')
";
const HELPER: &str = "\
def columns_of(board, columns):
    return [column for column in range(columns) if board[column] == 0]
";
const RAISES: &str = "\
turns = 0
def agent(observation, configuration):
    global turns
    turns += 1
    return 3 // (2 - turns)
";
const GAMES: &str = "game = \"connect-four\"\n[[games]]\ncount = 2\npoints = 10\nreference = \"random\"\n\
                     turn-clock = 20\n";

#[test]
fn a_class_of_functions_is_taken_in_graded_and_told_its_traceback() {
    let place = example_game("connect-four");
    run(&place, "rules-test ./game --games 3", 0).has(["perft from the start: 7 49 343 2401"]);
    place.write("game/scheme.toml", GAMES);
    copy(place.join("game/python/agent.py"), place.join("made/ann/submission.py"));
    place.write("made/ben/my_bot.py", COUNTS);
    place.write("made/ben/helper.py", HELPER);
    place.write("made/cleo/submission.py", RAISES);
    place.write("made/dee/main.py", "agent = lambda observation, configuration: 'nine'\n");
    let said = run(&place, "intake --game ./game made --out class", 1);
    let said = said.has(["my_bot.py is asked for its moves by agent()", "found 'nine'"]).stdout;
    let ann = said.lines().find(|line| line.starts_with("ann ")).unwrap();
    assert!(ann.contains(" ready ") && !ann.contains("submission.py is"), "{ann}");
    run(&place, "grade-all --game ./game class --csv grades.csv --reports reports", 0);
    let grades = place.read("grades.csv");
    let row = |student: &str| grades.lines().find(|line| line.starts_with(student)).unwrap();
    for student in ["ann", "ben"] {
        assert_lacks(row(student), ["crash", "bad format", "illegal", "stall"]);
    }
    assert_has(row("cleo"), ["2 crash"]);
    assert_has(row("dee"), ["2 bad format"]);
    let report = place.read("reports/cleo.txt");
    assert_has(&report, ["submission.py\", line 5, in agent", "ZeroDivisionError"]);
    assert_lacks(&report, ["<string>", "no input file"]);
    remove_grades(&place);
}

/// The tic-tac-toe, whose hand-ins are classes.
fn tic_tac_toe_of_classes(parameters: &str) -> NewFolder {
    let place = tic_tac_toe();
    let key = format!("adapter = {{ python = \"*.step({parameters})\" }}\n");
    place.write(SETTINGS, key + &place.read(SETTINGS));
    place
}

const CLASS: &str = "\
class Base:
    def step(self, task):
        raise NotImplementedError

class Student(Base):
    def __init__(self):
        self.turns = 0

    def step(self, task):
        self.turns += 1
        rows = task.splitlines()[2:5]
        print(self.turns, 'of', rows)
        assert self.turns == sum(row.count(task[0]) for row in rows) + 1
        return ['%d,%d' % (x, y) for y in range(3) for x in range(3) if rows[y][x] == '.'][0]
";
const TALKS: &str = "\
import sys
lines = []
for line in sys.stdin:
    lines.append(line)
    if line == '\\n':
        at = ''.join(lines[2:5]).replace('\\n', '').index('.')
        print('%d,%d' % (at % 3, at // 3), end='\\n\\n', flush=True)
        lines = []
";

#[test]
fn a_class_is_asked_beside_programs_that_talk_and_its_turns_are_run_again() {
    let place = tic_tac_toe_of_classes("task");
    place.write("student.py", CLASS);
    place.write("talks.py", TALKS);
    place.write("game/staff.py", CLASS);
    let opponent = "[[opponents]]\nname = \"staff\"\ncommand = \"python3 staff.py\"\n";
    place.write(SETTINGS, place.read(SETTINGS) + opponent);
    let words = "match --seed 1 --game ./game --games 2 --record record --engine name=class \
                 'cmd=python3 student.py' --engine name=other";
    run(&place, &format!("{words} 'cmd=python3 talks.py'"), 0).has(["2 games: normal 2"]);
    // The conversation up to the turn is held again: the class has counted.
    let moves: Vec<_> = events(place.join("record"))
        .into_iter()
        .filter(|event| event["game"] == 1 && event["side"] == "X")
        .collect();
    let last = moves[moves.len() - 1]["ply"].as_u64().unwrap() + 1;
    assert!(moves.len() >= 3, "{moves:?}");
    let again = run(&place, &format!("rerun record --game 1 --ply {last}"), 0).stdout;
    let verdict = |name: &str| {
        let line = again.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split(';').next().unwrap().trim()
    };
    assert_eq!(verdict("now:"), verdict("then:"), "{again}");
    assert_lacks(&again, ["and is now"]);
    let other = format!("rerun record --game 1 --ply {last} --engine 'cmd=python3 talks.py'");
    run(&place, &other, 0).has(["now:"]);
    let keep = format!("rerun record --game 1 --ply {last} --keep there");
    assert_has(run(&place, &keep, 2).stderr, ["--keep", "stay running"]);
    let staff = format!("{words} engine=reference:staff --overwrite");
    run(&place, &staff, 0).has(["2 games: normal 2"]);
    run(&place, "try --game ./game --cmd 'python3 talks.py'", 0).has(["All is well"]);
    place.write("other.py", "def my_step(task):\n    return '0,0'\n");
    let said = run(&place, "try --game ./game --cmd 'python3 other.py'", 1).stdout;
    assert_has(&said, ["other.py has no *.step(task); it has my_step"]);
}

#[test]
fn a_task_that_lacks_what_a_function_gets_and_a_wrong_key_are_told() {
    let place = tic_tac_toe_of_classes("board, side");
    let note = "no JSON object with the key \"board\"";
    run(&place, "rules-test ./game --games 3", 0).has([note, "read the notes"]);
    for wrong in ["step", "*.(a)", "step()", "my agent(a)"] {
        place.edit(SETTINGS, "*.step(board, side)", wrong);
        let said = run(&place, "rules-test ./game --games 3", 2).stderr;
        assert_has(&said, ["adapter: expected a function and its parameters", wrong]);
        place.edit(SETTINGS, wrong, "*.step(board, side)");
    }
    place.edit(SETTINGS, "[\"X\", \"O\"]", "[\"X\", \"O\", \"Z\"]");
    let said = run(&place, "rules-test ./game", 2).stderr;
    assert_has(&said, ["expected two words, found 3: the judge plays games of two sides alone"]);
}

#[test]
fn a_long_wrong_move_is_cut_in_what_the_judge_says() {
    let place = tic_tac_toe();
    place.edit(RULES, "found %r\" % move[:40]", "found %r\" % move");
    place.write("long.sh", "printf '%010000d' 7 > output.txt\n");
    let words = "match --seed 1 --game ./game --games 2 --record record --engine name=long \
                 'cmd=sh long.sh' --engine name=b engine=reference:random";
    let said = run(&place, words, 0).stdout;
    assert!(said.lines().all(|line| line.len() < 1_000), "{said}");
    assert_has(&said, ["found '000"]);
    let end = events(place.join("record")).into_iter().find(|event| event["event"] == "end");
    assert!(end.unwrap()["reason"].as_str().unwrap().len() < 1_000);
}

#[test]
#[ignore = "long"]
fn a_pattern_that_tries_all_ways_is_found_by_the_test_of_rules() {
    let place = tic_tac_toe();
    let hangs = "import re\n        re.match(r'^(\\d+,?)*$', text.strip())\n        move = text";
    assert_has(place.read(RULES), ["move = text"]);
    place.edit(RULES, "move = text", hangs);
    let said = run(&place, "rules-test ./game --games 2", 1).stdout;
    assert_has(&said, ["no answer within 10 s", "a pattern", "\"do\":\"read\""]);
}

/// The higher of two bids wins: far more moves than anybody lists.
const BIDS: &str = "\
from menagerie_rules import Game, Refused, run

class Bids(Game):
    def start(self, variant):
        return []
    def turn(self, state):
        return len(state) % 2
    def moves(self, state):
        return ['1', '2', '3']
    def legal(self, state, move):
        return move.isdigit() and 0 < int(move) <= 10 ** 9
    def play(self, state, move):
        return state + [int(move)]
    def over(self, state):
        if len(state) < 2:
            return None
        winner = None if state[0] == state[1] else int(state[1] > state[0])
        return {'winner': winner, 'why': 'the bids are %d and %d' % tuple(state)}
    def task(self, state, clocks, single):
        return 'bid\\n'

if __name__ == '__main__':
    run(Bids())
";

#[test]
fn moves_that_cannot_be_listed_are_played_and_what_needs_a_list_is_refused() {
    let place = tic_tac_toe();
    place.write(RULES, BIDS);
    let said = run(&place, "rules-test ./game --games 30", 0);
    said.has(["no perft: the rules list only some moves", "All is well."]);
    for (bid, reason) in [
        ("999999999", "the bids are 999999999 and 999999999"),
        ("2", "the bids are 2 and 2"),
        ("0", "0 is not a legal move"),
        ("4000000000", "4000000000 is not a legal move"),
    ] {
        place.write("bids.sh", format!("echo {bid} > output.txt\n"));
        let words = "match --seed 1 --game ./game --games 2 --record record --overwrite --engine \
                     name=a 'cmd=sh bids.sh' --engine name=b 'cmd=sh bids.sh'";
        run(&place, words, 0).has([reason]);
    }
    place.write("bids.sh", "echo 77 > output.txt\n");
    let words = "match --seed 1 --game ./game --games 2 --record record --overwrite --engine \
                 name=a 'cmd=sh bids.sh' --engine name=b engine=reference:random";
    run(&place, words, 0).has(["2 games: normal 2", "a vs b): 1-0 {X wins: the bids are 77 and"]);
    run(&place, "replay record --text", 0).has(["77"]);
    run(&place, "rerun record --game 1 --ply 1", 0).has(["now:  77;", "then: 77;"]);
    for refused in ["perft ./game --depth 1", "analyse record", "solve ./game"] {
        let said = run(&place, refused, 2).stderr;
        assert_has(&said, ["list only some moves"]);
    }
}
