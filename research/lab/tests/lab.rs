//! Tests of the program `lab`.

mod fingerprint;
mod fit_curve;
mod learning;
mod soak;
mod term;

use serde_json::Value;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program of the product, beside `lab`: built there, unless the product's tests have built it.
fn program(name: &str) -> PathBuf {
    let lab = Path::new(env!("CARGO_BIN_EXE_lab"));
    let path = lab.with_file_name(name);
    if !path.is_file() {
        // TARGET/debug/lab, or with CARGO_BUILD_TARGET, which the build obeys as well,
        // TARGET/PLATFORM/debug/lab.
        let target = lab
            .ancestors()
            .nth(if env::var_os("CARGO_BUILD_TARGET").is_some() { 3 } else { 2 })
            .unwrap();
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
        let words = ["build", "--manifest-path", manifest, "--package", name, "--target-dir"];
        let built = Command::new(env!("CARGO")).args(words).arg(target).output().unwrap();
        assert!(built.status.success(), "{}", text(&built.stderr));
    }
    path
}

/// The lines of a record.
fn events(record: &Path) -> Vec<Value> {
    fs::read_to_string(record)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Runs `lab` in a directory, and expects its exit code.
#[track_caller]
fn run(directory: &Path, words: &[&str], code: i32) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_lab"))
        .current_dir(directory)
        .args(words)
        .output()
        .unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{words:?}\n{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
