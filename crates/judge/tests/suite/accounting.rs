//! Tests that a player is charged the CPU time of its whole process tree. The CPU clocks of the
//! players' own threads are the measure, so that a busy machine changes nothing.

use crate::common::{example, run};
use serde_json::Value;
use testing::{events, folder};

/// The events of a match in which a player with a command has one turn: the side that begins has
/// the only move of a game.
fn first_turn(player: &str, clock: &str, sandbox: &str) -> Vec<Value> {
    let directory = folder();
    let words = format!(
        "match --seed 1 --game halma --record record --engine name=player '{player}' --engine name=other engine=reference:random \
         --openings start --games 2 --max-plies 1 --each {clock} --wall-margin 100 --sandbox {sandbox} --yes-unsafe"
    );
    run(&directory, &words, 0);
    events(directory.join("record"))
}

fn charged(waste: &str) -> f64 {
    let events = first_turn(&format!("cmd={} {waste}", example("glutton")), "time=100", "auto");
    let is_player = |mv: &Value| {
        let start = events
            .iter()
            .find(|event| event["event"] == "start" && event["game"] == mv["game"])
            .unwrap();
        start["players"][usize::from(mv["side"] == "WHITE")] == "player"
    };
    let mv = events.iter().find(|event| event["event"] == "move" && is_player(event));
    mv.unwrap()["cpu"].as_f64().unwrap()
}

#[test]
fn the_whole_tree_of_processes_is_charged() {
    // The orphan, a grandchild that nobody waited for, burns longer than the others, for the shell
    // and the two more programs that are started count as well.
    for (waste, expected) in [
        ("threads 1 0.5", 0.5),
        ("threads 2 0.5", 1.0),
        ("children 2 0.4", 0.8),
        ("orphan 1.5", 1.5),
    ] {
        let found = charged(waste);
        println!("{waste}: charged {found:.4} s, used {expected} s");
        assert!((found / expected - 1.0).abs() < 0.05, "{waste}: {found} s, used {expected} s");
    }
}

/// A player that would burn for a minute is ended soon after its clock, boxed or not.
#[test]
fn whatever_burns_without_end_is_ended_soon_after_its_clock() {
    for (waste, sandbox) in [
        ("threads 1 60", "auto"),
        ("threads 1 60", "off"),
        ("threads 3 60", "auto"),
        ("children 2 60", "auto"),
        ("orphan 60", "auto"),
        ("orphan 60", "off"),
    ] {
        let player = format!("cmd={} {waste}", example("glutton"));
        let events = first_turn(&player, "time=0.5", sandbox);
        let is_loss = |event: &&Value| event["event"] == "end" && !event["fault"].is_null();
        let end = events.iter().find(is_loss).unwrap();
        let cpu = end["fault"]["cpu"].as_f64().unwrap();
        println!("{waste}, --sandbox {sandbox}: charged {cpu:.4} s");
        assert_eq!(end["termination"], "time forfeit", "{end:#}");
        // A tenth of a second more on a quiet machine (docs/security.md); on a loaded one the
        // supervisor gets to look later.
        assert!(cpu > 0.5 && cpu < 4.5, "--sandbox {sandbox}: {end:#}");
    }
}
