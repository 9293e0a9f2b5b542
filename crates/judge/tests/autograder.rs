//! The autograder's zip, unpacked into a tree like the platform's and started as the platform does.

mod common;

use common::class::{self, works};
use common::{run, text};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use zip::ZipArchive;

/// A small grading: two positions and a game of a few plies.
const SMALL: [&str; 8] = [
    "--",
    "--singles=2",
    "--games=1",
    "--reference=random",
    "--max-plies=6",
    "--single-clock=5",
    "--game-clock=20",
    "--seed=3",
];

/// Makes an autograder and unpacks it into a directory.
fn unpacked(place: &Path, options: &[&str], into: &str) -> String {
    let words = [&["autograder", "--game", "halma", "--out", "autograder.zip"], options].concat();
    let said = text(&run(place, &words, 0).stdout);
    let target = place.join(into);
    fs::create_dir_all(&target).unwrap();
    ZipArchive::new(File::open(place.join("autograder.zip")).unwrap()).unwrap().extract(&target).unwrap();
    said
}

/// Runs it on a submission, as the platform does; its results.json.
#[track_caller]
fn results(place: &Path, submission: &Path) -> Value {
    let root = place.join("autograder");
    for folder in ["submission", "results"] {
        let _ = fs::remove_dir_all(root.join(folder));
    }
    fs::create_dir_all(&root).unwrap();
    let copied = Command::new("cp").arg("-R").arg(submission).arg(root.join("submission")).status().unwrap();
    assert!(copied.success());
    let output = Command::new(root.join("source/run_autograder")).env("AUTOGRADER_ROOT", &root).output().unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let written = fs::read_to_string(root.join("results/results.json")).unwrap();
    println!("{written}");
    let results: Value = serde_json::from_str(&written).unwrap();
    for key in ["score", "output", "visibility", "stdout_visibility", "tests", "leaderboard", "extra_data"] {
        assert!(results.get(key).is_some(), "{key} is missing in {written}");
    }
    results
}

#[test]
fn gradescope_s_autograder_leaves_results_whatever_is_handed_in() {
    let place = tempfile::tempdir().unwrap();
    let made = class::make(&place.path().join("made"));
    let said = unpacked(place.path(), &SMALL, "autograder/source");
    assert!(said.contains("clocks are as the teacher gave them"), "{said}");
    for name in ["setup.sh", "run_autograder", "judge"] {
        let mode = fs::metadata(place.path().join("autograder/source").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{name}");
    }
    let of = |student: &str| results(place.path(), &place.path().join("made").join(student));
    if works("python3") {
        let good = of("zip-python");
        assert!(good["score"].as_f64().unwrap() >= 2.0, "{good:#}");
        assert_eq!(good["tests"].as_array().unwrap().len(), 3);
        let output = good["output"].as_str().unwrap();
        assert!(output.contains("Mended: hw.zip was unpacked") && output.contains("clocks are as"), "{output}");
        let bad = of("crashes-python");
        assert_eq!(bad["score"], 0.0);
        assert!(bad["output"].as_str().unwrap().contains("KeyError"), "{bad:#}");
    }
    let broken = made.iter().find(|made| made.student == "broken-cpp").unwrap();
    let results = of("broken-cpp");
    assert_eq!(results["score"], 0);
    let output = results["tests"][0]["output"].as_str().unwrap();
    assert!(output.contains(if broken.missing().is_some() { "no g++ here" } else { "error:" }), "{output}");
    let none = of("report-alone");
    assert!(none["output"].as_str().unwrap().contains("no program among its files: report.pdf"), "{none:#}");
    fs::create_dir(place.path().join("empty")).unwrap();
    let none = self::results(place.path(), &place.path().join("empty"));
    assert!(none["output"].as_str().unwrap().contains("nothing was handed in"), "{none:#}");
    // A judge that cannot run leaves a results.json as well.
    fs::write(place.path().join("autograder/source/judge"), "#!/no/such/loader\n").unwrap();
    let root = place.path().join("autograder");
    fs::remove_dir_all(root.join("results")).unwrap();
    Command::new(root.join("source/run_autograder")).env("AUTOGRADER_ROOT", &root).output().unwrap();
    let written = fs::read_to_string(root.join("results/results.json")).unwrap();
    let results: Value = serde_json::from_str(&written).unwrap();
    assert!(results["output"].as_str().unwrap().contains("It is not your program"), "{written}");
}

#[test]
fn a_grading_that_waits_is_ended_before_the_platform_ends_it() {
    if !works("python3") {
        println!("skipped: there is no python3 here");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    unpacked(place.path(), &[&["--timeout", "30"], &SMALL[..]].concat(), "autograder/source");
    let sleeper = place.path().join("sleeper");
    fs::create_dir(&sleeper).unwrap();
    fs::write(sleeper.join("homework.py"), "import time\ntime.sleep(12)\n").unwrap();
    let begun = std::time::Instant::now();
    let found = results(place.path(), &sleeper);
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    assert_eq!(found["score"], 0);
    assert!(found["output"].as_str().unwrap().contains("the platform's 30 s"), "{found:#}");
}

#[test]
fn clocks_are_scaled_and_that_is_said_and_other_platforms_have_their_files() {
    let place = tempfile::tempdir().unwrap();
    let said = unpacked(place.path(), &["--timeout", "300"], "scaled");
    assert!(said.contains("clocks are 15 % of the scheme's"), "{said}");
    let config = fs::read_to_string(place.path().join("scaled/autograder.toml")).unwrap();
    assert!(
        config.contains("\"--single-clock\"") && config.contains("\"4.5\"") && config.contains("\"15\""),
        "{config}"
    );
    unpacked(place.path(), &["--classroom"], "template");
    let workflow = fs::read_to_string(place.path().join("template/.github/workflows/classroom.yml")).unwrap();
    assert!(workflow.contains(".grader/judge autograde") && workflow.contains("timeout-minutes: 15"), "{workflow}");
    assert!(place.path().join("template/.grader/judge").is_file());
    unpacked(place.path(), &[&["--make"], &SMALL[..]].concat(), "folder");
    if works("make") && works("python3") {
        let folder = place.path().join("folder");
        fs::copy(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py"),
            folder.join("homework.py"),
        )
        .unwrap();
        // As by hand: `make test` runs this test below a make of its own, which would announce its directories.
        let mut make = Command::new("make");
        for inherited in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
            make.env_remove(inherited);
        }
        let output = make.arg("grade").current_dir(&folder).output().unwrap();
        let shown = text(&output.stdout);
        assert!(output.status.success() && shown.starts_with("Score: "), "{shown}{}", text(&output.stderr));
        assert!(folder.join("results.json").is_file());
    }
    let words = ["autograder", "--game", "halma", "--out", "x.zip", "--judge"];
    fs::write(place.path().join("text"), "no program").unwrap();
    let output = run(place.path(), &[&words[..], &["text"]].concat(), 2);
    assert!(text(&output.stderr).contains("no program for Linux"));
    fs::write(place.path().join("bad.toml"), "games = 3\n").unwrap();
    let output = run(place.path(), &["autograder", "--game", "halma", "--out", "x.zip", "--scheme", "bad.toml"], 2);
    assert!(text(&output.stderr).contains("bad.toml:1: games: expected [[games]]"), "{}", text(&output.stderr));
}
