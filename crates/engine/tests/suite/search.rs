//! Tests of the search and of the reference searches on tic-tac-toe.

use crate::tictactoe::{OpenLines, Position};
use engine::conformance::{Effort, suite};
use engine::reference::{self, MINUS_INFINITY, PLUS_INFINITY};
use engine::search::{
    Knowledge, LateMoves, Limits, Mode, Observer, Report, Score, Searcher, Selectivity,
    TranspositionTable, Visit,
};
use engine::{Game, OneRuleSet, Protocol, Side, perft};
use std::sync::Arc;

fn start() -> Position {
    Position::start(OneRuleSet)
}

fn run(position: &Position, mode: Mode, limits: Limits) -> Report<u8> {
    Searcher::new(OpenLines, mode, 1 << 16).run(position, limits, &mut ()).unwrap()
}

#[test]
fn the_example_game_passes_the_suite_that_every_game_must_pass() {
    suite(&[start()], Effort { games: 20, ..Effort::default() }, 1);
}

#[test]
fn perft_counts_the_games_of_tic_tac_toe() {
    assert_eq!([1, 2, 3, 9].map(|depth| perft(&mut start(), depth)), [9, 72, 504, 127_872]);
}

#[test]
fn a_solved_game_ends_the_search_with_a_proven_draw() {
    let report = run(&start(), Mode::FullWidth, Limits::default());
    assert_eq!((report.score, report.depth, report.proven), (0, 9, true));
}

#[test]
fn the_shortest_win_is_chosen_and_proven() {
    // X can complete the top row at once.
    let position = Position::new([0b11, 0b110_000], Side::First);
    let report = run(&position, Mode::FullWidth, Limits::default());
    assert_eq!((report.best, report.proven, report.depth), (2, true, 1));
    assert_eq!(engine::score::describe(report.score), "win in 1");
}

/// Knowledge with the strongest late-move reductions when one of these sides is to move at the
/// root, and none otherwise.
#[derive(Clone)]
struct Reckless(&'static [Side]);

impl Knowledge<Position> for Reckless {
    fn evaluate(&self, position: &Position) -> Score {
        OpenLines.evaluate(position)
    }

    fn selectivity(&self, searches: Side) -> Selectivity {
        let late_moves = LateMoves { least_depth: 2, full_moves: 1, base: 1.0, divisor: 1.0 };
        let late_moves = self.0.contains(&searches).then_some(late_moves);
        Selectivity { late_moves, repetition_is_draw: true, ..Selectivity::NONE }
    }
}

#[test]
fn full_width_mode_turns_every_selective_option_off() {
    let run = |mode| {
        Searcher::new(Reckless(&Side::BOTH), mode, 1 << 16)
            .run(&start(), Limits { depth: 6, ..Limits::default() }, &mut ())
            .unwrap()
    };
    let plain = reference::minimax(&start(), 6, |position| OpenLines.evaluate(position), &mut ());
    assert_eq!(run(Mode::FullWidth).score, plain.value);
    assert!(run(Mode::Selective).nodes < run(Mode::FullWidth).nodes);
}

#[test]
fn the_options_are_those_of_the_side_that_searches_also_when_one_searcher_serves_both() {
    let limits = Limits { depth: 6, ..Limits::default() };
    let second = start().after(4);
    let nodes = |searcher: &mut Searcher<_, _>, at: &Position| {
        searcher.run(at, limits, &mut ()).unwrap().nodes
    };
    let fresh = |at: &Position, sides| {
        nodes(&mut Searcher::new(Reckless(sides), Mode::Selective, 1 << 16), at)
    };
    let [first, last]: [&[Side]; 2] = [&[Side::First], &[Side::Second]];
    for (at, own, other) in [(&start(), first, last), (&second, last, first)] {
        assert_eq!(fresh(at, own), fresh(at, &Side::BOTH));
        assert!(fresh(at, other) > fresh(at, own));
    }
    // One searcher serves the first side, the second, and the first again. Its table is the
    // smallest one, so that no search profits from the one before it.
    let mut both = Searcher::new(Reckless(last), Mode::Selective, 64);
    let turns = [&start(), &second, &start()].map(|at| nodes(&mut both, at));
    assert!(turns[1] < turns[0] && turns[1] < turns[2], "{turns:?}");
}

#[test]
fn a_search_limited_by_nodes_repeats_itself_and_keeps_the_limit() {
    for nodes in [1, 2, 50, 700] {
        let limits = Limits { nodes, ..Limits::default() };
        let report = run(&start(), Mode::Selective, limits);
        assert_eq!(run(&start(), Mode::Selective, limits), report);
        assert!(report.nodes <= nodes && start().is_legal(report.best));
    }
}

#[test]
fn a_thread_that_comes_later_is_spared_work() {
    let table = Arc::new(TranspositionTable::new(1 << 20));
    let limits = Limits { depth: 6, ..Limits::default() };
    let [done, found] = [(); 2].map(|()| {
        let mut searcher = Searcher::with_table(OpenLines, Mode::FullWidth, table.clone());
        searcher.run(&start(), limits, &mut ()).unwrap()
    });
    assert_eq!((found.score, found.best), (done.score, done.best));
    assert!(found.nodes < done.nodes, "{} after {}", found.nodes, done.nodes);
}

/// An observer that stops after the second iteration.
struct Impatient(bool);

impl Observer<u8> for Impatient {
    fn iteration(&mut self, report: &Report<u8>) {
        self.0 = report.depth >= 2;
    }

    fn wants_stop(&mut self) -> bool {
        self.0
    }
}

#[test]
fn an_observer_ends_the_search_between_iterations() {
    let report = Searcher::new(OpenLines, Mode::Selective, 1 << 12)
        .run(&start(), Limits::default(), &mut Impatient(false))
        .unwrap();
    assert_eq!((report.depth, report.line.len()), (2, 2));
}

/// An observer that records all visits.
struct Log(Vec<Visit<u8>>);

impl Observer<u8> for Log {
    fn visit(&mut self, visit: Visit<u8>) {
        self.0.push(visit);
    }
}

#[test]
fn an_observer_sees_an_inner_node_when_entered_and_after_every_child_and_a_leaf_once() {
    let mut log = Log(Vec::new());
    let found = reference::minimax(&start(), 2, |position| OpenLines.evaluate(position), &mut log);
    let at = |ply| log.0.iter().filter(move |visit| visit.ply == ply).collect::<Vec<_>>();
    assert_eq!((at(0).len(), at(1).len(), at(2).len()), (1 + 9, 9 * (1 + 8), 9 * 8));
    assert_eq!((at(0)[0].value, at(0)[9].value), (MINUS_INFINITY, found.value));
    assert_eq!(at(1)[0].value, PLUS_INFINITY);
    assert_eq!(found.nodes, 1 + 9 + 72);
}

#[test]
fn alpha_beta_shows_the_window_before_a_cut_and_after_an_update() {
    let mut log = Log(Vec::new());
    let evaluate = |position: &Position| OpenLines.evaluate(position);
    let found = reference::alpha_beta(&start(), 3, evaluate, &mut log);
    assert_eq!(found.value, reference::minimax(&start(), 3, evaluate, &mut ()).value);
    let root: Vec<_> = log.0.iter().filter(|visit| visit.ply == 0).collect();
    assert_eq!(root[0].window, (MINUS_INFINITY, PLUS_INFINITY));
    assert!(root[1..].iter().all(|visit| visit.window.0 == visit.value));
    let cut = log.0.iter().find(|visit| visit.ply == 1 && visit.value <= visit.window.0).unwrap();
    assert!(cut.window.1 > cut.value, "beta is not lowered to the value that cuts");
}
