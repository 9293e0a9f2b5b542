//! Tests of the starters of every game and language: `judge try` accepts each, and each plays a
//! game without a fault.

use crate::common::{judge, run};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use testing::{Folder, assert_has, ends, folder, needs, text};

/// The games that have starters.
static GAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    games::all().iter().map(|game| game.name).filter(|game| starter(game, "").is_dir()).collect()
});

fn starter(game: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters").join(game).join(file)
}

fn compile(program: &str, words: &[&str], source: &Path) {
    let output = Command::new(program).args(words).arg(source).output().unwrap();
    assert!(output.status.success(), "{}: {}", source.display(), text(&output.stderr));
    assert!(output.stderr.is_empty(), "{}: {}", source.display(), text(&output.stderr));
}

fn try_program(place: &Path, game: &str, command: &str) -> Output {
    judge(place).args(["try", "--game", game, "--plies", "12", "--cmd", command]).output().unwrap()
}

/// Asserts that `judge try` accepts a starter: it answers ten positions, and plays a game on each
/// side without a fault.
#[track_caller]
fn is_taken(game: &str, command: &str) {
    let place = folder();
    let tried = try_program(&place, game, command);
    assert!(tried.status.success(), "{game}: {}{}", text(&tried.stdout), text(&tried.stderr));
}

/// A starter whose runtime may need more CPU time to start than the last position gives is taken
/// but for that clock, answers that position under a longer one, and plays.
#[track_caller]
fn is_taken_but_for_the_shortest_clock(game: &str, command: &str) {
    let place = folder();
    let told = text(&try_program(&place, game, command).stdout);
    let verdict = |number: usize| {
        let line = told.lines().find(|line| line.starts_with(&format!("{number:>2}  ")));
        line.unwrap_or_else(|| panic!("{game}: {told}"))
    };
    (1..10).for_each(|number| assert!(verdict(number).contains(" ok "), "{game}: {told}"));
    let last = verdict(10);
    assert_has(last, ["0.05 s + ", " s to start, "]);
    assert!(
        last.contains(" ok ") || last.contains("WRONG") && told.contains("of CPU, the clock had "),
        "{game}: {told}"
    );
    run(&place, &["try", "--game", game, "--positions", "positions"], 0);
    let position = place.read("positions/10.txt");
    assert_eq!(position.matches("\n0.05\n").count(), 1, "{position}");
    place.write("input.txt", position.replace("\n0.05\n", "\n5\n"));
    let output = Command::new("sh").args(["-c", command]).current_dir(&place).output().unwrap();
    assert!(output.status.success(), "{game}: {}", text(&output.stderr));
    run(&place, &["check", game, "input.txt", "output.txt"], 0);
    plays(game, command);
}

/// A starter plays a game on each side against a random player.
#[track_caller]
fn plays(game: &str, command: &str) {
    let place = folder();
    let player = format!("cmd={command}");
    let words = [
        "match",
        "--game",
        game,
        "--games",
        "2",
        "--max-plies",
        "20",
        "--record",
        "record",
        "--each",
        "time=100",
    ];
    let players = ["--engine", "name=starter", &player, "--engine", "engine=reference:random"];
    run(&place, &[&words[..], &players].concat(), 0);
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
        fs::copy(starter(game, "python/agent.py"), place.join("agent.py")).unwrap();
        let start =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../inputs").join(game).join("start.txt");
        fs::copy(start, place.join("input.txt")).unwrap();
        place.write("count.py", COUNT);
        let depth = depth.to_string();
        let counted = Command::new("python3")
            .args(["count.py", game, &depth])
            .current_dir(&place)
            .output()
            .unwrap();
        assert!(counted.status.success(), "{game}: {}", text(&counted.stderr));
        let mut words = vec!["perft", game, "--depth", &depth, "--input", "input.txt"];
        // The starters keep to the strictest rule set, as `judge try` asks.
        let sets = games::all().iter().find(|known| known.name == game).unwrap().rules.rule_sets();
        words.extend(sets.last().map(|rules| ["--rules", rules]).into_iter().flatten());
        let told = run(&place, &words, 0).stdout;
        let line = told.lines().last().unwrap();
        assert!(
            line.starts_with(&format!("{depth} {} (", text(&counted.stdout).trim())),
            "{game}: {line}"
        );
    }
}

#[test]
#[ignore = "needs g++"]
fn the_starters_in_cpp_are_taken() {
    needs("g++");
    let place = folder();
    for &game in GAMES.iter() {
        let program = place.join(game);
        let words = ["-O2", "-Wall", "-Wextra", "-std=c++17", "-o", program.to_str().unwrap()];
        compile("g++", &words, &starter(game, "cpp/agent.cpp"));
        is_taken(game, program.to_str().unwrap());
    }
}

#[test]
#[ignore = "needs java"]
fn the_starters_in_java_are_taken() {
    needs("javac");
    needs("java");
    let place = folder();
    for &game in GAMES.iter() {
        let classes = place.join(game);
        compile(
            "javac",
            &["-Xlint:all", "-d", classes.to_str().unwrap()],
            &starter(game, "java/Agent.java"),
        );
        is_taken_but_for_the_shortest_clock(
            game,
            &format!(
                "java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {} Agent",
                classes.display()
            ),
        );
    }
}
