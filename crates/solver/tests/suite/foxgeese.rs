//! Tests of the program `solve foxgeese`: its options, and the agent's strategy.

use engine::conformance::Run;
use std::path::Path;

fn solve(words: &[&str]) -> Run {
    crate::solve("foxgeese", Path::new("."), words)
}

#[test]
fn the_agents_own_strategy_is_checked_and_a_damaged_one_is_refused() {
    let Run { code, stdout, .. } = solve(&["--check", "embedded"]);
    assert_eq!(code, Some(0), "{stdout}");
    for figure in ["positions (geese to move)  82492", "48 moves of the geese"] {
        assert!(stdout.contains(figure), "{stdout}");
    }
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("strategy.bin");
    let check = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        solve(&["--check", file.to_str().unwrap()])
    };
    let mut bytes = foxgeese::strategy::Strategy::embedded_bytes().to_vec();
    assert_eq!(check(&bytes).code, Some(0));
    bytes[1_000] ^= 1;
    let Run { code, stdout, .. } = check(&bytes);
    assert!(code == Some(1) && stdout.contains("checksum is wrong"), "{stdout}");
}

#[test]
fn a_command_without_a_file_and_one_with_two_tasks_are_refused() {
    let both = ["--check", "embedded", "--print", "embedded"];
    for words in [&[][..], &both, &["--check", "missing.bin"], &["--print", "missing.bin"]] {
        assert_eq!(solve(words).code, Some(2), "{words:?}");
    }
}

#[test]
fn a_strategy_is_printed_one_position_a_line() {
    let output = solve(&["--print", "embedded"]);
    let text = output.stdout;
    assert_eq!((output.code, text.lines().count()), (Some(0), 82_492));
    assert_eq!(text.lines().next(), Some("48 au ---/---/--X-Y--/abcdefg/hijklmn/opq/rst"));
    assert!(text.lines().last().unwrap().starts_with("1 "));
}
