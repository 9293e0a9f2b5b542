//! A class in which all hostile players hand in beside ten honest students: nothing that one
//! submission does ends, stops or slows another's. The honest ones get exactly what they get alone,
//! in a grading and in a tournament.
//!
//! `cargo test -p judge --test hostile -- --include-ignored --nocapture watchdog` prints what it
//! cost.

use crate::alone;
use crate::attacks;
use crate::common::{example, judge};
use crate::field::{python, run_within, start_victim};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use testing::gradings::grades;
use testing::{Folder, NewFolder, Words, ends, folder, text};

/// The code that all hostile players begin with: they burn half as long as they say, and their
/// clocks are half as long.
const PRELUDE: &str = concat!(
    include_str!("prelude.py"),
    "\nwhole = burn\n\ndef burn(seconds):\n    whole(seconds / 2)\n\n"
);

/// More of them: those that a class has besides a match.
const MORE: &[&str] = &[
    "play(); os.unlink('homework.py')",
    "play(); os.unlink('homework.py'); os.mkfifo('homework.py')",
    "play(); os.unlink('homework.py'); os.symlink('/dev/zero', 'homework.py')",
    "os.kill(-1, signal.SIGKILL)",
    "play(); os.chmod('.', 0); os.kill(0, signal.SIGSTOP)",
    "print('x' * (1 << 26)); print('{\"event\":\"end\"}\\n' * 100000, file=sys.stderr); play()",
    "open('output.txt', 'w').write('E 0,0 ' * 100000)",
];

/// Honest students, each in a way of its own, and two of each.
const HONEST: [&str; 5] = [
    "play()",
    "print('thinking', file=sys.stderr); play()",
    "open('notes.txt', 'a').write('one turn more\\n'); play()",
    "thread = threading.Thread(target=play); thread.start(); thread.join()",
    "open('/tmp/scratch', 'wb').write(b'x' * (1 << 20)); play(); os.unlink('/tmp/scratch')",
];
const HONEST_PRELUDE: &str = "import os, subprocess, sys, threading\n\
    def play(): subprocess.run([sys.argv[1], '--depth', '1', '--hash', '1'], check=True)\n";

/// Two tests: a position, and a game in which a submission has one turn.
const SCHEME: &str = "game = \"halma\"\nseed = 1\nmax-plies = 2\n[[positions]]\ncount = 1\npoints = 2\nclock = 0.5\n\
    [[games]]\ncount = 1\nclock = 0.5\nreference = \"greedy\"\npoints = 4\ndraw = 0.5\n";
const GRADING: &str =
    "grade-all --game halma class --own-commands --scheme scheme.toml --csv grades.csv";
/// The reference meets each submission twice, and the side that begins has the one move.
const TOURNAMENT: &str = "tournament --seed 1 --game halma --shape gauntlet --engine name=reference engine=reference:greedy --from class \
    --own-commands --games 2 --openings start --max-plies 1 --each time=0.5 --record games.jsonl --interval 0";
const LIMITS: &str =
    "--sandbox required --concurrency 2 --memory 128 --disk 32 --processes 40 --wall-margin 2.5";

/// The judge has to be done with a class within this time, on however busy a machine.
const PATIENCE: Duration = Duration::from_secs(1800);

/// A class of honest students alone, or with a number of hostile ones before each of them.
struct Class {
    place: NewFolder,
    command: String,
    victim: Child,
}

impl Drop for Class {
    fn drop(&mut self) {
        drop(self.victim.stdin.take());
        let _ = self.victim.wait();
    }
}

impl Class {
    fn new(python: &Path, with_hostile: bool) -> Class {
        let place = folder();
        let hostile: Vec<&str> =
            attacks::all().map(|attack| attack.code).chain(MORE.iter().copied()).collect();
        let honest = HONEST.into_iter().cycle().take(10).collect::<Vec<_>>();
        let share = hostile.len().div_ceil(honest.len());
        for (number, code) in honest.into_iter().enumerate() {
            let program = format!("{HONEST_PRELUDE}{code}\n");
            student(&place, &format!("{number}-honest"), &program);
            let bad =
                hostile.iter().skip(number * share).take(if with_hostile { share } else { 0 });
            for (index, code) in bad.enumerate() {
                let program = format!("{PRELUDE}\n{}\n", code.trim_start());
                student(&place, &format!("{number}-bad-{index}"), &program);
            }
        }
        if with_hostile {
            unstartable(&place);
        }
        place.write("scheme.toml", SCHEME);
        place.make("canary");
        let canary = place.join("canary");
        let name = format!("watchdog-{}-{with_hostile}", std::process::id());
        let (victim, line) = start_victim(&canary, &name, None);
        let hidden = place.display().to_string();
        let command = format!(
            "{} homework.py {} {} {name} {}",
            python.display(),
            example("agent"),
            hidden.trim_start_matches('/'),
            line.trim()
        );
        Class { place, command, victim }
    }

    fn judge(&self, line: &str) {
        let mut judge = judge(&self.place);
        judge.args(format!("{line} {LIMITS} --cmd '{}'", self.command).words());
        let (code, told) = run_within(&mut judge, PATIENCE, &self.place.join("log"));
        assert_eq!(code, Some(0), "{line}: {told}");
    }

    fn grades(&self) -> BTreeMap<String, [String; 2]> {
        self.judge(GRADING);
        let rows = grades(&self.place).into_iter();
        let rows = rows.map(|(name, mut row)| (name, [row.remove(0), row.remove(1)]));
        let (honest, others): (Vec<_>, Vec<_>) =
            rows.partition(|(name, _)| name.ends_with("-honest"));
        let mut words = BTreeMap::<String, usize>::new();
        others.into_iter().for_each(|(_, [_, lost])| *words.entry(lost).or_default() += 1);
        println!("what hostile submissions lost, and how many of them: {words:?}");
        honest.into_iter().collect()
    }

    /// How the games of each honest student end in a tournament, by side: the word, and who wins.
    fn results(&self) -> BTreeMap<String, [String; 2]> {
        self.judge(TOURNAMENT);
        let mut results = BTreeMap::<String, [String; 2]>::new();
        for end in ends(self.place.join("games.jsonl")) {
            let players = [0, 1].map(|side| end["players"][side].as_str().unwrap());
            let side = players.iter().position(|&name| name != "reference").unwrap();
            if players[side].ends_with("-honest") {
                results.entry(players[side].to_string()).or_default()[side] =
                    format!("{}, winner {}", end["termination"], end["winner"]);
            }
        }
        results
    }
}

fn student(place: &Path, name: &str, program: &str) {
    place.join("class").join(name).write("homework.py", program);
}

/// A submission whose own command names a program that no box can start: its interpreter is there,
/// but outside.
fn unstartable(place: &Path) {
    let interpreter = place.join("interpreter");
    fs::copy("/bin/sh", &interpreter).unwrap();
    student(place, "0-bad-unstartable", "");
    let folder = place.join("class/0-bad-unstartable");
    folder.write("command", "./play\n");
    folder.write("play", format!("#!{}\n", interpreter.display()));
    fs::set_permissions(folder.join("play"), fs::Permissions::from_mode(0o755)).unwrap();
}

/// CPU seconds of the children of this process that have ended.
fn spent() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // Of its children, in user and in kernel mode, in hundredths.
    [13, 14].into_iter().map(|field| fields[field].parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

#[test]
#[ignore = "long; needs namespaces"]
fn honest_students_get_among_hostile_ones_what_they_get_alone() {
    let _machine = alone();
    let python = python();
    let told = Command::new(env!("CARGO_BIN_EXE_judge")).arg("sandbox").output().unwrap();
    let told = text(&told.stdout);
    let starts =
        told.contains("Sandbox layers: namespaces") && !told.contains("CPU by what is waited for");
    assert!(starts, "--sandbox required refuses to start here: {told}");
    let alone = Class::new(&python, false);
    let (grades, results) = (alone.grades(), alone.results());
    assert!(
        grades.len() == 10 && grades.values().all(|got| *got == ["4", "1 draw by move limit"]),
        "{grades:?}"
    );
    let drawn = "\"draw by move limit\", winner null";
    assert!(results.len() == 10 && results.values().all(|got| *got == [drawn; 2]), "{results:?}");
    let (start, before) = (Instant::now(), spent());
    let mut together = Class::new(&python, true);
    assert_eq!(together.grades(), grades);
    println!("grading: {:.0} s, {:.0} s of CPU", start.elapsed().as_secs_f64(), spent() - before);
    assert_eq!(together.results(), results);
    let seconds = start.elapsed().as_secs_f64();
    println!("and tournament: {seconds:.0} s, {:.0} s of CPU", spent() - before);
    assert!(together.victim.try_wait().unwrap().is_none(), "a stranger's process was ended");
}
