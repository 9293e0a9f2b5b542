//! Tests of programs that cannot be started: whether the program or the machine is at fault decides
//! the game. Also tests of the consent that is needed to run programs as root without a sandbox.

use crate::common::{example, judge, judge_with_halma, layers, needs_namespaces, run, script};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;
use testing::{
    Folder, Words, assert_has, copy_program, ends, events, folder, needs, needs_root, text, wait,
};

/// Games of four plies, each player with two turns.
const SHORT: &str =
    "--each time=5 --wall-margin 20 --openings start --max-plies 4 --games 2 --interval 0";
/// Damage that a player does to its own program `play` after a good first move, and the expected
/// error.
const DEEDS: [(&str, &str); 5] = [
    ("rm play", "No such file"),
    ("chmod 000 play", "Permission denied"),
    ("rm play; mkdir play", "Permission denied"),
    ("rm play; ln -s play play", "os error 40"),
    ("echo '#!/no/such/interpreter' > new; chmod +x new; mv new play", "No such file"),
];

fn program(place: &Path, lines: &str) {
    fs::create_dir_all(place).unwrap();
    let path = place.join("play");
    fs::write(&path, format!("#!/bin/sh\n$1 --depth 1 --hash 1\n{lines}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The end of each game is a loss of this player by a crash, with these words.
#[track_caller]
fn assert_crash(ends: &[Value], player: &str, plies: impl Fn(&Value) -> bool, parts: &[&str]) {
    for end in ends {
        let reason = end["reason"].as_str().unwrap();
        assert_eq!(end["termination"], "crash", "{end:#}");
        let loser = end["fault"]["player"].as_u64().unwrap() as usize;
        assert_eq!(end["players"][loser], player, "{end:#}");
        assert!(plies(&end["plies"]), "{end:#}");
        parts.iter().for_each(|part| assert!(reason.contains(part), "{part}: {end:#}"));
    }
}

#[test]
fn a_player_that_breaks_its_own_program_loses_its_games_alone() {
    let place = folder();
    let place = &*place;
    for (number, (deed, _)) in DEEDS.iter().enumerate() {
        program(&place.join(format!("class/bad-{number}")), deed);
    }
    for name in ["ann", "bob", "cid"] {
        program(&place.join("class").join(name), "");
    }
    let command = format!("./play {}", example("agent"));
    let tournament = format!(
        "tournament --game halma --from class --concurrency 2 --record games.jsonl {SHORT} --cmd '{command}'"
    );
    run(place, &tournament, 0);
    let ends = ends(place.join("games.jsonl"));
    assert_eq!(ends.len(), 8 * 7);
    for end in &ends {
        let players = [0, 1].map(|side| end["players"][side].as_str().unwrap());
        let bad: Vec<&str> = players.into_iter().filter(|name| name.starts_with("bad")).collect();
        match bad[..] {
            [] => assert_eq!(end["termination"], "draw by move limit", "{end:#}"),
            // The first of two bad ones is the first that is asked again.
            _ => {
                let loser = players[end["fault"]["player"].as_u64().unwrap() as usize];
                let (_, part) =
                    DEEDS[loser.strip_prefix("bad-").unwrap().parse::<usize>().unwrap()];
                let parts = [
                    "its program cannot be started: ./play",
                    part,
                    "it could be started before",
                    "its directory holds",
                ];
                assert_crash(
                    std::slice::from_ref(end),
                    loser,
                    |plies| *plies == 2 || *plies == 3,
                    &parts,
                );
            }
        }
    }
    // And so in gradings: the position is answered, the second move of the game is not.
    place.write(
        "scheme.toml",
        "game = \"halma\"\nmax-plies = 4\n[[positions]]\ncount = 1\nclock = 5\n\
         [[games]]\ncount = 1\nclock = 20\nreference = \"random\"\npoints = 4\ndraw = 0.5\n",
    );
    let grade =
        "grade-all --game halma class --scheme scheme.toml --csv grades.csv --wall-margin 20 --cmd";
    run(place, &format!("{grade} '{command}'"), 0);
    let mut grades = csv::Reader::from_path(place.join("grades.csv")).unwrap();
    let mut lines = 0;
    for line in grades.records().map(Result::unwrap) {
        let (points, lost) = if line[0].starts_with("bad-") {
            ("1", "1 crash")
        } else {
            ("3", "1 draw by move limit")
        };
        assert_eq!((&line[1], &line[4]), (points, lost), "{line:?}");
        lines += 1;
    }
    assert_eq!(lines, 8);
    let grade = "grade --game halma --scheme scheme.toml --wall-margin 20 --engine dir=class/bad-0";
    let report = run(place, &format!("{grade} 'cmd={command}'"), 0).stdout;
    assert_has(&report, ["its program cannot be started: ./play"]);
}

#[test]
fn a_program_of_a_monitor_s_player_that_cannot_be_started_is_its_own_fault() {
    let place = folder();
    let home = place.join("home");
    // The interpreter is there, but in no box.
    let interpreter = place.join("interpreter");
    fs::copy("/bin/sh", &interpreter).unwrap();
    fs::create_dir(&home).unwrap();
    home.write("play", format!("#!{}\n", interpreter.display()));
    fs::set_permissions(home.join("play"), fs::Permissions::from_mode(0o755)).unwrap();
    let words = format!(
        "match --game foxgame --openings start --games 2 --record record --each st=5 --interval 0 --engine name=bad \
         proto=monitor cmd=./play 'dir={}' --engine engine=reference:random",
        home.display()
    );
    run(&place, &words, 0);
    let ends = ends(place.join("record"));
    // Where neither namespaces nor Landlock keep the interpreter from it, the program ends without
    // a word.
    let part = if ["namespaces", "Landlock"].into_iter().any(|layer| layers().contains(layer)) {
        "cannot be started: ./play"
    } else {
        "without connecting"
    };
    assert_crash(&ends, "bad", |plies| *plies == 0 || *plies == 1, &[part]);
}

#[test]
fn a_program_that_never_could_be_started_stops_the_run() {
    let place = folder();
    let place = &*place;
    program(place, "");
    let play = place.join("play");
    let command = format!("{} {}", play.display(), example("agent"));
    let matched = |options: &str| {
        let words = format!(
            "match --game halma --engine name=bad 'cmd={command}' --engine engine=reference:greedy {SHORT} {options}"
        );
        run(place, &words, 2).stderr
    };
    let mode = |mode| fs::set_permissions(&play, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    let told = matched("--record none");
    assert_has(&told, ["engine 'bad': cmd: ", "may not be executed, its mode is 644"]);
    assert!(!place.join("none").exists(), "nothing is begun");
    // Its interpreter is there, but nobody may execute a directory.
    mode(0o755);
    let script = fs::read(&play).unwrap();
    fs::write(&play, "#!/usr\n").unwrap();
    let told = matched("--record record");
    assert_has(
        &told,
        [
            "game 1, engine 'bad': ",
            "Permission denied",
            "see that the command names a program that can be executed",
        ],
    );
    assert!(ends(place.join("record")).is_empty());
    // The command for a whole class is nobody's fault in it.
    for name in ["ann", "bob"] {
        program(&place.join("class").join(name), "");
    }
    let grade = "grade-all --game halma class --singles 2 --games 0 --csv grades.csv --cmd";
    let grade = format!("{grade} '{command}'");
    let told = run(place, &grade, 2).stderr;
    assert_has(&told, ["Permission denied", "--resume continues it"]);
    fs::write(&play, script).unwrap();
    run(place, &format!("{grade} --resume"), 0);
    let grades = place.read("grades.csv");
    assert_eq!(grades.matches(",2,2,").count(), 2, "{grades}");
}

/// A limit on descriptors that leaves a process two of them, those of its sockets not counted: it
/// can write a file, and start no supervisor.
fn two_descriptors(process: u32) -> u64 {
    let mut taken = Vec::new();
    for entry in fs::read_dir(format!("/proc/{process}/fd")).unwrap().flatten() {
        let is_socket = fs::read_link(entry.path())
            .is_ok_and(|link| link.to_string_lossy().starts_with("socket:"));
        if !is_socket {
            taken.push(entry.file_name().to_str().unwrap().parse::<u64>().unwrap());
        }
    }
    let second = (0..).filter(|number| !taken.contains(number)).nth(1).unwrap();
    second + 1
}

/// A judge that can open too few files to start anybody, for a while or for good: nothing of that
/// is held against a player.
fn starved(for_good: bool) {
    let place = folder();
    let player = script(&place, "player", "PLAY; sleep 0.5");
    let words = format!(
        "match --game halma --record record --engine name=ann '{player}' --engine engine=reference:greedy {SHORT}"
    );
    let mut running = judge(&place)
        .args(words.words())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let record = place.join("record");
    wait("a move", || {
        fs::read_to_string(&record).is_ok_and(|text| text.contains("\"event\":\"move\""))
    });
    let limit = |most: &str| {
        let process = running.id().to_string();
        let limited = Command::new("prlimit")
            .args(["--pid", &process, &format!("--nofile={most}:")])
            .status();
        assert!(limited.expect("prlimit of util-linux").success());
    };
    limit(&two_descriptors(running.id()).to_string());
    if !for_good {
        sleep(Duration::from_millis(1200));
        limit("1024");
    }
    let code = running.wait().unwrap().code();
    let mut told = String::new();
    std::io::Read::read_to_string(&mut running.stderr.take().unwrap(), &mut told).unwrap();
    let faults = || events(&record).into_iter().filter(|event| !event["fault"].is_null()).count();
    assert_eq!(faults(), 0, "{told}");
    if for_good {
        assert_eq!(code, Some(2), "{told}");
        assert!(
            told.contains("no fault of the player's") || told.contains("directory is lost"),
            "{told}"
        );
        run(&place, "tournament --resume record", 0);
    } else {
        assert_eq!(code, Some(0), "{told}");
    }
    let ends = ends(&record);
    assert_eq!((ends.len(), faults()), (2, 0));
    ends.iter().for_each(|end| assert_eq!(end["termination"], "draw by move limit", "{end:#}"));
}

#[test]
fn a_machine_that_starts_nobody_for_a_while_is_waited_for() {
    starved(false);
}

#[test]
fn a_machine_that_starts_nobody_stops_the_run_and_costs_no_player_anything() {
    starved(true);
}

#[test]
fn without_a_sandbox_a_program_that_was_started_before_is_its_player_s_own_affair() {
    let place = folder();
    let place = &*place;
    program(place, "rm \"$0\"");
    let words = format!(
        "match --game halma --sandbox off --yes-unsafe --record record --engine name=bad 'cmd={}/play {}' --engine \
         name=good engine=reference:greedy {SHORT}",
        place.display(),
        example("agent")
    );
    run(place, &words, 0);
    let record = place.join("record");
    let both = ends(&record);
    assert_crash(&both, "bad", |_| true, &["cannot be started", "could be started before"]);
    assert_eq!(both.len(), 2);
    // A run that goes on knows it from the record.
    let text = fs::read_to_string(&record).unwrap();
    let first = text.find("\"event\":\"end\"").unwrap();
    let kept = &text[..first + text[first..].find('\n').unwrap() + 1];
    fs::write(&record, kept).unwrap();
    run(place, "tournament --resume record --yes-unsafe", 0);
    assert_crash(&ends(&record), "bad", |_| true, &["cannot be started"]);
}

/// Programs that may be executed and not read end the counter of CPU time when they are executed.
#[test]
#[ignore = "needs root and namespaces"]
fn a_program_that_nobody_may_read_is_charged_when_it_is_copied() {
    needs_root();
    needs_namespaces();
    needs("/usr/bin/python3");
    let place = folder();
    let home = place.join("home");
    fs::create_dir(&home).unwrap();
    copy_program("/usr/bin/python3", &home.join("p"));
    fs::set_permissions(home.join("p"), fs::Permissions::from_mode(0o111)).unwrap();
    let code = "import os, signal, subprocess, sys, time\n\
                subprocess.run([sys.argv[1], '--depth', '1', '--hash', '1'], check=True)\n\
                signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n\
                if os.fork() == 0:\n    while time.process_time() < 1.5: pass\n    os._exit(0)\n\
                try: os.wait()\nexcept OSError: pass\n";
    home.write("homework.py", code);
    let words = format!(
        "match --game halma --record record --engine name=bad 'cmd=./p homework.py {}' 'dir={}' --engine name=good \
         engine=reference:greedy {}",
        example("agent"),
        home.display(),
        SHORT.replace("time=5", "time=0.7")
    );
    run(&place, &words, 0);
    for end in ends(place.join("record")) {
        assert_eq!(end["termination"], "time forfeit", "{end:#}");
        assert!(end["fault"]["cpu"].as_f64().unwrap() > 0.7, "{end:#}");
    }
}

#[test]
#[ignore = "needs root"]
fn root_is_asked_before_programs_are_started_without_a_sandbox() {
    needs_root();
    let place = folder();
    let place = &*place;
    program(&place.join("class/ann"), "");
    program(&place.join("class/bob"), "");
    place.make("cases/one");
    for file in ["input.txt", "output.txt"] {
        fs::write(place.join("cases/one").join(file), "x\n").unwrap();
    }
    let engine = format!("--engine name=ann cmd='./play {0}' dir=class/ann", example("agent"));
    let other = format!("--engine name=bob cmd='./play {0}' dir=class/bob", example("agent"));
    let short = "--max-plies 2 --games 2 --openings start --interval 0";
    let commands = [
        format!("match --game halma {engine} {other} {short} --record r1"),
        format!("tournament --game halma {engine} {other} {short} --record r2"),
        format!(
            "tournament --game halma --from class --cmd './play {}' {short} --record r3",
            example("agent")
        ),
        format!("grade --game halma {engine} --singles 1 --games 0 --record r4"),
        format!(
            "grade-all --game halma class --cmd './play {}' --singles 1 --games 0 --record r5",
            example("agent")
        ),
        format!("grade-cases cases --game halma {engine} --fail-under 0"),
    ];
    for (number, command) in commands.iter().enumerate() {
        let line = format!("{command} --sandbox off");
        let told = run(place, &line, 2).stderr;
        assert_eq!(told.lines().count(), 1, "{command}: {told}");
        assert_has(
            &told,
            [
                "the judge is root",
                "delete every file, end every process and use the network",
                "--yes-unsafe",
            ],
        );
        assert!(!place.join(format!("r{}", number + 1)).exists(), "{command}: nothing is begun");
        let told = run(place, &format!("{line} --yes-unsafe"), 0).stderr;
        assert_has(&told, ["warning: --sandbox off", "delete every file"]);
    }
    // A record is asked again, and no file can agree.
    let told = run(place, "tournament --resume r1", 2).stderr;
    assert_has(&told, ["--yes-unsafe"]);
    place.write("t.toml", "game = \"halma\"\nyes-unsafe = true\n");
    assert_has(&run(place, "tournament --config t.toml", 2).stderr, ["unknown field"]);
    // Agents of our own, and players inside the judge, need no agreement.
    let own = judge_with_halma(place);
    let line = format!(
        "match --game halma --engine engine=halma args='--depth 1' --engine engine=reference:random {short} --sandbox off"
    );
    let output = Command::new(own).current_dir(place).args(line.words()).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// The search for an output file that a program did not leave runs the program in the sandbox.
#[test]
#[ignore = "needs root and namespaces"]
fn a_silent_program_is_run_again_behind_the_same_layers() {
    // An ordinary user may run a program of its own without a sandbox.
    needs_root();
    needs_namespaces();
    needs("python3");
    let place = folder();
    let place = &*place;
    place.make("classwork/ann");
    let canary = place.join("canary");
    fs::create_dir(&canary).unwrap();
    fs::set_permissions(&canary, fs::Permissions::from_mode(0o777)).unwrap();
    let code = format!("try: open('{}/word', 'w')\nexcept OSError: pass\n", canary.display());
    place.write("classwork/ann/homework.py", &code);
    run(place, "intake classwork --game halma --out class", 1);
    let toml = place.read("class/ann/submission.toml");
    assert_has(&toml, ["no output"]);
    let told = run(place, "try --game halma --cmd 'python3 classwork/ann/homework.py'", 1).stdout;
    assert_has(&told, ["no output"]);
    assert!(!canary.join("word").exists(), "it was run without a sandbox");
    run(place, "try --game halma --yes-unsafe --cmd 'python3 classwork/ann/homework.py'", 1);
    assert!(
        canary.join("word").exists(),
        "it was not run without a sandbox, though somebody has agreed"
    );
}
