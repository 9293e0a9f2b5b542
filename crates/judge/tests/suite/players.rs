//! Tests of players that crash, stall, cheat or write endlessly: the judge gives each the right
//! verdict and goes on.

use crate::common::{
    example, judge, judge_with_halma, namespaces_stand, options, processes_with, run, script,
};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use testing::{Folder, assert_has, ends, events, folder, needs_root, text};

const USUAL: &str =
    "--each time=5 --wall-margin 5 --openings start --max-plies 6 --games 2 --interval 0";

/// Plays two games, the player once on each side, and gives their ends.
#[track_caller]
fn play(directory: &Path, player: &str, given: &str) -> Vec<Value> {
    let words = format!(
        "match --seed 1 --game halma --record record --engine name=bad '{player}' --engine name=good engine=reference:greedy {}",
        options(USUAL, given).join(" ")
    );
    run(directory, &words, 0);
    let ends = ends(directory.join("record"));
    assert_eq!(ends.len(), 2);
    ends
}

/// Both games are lost by the player with this word, and the reason has this part.
#[track_caller]
fn assert_lost(ends: &[Value], word: &str, part: &str) {
    for end in ends {
        assert_eq!(end["termination"], word, "{end:#}");
        assert_eq!(end["players"][end["winner"].as_u64().unwrap() as usize], "good", "{end:#}");
        assert!(end["reason"].as_str().unwrap().contains(part), "{end:#}");
    }
}

#[track_caller]
fn assert_went_on(ends: &[Value]) {
    ends.iter().for_each(|end| assert_eq!(end["termination"], "draw by move limit", "{end:#}"));
}

#[track_caller]
fn lost(lines: &str, options: &str, word: &str, part: &str) -> Vec<Value> {
    let directory = folder();
    let player = script(&directory, "player", lines);
    let ends = play(&directory, &player, options);
    assert_lost(&ends, word, part);
    ends
}

#[track_caller]
fn went_on(lines: &str, options: &str) -> Vec<Value> {
    let directory = folder();
    let player = script(&directory, "player", lines);
    assert_went_on(&play(&directory, &player, options));
    events(directory.join("record"))
}

#[test]
fn a_player_that_crashes_is_told_so_with_its_last_words() {
    lost("kill -SEGV $$", "", "crash", "segmentation fault");
    let part = "exit code 3, last words: 'it was the cat'";
    lost("echo 'it was the cat' >&2; exit 3", "", "crash", part);
}

#[test]
fn our_agent_takes_options_that_the_judge_gives_it_already() {
    let place = folder();
    let judge = judge_with_halma(&place);
    for arguments in ["args=-v", "args=--verbose -v", "args=--depth 2 --verbose --depth 1"] {
        let words = format!(
            "match --seed 1 --game halma --engine name=ours engine=halma '{arguments}' --record record --overwrite \
             --engine engine=reference:random {}",
            options(USUAL, "--max-plies 2").join(" ")
        );
        testing::run(Command::new(&judge).current_dir(&place), &words, 0);
        assert_went_on(&ends(place.join("record")));
        let moves = events(place.join("record")).into_iter();
        let told = moves.filter(|event| event["depth"].is_u64()).count();
        assert_eq!(told, 2, "its search is told of, once a turn");
    }
}

#[test]
fn a_player_that_leaves_nothing_or_only_an_old_answer_has_no_output() {
    lost("true", "", "no output", "no output.txt");
    let directory = folder();
    // The second turn writes nothing; the answer of the first must not count again.
    let player = script(&directory, "player", "[ -e played ] || PLAY; touch played");
    let ends = play(&directory, &player, "");
    assert_lost(&ends, "no output", "no output.txt");
    assert!(ends.iter().all(|end| end["plies"].as_u64().unwrap() >= 2));
}

const SHORT: &str = "--each time=0.1 --wall-margin 0.3";

#[test]
fn a_player_that_stalls_is_ended_at_the_wall_limit() {
    for end in lost("sleep 98701", SHORT, "stall", "") {
        // Later than at the limit on a busy machine: by what the turn waited for a processor.
        let wall = end["fault"]["wall"].as_f64().unwrap();
        assert!(wall >= 0.4, "{end:#}");
        assert_has(end["reason"].as_str().unwrap(), [&format!("no answer within {wall:.1} s")]);
    }
    lost("trap '' INT TERM HUP QUIT; while :; do sleep 98702; done", SHORT, "stall", "");
    lost("kill -STOP $$", SHORT, "stall", "");
    assert_eq!(processes_with("sleep 98701") + processes_with("sleep 98702"), 0);
}

#[test]
fn a_player_that_eats_memory_crashes_alone() {
    let player = format!("cmd={} memory", example("glutton"));
    assert_lost(&play(&folder(), &player, "--memory 100"), "crash", "signal 6");
}

#[test]
fn children_that_are_left_behind_are_ended_and_the_game_goes_on() {
    let lines =
        "for i in 1 2 3; do setsid sh -c 'trap \"\" TERM; sleep 98703' & done; sleep 98703 & PLAY";
    let events = went_on(lines, "");
    let is_note =
        |event: &Value| event["note"].as_str().is_some_and(|note| note.contains("behind"));
    assert!(events.iter().any(is_note));
    assert_eq!(processes_with("sleep 98703"), 0);
    // Processes that hold the streams open do not delay the end, either.
    went_on("PLAY; setsid sh -c 'sleep 98704; echo late' & exec 1>&- 2>&-", "");
    assert_eq!(processes_with("sleep 98704"), 0);
}

#[test]
fn rubbish_on_all_streams_is_shortened_and_the_game_goes_on() {
    let events =
        went_on("yes | head -c 100000000; head -c 300000 /dev/urandom >&2; PLAY", "--keep 1000");
    let streams: Vec<&str> = events.iter().filter_map(|event| event["stdout"].as_str()).collect();
    assert!(streams.iter().all(|text| text.len() < 8_000));
    assert!(streams.iter().any(|text| text.contains("99999000 bytes")));
}

#[test]
fn a_player_that_fills_its_directory_is_stopped() {
    let lines = "PLAY; for i in 1 2 3 4 5; do yes | head -c 6M > file$i; done";
    lost(lines, "--disk 20", "disk quota", "more than 20 MiB");
}

#[test]
#[ignore = "needs root and namespaces"]
fn a_player_that_fills_the_disk_loses_and_the_tournament_goes_on() {
    needs_root();
    let directory = folder();
    directory.make("disk");
    let disk = directory.join("disk");
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=2M", "tmpfs"]).arg(&disk).output();
    let told = mounted.map_or_else(|error| error.to_string(), |output| text(&output.stderr));
    assert!(told.is_empty(), "no small file system can be mounted here: {told}");
    // Nothing that the judge removes before a turn makes room again.
    let lines =
        "PLAY; ln output.txt kept; rm input.txt; head -c 20M /dev/zero > big 2> /dev/null; exit 0";
    let player = script(&directory, "player", lines);
    let output = judge(&directory)
        .env("TMPDIR", &disk)
        .args(["match", "--game", "halma", "--record", "record", "--engine", "name=bad", &player])
        .args(["--engine", "name=good", "engine=reference:greedy"])
        // More than a file system in memory may have: the directory lies on the disk.
        .args(options(USUAL, "--disk 16777216"))
        .output();
    let left = disk.entries();
    Command::new("umount").arg("-l").arg(&disk).status().unwrap();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_lost(&ends(directory.join("record")), "disk quota", "filled the disk");
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_player_that_deletes_its_directory_has_no_output_and_the_next_turn_has_one() {
    lost("rm -rf \"$PWD\"; true", "", "no output", "");
    lost("d=$PWD; cd /; rm -rf \"$d\"; ln -s /nowhere \"$d\"", "", "no output", "");
    // Without namespaces it cannot, as the directory above is not its own.
    if !namespaces_stand() {
        return;
    }
    let directory = folder();
    // In its second turn it finds its directory in order, with nothing of its own left.
    let lines = "[ $(ls | wc -l) = 1 ] || exit 9; PLAY; cp output.txt /tmp/kept-98709; rm -rf \"$PWD\"; mkdir \"$PWD\"; mv /tmp/kept-98709 \"$PWD\"/output.txt";
    let player = script(&directory, "player", lines);
    assert_went_on(&play(&directory, &player, ""));
}

#[test]
fn a_player_that_ends_its_supervisor_loses_and_leaves_nothing() {
    let lines = "PLAY; setsid sleep 98705 & setsid sleep 98705 & kill -9 $PPID; sleep 98705";
    lost(lines, "--sandbox off --yes-unsafe", "crash", "ended its supervision");
    // In a box nobody can.
    lost(lines, SHORT, "stall", "");
    assert_eq!(processes_with("sleep 98705"), 0);
}

#[test]
fn a_file_of_the_player_lives_through_its_game_and_no_longer() {
    let lines = "echo x >> playdata.txt; cat playdata.txt | wc -l >&2; PLAY";
    let events = went_on(lines, "");
    let counts: Vec<&str> =
        events.iter().filter_map(|event| event["stderr"].as_str()).map(str::trim).collect();
    assert_eq!(counts, ["1", "2", "3", "1", "2", "3"]);
}

#[test]
fn a_directory_of_the_player_is_copied_for_each_game() {
    let home = folder();
    script(&home, "run.sh", "cat words/greeting >&2; echo spoilt > words/greeting; PLAY");
    home.write("words/greeting", "hello");
    let directory = folder();
    let player = format!("cmd=sh run.sh {}' 'dir={}", example("agent"), home.display());
    play(&directory, &player, "");
    let told = events(directory.join("record"));
    let first = told.iter().filter(|event| event["stderr"] == "hello").count();
    assert_eq!(first, 2, "each game begins with the directory as it was");
    assert_eq!(home.read("words/greeting"), "hello");
}
