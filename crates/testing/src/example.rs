//! Programs in a package's `examples/` that its tests run.

use clock::lock;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::SystemTime;

/// Returns the path of an example of a package, whose tests call this. It is built here if it is
/// missing or older than its sources: `cargo test --test suite` does not build it.
pub fn example(package: &str, name: &str) -> String {
    static KNOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut known = lock(&KNOWN);
    let tests = std::env::current_exe().unwrap();
    let path = tests.parent().unwrap().with_file_name("examples").join(name);
    if !known.iter().any(|one| one == name) {
        if !is_new(&path) {
            build(package, name, &path);
        }
        known.push(name.to_string());
    }
    path.to_str().unwrap().to_string()
}

fn build(package: &str, name: &str, path: &Path) {
    let words = ["build", "--quiet", "--all-features", "--package", package, "--example", name];
    let built = Command::new(env!("CARGO")).args(words).status().unwrap();
    assert!(
        built.success() && path.is_file(),
        "{}: cargo {} has not built it",
        path.display(),
        words.join(" ")
    );
}

/// Whether a program is there, and none of the sources that Cargo's file beside it lists has
/// changed since.
fn is_new(program: &Path) -> bool {
    let changed = |path: &Path| {
        fs::metadata(path).and_then(|about| about.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let Ok(sources) = fs::read_to_string(program.with_extension("d")) else { return false };
    let sources = sources.replace("\\ ", "\0");
    let mut sources = sources.split_whitespace().skip(1).map(|path| path.replace('\0', " "));
    program.is_file() && sources.all(|path| changed(Path::new(&path)) <= changed(program))
}
