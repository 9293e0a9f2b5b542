//! A league of a game whose rules are a program.

use crate::common::run;
use crate::place::League;
use std::fs;
use std::path::Path;
use testing::{Folder, assert_has, folder};

#[test]
fn a_league_of_an_own_game_has_its_folder_checks_programs_and_plays() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    let mut league =
        League::of_game(game.to_str().unwrap(), "Tic-tac-toe", &[], "login,name\nada,Ada\n");
    league.serve(&["--workers", "2"]);
    let settings = league.read("league.toml");
    assert_has(
        &settings,
        ["game = \"./game\"", "openings = \"random:2\"", "each = { time = 60.0 }"],
    );
    assert!(league.join("game/rules.py").is_file());
    run(league.parent().unwrap(), &["check", "course"], 0);
    let ada = league.sign_in("ada");
    let agent = fs::read(game.join("python/agent.py")).unwrap();
    assert_eq!(league.get(&ada, "/rules/agent.py").body, agent);
    let id = league.hand_in(&ada, "homework.py", &agent);
    let (state, report) = league.checked(&ada, id);
    assert!(state == "plays", "{state}: {report}");
    league.wait_for_games(4);
    // Games of the same moves are known as such.
    assert_eq!(league.sql("SELECT COUNT(*) FROM game WHERE moves IS NULL"), "0");
    let bad = league.hand_in(&ada, "homework.py", b"open('output.txt', 'w').write('(0, 0)')");
    let (state, report) = league.checked(&ada, bad);
    assert!(state != "plays" && report.contains("expected a square like 2,0"), "{state}: {report}");
    league.is_well();
}

#[test]
fn games_begin_anywhere_where_programs_can_begin_in_the_middle() {
    let place = folder();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    let texts = ["game.toml", "rules.py"].map(|name| fs::read_to_string(game.join(name)).unwrap());
    let [mut toml, mut rules] = texts;
    let openings = |name: &str, toml: &str, rules: &str| {
        for (file, text) in [("game.toml", toml), ("rules.py", rules)] {
            place.write(format!("game/{file}"), text);
        }
        run(&place, &format!("init {name} --game ./game --title Autumn"), 0);
        let settings = place.read(format!("{name}/league.toml"));
        settings.lines().find(|line| line.starts_with("openings")).unwrap().to_string()
    };
    let support = fs::read_to_string(game.join("menagerie_rules.py")).unwrap();
    place.write("game/menagerie_rules.py", &support);
    // The input file shows the position, whatever files stay.
    toml = toml.replace("keep = []", "keep = \"all\"");
    assert_eq!(openings("shown", &toml, &rules), "openings = \"random:2\"");
    // It need not, and programs may count moves.
    rules = rules.replace("def position", "def no_position");
    assert_eq!(openings("counted", &toml, &rules), "openings = \"start\"");
    toml = toml.replace("keep = \"all\"", "keep = []");
    assert_eq!(openings("no-files", &toml, &rules), "openings = \"random:2\"");
}

#[test]
fn a_folder_with_the_name_of_a_game_is_not_taken_for_one_of_its_own() {
    let place = folder();
    place.make("halma");
    run(&place, "init course --game halma --title Autumn", 0);
    run(&place, "token course machine", 0);
    run(&place, "check course", 0);
}
