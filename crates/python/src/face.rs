//! The five games behind one face: a [`Face`] is a position of some game, a [`Kind`] one of the games. Moves are codes of
//! the engine, which tell the moves of one position apart.

use crate::watch::Watch;
use engine::drawing::Place;
use engine::score::describe;
use engine::think::{Listener, Settings, think_aloud};
use engine::{
    Drawing, InputError, Outcome, Playable, RuleSet, Side, Task, TimeControl, Verdict, Violation, perft, search,
};
use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

/// One of the games: what is said of it, and the ways to its positions. Rule sets are places in `rules`.
pub(crate) struct Kind {
    pub name: &'static str,
    pub title: &'static str,
    pub sides: [&'static str; 2],
    /// The names of the rule sets.
    pub rules: fn() -> Vec<&'static str>,
    /// The rule set that the agents keep, and the one that the judge refuses by.
    pub agent_rules: fn() -> &'static str,
    pub judge_rules: fn() -> &'static str,
    pub ply_limit: u32,
    pub start: fn(usize) -> Arc<dyn Face>,
    pub read: fn(&str, usize) -> Result<Read, InputError>,
    pub judge: fn(&str, &str, usize, &str) -> Result<Judged, InputError>,
}

/// What an input text says.
pub(crate) struct Read {
    pub face: Arc<dyn Face>,
    pub control: TimeControl,
    pub clock: Duration,
}

/// An output text that was checked: the position before it, the code of the move if it is legal, and the judge's words.
pub(crate) struct Judged {
    pub before: Arc<dyn Face>,
    pub code: Option<u32>,
    pub words: String,
}

/// Where thinking ends, and how much memory it takes.
pub(crate) struct Want {
    pub nodes: Option<u64>,
    pub depth: Option<u32>,
    /// The clock, where it counts: neither nodes nor a depth are given then.
    pub clock: Option<(TimeControl, Duration)>,
    /// The transposition table, in MiB.
    pub hash: Option<u32>,
    pub full_width: bool,
}

/// What was found: by an iteration, or in the end.
pub(crate) struct Found {
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

/// A position of some game.
pub(crate) trait Face: Send + Sync {
    fn kind(&self) -> &'static Kind;
    fn rules(&self) -> usize;
    fn as_any(&self) -> &dyn Any;
    fn same(&self, other: &dyn Face) -> bool;
    fn key(&self) -> u64;
    fn side(&self) -> Side;
    fn outcome(&self) -> Option<Outcome>;
    fn why_over(&self) -> Option<String>;
    fn counts(&self) -> [Vec<(&'static str, i32)>; 2];
    /// The codes of the legal moves, in the engine's order.
    fn codes(&self) -> Vec<u32>;
    fn perft(&self, depth: u32) -> u64;
    /// The codes of the moves with as how many moves perft counts each.
    fn weights(&self) -> Vec<(u32, u64)>;
    /// The position after a move; `None` if it is not legal.
    fn play(&self, code: u32) -> Option<Arc<dyn Face>>;
    fn read_move(&self, text: &str) -> Result<u32, Violation>;
    fn write_move(&self, code: u32) -> Option<String>;
    fn describe_move(&self, code: u32) -> Option<String>;
    fn is_disputed(&self, code: u32) -> bool;
    /// The places that a move goes through, and those whose piece it changes.
    fn way(&self, code: u32) -> Option<(Vec<Place>, Vec<Place>)>;
    /// The board as text, with the last move marked.
    fn picture(&self) -> String;
    /// The board to draw, with the last move marked.
    fn drawing(&self) -> Option<Drawing>;
    fn input(&self, control: TimeControl, clock: Duration) -> String;
    fn think(&self, want: &Want, watch: &Watch, tell: &mut dyn FnMut(Found) -> bool) -> Found;
}

/// A position, and how it came about.
struct Seat<G: Playable> {
    position: Arc<G>,
    rules: usize,
    last: Option<(Arc<G>, G::Move)>,
}

impl Kind {
    /// The game of a position type.
    pub(crate) const fn of<G: Playable>() -> Kind {
        Kind {
            name: G::NAME,
            title: G::TITLE,
            sides: G::SIDES,
            rules: || G::Rules::ALL.iter().map(|(name, _)| *name).collect(),
            agent_rules: || G::Rules::AGENT.name(),
            judge_rules: || G::Rules::JUDGE.name(),
            ply_limit: G::PLY_LIMIT,
            start: |rules| Seat::boxed(G::start(rule_set::<G>(rules)), rules, None),
            read: |text, rules| {
                let task = G::read_task(text, rule_set::<G>(rules))?;
                let face = Seat::boxed(task.position, rules, None);
                Ok(Read { face, control: task.control, clock: task.clock })
            },
            judge: |input, output, rules, file| {
                let verdict = Verdict::<G>::of(input, output, rule_set::<G>(rules))?;
                let words = verdict.words(file);
                let code = verdict.found.ok().map(|mv| verdict.before.encode(mv));
                Ok(Judged { before: Seat::boxed(verdict.before, rules, None), code, words })
            },
        }
    }
}

fn rule_set<G: Playable>(rules: usize) -> G::Rules {
    G::Rules::ALL.get(rules).map_or(G::Rules::AGENT, |(_, rules)| *rules)
}

impl<G: Playable> Seat<G> {
    const KIND: &'static Kind = &Kind::of::<G>();

    fn boxed(position: G, rules: usize, last: Option<(Arc<G>, G::Move)>) -> Arc<dyn Face> {
        Arc::new(Seat { position: Arc::new(position), rules, last })
    }

    fn found(&self, report: &search::Report<G::Move>) -> Found {
        let mut at = G::clone(&self.position);
        let mut line = Vec::new();
        for &mv in &report.line {
            line.push(at.encode(mv));
            at.play(mv);
        }
        let curve = G::curve();
        Found {
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

    /// What is known where nothing was searched.
    fn unsearched(&self, best: G::Move) -> Found {
        let best = self.position.encode(best);
        let side = self.position.side_to_move();
        let proven = G::proven(&self.position);
        let expected = proven.as_ref().map(|proven| match proven.outcome.winner() {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == side)),
        });
        let (advice, proven) = (None, proven.is_some());
        Found { best, advice, score: None, says: None, depth: 0, nodes: 0, line: vec![best], proven, expected }
    }
}

/// Hands iterations on, and asks whether to go on.
struct Teller<'a, G: Playable> {
    seat: &'a Seat<G>,
    watch: &'a Watch,
    tell: &'a mut dyn FnMut(Found) -> bool,
    stopped: bool,
}

impl<G: Playable> Listener<G::Move> for Teller<'_, G> {
    fn iteration(&mut self, report: &search::Report<G::Move>) {
        self.stopped = self.stopped || !(self.tell)(self.seat.found(report));
    }

    fn wants_stop(&mut self) -> bool {
        self.stopped || self.watch.is_interrupted()
    }
}

impl<G: Playable> Face for Seat<G> {
    fn kind(&self) -> &'static Kind {
        Self::KIND
    }

    fn rules(&self) -> usize {
        self.rules
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn same(&self, other: &dyn Face) -> bool {
        other.as_any().downcast_ref::<Seat<G>>().is_some_and(|other| self.position == other.position)
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

    fn perft(&self, depth: u32) -> u64 {
        perft(&mut G::clone(&self.position), depth)
    }

    fn weights(&self) -> Vec<(u32, u64)> {
        let position = &self.position;
        position.legal_moves().into_iter().map(|mv| (position.encode(mv), position.perft_weight(mv))).collect()
    }

    fn play(&self, code: u32) -> Option<Arc<dyn Face>> {
        let mv = self.position.decode(code)?;
        let mut after = G::clone(&self.position);
        after.play(mv);
        Some(Seat::boxed(after, self.rules, Some((Arc::clone(&self.position), mv))))
    }

    fn read_move(&self, text: &str) -> Result<u32, Violation> {
        self.position.read_move(text).map(|mv| self.position.encode(mv))
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

    fn way(&self, code: u32) -> Option<(Vec<Place>, Vec<Place>)> {
        let mv = self.position.decode(code)?;
        let mut after = G::clone(&self.position);
        after.play(mv);
        after.drawing(Some((&self.position, mv))).map(|drawing| (drawing.path, drawing.changed))
    }

    fn picture(&self) -> String {
        self.position.picture(self.last.as_ref().map(|(_, mv)| *mv))
    }

    fn drawing(&self) -> Option<Drawing> {
        self.position.drawing(self.last.as_ref().map(|(before, mv)| (&**before, *mv)))
    }

    fn input(&self, control: TimeControl, clock: Duration) -> String {
        G::write_task(&Task { position: G::clone(&self.position), control, clock })
    }

    fn think(&self, want: &Want, watch: &Watch, tell: &mut dyn FnMut(Found) -> bool) -> Found {
        let (control, clock) = want.clock.unwrap_or((TimeControl::Single, Duration::from_secs(1)));
        let task = Task { position: G::clone(&self.position), control, clock };
        let settings = Settings {
            depth: want.depth,
            nodes: want.nodes,
            hash_mib: want.hash,
            full_width: want.full_width,
            ..Settings::default()
        };
        let mut teller = Teller { seat: self, watch, tell, stopped: false };
        let report = think_aloud(&task, &settings, watch, &mut teller);
        let mut found = match &report.search {
            Some(searched) => self.found(searched),
            None => self.unsearched(report.best),
        };
        found.best = self.position.encode(report.best);
        found.advice = report.advice;
        found
    }
}
