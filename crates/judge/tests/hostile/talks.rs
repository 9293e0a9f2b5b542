//! Programs that stay running and never end an answer, whoever writes it and whatever it is: the
//! supervisor ends the turn, which is theirs, and honest programs beside them get what they get
//! alone.

use crate::beside_others;
use crate::common::judge;
use crate::field::{python, run_within};
use std::path::Path;
use std::time::Duration;
use testing::gradings::grades;
use testing::{Folder, NewFolder, Words, copy, ends, folder, repository};

/// What is written again and again, and the pause after it in seconds.
const WRITTEN: &[(&str, &str, &str)] = &[
    ("empty lines", r"b'\n' * 65536", "0"),
    ("blanks", "b' ' * 65536", "0"),
    ("NUL", r"b'\0' * 65536", "0"),
    ("half a line", "b'0,'", "1000"),
    ("a byte every 5 ms", "b'0'", "0.005"),
    ("a byte every 20 ms", "b'0'", "0.02"),
    ("an empty line every 200 ms", r"b'\n'", "0.2"),
    ("1 GB of lines", r"b'0,0\n' * (1 << 14)", "0"),
];
/// Those of the test that always runs.
const CORE: &[&str] = &["empty lines", "a byte every 20 ms"];

const TASK: &str = "import os, sys, time
def task():
    lines = []
    for line in sys.stdin:
        if line == '\\n': break
        lines.append(line.rstrip('\\n'))
    return lines
";
const HONEST: &str = "while lines := task():
    at = ''.join(lines[2:5]).index('.')
    print('%d,%d' % (at % 3, at // 3), end='\\n\\n', flush=True)
";
const SCHEME: &str = "game = \"tic-tac-toe\"\nseed = 1\n[[games]]\ncount = 1\nclock = 1\n\
    reference = \"random\"\npoints = 2\ndraw = 1\n";
/// Far longer than all limits together, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(900);
const LOST: &[&str] = &["bad format", "stall", "time forfeit"];

/// A program that never ends its answer, or that burns CPU time while its child does not.
fn hostile((_, bytes, pause): &(&str, &str, &str), by_child: bool) -> String {
    let child = if by_child { "if os.fork():\n    while True: pass\n" } else { "" };
    format!("{TASK}task()\n{child}while True:\n    os.write(1, {bytes})\n    time.sleep({pause})\n")
}

fn field(keep: &str) -> NewFolder {
    let place = folder();
    copy(repository("starters/any-game"), place.join("game"));
    place.edit("game/game.toml", "clock = { game = 60.0 }", "clock = { move = 1.0 }");
    place.edit("game/game.toml", "keep = [] ", &format!("keep = {keep} "));
    place.write("game/game.toml", place.read("game/game.toml") + "programs-talk = \"lines\"\n");
    place.write("scheme.toml", SCHEME);
    place.write("honest/homework.py", format!("{TASK}{HONEST}"));
    place
}

fn run(place: &Path, words: &str) {
    let mut judge = judge(place);
    judge.args(words.words()).args("--concurrency 2 --wall-margin 1".words());
    let (code, told) = run_within(&mut judge, PATIENCE, &place.join("log"));
    assert_eq!(code, Some(0), "{words}: {told}");
}

fn graded(place: &Path) -> Vec<(String, Vec<String>)> {
    let python = python();
    run(
        place,
        &format!(
            "grade-all --game ./game class --scheme scheme.toml --csv grades.csv --cmd '{} homework.py'",
            python.display()
        ),
    );
    grades(place).into_iter().collect()
}

fn never_ending(keep: &str, is_short: bool) {
    let _machine = beside_others();
    let (place, python) = (field(keep), python());
    let homework = place.read("honest/homework.py");
    for name in ["a-honest", "b-honest"] {
        place.write(format!("class/{name}/homework.py"), &homework);
    }
    let alone = graded(&place);
    let mut names = Vec::new();
    for (index, written) in
        WRITTEN.iter().enumerate().filter(|(_, written)| !is_short || CORE.contains(&written.0))
    {
        for by_child in [false, true] {
            let name = format!("bad-{index}-{by_child}");
            place.write(format!("class/{name}/homework.py"), hostile(written, by_child));
            names.push(name);
        }
    }
    for file in ["grades.csv", "grades.jsonl"] {
        place.remove(file);
    }
    let beside = graded(&place);
    let (honest, others): (Vec<_>, Vec<_>) =
        beside.into_iter().partition(|(name, _)| name.ends_with("-honest"));
    assert_eq!(honest, alone);
    assert!(others.len() == names.len(), "{others:?}");
    assert!(others.iter().all(|(_, row)| row[0] == "0"), "{others:?}");
    let engine = |name: &str, folder: &str| {
        format!("--engine name={name} dir={folder} 'cmd={} homework.py'", python.display())
    };
    let honest = engine("honest", "honest");
    let all = names.iter().map(|name| engine(name, &format!("class/{name}")));
    let all: Vec<String> = all.collect();
    let games = "--game ./game --games 2 --each time=1 --record record --overwrite";
    let mut commands: Vec<String> =
        all.iter().map(|bad| format!("match {games} {honest} {bad}")).collect();
    if is_short {
        commands.truncate(1);
    }
    commands.push(format!(
        "tournament --shape gauntlet {games} --interval 0 {honest} {}",
        all.join(" ")
    ));
    for words in commands {
        run(&place, &words);
        let ends = ends(place.join("record"));
        assert!(ends.len() >= 2, "{words}");
        for end in ends {
            let lost = usize::from(end["players"][0] == "honest");
            let word = end["termination"].as_str().unwrap();
            assert!(end["winner"] == 1 - lost && LOST.contains(&word), "{words}: {end}");
        }
    }
}

#[test]
fn a_program_that_never_ends_its_answer_loses_its_turn() {
    never_ending("[]", true);
}

#[test]
#[ignore = "long"]
fn whatever_it_writes_itself_or_by_a_child_with_and_without_files_that_stay() {
    never_ending("[]", false);
    never_ending("\"all\"", false);
}
