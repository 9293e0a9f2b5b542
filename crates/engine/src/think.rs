//! The whole way from a task to the move to play, as one call: [`think`]. Programs, libraries, players of a judge, tests
//! and pages all choose moves by it.

use crate::clock::{Budget, Clock, DEFAULT_HASH_MIB};
use crate::course::Course;
use crate::game::Side;
use crate::insight::{Count, Curve, Proven};
use crate::protocol::{Protocol, Task};
use crate::reference::{self, Found};
use crate::score::{Score, outcome_score};
use crate::search::{self, Knowledge, Limits, Mode, Searcher};
pub use crate::watch::Listener;
use crate::watch::Watch;
use std::cell::Cell;
use std::time::Duration;

/// A game that moves can be chosen for: its rules, its texts, and what is known beyond them.
pub trait Playable: Protocol {
    /// What the search knows of the game.
    type Knowledge: Knowledge<Self> + Default;
    /// Settings that only this game has and that bear on the choice of a move; `()` if there are none.
    type Own: Clone + std::fmt::Debug + Default + Send + Sync;
    /// Algorithms that only this game has, beside those of [`Algorithm::NAMES`]: name and help. [`Playable::advise`] is
    /// asked for their moves.
    const ALGORITHMS: &'static [(&'static str, &'static str)] = &[];

    /// How programs for this game are graded unless told otherwise.
    const COURSE: Course = Course::USUAL;

    /// The winning chances that scores stand for, fitted to results of games (`judge analyse --fit`). `None` where nobody
    /// has fitted them: [`Playable::curve`] then takes a guess.
    const CURVE: Option<Curve> = None;

    /// A board at its limits, hardly ever reached by play and perhaps finished, for this side to move: the part of an
    /// input file behind its third line. The same for the same seed. `None` for games without such boards.
    #[must_use]
    fn extreme_board(side: Side, seed: u64) -> Option<String> {
        let _ = (side, seed);
        None
    }

    /// The knowledge to search with.
    #[must_use]
    fn knowledge() -> Self::Knowledge {
        Self::Knowledge::default()
    }

    /// The knowledge to search with, where the game's own settings bear on it.
    #[must_use]
    fn knowledge_with(own: &Self::Own) -> Self::Knowledge {
        let _ = own;
        Self::knowledge()
    }

    /// The knowledge to search with by a clock, where answers need not be the same on every machine.
    #[must_use]
    fn clocked_knowledge(own: &Self::Own) -> Self::Knowledge {
        Self::knowledge_with(own)
    }

    /// What a search by a clock may take of it, where the game knows better than the usual budget.
    #[must_use]
    fn share(_task: &Task<Self>, usual: Budget) -> Budget {
        usual
    }

    /// What is known of a task without the search: from a table or a stored strategy, by an exact solver, or by an
    /// algorithm of [`Playable::ALGORITHMS`]. Asked once for each move, before the search, and never where a plain
    /// algorithm is asked for. What takes time keeps to the limits of the [`Ask`]. Moves named are legal, and not
    /// disputed unless there are no others.
    fn advise(ask: &Ask<Self>) -> Advice<Self::Move> {
        let _ = ask;
        Advice::Nothing
    }

    /// The winning chances that scores stand for: [`Playable::CURVE`], or a guess from the size of the first aspiration
    /// window, [`Knowledge::aspiration`].
    #[must_use]
    fn curve() -> Curve {
        /// Windows that are worth odds of e to 1: 200 / 30 in FoxGame, whose scores are fitted to results.
        const WINDOWS: f64 = 7.0;
        Self::CURVE.unwrap_or_else(|| {
            let window = Self::knowledge().aspiration().max(1);
            Curve { points: WINDOWS * f64::from(window), first: 0.0, tempo: 0.0 }
        })
    }

    /// The result of a position that is not finished with best play of both sides, where it is known for certain: from a
    /// table, a stored strategy or an exact solver. Takes less than a second, and depends on the position alone.
    #[must_use]
    fn proven(position: &Self) -> Option<Proven<Self::Move>> {
        let _ = position;
        None
    }

    /// What can be counted on a board and matters to a side, for explanations: the pieces it has lost, the way it has
    /// still to go. The same things in the same order for every position. Empty if there is nothing to count.
    #[must_use]
    fn counts(position: &Self, side: Side) -> Vec<Count> {
        let _ = (position, side);
        Vec::new()
    }

    /// The parts of the evaluation, named for people, in points for the side to move; their sum is the evaluation.
    /// Empty where the game does not tell.
    #[must_use]
    fn terms(position: &Self) -> Vec<(&'static str, Score)> {
        let _ = position;
        Vec::new()
    }

    /// The position as the search should see it, which may allow the opponent more than the rules do: not every
    /// opponent keeps the stricter of two rule sets. The side to move and its moves are the same.
    #[must_use]
    fn as_searched(position: &Self) -> Self {
        position.clone()
    }
}

/// What a game says of a task before the search ([`Playable::advise`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Advice<M> {
    /// The move to play, and where it comes from and what is known of it, in a few words.
    Move(M, String),
    /// The moves that are not known to be mistakes, at least one: the search chooses among them.
    Among(Vec<M>),
    /// Nothing is known that helps.
    Nothing,
}

/// What [`Playable::advise`] is asked about.
pub struct Ask<'a, G: Playable> {
    /// The position, its time control and its clock.
    pub task: &'a Task<G>,
    /// What the caller wants.
    pub settings: &'a Settings<G::Own>,
    /// What the clock allows; `None` where a depth or a number of nodes is asked for, and the clock does not count.
    pub budget: Option<Budget>,
    clock: &'a dyn Clock,
    polls: Cell<u64>,
}

impl<G: Playable> Ask<'_, G> {
    /// The part of the hard limit that advice may take: where there is none in the end, the search needs the rest.
    const PART: f64 = 0.6;
    /// Positions between two calls of [`Ask::should_stop`].
    const POSITIONS_A_POLL: u64 = 100;

    /// Time used until now, on the scale of the budget.
    #[must_use]
    pub fn used(&self) -> Duration {
        self.clock.used()
    }

    /// Whether an algorithm that looks for advice should give up: its part of the clock, or the nodes asked for, are
    /// used up. To be called once in a hundred positions looked at.
    #[must_use]
    pub fn should_stop(&self) -> bool {
        self.has_used(Self::PART)
    }

    /// Like [`Ask::should_stop`] for an algorithm that has advice to give and looks for a better one: nothing is left for the
    /// search.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.has_used(1.0)
    }

    fn has_used(&self, part: f64) -> bool {
        self.polls.set(self.polls.get() + 1);
        self.budget.is_some_and(|budget| self.used() >= budget.hard.mul_f64(part))
            || self.settings.nodes.is_some_and(|nodes| self.polls.get() * Self::POSITIONS_A_POLL >= nodes)
    }
}

/// How to look for a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Advice, then iterative deepening within the clock: the strongest play.
    #[default]
    Iterative,
    /// Plain alpha-beta to a fixed depth, 3 plies unless the settings name another.
    Alphabeta,
    /// Plain minimax to a fixed depth, 2 plies unless the settings name another.
    Minimax,
    /// The move that looks best one ply ahead.
    Greedy,
    /// One of [`Playable::ALGORITHMS`], by its name.
    Own(&'static str),
}

impl Algorithm {
    /// The algorithms that every game has: name, help, and the algorithm.
    pub const NAMES: [(&'static str, &'static str, Algorithm); 4] = [
        ("iterative", "Iterative deepening within the clock: the strongest play", Algorithm::Iterative),
        ("alphabeta", "Plain alpha-beta to a fixed depth (3 unless --depth is given)", Algorithm::Alphabeta),
        ("minimax", "Plain minimax to a fixed depth (2 unless --depth is given)", Algorithm::Minimax),
        ("greedy", "The move that looks best one ply ahead", Algorithm::Greedy),
    ];
}

/// How to think: plain data, whoever fills it in. `Own` is the game's [`Playable::Own`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings<Own = ()> {
    /// How to look for a move.
    pub algorithm: Algorithm,
    /// The depth to search to, in plies, whatever the clock says; from 1 to [`MAX_PLY`](search::MAX_PLY) - 1.
    pub depth: Option<u32>,
    /// The number of nodes to search, whatever the clock says.
    pub nodes: Option<u64>,
    /// The size of the transposition table in MiB; what the clock can fill unless given, at most [`DEFAULT_HASH_MIB`].
    pub hash_mib: Option<u32>,
    /// Search every move to the full depth, without selective options.
    pub full_width: bool,
    /// The game's own settings.
    pub own: Own,
}

impl<Own: Default> Settings<Own> {
    /// Settings for a search of a number of nodes, which gives the same move on every machine.
    #[must_use]
    pub fn with_nodes(nodes: u64) -> Settings<Own> {
        Settings { nodes: Some(nodes), ..Settings::default() }
    }
}

impl<Own> Settings<Own> {
    /// Whether the clock counts: not where a depth or a number of nodes is asked for.
    #[must_use]
    pub fn timed(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none()
    }

    /// Where a search ends by depth or nodes.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let none = Limits::default();
        Limits { depth: self.depth.unwrap_or(none.depth), nodes: self.nodes.unwrap_or(none.nodes) }
    }

    fn hash_bytes(&self) -> Option<usize> {
        self.hash_mib.map(|mib| (mib as usize) << 20)
    }
}

/// The move that was chosen, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play.
    pub best: M,
    /// Where the move comes from, if not from a search, and what is known of it, in a few words.
    pub advice: Option<String>,
    /// What the search found; `None` for the only move and for advice.
    pub search: Option<search::Report<M>>,
}

/// Chooses the move to play: what the game advises, or else what the algorithm of the settings finds, within the task's
/// clock (measured by `clock`) or the depth and nodes of the settings. The position is not finished.
///
/// # Panics
/// If the position has no legal move.
pub fn think<G: Playable>(task: &Task<G>, settings: &Settings<G::Own>, clock: &dyn Clock) -> Report<G::Move> {
    think_aloud(task, settings, clock, &mut ())
}

/// Like [`think`], with a listener.
///
/// # Panics
/// If the position has no legal move.
pub fn think_aloud<G: Playable>(
    task: &Task<G>,
    settings: &Settings<G::Own>,
    clock: &dyn Clock,
    listener: &mut impl Listener<G::Move>,
) -> Report<G::Move> {
    let position = &task.position;
    let mut moves = moves_for_every_grader(position);
    if let [only] = moves[..] {
        return Report { best: only, advice: None, search: None };
    }
    let knowledge = G::knowledge_with(&settings.own);
    let evaluate = |position: &G| knowledge.evaluate(position);
    let plain = |depth, found: Found<G::Move>| {
        let best = found.best.expect("a position that is not finished has a move");
        let (score, nodes) = (found.value, found.nodes);
        let report = search::Report { best, score, depth, nodes, line: vec![best], proven: false };
        Report { best, advice: None, search: Some(report) }
    };
    match settings.algorithm {
        Algorithm::Iterative | Algorithm::Own(_) => {}
        Algorithm::Alphabeta => {
            let depth = settings.depth.unwrap_or(3);
            return plain(depth, reference::alpha_beta(position, depth, evaluate, &mut ()));
        }
        Algorithm::Minimax => {
            let depth = settings.depth.unwrap_or(2);
            return plain(depth, reference::minimax(position, depth, evaluate, &mut ()));
        }
        Algorithm::Greedy => return plain(1, reference::greedy(position, evaluate)),
    }
    let (budget, table_bytes) = if settings.timed() {
        let (budget, table_bytes) = share_of_clock(task, settings.hash_bytes(), clock);
        (Some(budget), table_bytes)
    } else {
        (None, settings.hash_bytes().unwrap_or(DEFAULT_HASH_MIB << 20))
    };
    match G::advise(&Ask { task, settings, budget, clock, polls: Cell::new(0) }) {
        Advice::Move(best, advice) => return Report { best, advice: Some(advice), search: None },
        Advice::Among(sound) => moves = sound,
        Advice::Nothing => {}
    }
    if let [only] = moves[..] {
        return Report { best: only, advice: None, search: None };
    }
    let mode = if settings.full_width { Mode::FullWidth } else { Mode::Selective };
    let clocked = budget.is_some() && mode == Mode::Selective;
    let knowledge = if clocked { G::clocked_knowledge(&settings.own) } else { knowledge };
    let budget = budget.map(|usual| G::share(task, usual));
    let mut control = Watch::new(clock, budget, listener);
    let mut searcher = Searcher::new(knowledge, mode, table_bytes);
    let report = searcher
        .run_among(&G::as_searched(position), &moves, settings.limits(), &mut control)
        .expect("there is a move to choose");
    if listener.is_last() {
        std::mem::forget(searcher);
    }
    Report { best: report.best, advice: None, search: Some(report) }
}

/// The legal moves without the disputed ones, unless there are no others.
pub fn moves_for_every_grader<G: Protocol>(position: &G) -> Vec<G::Move> {
    let mut moves = position.legal_moves();
    if moves.iter().any(|&mv| !position.is_disputed(mv)) {
        moves.retain(|&mv| !position.is_disputed(mv));
    }
    moves
}

/// The move that looks best one ply ahead, the first of equals: what can be left at once, in case there is no time for
/// more. The position is not finished.
///
/// # Panics
/// If the position has no legal move.
pub fn best_at_sight<G: Playable>(position: &G) -> G::Move {
    let knowledge = G::knowledge();
    let side = position.side_to_move();
    let value = |mv| {
        let mut after = position.clone();
        after.play(mv);
        match after.outcome() {
            Some(outcome) => outcome_score(outcome, side, 1),
            None if after.side_to_move() == side => knowledge.evaluate(&after),
            None => -knowledge.evaluate(&after),
        }
    };
    // The last of the largest in reverse order is the first.
    let best = moves_for_every_grader(position).into_iter().rev().max_by_key(|&mv| value(mv));
    best.expect("a position that is not finished has a move")
}

/// What one move may take of the task's clock: its budget, and the size in bytes of the transposition table, which is the
/// one that the clock can fill unless `hash_bytes` are asked for.
pub fn share_of_clock<G: Playable>(task: &Task<G>, hash_bytes: Option<usize>, clock: &dyn Clock) -> (Budget, usize) {
    let knowledge = G::knowledge();
    let moves_left = knowledge.moves_left(&task.position);
    let fitting = || Budget::table_bytes(task.control, task.clock, moves_left, knowledge.stored_per_second());
    let table_bytes = hash_bytes.unwrap_or_else(fitting);
    (Budget::new(task.control, task.clock, moves_left, clock.used(), table_bytes), table_bytes)
}
