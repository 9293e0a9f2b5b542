//! Tests of games with moves at the same time.

use crate::common::run;
use crate::own_game::{RULES, SETTINGS, example_game, references, tic_tac_toe};
use serde_json::Value;
use testing::{Folder, NewFolder, assert_has, events};

/// Two rounds of matching pennies, in which each side is told the clocks of both.
const PENNIES: &str = "\
from menagerie_rules import Game, run

class Pennies(Game):
    def start(self, variant):
        return []
    def turn(self, state):
        return [1, 0]
    def moves(self, state, side):
        return ['head', 'tail']
    def play(self, state, moves):
        return state + [[moves[0], moves[1]]]
    def over(self, state):
        won = sum(1 if one == other else -1 for one, other in state)
        over = {'winner': None if won == 0 else int(won < 0), 'why': str(state)}
        return over if len(state) == 2 else None
    def task(self, state, clocks, single, side):
        return 'side %d %.3f %.3f %s\\n' % (side, *clocks, state)

if __name__ == '__main__':
    run(Pennies())
";

/// A folder with this game and programs by their names, which are lines of a shell.
fn pennies(programs: &[(&str, &str)]) -> NewFolder {
    let place = tic_tac_toe();
    place.write(RULES, PENNIES);
    place.edit(SETTINGS, "[\"X\", \"O\"]", "[\"EVEN\", \"ODD\"]");
    for (name, lines) in programs {
        place.write_script(&format!("{name}.sh"), lines);
    }
    place
}

/// The words of a match of one pair of games between two of the programs.
fn pair(one: &str, other: &str) -> String {
    format!(
        "match --seed 1 --game ./game --games 2 --record record --overwrite --engine name=one \
         time=2 cmd=./{one}.sh --engine name=other time=2 cmd=./{other}.sh"
    )
}

#[test]
fn each_side_pays_for_its_own_fault_and_nobody_wins_if_both_fail_in_a_moment() {
    let pair = |one: &str, other: &str| pair(one, other).replace("time=2", "time=0.4");
    let place = pennies(&[
        ("good", "echo head > output.txt"),
        ("tail", "echo tail > output.txt"),
        ("wrong", "echo edge > output.txt"),
        ("late", "while :; do :; done"),
    ]);
    for (one, other, said) in [
        ("good", "good", "(one vs other): 1-0 {EVEN wins: [['head', 'head'], ['head', 'head']]}"),
        ("good", "tail", "(one vs other): 0-1 {ODD wins: [['head', 'tail'], ['head', 'tail']]}"),
        ("wrong", "good", "(one vs other): 0-1 {EVEN (ply 1): output.txt illegal move"),
        ("good", "wrong", "(one vs other): 1-0 {ODD (ply 2): output.txt illegal move"),
        ("late", "good", "(one vs other): 0-1 {EVEN (ply 1): "),
        ("good", "late", "(one vs other): 1-0 {ODD (ply 2): "),
        ("wrong", "late", "(one vs other): 1/2-1/2 {EVEN (ply 1): output.txt illegal move"),
        ("late", "wrong", "(one vs other): 1/2-1/2 {EVEN (ply 1): "),
    ] {
        let told = run(&place, &pair(one, other), 0).stdout;
        assert_has(&told, [said]);
        assert_eq!(told.contains("; ODD (ply 2): "), said.contains("1/2-1/2"), "{told}");
    }
}

#[test]
fn nobody_is_told_what_the_other_side_uses_in_the_same_moment() {
    let busy = "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; cat input.txt >&2; \
                echo head > output.txt";
    let place = pennies(&[("busy", busy)]);
    run(&place, &pair("busy", "busy"), 0);
    let seen = |record: &[Value], ply: usize| {
        let mv = record.iter().find(|event| event["game"] == 1 && event["ply"] == ply).unwrap();
        let words: Vec<String> =
            mv["stderr"].as_str().unwrap().split(' ').map(str::to_string).collect();
        (words[1].clone(), words[2].clone(), words[3].clone())
    };
    let record = events(place.join("record"));
    let full = "2.000".to_string();
    assert_eq!(seen(&record, 0), ("0".to_string(), full.clone(), full.clone()));
    assert_eq!(seen(&record, 1), ("1".to_string(), full.clone(), full));
    let (one, other) = (seen(&record, 2), seen(&record, 3));
    assert!(one.1 != "2.000" && one.2 != "2.000", "{one:?}");
    assert_eq!((&one.1, &one.2), (&other.1, &other.2));
    // Run again, the second turn of a moment has the same file.
    let again = run(&place, "rerun record --game 1 --ply 4", 0).stdout;
    assert_has(&again, [&format!("side 1 {} {} ", other.1, other.2), "now:  head;", "then: head;"]);
}

#[test]
fn a_search_by_random_games_does_not_see_the_move_of_the_same_moment_and_finds_what_is_best() {
    let place = pennies(&[]);
    let words = references("random", "mcts:50").replace("--games 2", "--games 20");
    let words = format!("{words} --record record --overwrite");
    // The results of mcts as the second side, and how often it chose head as either side.
    let played = || {
        run(&place, &words, 0).has(["20 games: normal 20"]);
        let record = events(place.join("record"));
        let all = |kind: &'static str| record.iter().filter(move |event| event["event"] == kind);
        let is_second = |end: &&Value| end["players"][1] == "b";
        let won = all("end").filter(is_second).filter(|end| end["winner"] == 1).count();
        let is_own =
            |event: &&Value| (event["side"] == "ODD") == (event["game"].as_u64().unwrap() % 2 == 1);
        let heads = all("move").filter(is_own).filter(|event| event["move"] == "head").count();
        (won, heads)
    };
    // Who saw the other side's penny would win all ten games of the second side.
    let (won, _) = played();
    assert!(won < 8, "{won}");
    // With these points a head is better whatever the other side does.
    place.edit(RULES, "1 if one == other else -1", "(one == 'head') - (other == 'head')");
    let (_, heads) = played();
    assert_eq!(heads, 40);
}

#[test]
fn strategies_of_axelrod_have_their_scores_and_a_class_of_them_is_graded() {
    let place = example_game("prisoners-dilemma");
    place.edit(RULES, "ROUNDS = 200", "ROUNDS = 20");
    let strategy =
        |name: &str| format!("--engine name={name} 'cmd=python3 game/opponents/{name}.py'");
    let both = format!("{} {}", strategy("tit_for_tat"), strategy("always_defect"));
    let words = format!("match --seed 1 --game ./game --games 2 --record record {both}");
    run(&place, &words, 0).has(["{points: ROW -5: 19 : 24 points}", "{points: ROW +5: 24 : 19"]);
    let text = run(&place, "replay record --text --game 1", 0).stdout;
    assert_has(&text, ["1. ROW C (", " | 2. COLUMN D ("]);
    assert_eq!(text.lines().filter(|line| line.contains(" | ")).count(), 20, "{text}");
    run(&place, "replay record --html page.html", 0);
    assert_eq!(place.read("page.html").matches("\"half\":true").count(), 40);
    run(&place, "rerun record --game 1 --ply 4", 0).has(["\"other\": \"C\"", "now:  D;"]);
    run(&place, "table record", 0).has(["always_defect", "2 games: normal 2"]);
    place.write(
        "game/scheme.toml",
        "game = \"prisoners-dilemma\"\n[[games]]\ncount = 2\npoints = 10\ndraw = 0.5\n\
         reference = [\"tit-for-tat\", \"always-cooperate\"]\nclock = 20\n",
    );
    place.write("made/ann/strategy.py", place.read("game/opponents/grim.py"));
    place.write("made/ben/strategy.py", "def choose(own, other):\n    return 'maybe'\n");
    run(&place, "intake --game ./game made --out class", 1);
    run(&place, "grade-all --game ./game class --csv grades.csv", 0);
    let grades = place.read("grades.csv");
    assert_has(&grades, ["bad format"]);
    assert_has(grades.lines().find(|line| line.starts_with("ann")).unwrap(), ["20"]);
}

#[test]
fn tron_is_tested_tried_checked_and_searched_by_random_games_alone() {
    let place = example_game("tron");
    let said = run(&place, "rules-test ./game --games 20", 0);
    said.has(["perft from the start: 4 16 64 256", "All is well."]);
    let match_of = |one: &str| references(one, "random") + " --record record --overwrite";
    run(&place, &match_of("mcts:20"), 0).has(["2 games: normal 2"]);
    run(&place, "analyse record --game 1", 0).has(["RED"]);
    for player in ["greedy", "minimax:2", "alphabeta:2"] {
        let words = match_of(player).replace("--record record", "--record refused");
        let said = run(&place, &words, 2).stderr;
        assert_has(&said, ["tron has moves at the same time, which greedy, minimax and alphabeta"]);
    }
    assert_has(run(&place, "solve ./game", 2).stderr, ["both sides move at the same time"]);
    let said = run(&place, "play --game ./game --port 0", 2).stderr;
    assert_has(&said, ["the page plays no moves at the same time"]);
    let input = run(&place, "position record --game 1 --ply 2", 0).stdout;
    assert_has(&input, ["BLUE\n"]);
    place.write("input.txt", input);
    place.write("up.txt", "up\n");
    let checked = run(&place, "check ./game input.txt up.txt", 0).stdout;
    assert_has(&checked, ["BLUE plays up\n", "RED and BLUE move at the same time\n"]);
    place.write("up.sh", "echo up > output.txt\n");
    run(&place, "try --game ./game --cmd 'sh up.sh'", 0).has(["a game as BLUE against mcts:20"]);
    let words = references("random", "random") + " --openings random:1 --record opened";
    run(&place, &words, 0).has(["2 games"]);
    // An opening does not end between the moves of a moment.
    let opened = events(place.join("opened"));
    assert!(opened.iter().filter(|event| event["ply"] == 0).all(|event| event["side"] == "RED"));
}

#[test]
fn rules_test_finds_what_side_1_sees_of_the_move_of_side_0() {
    let place = tic_tac_toe();
    place.write(RULES, PENNIES);
    let leaks = "
import json, sys
from menagerie_rules import Server
from rules import Pennies
server = Server(Pennies())
for line in sys.stdin:
    request, answer = json.loads(line), json.loads(server.answer(line))
    if request['do'] == 'task' and 'head' in request['state'].split(',')[-1]:
        answer['files']['input.txt'] += 'head\\n'
    print(json.dumps(answer), flush=True)
";
    place.write("game/leaks.py", leaks);
    place.edit(SETTINGS, "python3 rules.py", "python3 leaks.py");
    let said = run(&place, "rules-test ./game --games 5", 1).stdout;
    assert_has(&said, ["side 1"]);
}
