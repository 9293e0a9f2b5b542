//! Tests of the autograder's zip, unpacked into a tree like the platform's and started as the
//! platform does.

use crate::common::run;
use crate::own_game::tic_tac_toe;
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testing::archive::zip;
use testing::crowd::{Crowd, a_processor};
use testing::gradings::{SMALL, SMALL_SCHEME};
use testing::{Folder, assert_has, folder, needs, text};
use zip::ZipArchive;

/// A small grading: two positions and a game of a few plies.
const SMALL_GRADING: [&str; 4] = [SMALL, "--", "--singles=2", "--games=1"];

/// Writes the small scheme with other clocks for a position and for a game.
fn clocked(place: &Path, position: &str, game: &str) {
    let scheme = SMALL_SCHEME.replace("clock = 5", &format!("clock = {position}"));
    fs::write(place.join("clocked.toml"), scheme.replace("clock = 20", &format!("clock = {game}")))
        .unwrap();
}

/// Makes an autograder and unpacks it into a directory.
fn unpacked(place: &Path, options: &[&str], into: &str) -> String {
    unpacked_for("halma", place, options, into)
}

fn unpacked_for(game: &str, place: &Path, options: &[&str], into: &str) -> String {
    let words = [&["autograder", "--game", game, "--out", "autograder.zip"], options].concat();
    let said = run(place, &words, 0).stdout;
    let target = place.join(into);
    fs::create_dir_all(&target).unwrap();
    ZipArchive::new(File::open(place.join("autograder.zip")).unwrap())
        .unwrap()
        .extract(&target)
        .unwrap();
    said
}

/// Runs it on a submission, as the platform does; its results.json.
#[track_caller]
fn results(place: &Path, submission: &Path) -> Value {
    let root = handed_in(place, submission);
    let output = Command::new(root.join("source/run_autograder"))
        .env("AUTOGRADER_ROOT", &root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    left_results(&root)
}

/// Puts a submission where the platform puts it; the platform's root.
fn handed_in(place: &Path, submission: &Path) -> PathBuf {
    let root = place.join("autograder");
    for folder in ["submission", "results"] {
        let _ = fs::remove_dir_all(root.join(folder));
    }
    fs::create_dir_all(&root).unwrap();
    let copied =
        Command::new("cp").arg("-R").arg(submission).arg(root.join("submission")).status().unwrap();
    assert!(copied.success());
    root
}

/// The results.json that the autograder has left.
#[track_caller]
fn left_results(root: &Path) -> Value {
    let written = root.read("results/results.json");
    println!("{written}");
    let results: Value = serde_json::from_str(&written).unwrap();
    for key in
        ["score", "output", "visibility", "stdout_visibility", "tests", "leaderboard", "extra_data"]
    {
        assert!(results.get(key).is_some(), "{key} is missing in {written}");
    }
    results
}

#[test]
fn gradescope_s_autograder_leaves_results_whatever_is_handed_in() {
    let place = folder();
    let starter =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py");
    let packed = zip(&[("hw/homework.py", &fs::read(starter).unwrap())]);
    for (file, bytes) in [
        ("zip-python/hw.zip", &packed[..]),
        ("crashes-python/homework.py", b"board = {}\nboard['a1']\n"),
        ("broken-c/homework.c", b"int main( {\n"),
        ("report-alone/report.pdf", b"%PDF"),
    ] {
        let path = place.join("made").join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let said = unpacked(&place, &SMALL_GRADING, "autograder/source");
    assert!(said.contains("clocks are the scheme's own"), "{said}");
    for name in ["setup.sh", "run_autograder", "judge"] {
        let mode =
            fs::metadata(place.join("autograder/source").join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{name}");
    }
    let of = |student: &str| results(&place, &place.join("made").join(student));
    let good = of("zip-python");
    assert!(good["score"].as_f64().unwrap() >= 2.0, "{good:#}");
    assert_eq!(good["tests"].as_array().unwrap().len(), 3);
    let output = good["output"].as_str().unwrap();
    assert!(
        output.contains("Mended: hw.zip was unpacked") && output.contains("clocks are the"),
        "{output}"
    );
    let bad = of("crashes-python");
    assert_eq!(bad["score"], 0.0);
    assert!(bad["output"].as_str().unwrap().contains("KeyError"), "{bad:#}");
    let results = of("broken-c");
    assert_eq!(results["score"], 0);
    let output = results["tests"][0]["output"].as_str().unwrap();
    assert_has(output, ["error:"]);
    let none = of("report-alone");
    assert!(
        none["output"].as_str().unwrap().contains("no program among the files: report.pdf"),
        "{none:#}"
    );
    place.make("empty");
    let none = self::results(&place, &place.join("empty"));
    assert!(none["output"].as_str().unwrap().contains("nothing was handed in"), "{none:#}");
    // A judge that cannot run leaves a results.json as well.
    place.write("autograder/source/judge", "#!/no/such/loader\n");
    let root = place.join("autograder");
    fs::remove_dir_all(root.join("results")).unwrap();
    Command::new(root.join("source/run_autograder"))
        .env("AUTOGRADER_ROOT", &root)
        .output()
        .unwrap();
    let written = root.read("results/results.json");
    let results: Value = serde_json::from_str(&written).unwrap();
    assert_has(results["output"].as_str().unwrap(), ["Your program is not the cause"]);
}

#[test]
#[ignore = "long"]
fn a_grading_that_waits_is_ended_before_the_platform_ends_it() {
    needs("python3");
    let place = folder();
    unpacked(&place, &[&["--timeout", "30"], &SMALL_GRADING[..]].concat(), "autograder/source");
    let sleeper = place.join("sleeper");
    fs::create_dir(&sleeper).unwrap();
    sleeper.write("homework.py", "import time\ntime.sleep(12)\n");
    let begun = std::time::Instant::now();
    let found = results(&place, &sleeper);
    assert!(begun.elapsed().as_secs() < 30, "{:?}", begun.elapsed());
    assert_eq!(found["score"].as_f64(), Some(0.0));
    assert!(found["output"].as_str().unwrap().contains("the platform's 30 s"), "{found:#}");
}

/// Makes a submission: the starter in Python, with these lines before it.
fn student(place: &Path, before: &str) -> PathBuf {
    needs("python3");
    let starter =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py");
    let folder = place.join("student");
    fs::create_dir(&folder).unwrap();
    folder.write("homework.py", format!("{before}\n{}", fs::read_to_string(starter).unwrap()));
    folder
}

/// Runs the autograder on one processor with busy neighbours.
fn results_beside(neighbours: usize, root: &Path) -> Value {
    needs("taskset");
    let processor = a_processor();
    let _crowd = Crowd::on(processor, neighbours);
    let mut run = Command::new("taskset");
    run.args(["-c", &processor.to_string()])
        .arg(root.join("source/run_autograder"))
        .env("AUTOGRADER_ROOT", root);
    assert!(run.output().unwrap().status.success());
    left_results(root)
}

#[test]
#[ignore = "long"]
fn an_honest_program_gets_its_points_on_part_of_a_processor() {
    let place = folder();
    let said = unpacked(
        &place,
        &[&["--timeout", "600"], &SMALL_GRADING[..]].concat(),
        "autograder/source",
    );
    // 30 s on half a processor for 600 s.
    assert!(
        said.contains("clocks are the scheme's own") && said.contains("0.50 of a processor"),
        "{said}"
    );
    let found = results_beside(2, &handed_in(&place, &student(&place, "")));
    assert_eq!(found["score"], 7.0, "two positions, and half of a game that nobody won: {found:#}");
}

#[test]
#[ignore = "long"]
fn a_machine_that_is_short_of_processors_is_told_from_a_program_that_waits() {
    let place = folder();
    // The clocks fit a whole processor, of which the grading gets a quarter.
    clocked(&place, "2.2", "2.2");
    unpacked(
        &place,
        &[
            "--timeout",
            "30",
            "--cpus",
            "1",
            "--scheme",
            "clocked.toml",
            "--",
            "--singles=8",
            "--games=0",
        ],
        "autograder/source",
    );
    let burn = "import time\nwhile time.process_time() < 1: pass";
    let found = results_beside(3, &handed_in(&place, &student(&place, burn)));
    let output = found["output"].as_str().unwrap();
    assert!(
        output.contains("The machine is the reason, not the program: it gave a busy process"),
        "{found:#}"
    );
    let tests = found["tests"].as_array().unwrap();
    let passed = tests.iter().filter(|test| test["status"] == "passed").count();
    assert_eq!(found["score"].as_f64(), Some(passed as f64));
}

#[test]
fn finished_tests_keep_their_points_when_the_time_is_over() {
    let place = folder();
    // A turn of the game may be waited for until the time is over.
    clocked(&place, "2", "18");
    let options = [
        "--timeout",
        "40",
        "--cpus",
        "1",
        "--scheme",
        "clocked.toml",
        "--",
        "--singles=2",
        "--games=1",
    ];
    unpacked(&place, &options, "autograder/source");
    let wait =
        "import time\nif open('input.txt').read().split()[2].startswith('18'): time.sleep(100)";
    let root = handed_in(&place, &student(&place, wait));
    let mut run = Command::new(root.join("source/run_autograder"));
    let mut run = run.env("AUTOGRADER_ROOT", &root).stdout(Stdio::null()).spawn().unwrap();
    let read = || fs::read_to_string(root.join("results/results.json")).unwrap_or_default();
    let mut seen = Vec::new();
    testing::wait("the end", || {
        let results: Value = serde_json::from_str(&read()).unwrap_or_default();
        seen.extend(results["score"].as_f64().filter(|score| seen.last() != Some(score)));
        run.try_wait().unwrap().is_some()
    });
    assert_eq!(
        (seen.first(), seen.last()),
        (Some(&0.0), Some(&2.0)),
        "results are there while the tests go on: {seen:?}"
    );
    let found = left_results(&root);
    assert_eq!(found["score"], 2.0);
    let words: Vec<&str> = found["tests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|test| test["status"].as_str().unwrap())
        .collect();
    assert_eq!(words, ["passed", "passed", "failed"]);
    assert!(
        found["tests"][2]["output"]
            .as_str()
            .unwrap()
            .contains("the time was over before this test"),
        "{found:#}"
    );
    assert!(
        found["output"].as_str().unwrap().contains("Finished tests keep their points"),
        "{found:#}"
    );
}

#[test]
fn clocks_are_scaled_and_that_is_said_and_other_platforms_have_their_files() {
    needs("make");
    needs("python3");
    let place = folder();
    let said = unpacked(&place, &["--timeout", "300", "--cpus", "1"], "scaled");
    assert!(said.contains("clocks are 15 % of the scheme's"), "{said}");
    let config = place.read("scaled/autograder.toml");
    assert!(config.contains("timeout = 300") && config.contains("cpus = 1.0"), "{config}");
    unpacked(&place, &["--classroom"], "template");
    let workflow = place.read("template/.github/workflows/classroom.yml");
    assert!(
        workflow.contains(".grader/judge autograde") && workflow.contains("timeout-minutes: 15"),
        "{workflow}"
    );
    assert!(place.join("template/.grader/judge").is_file());
    unpacked(&place, &[&["--make"], &SMALL_GRADING[..]].concat(), "folder");
    let folder = place.join("folder");
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma/python/agent.py"),
        folder.join("homework.py"),
    )
    .unwrap();
    // As by hand: `make test` runs this test below a make of its own, which would announce its
    // directories.
    let mut make = Command::new("make");
    for inherited in ["MAKEFLAGS", "MFLAGS", "MAKELEVEL"] {
        make.env_remove(inherited);
    }
    let output = make.arg("grade").current_dir(&folder).output().unwrap();
    let shown = text(&output.stdout);
    assert!(
        output.status.success() && shown.starts_with("Score: "),
        "{shown}{}",
        text(&output.stderr)
    );
    assert!(folder.join("results.json").is_file());
    let words = ["autograder", "--game", "halma", "--out", "x.zip", "--judge"];
    place.write("text", "no program");
    let output = run(&place, &[&words[..], &["text"]].concat(), 2);
    assert_has(output.stderr, ["not a 64-bit program for Linux"]);
    place.write("bad.toml", "games = 3\n");
    let output = run(&place, "autograder --game halma --out x.zip --scheme bad.toml", 2);
    assert_has(output.stderr, ["bad.toml:1: invalid type: integer `3`"]);
}

#[test]
fn a_game_of_the_course_s_own_travels_with_its_autograder() {
    let place = folder();
    tic_tac_toe(&place);
    place.write(
        "game/scheme.toml",
        "game = \"tic-tac-toe\"\n[[games]]\ncount = 2\npoints = 2\nreference = \"random\"\nturn-clock = 5\n",
    );
    unpacked_for("./game", &place, &[], "autograder/source");
    fs::remove_dir_all(place.join("game")).unwrap();
    place.make("ann");
    fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game/python/agent.py"),
        place.join("ann/homework.py"),
    )
    .unwrap();
    let results = results(&place, &place.join("ann"));
    assert_eq!(results["tests"].as_array().unwrap().len(), 2, "{results:#}");
    assert!(
        results.to_string().contains("tic-tac-toe") || results.to_string().contains("game 1 as X"),
        "{results:#}"
    );
}

#[test]
fn a_homework_is_graded_on_a_platform_with_its_secret_cases_and_none_of_the_staffs_solutions() {
    let place = folder();
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/homework");
    assert!(
        Command::new("cp")
            .arg("-r")
            .arg(&starter)
            .arg(place.join("hw"))
            .status()
            .unwrap()
            .success()
    );
    place.write("hw/unused.zip", [0xff, 0xfe, 0]);
    let toml = place.read("hw/homework.toml");
    place.write("hw/homework.toml", format!("ignored = [\"unused.zip\"]\n{toml}"));
    let said = unpacked_for("./hw", &place, &[], "autograder/source");
    assert_has(said, ["cases have their own time: the program takes 30 s at most"]);
    let packed = place.join("autograder/source/game");
    assert!(packed.join("cases/6.in.txt").exists() && !packed.join("submissions").exists());
    for (file, score) in [("accepted/homework.py", 12.0), ("wrong_answer/fewest_steps.py", 9.0)] {
        let made = place.join("made").join(score.to_string());
        fs::create_dir_all(&made).unwrap();
        fs::copy(starter.join("submissions").join(file), made.join("homework.py")).unwrap();
        let found = results(&place, &made);
        assert_eq!(found["score"].as_f64(), Some(score), "{found:#}");
        let tests = found["tests"].as_array().unwrap();
        let sum = tests.iter().filter_map(|test| test["score"].as_f64()).sum::<f64>();
        assert_eq!((tests.len(), sum), (6, score), "{found:#}");
        assert_has(found["output"].as_str().unwrap(), ["Group no path: 4 of 4 points"]);
    }
    let words = "autograder --homework hw --classroom --out a.zip";
    assert_has(run(&place, words, 2).stderr, ["--classroom: students read", "4 cases are secret"]);
}
