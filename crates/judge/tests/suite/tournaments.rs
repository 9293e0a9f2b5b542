//! Tests that a tournament has the same result in one run, interrupted, killed, and in parts.

use crate::common::{example, interrupt_twice, judge, processes_with, run, script};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use testing::{Folder, assert_has, ends, events, folder, text, wait};

/// Late positions of Halma, so that short games have winners.
fn late_openings() -> String {
    format!("dir:{}/tests/late", env!("CARGO_MANIFEST_DIR"))
}

/// Three players whose play hangs on nodes and seeds alone.
fn words(record: &str) -> Vec<String> {
    let agent = example("agent");
    let mut words: Vec<String> =
        "tournament --game halma --games 6 --max-plies 60 --seed 5 --interval 0 --concurrency 2"
            .split(' ')
            .map(String::from)
            .collect();
    for player in [
        vec!["name=hundred".to_string(), format!("cmd={agent} --nodes 100")],
        vec!["name=thousand".to_string(), format!("cmd={agent} --nodes 1000")],
        vec!["name=chance".to_string(), "engine=reference:random".to_string()],
    ] {
        words.push("--engine".to_string());
        words.extend(player);
    }
    words.extend(
        ["--each", "time=1000", "--wall-margin", "600", "--record", record].map(String::from),
    );
    words.extend(["--openings".to_string(), late_openings()]);
    words
}

fn play(place: &Path, words: &[String], code: i32) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    run(place, &words, code).stdout
}

/// The rating table at the end of a run's output.
fn table(output: &str) -> String {
    output[output.rfind("Rank ").unwrap()..].to_string()
}

/// The results without their times.
fn results(record: &Path) -> Vec<String> {
    let result = |end: &serde_json::Value| {
        format!(
            "{} {} {} {} {}",
            end["game"], end["players"], end["winner"], end["termination"], end["plies"]
        )
    };
    ends(record).iter().map(result).collect()
}

fn start(place: &Path, words: &[String]) -> Child {
    judge(place).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_for_ends(record: &Path, count: usize) {
    let read = || fs::read_to_string(record).unwrap_or_default();
    wait("games", || read().matches("\"event\":\"end\"").count() >= count);
}

fn signal(child: &Child, signal: &str) {
    assert!(
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success()
    );
}

#[test]
fn a_tournament_that_is_killed_and_resumed_has_the_table_of_one_that_was_not() {
    let place = folder();
    let place = &*place;
    let whole = table(&play(place, &words("whole"), 0));
    let record = place.join("killed");
    let scratch = place.join("scratch");
    fs::create_dir(&scratch).unwrap();
    for count in [3, 9] {
        let words = if count == 3 {
            words("killed")
        } else {
            ["tournament", "--resume", "killed", "--concurrency", "2"].map(String::from).to_vec()
        };
        let mut child =
            judge(place).args(words).env("TMPDIR", &scratch).stdout(Stdio::null()).spawn().unwrap();
        wait_for_ends(&record, count);
        signal(&child, "-KILL");
        child.wait().unwrap();
        // As if the machine had gone down in mid-write.
        let text = fs::read_to_string(&record).unwrap();
        fs::write(&record, text.trim_end().strip_suffix('}').unwrap()).unwrap();
    }
    let output = judge(place)
        .args(["tournament", "--resume", "killed"])
        .env("TMPDIR", &scratch)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(table(&text(&output.stdout)), whole);
    assert_eq!(results(&place.join("whole")).len(), 18);
    let shown = run(place, "table killed", 0);
    assert_eq!(table(&shown.stdout), whole);
    assert!(scratch.entries().is_empty(), "the directories of killed runs are removed by the next");
}

#[test]
fn four_shards_merged_have_the_table_of_one_run() {
    let place = folder();
    let place = &*place;
    let whole = table(&play(place, &words("whole"), 0));
    let parts: Vec<String> = (1..=4).map(|part| format!("part-{part}")).collect();
    for (index, part) in parts.iter().enumerate() {
        let mut words = words(part);
        words.extend(["--shard".to_string(), format!("{}/4", index + 1)]);
        play(place, &words, 0);
    }
    let mut words = vec!["merge"];
    words.extend(parts.iter().map(String::as_str));
    words.extend(["--output", "merged"]);
    assert_eq!(table(&run(place, &words, 0).stdout), whole);
    assert_eq!(results(&place.join("merged")), results(&place.join("whole")));
    assert_eq!(table(&run(place, "table merged", 0).stdout), whole);
    // A part that is missing is said so; a part of another tournament is refused.
    let output = run(place, "merge part-1 part-3", 0);
    assert_has(output.stderr, ["games are missing"]);
    let other = place.read("part-1").replacen("\"seed\":5", "\"seed\":6", 1);
    place.write("other", other);
    let output = run(place, "merge part-1 other", 2);
    assert_has(output.stderr, ["another tournament"]);
}

#[test]
fn one_interrupt_finishes_the_running_games_and_the_rest_can_be_resumed() {
    let place = folder();
    let place = &*place;
    let whole = table(&play(place, &words("whole"), 0));
    let child = start(place, &words("record"));
    wait_for_ends(&place.join("record"), 2);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_has(text(&output.stderr), ["--resume record"]);
    let events = events(place.join("record"));
    let count = |word: &str| events.iter().filter(|event| event["event"] == word).count();
    assert!(count("start") < 18);
    assert_eq!(count("start"), count("end"), "running games are finished");
    let resumed = run(place, "tournament --resume record", 0).stdout;
    assert_eq!(table(&resumed), whole);
}

#[test]
fn two_interrupts_stop_at_once_and_leave_nothing_running() {
    let place = folder();
    let scratch = place.join("scratch");
    fs::create_dir(&scratch).unwrap();
    let player = script(&place, "player", "sleep 98711");
    let mut child = judge(&place)
        .args([
            "match",
            "--game",
            "halma",
            "--engine",
            "name=slow",
            &player,
            "--engine",
            "engine=reference:random",
        ])
        .args(["--record", "record", "--each", "time=1000"])
        .env("TMPDIR", &scratch)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait("the player", || processes_with("sleep 98711") > 0);
    interrupt_twice(&mut child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait("the end of the player", || processes_with("sleep 98711") == 0);
    assert!(scratch.entries().is_empty());
}

#[test]
fn a_record_is_not_written_over() {
    let place = folder();
    place.write("record", "precious");
    let words = words("record");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let output = run(&place, &words, 2);
    assert_has(output.stderr, ["record: the file exists: judge tournament --resume record"]);
    assert_eq!(place.read("record"), "precious");
    let none = "bad: expected a record of games, as --record FILE";
    for (content, part) in [
        ("", none),
        ("precious\n", none),
        ("{\"event\":\"end\"}\n", "bad: line 1: expected the header"),
    ] {
        place.write("bad", content);
        let output = run(&place, "tournament --resume bad", 2);
        assert_has(output.stderr, [part]);
    }
}

#[test]
fn a_file_of_engines_is_read_with_a_mark_and_errors_have_their_line() {
    let place = folder();
    let toml = "game = \"halma\"\ngames = 2\nmax-plies = 6\nopenings = \"random:2\"\nshape = \"gauntlet\"\n\
        [each]\ntime = 9\n\
        [[engine]]\nname = \"a\"\nengine = \"reference:greedy\"\n[[engine]]\nname = \"b\"\nengine = \"reference:random\"\n\
        [[engine]]\nname = \"c\"\nengine = \"reference:alphabeta:2\"\nst = 1.5\n";
    // Some editors begin every text with a byte-order mark.
    let files = [("class.toml", toml), ("marked.toml", &format!("\u{feff}{toml}"))];
    for (name, content) in files {
        place.write(name, content);
        run(&place, &["tournament", "--config", name, "--record", &format!("{name}.record")], 0);
    }
    let [one, other] = files.map(|(name, _)| place.join(format!("{name}.record")));
    assert_eq!(events(&one)[0], events(&other)[0]);
    assert_eq!(results(&one), results(&other));
    let refused = run(&place, "tournament --config class.json", 2).stderr;
    assert!(refused.starts_with("class.json: tournament files are TOML"), "{refused}");
    assert_eq!(
        results(&place.join("class.toml.record")).len(),
        4,
        "the first meets each other one twice"
    );
    place.write("bad.toml", toml.replace("st = 1.5", "speed = 9"));
    let output = run(&place, "tournament --config bad.toml", 2);
    assert!(output.stderr.starts_with("bad.toml:17: unknown field `speed`"), "{}", output.stderr);
}

#[test]
fn the_export_has_the_tags_that_rating_tools_read() {
    let place = folder();
    let mut words = words("record");
    words.extend(["--pgn", "games.pgn", "--games", "2"].map(String::from));
    let at = words.iter().position(|word| word == "--games").unwrap();
    words.drain(at..at + 2);
    play(&place, &words, 0);
    let pgn = place.read("games.pgn");
    let tags =
        |name: &str| pgn.lines().filter(|line| line.starts_with(&format!("[{name} \""))).count();
    for name in ["Event", "White", "Black", "Result", "Round", "Termination"] {
        assert_eq!(tags(name), 6, "{name}\n{pgn}");
    }
    for pair in pgn.split("[Event").skip(1).collect::<Vec<_>>().chunks(2) {
        let player = |game: &str, tag: &str| {
            game.lines().find(|line| line.starts_with(tag)).unwrap()[7..].to_string()
        };
        assert_eq!(
            player(pair[0], "[White "),
            player(pair[1], "[Black "),
            "sides are swapped within a pair"
        );
    }
    run(&place, "table record --pgn again.pgn", 0);
    assert_eq!(place.read("again.pgn"), pgn);
}

#[test]
fn a_sequential_test_stops_with_its_verdict() {
    let place = folder();
    let words = format!(
        "match --game halma --games 100 --max-plies 60 --engine name=one engine=reference:alphabeta:2 --engine name=two \
         engine=reference:random --sprt elo0=0 elo1=100 model=logistic --record record --openings {}",
        late_openings()
    );
    let words: Vec<&str> = words.split_whitespace().collect();
    let output = run(&place, &words, 0).stdout;
    assert_has(&output, ["H1 accepted: the difference is 100 Elo or more"]);
    assert!(results(&place.join("record")).len() < 100);
}

#[test]
fn a_tournament_file_sets_the_box_of_its_players() {
    let place = folder();
    let place = &*place;
    let data = place.join("data");
    fs::create_dir(&data).unwrap();
    data.write("word", "open");
    let player = script(place, "player", "echo \"$WORD $(cat $DATA/word) $(ulimit -u)\" >&2; PLAY");
    let config = |settings: &str| {
        let command = player.strip_prefix("cmd=").unwrap();
        let text = format!(
            "game = \"halma\"\ngames = 2\nmax-plies = 2\nopenings = \"start\"\n{settings}\n[each]\ntime = 5\n\
             [[engine]]\nname = \"mine\"\ncmd = \"{command}\"\n[[engine]]\nengine = \"reference:greedy\"\n"
        );
        place.write("class.toml", text);
    };
    let data = data.display();
    let limits = "memory = 512\ndisk = 8\nprocesses = 77\nsandbox = \"auto\"";
    config(&format!("{limits}\nread-only = [\"{data}\"]\nenv = [\"WORD=told\", \"DATA={data}\"]"));
    run(place, "tournament --config class.toml --record games", 0);
    let lines = events(place.join("games"));
    let bounds = &lines[0]["bounds"];
    assert_eq!([&bounds["memory_mib"], &bounds["disk_mib"], &bounds["processes"]], [512, 8, 77]);
    let said =
        lines.iter().find(|event| event["event"] == "move" && event["stderr"] != "").unwrap();
    assert!(said["stderr"].as_str().unwrap().contains("told open"), "{said:#}");
    for (wrong, said) in [
        ("sandbox = \"some\"", "class.toml:5"),
        ("read-only = [\"/not/there\"]", "/not/there"),
        ("env = [\"=x\"]", "expected NAME or NAME=VALUE"),
        ("memory = \"much\"", "class.toml:5"),
    ] {
        config(wrong);
        let output = run(place, "tournament --config class.toml --record none", 2);
        assert!(output.stderr.contains(said), "{wrong}: {}", output.stderr);
        assert!(!place.join("none").exists());
    }
}
