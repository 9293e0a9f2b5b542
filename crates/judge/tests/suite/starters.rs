//! Tests of the starters of every game and language: `judge try` accepts each, and each plays a
//! game without a fault.

use crate::common::{judge, run};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use testing::{Folder, Printed, assert_has, copy, ends, folder, needs, repository, text};

static GAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    games::all().iter().map(|game| game.name).filter(|game| starter(game, "").is_dir()).collect()
});

fn starter(game: &str, file: &str) -> PathBuf {
    repository("starters").join(game).join(file)
}

/// Compiles a starter without a warning.
fn compile(program: &str, words: &str, source: &Path) {
    let words = format!("{words} '{}'", source.display());
    let Printed { stderr, .. } = testing::run(&mut Command::new(program), &words, 0);
    assert!(stderr.is_empty(), "{}: {stderr}", source.display());
}

fn try_words(game: &str, command: &str) -> String {
    format!("try --game {game} --plies 12 --cmd '{command}'")
}

/// Asserts that `judge try` accepts a starter: it answers ten positions, and plays a game on each
/// side without a fault.
#[track_caller]
fn is_taken(game: &str, command: &str) {
    let place = folder();
    run(&place, &try_words(game, command), 0);
}

/// A starter whose runtime may need more CPU time to start than the last position gives is taken
/// but for that clock, answers that position under a longer one, and plays.
#[track_caller]
fn is_taken_but_for_the_shortest_clock(game: &str, command: &str) {
    let place = folder();
    let mut judge = judge(&place);
    let words = ["try", "--game", game, "--plies", "12", "--cmd", command];
    let told = text(&judge.args(words).output().unwrap().stdout);
    let verdict = |number: usize| {
        let line = told.lines().find(|line| line.starts_with(&format!("{number:>2}  ")));
        line.unwrap_or_else(|| panic!("{game}: {told}"))
    };
    (1..10).for_each(|number| assert_has(verdict(number), [" ok "]));
    let last = verdict(10);
    assert_has(last, ["0.05 s + ", " s to start, "]);
    let is_late = last.contains("WRONG") && told.contains("of CPU, the clock had ");
    assert!(last.contains(" ok ") || is_late, "{game}: {told}");
    run(&place, &format!("try --game {game} --positions positions"), 0);
    let position = place.read("positions/10.txt");
    assert_eq!(position.matches("\n0.05\n").count(), 1, "{position}");
    place.write("input.txt", position.replace("\n0.05\n", "\n5\n"));
    testing::run(Command::new("sh").current_dir(&place), &["-c", command], 0);
    run(&place, &format!("check {game} input.txt output.txt"), 0);
    let words = format!(
        "match --seed 1 --game {game} --games 2 --max-plies 20 --record record --each time=100 \
         --engine name=starter 'cmd={command}' --engine engine=reference:random"
    );
    run(&place, &words, 0);
    for end in ends(place.join("record")) {
        assert!(end["fault"].is_null(), "{game}: {end:#}");
    }
}

#[test]
fn the_starters_in_python_are_taken() {
    needs("python3");
    for &game in GAMES.iter() {
        is_taken(game, &format!("python3 {}", starter(game, "python/agent.py").display()));
    }
}

/// Counts the sequences of moves by a starter's own generator, which is imported as a module.
const COUNT: &str = "
import sys
import agent
lines = [line.strip() for line in open('input.txt')]
game, depth = sys.argv[1], int(sys.argv[2])
other = agent.OTHER
if game == 'halma':
    edge = '#' * 2 * agent.ROW
    board = list(edge + ''.join(row + '##' for row in lines[3:19]) + edge)
elif game == 'foxgeese':
    words = [line.split() for line in lines[4:11]]
    board = {(x + (7 - len(row)) // 2, y): word for y, row in enumerate(words) for x, word in enumerate(row)}
elif game == 'squirrels':
    board = [list(line) for line in lines[8:13]]
else:
    board = [list(line) for line in lines[3:3 + agent.SIZE]]

def count(board, side, depth):
    if depth == 0:
        return 1
    after = lambda move: agent.play(board, side, move) if game == 'squirrels' else agent.play(board, move)
    return sum(count(after(move), other[side], depth - 1) for move in agent.legal_moves(board, side))

print(count(board, lines[1] if game == 'foxgeese' else lines[1][0], depth))
";

#[test]
fn a_second_ply_is_a_call_of_the_starter_s_own_generator_and_its_counts_are_the_judge_s() {
    needs("python3");
    for &game in GAMES.iter() {
        // FoxGame's chains of jumps are left to students; none is possible so early.
        let depth = if game == "squirrels" { 2 } else { 3 };
        let place = folder();
        copy(starter(game, "python/agent.py"), place.join("agent.py"));
        copy(repository("inputs").join(game).join("start.txt"), place.join("input.txt"));
        place.write("count.py", COUNT);
        let mut python = Command::new("python3");
        python.current_dir(&place);
        let counted = testing::run(&mut python, &format!("count.py {game} {depth}"), 0).stdout;
        // The starters keep to the strictest rule set, as `judge try` asks.
        let sets = games::all().iter().find(|known| known.name == game).unwrap().rules.rule_sets();
        let rules = sets.last().map_or(String::new(), |rules| format!("--rules {rules}"));
        let words = format!("perft {game} --depth {depth} --input input.txt {rules}");
        run(&place, &words, 0).has([&format!("\n{depth} {} (", counted.trim())]);
    }
}

#[test]
#[ignore = "needs g++"]
fn the_starters_in_cpp_are_taken() {
    needs("g++");
    let place = folder();
    for &game in GAMES.iter() {
        let program = place.join(game).display().to_string();
        let words = format!("-O2 -Wall -Wextra -std=c++17 -o '{program}'");
        compile("g++", &words, &starter(game, "cpp/agent.cpp"));
        is_taken(game, &program);
    }
}

#[test]
#[ignore = "needs java"]
fn the_starters_in_java_are_taken() {
    needs("javac");
    needs("java");
    let place = folder();
    for &game in GAMES.iter() {
        let classes = place.join(game).display().to_string();
        let words = format!("-Xlint:all -d '{classes}'");
        compile("javac", &words, &starter(game, "java/Agent.java"));
        let command = format!("java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {classes} Agent");
        is_taken_but_for_the_shortest_clock(game, &command);
    }
}
