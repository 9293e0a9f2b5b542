//! Tests of scheme files.

use super::file::{SchemeFile, Visibility};
use super::plan::{GradingPlan, Mean};
use anygame::{AnyGame, GameClock};
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::record::End;
use arena::terms::Bounds;

fn known(name: &str) -> &'static AnyGame {
    terminal::games::set(games::all());
    terminal::games::find(name).unwrap()
}

pub(crate) fn halma(text: &str) -> Result<GradingPlan, String> {
    let game = known("halma");
    let data = SchemeFile::parse("a.toml", text, game).map_err(|error| error.to_string())?;
    GradingPlan::new(game, &data, Bounds::default(), String::new())
        .map_err(|error| format!("{error:#}"))
}

#[test]
fn every_games_own_scheme_is_valid_and_can_be_written_and_read_again() {
    for game in &games::all() {
        let data = SchemeFile::of_game(game).unwrap();
        let shown = toml::to_string(&data).unwrap();
        assert_eq!(SchemeFile::parse("a.toml", &shown, game).unwrap(), data, "{shown}");
    }
}

#[test]
fn a_game_without_a_scheme_has_the_default_one() {
    let usual = known("wolves");
    let wolves = AnyGame { scheme: None, ..*usual };
    let data = SchemeFile::of_game(&wolves).unwrap();
    let plan = GradingPlan::new(usual, &data, Bounds::default(), String::new()).unwrap();
    assert_eq!((plan.tests.len(), plan.most()), (19, 100.0));
    let bad = AnyGame { scheme: Some("game = \"wolves\"\nplies = 3\n"), ..wolves };
    let error = SchemeFile::of_game(&bad).unwrap_err().to_string();
    assert!(error.starts_with("the scheme of wolves:2: unknown field `plies`"), "{error}");
}

#[test]
fn a_program_on_the_monitor_is_graded_by_a_scheme_that_its_protocol_allows() {
    let game = known("foxgame");
    let clock = GameClock::Single(1.0);
    let kind = PlayerKind::Protocol {
        protocol: "monitor".to_string(),
        command: vec!["agent".to_string()],
        directory: None,
        own_command: true,
    };
    let ann = EngineSpec { name: "ann".to_string(), kind, clock, margin: 0.0 };
    let by_files = EngineSpec { kind: PlayerKind::Random, ..ann.clone() };
    let told = |text: &str| {
        let data = SchemeFile::parse("a.toml", text, game).unwrap();
        let plan = GradingPlan::new(game, &data, Bounds::default(), String::new()).unwrap();
        plan.check_player(&by_files).unwrap();
        plan.check_player(&ann).map_err(|error| error.to_string())
    };
    let scheme = include_str!("../../../../../schemes/foxgame-monitor.toml");
    assert_eq!(told(scheme), Ok(()));
    for (text, part) in [
        (game.scheme.unwrap().to_string(), "single positions"),
        (scheme.replace("random-plies = 0\n", ""), "random plies"),
        (scheme.replace("turn-clock", "clock"), "a clock for the whole game"),
        (format!("{scheme}[bonus]\nbest = 2\npoints = [1]\nclock = 1\n"), "a tournament"),
    ] {
        let error = told(&text).unwrap_err();
        assert!(
            error.starts_with("ann speaks the monitor's protocol") && error.contains(part),
            "{error}"
        );
    }
}

#[test]
fn errors_begin_with_their_line() {
    let head = "game = \"halma\"\n";
    for (text, part) in [
        ("game = \"wolves\"\n", "1: game: a scheme of wolves"),
        ("game = \"halma\"\nplies = 3\n", "2: unknown field `plies`"),
        ("game = \"halma\"\nrules = \"chess\"\n", "1: --rules"),
        ("seed = 3\n", "1: missing field `game`"),
        ("[[positions]]\ncount = 3\nclock = 1\nclocks = 1\n", "5: unknown field `clocks`"),
        ("[[positions]]\ncount = -3\nclock = 1\n", "3: invalid value"),
        ("[[positions]]\ncount = 3\nclock = 0\n", "4: clock: expected a positive"),
        ("GAMES\"magic\"\nclock = 1\n", "4: reference: no reference player 'magic'"),
        ("GAMES[]\nclock = 1\n", "4: reference: expected at least one"),
        ("GAMES\"random\"\n", "2: expected clock"),
        ("GAMES\"random\"\nclock = 1\nturn-clock = 1\n", "2: clock and turn-clock"),
        ("GAMES\"random\"\nclock = 1\ndraw = 2\n", "6: draw: expected a part"),
        ("GAMES\"random\"\nclock = 1\nrandom-plies = 101\n", "6: random-plies: expected at most"),
        ("GAMES\"random\"\nclock = 1\nleast = 1\n", "6: least: a key of [[accuracy]] alone"),
        (
            "[[accuracy]]\ncount = 3\nreference = \"random\"\nclock = 1\ndraw = 0.1\n",
            "6: draw: a key of [[games]] alone",
        ),
        ("[[positions]]\ncount = 3\nclock = 1\nkept = 0.1\n", "5: kept: a key of [[proofs]] alone"),
        ("[[positions]]\ncount = 3000\nclock = 1\n", "1: expected at most 2000 tests"),
        ("[bonus]\nbest = 1\npoints = [1]\nclock = 1\n", "3: best: expected 2 to 1000"),
        ("[bonus]\nbest = 3\npoints = [1]\nclock = 1\ngames = 3\n", "6: games: expected an even"),
        (
            "[bonus]\nbest = 3\npoints = []\nclock = 1\n",
            "4: points: expected points for 1 to 3 places",
        ),
    ] {
        let has_game = text.starts_with("game") || part.contains("missing");
        let text = text.replace("GAMES", "[[games]]\ncount = 3\nreference = ");
        let text = if has_game { text } else { format!("{head}{text}") };
        let Err(error) = halma(&text) else { panic!("{text}") };
        assert!(error.starts_with(&format!("a.toml:{part}")), "{text}\n{error}");
    }
}

fn end(winner: Option<usize>, plies: u32, points: Option<i32>) -> End {
    End { winner, points, plies, ..End::default() }
}

#[test]
fn results_moves_and_margins_give_points() {
    let plan = halma(
        "game = \"halma\"\n[[games]]\ncount = 2\npoints = 10\ndraw = 0.3\nreference = [\"random\", \"greedy\"]\nclock = 5\n\
         reach = [{ moves = 5, points = 1 }, { moves = 10, points = 2 }]\nmargin = { each = 0.5, most = 4 }\n\
         visibility = \"after_due_date\"\n",
    )
    .unwrap();
    assert_eq!(plan.most(), 68.0);
    assert!(plan.tests.iter().map(|test| test.number).eq(1..=4));
    let names: Vec<&str> = plan.tests.iter().map(|test| test.name.as_str()).collect();
    assert_eq!(names[0], "game 1 against random as WHITE, moving first");
    assert_eq!(names[3], "game 4 against greedy as BLACK, moving second");
    let (first, second) = (&plan.tests[0], &plan.tests[1]);
    assert_eq!(first.visibility, Visibility::AfterDueDate);
    // An agent that is called as its opponent is told from it.
    let names = |agent: &EngineSpec| plan.order(first, agent, 1).engines.map(|one| one.name);
    let (known, ann) =
        (&first.opponent, EngineSpec { name: "ann".into(), ..first.opponent.clone() });
    assert_eq!(names(known), [format!("reference {}", known.name), known.name.clone()]);
    assert_eq!(names(&ann), [known.name.as_str(), "ann"]);
    assert_eq!(plan.header().game, "halma");
    let (white, black) = (Some(1), Some(0));
    // A win counts as having made all moves.
    assert_eq!(first.points(&end(white, 3, None)), 13.0);
    assert_eq!(first.points(&end(None, 8, None)), 3.0);
    // Nine plies are five moves of the first player and four of the second.
    assert_eq!(first.points(&end(black, 9, None)), 1.0);
    assert_eq!(second.points(&end(white, 9, None)), 0.0);
    assert_eq!(second.points(&end(white, 20, None)), 3.0);
    // Points are from the first side's view, which is Black's.
    assert_eq!(second.points(&end(black, 2, Some(3))), 14.5);
    assert_eq!(second.points(&end(black, 2, Some(90))), 17.0);
    assert_eq!(first.points(&end(black, 2, Some(90))), 0.0);
}

#[test]
fn a_mean_has_its_error_if_there_is_one() {
    let shown = [Mean(50.0, 0.0), Mean(50.0, 1.26)].map(|mean| mean.to_string());
    assert_eq!(shown, ["50.0 %", "50.0 ± 1.3 %"]);
}

#[test]
fn the_announcement_has_the_tests_and_the_time_of_all_clocks() {
    let plan = halma(
        "game = \"halma\"\nmax-plies = 39\n[[positions]]\ncount = 3\nclock = 20\n\
         [[games]]\ncount = 2\nreference = \"random\"\nturn-clock = 3\n",
    )
    .unwrap();
    for (concurrency, programs, words) in [
        (1, 1, "3 positions and 2 games: 3 min if the program uses all of its clocks, "),
        (2, 12, "12 submissions with 3 positions and 2 games each, 2 at a time: 18 min if all "),
        (9, 2, "2 submissions with 3 positions and 2 games each, 9 at a time: 1 min if all "),
    ] {
        let told = plan.announcement(concurrency, programs);
        assert!(told.starts_with(words), "{told}");
    }
}

#[test]
fn every_change_that_affects_points_changes_the_digest() {
    let unseeded = "game = \"halma\"\n[[positions]]\ncount = 2\nclock = 5\n";
    let usual = &format!("seed = 1\n{unseeded}");
    let digest = |text: &str| halma(text).unwrap().digest;
    assert_eq!(digest(usual), digest(&usual.replace("clock = 5", "clock = 5.0 # the same")));
    assert_ne!(digest(unseeded), digest(unseeded), "each record has a seed of its own");
    let mut noted = halma(usual).unwrap();
    noted.note("more");
    assert!(noted.words.ends_with(" more") && noted.digest != digest(usual));
    let game = known("halma");
    let data = SchemeFile::parse("a.toml", usual, game).unwrap();
    let less = Bounds { memory_mib: 99, ..Bounds::default() };
    let with_less = GradingPlan::new(game, &data, less, String::new()).unwrap();
    assert_ne!(with_less.digest, digest(usual));
    for other in [
        usual.replace("clock = 5", "clock = 6"),
        usual.replace("count = 2", "count = 3"),
        format!("{usual}points = 2\n"),
        format!("seed = 2\n{unseeded}"),
        format!("max-plies = 9\n{usual}"),
        format!("at-limit = \"time\"\n{usual}"),
        format!("rules = \"addendum\"\n{usual}"),
    ] {
        assert_ne!(digest(usual), digest(&other), "{other}");
    }
}
