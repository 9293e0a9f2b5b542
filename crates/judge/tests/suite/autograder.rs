//! Tests of the autograder's zip, unpacked into a tree like the platform's and started as the
//! platform does.

use crate::common::run;
use crate::own_game::{tic_tac_toe, write_scheme};
use serde_json::Value;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use testing::archive::zip;
use testing::crowd::{Crowd, a_processor};
use testing::gradings::{SMALL, SMALL_SCHEME};
use testing::{Folder, assert_has, copy, folder, needs, repository};
use zip::ZipArchive;

/// The words of a small grading: two positions and a game of a few plies.
fn small_grading(options: &str) -> String {
    format!("--game halma {options} '{SMALL}' -- --singles=2 --games=1")
}

const SOURCE: &str = "autograder/source";

/// Makes an autograder and unpacks it into a directory; what was printed.
pub(super) fn unpacked(place: &Path, options: &str, into: &str) -> String {
    let said = run(place, &format!("autograder --out autograder.zip {options}"), 0).stdout;
    let zip = File::open(place.join("autograder.zip")).unwrap();
    ZipArchive::new(zip).unwrap().extract(place.join(into)).unwrap();
    said
}

/// Runs it on a submission, as the platform does; its results.json.
#[track_caller]
pub(super) fn results(place: &Path, submission: &Path) -> Value {
    let root = handed_in(place, submission);
    testing::run(&mut autograde(&root), "", 0);
    left_results(&root)
}

fn autograde(root: &Path) -> Command {
    let mut command = Command::new(root.join("source/run_autograder"));
    command.env("AUTOGRADER_ROOT", root);
    command
}

/// Puts a submission where the platform puts it; the platform's root.
fn handed_in(place: &Path, submission: &Path) -> PathBuf {
    let root = place.join("autograder");
    root.remove("submission");
    root.remove("results");
    copy(submission, root.join("submission"));
    root
}

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

/// Fails where the output of results, or of a test in them, lacks a part.
#[track_caller]
fn assert_says<const N: usize>(found: &Value, parts: [&str; N]) {
    assert_has(found["output"].as_str().unwrap(), parts);
}

const STARTER: &str = "starters/halma/python/agent.py";

#[test]
fn gradescope_s_autograder_leaves_results_whatever_is_handed_in() {
    let place = folder();
    let packed = zip(&[("hw/homework.py", &fs::read(repository(STARTER)).unwrap())]);
    for (file, bytes) in [
        ("zip-python/hw.zip", &packed[..]),
        ("crashes-python/homework.py", b"board = {}\nboard['a1']\n"),
        ("broken-c/homework.c", b"int main( {\n"),
        ("report-alone/report.pdf", b"%PDF"),
    ] {
        place.join("made").write(file, bytes);
    }
    place.make("made/empty");
    let said = unpacked(&place, &small_grading(""), SOURCE);
    assert_has(said, ["clocks are the scheme's own"]);
    for name in ["setup.sh", "run_autograder", "judge"] {
        let mode = fs::metadata(place.join(SOURCE).join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{name}");
    }
    let of = |student: &str| results(&place, &place.join("made").join(student));
    let good = of("zip-python");
    assert!(good["score"].as_f64().unwrap() >= 2.0, "{good:#}");
    assert_eq!(good["tests"].as_array().unwrap().len(), 3);
    assert_says(&good, ["Mended: hw.zip was unpacked", "clocks are the"]);
    let bad = of("crashes-python");
    assert_eq!(bad["score"], 0.0);
    assert_says(&bad, ["KeyError"]);
    let broken = of("broken-c");
    assert_eq!(broken["score"], 0);
    assert_says(&broken["tests"][0], ["error:"]);
    assert_says(&of("report-alone"), ["no program among the files: report.pdf"]);
    assert_says(&of("empty"), ["nothing was handed in"]);
    // A judge that cannot run leaves a results.json as well.
    let root = place.join("autograder");
    root.write("source/judge", "#!/no/such/loader\n");
    root.remove("results");
    autograde(&root).output().unwrap();
    let written: Value = serde_json::from_str(&root.read("results/results.json")).unwrap();
    assert_says(&written, ["Your program is not the cause"]);
}

/// Hands in the starter in Python, with these lines before it; the platform's root.
fn student(place: &Path, before: &str) -> PathBuf {
    needs("python3");
    let starter = fs::read_to_string(repository(STARTER)).unwrap();
    place.write("student/homework.py", format!("{before}\n{starter}"));
    handed_in(place, &place.join("student"))
}

#[test]
#[ignore = "long"]
fn an_honest_program_gets_its_points_on_part_of_a_processor() {
    let place = folder();
    let said = unpacked(&place, &small_grading("--timeout 600"), SOURCE);
    // 30 s on half a processor for 600 s.
    assert_has(said, ["clocks are the scheme's own", "0.50 of a processor"]);
    needs("taskset");
    let root = student(&place, "");
    let processor = a_processor();
    let _crowd = Crowd::on(processor, 2);
    let mut run = Command::new("taskset");
    run.args(["-c", &processor.to_string()]).arg(root.join("source/run_autograder"));
    testing::run(run.env("AUTOGRADER_ROOT", &root), "", 0);
    let found = left_results(&root);
    assert_eq!(found["score"], 7.0, "two positions, and half of a game that nobody won: {found:#}");
}

#[test]
fn finished_tests_keep_their_points_when_the_time_is_over() {
    let place = folder();
    // A turn of the game may be waited for until the time is over.
    let scheme = SMALL_SCHEME.replace("clock = 5", "clock = 2");
    place.write("clocked.toml", scheme.replace("clock = 20", "clock = 18"));
    let terms = "--game halma --timeout 40 --cpus 1 --scheme clocked.toml -- --singles=2 --games=1";
    unpacked(&place, terms, SOURCE);
    let wait =
        "import time\nif open('input.txt').read().split()[2].startswith('18'): time.sleep(100)";
    let root = student(&place, wait);
    let mut run = autograde(&root).stdout(Stdio::null()).spawn().unwrap();
    let read = || fs::read_to_string(root.join("results/results.json")).unwrap_or_default();
    let mut seen = Vec::new();
    testing::wait("the end", || {
        let results: Value = serde_json::from_str(&read()).unwrap_or_default();
        seen.extend(results["score"].as_f64().filter(|score| seen.last() != Some(score)));
        run.try_wait().unwrap().is_some()
    });
    let ends = (seen.first(), seen.last());
    assert_eq!(ends, (Some(&0.0), Some(&2.0)), "results while the tests go on: {seen:?}");
    let found = left_results(&root);
    assert_eq!(found["score"], 2.0);
    let tests = found["tests"].as_array().unwrap();
    let words: Vec<&str> = tests.iter().map(|test| test["status"].as_str().unwrap()).collect();
    assert_eq!(words, ["passed", "passed", "failed"]);
    assert_says(&tests[2], ["the time was over before this test"]);
    assert_says(&found, ["Finished tests keep their points"]);
}

#[test]
fn clocks_are_scaled_and_that_is_said_and_other_platforms_have_their_files() {
    needs("make");
    needs("python3");
    let place = folder();
    let said = unpacked(&place, "--game halma --timeout 300 --cpus 1 --judge /bin/true", "scaled");
    assert_has(said, ["clocks are 15 % of the scheme's"]);
    assert_has(place.read("scaled/autograder.toml"), ["timeout = 300", "cpus = 1.0"]);
    unpacked(&place, "--game halma --classroom --judge /bin/true", "template");
    let workflow = place.read("template/.github/workflows/classroom.yml");
    assert_has(workflow, [".grader/judge autograde", "timeout-minutes: 15"]);
    assert!(place.join("template/.grader/judge").is_file());
    unpacked(&place, &small_grading("--make"), "folder");
    copy(repository(STARTER), place.join("folder/homework.py"));
    // As by hand: `make test` runs this test below a make of its own, which would announce its
    // directories.
    let mut make = Command::new("make");
    make.env_remove("MAKEFLAGS").env_remove("MFLAGS").env_remove("MAKELEVEL");
    let shown = testing::run(make.current_dir(place.join("folder")), "grade", 0).stdout;
    assert!(shown.starts_with("Score: "), "{shown}");
    assert!(place.join("folder/results.json").is_file());
    place.write("text", "no program");
    let words = "autograder --game halma --out x.zip";
    run(&place, &format!("{words} --judge text"), 2).has(["not a 64-bit program for Linux"]);
    place.write("bad.toml", "games = 3\n");
    let said = "bad.toml:1: invalid type: integer `3`";
    run(&place, &format!("{words} --scheme bad.toml"), 2).has([said]);
}

#[test]
fn a_game_of_the_course_s_own_travels_with_its_autograder() {
    let place = tic_tac_toe();
    write_scheme(&place, "[[games]]\ncount = 2\npoints = 2\nreference = \"random\"\nclock = 20\n");
    unpacked(&place, "--game ./game --scheme scheme.toml", SOURCE);
    copy(place.join("game/python/agent.py"), place.join("ann/homework.py"));
    place.remove("game");
    let results = || results(&place, &place.join("ann"));
    let first = results();
    assert_eq!(first["tests"].as_array().unwrap().len(), 2, "{first:#}");
    assert_has(first.to_string(), ["game 1 as X"]);
    // Each try has dice, cards and openings of its own.
    let seed = |results: &Value| {
        let output = results["output"].as_str().unwrap();
        let words = output.split_once("of this try were drawn: seed ").unwrap().1;
        words.split_once('.').unwrap().0.parse::<u64>().unwrap()
    };
    let seeds = [seed(&first), seed(&results())];
    assert!(seeds[0] != seeds[1] && !seeds.contains(&1), "{seeds:?}");
}

#[test]
fn a_homework_is_graded_on_a_platform_with_its_secret_cases_and_none_of_the_staffs_solutions() {
    let place = folder();
    let starter = repository("starters/homework");
    copy(&starter, place.join("hw"));
    place.write("hw/unused.zip", [0xff, 0xfe, 0]);
    let toml = place.read("hw/homework.toml");
    place.write("hw/homework.toml", format!("ignored = [\"unused.zip\"]\n{toml}"));
    let said = unpacked(&place, "--game ./hw", SOURCE);
    assert_has(said, ["cases have their own time: the program takes 30 s at most"]);
    let packed = place.join("autograder/source/game");
    assert!(packed.join("cases/6.in.txt").exists() && !packed.join("submissions").exists());
    let submission = starter.join("submissions/wrong_answer/fewest_steps.py");
    copy(submission, place.join("made/homework.py"));
    let found = results(&place, &place.join("made"));
    assert_eq!(found["score"].as_f64(), Some(9.0), "{found:#}");
    let tests = found["tests"].as_array().unwrap();
    let sum = tests.iter().filter_map(|test| test["score"].as_f64()).sum::<f64>();
    assert_eq!((tests.len(), sum), (6, 9.0), "{found:#}");
    assert_says(&found, ["Group no path: 4 of 4 points"]);
    // A try tells nothing that a program wrote in a secret case.
    let tells = "raise SystemExit('asks ' + open('input.txt').read().replace('\\n', ' '))\n";
    place.write("tells/homework.py", tells);
    let found = results(&place, &place.join("tells"));
    let shown = |test: &Value| test["output"].as_str().unwrap().contains("asks");
    let shown: Vec<bool> = found["tests"].as_array().unwrap().iter().map(shown).collect();
    assert_eq!(shown, [true, true, false, false, false, false], "{found:#}");
    assert_eq!(found.to_string().matches("a secret case").count(), 4, "{found:#}");
    let said = ["--classroom: students read", "4 cases are secret"];
    run(&place, "autograder --homework hw --classroom --out a.zip", 2).has(said);
}
