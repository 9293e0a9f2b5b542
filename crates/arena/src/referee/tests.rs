//! Games between players whose turns are data: clocks, ends, faults, and records played again.

use super::*;
use crate::adjudication::{DrawRule, Resign};
use crate::openings::random_opening;
use crate::player::Traces;
use crate::player::spec::{PlayerKind, UNTIMED};
use anygame::GameClock;
use proptest::prelude::*;

/// Takes these milliseconds for its turns, then none, and chooses by a number that changes with
/// each turn. Its last turn may be another one.
struct Scripted {
    cpu: Vec<u64>,
    turns: usize,
    choice: usize,
    last: Option<(usize, Fault)>,
    score: Option<i32>,
}

fn player(cpu: &[u64], choice: usize) -> Scripted {
    Scripted { cpu: cpu.to_vec(), turns: 0, choice, last: None, score: None }
}

impl Player for Scripted {
    fn turn(&mut self, task: &AnyTask) -> Result<Turn> {
        let moves = task.position.legal_moves();
        let answer = match &self.last {
            Some((turns, fault)) if *turns == self.turns => Err(fault.clone()),
            _ => Ok(moves[self.choice % moves.len()].clone()),
        };
        let cpu = Duration::from_millis(self.cpu.get(self.turns).copied().unwrap_or_default());
        self.turns += 1;
        self.choice = self.choice.wrapping_mul(31).wrapping_add(7);
        let traces = Traces {
            score: self.score,
            waited: 0.25,
            output: Some("its file".to_string()),
            note: Some("one".to_string()),
            scarcity: Some("two".to_string()),
            ..Traces::default()
        };
        Ok(Turn { answer, cpu, wall: 2 * cpu, traces })
    }
}

fn squirrels() -> AnyGame {
    AnyGame::of::<squirrels::Position>()
}

/// A game from the start, with clocks of ten seconds for the whole game.
fn order(game: &AnyGame) -> GameOrder {
    let spec = |name: &str| EngineSpec {
        name: name.to_string(),
        kind: PlayerKind::Random,
        clock: GameClock::Game(10.0),
        margin: 0.0,
    };
    let opening = random_opening(game, 0, 1, 1).unwrap();
    let start = restored(game, &opening.input, None).unwrap().position;
    let input = start.stored(TimeControl::Game, Duration::from_secs(10)).unwrap();
    GameOrder {
        game: 3,
        engines: [spec("ann"), spec("bob")],
        opening: Opening { input, ..opening },
        rules: None,
        single: false,
        max_plies: 100,
        at_limit: LimitRule::Draw,
        bounds: Bounds::default(),
        seed: 1,
        random_moves: 0,
        adjudication: Adjudication::default(),
    }
}

fn play(game: &AnyGame, order: &GameOrder, players: [Scripted; 2]) -> Result<GameRecord> {
    let players = players.map(|player| Box::new(player) as Box<dyn Player>);
    recorded_by(|sink| play_game_between(game, players, order, sink))
}

fn recorded_by(play: impl FnOnce(Sink) -> Result<End>) -> Result<GameRecord> {
    let (mut start, mut moves) = (None, Vec::new());
    let end = play(&mut |event| {
        match event {
            Event::Start(told) => start = Some(told),
            Event::Move(told) => moves.push(told),
            Event::End(_) => {}
            other => panic!("{other:?}"),
        }
        Ok(())
    })?;
    Ok(GameRecord { start: start.expect("a start"), moves, end })
}

/// Winner, termination, and reason.
fn words(end: &End) -> (Option<usize>, Termination, &str) {
    (end.winner, end.termination, &end.reason)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_clock_grows_times_add_up_and_a_record_played_again_has_its_own_end(
        cpu in prop::collection::vec(0..1_500u64, 26),
        choices in any::<[u16; 2]>(),
        max_plies in 0..30u32,
        is_by_time in any::<bool>(),
        is_of_halma in any::<bool>(),
    ) {
        let game = if is_of_halma { AnyGame::of::<halma::Position>() } else { squirrels() };
        let at_limit = if is_by_time { LimitRule::Time } else { LimitRule::Draw };
        let order = GameOrder { max_plies, at_limit, ..order(&game) };
        let own = |half: usize| player(&cpu[13 * half..][..13], choices[half].into());
        let played = play(&game, &order, [own(0), own(1)]).unwrap();
        let (mut used, mut left) = ([0.0; 2], [10.0; 2]);
        for (ply, mv) in played.moves.iter().enumerate() {
            let side = usize::from(mv.side != game.sides[0]);
            prop_assert_eq!(mv.ply as usize, ply);
            prop_assert!(mv.left.unwrap() <= left[side]);
            used[side] += mv.cpu;
            left[side] = mv.left.unwrap();
            prop_assert!((used[side] + left[side] - 10.0).abs() < 1e-6, "{mv:?}");
            prop_assert_eq!(&mv.note, &Some("one; two".to_string()));
        }
        let end = &played.end;
        if let Some(fault) = &end.fault {
            used[fault.player] += fault.cpu;
            prop_assert_eq!(end.termination, Termination::TimeForfeit);
            prop_assert!(used[fault.player] > 10.0);
            prop_assert_eq!(end.winner, Some(1 - fault.player));
        }
        for (side, used) in used.into_iter().enumerate() {
            prop_assert!((end.cpu[side] - used).abs() < 1e-6);
        }
        let turns = played.moves.len() + usize::from(end.fault.is_some());
        prop_assert_eq!(end.waited.iter().sum::<f64>(), turns as f64 / 4.0);
        prop_assert_eq!(end.plies as usize, played.moves.len());
        prop_assert!(end.plies <= max_plies);
        if end.termination == Termination::TimeAtMoveLimit {
            prop_assert_eq!(end.winner, Some(usize::from(left[0] < left[1])));
        }
        // What a fault was is not told by the moves.
        prop_assert_eq!(difference(&game, &order, &played).unwrap(), None);
    }
}

#[test]
fn a_game_ends_by_its_rules_its_move_limit_or_the_time_that_is_left() {
    let game = squirrels();
    let by_time = |order: &mut GameOrder| order.at_limit = LimitRule::Time;
    let untimed = |order: &mut GameOrder| {
        order.at_limit = LimitRule::Time;
        order.engines[1].margin = UNTIMED;
    };
    let each_turn = |order: &mut GameOrder| {
        order.at_limit = LimitRule::Time;
        order.engines[0].clock = GameClock::Single(20.0);
    };
    let limit = "no end after 4 plies";
    let more = format!("{limit}; time left: X 7.00 s, O 8.00 s");
    let less = format!("{limit}; time left: X 9.00 s, O 8.00 s");
    let single = format!("{limit}; time left: X 20.00 s, O 8.00 s");
    let (draw, time) = (Termination::DrawByMoveLimit, Termination::TimeAtMoveLimit);
    type Change<'a> = &'a dyn Fn(&mut GameOrder);
    let cases: [(Change, _, _); 6] = [
        (&|_| {}, 3_000, (None, draw, limit)),
        (&by_time, 3_000, (Some(1), time, &more)),
        (&by_time, 1_000, (Some(0), time, &less)),
        (&by_time, 2_000, (None, draw, limit)),
        (&untimed, 3_000, (None, draw, limit)),
        (&each_turn, 3_000, (Some(0), time, &single)),
    ];
    for (change, cpu, expected) in cases {
        let mut order = GameOrder { max_plies: 4, ..order(&game) };
        change(&mut order);
        let played = play(&game, &order, [player(&[cpu], 1), player(&[0, 2_000], 2)]).unwrap();
        assert_eq!(words(&played.end), expected);
        assert_eq!((played.end.game, played.end.players), (3, played.start.players));
    }
    let single = GameOrder { single: true, ..order(&game) };
    let played = play(&game, &single, [player(&[], 1), player(&[], 1)]).unwrap();
    assert_eq!(words(&played.end), (None, Termination::LegalMove, "a legal move in time"));
    assert_eq!((played.end.plies, played.end.board), (1, None));
    let mut ends = Vec::new();
    for choice in 0..8 {
        let end = play(&game, &order(&game), [player(&[], choice), player(&[], 9)]).unwrap().end;
        let points = end.points.unwrap();
        assert_eq!((end.plies, end.termination), (25, Termination::Normal));
        assert_eq!(end.winner, (points != 0).then_some(usize::from(points < 0)));
        assert_eq!(end.reason, format!("points: X {}", describe(points)));
        assert!(end.board.is_some());
        ends.push(end.winner);
    }
    assert!(ends.contains(&Some(0)) && ends.contains(&Some(1)), "{ends:?}");
}

#[test]
fn a_fault_gives_the_game_to_the_other_side_with_its_evidence() {
    let game = AnyGame::of::<halma::Position>();
    let mut order = order(&game);
    order.engines[1].clock = GameClock::Single(2.0);
    let failing = || Scripted {
        last: Some((15, Fault::new(Termination::IllegalMove, "it is occupied"))),
        ..player(&[&[100; 15][..], &[1_250]].concat(), 3)
    };
    let played = play(&game, &order, [player(&[1_000], 3), failing()]).unwrap();
    // The second side begins.
    let reason = format!("{} (ply 31): it is occupied", game.sides[1]);
    assert_eq!(words(&played.end), (Some(0), Termination::IllegalMove, &*reason));
    assert_eq!((played.end.plies, &played.end.board), (30, &None));
    let fault = played.end.fault.as_ref().unwrap();
    assert_eq!((fault.player, fault.cpu, fault.wall, fault.waited), (1, 1.25, 2.5, 0.25));
    assert_eq!((fault.legal.len(), fault.output.as_deref()), (MOST_LEGAL, Some("its file")));
    assert!(fault.legal_count > MOST_LEGAL);
    let head = format!("SINGLE\n{}\n2.0\n", game.sides[1]);
    assert!(fault.input.starts_with(&head), "{}", fault.input);
    assert_eq!((played.moves[0].left, played.moves[1].left), (None, Some(9.0)));
    order.opening.input = played.start.opening.clone();
    assert_eq!(difference(&game, &order, &played).unwrap(), None);
    // An opponent whose time is not charged is of the game, so that nobody loses by its fault.
    order.engines[1].margin = UNTIMED;
    let error = play(&game, &order, [player(&[], 3), failing()]).unwrap_err();
    assert!(NoTurn::is_of_rules(&error), "{error}");
    let words =
        "the opponent bob of halma failed: it is occupied (no fault of the program's against it)";
    assert_eq!(error.to_string(), words);
}

#[test]
fn scores_end_a_game_that_the_rules_have_not_ended() {
    let game = squirrels();
    let resign = Adjudication { resign: Some(Resign { score: 50, moves: 2 }), draw: None };
    let draw =
        Adjudication { resign: None, draw: Some(DrawRule { from: 0, moves: 13, score: 60 }) };
    let scored = |score| Scripted { score: Some(score), ..player(&[], 1) };
    let ended = |adjudication, max_plies, scores: [i32; 2]| {
        let order = GameOrder { adjudication, max_plies, ..order(&game) };
        let played = play(&game, &order, scores.map(scored)).unwrap();
        assert_eq!(difference(&game, &order, &played).unwrap(), None);
        (played.end.plies, played.end.winner, played.end.termination)
    };
    assert_eq!(ended(resign, 100, [0, -50]), (4, Some(0), Termination::Resigned));
    assert_eq!(ended(resign, 100, [-50, 0]), (3, Some(1), Termination::Resigned));
    // The limit of moves comes first.
    assert_eq!(ended(resign, 3, [-50, 0]), (3, None, Termination::DrawByMoveLimit));
    assert_eq!(ended(draw, 24, [0, 0]).2, Termination::DrawByMoveLimit);
    let order = GameOrder { adjudication: resign, ..order(&game) };
    let end = play(&game, &order, [scored(-70), scored(0)]).unwrap().end;
    assert_eq!(end.reason, "X: its own score was -50 or less for 2 moves");
}

#[test]
fn a_record_that_differs_says_where() {
    let game = squirrels();
    let order = GameOrder { max_plies: 6, ..order(&game) };
    let played = play(&game, &order, [player(&[], 1), player(&[], 2)]).unwrap();
    type Change = fn(&mut GameRecord);
    let fault = |text: &str| FaultRecord { output: Some(text.into()), ..FaultRecord::default() };
    let cases: [(Change, &str); 7] = [
        (|it| it.start.opening.push('x'), "it begins elsewhere"),
        (|it| it.moves[2].side = "O".into(), "ply 3: X is to move"),
        (|it| it.moves[4].output = it.moves[0].output.clone(), "ply 5: "),
        (|it| it.moves.push(it.moves[0].clone()), "ply 1: the game is over: no end after 6 plies"),
        (|it| it.moves.truncate(5), "the game goes on after the last move"),
        (
            |it| it.end.termination = Termination::Normal,
            "the result is another one: no end after 6 plies",
        ),
        (|it| it.end.winner = Some(1), "the result is another one: no end after 6 plies"),
    ];
    for (change, expected) in cases {
        let mut changed = played.clone();
        change(&mut changed);
        let found = difference(&game, &order, &changed).unwrap().expect(expected);
        assert!(found.starts_with(expected), "{found}: {expected}");
    }
    // A file for which a player lost, and which is a move by the rules of today.
    let mut lost = played.clone();
    let legal = lost.moves.pop().unwrap();
    lost.end.plies = 5;
    for (termination, text, expected) in [
        (Termination::BadFormat, "nonsense", None),
        (Termination::Stall, &*legal.output, None),
        (Termination::IllegalMove, &*legal.output, Some("ply 6: the output file is the move ")),
    ] {
        lost.end.termination = termination;
        lost.end.fault = Some(fault(text));
        let found = difference(&game, &order, &lost).unwrap();
        let is_expected = match (&found, expected) {
            (Some(found), Some(expected)) => *found == format!("{expected}{}", legal.mv),
            (found, expected) => found.is_none() && expected.is_none(),
        };
        assert!(is_expected, "{termination}: {found:?}");
    }
    let faulty = GameRecord { moves: played.moves.clone(), ..lost };
    let found = difference(&game, &order, &faulty).unwrap();
    assert_eq!(found.unwrap(), "ply 6: the game is over: no end after 6 plies");
}

#[test]
fn the_seeds_of_the_players_differ_in_the_lowest_bit() {
    let game = squirrels();
    let order = GameOrder { seed: 6, ..order(&game) };
    let player = |seed| Reference::new(&PlayerKind::Random, seed).unwrap();
    let players = [6, 7].map(|seed| Box::new(player(seed)) as Box<dyn Player>);
    let moves = |played: Result<GameRecord>| -> Vec<String> {
        played.unwrap().moves.into_iter().map(|mv| mv.mv).collect()
    };
    let expected = moves(recorded_by(|sink| play_game_between(&game, players, &order, sink)));
    assert_eq!(moves(recorded_by(|sink| play_game(&game, &order, sink))), expected);
}
