//! The scheme of a grading: a scheme file, or the game's own scheme with changes by options.

pub(crate) mod file;
pub(crate) mod late;
pub(crate) mod plan;
#[cfg(test)]
mod tests;

use crate::grade::points::check_points;
use anygame::AnyGame;
use anyhow::{Context, Result, bail};
use arena::analysis::NODES;
use arena::analysis::finding::Effort;
use arena::terms::Bounds;
use clap::{Args, ValueEnum};
use file::{References, SchemeFile};
use plan::GradingPlan;
use std::path::PathBuf;
use terminal::games::find;
use terminal::games::name_parser;
use terminal::settings::GameSettings;

/// The options that choose and change a scheme.
#[derive(Args, Clone)]
pub(crate) struct SchemeOptions {
    /// The game, or the folder of a game of your own
    #[arg(long, value_parser = name_parser())]
    pub game: String,

    /// The scheme file with the tests and their points, such as schemes/halma.toml (docs/grading.md) [default: the game's
    /// own scheme]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["singles", "games", "game_points", "reference", "reference_depth",
        "single_clock", "game_clock", "turn_clock"])]
    pub scheme: Option<PathBuf>,

    /// Single positions, 1 point each for a legal move in time [default: the game's scheme; halma 10]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub singles: Option<u32>,

    /// Games against the reference; the agent moves first in every other one, the first game included [default: the
    /// game's scheme; halma 9]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub games: Option<u32>,

    /// Points for a won game; half of them for a draw [default: the game's scheme; halma 10]
    #[arg(long, value_name = "POINTS")]
    pub game_points: Option<f64>,

    /// The reference: random, greedy, minimax:N, alphabeta:N, mcts:N [default: the game's scheme; halma minimax:2]
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

    /// Multiply all clocks of the scheme by this, such as 0.5
    #[arg(long, value_name = "FACTOR")]
    pub clock_share: Option<f64>,

    /// Analyse each lost game: the report names the agent's worst moves, better ones and why they are better
    #[arg(long)]
    pub analyse: bool,

    /// Nodes for each position of the analysis [default: 100000]
    #[arg(long, value_name = "COUNT", requires = "analyse", value_parser = clap::value_parser!(u64).range(1..))]
    pub analyse_nodes: Option<u64>,

    #[command(flatten)]
    pub settings: GameSettings,
}

impl SchemeOptions {
    /// Returns the game.
    pub(crate) fn game(&self) -> Result<&'static AnyGame> {
        find(&self.game)
    }

    /// Returns the effort for each position of lost games, if they are analysed.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.analyse.then(|| Effort::Nodes(self.analyse_nodes.unwrap_or(NODES)))
    }

    /// Returns the limits of the agent's processes.
    pub(crate) fn bounds(&self) -> Result<Bounds> {
        self.settings.bounds()
    }

    /// Returns the contents of the scheme, with the changes by options.
    pub(crate) fn data(&self) -> Result<SchemeFile> {
        let game = self.game()?;
        let mut data = match &self.scheme {
            Some(path) => SchemeFile::read(path, game)?,
            None => self.own_scheme(find(&self.game)?)?,
        };
        let GameSettings { seed, max_plies, at_limit, rules, .. } = &self.settings;
        data.seed = seed.or(data.seed);
        data.max_plies = max_plies.or(data.max_plies);
        data.at_limit = at_limit.or(data.at_limit);
        data.rules = rules.clone().or(data.rules);
        if let Some(share) = self.clock_share {
            if !(share > 0.0 && share <= 1000.0) {
                bail!("--clock-share: expected a positive factor such as 0.5, found {share}");
            }
            data.scale_clocks(share);
        }
        data.check(game).map_err(|(_, error)| error)?;
        Ok(data)
    }

    /// Returns the game's own scheme with the changes by options.
    fn own_scheme(&self, game: &AnyGame) -> Result<SchemeFile> {
        if let Some(points) = self.game_points {
            check_points("--game-points", points)?;
        }
        let mut data = SchemeFile::of_game(game)?;
        for positions in data.positions.iter_mut().map(|group| group.get_mut()) {
            positions.count = self.singles.unwrap_or(positions.count);
            positions.clock = self.single_clock.unwrap_or(positions.clock);
        }
        for games in data.games.iter_mut().map(|group| group.get_mut()) {
            games.count = self.games.unwrap_or(games.count);
            games.points = self.game_points.unwrap_or(games.points);
            let depth = self.reference_depth.map(|depth| format!("minimax:{depth}"));
            if let Some(name) = self.reference.clone().or(depth) {
                games.reference = References::One(name);
            }
            if self.game_clock.is_some() || self.turn_clock.is_some() {
                (games.clock, games.turn_clock) = (self.game_clock, self.turn_clock);
            }
        }
        Ok(data)
    }

    /// Returns the scheme as the text of a scheme file.
    pub(crate) fn as_text(&self) -> Result<String> {
        toml::to_string(&self.data()?).context("the scheme cannot be written")
    }

    /// Makes the plan of the grading.
    pub(crate) fn plan(&self) -> Result<GradingPlan> {
        let words = self.words()?;
        GradingPlan::new(self.game()?, &self.data()?, self.bounds()?, words)
    }

    /// Describes everything that affects points, in the words of the options.
    fn words(&self) -> Result<String> {
        let game = self.game()?;
        let data = self.data()?;
        let at_limit = data.at_limit.unwrap_or_default().to_possible_value();
        let at_limit = at_limit.map_or(String::new(), |value| value.get_name().to_string());
        let tests = match (&self.scheme, &data.positions[..], &data.games[..]) {
            (Some(path), _, _) => format!("scheme={}", arena::plain::name(path.file_name().unwrap_or_default())),
            (None, [positions], [games]) => {
                let (positions, games) = (positions.get_ref(), games.get_ref());
                let clock = match (games.clock, games.turn_clock) {
                    (Some(seconds), _) => format!("game-clock={seconds}"),
                    (None, seconds) => format!("turn-clock={}", seconds.unwrap_or_default()),
                };
                format!(
                    "singles={} single-clock={} games={} {clock} game-points={} reference={}",
                    positions.count,
                    positions.clock,
                    games.count,
                    games.points,
                    games.reference.names().join(",")
                )
            }
            _ => String::new(),
        };
        Ok(format!(
            "game={} {tests} seed={} max-plies={} at-limit={at_limit} rules={} memory={}",
            game.name,
            data.seed.unwrap_or(1),
            data.max_plies.unwrap_or(game.ply_limit),
            game.rules.check_rules(data.rules.as_deref())?,
            self.bounds()?.memory_mib,
        ) + &self.clock_share.map_or(String::new(), |share| format!(" clock-share={share}")))
    }
}
