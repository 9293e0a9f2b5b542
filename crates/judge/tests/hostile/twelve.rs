//! Classes of twelve with one student of each kind that could cost the others points: a program
//! that never ends its answer, one that signals others, one whose interpreter went, one that has
//! the numbers of a fixed seed built in, one that tells what a secret case asks. Everybody else
//! gets what they get without these, and the class ends in the time that its start said.

use crate::common::judge;
use crate::field::run_within;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;
use testing::gradings::grades;
use testing::intake::PYTHON_2;
use testing::{
    Folder, NewFolder, Words, assert_has, assert_lacks, copy, ends, events, folder, repository,
};

const PATIENCE: Duration = Duration::from_secs(1800);
const SIGNALS: &str = "import fcntl, os, signal
parent = os.getppid()
for target in [int(open('/proc/%d/status' % parent).read().split('PPid:')[1].split()[0]), parent]:
    try:
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, target); fcntl.fcntl(reader, 10, signal.SIGKILL)
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC); os.write(writer, b'x')
    except OSError: pass
";
const TALK: &str = "import os, random, sys
def tasks():
    for line in sys.stdin:
        if line != '\\n': yield line.split()
def say(number): print(number, end='\\n\\n', flush=True)
";
const HONEST: &str = "for ply, hint in tasks(): say(hint)\n";
const FLOODS: &str =
    "for ply, hint in tasks():\n    say(hint)\n    while True: os.write(1, b'\\n' * 65536)\n";
/// Names the hidden numbers of the first test by the seed 1, which was everybody's.
const KNOWS: &str =
    "for ply, hint in tasks(): say(random.Random(81924227600 + int(ply)).randrange(9))\n";
/// Against who sees the numbers, where only who knows them all has a draw, and against chance.
const SCHEME: &str = "game = \"tic-tac-toe\"\n[[games]]\ncount = 1\nturn-clock = 1\n\
    reference = \"greedy\"\npoints = 2\ndraw = 1\n[[games]]\ncount = 1\nturn-clock = 1\n\
    reference = \"random\"\npoints = 4\nmargin = { each = 0.1, most = 2 }\n";

/// A folder with interpreters and the given programs beside eight honest ones.
fn class(honest: &str, others: &[(&str, String)]) -> NewFolder {
    let place = folder();
    fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    place.make("bin");
    symlink("/usr/bin/python3", place.join("bin/python3")).unwrap();
    place.write_script("bin/python2", PYTHON_2);
    for number in 0..8 {
        place.write(format!("honest/h{number}/homework.py"), honest);
        place.write(format!("all/h{number}/homework.py"), honest);
    }
    for (name, program) in others {
        place.write(format!("all/{name}/homework.py"), program);
    }
    place
}

/// Runs the judge with the interpreters of this folder alone.
#[track_caller]
fn run(place: &Path, words: &str, code: i32) -> String {
    let mut judge = judge(place);
    judge.env("PATH", place.join("bin")).args(words.words());
    let (ended, told) = run_within(&mut judge, PATIENCE, &place.join("log"));
    assert_eq!(ended, Some(code), "{words}: {told}");
    told
}

/// Takes in and grades the honest alone, then all without Python 2, by the same seed; what the
/// judge told of all. The one that runs by Python 2 has no points, and the honest ones theirs.
fn grade_both(place: &Path, game: &str, options: &str, taken_in: i32) -> String {
    run(place, &format!("intake honest {game} --out honest-in"), 0);
    run(place, &format!("intake all {game} --out all-in"), taken_in);
    fs::remove_file(place.join("bin/python2")).unwrap();
    let grading = |class: &str, options: &str, code| {
        let words = format!("{game} {options} {class} --csv grades.csv --reports reports-{class}");
        run(place, &format!("grade-all {words} --concurrency 2 --wall-margin 1"), code)
    };
    grading("honest-in", options, 0);
    let alone = grades(place);
    let header = events(place.join("grades.jsonl")).remove(0);
    let seed = header["seed"].as_u64().filter(|_| header["class"]["homework"].is_null());
    let seed = seed.map_or(String::new(), |seed| format!("--seed {seed}"));
    assert!(alone.len() == 8, "{alone:?}");
    for file in ["grades.csv", "grades.jsonl"] {
        place.remove(file);
    }
    let told = grading("all-in", &format!("{options} {seed}"), 2);
    assert_has(&told, ["went: the intake found python2 2.7.18"]);
    let all = grades(place);
    assert!(!all.contains_key("went"), "{all:?}");
    for (name, row) in &alone {
        assert_eq!(all.get(name), Some(row), "{name}");
    }
    told
}

fn numbers() -> NewFolder {
    let of = |code: &str| format!("{TALK}{code}");
    let place = class(
        &of(HONEST),
        &[
            ("floods", of(FLOODS)),
            ("signals", of(&format!("{SIGNALS}{HONEST}"))),
            ("went", format!("#!/usr/bin/env python2\n{}", of(HONEST))),
            ("knows", of(KNOWS)),
        ],
    );
    copy(repository("starters/any-game"), place.join("game"));
    let rules = repository("crates/judge/tests/rules/hidden-number").read("rules.py");
    let rules = rules
        .replace("random.Random(variant)", "random.Random((variant or 0) * 100)")
        .replace(
            "random.Random(str(state))",
            "random.Random(state[\"variant\"] * 100 + state[\"ply\"] + 1)",
        )
        .replace("\"ply\": 0}", "\"ply\": 0, \"variant\": variant or 0}")
        .replace(
            "\"ply\": state[\"ply\"] + 1}",
            "\"ply\": state[\"ply\"] + 1, \"variant\": state[\"variant\"]}",
        );
    let task =
        "return \"%d %d\\n\" % (state[\"ply\"], 4 if state[\"ply\"] % 4 else state[\"number\"])";
    let rules = rules.replace("return \"%d\\n\" % state[\"ply\"]", task);
    place.write("game/rules.py", rules);
    place.edit("game/game.toml", "plies = 9", "plies = 40");
    place.edit("game/game.toml", "clock = { game = 60.0 }", "clock = { move = 1.0 }");
    place.write("game/game.toml", place.read("game/game.toml") + "programs-talk = \"lines\"\n");
    place.write("scheme.toml", SCHEME);
    place
}

#[test]
fn honest_players_get_in_a_class_of_twelve_what_they_get_alone() {
    let place = numbers();
    let told = grade_both(&place, "--game ./game", "--scheme scheme.toml", 0);
    assert_has(&told, ["11 submissions with 0 positions and 2 games each, 2 at a time: "]);
    let rows = grades(&place);
    assert_eq!(rows["floods"][0], "0", "{rows:?}");
    // A tournament, in which all results depend on each other, begins with all or not at all.
    let words = "tournament --game ./game --from all-in --record games.jsonl";
    assert_has(run(&place, words, 2), ["  went: the intake found python2 2.7.18"]);
    assert!(!place.join("games.jsonl").exists());
    assert_eq!(rows["signals"][..4], rows["h0"][..4]);
    // The control: by the seed of old, who knows the numbers has a draw against who sees them.
    let draws = |seed: &str| {
        let words = "grade --game ./game --scheme scheme.toml --record one.jsonl --overwrite";
        let words = format!("{words} --engine name=knows dir=all/knows");
        run(&place, &format!("{words} 'cmd=python3 homework.py' {seed}"), 0);
        ends(place.join("one.jsonl"))[0]["winner"].is_null()
    };
    assert!(draws("--seed 1") && !draws(""));
}

/// Says what it found in its input, as its last words.
const TELLS: &str = "import sys
print('asks', *open('input.txt').read().split(), file=sys.stderr)
open('output.txt', 'w').write('asks ' + open('input.txt').read())
";

#[test]
fn honest_programs_get_in_a_class_of_twelve_what_they_get_alone() {
    let honest = repository("starters/homework/submissions/accepted").read("homework.py");
    let floods = "import sys\nwhile True: sys.stdout.write(chr(10) * 65536)\n".to_string();
    let place = class(
        &honest,
        &[
            ("floods", floods),
            ("signals", format!("{SIGNALS}{honest}")),
            ("tells", TELLS.to_string()),
            ("went", format!("#!/usr/bin/env python2\n{honest}")),
        ],
    );
    copy(repository("starters/homework"), place.join("hw"));
    place.edit("hw/homework.toml", "time = 5", "time = 1");
    let told = grade_both(&place, "--game ./hw", "", 1);
    assert_has(&told, ["11 submissions with 6 cases each, 2 at a time: "]);
    let rows = grades(&place);
    assert_eq!(rows["signals"][..4], rows["h0"][..4]);
    assert!(["floods", "tells"].iter().all(|name| rows[*name][0] == "0"), "{rows:?}");
    let report = place.read("reports-all-in/tells.txt");
    assert_has(&report, ["4. case 4: 0 of 2\nwrong: a secret case\n"]);
    assert_lacks(report, ["asks"]);
}
