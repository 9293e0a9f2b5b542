//! The choice of a move for a task, as one call: [`think`].

use crate::charges::Charges;
use crate::clock::{Budget, Clock, table_bytes_for_nodes};
use crate::protocol::{Protocol, Task};
use crate::reference::{self, ReferenceResult};
use crate::score::outcome_score;
use crate::search::{self, Knowledge, Limits, Mode, Observer, Searcher, TranspositionTable};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// A game that the engine can play: rules, files, and what choosing a move needs beyond them.
pub trait Playable: Protocol {
    /// The evaluation, move ordering and options of the search.
    type Knowledge: Knowledge<Self> + Default;
    /// The settings of this game alone that affect the choice of a move; `()` if there are none.
    type Own: Clone + std::fmt::Debug + Default + Send + Sync;
    /// Stored results that a program may be built without, such as a page that fetches them. In the
    /// sources they are `data/NAME.bin` of the game's crate.
    const STORES: &'static [StoredResults] = &[];

    /// The knowledge of a search. It may depend on what limits the search, since a search by the
    /// clock need not give the same answer on every machine.
    fn knowledge(own: &Self::Own, limit: LimitKind) -> Self::Knowledge {
        let _ = (own, limit);
        Self::Knowledge::default()
    }

    /// What is known of a task without the search: from a table, a stored strategy or an exact
    /// solver.
    ///
    /// It is called once per move, and not for the plain algorithms. A long computation keeps to
    /// the limits of the [`Ask`]. The moves must be legal, and not disputed
    /// ([`Protocol::is_disputed`]) unless all are.
    fn advise(ask: &Ask<Self>) -> Advice<Self::Move> {
        let _ = ask;
        Advice::Nothing
    }

    /// The time budget of a search that is limited by a clock, if a game adjusts the usual one.
    fn share(_task: &Task<Self>, usual: Budget) -> Budget {
        usual
    }

    /// The position that the search starts from. It may allow the opponent more than the rules do,
    /// since not every opponent keeps to the stricter of two rule sets. The side to move and its
    /// moves are the same.
    fn as_searched(position: &Self) -> Self {
        position.clone()
    }
}

/// Stored results of a game: an item of [`Playable::STORES`].
#[derive(Clone, Copy, Debug)]
pub struct StoredResults {
    /// The name of the file, without `.bin`.
    pub name: &'static str,
    /// Takes the bytes of the file in a program that does not contain them; the error says what is
    /// wrong with them.
    pub provide: fn(Vec<u8>) -> Result<(), String>,
}

/// The limit of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitKind {
    /// A depth or a number of nodes: the answer is the same on every machine.
    Count,
    /// The clock.
    Clock,
}

/// The knowledge of a search with the game's default settings, limited by depth or nodes.
pub fn default_knowledge<G: Playable>() -> G::Knowledge {
    G::knowledge(&G::Own::default(), LimitKind::Count)
}

/// The answer of [`Playable::advise`].
#[derive(Clone, Debug, PartialEq)]
pub enum Advice<M> {
    /// The move to play; its source and what is known of it, in a few words.
    Move(M, String),
    /// The moves, at least one, among which the search chooses.
    Among(Vec<M>),
    /// A plan, which is followed unless a search finds better.
    Plan(Plan<M>),
    /// No advice.
    Nothing,
}

/// The own moves, in order, that reach an aim whatever the opponent does, or unless it hinders
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<M> {
    /// The moves, at least one; the first is to be played now.
    pub moves: Vec<M>,
    /// The source of the plan and what is known of it, in a few words.
    pub why: String,
    /// The search that the plan gives way to, if any.
    pub unless: Option<BetterSearch<M>>,
}

/// The search beside a [`Plan`]. Its move is played if it is proven to win, or if the search has
/// completed a depth.
#[derive(Clone, Debug, PartialEq)]
pub struct BetterSearch<M> {
    /// The moves to choose among, at least one.
    pub among: Vec<M>,
    /// The depth, in plies, from which an unproven result counts for more than the plan.
    pub depth: u32,
}

/// A request for advice: the argument of [`Playable::advise`].
pub struct Ask<'a, G: Playable> {
    /// The position, its time control and its clock.
    pub task: &'a Task<G>,
    /// The caller's settings.
    pub settings: &'a Settings<G::Own>,
    /// The time budget; `None` if a depth or a number of nodes is set.
    pub budget: Option<Budget>,
    clock: &'a dyn Clock,
    smaller_table: RefCell<&'a mut dyn FnMut(usize, usize)>,
    polls: Cell<u64>,
}

impl<G: Playable> Ask<'_, G> {
    /// The fraction of the hard limit that advice may use; the search needs the rest if none comes.
    const PART: f64 = 0.6;
    const POSITIONS_A_POLL: u64 = 100;

    /// Tells the observer that a table has `had` bytes, fewer than asked for. The observer may then
    /// want the algorithm to stop ([`Ask::should_stop`]).
    pub fn has_smaller_table(&self, asked: usize, had: usize) {
        (self.smaller_table.borrow_mut())(asked, had);
    }

    /// The time used so far, on the scale of the budget.
    pub fn used(&self) -> Duration {
        self.clock.used()
    }

    /// Whether an algorithm without advice yet should give up: its part of the clock, or the nodes
    /// of the settings, are used up. To be called once for every hundred positions examined.
    pub fn should_stop(&self) -> bool {
        self.has_used(Self::PART)
    }

    /// Like [`Ask::should_stop`], for an algorithm that improves the advice it has: it may use the
    /// whole hard limit, since no search follows.
    pub fn is_over(&self) -> bool {
        self.has_used(1.0)
    }

    fn has_used(&self, part: f64) -> bool {
        self.polls.set(self.polls.get() + 1);
        let positions = self.polls.get() * Self::POSITIONS_A_POLL;
        self.budget.is_some_and(|budget| self.used() >= budget.hard.mul_f64(part))
            || self.settings.nodes.is_some_and(|nodes| positions >= nodes)
    }
}

/// The algorithm that chooses the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Algorithm {
    /// Advice of the game, then iterative deepening within the clock.
    #[default]
    Iterative,
    /// Plain alpha-beta to a fixed depth, 3 plies by default.
    Alphabeta,
    /// Plain minimax to a fixed depth, 2 plies by default.
    Minimax,
    /// The move with the best evaluation one ply ahead.
    Greedy,
}

impl Algorithm {
    /// The algorithms: name, help text, and the algorithm.
    pub const NAMES: [(&'static str, &'static str, Algorithm); 4] = [
        ("iterative", "Iterative deepening within the clock: the strongest play", Self::Iterative),
        ("alphabeta", "Plain alpha-beta to --depth plies, 3 by default", Self::Alphabeta),
        ("minimax", "Plain minimax to --depth plies, 2 by default", Self::Minimax),
        ("greedy", "The move that looks best one ply ahead", Self::Greedy),
    ];
}

/// The settings of [`think`]. `Own` is the game's [`Playable::Own`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings<Own = ()> {
    /// The algorithm that chooses the move.
    pub algorithm: Algorithm,
    /// The depth to search to, in plies, from 1 to [`MAX_PLY`](search::MAX_PLY) - 1, without regard
    /// to the clock.
    pub depth: Option<u32>,
    /// The number of nodes to search, without regard to the clock.
    pub nodes: Option<u64>,
    /// The size of the transposition table in MiB; by default what the clock or the nodes can fill,
    /// at most [`DEFAULT_HASH_MIB`](crate::clock::DEFAULT_HASH_MIB).
    pub hash_mib: Option<u32>,
    /// Whether to search every move to the full depth, without selective options.
    pub full_width: bool,
    /// What the turns of this game were charged beyond the time that the clock counts.
    pub charges: Charges,
    /// The game's own settings.
    pub own: Own,
}

impl<Own: Default> Settings<Own> {
    /// A search limited by nodes, which gives the same move on every machine.
    pub fn with_nodes(nodes: u64) -> Settings<Own> {
        Settings { nodes: Some(nodes), ..Settings::default() }
    }
}

impl<Own> Settings<Own> {
    /// Whether neither a depth nor a number of nodes is set.
    pub fn timed(&self) -> bool {
        self.depth.is_none() && self.nodes.is_none()
    }

    /// The plain algorithms and the full-width search keep to the knowledge of a search limited by
    /// depth or nodes, whether or not the clock ends them.
    fn limit_kind(&self) -> LimitKind {
        let is_selective = self.algorithm == Algorithm::Iterative && !self.full_width;
        if is_selective && self.timed() { LimitKind::Clock } else { LimitKind::Count }
    }

    /// The search's limits by depth and nodes.
    pub fn limits(&self) -> Limits {
        let none = Limits::default();
        Limits { depth: self.depth.unwrap_or(none.depth), nodes: self.nodes.unwrap_or(none.nodes) }
    }
}

/// The result of [`think`].
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move to play.
    pub best: M,
    /// The source of a move that does not come from a search, and what is known of it.
    pub advice: Option<String>,
    /// The result of the search; `None` for the only legal move and for advice.
    pub search: Option<search::Report<M>>,
    /// The moves of a [`Plan`] after `best`; empty if the move comes from none.
    pub later: Vec<M>,
}

impl<M: Copy> Report<M> {
    /// The report of a move of which nothing else is known.
    pub fn only(best: M) -> Report<M> {
        Report { best, advice: None, search: None, later: Vec::new() }
    }

    fn planned(Plan { moves, why, .. }: Plan<M>) -> Report<M> {
        Report { advice: Some(why), later: moves[1..].to_vec(), ..Report::only(moves[0]) }
    }
}

/// Chooses the move to play: the game's advice, or else the result of the algorithm in the
/// settings, within the task's clock (measured by `clock`) or the depth and nodes of the settings.
///
/// # Panics
/// If the position has no legal move.
pub fn think<G: Playable>(
    task: &Task<G>,
    settings: &Settings<G::Own>,
    clock: &dyn Clock,
) -> Report<G::Move> {
    think_observed(task, settings, clock, &mut ())
}

/// Like [`think`], shown to an observer.
///
/// # Panics
/// If the position has no legal move.
pub fn think_observed<G: Playable>(
    task: &Task<G>,
    settings: &Settings<G::Own>,
    clock: &dyn Clock,
    observer: &mut impl Observer<G::Move>,
) -> Report<G::Move> {
    let position = &task.position;
    let mut moves = moves_for_every_grader(position);
    if let [only] = moves[..] {
        return Report::only(only);
    }
    let knowledge = G::knowledge(&settings.own, settings.limit_kind());
    let evaluate = |position: &G| knowledge.evaluate(position);
    let plain = |depth, found: ReferenceResult<G::Move>| {
        let best = found.best.expect("a position that is not finished has a move");
        let (score, nodes) = (found.value, found.nodes);
        let report = search::Report { best, score, depth, nodes, line: vec![best], proven: false };
        Report { search: Some(report), ..Report::only(best) }
    };
    match settings.algorithm {
        Algorithm::Iterative => {}
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
    let (control, moves_left) = (task.control, knowledge.moves_left(position));
    let default_bytes = || match settings.timed() {
        true => Budget::table_bytes(control, task.clock, moves_left, knowledge.stored_per_second()),
        false => table_bytes_for_nodes(settings.limits().nodes),
    };
    let table_bytes = settings.hash_mib.map_or_else(default_bytes, |mib| (mib as usize) << 20);
    let budget = settings.timed().then(|| {
        let (used, charges) = (clock.used(), settings.charges);
        Budget::new(control, task.clock, moves_left, used, charges, table_bytes)
    });
    let advice = G::advise(&Ask {
        task,
        settings,
        budget,
        clock,
        smaller_table: RefCell::new(&mut |asked, had| observer.smaller_table(asked, had)),
        polls: Cell::new(0),
    });
    let mut plan = None;
    match advice {
        Advice::Move(best, advice) => return Report { advice: Some(advice), ..Report::only(best) },
        Advice::Among(sound) => moves = sound,
        Advice::Plan(advised) => match &advised.unless {
            None => return Report::planned(advised),
            Some(better) => {
                moves.clone_from(&better.among);
                plan = Some(advised);
            }
        },
        Advice::Nothing => {}
    }
    if let [only] = moves[..] {
        return Report::only(only);
    }
    let mode = if settings.full_width { Mode::FullWidth } else { Mode::Selective };
    let budget = budget.map(|usual| G::share(task, usual));
    let mut searcher = Searcher::new(knowledge, mode, table_bytes);
    // A table has a whole number of buckets, whatever was asked for.
    if searcher.table_bytes() + TranspositionTable::LEAST_BYTES <= table_bytes {
        observer.smaller_table(table_bytes, searcher.table_bytes());
    }
    let mut within =
        WithinBudget { clock, budget, observer, best: None, instability: 1.0, is_over: false };
    let report = searcher
        .run_among(&G::as_searched(position), &moves, settings.limits(), &mut within)
        .expect("there is a move to choose");
    if observer.is_last() {
        std::mem::forget(searcher);
    }
    let counts = |plan: &Plan<_>| {
        let wins = report.proven && report.score > 0;
        plan.unless.as_ref().is_some_and(|better| wins || report.depth >= better.depth)
    };
    match plan {
        Some(plan) if !counts(&plan) => Report::planned(plan),
        _ => Report { best: report.best, advice: None, search: Some(report), later: Vec::new() },
    }
}

/// The factor by which the instability falls with each iteration that keeps the best move.
const INSTABILITY_DECAY: f64 = 0.6;

/// An observer that stops a search by its time budget or its caller's observer.
struct WithinBudget<'a, M, O> {
    clock: &'a dyn Clock,
    budget: Option<Budget>,
    observer: &'a mut O,
    best: Option<M>,
    /// 1 when the best move has just changed, falling with each iteration that keeps it.
    instability: f64,
    /// Whether the budget allows no further iteration.
    is_over: bool,
}

impl<M: Copy + PartialEq, O: Observer<M>> Observer<M> for WithinBudget<'_, M, O> {
    fn iteration(&mut self, report: &search::Report<M>) {
        self.instability =
            if self.best == Some(report.best) { self.instability * INSTABILITY_DECAY } else { 1.0 };
        self.best = Some(report.best);
        self.observer.iteration(report);
        self.is_over = self
            .budget
            .is_some_and(|budget| budget.stop_after(self.clock.used(), self.instability));
    }

    fn wants_stop(&mut self) -> bool {
        self.is_over
            || self.budget.is_some_and(|budget| self.clock.used() >= budget.hard)
            || self.observer.wants_stop()
    }
}

/// The legal moves that are not disputed, or all if all are disputed.
pub fn moves_for_every_grader<G: Protocol>(position: &G) -> Vec<G::Move> {
    let mut moves = position.legal_moves();
    if moves.iter().any(|&mv| !position.is_disputed(mv)) {
        moves.retain(|&mv| !position.is_disputed(mv));
    }
    moves
}

/// The move with the best evaluation one ply ahead, the first of equals. An agent leaves it at
/// once, in case there is no time for a search.
///
/// # Panics
/// If the position has no legal move.
pub fn best_one_ply_ahead<G: Playable>(position: &G) -> G::Move {
    let knowledge = default_knowledge::<G>();
    let side = position.side_to_move();
    let value = |mv| {
        let after = position.after(mv);
        match after.outcome() {
            Some(outcome) => outcome_score(outcome, side, 1),
            None if after.side_to_move() == side => knowledge.evaluate(&after),
            None => -knowledge.evaluate(&after),
        }
    };
    // `max_by_key` returns the last maximum; in reverse order, this is the first.
    let best = moves_for_every_grader(position).into_iter().rev().max_by_key(|&mv| value(mv));
    best.expect("a position that is not finished has a move")
}
