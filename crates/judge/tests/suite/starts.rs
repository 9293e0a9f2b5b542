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
use testing::gradings::grades;
use testing::{Folder, Words, copy, ends, events, folder, needs, needs_root, text, wait};

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
    place.write_script("play", &format!("$1 --depth 1 --hash 1\n{lines}\n"));
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A game is lost by this player by a crash, with these words.
#[track_caller]
fn assert_crash(end: &Value, player: &str, parts: &[&str]) {
    assert_eq!(end["termination"], "crash", "{end:#}");
    let loser = end["fault"]["player"].as_u64().unwrap() as usize;
    assert_eq!(end["players"][loser], player, "{end:#}");
    let reason = end["reason"].as_str().unwrap();
    parts.iter().for_each(|part| assert!(reason.contains(part), "{part}: {end:#}"));
}

#[test]
fn a_player_that_breaks_its_own_program_loses_its_games_alone() {
    let place = folder();
    for (number, (deed, _)) in DEEDS.iter().enumerate() {
        program(&place.join(format!("class/bad-{number}")), deed);
    }
    program(&place.join("class/ann"), "");
    let command = format!("./play {}", example("agent"));
    let tournament = format!(
        "tournament --seed 1 --game halma --shape gauntlet --engine engine=reference:greedy name=good --from class \
         --concurrency 2 --record games.jsonl {SHORT} --cmd '{command}'"
    );
    run(&place, &tournament, 0);
    let ends = ends(place.join("games.jsonl"));
    assert_eq!(ends.len(), 6 * 2);
    for end in &ends {
        let players = [0, 1].map(|side| end["players"][side].as_str().unwrap());
        let bad = players.into_iter().find_map(|name| Some((name, name.strip_prefix("bad-")?)));
        let Some((name, number)) = bad else {
            assert_eq!(end["termination"], "draw by move limit", "{end:#}");
            continue;
        };
        let (_, part) = DEEDS[number.parse::<usize>().unwrap()];
        let begin = "its program cannot be started: ./play";
        let parts = [begin, part, "it could be started before", "its directory holds"];
        assert_crash(end, name, &parts);
        assert!(end["plies"] == 2 || end["plies"] == 3, "{end:#}");
    }
    // And so in gradings: the position is answered, the second move of the game is not.
    place.write(
        "scheme.toml",
        "game = \"halma\"\nmax-plies = 4\n[[positions]]\ncount = 1\nclock = 5\n\
         [[games]]\ncount = 1\nclock = 20\nreference = \"random\"\npoints = 4\ndraw = 0.5\n",
    );
    let terms = "--game halma --scheme scheme.toml --wall-margin 20";
    run(&place, &format!("grade-all class {terms} --csv grades.csv --cmd '{command}'"), 0);
    let grades = grades(&place);
    for (name, fields) in &grades {
        let bad = name.starts_with("bad-");
        let expected = if bad { ["1", "1 crash"] } else { ["3", "1 draw by move limit"] };
        assert_eq!([&fields[0], &fields[2]], expected, "{name}");
    }
    assert_eq!(grades.len(), 6);
    let grade = format!("grade {terms} --engine dir=class/bad-0 'cmd={command}'");
    run(&place, &grade, 0).has(["its program cannot be started: ./play"]);
}

#[test]
fn a_program_of_a_monitor_s_player_that_cannot_be_started_is_its_own_fault() {
    let place = folder();
    // The interpreter is there, but in no box.
    let interpreter = place.join("interpreter");
    copy("/bin/sh", &interpreter);
    place.write("home/play", format!("#!{}\n", interpreter.display()));
    set_mode(&place.join("home/play"), 0o755);
    let words = format!(
        "match --seed 1 --game foxgame --openings start --games 2 --record record --each st=5 --interval 0 --engine name=bad \
         proto=monitor cmd=./play 'dir={}/home' --engine engine=reference:random",
        place.display()
    );
    run(&place, &words, 0);
    // Where neither namespaces nor Landlock keep the interpreter from it, the program ends without
    // a word.
    let has_layer = ["namespaces", "Landlock"].into_iter().any(|layer| layers().contains(layer));
    let part = if has_layer { "cannot be started: ./play" } else { "without connecting" };
    for end in ends(place.join("record")) {
        assert_crash(&end, "bad", &[part]);
        assert!(end["plies"] == 0 || end["plies"] == 1, "{end:#}");
    }
}

#[test]
fn a_program_that_never_could_be_started_stops_the_run() {
    let place = folder();
    program(&place, "");
    let play = place.join("play");
    let command = format!("{} {}", play.display(), example("agent"));
    let matched = |options: &str| {
        let words = format!(
            "match --seed 1 --game halma --engine name=bad 'cmd={command}' --engine engine=reference:greedy {SHORT} {options}"
        );
        run(&place, &words, 2)
    };
    set_mode(&play, 0o644);
    let said = ["engine 'bad': cmd: ", "may not be executed, its mode is 644"];
    matched("--record none").has(said);
    assert!(!place.join("none").exists(), "nothing is begun");
    // Its interpreter is there, but nobody may execute a directory.
    set_mode(&play, 0o755);
    let script = place.read("play");
    place.write("play", "#!/usr\n");
    matched("--record record").has([
        "game 1, engine 'bad': ",
        "Permission denied",
        "see that the command names a program that can be executed",
    ]);
    assert!(ends(place.join("record")).is_empty());
    // The command for a whole class is nobody's fault in it.
    for name in ["ann", "bob"] {
        program(&place.join("class").join(name), "");
    }
    let grade = format!(
        "grade-all --game halma class --singles 2 --games 0 --csv grades.csv --cmd '{command}'"
    );
    run(&place, &grade, 2).has(["Permission denied", "--resume continues it"]);
    place.write("play", script);
    run(&place, &format!("{grade} --resume"), 0);
    assert_eq!(place.read("grades.csv").matches(",2,2,").count(), 2);
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
        "match --seed 1 --game halma --record record --engine name=ann '{player}' --engine engine=reference:greedy {SHORT}"
    );
    let mut judge = judge(&place);
    judge.args(words.words()).stdout(Stdio::null()).stderr(Stdio::piped());
    let running = judge.spawn().unwrap();
    let record = place.join("record");
    wait("a move", || {
        fs::read_to_string(&record).is_ok_and(|text| text.contains("\"event\":\"move\""))
    });
    let limit = |most: u64| {
        let words = [format!("--pid={}", running.id()), format!("--nofile={most}:")];
        let limited = Command::new("prlimit").args(words).status();
        assert!(limited.expect("prlimit of util-linux").success());
    };
    limit(two_descriptors(running.id()));
    if !for_good {
        // The turn that was begun takes half a second, and the judge tries three seconds more.
        sleep(Duration::from_secs(1));
        limit(1024);
    }
    let output = running.wait_with_output().unwrap();
    let told = text(&output.stderr);
    let faults = || events(&record).into_iter().filter(|event| !event["fault"].is_null()).count();
    assert_eq!((faults(), output.status.code()), (0, Some(if for_good { 2 } else { 0 })), "{told}");
    if for_good {
        let of_the_machine = ["no fault of the player's", "directory is lost"];
        assert!(of_the_machine.iter().any(|words| told.contains(words)), "{told}");
        run(&place, "tournament --resume record", 0);
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
    program(&place, "rm \"$0\"");
    let words = format!(
        "match --seed 1 --game halma --sandbox off --yes-unsafe --record record --engine name=bad 'cmd={}/play {}' --engine \
         name=good engine=reference:greedy {SHORT}",
        place.display(),
        example("agent")
    );
    run(&place, &words, 0);
    let record = place.join("record");
    let both = ends(&record);
    assert_eq!(both.len(), 2);
    let parts = ["cannot be started", "could be started before"];
    both.iter().for_each(|end| assert_crash(end, "bad", &parts));
    // A run that goes on knows it from the record.
    let text = fs::read_to_string(&record).unwrap();
    let first = text.find("\"event\":\"end\"").unwrap();
    let kept = &text[..first + text[first..].find('\n').unwrap() + 1];
    fs::write(&record, kept).unwrap();
    run(&place, "tournament --resume record --yes-unsafe", 0);
    ends(&record).iter().for_each(|end| assert_crash(end, "bad", &parts[..1]));
}

#[test]
#[ignore = "needs root"]
fn root_is_asked_before_programs_are_started_without_a_sandbox() {
    needs_root();
    let place = folder();
    program(&place.join("class/ann"), "");
    program(&place.join("class/bob"), "");
    place.write("cases/one/input.txt", "x\n");
    place.write("cases/one/output.txt", "x\n");
    let command = format!("'./play {}'", example("agent"));
    let player = |name: &str| format!("--engine name={name} cmd={command} dir=class/{name}");
    let (ann, bob) = (player("ann"), player("bob"));
    let short = "--max-plies 2 --games 2 --openings start --interval 0";
    let tests = "--singles 1 --games 0";
    let commands = [
        format!("match --seed 1 --game halma {ann} {bob} {short} --record r1"),
        format!("tournament --seed 1 --game halma {ann} {bob} {short} --record r2"),
        format!(
            "tournament --seed 1 --game halma --from class --cmd {command} {short} --record r3"
        ),
        format!("grade --game halma {ann} {tests} --record r4"),
        format!("grade-all --game halma class --cmd {command} {tests} --record r5"),
        format!("grade-cases cases --game halma {ann} --fail-under 0"),
    ];
    for (command, number) in commands.iter().zip(1..) {
        let line = format!("{command} --sandbox off");
        let told = run(&place, &line, 2).has([
            "the judge is root",
            "delete every file, end every process and use the network",
            "--yes-unsafe",
        ]);
        assert_eq!(told.stderr.lines().count(), 1, "{command}: {told:?}");
        assert!(!place.join(format!("r{number}")).exists(), "{command}: nothing is begun");
        let told = ["warning: --sandbox off", "delete every file"];
        run(&place, &format!("{line} --yes-unsafe"), 0).has(told);
    }
    // A record is asked again, and no file can agree.
    run(&place, "tournament --resume r1", 2).has(["--yes-unsafe"]);
    place.write("t.toml", "game = \"halma\"\nyes-unsafe = true\n");
    run(&place, "tournament --config t.toml", 2).has(["unknown field"]);
    // Agents of our own, and players inside the judge, need no agreement.
    let line = format!(
        "match --seed 1 --game halma --engine engine=halma args='--depth 1' --engine engine=reference:random {short} --sandbox off"
    );
    testing::run(Command::new(judge_with_halma(&place)).current_dir(&place), &line, 0);
}

/// The search for an output file that a program did not leave runs the program in the sandbox.
#[test]
#[ignore = "needs namespaces"]
fn a_silent_program_is_run_again_behind_the_same_layers() {
    needs_namespaces();
    needs("python3");
    let place = folder();
    place.make("canary");
    set_mode(&place.join("canary"), 0o777);
    let word = place.join("canary/word");
    let code = format!("try: open({word:?}, 'w')\nexcept OSError: pass\n");
    place.write("classwork/ann/homework.py", &code);
    run(&place, "intake classwork --game halma --out class", 1);
    testing::assert_has(place.read("class/ann/submission.toml"), ["no output"]);
    let attempt = "try --game halma --cmd 'python3 classwork/ann/homework.py'";
    run(&place, attempt, 1).has(["no output"]);
    assert!(!word.exists(), "it was run without a sandbox");
}
