//! Tests of games whose rules are a program: random players, clocks and openings.

use crate::common::{judge, run};
use crate::own_game::{change_rules, copy, program, root, tic_tac_toe};
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, assert_lacks, folder, text};

/// The example of this name as `game`.
fn an_example(place: &Path, name: &str) {
    copy(&root().join("examples/rules").join(name), &place.join("game"));
}

#[test]
fn a_random_player_plays_moves_by_their_weights() {
    let place = folder();
    an_example(&place, "little-go");
    let random = "match --game ./game --games 4 --record record --overwrite \
                  --engine engine=reference:random name=a --engine engine=reference:random name=b";
    run(&place, random, 0);
    let passes = || place.read("record").matches("\"output\":\"PASS\"").count();
    assert_eq!(passes(), 0);
    // Without a word about weights all moves are alike.
    change_rules(&place, "    def weight(", "    def of_no_weight(");
    run(&place, random, 0);
    assert!(passes() > 0);
    change_rules(&place, "    def of_no_weight(", "    def weight(");
    change_rules(&place, "return 0 if move == \"PASS\" else 1", "return -1");
    let said = judge(&place).args(random.split_whitespace()).output().unwrap();
    assert_has(text(&said.stderr), ["'weights' are numbers from 0 to 1e9, one for each move"]);
}

#[test]
fn a_draw_that_goes_to_the_side_with_more_time_is_a_draw_against_a_reference_player() {
    let place = folder();
    tic_tac_toe(&place);
    change_rules(
        &place,
        "\"why\": \"the board is full\"",
        "\"by_time\": 1, \"why\": \"the board is full\"",
    );
    let scheme = "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 10\nreference = \"minimax:8\"\nclock = 20\n";
    place.write("scheme.toml", scheme);
    // It plays without a fault: the first of the moves that are best by the rules themselves.
    let best = "import functools, sys\nsys.path.insert(0, 'game')\nimport rules\ngame = rules.TicTacToe()\n\
        @functools.lru_cache(None)\ndef worth(state):\n    over = game.over(state)\n    \
        if over: return 0 if over['winner'] is None else -1\n    \
        return max(-worth(game.play(state, move)) for move in game.moves(state))\n\
        text = open('input.txt').read()\nstate = game.position(text)[0]\n\
        assert text.split('\\n')[1] <= '20.000'\n\
        open('output.txt', 'w').write(max(game.moves(state), key=lambda move: -worth(game.play(state, move))))\n";
    place.write("class/ann/homework.py", best);
    copy(&place.join("game"), &place.join("class/ann/game"));
    let words = "grade-all --game ./game class --scheme scheme.toml --csv grades.csv --cmd";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.push("python3 homework.py");
    run(&place, &words[..], 0);
    assert_has(place.read("grades.csv"), ["\nann,10,20,"]);
    assert_lacks(place.read("grades.jsonl"), ["\"left\":99", "by time left"]);
}

#[test]
fn no_position_of_a_try_has_a_clock_that_the_files_do_not_tell() {
    let place = folder();
    an_example(&place, "little-go");
    let said = run(&place, "try --game ./game --positions here", 0).stdout;
    assert_has(&said, ["the middle of a game"]);
    assert_lacks(&said, ["s on the clock", "for the whole game"]);
    place.write(
        "input.txt",
        "1\n00000\n00000\n00000\n00000\n00000\n00000\n00000\n00000\n00000\n00000\n",
    );
    assert_lacks(run(&place, "show ./game input.txt", 0).stdout, ["clock:"]);
    fs::remove_dir_all(place.join("game")).unwrap();
    tic_tac_toe(&place);
    let said = run(&place, "try --game ./game --positions here", 0).stdout;
    assert_has(&said, ["100 s for the whole game", "0.05 s on the clock"]);
}

/// A class for the tic-tac-toe whose files stay, of one student with this program.
fn a_class_of_one(place: &Path, agent: &str, scheme: &str) -> String {
    tic_tac_toe(place);
    let game = place.read("game/game.toml");
    place.write("game/game.toml", game.replace("keep = []", "keep = \"all\""));
    program(&place.join("class").join("ann"), "agent.sh", agent);
    place.write("scheme.toml", format!("game = \"tic-tac-toe\"\n{scheme}"));
    let words = "grade-all --game ./game class --scheme scheme.toml --csv grades.csv --cmd ./agent.sh --reports reports";
    run(place, words, 0);
    place.read("reports/ann.txt")
}

/// The first empty square, in the shell.
const FIRST: &str = "tail -n 3 input.txt | awk 'x == \"\" && index($0, \".\") { x = index($0, \".\") - 1; print x \",\" NR - 1 }' > output.txt\n";
/// It counts its moves in a file, and crashes where the board has other numbers.
const COUNTS: &str = "signs=$(tail -n 3 input.txt | tr -cd XO | wc -c)\n[ $signs -le 1 ] && echo 0 > moves\n\
    [ $signs -gt 1 ] && echo $(($(cat moves 2> /dev/null || echo 9) + 1)) > moves\n\
    [ $(cat moves) = $((signs / 2)) ] || exit 3\n";

#[test]
fn a_program_that_counts_moves_in_a_file_plays_all_its_games() {
    let place = folder();
    let scheme = "[[positions]]\ncount = 6\npoints = 1\nclock = 20\n\
                  [[games]]\ncount = 4\npoints = 10\nreference = \"random\"\nclock = 20\n";
    let report = a_class_of_one(&place, &format!("{COUNTS}{FIRST}"), scheme);
    assert_has(
        &report,
        ["plays its 4 games from the start without a fault", "it may count moves in a file"],
    );
    assert_lacks(&report, ["not played"]);
    fs::copy(place.join("class/ann/agent.sh"), place.join("agent.sh")).unwrap();
    let said = run(&place, "try --game ./game --cmd ./agent.sh", 0).stdout;
    assert_has(&said, ["a game as X against greedy", "It plays whole games, and fails in "]);
    fs::copy(place.join("scheme.toml"), place.join("game/scheme.toml")).unwrap();
    let said = run(&place, "rules-test ./game --games 3", 0).stdout;
    assert_has(&said, ["note: scheme.toml has [[positions]]"]);
}

#[test]
fn games_of_a_scheme_differ_and_equal_ones_count_once() {
    let place = folder();
    let scheme = "[[games]]\ncount = 8\npoints = 10\nreference = \"greedy\"\nclock = 20\nrandom-plies = PLIES\n";
    // Without random moves there is one game as each side.
    let report = a_class_of_one(&place, FIRST, &scheme.replace("PLIES", "0"));
    assert_has(&report, ["Equal games count once: 6 of the 8 tests repeat earlier ones"]);
    fs::remove_file(place.join("grades.csv")).unwrap();
    fs::remove_file(place.join("grades.jsonl")).unwrap();
    let report = a_class_of_one(&place, FIRST, &scheme.replace("PLIES", "2"));
    assert_lacks(&report, ["6 of the 8 tests repeat"]);
    let record = place.read("grades.jsonl");
    // All games begin at the start.
    assert_eq!(record.matches("\"opening\":\"X.........\"").count(), 8);
}

/// The tic-tac-toe with an opponent of its folder, and a class of two: one that plays the first
/// free square, and one that leaves nothing.
fn a_class_against_an_opponent(place: &Path, opponent: &str) {
    tic_tac_toe(place);
    let game = place.read("game/game.toml");
    let table = "[[opponents]]\nname = \"mine\"\ncommand = \"python3 opponents/mine.py\"\nclock = { move = 3.0 }\n";
    place.write("game/game.toml", format!("{game}{table}"));
    place.write("game/opponents/mine.py", opponent);
    let first = "import os\nassert not os.path.exists('opponents')\ntext = open('input.txt').read().split('\\n')\n\
        board = ''.join(text[2:5])\nat = board.index('.')\nopen('output.txt', 'w').write('%d,%d\\n' % (at % 3, at // 3))\n";
    program(&place.join("class").join("ann"), "homework.py", first);
    program(&place.join("class").join("bob"), "homework.py", "pass\n");
}

#[test]
fn an_opponent_of_the_teacher_s_plays_in_schemes_and_matches() {
    let place = folder();
    // It plays the last free square, so that both never want the same.
    let last = "text = open('input.txt').read().split('\\n')\nassert float(text[1]) == 3\n\
        board = ''.join(text[2:5])\nat = board.rindex('.')\nopen('output.txt', 'w').write('%d,%d\\n' % (at % 3, at // 3))\n";
    a_class_against_an_opponent(&place, last);
    let scheme = |more: &str| {
        let text = format!(
            "game = \"tic-tac-toe\"\n[[games]]\ncount = 4\npoints = 5\ndraw = 0\nreference = \"mine\"\nclock = 20\nrandom-plies = 0\n{more}"
        );
        place.write("scheme.toml", text);
        for old in ["grades.csv", "grades.jsonl"] {
            let _ = fs::remove_file(place.join(old));
        }
        let words = "grade-all --game ./game class --scheme scheme.toml --csv grades.csv --cmd";
        let mut words: Vec<&str> = words.split(' ').collect();
        words.push("python3 homework.py");
        run(&place, &words[..], 0);
        place.read("grades.csv")
    };
    // X wins by the first row or column; O loses.
    assert_has(scheme(""), ["\nann,10,20,", "\nbob,0,20,"]);
    assert_has(scheme("full = 0.5\n"), ["\nann,20,20,", "\nbob,0,20,"]);
    assert_has(scheme("full = 0.8\n"), ["\nann,12.5,20,"]);
    assert_has(scheme("side = \"X\"\n"), ["\nann,20,20,"]);
    assert_has(scheme("side = \"O\"\n"), ["\nann,0,20,"]);
    let words = "match --game ./game --games 2 --engine engine=reference:mine name=a --engine engine=reference:random name=b";
    assert_has(run(&place, words, 0).stdout, ["Finished game 2 of 2"]);
    let words = "match --game ./game --games 2 --engine engine=reference:other name=a --engine engine=reference:random name=b";
    let said = judge(&place).args(words.split_whitespace()).output().unwrap();
    assert_has(text(&said.stderr), ["no reference player 'other'", "and in game.toml mine"]);
}

#[test]
fn an_opponent_that_fails_costs_no_student_a_point() {
    let place = folder();
    a_class_against_an_opponent(&place, "raise SystemExit(3)\n");
    place.write(
        "scheme.toml",
        "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 5\nreference = \"mine\"\nclock = 20\n",
    );
    let words = [
        "grade-all",
        "--game",
        "./game",
        "class",
        "--scheme",
        "scheme.toml",
        "--csv",
        "grades.csv",
        "--cmd",
        "python3 homework.py",
    ];
    let said = judge(&place).args(words).output().unwrap();
    assert_eq!(said.status.code(), Some(2));
    assert_has(text(&said.stderr), ["the opponent mine of tic-tac-toe failed", "exit code 3"]);
}

#[test]
fn an_error_of_a_scheme_names_the_line_of_its_key() {
    let place = folder();
    tic_tac_toe(&place);
    place.write("class/ann/homework.py", "pass\n");
    let scheme = "game = \"tic-tac-toe\"\n\n[[games]]\ncount = 2\npoints = 5\nKEY\nclock = 20\n\n[[games]]\nfull = 0.5\n\
                  count = 2\nreference = \"random\"\nclock = 2\n";
    for (key, words) in [
        ("reference = \"magic\"", "scheme.toml:6: reference: no reference player 'magic'"),
        ("reference = \"random\"\nfull = 2.0", "scheme.toml:7: full: expected a part"),
        ("reference = \"random\"\nside = \"Y\"", "scheme.toml:7: side: expected X or O, found 'Y'"),
        ("reference = []", "scheme.toml:6: reference: expected at least one"),
    ] {
        place.write("scheme.toml", scheme.replace("KEY", key));
        let words_of = [
            "grade",
            "--game",
            "./game",
            "--scheme",
            "scheme.toml",
            "--engine",
            "engine=reference:random",
        ];
        let said = judge(&place).args(words_of).output().unwrap();
        assert_has(text(&said.stderr), [words]);
    }
}

#[test]
fn rules_test_names_syntax_that_students_may_not_have() {
    let place = folder();
    tic_tac_toe(&place);
    assert_lacks(run(&place, "rules-test ./game --games 3", 0).stdout, ["Python 3.8"]);
    place.write("game/more.py", "\nmatch 1:\n    case _:\n        pass\n");
    let said = run(&place, "rules-test ./game --games 3", 0).stdout;
    assert_has(said, ["note: more.py, line ", "Python 3.8 cannot read this"]);
}

#[test]
fn what_programs_had_at_their_intake_they_have_in_a_grading() {
    let place = folder();
    tic_tac_toe(&place);
    let agent = place.read("game/python/agent.py");
    let word = place.join("word");
    place.write("word", "yes");
    let needs = format!("import os\nassert os.environ['NEEDED'] == open({word:?}).read()\n");
    place.write("made/ann/homework.py", needs + &agent);
    let scheme = "game = \"tic-tac-toe\"\n[[positions]]\ncount = 2\npoints = 5\nclock = 20\n";
    place.write("scheme.toml", scheme);
    let words = "intake made --game ./game --out class --env NEEDED=yes --read-only word";
    run(&place, words, 0);
    let words = "grade-all --game ./game class --scheme scheme.toml --csv";
    run(&place, &*format!("{words} as-there.csv"), 0);
    assert_has(place.read("as-there.csv"), ["\nann,10,10,"]);
    run(&place, &*format!("{words} other.csv --env NEEDED=no"), 0);
    assert_has(place.read("other.csv"), ["\nann,0,10,"]);
}

#[test]
fn a_run_says_what_share_of_the_time_the_rules_took() {
    let place = folder();
    tic_tac_toe(&place);
    let words = "match --game ./game --games 2 --engine engine=reference:random name=a --engine engine=reference:mcts:50 name=b";
    assert_lacks(run(&place, words, 0).stderr, ["the rules took"]);
    let slow = "import time\n        time.sleep(0.005)\n        board = list(state[1:])";
    change_rules(&place, "board = list(state[1:])", slow);
    assert_has(
        run(&place, words, 0).stderr,
        ["the rules took ", " % of the time: docs/own-game.md"],
    );
}

#[test]
#[ignore = "long"]
fn an_analysis_of_slow_rules_ends_in_time_and_says_what_is_left_out() {
    let place = folder();
    tic_tac_toe(&place);
    let words = "match --game ./game --games 2 --record record --engine engine=reference:random name=a --engine engine=reference:random name=b";
    run(&place, words, 0);
    let said = run(&place, "analyse record --game 1", 0).stderr;
    assert_has(&said, ["1 game, ", " positions, ", " s for each"]);
    assert_lacks(&said, ["without an analysis"]);
    let slow = "import time\n        time.sleep(0.05)\n        board = list(state[1:])";
    change_rules(&place, "board = list(state[1:])", slow);
    let begin = std::time::Instant::now();
    let said = run(&place, "analyse record", 0).stderr;
    assert!(begin.elapsed().as_secs() < 150, "{said}");
    assert_has(&said, ["the time of 60 s was over: ", " without an analysis; --full"]);
}
