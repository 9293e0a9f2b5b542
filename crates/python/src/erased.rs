//! Type erasure for the games: an [`AnyPosition`] is a position of any game, an [`AnyGame`] is one of the games. Moves
//! are the engine's codes, which are unique among the moves of one position.

use crate::batch::{AnyBatch, Batch, BatchOptions};
use crate::clock::InterruptibleClock;
use crate::rates::{best_lines, rate_moves};
use crate::tally::{self, Tally};
use crate::turn::{AnyTurn, Encoding, Turn};
use engine::drawing::{CellValues, Place};
use engine::score::describe;
use engine::think::{Settings, think_observed};
use engine::{
    Drawing, Explain, InputError, Outcome, RuleSet, Side, Task, TimeControl, Verdict, Violation, perft, search,
};
use pyo3::exceptions::PyMemoryError;
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

/// A function that makes a batch of games.
type MakeBatch = fn(BatchOptions, &[Arc<dyn AnyPosition>]) -> Option<Box<dyn AnyBatch>>;

/// One of the games: its description and the functions that make its positions. Rule sets are given as indices into `rules`.
pub(crate) struct AnyGame {
    pub name: &'static str,
    pub title: &'static str,
    pub sides: [&'static str; 2],
    /// The names of the rule sets.
    pub rules: fn() -> Vec<&'static str>,
    /// The rule set that the agents play by.
    pub agent_rules: fn() -> &'static str,
    /// The rule set by which the judge refuses moves.
    pub judge_rules: fn() -> &'static str,
    pub ply_limit: u32,
    /// Many games at once, which begin with these positions of the game, or with the start if there are none; `None` if the
    /// game is not told by numbers.
    pub batch: MakeBatch,
    pub start: fn(usize) -> Arc<dyn AnyPosition>,
    /// A position of the game's own type by a rule set, without the moves that led to it; the start for any other type.
    pub position: fn(Box<dyn Any + Send + Sync>, usize) -> Arc<dyn AnyPosition>,
    pub read: fn(&str, usize) -> Result<ParsedInput, InputError>,
    pub judge: fn(&str, &str, usize, &str) -> Result<CheckedMove, InputError>,
}

/// The contents of an input file.
pub(crate) struct ParsedInput {
    pub inner: Arc<dyn AnyPosition>,
    pub control: TimeControl,
    pub clock: Duration,
}

/// The result of checking an output text: the position before the move, the code of the move if it is legal, and the
/// judge's text.
pub(crate) struct CheckedMove {
    pub before: Arc<dyn AnyPosition>,
    pub code: Option<u32>,
    pub words: String,
}

/// The limits and options of a search.
pub(crate) struct SearchRequest {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// The clock; `None` if the nodes or the depth limit the search.
    pub clock: Option<(TimeControl, Duration)>,
    /// The size of the transposition table, in MiB.
    pub hash: Option<u32>,
    pub full_width: bool,
}

/// The result of an iteration or of a whole search.
pub(crate) struct SearchResult {
    pub best: u32,
    pub advice: Option<String>,
    pub score: Option<i32>,
    pub says: Option<String>,
    pub depth: u32,
    pub nodes: u64,
    pub line: Vec<u32>,
    pub proven: bool,
    pub expected: Option<f64>,
}

/// A position of any game.
pub(crate) trait AnyPosition: Send + Sync {
    fn kind(&self) -> &'static AnyGame;
    fn rules(&self) -> usize;
    /// The position as one of its game's own type.
    fn own(&self) -> &(dyn Any + Send + Sync);
    fn same(&self, other: &dyn AnyPosition) -> bool;
    fn key(&self) -> u64;
    fn side(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn why_over(&self) -> Option<String>;
    fn counts(&self) -> [Vec<(&'static str, i32)>; 2];
    /// The codes of the legal moves, in the engine's order.
    fn codes(&self) -> Vec<u32>;
    /// The number of lines of so many moves; a smaller one if the clock says that an interrupt has come.
    fn perft(&self, depth: u32, watch: &InterruptibleClock) -> u64;
    /// The codes of the legal moves, each with its expected result for the side to move. An interrupt ends it early.
    fn rate_moves(&self, nodes: u64, watch: &InterruptibleClock) -> Vec<(u32, f64)>;
    /// The best moves, each with its line, the best one first: of the second, the first is left out, and so on.
    fn best_lines(&self, count: usize, nodes: u64, watch: &InterruptibleClock) -> Vec<SearchResult>;
    /// The position after a move; `None` if it is not legal.
    fn play(self: Arc<Self>, code: u32) -> Option<Arc<dyn AnyPosition>>;
    /// The position before the last move, and the code of that move.
    fn last(&self) -> Option<(Arc<dyn AnyPosition>, u32)>;
    /// Parses a legal move: an output file, or the move as [`AnyPosition::describe_move`] has it.
    fn read_move(&self, text: &str) -> Result<u32, Violation>;
    fn write_move(&self, code: u32) -> Option<String>;
    fn describe_move(&self, code: u32) -> Option<String>;
    fn is_disputed(&self, code: u32) -> bool;
    /// The path of places of a move, and the places whose piece it changes.
    fn path_and_changes(&self, code: u32) -> Option<(Vec<Place>, Vec<Place>)>;
    /// The board as text, the last move marked.
    fn picture(&self) -> String;
    /// The board as a drawing, the last move marked.
    fn drawing(&self) -> Option<Drawing>;
    fn input(&self, control: TimeControl, clock: Duration) -> String;
    fn cell_values(&self) -> Option<CellValues>;
    /// Whether the game counts points.
    fn counts_points(&self) -> bool;
    /// The turn as numbers, with cells as actions if asked for; `None` if the game is not told by numbers.
    fn turn(&self, squares: bool) -> Option<Box<dyn AnyTurn>>;
    /// All actions of a legal move; empty if the game is not told by numbers.
    fn actions_of(&self, code: u32) -> Vec<u32>;
    /// Plays the random games with these numbers, until `stop` says so.
    fn playouts(&self, games: Range<u64>, seed: u64, ply_limit: u32, stop: &dyn Fn() -> bool) -> Tally;
    fn think(
        &self,
        want: &SearchRequest,
        watch: &InterruptibleClock,
        tell: &mut dyn FnMut(SearchResult) -> bool,
    ) -> SearchResult;
}

/// A position of one game, with the last move and the position before it.
struct TypedPosition<G: Explain> {
    position: G,
    rules: usize,
    last: Option<(Arc<TypedPosition<G>>, G::Move)>,
}

impl<G: Explain> Drop for TypedPosition<G> {
    /// Drops the earlier positions one by one: the recursion of the default would overflow the stack after a long game.
    fn drop(&mut self) {
        let mut last = self.last.take();
        while let Some(mut before) = last.and_then(|(before, _)| Arc::into_inner(before)) {
            last = before.last.take();
        }
    }
}

impl AnyGame {
    /// The game with the given position type.
    pub(crate) const fn of<G: Explain>() -> AnyGame {
        AnyGame {
            name: G::NAME,
            title: G::TITLE,
            sides: G::SIDES,
            rules: || G::Rules::ALL.iter().map(|(name, _)| *name).collect(),
            agent_rules: || G::Rules::AGENT.name(),
            judge_rules: || G::Rules::JUDGE.name(),
            ply_limit: G::PLY_LIMIT,
            batch: |options, starts| {
                let mut starts: Vec<G> = starts.iter().filter_map(|start| position_of(&**start)).cloned().collect();
                if starts.is_empty() {
                    starts.push(G::start(rule_set::<G>(options.rules)));
                }
                Batch::boxed(options, starts)
            },
            start: |rules| TypedPosition::boxed(G::start(rule_set::<G>(rules)), rules, None),
            position: |own, rules| {
                let position = own.downcast::<G>().map_or_else(|_| G::start(rule_set::<G>(rules)), |own| *own);
                TypedPosition::boxed(position, rules, None)
            },
            read: |text, rules| {
                let task = G::read_task(text, rule_set::<G>(rules))?;
                let inner = TypedPosition::boxed(task.position, rules, None);
                Ok(ParsedInput { inner, control: task.control, clock: task.clock })
            },
            judge: |input, output, rules, file| {
                let verdict = Verdict::<G>::of(input, output, rule_set::<G>(rules))?;
                let words = verdict.words(file);
                let code = verdict.found.ok().map(|mv| verdict.before.encode(mv));
                Ok(CheckedMove { before: TypedPosition::boxed(verdict.before, rules, None), code, words })
            },
        }
    }
}

fn rule_set<G: Explain>(rules: usize) -> G::Rules {
    G::Rules::ALL.get(rules).map_or(G::Rules::AGENT, |(_, rules)| *rules)
}

/// The position of one game that a position of any game is; `None` if it is another game's.
fn position_of<G: Explain>(any: &dyn AnyPosition) -> Option<&G> {
    any.own().downcast_ref::<G>()
}

/// The number of plies of the part of perft that is counted without a look at the clock.
const PERFT_STEP: u32 = 3;

/// Counts like [`perft`], until the clock says that an interrupt has come; the number is then too small.
fn perft_until<G: Explain>(position: &mut G, depth: u32, watch: &InterruptibleClock) -> u64 {
    if depth <= PERFT_STEP {
        return perft(position, depth);
    }
    let mut lines = 0;
    for mv in position.legal_moves() {
        if watch.is_interrupted() {
            break;
        }
        let paths = position.perft_weight(mv);
        let undo = position.play(mv);
        lines += paths * perft_until(position, depth - 1, watch);
        position.undo(mv, undo);
    }
    lines
}

impl<G: Explain> TypedPosition<G> {
    const KIND: &'static AnyGame = &AnyGame::of::<G>();

    fn boxed(position: G, rules: usize, last: Option<(Arc<TypedPosition<G>>, G::Move)>) -> Arc<dyn AnyPosition> {
        Arc::new(TypedPosition { position, rules, last })
    }

    /// The last move, and the position before it.
    fn last_move(&self) -> Option<(&G, G::Move)> {
        self.last.as_ref().map(|(before, mv)| (&before.position, *mv))
    }

    fn search_result(&self, report: &search::Report<G::Move>) -> SearchResult {
        let mut at = self.position.clone();
        let mut line = Vec::new();
        for &mv in &report.line {
            line.push(at.encode(mv));
            at.play(mv);
        }
        let curve = G::curve();
        SearchResult {
            best: self.position.encode(report.best),
            advice: None,
            score: Some(report.score),
            says: Some(describe(report.score)),
            depth: report.depth,
            nodes: report.nodes,
            line,
            proven: report.proven,
            expected: Some(curve.expected(curve.levelled(report.score, report.depth), self.position.side_to_move())),
        }
    }

    /// The result for a move that was not searched: the proven outcome, if there is one.
    fn unsearched_result(&self, best: G::Move) -> SearchResult {
        let best = self.position.encode(best);
        let side = self.position.side_to_move();
        let proven = G::proven(&self.position);
        let expected = proven.as_ref().map(|proven| match proven.outcome.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        });
        let (advice, proven) = (None, proven.is_some());
        SearchResult { best, advice, score: None, says: None, depth: 0, nodes: 0, line: vec![best], proven, expected }
    }
}

/// Passes the iterations of a search to a callback, and stops the search when the callback or a signal asks for it.
struct IterationCallback<'a, G: Explain> {
    position: &'a TypedPosition<G>,
    watch: &'a InterruptibleClock,
    tell: &'a mut dyn FnMut(SearchResult) -> bool,
    stopped: bool,
}

impl<G: Explain> search::Observer<G::Move> for IterationCallback<'_, G> {
    fn iteration(&mut self, report: &search::Report<G::Move>) {
        self.stopped = self.stopped || !(self.tell)(self.position.search_result(report));
    }

    fn smaller_table(&mut self, asked: usize, _: usize) {
        let text = format!("hash: a table of {} MiB cannot be had", asked >> 20);
        self.watch.stop(Some(PyMemoryError::new_err(text)));
        self.stopped = true;
    }

    fn wants_stop(&mut self) -> bool {
        self.stopped || self.watch.is_interrupted()
    }
}

impl<G: Explain> AnyPosition for TypedPosition<G> {
    fn kind(&self) -> &'static AnyGame {
        Self::KIND
    }

    fn rules(&self) -> usize {
        self.rules
    }

    fn own(&self) -> &(dyn Any + Send + Sync) {
        &self.position
    }

    fn same(&self, other: &dyn AnyPosition) -> bool {
        position_of::<G>(other).is_some_and(|other| self.position == *other)
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn side(&self) -> Side {
        self.position.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    fn why_over(&self) -> Option<String> {
        self.position.why_over()
    }

    fn counts(&self) -> [Vec<(&'static str, i32)>; 2] {
        Side::BOTH.map(|side| G::counts(&self.position, side).iter().map(|count| (count.what, count.number)).collect())
    }

    fn codes(&self) -> Vec<u32> {
        if self.position.outcome().is_some() {
            return Vec::new();
        }
        self.position.legal_moves().into_iter().map(|mv| self.position.encode(mv)).collect()
    }

    fn perft(&self, depth: u32, watch: &InterruptibleClock) -> u64 {
        perft_until(&mut self.position.clone(), depth, watch)
    }

    fn rate_moves(&self, nodes: u64, watch: &InterruptibleClock) -> Vec<(u32, f64)> {
        let moves = self.position.legal_moves();
        let expected = rate_moves(&self.position, &moves, nodes, &|| watch.is_interrupted());
        moves.iter().map(|&mv| self.position.encode(mv)).zip(expected).collect()
    }

    fn best_lines(&self, count: usize, nodes: u64, watch: &InterruptibleClock) -> Vec<SearchResult> {
        let searched = G::as_searched(&self.position);
        let lines = best_lines(&searched, count, nodes, &|| watch.is_interrupted());
        lines.iter().map(|report| self.search_result(report)).collect()
    }

    fn play(self: Arc<Self>, code: u32) -> Option<Arc<dyn AnyPosition>> {
        let mv = self.position.decode(code)?;
        let (mut after, rules) = (self.position.clone(), self.rules);
        after.play(mv);
        Some(TypedPosition::boxed(after, rules, Some((self, mv))))
    }

    fn last(&self) -> Option<(Arc<dyn AnyPosition>, u32)> {
        let (before, mv) = self.last.as_ref()?;
        Some((Arc::clone(before) as Arc<dyn AnyPosition>, before.position.encode(*mv)))
    }

    fn read_move(&self, text: &str) -> Result<u32, Violation> {
        let described = |text: &str| {
            let mut moves = self.position.legal_moves().into_iter();
            moves.find(|&mv| self.position.describe_move(mv) == text.trim())
        };
        let read = self.position.read_move(text).or_else(|violation| described(text).ok_or(violation));
        read.map(|mv| self.position.encode(mv))
    }

    fn write_move(&self, code: u32) -> Option<String> {
        self.position.decode(code).map(|mv| self.position.write_move(mv))
    }

    fn describe_move(&self, code: u32) -> Option<String> {
        self.position.decode(code).map(|mv| self.position.describe_move(mv))
    }

    fn is_disputed(&self, code: u32) -> bool {
        self.position.decode(code).is_some_and(|mv| self.position.is_disputed(mv))
    }

    fn path_and_changes(&self, code: u32) -> Option<(Vec<Place>, Vec<Place>)> {
        let mv = self.position.decode(code)?;
        let mut after = self.position.clone();
        after.play(mv);
        after.drawing(Some((&self.position, mv))).map(|drawing| (drawing.path, drawing.changed))
    }

    fn picture(&self) -> String {
        self.position.picture(self.last_move().map(|(_, mv)| mv))
    }

    fn drawing(&self) -> Option<Drawing> {
        self.position.drawing(self.last_move())
    }

    fn input(&self, control: TimeControl, clock: Duration) -> String {
        G::write_task(&Task { position: self.position.clone(), control, clock })
    }

    fn cell_values(&self) -> Option<CellValues> {
        self.position.cell_values()
    }

    fn counts_points(&self) -> bool {
        self.position.cell_values().is_some()
    }

    fn turn(&self, squares: bool) -> Option<Box<dyn AnyTurn>> {
        let encoding = Arc::new(Encoding::of(&self.position, squares)?);
        Some(Box::new(Turn::new(self.position.clone(), encoding)))
    }

    fn actions_of(&self, code: u32) -> Vec<u32> {
        let (Some(mv), Some(encoding)) = (self.position.decode(code), Encoding::of(&self.position, false)) else {
            return Vec::new();
        };
        Turn::new(self.position.clone(), Arc::new(encoding)).actions_of(mv)
    }

    fn playouts(&self, games: Range<u64>, seed: u64, ply_limit: u32, stop: &dyn Fn() -> bool) -> Tally {
        tally::play_games(&self.position, games, seed, ply_limit, stop)
    }

    fn think(
        &self,
        want: &SearchRequest,
        watch: &InterruptibleClock,
        tell: &mut dyn FnMut(SearchResult) -> bool,
    ) -> SearchResult {
        let (control, clock) = want.clock.unwrap_or((TimeControl::Single, Duration::from_secs(1)));
        let task = Task { position: self.position.clone(), control, clock };
        let settings = Settings {
            depth: want.depth,
            nodes: want.nodes,
            hash_mib: want.hash,
            full_width: want.full_width,
            ..Settings::default()
        };
        let mut callback = IterationCallback { position: self, watch, tell, stopped: false };
        let report = think_observed(&task, &settings, watch, &mut callback);
        let mut search_result = match &report.search {
            Some(searched) => self.search_result(searched),
            None => self.unsearched_result(report.best),
        };
        search_result.best = self.position.encode(report.best);
        search_result.advice = report.advice;
        search_result
    }
}
