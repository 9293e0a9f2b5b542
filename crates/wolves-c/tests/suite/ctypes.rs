//! Tests the library as the course's engine uses it: loaded by Python's ctypes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SCRIPT: &str = r#"
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
library.AIAlgorithm_c.argtypes = [ctypes.c_char_p, ctypes.c_bool]
library.AIAlgorithm_c.restype = ctypes.POINTER(ctypes.c_int)
for argument in sys.argv[2:]:
    turn, name = argument.split(":", 1)
    answer = library.AIAlgorithm_c(name.encode(), turn == "wolves")
    print(" ".join(str(answer[i]) for i in range(4)) if answer else "null")
print(bool(library.AIAlgorithm_c(None, True)))
"#;

/// The path of the library that was built with this test: beside the test's own program, or
/// one directory up.
fn library() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let beside = here.parent().unwrap();
    let mut candidates = beside.ancestors().take(2).map(|path| path.join("libaialgorithm.so"));
    candidates.find(|path| path.is_file()).expect("the library is built with this test")
}

fn answers(directory: &Path, arguments: &[String]) -> Vec<String> {
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .arg(library())
        .args(arguments)
        .env("MENAGERIE_TABLES", directory.join("none"))
        .output()
        .expect("python3 is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
#[cfg_attr(
    target_env = "musl",
    ignore = "what is linked statically with musl is no library for Python: run it for the machine's own"
)]
fn ctypes_gets_a_move_from_lf_and_crlf_files_and_null_from_bad_ones() {
    let directory = tempfile::tempdir().unwrap();
    let board = "1,1,1,1,1\n1,1,1,1,1\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n";
    let finished = "1,1,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n0,2,0,2,0\n";
    let texts = [
        board.to_string(),
        board.trim_end().to_string(),
        board.replace('\n', "\r\n"),
        board.replace('\n', "\r\n").trim_end().to_string(),
        finished.to_string(),
        board.replace("0,2,0,2,0", "0,2,0,2"),
        String::new(),
    ];
    let mut arguments = Vec::new();
    for turn in ["wolves", "sheep"] {
        for (number, text) in texts.iter().enumerate() {
            let file = directory.path().join(format!("state_{number}.txt"));
            fs::write(&file, text).unwrap();
            arguments.push(format!("{turn}:{}", file.display()));
        }
        arguments.push(format!("{turn}:{}", directory.path().join("missing.txt").display()));
    }
    let found = answers(directory.path(), &arguments);
    let (wolves, rest) = found.split_at(texts.len() + 1);
    let (sheep, rest) = rest.split_at(texts.len() + 1);
    assert_eq!(rest, ["False"], "a null name gives null");
    for answers in [wolves, sheep] {
        assert!(answers[..4].iter().all(|answer| *answer == answers[0]), "{answers:?}");
        assert_eq!(answers[4..], ["null", "null", "null", "null"]);
    }
    let numbers = |answer: &str| {
        answer.split(' ').map(|number| number.parse().unwrap()).collect::<Vec<i32>>()
    };
    let [from_row, from_column, to_row, to_column] = numbers(&wolves[0])[..] else {
        unreachable!()
    };
    assert!(from_row == 4 && (from_column == 1 || from_column == 3), "a wolf moves: {}", wolves[0]);
    assert!((from_row - to_row).abs() + (from_column - to_column).abs() <= 2);
    assert!(numbers(&sheep[0])[0] <= 1, "a sheep moves: {}", sheep[0]);
}
