//! Many games at once, for learners.

use crate::chance::Chance;
use crate::clock::{InterruptibleClock, PERIOD};
use crate::numbers::write_floats;
use crate::rates::{draw, rate_moves};
use crate::turn::{Choice, Encoding, Turn};
use anygame::built_in;
use engine::clock::NoClock;
use engine::think::{Playable, Settings, think_observed};
use engine::{Explain, Outcome, RuleSet, Side, Task};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};

/// The number of openings that are drawn for a game before its random plies are left out: a game
/// must not be over before the learner has made a move.
const TRIES: u32 = 100;

/// The opponent in a learner's games.
#[derive(Clone, Copy)]
pub(crate) enum Opponent {
    /// Nobody: the learner plays both sides.
    Nobody,
    /// Random moves.
    Random,
    /// The search, with so many nodes a move.
    Search(u64),
    /// A move drawn by the expected results of all moves, which take so many nodes together, with
    /// this temperature.
    Drawn(u64, f64),
}

/// The options of a batch.
#[derive(Clone, Copy)]
pub(crate) struct BatchOptions {
    pub games: usize,
    pub rules: &'static str,
    pub ply_limit: u32,
    pub random_values: bool,
    pub opponent: Opponent,
    /// The learner's side; `None` draws it for each game.
    pub side: Option<Side>,
    pub threads: usize,
    /// The number of random plies at the beginning of each game.
    pub random_plies: u32,
    /// Whether an action is a cell, and a move takes several.
    pub squares: bool,
    /// Whether the reward of a game is its margin, as a share of all points, and not its result.
    pub margin: bool,
    /// Whether the next game begins in the step after the end of one, whose action is ignored, and
    /// not in the same step.
    pub next_step: bool,
}

/// The result of a step of one game.
#[derive(Default)]
struct Step {
    reward: f32,
    terminated: bool,
    truncated: bool,
    /// The last observation of a game that ended with this step, and the side that sees it.
    last: Option<(Side, Vec<f32>)>,
}

/// One game of a batch. A game that ends is followed by the next, at once or in the next step.
struct Lane<G: Playable> {
    turn: Turn<G>,
    chance: Chance,
    learner: Side,
    plies: u32,
    step: Step,
}

/// The beginnings of the games of a batch.
struct Beginning<'a, G> {
    starts: &'a [G],
    options: &'a BatchOptions,
    /// Whether an interrupt has ended the call that plays these games.
    stop: &'a dyn Fn() -> bool,
}

impl<G: Explain> Lane<G> {
    /// The last observation of a game that the next has not followed yet, and the side that sees
    /// it.
    fn end(&self, options: &BatchOptions) -> Option<&(Side, Vec<f32>)> {
        self.step.last.as_ref().filter(|_| options.next_step)
    }

    /// Begins the next game, with the opponent's first move if it is to move. A beginning after
    /// which the learner has no move is drawn again, and in the end without random plies.
    fn restart(&mut self, begin: &Beginning<'_, G>) {
        for attempt in 0..=TRIES {
            let start = match begin.starts {
                [only] => only,
                several => &several[self.chance.below(several.len())],
            };
            let mut position = match self.turn.position.cell_values() {
                Some(_) if begin.options.random_values => {
                    with_random_values(start, &mut self.chance)
                }
                _ => start.clone(),
            };
            if attempt < TRIES
                && !play_random(&mut position, begin.options.random_plies, &mut self.chance)
            {
                continue;
            }
            self.begin(position, begin);
            if !self.turn.is_over() || (begin.stop)() {
                return;
            }
        }
    }

    /// Begins a game with a position.
    fn begin(&mut self, position: G, begin: &Beginning<'_, G>) {
        self.turn.reset(position);
        self.plies = 0;
        self.learner = begin.options.side.unwrap_or_else(|| Side::BOTH[self.chance.below(2)]);
        self.reply(begin);
    }

    fn play(&mut self, mv: G::Move) {
        self.turn.play(mv);
        self.plies += 1;
    }

    /// The side whose action is next, or whose game has ended.
    fn viewer(&self, options: &BatchOptions) -> Side {
        match options.opponent {
            Opponent::Nobody => self.turn.position.side_to_move(),
            _ => self.learner,
        }
    }

    /// The reward of a side when the rules have ended the game; 0 before.
    fn reward(&self, viewer: Side, by_margin: bool) -> f32 {
        let for_first = match (self.turn.position.outcome(), by_margin) {
            (Some(Outcome::Margin(margin)), true) => {
                let points =
                    self.turn.position.cell_values().map_or(0, |cells| cells.values.iter().sum());
                margin as f32 / points.max(1) as f32
            }
            (outcome, _) => outcome
                .and_then(Outcome::winner)
                .map_or(0.0, |winner| if winner == Side::First { 1.0 } else { -1.0 }),
        };
        if viewer == Side::First { for_first } else { -for_first }
    }

    fn is_cut(&self, options: &BatchOptions) -> bool {
        self.plies >= options.ply_limit && !self.turn.is_over()
    }

    /// Makes the opponent's move, if it has one.
    fn reply(&mut self, begin: &Beginning<'_, G>) {
        let options = begin.options;
        while self.turn.position.side_to_move() != self.learner
            && !self.turn.is_over()
            && !self.is_cut(options)
        {
            let mv = match options.opponent {
                Opponent::Nobody => return,
                Opponent::Random => self.turn.moves()[self.chance.below(self.turn.moves().len())],
                Opponent::Search(nodes) => {
                    let task = Task::single(self.turn.position.clone());
                    let stop = &mut || (begin.stop)();
                    think_observed(&task, &Settings::with_nodes(nodes), &NoClock, stop).best
                }
                Opponent::Drawn(nodes, temperature) => {
                    let expected =
                        rate_moves(&self.turn.position, self.turn.moves(), nodes, begin.stop);
                    self.turn.moves()[draw(&expected, temperature, &mut self.chance)]
                }
            };
            if (begin.stop)() {
                return;
            }
            self.play(mv);
        }
    }

    /// Takes an action. An illegal one loses the game.
    fn step(&mut self, action: u32, begin: &Beginning<'_, G>) {
        let options = begin.options;
        let has_ended = std::mem::take(&mut self.step).last.is_some();
        if options.next_step && has_ended {
            self.restart(begin);
            return;
        }
        let viewer = self.viewer(options);
        let is_legal = match self.turn.choose(action) {
            Choice::Unfinished => return,
            Choice::Illegal => false,
            Choice::Complete(mv) => {
                self.play(mv);
                self.reply(begin);
                true
            }
        };
        if is_legal && !self.turn.is_over() && !self.is_cut(options) || (begin.stop)() {
            return;
        }
        self.step.terminated = !is_legal || self.turn.is_over();
        self.step.truncated = !self.step.terminated;
        self.step.reward = if is_legal { self.reward(viewer, options.margin) } else { -1.0 };
        let mut last = vec![0.0; self.turn.encoding.numbers()];
        self.turn.observe(viewer, self.plies, options.ply_limit, &mut last);
        self.step.last = Some((viewer, last));
        if !options.next_step {
            self.restart(begin);
        }
    }
}

/// Plays random moves, and returns whether the game is not over before or after them.
fn play_random<G: Playable>(position: &mut G, plies: u32, chance: &mut Chance) -> bool {
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        position.moves(&mut moves);
        if moves.is_empty() {
            return false;
        }
        position.play(moves[chance.below(moves.len())]);
    }
    moves.clear();
    position.moves(&mut moves);
    !moves.is_empty()
}

/// The starting position with the values of the cells drawn from 1 to 99.
fn with_random_values<G: Playable>(start: &G, chance: &mut Chance) -> G {
    /// The line of the first row of values in an input file, from 0.
    const FIRST_LINE: usize = 3;
    let task = Task::single(start.clone());
    let rows = start.drawing(None).map_or(0, |drawing| drawing.height);
    let mut text = String::new();
    for (index, line) in G::write_task(&task).lines().enumerate() {
        if (FIRST_LINE..FIRST_LINE + rows).contains(&index) {
            let values = line.split_whitespace().map(|_| (1 + chance.below(99)).to_string());
            text += &values.collect::<Vec<_>>().join(" ");
        } else {
            text += line;
        }
        text.push('\n');
    }
    G::read_task(&text, G::Rules::AGENT).map_or_else(|_| start.clone(), |task| task.position)
}

/// Games of one kind.
pub(crate) struct Batch<G: Playable> {
    lanes: Vec<Lane<G>>,
    /// The positions that games begin with, at least one.
    starts: Vec<G>,
    encoding: Arc<Encoding>,
    options: BatchOptions,
}

impl<G: Explain> Batch<G> {
    /// Creates a batch whose games begin with one of the positions `starts`. `None` if the game is
    /// not told by numbers.
    pub(crate) fn boxed(options: BatchOptions, starts: Vec<G>) -> Option<Box<dyn AnyBatch>> {
        let start = starts.first()?.clone();
        let encoding = Arc::new(Encoding::of(&start, options.squares)?);
        let lane = |_| Lane {
            turn: Turn::new(start.clone(), Arc::clone(&encoding)),
            chance: Chance::new(0, 0),
            learner: options.side.unwrap_or(Side::First),
            plies: 0,
            step: Step::default(),
        };
        let lanes = (0..options.games).map(lane).collect();
        Some(Box::new(Batch { lanes, starts, encoding, options }))
    }

    /// Calls a function with every game, in several threads if the options say so, until the clock
    /// says that an interrupt has come.
    fn each_lane(
        &mut self,
        clock: &InterruptibleClock,
        visit: impl Fn(usize, &mut Lane<G>, &Beginning<'_, G>) + Sync,
    ) {
        let (starts, options) = (&self.starts[..], &self.options);
        let size = self.lanes.len().div_ceil(options.threads).max(1);
        let stopped = AtomicBool::new(false);
        let run = |first: usize, lanes: &mut [Lane<G>], stop: &dyn Fn() -> bool| {
            let begin = Beginning { starts, options, stop };
            for (index, lane) in lanes.iter_mut().enumerate() {
                if stop() {
                    return;
                }
                visit(first + index, lane, &begin);
            }
        };
        let mut chunks = self.lanes.chunks_mut(size).enumerate();
        let Some((_, own)) = chunks.next() else { return };
        std::thread::scope(|scope| {
            let (done, all_done) = channel::<()>();
            for (index, chunk) in chunks {
                let (run, stopped, done) = (&run, &stopped, done.clone());
                scope.spawn(move || {
                    run(index * size, chunk, &|| stopped.load(Relaxed));
                    drop(done);
                });
            }
            drop(done);
            let watch = || {
                let is_interrupted = clock.is_interrupted();
                stopped.fetch_or(is_interrupted, Relaxed);
                is_interrupted
            };
            run(0, own, &watch);
            // The channel closes when the last thread ends.
            while all_done.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                watch();
            }
        });
    }
}

/// A [`Batch`] of any game.
pub(crate) trait AnyBatch: Send + Sync {
    fn encoding(&self) -> &Encoding;
    fn games(&self) -> usize;
    /// Begins all games anew, with a seed if there is one, and with these positions, one for each
    /// game, if there are any. They are positions of the batch's game. The games are in no order if
    /// the clock says that an interrupt has come.
    fn reset(
        &mut self,
        seed: Option<u64>,
        positions: Option<&[anygame::Position]>,
        clock: &InterruptibleClock,
    );
    /// Takes an action in each game. The games are in no order if the clock says that an interrupt
    /// has come.
    fn step(&mut self, actions: &[u32], clock: &InterruptibleClock);
    /// The first game that was over before the learner could move.
    fn first_over(&self) -> Option<usize>;
    /// Of each game, the reward and whether it was terminated or truncated by the last step.
    fn results(&self) -> Vec<(f32, bool, bool)>;
    /// The games that ended with the last step, each with its last observation.
    fn ended(&self) -> Vec<(usize, &[f32])>;
    /// Writes the observations of all games.
    fn observe(&self, out: &mut [u8]);
    /// Writes 1 for each legal action.
    fn mask(&self, out: &mut [u8]);
    /// A random legal action in each game.
    fn random_actions(&mut self) -> Vec<u32>;
    /// The index of the side that acts next, or whose view the observation is, in each game.
    fn viewers(&self) -> Vec<u8>;
    /// A game's board as text.
    fn picture(&self, game: usize) -> Option<String>;
    /// The positions of all games, without the jumps of unfinished chains.
    fn positions(&self) -> Vec<anygame::Position>;
}

impl<G: Explain> AnyBatch for Batch<G> {
    fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    fn games(&self) -> usize {
        self.lanes.len()
    }

    fn reset(
        &mut self,
        seed: Option<u64>,
        positions: Option<&[anygame::Position]>,
        clock: &InterruptibleClock,
    ) {
        self.each_lane(clock, |index, lane, begin| {
            if let Some(seed) = seed {
                lane.chance = Chance::new(seed, index as u64);
            }
            lane.step = Step::default();
            match positions.and_then(|positions| positions[index].as_any().downcast_ref::<G>()) {
                Some(position) => lane.begin(position.clone(), begin),
                None => lane.restart(begin),
            }
        });
    }

    fn step(&mut self, actions: &[u32], clock: &InterruptibleClock) {
        self.each_lane(clock, |index, lane, begin| lane.step(actions[index], begin));
    }

    fn first_over(&self) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.turn.is_over())
    }

    fn results(&self) -> Vec<(f32, bool, bool)> {
        self.lanes
            .iter()
            .map(|lane| (lane.step.reward, lane.step.terminated, lane.step.truncated))
            .collect()
    }

    fn ended(&self) -> Vec<(usize, &[f32])> {
        let lanes = self.lanes.iter().enumerate();
        lanes.filter_map(|(index, lane)| Some((index, &lane.step.last.as_ref()?.1[..]))).collect()
    }

    fn observe(&self, out: &mut [u8]) {
        let mut numbers = vec![0.0; self.encoding.numbers()];
        for (lane, out) in self.lanes.iter().zip(out.chunks_exact_mut(4 * numbers.len())) {
            if let Some((_, last)) = lane.end(&self.options) {
                write_floats(last, out);
                continue;
            }
            lane.turn.observe(
                lane.viewer(&self.options),
                lane.plies,
                self.options.ply_limit,
                &mut numbers,
            );
            write_floats(&numbers, out);
        }
    }

    fn mask(&self, out: &mut [u8]) {
        for (lane, out) in
            self.lanes.iter().zip(out.chunks_exact_mut(self.encoding.actions as usize))
        {
            if lane.end(&self.options).is_none() {
                lane.turn.each_action(|action| out[action as usize] = 1);
            }
        }
    }

    fn random_actions(&mut self) -> Vec<u32> {
        let (mut actions, options) = (Vec::new(), self.options);
        let random = |lane: &mut Lane<G>| {
            if lane.end(&options).is_some() {
                return 0;
            }
            lane.turn.list_actions(&mut actions);
            // Where every beginning is over before the learner's first move, no action is legal.
            actions.get(lane.chance.below(actions.len().max(1))).copied().unwrap_or(0)
        };
        self.lanes.iter_mut().map(random).collect()
    }

    fn viewers(&self) -> Vec<u8> {
        let viewer = |lane: &Lane<G>| {
            lane.end(&self.options).map_or_else(|| lane.viewer(&self.options), |&(side, _)| side)
        };
        self.lanes.iter().map(|lane| viewer(lane).index() as u8).collect()
    }

    fn picture(&self, game: usize) -> Option<String> {
        self.lanes.get(game).map(|lane| lane.turn.position.picture(None))
    }

    fn positions(&self) -> Vec<anygame::Position> {
        let rules = G::Rules::by_name(self.options.rules).unwrap_or(G::Rules::AGENT);
        self.lanes
            .iter()
            .map(|lane| built_in::position(lane.turn.position.clone(), rules))
            .collect()
    }
}
