//! The scheme that a grading follows: the game's own, changed by options.

use crate::analyse::NODES;
use crate::names::name_parser;
use crate::settings::GameSettings;
use anyhow::{Result, bail};
use arena::AnyGame;
use arena::analysis::finding::Effort;
use arena::player::keys::reference_kind;
use arena::player::spec::{EngineSpec, PlayerKind};
use arena::random::{self, Purpose};
use arena::record::{Header, VERSION};
use arena::referee::GameOrder;
use arena::terms::Bounds;
use arena::terms::Clock;
use arena::terms::{Openings, Shape};
use clap::{Args, ValueEnum};
use engine::{Course, Side, TimeControl};
use std::collections::VecDeque;

/// The scheme and its settings.
#[derive(Args, Clone)]
pub(crate) struct Scheme {
    /// The game
    #[arg(long, value_parser = name_parser())]
    pub game: String,

    /// Single positions, 1 point each for a legal move in time [default: the game's scheme; halma 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub singles: Option<u32>,

    /// Games against the reference; the agent moves first in every other one, the first game included [default: the
    /// game's scheme; halma 9]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub games: Option<u32>,

    /// Points for a game won; half of them for a draw [default: the game's scheme; halma 10]
    #[arg(long, value_name = "POINTS")]
    pub game_points: Option<f64>,

    /// The reference: random, greedy, minimax:N, alphabeta:N [default: the game's scheme; halma minimax:2]
    #[arg(long, value_name = "NAME")]
    pub reference: Option<String>,

    /// The depth of plain minimax as the reference, in plies
    #[arg(long, value_name = "PLIES", conflicts_with = "reference")]
    pub reference_depth: Option<u32>,

    /// CPU seconds for each single position [default: the game's scheme; halma 30]
    #[arg(long, value_name = "SECONDS")]
    pub single_clock: Option<f64>,

    /// CPU seconds for each game [default: the game's scheme; halma 100]
    #[arg(long, value_name = "SECONDS")]
    pub game_clock: Option<f64>,

    /// CPU seconds for each move in games, instead of a clock for the whole game
    #[arg(long, value_name = "SECONDS", conflicts_with = "game_clock")]
    pub turn_clock: Option<f64>,

    /// Analyse each lost game: the report names the agent's costliest moves, what was better and why
    #[arg(long)]
    pub analyse: bool,

    /// Nodes for each position of that analysis [default: 100000]
    #[arg(long, value_name = "COUNT", requires = "analyse", value_parser = clap::value_parser!(u64).range(1..))]
    pub analyse_nodes: Option<u64>,

    #[command(flatten)]
    pub settings: GameSettings,
}

/// One test that is still to be run.
pub(crate) struct Test {
    /// The number of the test, from 1.
    pub number: u32,
    /// What the test is, for people.
    pub name: String,
    /// The side that the agent plays.
    pub side: Side,
    /// The most points that the test can give.
    pub most: f64,
    /// The game, or the one turn of it.
    pub order: GameOrder,
}

/// A scheme with everything decided.
pub(crate) struct Plan {
    /// For the record of the grading.
    pub header: Header,
    /// All tests, in order.
    pub tests: VecDeque<Test>,
}

const SINGLE_POINTS: f64 = 1.0;

impl Scheme {
    /// The effort for each position of lost games, if they are to be analysed.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.analyse.then(|| Effort::Nodes(self.analyse_nodes.unwrap_or(NODES)))
    }

    /// The number of tests.
    pub(crate) fn count(&self, game: &AnyGame) -> usize {
        let usual = game.course;
        (self.singles.unwrap_or(usual.singles) + self.games.unwrap_or(usual.games)) as usize
    }

    /// The most points that the tests can give.
    pub(crate) fn most(&self, game: &AnyGame) -> f64 {
        let usual = game.course;
        let game_points = self.game_points.unwrap_or(usual.game_points);
        f64::from(self.singles.unwrap_or(usual.singles)) * SINGLE_POINTS
            + f64::from(self.games.unwrap_or(usual.games)) * game_points
    }

    /// All that bears on the points of a submission, in the words of the options; an error if it makes no sense.
    pub(crate) fn words(&self, game: &AnyGame) -> Result<String> {
        let (usual, settings) = (&game.course, &self.settings);
        let rules = (game.check_rules)(settings.rules.as_deref())?;
        let bounds = settings.bounds()?;
        let (Clock::Game(single) | Clock::Single(single), game_clock) = self.clocks(usual)?;
        let game_clock = match game_clock {
            Clock::Game(seconds) => format!("game-clock={seconds}"),
            Clock::Single(seconds) => format!("turn-clock={seconds}"),
        };
        let at_limit = settings.at_limit.unwrap_or_default().to_possible_value();
        let at_limit = at_limit.map_or(String::new(), |value| value.get_name().to_string());
        Ok(format!(
            "game={} singles={} single-clock={single} games={} {game_clock} game-points={} reference={} seed={} \
             max-plies={} at-limit={at_limit} rules={rules} memory={}",
            self.game,
            self.singles.unwrap_or(usual.singles),
            self.games.unwrap_or(usual.games),
            self.game_points(usual)?,
            self.opponent(game, "")?.name,
            settings.seed(),
            settings.max_plies.unwrap_or(game.ply_limit),
            bounds.memory_mib,
        ))
    }

    /// Decides everything for an agent.
    pub(crate) fn plan(&self, game: &AnyGame, agent: &EngineSpec) -> Result<Plan> {
        (game.check_rules)(self.settings.rules.as_deref())?;
        let bounds = self.settings.bounds()?;
        let reference = self.opponent(game, &agent.name)?;
        Ok(Plan {
            header: self.header(game, agent, &reference, bounds.clone()),
            tests: self.tests(game, agent, &reference, bounds)?,
        })
    }

    fn opponent(&self, game: &AnyGame, agent: &str) -> Result<EngineSpec> {
        let name = match (&self.reference, self.reference_depth) {
            (Some(name), _) => name.clone(),
            (None, Some(depth)) => format!("minimax:{depth}"),
            (None, None) => game.course.opponent.to_string(),
        };
        let kind: PlayerKind = reference_kind(&name)?;
        Ok(EngineSpec {
            name: if name == agent { format!("reference {name}") } else { name },
            kind,
            // The reference loses no game on time: its speed is this machine's affair.
            clock: Clock::Game(1e6),
            margin: 0.0,
        })
    }

    fn header(&self, game: &AnyGame, agent: &EngineSpec, reference: &EngineSpec, bounds: Bounds) -> Header {
        Header {
            version: VERSION,
            game: self.game.clone(),
            rules: self.settings.rules.clone(),
            engines: vec![agent.clone(), reference.clone()],
            shape: Shape::Gauntlet,
            pairs: 0,
            openings: Openings::Start,
            seed: self.settings.seed(),
            max_plies: self.settings.max_plies.unwrap_or(game.ply_limit),
            at_limit: self.settings.at_limit.unwrap_or_default(),
            bounds,
            shard: None,
        }
    }

    fn game_points(&self, usual: &Course) -> Result<f64> {
        let points = self.game_points.unwrap_or(usual.game_points);
        if !(0.0..=1e6).contains(&points) {
            bail!("--game-points: expected points, found {points}");
        }
        Ok(points)
    }

    fn clocks(&self, usual: &Course) -> Result<(Clock, Clock)> {
        let single = self.single_clock.unwrap_or(usual.single_clock);
        let game = match (self.game_clock, self.turn_clock) {
            (Some(seconds), _) => Clock::Game(seconds),
            (None, Some(seconds)) => Clock::Single(seconds),
            (None, None) => match usual.game_control {
                TimeControl::Game => Clock::Game(usual.game_clock),
                TimeControl::Single => Clock::Single(usual.game_clock),
            },
        };
        let (Clock::Game(of_game) | Clock::Single(of_game)) = game;
        for seconds in [single, of_game] {
            if !(seconds > 0.0 && seconds < 1e7) {
                bail!("clock: expected a positive number of seconds, found {seconds}");
            }
        }
        Ok((Clock::Single(single), game))
    }

    /// All tests: the single positions spread over the length of a game; the first two games from the start, the others
    /// after two random plies, so that no two are alike.
    fn tests(
        &self,
        game: &AnyGame,
        agent: &EngineSpec,
        reference: &EngineSpec,
        bounds: Bounds,
    ) -> Result<VecDeque<Test>> {
        let usual = &game.course;
        let (single_clock, game_clock) = self.clocks(usual)?;
        let game_points = self.game_points(usual)?;
        let mut tests = VecDeque::new();
        let max_plies = self.settings.max_plies.unwrap_or(game.ply_limit);
        let order = |number: u32, clock: Clock, side: Side, opening, single| {
            let agent = EngineSpec { clock, ..agent.clone() };
            let engines = if side == Side::First { [agent, reference.clone()] } else { [reference.clone(), agent] };
            GameOrder {
                game: number,
                engines,
                opening,
                rules: self.settings.rules.clone(),
                single,
                max_plies,
                at_limit: self.settings.at_limit.unwrap_or_default(),
                bounds: bounds.clone(),
                seed: random::derived(self.settings.seed(), Purpose::Players, number),
            }
        };
        let singles = self.singles.unwrap_or(usual.singles);
        for index in 0..singles {
            let part = (f64::from(index) + 0.5) / f64::from(singles);
            let seed = random::derived(self.settings.seed(), Purpose::Position, index);
            let opening = (game.middle_position)(part, seed)?;
            let side = (game.side_to_move)(&opening)?;
            tests.push_back(Test {
                number: index + 1,
                name: format!("position {} ({})", index + 1, game.sides[side.index()]),
                side,
                most: SINGLE_POINTS,
                order: order(index + 1, single_clock, side, opening, true),
            });
        }
        for index in 0..self.games.unwrap_or(usual.games) {
            let number = singles + index + 1;
            let plies = if index < 2 { 0 } else { 2 };
            let seed = random::derived(self.settings.seed(), Purpose::Opening, index);
            let opening = (game.random_opening)(plies, seed)?;
            let mover = (game.side_to_move)(&opening)?;
            let side = if index % 2 == 0 { mover } else { mover.other() };
            let when = if index % 2 == 0 { "first" } else { "second" };
            tests.push_back(Test {
                number,
                name: format!("game {} as {}, moving {when}", index + 1, game.sides[side.index()]),
                side,
                most: game_points,
                order: order(number, game_clock, side, opening, false),
            });
        }
        Ok(tests)
    }
}
