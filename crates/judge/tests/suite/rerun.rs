//! Tests of `judge rerun`: a turn of a recorded game is as it was.

use crate::common::run;
use serde_json::Value;
use testing::{Folder, assert_has, copy, events, folder, needs, repository};

/// A player of Wolves that counts its turns in a file, chooses by the order of a set, by the count
/// and by the clock's digits, and tells all of it.
const PLAYER: &str = "\
import sys, os
sys.argv = ['agent']
turn = int(open('turns').read()) + 1 if os.path.exists('turns') else 1
open('turns', 'w').write(str(turn))
os.makedirs('notes', exist_ok=True)
open('notes/%d' % (turn % 3), 'a').write('turn %d\\n' % turn)
text = open('input.txt').read()
words = ''.join({'a', 'bb', 'ccc', 'dddd', 'eeeee', 'ffffff'})
source = open(os.environ.get('STARTER', 'starter.py')).read().replace('\\nmain()\\n', '\\n')
exec(source)
random.seed(words + text + str(turn))
print('turn', turn, words, sorted(os.listdir('notes')), file=sys.stderr)
main()
";

fn verdict<'a>(text: &'a str, name: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split(';').next()).unwrap_or_else(|| panic!("{text}")).trim()
}

#[test]
fn turns_of_a_game_with_kept_files_are_as_they_were() {
    needs("python3");
    let place = folder();
    copy(repository("starters/wolves/python/agent.py"), place.join("own/starter.py"));
    place.write("own/player.py", PLAYER);
    let words = "match --seed 1 --game wolves --games 2 --max-plies 40 --openings start --record games.jsonl --interval 0 \
                 --each time=100 --engine name=mine dir=own 'cmd=python3 player.py' \
                 --engine name=greedy engine=reference:greedy";
    run(&place, words, 0);
    let record = events(place.join("games.jsonl"));
    let said = |event: &Value| event["stderr"].as_str().unwrap_or_default().to_string();
    let turns: Vec<&Value> =
        record.iter().filter(|event| said(event).starts_with("turn ")).collect();
    assert!(turns.len() >= 20, "{}", turns.len());
    // A content is recorded once, and its digest stands for it later.
    let files = turns.iter().flat_map(|event| event["files"].as_array().into_iter().flatten());
    assert!(files.clone().any(|file| file.get("content").is_none()));
    let asked = |command: &str, event: &Value, more: &str| {
        let number = event["ply"].as_u64().unwrap() + 1;
        let words = format!("{command} games.jsonl --game {} --ply {number} {more}", event["game"]);
        run(&place, &words, 0).stdout
    };
    for event in turns.iter().step_by(turns.len() / 10) {
        let told = asked("rerun", event, "");
        assert_has(&told, [&format!("--- standard error\n{}", said(event))]);
        assert_has(&told, [&format!("--- output.txt\n{}", event["output"].as_str().unwrap())]);
        assert_eq!(verdict(&told, "now:"), verdict(&told, "then:"), "{told}");
    }
    // Where the program has no turn, the message names its nearest one.
    let game = &turns[0]["game"];
    let own: Vec<u64> = turns
        .iter()
        .filter(|turn| turn["game"] == *game)
        .map(|turn| turn["ply"].as_u64().unwrap() + 1)
        .collect();
    for (ply, nearest) in [(own[3] + 1, own[3]), (999, own[own.len() - 1])] {
        let said = run(&place, &format!("rerun games.jsonl --game {game} --ply {ply}"), 2).stderr;
        assert_has(&said, [&format!("; the nearest turn of 'mine' is --ply {nearest}\n")]);
    }
    let first = asked("rerun", turns[0], "");
    assert_has(&first, [&format!("game {game}, move {}: mine plays ", own[0])]);
    // The text of a game has the same number for the same move.
    let listed = asked("replay", turns[3], "--text");
    assert_has(&listed, [&format!("\n{}. ", own[3])]);
    run(&place, &format!("rerun games.jsonl --game {game} --ply 0"), 2).has(["--ply"]);
    // The folder to debug in is the one before the turn.
    let event = turns[turns.len() / 2];
    asked("rerun", event, "--keep there");
    let before: u32 = place.read("there/turns").parse().unwrap();
    assert_has(said(event), [&format!("turn {} ", before + 1)]);
    assert!(place.join("there/input.txt").is_file() && place.join("there/player.py").is_file());
    // A replay of the same turn alone.
    let shown = asked("replay", event, "--text --stderr");
    assert_has(&shown, [said(event).trim()]);
    assert_eq!(shown.matches("    | ").count(), 1, "{shown}");
}
