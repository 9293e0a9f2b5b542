//! A tuning run is the same in one go and interrupted, and an engine that does not take its numbers is told.

use crate::{agent, events, run, text};
use std::fs;
use std::path::Path;

/// A player with one number: the nodes of its search.
fn player(place: &Path) -> String {
    let path = place.join("player.sh");
    // The agent is named by the command, so that it is there in the box.
    fs::write(&path, "exec \"$1\" --nodes \"${3#nodes=}\"\n").unwrap();
    format!("cmd=sh {} {}", path.display(), agent("halma").display())
}

fn tune(place: &Path, player: &str, record: &str, code: i32) -> (String, String) {
    let mut words =
        "tune --game halma --pairs 3 --seed 3 --concurrency 2 --parameter nodes=150,1,3000,149 --rate 1 --record"
            .split(' ')
            .collect::<Vec<_>>();
    words.extend([record, "--engine", player, "time=1000"]);
    let output = run(place, &words, code);
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_tuning_run_that_is_cut_in_mid_line_and_resumed_ends_with_the_same_values() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    let player = player(place);
    let (said, _) = tune(place, &player, "whole", 0);
    let lines = events(&place.join("whole"));
    assert_eq!(lines.len(), 4);
    for (number, line) in lines[1..].iter().enumerate() {
        assert_eq!(line["pair"], number);
        assert!((-2.0..=2.0).contains(&line["points"].as_f64().unwrap()));
        assert_ne!(line["versions"][0], line["versions"][1]);
    }
    let value = lines[3]["values"][0].as_f64().unwrap().round();
    assert_eq!(said, format!("after 3 of 3 pairs: nodes={value}\n"));
    assert!(lines[1..].iter().any(|line| line["points"] != 0.0), "no pair was decided: the values were never moved");

    let whole = fs::read_to_string(place.join("whole")).unwrap();
    let third = whole.match_indices('\n').nth(2).unwrap().0;
    fs::write(place.join("cut"), &whole[..third + 20]).unwrap();
    let resumed = run(place, &["tune", "--resume", "cut", "--concurrency", "2"], 0);
    assert_eq!(text(&resumed.stdout), said);
    let end = |name: &str| fs::read_to_string(place.join(name)).unwrap().lines().last().unwrap().to_string();
    assert_eq!(end("cut"), end("whole"));
}

#[test]
fn an_engine_that_does_not_take_its_numbers_ends_the_run_with_its_own_words() {
    let place = tempfile::tempdir().unwrap();
    let player = format!("cmd={}", agent("halma").display());
    let (_, said) = tune(place.path(), &player, "record", 2);
    assert!(said.contains("does not play") && said.contains("--set"), "{said}");
    let said = tune(place.path(), "engine=reference:greedy", "other", 2).1;
    assert!(said.contains("expected a program"), "{said}");
}

#[test]
fn the_box_of_a_tuned_engine_is_as_asked_for_and_stays_so_when_the_run_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    fs::create_dir(place.join("data")).unwrap();
    fs::write(place.join("data/nodes"), "--nodes").unwrap();
    let path = place.join("player.sh");
    fs::write(&path, "exec \"$1\" $(cat \"$DATA/nodes\") \"${3#nodes=}\"\n").unwrap();
    let player = format!("cmd=sh {} {}", path.display(), agent("halma").display());
    let (data, value) = (place.join("data"), format!("DATA={}", place.join("data").display()));
    let words = |pairs, record| {
        let run =
            ["tune", "--game", "halma", "--pairs", pairs, "--parameter", "nodes=150,1,300,149", "--record", record];
        [&run[..], &["--engine", &player, "time=1000"]].concat()
    };
    let refused = run(place, &words("1", "plain"), 2);
    assert!(text(&refused.stderr).contains("does not play"), "{}", text(&refused.stderr));
    let shown = ["--env", &value, "--read-only", data.to_str().unwrap(), "--memory", "512"];
    let said = run(place, &[&words("2", "boxed")[..], &shown].concat(), 0);
    assert!(text(&said.stderr).contains("sandbox layers around players"), "{}", text(&said.stderr));
    let whole = fs::read_to_string(place.join("boxed")).unwrap();
    assert_eq!(events(&place.join("boxed"))[0]["bounds"]["memory_mib"], 512);
    let lines: Vec<&str> = whole.lines().take(2).collect();
    fs::write(place.join("boxed"), lines.join("\n") + "\n").unwrap();
    run(place, &["tune", "--resume", "boxed"], 0);
    assert_eq!(fs::read_to_string(place.join("boxed")).unwrap(), whole);
}

#[test]
#[ignore = "needs root"]
fn root_is_asked_before_programs_are_started_without_a_sandbox() {
    let place = tempfile::tempdir().unwrap();
    let player = player(place.path());
    let words = ["tune", "--game", "halma", "--engine", &player, "--parameter", "x=1,0,2,1", "--pairs", "1"];
    let said = run(place.path(), &[&words[..], &["--record", "record", "--sandbox", "off"]].concat(), 2);
    assert!(text(&said.stderr).contains("--yes-unsafe"), "{}", text(&said.stderr));
    assert!(!place.path().join("record").exists(), "nothing is begun");
}
