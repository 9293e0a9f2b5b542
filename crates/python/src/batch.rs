//! Many games at once, for learners.

use crate::chance::Chance;
use crate::numbers::write_floats;
use crate::turn::{Choice, Encoding, Turn};
use engine::clock::Clock;
use engine::think::{Playable, Settings, think};
use engine::{Outcome, Side, Task, TimeControl};
use std::sync::Arc;
use std::time::Duration;

/// The opponent in a learner's games.
#[derive(Clone, Copy)]
pub(crate) enum Opponent {
    /// Nobody: the learner plays both sides.
    Nobody,
    /// Random moves.
    Random,
    /// The search, with so many nodes a move.
    Search(u64),
}

/// The options of a batch.
#[derive(Clone, Copy)]
pub(crate) struct BatchOptions {
    pub games: usize,
    pub rules: usize,
    pub ply_limit: u32,
    pub random_values: bool,
    pub opponent: Opponent,
    /// The learner's side; `None` draws it for each game.
    pub side: Option<Side>,
    pub threads: usize,
}

/// The result of a step of one game.
#[derive(Default)]
struct Step {
    reward: f32,
    terminated: bool,
    truncated: bool,
    /// The last observation of a game that ended with this step.
    last: Option<Vec<f32>>,
}

/// One game of a batch. A game that ends is followed by the next at once.
struct Lane<G: Playable> {
    turn: Turn<G>,
    chance: Chance,
    learner: Side,
    plies: u32,
    step: Step,
}

/// A clock that stands still, for searches limited by nodes.
struct StoppedClock;

impl Clock for StoppedClock {
    fn used(&self) -> Duration {
        Duration::ZERO
    }
}

impl<G: Playable> Lane<G> {
    fn restart(&mut self, start: &G, options: &BatchOptions) {
        let position = match self.turn.position.cell_values() {
            Some(_) if options.random_values => with_random_values(start, &mut self.chance),
            _ => start.clone(),
        };
        self.turn.reset(position);
        self.plies = 0;
        self.learner = options.side.unwrap_or_else(|| Side::BOTH[self.chance.below(2)]);
        self.reply(options);
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

    fn is_cut(&self, options: &BatchOptions) -> bool {
        self.plies >= options.ply_limit && !self.turn.is_over()
    }

    /// Makes the opponent's move, if it has one.
    fn reply(&mut self, options: &BatchOptions) {
        while self.turn.position.side_to_move() != self.learner && !self.turn.is_over() && !self.is_cut(options) {
            let mv = match options.opponent {
                Opponent::Nobody => return,
                Opponent::Random => self.turn.moves()[self.chance.below(self.turn.moves().len())],
                Opponent::Search(nodes) => {
                    let (position, clock) = (self.turn.position.clone(), Duration::from_secs(1));
                    let task = Task { position, control: TimeControl::Single, clock };
                    think(&task, &Settings::with_nodes(nodes), &StoppedClock).best
                }
            };
            self.play(mv);
        }
    }

    /// Takes an action. An illegal one loses the game.
    fn step(&mut self, action: u32, start: &G, options: &BatchOptions) {
        self.step = Step::default();
        let viewer = self.viewer(options);
        let is_legal = match self.turn.choose(action) {
            Choice::Unfinished => return,
            Choice::Illegal => false,
            Choice::Complete(mv) => {
                self.play(mv);
                self.reply(options);
                true
            }
        };
        if is_legal && !self.turn.is_over() && !self.is_cut(options) {
            return;
        }
        self.step.terminated = !is_legal || self.turn.is_over();
        self.step.truncated = !self.step.terminated;
        let winner =
            if is_legal { self.turn.position.outcome().and_then(Outcome::winner) } else { Some(viewer.other()) };
        self.step.reward = winner.map_or(0.0, |winner| if winner == viewer { 1.0 } else { -1.0 });
        let mut last = vec![0.0; self.turn.encoding.numbers()];
        self.turn.observe(viewer, self.plies, options.ply_limit, &mut last);
        self.step.last = Some(last);
        self.restart(start, options);
    }
}

/// The starting position with the values of the cells drawn from 1 to 99.
fn with_random_values<G: Playable>(start: &G, chance: &mut Chance) -> G {
    /// The line of the first row of values in an input file, from 0.
    const FIRST_LINE: usize = 3;
    let task = Task { position: start.clone(), control: TimeControl::Single, clock: Duration::from_secs(1) };
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
    G::read_task(&text, <G::Rules as engine::RuleSet>::AGENT).map_or_else(|_| start.clone(), |task| task.position)
}

/// Games of one kind.
pub(crate) struct Batch<G: Playable> {
    lanes: Vec<Lane<G>>,
    start: G,
    encoding: Arc<Encoding>,
    options: BatchOptions,
}

impl<G: Playable> Batch<G> {
    pub(crate) fn boxed(options: BatchOptions, rules: fn(usize) -> G::Rules) -> Option<Box<dyn AnyBatch>> {
        let start = G::start(rules(options.rules));
        let encoding = Arc::new(Encoding::of(&start)?);
        let lane = |_| Lane {
            turn: Turn::new(start.clone(), Arc::clone(&encoding)),
            chance: Chance::new(0, 0),
            learner: options.side.unwrap_or(Side::First),
            plies: 0,
            step: Step::default(),
        };
        let lanes = (0..options.games).map(lane).collect();
        Some(Box::new(Batch { lanes, start, encoding, options }))
    }

    /// Calls a function with every game, with the start and the options, in several threads if the options say so.
    fn each_lane(&mut self, visit: impl Fn(usize, &mut Lane<G>, &G, &BatchOptions) + Sync) {
        let (start, options) = (&self.start, &self.options);
        let size = self.lanes.len().div_ceil(options.threads).max(1);
        let run = |first: usize, lanes: &mut [Lane<G>]| {
            lanes.iter_mut().enumerate().for_each(|(index, lane)| visit(first + index, lane, start, options));
        };
        let mut chunks = self.lanes.chunks_mut(size).enumerate();
        let Some((_, own)) = chunks.next() else { return };
        std::thread::scope(|scope| {
            for (index, chunk) in chunks {
                let run = &run;
                scope.spawn(move || run(index * size, chunk));
            }
            run(0, own);
        });
    }
}

/// A [`Batch`] of any game.
pub(crate) trait AnyBatch: Send + Sync {
    fn encoding(&self) -> &Encoding;
    fn games(&self) -> usize;
    /// Begins all games anew, with a seed if there is one.
    fn reset(&mut self, seed: Option<u64>);
    /// Takes an action in each game.
    fn step(&mut self, actions: &[u32]);
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
}

impl<G: Playable> AnyBatch for Batch<G> {
    fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    fn games(&self) -> usize {
        self.lanes.len()
    }

    fn reset(&mut self, seed: Option<u64>) {
        self.each_lane(|index, lane, start, options| {
            if let Some(seed) = seed {
                lane.chance = Chance::new(seed, index as u64);
            }
            lane.step = Step::default();
            lane.restart(start, options);
        });
    }

    fn step(&mut self, actions: &[u32]) {
        self.each_lane(|index, lane, start, options| lane.step(actions[index], start, options));
    }

    fn results(&self) -> Vec<(f32, bool, bool)> {
        self.lanes.iter().map(|lane| (lane.step.reward, lane.step.terminated, lane.step.truncated)).collect()
    }

    fn ended(&self) -> Vec<(usize, &[f32])> {
        let lanes = self.lanes.iter().enumerate();
        lanes.filter_map(|(index, lane)| Some((index, lane.step.last.as_deref()?))).collect()
    }

    fn observe(&self, out: &mut [u8]) {
        let mut numbers = vec![0.0; self.encoding.numbers()];
        for (lane, out) in self.lanes.iter().zip(out.chunks_exact_mut(4 * numbers.len())) {
            lane.turn.observe(lane.viewer(&self.options), lane.plies, self.options.ply_limit, &mut numbers);
            write_floats(&numbers, out);
        }
    }

    fn mask(&self, out: &mut [u8]) {
        for (lane, out) in self.lanes.iter().zip(out.chunks_exact_mut(self.encoding.actions as usize)) {
            lane.turn.each_action(|action| out[action as usize] = 1);
        }
    }

    fn random_actions(&mut self) -> Vec<u32> {
        let mut actions = Vec::new();
        let random = |lane: &mut Lane<G>| {
            lane.turn.list_actions(&mut actions);
            actions[lane.chance.below(actions.len())]
        };
        self.lanes.iter_mut().map(random).collect()
    }

    fn viewers(&self) -> Vec<u8> {
        self.lanes.iter().map(|lane| lane.viewer(&self.options).index() as u8).collect()
    }

    fn picture(&self, game: usize) -> Option<String> {
        self.lanes.get(game).map(|lane| lane.turn.position.picture(None))
    }
}
