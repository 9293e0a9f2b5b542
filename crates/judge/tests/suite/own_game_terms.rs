//! Tests of games whose rules are a program: random players, clocks, openings, schemes.

use crate::common::run;
use crate::own_game::{
    GRADING, PLAY, RULES, SETTINGS, example_game, references, remove_grades, tic_tac_toe,
    write_scheme,
};
use std::path::Path;
use testing::{Folder, NewFolder, assert_has, assert_lacks, copy};

#[test]
fn a_random_player_plays_moves_by_their_weights() {
    let place = example_game("little-go");
    let random = format!("{} --record record --overwrite", references("random", "random"));
    let passes = || {
        run(&place, &random, 0);
        place.read("record").matches("\"output\":\"PASS\"").count()
    };
    assert_eq!(passes(), 0);
    // Without a word about weights all moves are alike.
    place.edit(RULES, "    def weight(", "    def of_no_weight(");
    assert!(passes() > 0);
    place.edit(RULES, "    def of_no_weight(", "    def weight(");
    place.edit(RULES, "return 0 if move == \"PASS\" else 1", "return -1");
    run(&place, &random, 2).has(["'weights' are numbers from 0 to 1e9, one for each move"]);
}

#[test]
fn a_draw_that_goes_to_the_side_with_more_time_is_a_draw_against_a_reference_player() {
    let place = tic_tac_toe();
    let full = "\"why\": \"the board is full\"";
    place.edit(RULES, full, &format!("\"by_time\": 1, {full}"));
    let games = "[[games]]\ncount = 2\npoints = 10\nreference = \"minimax:8\"\nclock = 20\n";
    write_scheme(&place, games);
    // It plays without a fault: the first of the moves that are best by the rules themselves.
    let best = "import functools, sys
sys.path.insert(0, 'game')
import rules
game = rules.TicTacToe()
@functools.lru_cache(None)
def worth(state):
    over = game.over(state)
    if over: return 0 if over['winner'] is None else -1
    return max(-worth(game.play(state, move)) for move in game.moves(state))
text = open('input.txt').read()
state = game.position(text)[0]
assert text.split('\\n')[1] <= '20.000'
best = max(game.moves(state), key=lambda move: -worth(game.play(state, move)))
open('output.txt', 'w').write(best)
";
    place.write("class/ann/homework.py", best);
    copy(place.join("game"), place.join("class/ann/game"));
    run(&place, &GRADING.replace("./agent.sh", "'python3 homework.py'"), 0);
    assert_has(place.read("grades.csv"), ["\nann,10,20,"]);
    assert_lacks(place.read("grades.jsonl"), ["\"left\":99", "by time left"]);
}

#[test]
fn no_position_of_a_try_has_a_clock_that_the_files_do_not_tell() {
    let place = example_game("little-go");
    let words = "try --game ./game --positions here";
    let said = run(&place, words, 0).has(["the middle of a game"]);
    said.lacks(["s on the clock", "for the whole game"]);
    place.write("input.txt", format!("1\n{}", "00000\n".repeat(10)));
    run(&place, "show ./game input.txt", 0).lacks(["clock:"]);
    let place = tic_tac_toe();
    run(&place, words, 0).has(["100 s for the whole game", "0.05 s on the clock"]);
}

/// A class for the tic-tac-toe whose files stay, of one student with this program.
fn a_class_of_one(agent: &str) -> NewFolder {
    let place = tic_tac_toe();
    place.edit(SETTINGS, "keep = []", "keep = \"all\"");
    place.join("class/ann").write_script("agent.sh", agent);
    place
}

fn report(place: &Path, scheme: &str) -> String {
    write_scheme(place, scheme);
    remove_grades(place);
    run(place, &format!("{GRADING} --reports reports"), 0);
    place.read("reports/ann.txt")
}

/// It counts its moves in a file, and crashes where the board has other numbers.
const COUNTS: &str = "signs=$(tail -n 3 input.txt | tr -cd XO | wc -c)
[ $signs -le 1 ] && echo 0 > moves
[ $signs -gt 1 ] && echo $(($(cat moves 2> /dev/null || echo 9) + 1)) > moves
[ $(cat moves) = $((signs / 2)) ] || exit 3
";

#[test]
fn a_program_that_counts_moves_in_a_file_plays_all_its_games() {
    let place = a_class_of_one(&format!("{COUNTS}{PLAY}"));
    let scheme = "[[positions]]\ncount = 6\npoints = 1\nclock = 20\n\
                  [[games]]\ncount = 4\npoints = 10\nreference = \"random\"\nclock = 20\n";
    let report = report(&place, scheme);
    let plays = "plays its 4 games from the start without a fault";
    assert_has(&report, [plays, "it may count moves in a file"]);
    assert_lacks(&report, ["not played"]);
    let command = "./class/ann/agent.sh";
    let said = ["a game as X against greedy", "It plays whole games, and fails in "];
    run(&place, &format!("try --game ./game --cmd {command}"), 0).has(said);
    copy(place.join("scheme.toml"), place.join("game/scheme.toml"));
    // Syntax that students may not have is named as well.
    place.write("game/more.py", "\nmatch 1:\n    case _:\n        pass\n");
    run(&place, "rules-test ./game --games 3", 0).has([
        "note: scheme.toml has [[positions]]",
        "note: more.py, line ",
        "Python 3.8 cannot read this",
    ]);
    place.remove("game/more.py");
    run(&place, "rules-test ./game --games 3", 0).lacks(["Python 3.8"]);
}

#[test]
fn games_of_a_scheme_differ_and_equal_ones_count_once() {
    let place = a_class_of_one(PLAY);
    let scheme =
        "[[games]]\ncount = 8\npoints = 10\nreference = \"greedy\"\nclock = 20\nrandom-plies = ";
    // Without random moves there is one game as each side.
    let one = report(&place, &format!("{scheme}0\n"));
    assert_has(one, ["Equal games count once: 6 of the 8 tests repeat earlier ones"]);
    assert_lacks(report(&place, &format!("{scheme}2\n")), ["6 of the 8 tests repeat"]);
    // All games begin at the start.
    assert_eq!(place.read("grades.jsonl").matches("\"opening\":\"X.........\"").count(), 8);
}

/// The tic-tac-toe with an opponent of its folder, and a class of two: one that plays the first
/// free square, and one that leaves nothing.
fn a_class_against_an_opponent(opponent: &str) -> NewFolder {
    let place = tic_tac_toe();
    let table = "[[opponents]]\nname = \"mine\"\ncommand = \"python3 opponents/mine.py\"\nclock = { move = 3.0 }\n";
    place.write(SETTINGS, place.read(SETTINGS) + table);
    place.write("game/opponents/mine.py", opponent);
    let first = format!("[ -e opponents ] && exit 3\n{PLAY}");
    place.join("class/ann").write_script("agent.sh", &first);
    place.join("class/bob").write_script("agent.sh", "");
    place
}

#[test]
fn an_opponent_of_the_teacher_s_plays_in_schemes_and_matches() {
    // It plays the last free square, so that both never want the same.
    let place = a_class_against_an_opponent(
        "text = open('input.txt').read().split('\\n')
assert float(text[1]) == 3
board = ''.join(text[2:5])
at = board.rindex('.')
open('output.txt', 'w').write('%d,%d\\n' % (at % 3, at // 3))
",
    );
    let graded = |more: &str| {
        let games = "[[games]]\ncount = 2\npoints = 5\ndraw = 0\nreference = \"mine\"\nclock = 20\nrandom-plies = 0\n";
        write_scheme(&place, &format!("{games}{more}"));
        remove_grades(&place);
        run(&place, GRADING, 0);
        place.read("grades.csv")
    };
    // X wins by the first row or column; O loses.
    assert_has(graded(""), ["\nann,5,10,", "\nbob,0,10,"]);
    place.remove("class/bob");
    assert_has(graded("full = 0.5\n"), ["\nann,10,10,"]);
    assert_has(graded("full = 0.8\n"), ["\nann,6.25,10,"]);
    assert_has(graded("side = \"X\"\n"), ["\nann,10,10,"]);
    assert_has(graded("side = \"O\"\n"), ["\nann,0,10,"]);
    run(&place, &references("mine", "random"), 0).has(["Finished game 2 of 2"]);
    let said = ["no reference player 'other'", "and in game.toml mine"];
    run(&place, &references("other", "random"), 2).has(said);
}

#[test]
fn an_opponent_that_fails_costs_no_student_a_point() {
    let place = a_class_against_an_opponent("raise SystemExit(3)\n");
    write_scheme(&place, "[[games]]\ncount = 2\npoints = 5\nreference = \"mine\"\nclock = 20\n");
    let said = ["the opponent mine of tic-tac-toe failed", "exit code 3"];
    run(&place, GRADING, 2).has(said);
}

#[test]
fn what_programs_had_at_their_intake_they_have_in_a_grading() {
    let place = tic_tac_toe();
    place.write("word", "yes");
    let word = place.join("word");
    let needs = format!("import os\nassert os.environ['NEEDED'] == open({word:?}).read()\n");
    place.write("made/ann/homework.py", needs + &place.read("game/python/agent.py"));
    write_scheme(&place, "[[positions]]\ncount = 2\npoints = 5\nclock = 20\n");
    let words = "intake made --game ./game --out class --env NEEDED=yes --read-only word";
    run(&place, words, 0);
    let words = "grade-all --game ./game class --scheme scheme.toml --csv";
    for (options, row) in
        [("as-there.csv", "\nann,10,10,"), ("other.csv --env NEEDED=no", "\nann,0,10,")]
    {
        run(&place, &format!("{words} {options}"), 0);
        assert_has(place.read(options.split(' ').next().unwrap()), [row]);
    }
}

pub(crate) fn slow_down(place: &Path, seconds: f64) {
    let board = "board = list(state[1:])";
    let slow = format!("import time\n        time.sleep({seconds})\n        {board}");
    place.edit(RULES, board, &slow);
}

#[test]
fn a_run_says_what_share_of_the_time_the_rules_took() {
    let place = tic_tac_toe();
    slow_down(&place, 0.005);
    run(&place, &references("random", "mcts:50"), 0)
        .has(["the rules took ", " % of the time: docs/own-game.md"]);
}

#[test]
#[ignore = "long"]
fn an_analysis_of_slow_rules_ends_in_time_and_says_what_is_left_out() {
    let place = tic_tac_toe();
    run(&place, &format!("{} --record record", references("random", "random")), 0);
    let said = ["1 game, ", " positions, ", " s for each"];
    run(&place, "analyse record --game 1", 0).has(said).lacks(["without an analysis"]);
    slow_down(&place, 0.05);
    let said = run(&place, "analyse record", 0);
    said.has(["the time of 60 s was over: ", " without an analysis; --full"]);
}

/// Answers as the rules of Pente do, but not all requests.
const PARTLY: &str = "
import json, sys
from menagerie_rules import Server
from rules import Pente
server = Server(Pente())
for line in sys.stdin:
    request, answer = json.loads(line), json.loads(server.answer(line))
    if request['do'] == 'playout':
        answer = EDITED
    print(json.dumps(answer), flush=True)
";

#[test]
fn a_test_of_rules_on_19_x_19_points_sees_whole_games_and_a_part_of_their_positions() {
    let place = example_game("pente");
    let words = "rules-test ./game --requests 5000";
    let seen = |place: &NewFolder| {
        let said = run(place, words, 0).stdout;
        assert_has(&said, ["of these positions were tested, about one in 54: ", "All is well."]);
        assert_lacks(&said, ["0 random games", "1 random game,", "2 random games"]);
        assert_has(&said, ["perft from the start: 361"]);
    };
    seen(&place);
    place.write("game/partly.py", PARTLY.replace("EDITED", "{'absent': 'playout'}"));
    place.edit(SETTINGS, "python3 rules.py", "python3 partly.py");
    seen(&place);
    let other =
        "dict(answer, states=[[s.replace(' 0 0 ', ' 1 0 '), m] for s, m in answer['states']])";
    place.write("game/partly.py", PARTLY.replace("EDITED", other));
    let said = run(&place, words, 1).stdout;
    assert_has(&said, ["wrong: "]);
}
