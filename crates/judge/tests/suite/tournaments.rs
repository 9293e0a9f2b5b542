//! Tests that a tournament has the same result in one run, interrupted, killed, and in parts.

use crate::common::{example, interrupt_twice, judge, processes_with, run, script};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use testing::{Folder, Words, assert_has, ends, events, folder, repository, text, wait};

/// Late positions of Halma, so that short games have winners.
fn late_openings() -> String {
    format!("dir:{}", repository("crates/judge/tests/late").display())
}

/// A tournament of three players whose play hangs on nodes and seeds alone.
fn words(record: &str) -> String {
    let agent = example("agent");
    format!(
        "tournament --game halma --games 4 --max-plies 60 --seed 5 --interval 0 --concurrency 2 \
         --engine name=hundred 'cmd={agent} --nodes 100' --engine name=thousand 'cmd={agent} --nodes 1000' \
         --engine name=chance engine=reference:random --each time=1000 --wall-margin 600 --record {record} \
         --openings '{}'",
        late_openings()
    )
}

const GAMES: usize = 12;

static WHOLE: LazyLock<(String, Vec<String>)> = LazyLock::new(|| {
    let place = folder();
    let whole = table(&run(&place, &words("whole"), 0).stdout);
    let results = results(&place.join("whole"));
    assert_eq!(results.len(), GAMES);
    (whole, results)
});

fn table(output: &str) -> String {
    output[output.rfind("Rank ").unwrap()..].to_string()
}

fn results(record: &Path) -> Vec<String> {
    let result = |end: &serde_json::Value| {
        ["game", "players", "winner", "termination", "plies"]
            .map(|key| end[key].to_string())
            .join(" ")
    };
    ends(record).iter().map(result).collect()
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
    place.make("scratch");
    let scratch = place.join("scratch");
    let resume = "tournament --resume killed --concurrency 2";
    for (words, count) in [(&*words("killed"), 3), (resume, 7)] {
        let mut judge = judge(&place);
        judge.args(words.words()).env("TMPDIR", &scratch).stdout(Stdio::null());
        let mut child = judge.spawn().unwrap();
        wait_for_ends(&place.join("killed"), count);
        signal(&child, "-KILL");
        child.wait().unwrap();
        // As if the machine had gone down in mid-write.
        let record = place.read("killed");
        place.write("killed", record.trim_end().strip_suffix('}').unwrap());
    }
    let resumed = testing::run(judge(&place).env("TMPDIR", &scratch), resume, 0);
    assert_eq!(table(&resumed.stdout), WHOLE.0);
    assert_eq!(table(&run(&place, "table killed", 0).stdout), WHOLE.0);
    assert!(scratch.entries().is_empty(), "the directories of killed runs are removed by the next");
}

#[test]
fn four_shards_merged_have_the_table_of_one_run() {
    let place = folder();
    for part in 1..=4 {
        run(&place, &format!("{} --shard {part}/4", words(&format!("part-{part}"))), 0);
    }
    let merged = run(&place, "merge part-1 part-2 part-3 part-4 --output merged", 0);
    assert_eq!(table(&merged.stdout), WHOLE.0);
    assert_eq!(results(&place.join("merged")), WHOLE.1);
    assert_eq!(table(&run(&place, "table merged", 0).stdout), WHOLE.0);
    // A part that is missing is said so; a part of another tournament is refused.
    run(&place, "merge part-1 part-3", 0).has(["games are missing"]);
    place.edit("part-3", "\"seed\":5", "\"seed\":6");
    run(&place, "merge part-1 part-3", 2)
        .has(["another tournament", "give all parts the same --seed"]);
    let unseeded = words("part-5").replace("--seed 5", "--shard 1/4");
    run(&place, &unseeded, 2).has(["--shard: all parts need the same dice, cards and openings"]);
    assert!(!place.join("part-5").exists());
}

#[test]
fn one_interrupt_finishes_the_running_games_and_the_rest_can_be_resumed() {
    let place = folder();
    let mut judge = judge(&place);
    judge.args(words("record").words()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = judge.spawn().unwrap();
    wait_for_ends(&place.join("record"), 2);
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_has(text(&output.stderr), ["--resume record"]);
    let events = events(place.join("record"));
    let count = |word: &str| events.iter().filter(|event| event["event"] == word).count();
    assert!(count("start") < GAMES);
    assert_eq!(count("start"), count("end"), "running games are finished");
    let resumed = run(&place, "tournament --resume record", 0).stdout;
    assert_eq!(table(&resumed), WHOLE.0);
}

#[test]
fn two_interrupts_stop_at_once_and_leave_nothing_running() {
    let place = folder();
    place.make("scratch");
    let player = script(&place, "player", "sleep 98711");
    let words = format!(
        "match --seed 1 --game halma --engine name=slow '{player}' --engine engine=reference:random --record record --each time=1000"
    );
    let mut judge = judge(&place);
    judge.args(words.words()).env("TMPDIR", place.join("scratch"));
    let mut child = judge.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait("the player", || processes_with("sleep 98711") > 0);
    interrupt_twice(&mut child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    wait("the end of the player", || processes_with("sleep 98711") == 0);
    assert!(place.join("scratch").entries().is_empty());
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
        run(&place, &format!("tournament --config {name} --seed 1 --record {name}.record"), 0);
    }
    let [one, other] = files.map(|(name, _)| place.join(format!("{name}.record")));
    assert_eq!(events(&one)[0], events(&other)[0]);
    assert_eq!(results(&one), results(&other));
    assert_eq!(results(&one).len(), 4, "the first meets each other one twice");
    let refused = run(&place, "tournament --config class.json", 2).stderr;
    assert!(refused.starts_with("class.json: tournament files are TOML"), "{refused}");
    place.write("bad.toml", toml.replace("st = 1.5", "speed = 9"));
    run(&place, "tournament --config bad.toml", 2).has(["bad.toml:17: unknown field `speed`"]);
}

#[test]
fn the_export_has_the_tags_that_rating_tools_read() {
    let place = folder();
    let words = words("record").replace("--games 4", "--games 2 --pgn games.pgn");
    run(&place, &words, 0);
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
        assert_eq!(player(pair[0], "[White "), player(pair[1], "[Black "), "sides are swapped");
    }
    run(&place, "table record --pgn again.pgn", 0);
    assert_eq!(place.read("again.pgn"), pgn);
}

#[test]
fn a_sequential_test_stops_with_its_verdict() {
    let place = folder();
    let words = format!(
        "match --seed 1 --game halma --games 100 --max-plies 60 --engine name=one engine=reference:alphabeta:2 --engine name=two \
         engine=reference:random --sprt elo0=0 elo1=100 model=logistic --record record --openings '{}'",
        late_openings()
    );
    run(&place, &words, 0).has(["H1 accepted: the difference is 100 Elo or more"]);
    assert!(results(&place.join("record")).len() < 100);
}

#[test]
fn a_tournament_file_sets_the_box_of_its_players() {
    let place = folder();
    place.write("data/word", "open");
    let lines = "echo \"$WORD $(cat $DATA/word) $(ulimit -u)\" >&2; PLAY";
    let player = script(&place, "player", lines);
    let config = |settings: &str| {
        let command = player.strip_prefix("cmd=").unwrap();
        let text = format!(
            "game = \"halma\"\ngames = 2\nmax-plies = 2\nopenings = \"start\"\n{settings}\n[each]\ntime = 5\n\
             [[engine]]\nname = \"mine\"\ncmd = \"{command}\"\n[[engine]]\nengine = \"reference:greedy\"\n"
        );
        place.write("class.toml", text);
    };
    let data = place.join("data");
    let data = data.display();
    let limits = "memory = 512\ndisk = 8\nprocesses = 77\nsandbox = \"auto\"";
    config(&format!("{limits}\nread-only = [\"{data}\"]\nenv = [\"WORD=told\", \"DATA={data}\"]"));
    run(&place, "tournament --config class.toml --record games", 0);
    let lines = events(place.join("games"));
    let bounds = &lines[0]["bounds"];
    assert_eq!([&bounds["memory_mib"], &bounds["disk_mib"], &bounds["processes"]], [512, 8, 77]);
    let said =
        lines.iter().find(|event| event["event"] == "move" && event["stderr"] != "").unwrap();
    assert_has(said["stderr"].as_str().unwrap(), ["told open"]);
    for (wrong, said) in [
        ("sandbox = \"some\"", "class.toml:5"),
        ("read-only = [\"/not/there\"]", "/not/there"),
        ("env = [\"=x\"]", "expected NAME or NAME=VALUE"),
        ("memory = \"much\"", "class.toml:5"),
    ] {
        config(wrong);
        run(&place, "tournament --config class.toml --record none", 2).has([said]);
        assert!(!place.join("none").exists());
    }
}
