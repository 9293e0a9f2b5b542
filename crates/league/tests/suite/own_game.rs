//! A league of a game whose rules are a program.

use crate::common::run;
use crate::place::{League, wait};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use testing::intake::PYTHON_2;
use testing::server::Server;
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
fn a_machine_without_the_interpreter_of_the_check_gives_games_back() {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    let changes = &[("baselines = true", "baselines = false")];
    let roster = "login,name\nada,Ada\nbob,Bob\n";
    let mut league = League::of_game(game.to_str().unwrap(), "Went", changes, roster);
    let bin = league.directory.join("bin");
    fs::create_dir(&bin).unwrap();
    symlink("/usr/bin/python3", bin.join("python3")).unwrap();
    let is_there = |is_there: bool| {
        let _ = fs::remove_file(bin.join("python2"));
        if is_there {
            bin.write_script("python2", PYTHON_2);
        }
    };
    is_there(true);
    let path = format!("{}:/usr/bin:/bin", bin.display());
    let words = ["serve", "course", "--workers", "1"];
    league.server =
        Some(Server::start(crate::common::league(&league.directory).env("PATH", path).args(words)));
    let [ada, bob] = league.sign_ins(["ada", "bob"]);
    let agent = game.read("python/agent.py");
    league.hand_in_player(&ada, "homework.py", &agent);
    league.hand_in_player(&bob, "homework.py", format!("#!/usr/bin/env python2\n{agent}"));
    let runtime = league.sql("SELECT runtime FROM submission WHERE runtime LIKE '%python2%'");
    assert_has(runtime, ["2.7.18"]);
    league.wait_for_games(2);
    is_there(false);
    wait("a pair that is given back", || league.failures() != "0");
    let played = league.games();
    is_there(true);
    league.wait_for_games(played + 2);
    assert_eq!(league.sql("SELECT COUNT(*) FROM game WHERE blamed IS NOT NULL"), "0");
    league.is_well();
}

/// The game's folder, openings, languages and reference players, in the league's directory and
/// elsewhere, come with a backup: pairs are played where none of the old paths is left.
#[test]
fn a_backup_has_all_that_the_settings_name() {
    let place = folder();
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/any-game");
    let agent = game.read("python/agent.py");
    for (name, text) in [
        ("old/openings/one.txt", "OX........"),
        ("old/openings/two.txt", "XX...O...."),
        ("old/player/agent.py", &agent),
        ("old/alone.py", &agent),
        ("old/languages.toml", ""),
    ] {
        place.write(name, text);
    }
    let (old, path) = (place.join("old"), game.to_str().unwrap());
    run(&place, &["init", "old/course", "--game", path, "--title", "Autumn"][..], 0);
    fs::create_dir(place.join("old/course/inside")).unwrap();
    fs::copy(place.join("old/alone.py"), place.join("old/course/inside/agent.py")).unwrap();
    let outside = old.display();
    let baselines = format!(
        "[[baseline]]\nname = 'a'\ncmd = 'python3 agent.py'\ndir = '{outside}/player'\n
         [[baseline]]\nname = 'b'\ncmd = 'python3 {outside}/alone.py'\n
         [[baseline]]\nname = 'c'\ncmd = 'python3 agent.py'\ndir = './inside'\n"
    );
    let settings = place
        .read("old/course/league.toml")
        .replace("\"random:2\"", &format!("\"dir:{outside}/openings\""))
        .replace("baselines = true", "baselines = false")
        .replace("a-day = 20", &format!("a-day = 20\nlanguages = '{outside}/languages.toml'"));
    place.write("old/course/league.toml", settings + &baselines);
    run(&place, "token old/course machine", 0);
    run(&place, "backup old/course copy.tar", 0);
    fs::remove_dir_all(place.join("old")).unwrap();
    run(&place, "restore course copy.tar", 0);
    let text = place.read("course/league.toml");
    assert!(!text.contains("/old/") && text.contains("game = \"./game\""), "{text}");
    let mut league = League::at(place, "course");
    league.serve(&["--workers", "2"]);
    league.wait_for_games(6);
    // The seed of a pair chooses its opening.
    let openings = "SELECT COUNT(DISTINCT opening) FROM game";
    wait("both openings", || league.sql(openings) == "2");
    let faults = "SELECT COUNT(DISTINCT first) FROM game WHERE blamed IS NULL";
    assert_eq!(league.sql(faults), "3", "{}", league.failures());
    assert_eq!(league.sql("SELECT COUNT(*) FROM game WHERE blamed IS NOT NULL"), "0");
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
