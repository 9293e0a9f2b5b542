//! Tests of matches between programs that speak the protocol of FoxGame's monitor.

use crate::common::run;
use serde_json::Value;
use testing::{Folder, assert_has, ends, folder};

/// Two agents for `proto=monitor` in the shell that play two games against each other, from lists
/// of turns for each role; the last line that each role heard in the second game, and the ends of
/// both.
fn match_of(turns: [&[&str]; 2]) -> ([String; 2], Vec<Value>) {
    let directory = folder();
    let here = &*directory;
    // The agents keep the lines they receive outside their own directories, so that they must run
    // without a sandbox.
    let agent = "cd HERE; exec 3<>\"/dev/tcp/$2/$4\" 4<\"turns-$6\"\n\
        printf 'hello %s\\nname %s\\nready\\n' \"$6\" \"$8\" >&3\n\
        while IFS= read -r line <&3; do\n\
          printf '%s\\n' \"$line\" >> \"heard-$6\"\n\
          case \"$6 $line\" in 'FOX begin' | *' done')\n\
            if IFS= read -r turn <&4; then printf '%s\\ndone\\n' \"$turn\" >&3; fi\n\
          esac\n\
        done\n";
    here.write("agent.sh", agent.replace("HERE", here.to_str().unwrap()));
    for (role, turns) in ["FOX", "SHEEP"].into_iter().zip(turns) {
        let turns: String = turns.iter().map(|turn| format!("{turn}\n")).collect();
        here.write(format!("turns-{role}"), turns);
    }
    let player = "--engine 'cmd=bash agent.sh' proto=monitor";
    let words = format!(
        "match --seed 1 --game foxgame --openings start --games 2 --sandbox off --yes-unsafe --each st=20 \
         {player} name=a {player} name=b --record games.jsonl"
    );
    run(here, &words, 0);
    let last = |role| here.read(format!("heard-{role}")).lines().last().unwrap().to_string();
    (["FOX", "SHEEP"].map(last), ends(here.join("games.jsonl")))
}

#[test]
fn in_a_match_the_agents_are_told_the_end_in_the_course_s_words() {
    let fox = ["move 5,1 5,2", "move 5,2 5,1", "move 5,1 4,1", "move 4,1 5,1"];
    let sheep = ["move 1,4 1,3", "move 1,3 2,3", "move 2,3 1,3"];
    let unreadable = ["move 2,10, 4,12, 5,5"];
    for (turns, termination, words) in [
        ([&fox[..], &sheep], "normal", "FOX caused an (avoidable) deadlock."),
        (
            [&unreadable, &[]],
            "illegal move",
            "FOX made illegal move null in state: ##F.F##/##...##/",
        ),
    ] {
        let (heard, ends) = match_of(turns);
        assert_eq!(ends.len(), 2);
        for end in ends {
            assert_eq!(end["termination"], termination, "{end}");
            assert_has(end["reason"].as_str().unwrap(), [words]);
        }
        for line in heard {
            assert!(line.starts_with("winner SHEEP reason: ") && line.contains(words), "{line}");
        }
    }
}
