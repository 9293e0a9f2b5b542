//! Tests of programs that are asked by another way than files.

use crate::common::run;
use testing::gradings::grades;
use testing::intake::{said, submission};
use testing::{Folder, NewFolder, assert_has, folder, needs};

/// Plays the first move that the rules allow, by the wolves course's own interface.
const WOLVES_PYTHON: &str = "\
import sys

def load(name):
    return [[int(cell) for cell in line.split(',')] for line in open(name)]

def AIAlgorithm(filename, movemade):
    print('board', filename)
    assert int(filename.split('/')[-1].split('.')[0].split('_')[1]) % 2 == (not movemade)
    matrix = load(filename)
    for r in range(5):
        for c in range(5):
            for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                if matrix[r][c] == (2 if movemade else 1) and 0 <= r + dr < 5 and 0 <= c + dc < 5:
                    if matrix[r + dr][c + dc] == 0:
                        far = r + 2 * dr, c + 2 * dc
                        if movemade and 0 <= far[0] < 5 and 0 <= far[1] < 5 and matrix[far[0]][far[1]] == 1:
                            return r, c, far[0], far[1]
                        return r, c, r + dr, c + dc

if __name__ == '__main__':
    AIAlgorithm('./round0/state_0.txt', True)
";

/// For a library that the course's engine loads.
const WOLVES_CPP: &str = "\
#include <cstdio>
#include <fstream>
using namespace std;
int* AIAlgorithm(const char* filename, bool movemade) {
    ifstream in(filename);
    int matrix[5][5];
    char comma;
    for (auto& row : matrix)
        for (int c = 0; c < 5; c++) { in >> row[c]; if (c < 4) in >> comma; }
    int ways[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++)
            for (auto& way : ways) {
                int to_r = r + way[0], to_c = c + way[1];
                if (matrix[r][c] != (movemade ? 2 : 1) || to_r < 0 || to_c < 0 || to_r > 4 || to_c > 4) continue;
                if (matrix[to_r][to_c] == 0) return new int[4]{r, c, to_r, to_c};
            }
    return nullptr;
}
extern \"C\" { int* AIAlgorithm_c(const char* filename, bool movemade) { return AIAlgorithm(filename, movemade); } }
int main() { AIAlgorithm(\"./round0/state_0.txt\", true); }
";

/// With a class that another file tries.
const WOLVES_JAVA: &str = "\
package team.one;
import java.io.File;
import java.util.Scanner;

public class ai_algorithm {
    public static void main(String[] args) throws Exception {
        AIAlgorithm(\"./round0/state_0.txt\", true);
    }

    public static int[] AIAlgorithm(String filename, boolean movemade) throws Exception {
        int[][] board = new int[5][5];
        Scanner scanner = new Scanner(new File(filename)).useDelimiter(\"[,\\\\s]+\");
        for (int[] row : board) for (int c = 0; c < 5; c++) row[c] = scanner.nextInt();
        int[][] ways = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++)
                for (int[] way : ways) {
                    int toR = r + way[0], toC = c + way[1];
                    if (board[r][c] != (movemade ? 2 : 1) || toR < 0 || toC < 0 || toR > 4 || toC > 4) continue;
                    if (board[toR][toC] == 0) return new int[] {r, c, toR, toC};
                }
        return null;
    }
}
";

#[test]
#[ignore = "needs java"]
fn the_wolves_course_s_own_interface_in_java_is_asked_for_moves() {
    needs("javac");
    needs("java");
    let of_an_object = WOLVES_JAVA
        .replace("package team.one;", "")
        .replace("public static int[]", "int[]")
        .replace(
            "AIAlgorithm(\"./round0/state_0.txt\", true)",
            "new ai_algorithm().AIAlgorithm(\"./round0/state_0.txt\", true)",
        );
    are_asked(
        &[("dee", "src/ai_algorithm.java", WOLVES_JAVA), ("eli", "homework.java", &of_an_object)],
        &[],
    );
}

#[test]
fn the_wolves_course_s_own_interface_is_asked_for_moves() {
    needs("python3");
    let broken = WOLVES_PYTHON.replace("import sys", "import nonumpy as np");
    let place =
        are_asked(&[("ann", "ai_algorithm.py", WOLVES_PYTHON)], &[("cid/homework.py", &broken)]);
    let cid = submission(&place, "cid");
    assert_eq!(cid["state"].as_str(), Some("does-not-play"));
    assert_has(said(&cid), ["No module named \\'nonumpy\\'", "missing here"]);
    assert_eq!(grades(&place)["cid"][0], "0");
}

#[test]
#[ignore = "needs g++"]
fn the_wolves_course_s_own_interface_in_cpp_is_asked_for_moves() {
    needs("g++");
    are_asked(&[("bob", "c++/aiAlgorithm.cpp", WOLVES_CPP)], &[]);
}

/// Takes players of the course's interface in, and grades them: each gets the points of positions.
/// `others` are files that do not play.
#[track_caller]
fn are_asked(players: &[(&str, &str, &str)], others: &[(&str, &str)]) -> NewFolder {
    let place = folder();
    for (student, file, source) in players {
        place.write(format!("made/{student}/{file}"), source);
    }
    others.iter().for_each(|(name, source)| place.write(format!("made/{name}"), source));
    run(&place, "intake made --game wolves --out class", i32::from(!others.is_empty()));
    for (student, file, _) in players {
        let found = submission(&place, student);
        assert_eq!(found["state"].as_str(), Some("mended"), "{found}");
        let file = file.rsplit('/').next().unwrap();
        let word =
            format!("{file} is asked for its moves by AIAlgorithm(), the interface of the course");
        assert_has(said(&found), [&word]);
    }
    let scheme = "game = 'wolves'\nmax-plies = 12\n[[positions]]\ncount = 3\nclock = 10\n\
                  [[games]]\ncount = 2\npoints = 10\nreference = 'random'\nclock = 60\n";
    place.write("scheme.toml", scheme);
    run(&place, "grade-all --game wolves class --scheme scheme.toml --csv grades.csv", 0);
    let grades = grades(&place);
    for (student, ..) in players {
        assert!(grades[*student][0].parse::<f64>().unwrap() >= 3.0, "{grades:?}");
    }
    place
}

/// Speaks the monitor's protocol.
const ON_MONITOR: &str = include_str!("on_monitor.py");

#[test]
fn a_program_that_speaks_the_monitor_s_protocol_is_found_and_graded_by_it() {
    needs("python3");
    let place = folder();
    let by_files = include_str!("../../../../starters/foxgame/python/agent.py");
    let illegal = ON_MONITOR.replace("random.choice(list(moves(own)))", "((3, 1), (7, 7))");
    let silent = ON_MONITOR.replace("say(\"ready\")", "raise SystemExit(\"no hurry\")");
    for (student, source) in
        [("ann", ON_MONITOR), ("bob", by_files), ("cid", &illegal), ("dee", &silent)]
    {
        place.write(format!("made/{student}/agent.py"), source);
    }
    let command = |words: &str, code| run(&place, words, code);
    command("intake made --game foxgame --out class", 1);
    let found = ["ann", "bob", "cid", "dee"].map(|student| submission(&place, student));
    let states = found
        .each_ref()
        .map(|found| (found["state"].as_str().unwrap(), found.get("protocol").is_some()));
    let expected =
        [("mended", true), ("mended", false), ("does-not-play", true), ("does-not-play", false)];
    assert_eq!(states, expected, "{found:?}");
    assert!(
        said(&found[2]).contains("first move: illegal move: FOX made illegal move"),
        "{}",
        found[2]
    );
    assert!(said(&found[3]).contains("first move: crash"), "{}", found[3]);

    // The protocol has no positions.
    let told = command("grade-all --game foxgame class --csv grades.csv", 2).stderr;
    assert_has(&told, ["ann speaks the monitor's protocol", "single positions"]);
    let group = "count = 4\npoints = 4\nreference = \"random\"\nrandom-plies = 0\nturn-clock = 5\n";
    let scheme = format!("game = \"foxgame\"\nmax-plies = 10\n[[games]]\n{group}");
    place.write("scheme.toml", scheme);
    command(
        "grade-all --game foxgame class --scheme scheme.toml --csv grades.csv --reports reports",
        0,
    );
    let grades = grades(&place);
    let points = |student: &str| grades[student][0].parse::<f64>().unwrap();
    // Ten plies without a fault are a draw, at least.
    assert!(points("ann") >= 4.0 && points("bob") >= 4.0, "{grades:?}");
    assert_eq!((points("cid"), points("dee")), (0.0, 0.0), "{grades:?}");
    let report = place.read("reports/ann.txt");
    assert_has(&report, ["Protocol: monitor"]);
}
