//! A test suite for any game: the contracts that the search, the agents and the judge rely on. A
//! failed check panics with the contract, and the position or input that breaks it.
//!
//! A game's tests call [`suite`] for its rules and search, [`check_perft_table`] for its move
//! generator, [`any_texts`] for its parsers, and [`agent_tests`](crate::agent_tests) for its
//! binary.

mod evaluation;
mod file_faults;
mod files;
mod game_memory;
mod keys;
mod texts;

pub use evaluation::check_points_of_view;
pub use files::{AgentUnderTest, Run, assert_legal};
pub use keys::check_keys;
pub use texts::{any_texts, check_texts};

use crate::drawing::{CellValues, Drawing};
use crate::game::{Game, Outcome, perft, split_mix};
use crate::protocol::{Protocol, RuleSet, Task, TimeControl};
use crate::reference;
use crate::score::{MAX_ESTIMATE, distance_to_end, outcome_score};
use crate::search::{Knowledge, Limits, Mode, Score, Searcher, TranspositionTable};
use crate::symmetry::Symmetry;
use crate::think::{Playable, default_knowledge};
use keys::check_kept;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

/// The size of a run of the suite.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games from each starting position.
    pub games: u32,
    /// The maximum length of a random game, in plies.
    pub plies: u32,
    /// Positions per starting position at which the search is compared with minimax.
    pub searches: u32,
    /// The maximum size of a minimax tree to compare with, in nodes.
    pub tree: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Effort { games: 10, plies: 200, searches: 12, tree: 60_000 }
    }
}

/// Checks a game's rules, files and search on random games from each starting position. The search
/// with the game's knowledge is checked on [`Playable::as_searched`] positions. The same seed
/// repeats a run.
///
/// # Panics
/// On the first broken contract.
pub fn suite<A: Playable>(starts: &[A], effort: Effort, seed: u64) {
    let mut random = StdRng::seed_from_u64(seed);
    check_points_of_view(starts, &default_knowledge::<A>(), effort.games, effort.plies, seed);
    for start in starts {
        check_symmetries(start);
        for game in 0..effort.games {
            let mut position = start.clone();
            for ply in 0..effort.plies {
                check_rules(&position, &mut random);
                check_files(&position);
                let searched = A::as_searched(&position);
                if searched != position {
                    check_rules(&searched, &mut random);
                }
                check_knowledge(&searched, &default_knowledge::<A>());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                if game == 0 && ply < effort.searches {
                    check_symmetries(&position);
                    check_keys(&position);
                    check_search(&position, &HashOfPosition, effort.tree);
                    check_search(&searched, &default_knowledge::<A>(), effort.tree);
                }
                position.play(moves[random.random_range(0..moves.len())]);
            }
            // Compare at the end of a random game too.
            if game < effort.searches {
                let searched = A::as_searched(&position);
                check_search(&position, &HashOfPosition, effort.tree / 4);
                check_search(&searched, &default_knowledge::<A>(), effort.tree / 4);
            }
        }
    }
}

/// Checks that each symmetry of a game is taken back by its inverse, and that each move has its own
/// on the turned board.
pub fn check_symmetries<P: Protocol>(position: &P) {
    assert_eq!(P::SYMMETRIES.first(), Some(&Symmetry::None), "the identity is the first one");
    for &symmetry in P::SYMMETRIES {
        let turned = position.turned(symmetry);
        let within = || format!("{symmetry:?} of {position:?}");
        assert!(P::SYMMETRIES.contains(&symmetry.inverse()), "no inverse: {symmetry:?}");
        assert_eq!(turned.turned(symmetry.inverse()), *position, "{}", within());
        assert_eq!(turned.outcome(), position.outcome(), "{}", within());
        assert_eq!(turned.perft_leaves(), position.perft_leaves(), "{}", within());
        let moves = position.legal_moves().into_iter();
        let images = moves.map(|mv| {
            position
                .turned_move(mv, symmetry)
                .unwrap_or_else(|| panic!("{mv:?} is no move on the turned board: {}", within()))
        });
        let images: HashSet<_> = images.collect();
        assert_eq!(images.len(), turned.legal_moves().len(), "{}", within());
    }
}

/// Checks a position: move generation, legality, undo, incremental state and the end of the game.
pub fn check_rules<G: Game>(position: &G, random: &mut StdRng) {
    check_kept(position, || "at the beginning or after undo".to_string());
    let moves = position.legal_moves();
    let finished = position.outcome().is_some();
    assert_eq!(moves.is_empty(), finished, "moves exist while the game goes on: {position:?}");
    let distinct: HashSet<_> = moves.iter().collect();
    assert_eq!(distinct.len(), moves.len(), "a move is listed twice: {position:?}");
    let codes: HashSet<_> = moves.iter().map(|&mv| position.encode(mv)).collect();
    assert_eq!(codes.len(), moves.len(), "two moves share a code: {position:?}");
    assert!(!codes.contains(&u32::MAX), "u32::MAX is no code");
    assert!(position.perft_leaves() >= moves.len() as u64);
    for &mv in &moves {
        assert!(position.is_legal(mv), "listed but not legal: {mv:?} in {position:?}");
        assert_eq!(position.decode(position.encode(mv)), Some(mv), "in {position:?}");
        let mut after = position.clone();
        let undo = after.play(mv);
        check_kept(&after, || format!("after {mv:?} in {position:?}"));
        assert_ne!(after.key(), position.key(), "the key stays the same: {mv:?} in {position:?}");
        after.undo(mv, undo);
        assert_eq!(after, *position, "undo of {mv:?}");
    }
    let mut odd_codes: Vec<u32> = (0..64).map(|_| random.random()).collect();
    odd_codes.extend((0..64).map(|_| random.random_range(0..1 << 16)));
    if let Some(&code) = codes.iter().next() {
        odd_codes.extend((0..32).map(|bit| code ^ (1 << bit)));
    }
    for code in odd_codes {
        let decoded = position.decode(code);
        let is_listed = decoded.is_none_or(|mv| distinct.contains(&mv));
        assert!(is_listed, "decoded from {code:#x} but not listed: {decoded:?} in {position:?}");
    }
}

fn check_files<P: Protocol>(position: &P) {
    if position.outcome().is_some() {
        return;
    }
    let task = Task {
        position: position.clone(),
        control: TimeControl::Game,
        clock: Duration::from_millis(12_340),
    };
    let text = P::write_task(&task);
    let mut is_found = false;
    for &(_, rules) in P::Rules::ALL {
        let read = P::read_task(&text, rules).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!(P::write_task(&read), text, "the input text does not round-trip");
        is_found |= read.position == *position || read.position.key() != position.key();
        let crlf = text.replace('\n', "\r\n") + "\r\n";
        assert_eq!(P::read_task(&crlf, rules).as_ref(), Ok(&read), "CRLF and blank lines count");
    }
    assert!(is_found, "read as unequal, and nothing distinguishes them: {position:?}\n{text}");
    check_moves_texts(position);
}

/// Checks that output files round-trip, that the texts for people have lines, and that the drawings
/// fit the board.
fn check_moves_texts<P: Protocol>(position: &P) {
    let moves = position.legal_moves();
    for &mv in moves.iter().take(40) {
        let output = position.write_move(mv);
        assert_eq!(position.read_move(&output), Ok(mv), "it does not round-trip:\n{output}");
        assert!(!position.describe_move(mv).contains('\n'));
    }
    for &mv in moves.iter().take(4) {
        let after = position.after(mv);
        if let Some(drawing) = after.drawing(Some((position, mv))) {
            check_drawing(&drawing);
            assert_eq!(position.path(mv), drawing.path);
            check_placed(&after, &drawing);
        }
        assert!(after.picture(Some(mv)).ends_with('\n'));
    }
    assert!(position.picture(None).lines().count() >= 3, "a board is a few whole lines");
}

fn check_drawing(drawing: &Drawing) {
    assert_eq!(drawing.cells.len(), drawing.width * drawing.height);
    assert!(drawing.columns.is_empty() || drawing.columns.len() == drawing.width);
    assert!(drawing.rows.is_empty() || drawing.rows.len() == drawing.height);
    let ends = drawing.lines.iter().flat_map(|&(from, to)| [from, to]);
    for (x, y) in ends.chain(drawing.path.iter().copied()).chain(drawing.changed.iter().copied()) {
        assert!(x < drawing.width && y < drawing.height, "no such place: {x},{y}");
        assert!(!drawing.cells[y * drawing.width + x].missing, "the board has no cell at {x},{y}");
    }
}

fn check_placed<P: Protocol>(position: &P, drawing: &Drawing) {
    let mut owners = vec![None; drawing.cells.len()];
    position.each_placed(&mut |(x, y), owner| {
        assert_eq!(owners[y * drawing.width + x].replace(owner), None, "two pieces on {x},{y}");
    });
    let drawn: Vec<_> =
        drawing.cells.iter().map(|cell| cell.piece.map(|(owner, _)| owner)).collect();
    assert_eq!(owners, drawn, "the pieces are those of the drawing");
    if let Some(CellValues { values, most }) = position.cell_values() {
        assert!(values.len() == drawing.cells.len() && values.iter().all(|&value| value <= most));
    }
    assert!(position.counted_moves().is_none_or(|(done, all)| done <= all));
}

fn check_knowledge<G: Game>(position: &G, knowledge: &impl Knowledge<G>) {
    if position.outcome().is_none() {
        let estimate = knowledge.evaluate(position);
        assert!(estimate.abs() <= MAX_ESTIMATE, "estimate {estimate} of {position:?}");
        assert!(knowledge.moves_left(position) > 0);
    } else if let Some(Outcome::Margin(difference)) = position.outcome() {
        assert!(difference.abs() <= MAX_ESTIMATE);
    }
}

/// Checks that the full-width search returns minimax's value and a move of that value, at every
/// depth whose tree is small enough, with one thread and with two.
pub fn check_search<G: Game>(position: &G, knowledge: &impl Knowledge<G>, tree: u64) {
    if position.outcome().is_some() {
        return;
    }
    // A table this small has many collisions and replacements, which must not change the result.
    let mut small = Searcher::new(knowledge.clone(), Mode::FullWidth, 1 << 12);
    let mut large = Searcher::new(knowledge.clone(), Mode::FullWidth, 1 << 22);
    let table = Arc::new(TranspositionTable::new(1 << 16));
    let mut sharing =
        [(); 2].map(|()| Searcher::with_table(knowledge.clone(), Mode::FullWidth, table.clone()));
    let evaluate = |position: &G| knowledge.evaluate(position);
    for depth in 1..8 {
        if depth > 1 && perft(&mut position.clone(), depth) > tree {
            break;
        }
        let expected = reference::minimax(position, depth, evaluate, &mut ());
        assert_eq!(reference::alpha_beta(position, depth, evaluate, &mut ()).value, expected.value);
        let limits = Limits { depth, ..Limits::default() };
        let run = |one: &mut Searcher<G, _>| one.run(position, limits, &mut ()).unwrap();
        let mut reports = vec![run(&mut small), run(&mut large)];
        std::thread::scope(|scope| {
            let running: Vec<_> =
                sharing.iter_mut().map(|one| scope.spawn(move || run(one))).collect();
            reports.extend(running.into_iter().map(|thread| thread.join().unwrap()));
        });
        for report in reports {
            assert_eq!(report.score, expected.value, "depth {depth} of {position:?}");
            let after = position.after(report.best);
            let value = match after.outcome() {
                Some(outcome) => outcome_score(outcome, position.side_to_move(), 1),
                None => {
                    -deeper_by_one(reference::minimax(&after, depth - 1, evaluate, &mut ()).value)
                }
            };
            assert_eq!(value, report.score, "not worth it: {:?} in {position:?}", report.best);
        }
    }
}

/// A value one ply deeper: the distance of wins and losses grows.
fn deeper_by_one(value: Score) -> Score {
    match distance_to_end(value) {
        Some(_) => value - value.signum(),
        None => value,
    }
}

/// Checks the numbers of lines of play from the start. Each line of the table has the name of a
/// rule set and the numbers of lines of one move, of two moves, and so on.
pub fn check_perft_table<P: Protocol>(table: &str) {
    for line in table.lines() {
        let mut words = line.split(' ');
        let start = words.next().and_then(P::Rules::by_name).map(P::start).expect("a rule set");
        for (depth, count) in (1..).zip(words) {
            check_perft(&start, depth, count.parse().expect("a number"));
        }
    }
}

/// Checks the number of lines of play of `depth` moves from a position.
#[track_caller]
pub fn check_perft<G: Game>(position: &G, depth: u32, expected: u64) {
    let found = perft(&mut position.clone(), depth);
    assert_eq!(found, expected, "lines of {depth} moves from {position:?}");
}

/// An evaluation by a hash: hardly any two positions share an estimate, so that a search that
/// visits other positions than minimax returns another value.
#[derive(Clone)]
struct HashOfPosition;

impl<G: Game> Knowledge<G> for HashOfPosition {
    fn evaluate(&self, position: &G) -> Score {
        (split_mix(position.key_within(0)) % 40_001) as Score - 20_000
    }
}
