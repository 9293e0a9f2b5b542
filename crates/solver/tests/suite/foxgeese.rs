//! Tests of the program `solve foxgeese`: its options, and the agent's strategy.

use engine::conformance::Run;
use std::path::Path;

fn solve(words: &[&str]) -> Run {
    crate::solve("foxgeese", Path::new("."), words)
}

#[test]
fn the_agents_own_strategy_is_checked_and_a_damaged_one_is_refused() {
    let output = solve(&["--check", "embedded"]);
    let text = output.stdout;
    assert_eq!(output.code, Some(0), "{text}");
    assert!(
        text.contains("positions (geese to move)  82492") && text.contains("48 moves of the geese"),
        "{text}"
    );
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("strategy.bin");
    let mut bytes = foxgeese::strategy::Strategy::embedded_bytes().to_vec();
    std::fs::write(&file, &bytes).unwrap();
    assert_eq!(solve(&["--check", file.to_str().unwrap()]).code, Some(0));
    bytes[1_000] ^= 1;
    std::fs::write(&file, &bytes).unwrap();
    let output = solve(&["--check", file.to_str().unwrap()]);
    let text = output.stdout;
    assert!(output.code == Some(1) && text.contains("checksum is wrong"), "{text}");
}

#[test]
fn a_command_without_a_file_and_one_with_two_tasks_are_refused() {
    for words in
        [&[][..], &["--check", "embedded", "--print", "embedded"], &["--check", "missing.bin"]]
    {
        assert_eq!(solve(words).code, Some(2), "{words:?}");
    }
}

#[test]
fn a_strategy_is_printed_one_position_a_line() {
    let output = solve(&["--print", "embedded"]);
    let text = output.stdout;
    assert_eq!((output.code, text.lines().count()), (Some(0), 82_492));
    assert_eq!(text.lines().next(), Some("48 au ---/---/--X-Y--/abcdefg/hijklmn/opq/rst"));
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("1 "), "{last}");
    assert_eq!(solve(&["--print", "missing.bin"]).code, Some(2));
    assert_eq!(solve(&["--print", "embedded", "--check", "embedded"]).code, Some(2));
}
