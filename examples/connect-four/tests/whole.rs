//! The whole of it: the game by the suite, the agent, and the judge's commands.

use connect_four::Position;
use engine::conformance::{Effort, any_texts, suite};
use engine::{OneRuleSet, Protocol};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs a program with words as a shell would split them, expects exit code 0, and gives its
/// standard output.
#[track_caller]
fn run(program: &str, directory: &Path, words: &str) -> String {
    let output =
        Command::new(program).current_dir(directory).args(words.split(' ')).output().unwrap();
    let [out, err] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{words}\n{out}{err}");
    out
}

#[track_caller]
fn judge(directory: &Path, words: &str) -> String {
    run(env!("CARGO_BIN_EXE_connect-four-judge"), directory, words)
}

#[test]
fn the_game_passes_the_suite_that_every_game_must_pass() {
    suite(&[Position::start(OneRuleSet)], Effort { games: 6, searches: 6, ..Effort::default() }, 1);
    any_texts::<Position>(200);
}

#[test]
fn perft_counts_the_lines_of_connect_four() {
    let figures = [1, 2, 3, 7].map(|depth| engine::perft(&mut Position::start(OneRuleSet), depth));
    assert_eq!(figures, [7, 49, 343, 823_536]);
}

#[test]
fn the_agent_answers_an_input_file_with_the_stone_that_wins() {
    let directory = tempfile::tempdir().unwrap();
    let board = ".......\n.......\n.......\nY......\nY......\nYRRR...\n";
    fs::write(directory.path().join("input.txt"), format!("SINGLE\nRED\n1\n{board}")).unwrap();
    run(env!("CARGO_BIN_EXE_connect-four"), directory.path(), "--depth 4");
    assert_eq!(fs::read_to_string(directory.path().join("output.txt")).unwrap(), "4\n");
}

#[test]
fn a_stone_in_the_air_is_refused() {
    let text = "SINGLE\nRED\n1\n.......\n.......\n.......\nR......\n.......\nYY.....\n";
    let error = Position::read_task(text, OneRuleSet).unwrap_err().to_string();
    assert!(error.contains("a stone below every stone, found an empty cell"), "{error}");
}

#[test]
fn a_match_is_played_recorded_and_drawn() {
    let directory = tempfile::tempdir().unwrap();
    let words = "match --game connect-four --engine engine=connect-four args=--depth=2 name=ours \
                 --engine engine=reference:random --games 2 --record games.jsonl";
    let table = judge(directory.path(), &words.split_whitespace().collect::<Vec<_>>().join(" "));
    assert!(table.contains("ours"), "{table}");
    let told = judge(directory.path(), "analyse games.jsonl --nodes 500 --record analysed.jsonl");
    assert!(told.contains("Accuracy"), "{told}");
    judge(directory.path(), "replay analysed.jsonl --html games.html");
    let page = fs::read_to_string(directory.path().join("games.html")).unwrap();
    assert!(page.contains(r#""width":7"#) && page.contains(r#""height":6"#), "a board is drawn");
    assert!(page.contains(r#""expected":"#), "winning chances without a curve of its own");
    assert!(
        page.contains(r#""cells":[["#) && !page.contains(r#""picture":""#),
        "no board is drawn as text"
    );
}

#[test]
fn an_agent_is_graded() {
    let directory = tempfile::tempdir().unwrap();
    let words = "grade --game connect-four --engine engine=connect-four args=--depth=1 --singles 2 --games 1";
    let report = judge(directory.path(), words);
    assert!(report.contains("Score: ") && report.contains(" of 12 in "), "{report}");
    assert_eq!(report.matches("1 of 1 ").count(), 2, "{report}");
}
