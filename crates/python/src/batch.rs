//! Many games at once, for learners.

use crate::chance::Chance;
use crate::clock::InterruptibleClock;
use crate::numbers::{room, write_floats};
use crate::rates::{draw, rate_moves};
use crate::threads::in_threads;
use crate::turn::{Choice, Encoding, Turn};
use anygame::built_in;
use engine::clock::NoClock;
use engine::think::{Playable, Settings, think_observed};
use engine::{Explain, Outcome, RuleSet, Side, Task};
use pyo3::PyResult;
use std::collections::TryReserveError;
use std::io;
use std::sync::Arc;

/// The number of openings that are drawn for a game before its random plies are left out: a game
/// must not be over before the learner has made a move.
const TRIES: u32 = 100;
/// The memory that a game's lists of moves may come to need, as a multiple of that at the start.
const GROWTH: usize = 8;

/// The opponent in a learner's games.
#[derive(Clone, Copy)]
pub(crate) struct Opponent {
    /// The nodes of its search, for each move.
    pub nodes: u64,
    /// Above 0, its move is drawn with this temperature by the expected results of all moves, which
    /// take the nodes together.
    pub temperature: f64,
    /// The share of its moves that are random, from 0 to 1.
    pub epsilon: f64,
}

/// The options of a batch.
#[derive(Clone, Copy)]
pub(crate) struct BatchOptions {
    pub games: usize,
    pub rules: &'static str,
    pub ply_limit: u32,
    pub random_values: bool,
    /// The opponent; `None` if the learner plays both sides.
    pub opponent: Option<Opponent>,
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
    /// The side that sees the last observation of a game that ended with this step.
    last: Option<Side>,
}

/// One game of a batch. A game that ends is followed by the next, at once or in the next step.
struct Lane<G: Playable> {
    turn: Turn<G>,
    chance: Chance,
    learner: Side,
    plies: u32,
    step: Step,
    /// The last observation of the last game that ended.
    last: Vec<f32>,
}

/// The beginnings of the games of a batch.
struct Beginning<'a, G> {
    starts: &'a [G],
    options: &'a BatchOptions,
    /// Whether an interrupt has ended the call that plays these games.
    stop: &'a dyn Fn() -> bool,
}

impl<G: Explain> Lane<G> {
    /// The side that sees the last observation of a game that the next has not followed yet.
    fn end(&self, options: &BatchOptions) -> Option<Side> {
        self.step.last.filter(|_| options.next_step)
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
        if options.opponent.is_none() { self.turn.position.side_to_move() } else { self.learner }
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
        let Some(Opponent { nodes, temperature, epsilon }) = options.opponent else { return };
        while self.turn.position.side_to_move() != self.learner
            && !self.turn.is_over()
            && !self.is_cut(options)
        {
            let moves = self.turn.moves();
            let mv = if epsilon == 1.0 || epsilon > 0.0 && self.chance.is_below(epsilon) {
                moves[self.chance.below(moves.len())]
            } else if temperature > 0.0 {
                let expected = rate_moves(&self.turn.position, moves, nodes, begin.stop);
                moves[draw(&expected, temperature, &mut self.chance)]
            } else {
                let task = Task::single(self.turn.position.clone());
                let stop = &mut || (begin.stop)();
                think_observed(&task, &Settings::with_nodes(nodes), &NoClock, stop).best
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
        self.turn.observe(viewer, self.plies, options.ply_limit, &mut self.last);
        self.step.last = Some(viewer);
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
    /// not told by numbers; a `MemoryError` for more games than fit.
    pub(crate) fn boxed(
        options: BatchOptions,
        starts: Vec<G>,
    ) -> PyResult<Option<Box<dyn AnyBatch>>> {
        let first = starts.first().and_then(|start| Encoding::of(start, options.squares));
        let Some(encoding) = first.map(Arc::new) else { return Ok(None) };
        let numbers = encoding.numbers();
        let turn = || Turn::new(starts[0].clone(), Arc::clone(&encoding));
        // The lists of moves grow later.
        let each = size_of::<Lane<G>>() + GROWTH * turn().bytes() + 4 * numbers;
        drop(room::<u8>(options.games.saturating_mul(each))?);
        let mut lanes = room(options.games)?;
        lanes.extend((0..options.games).map(|_| Lane {
            turn: turn(),
            chance: Chance::new(0, 0),
            learner: options.side.unwrap_or(Side::First),
            plies: 0,
            step: Step::default(),
            last: vec![0.0; numbers],
        }));
        Ok(Some(Box::new(Batch { lanes, starts, encoding, options })))
    }

    /// Calls a function with every game, in several threads if the options say so, until the clock
    /// says that an interrupt has come.
    fn each_lane(
        &mut self,
        clock: &InterruptibleClock,
        visit: impl Fn(usize, &mut Lane<G>, &Beginning<'_, G>) + Sync,
    ) -> io::Result<()> {
        let (starts, options) = (&self.starts[..], &self.options);
        let size = self.lanes.len().div_ceil(options.threads).max(1);
        let chunks = self.lanes.chunks_mut(size).enumerate();
        in_threads(clock, chunks, |(chunk, lanes), stop| {
            let begin = Beginning { starts, options, stop };
            for (index, lane) in lanes.iter_mut().enumerate() {
                if stop() {
                    return;
                }
                visit(chunk * size + index, lane, &begin);
            }
        })?;
        Ok(())
    }
}

/// What a [`Batch`] tells of each of its games, as bytes.
#[derive(Clone, Copy)]
pub(crate) enum Column {
    /// The observation of the side that acts next, as 32-bit floats.
    Observation,
    /// 1 for each legal action.
    Mask,
    /// The reward of the last step, as a 32-bit float.
    Reward,
    /// Whether the rules have ended the game in the last step.
    Terminated,
    /// Whether the limit of plies has.
    Truncated,
    /// The last observation, of the games alone that have ended in the last step.
    Last,
    /// The index of the side that acts next, or whose view the observation is.
    Viewer,
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
    ) -> io::Result<()>;
    /// Takes an action in each game, 64-bit integers as bytes. The games are in no order if the
    /// clock says that an interrupt has come.
    fn step(&mut self, actions: &[u8], clock: &InterruptibleClock) -> io::Result<()>;
    /// The first game that was over before the learner could move.
    fn first_over(&self) -> Option<usize>;
    /// The number of games that ended with the last step.
    fn ended(&self) -> usize;
    /// Writes a column, game by game.
    fn write(&self, column: Column, out: &mut [u8]);
    /// The legal actions of all games as bytes of 64-bit integers: game * actions + action. An error
    /// if they do not fit into memory.
    fn legal(&self) -> Result<Vec<u8>, TryReserveError>;
    /// Writes a random legal action in each game, as 64-bit integers.
    fn random_actions(&mut self, out: &mut [u8]);
    /// A game's position, without the jumps of an unfinished chain.
    fn position(&self, game: usize) -> Option<anygame::Position>;
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
    ) -> io::Result<()> {
        self.each_lane(clock, |index, lane, begin| {
            if let Some(seed) = seed {
                lane.chance = Chance::new(seed, index as u64);
            }
            lane.step = Step::default();
            match positions.and_then(|positions| positions[index].as_any().downcast_ref::<G>()) {
                Some(position) => lane.begin(position.clone(), begin),
                None => lane.restart(begin),
            }
        })
    }

    fn step(&mut self, actions: &[u8], clock: &InterruptibleClock) -> io::Result<()> {
        self.each_lane(clock, |index, lane, begin| {
            let bytes = actions[8 * index..][..8].try_into().expect("8 bytes");
            // A number that is no action is illegal, like any other.
            lane.step(u32::try_from(i64::from_ne_bytes(bytes)).unwrap_or(u32::MAX), begin);
        })
    }

    fn first_over(&self) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.turn.is_over())
    }

    fn ended(&self) -> usize {
        self.lanes.iter().filter(|lane| lane.step.last.is_some()).count()
    }

    fn write(&self, column: Column, out: &mut [u8]) {
        let options = &self.options;
        let mut numbers = vec![0.0; self.encoding.numbers()];
        let size = match column {
            Column::Observation | Column::Last => 4 * numbers.len(),
            Column::Mask => self.encoding.actions as usize,
            Column::Reward => 4,
            Column::Terminated | Column::Truncated | Column::Viewer => 1,
        };
        let told = |lane: &&Lane<G>| !matches!(column, Column::Last) || lane.step.last.is_some();
        for (lane, out) in self.lanes.iter().filter(told).zip(out.chunks_exact_mut(size)) {
            let (end, viewer) = (lane.end(options), lane.viewer(options));
            match column {
                Column::Last => write_floats(&lane.last, out),
                Column::Observation if end.is_some() => write_floats(&lane.last, out),
                Column::Observation => {
                    lane.turn.observe(viewer, lane.plies, options.ply_limit, &mut numbers);
                    write_floats(&numbers, out);
                }
                Column::Mask if end.is_some() => {}
                Column::Mask => lane.turn.each_action(|action| out[action as usize] = 1),
                Column::Reward => write_floats(&[lane.step.reward], out),
                Column::Terminated => out[0] = u8::from(lane.step.terminated),
                Column::Truncated => out[0] = u8::from(lane.step.truncated),
                Column::Viewer => out[0] = end.unwrap_or(viewer).index() as u8,
            }
        }
    }

    fn legal(&self) -> Result<Vec<u8>, TryReserveError> {
        let mut places = Vec::new();
        let goes_on = |(_, lane): &(usize, &Lane<G>)| lane.end(&self.options).is_none();
        for (game, lane) in self.lanes.iter().enumerate().filter(goes_on) {
            places.try_reserve(8 * lane.turn.moves().len())?;
            let first = game as i64 * i64::from(self.encoding.actions);
            lane.turn
                .each_action(|action| places.extend((first + i64::from(action)).to_ne_bytes()));
        }
        Ok(places)
    }

    fn random_actions(&mut self, out: &mut [u8]) {
        let mut actions = Vec::new();
        for (lane, out) in self.lanes.iter_mut().zip(out.chunks_exact_mut(8)) {
            if lane.end(&self.options).is_none() {
                lane.turn.list_actions(&mut actions);
                // Where every beginning is over before the learner's first move, none is legal.
                let drawn = lane.chance.below(actions.len().max(1));
                let action = actions.get(drawn).copied().unwrap_or(0);
                out.copy_from_slice(&i64::from(action).to_ne_bytes());
            }
        }
    }

    fn position(&self, game: usize) -> Option<anygame::Position> {
        let rules = G::Rules::by_name(self.options.rules).unwrap_or(G::Rules::AGENT);
        self.lanes.get(game).map(|lane| built_in::position(lane.turn.position.clone(), rules))
    }
}
