//! The scheme of a grading: a scheme file, or the game's own scheme.

pub(crate) mod file;
pub(crate) mod plan;
#[cfg(test)]
pub(crate) mod tests;

use anygame::AnyGame;
use anyhow::{Result, bail};
use arena::analysis::NODES;
use arena::analysis::finding::Effort;
use arena::plain;
use arena::terms::Bounds;
use clap::{Args, ValueEnum};
use file::SchemeFile;
use homework::Homework;
use intake::environment::Environment;
use plan::GradingPlan;
use std::path::PathBuf;
use terminal::games::GameOption;
use terminal::settings::{BoxSettings, seed_or_drawn};

/// For each position of a lost game whose rules are a program.
const ANALYSIS_TIME: f64 = 1.0;

/// The options of a scheme, and of how its tests are played.
#[derive(Args, Clone)]
pub(crate) struct SchemeOptions {
    #[command(flatten)]
    pub game: GameOption,

    /// The scheme file with the tests and their points, such as schemes/halma.toml
    /// (docs/grading.md) [default: the game's own scheme]
    #[arg(long, value_name = "FILE")]
    pub scheme: Option<PathBuf>,

    /// This number of single positions in each group of the scheme, such as 3 for a quick trial
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub singles: Option<u32>,

    /// This number of games against each reference of the scheme
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub games: Option<u32>,

    /// The seed of dice, cards, openings and random players [default: that of the scheme, or drawn
    /// for each record, and told]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,

    /// Analyse each lost game: the report names the agent's worst moves, better ones and why they
    /// are better. With =NODES the analysis takes that many nodes for each position
    #[arg(long, value_name = "NODES", require_equals = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub analyse: Option<Option<u64>>,

    /// Tests at a time; each has cores of its own as long as there are enough
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub concurrency: u32,

    #[command(flatten)]
    pub boxes: BoxSettings,
}

impl SchemeOptions {
    pub(crate) fn refuse_keys_of_games(&self) -> Result<()> {
        let given = [
            (self.scheme.is_some(), "--scheme"),
            (self.singles.is_some(), "--singles"),
            (self.games.is_some(), "--games"),
            (self.seed.is_some(), "--seed"),
            (self.analyse.is_some(), "--analyse"),
        ];
        if let Some((_, option)) = given.iter().find(|(is_given, _)| *is_given) {
            bail!("{option}: a homework has no scheme and no games");
        }
        Ok(())
    }

    pub(crate) fn effort(&self, game: &AnyGame) -> Option<Effort> {
        let usual = match game.is_own() {
            true => Effort::Time(ANALYSIS_TIME),
            false => Effort::Nodes(NODES),
        };
        self.analyse.map(|nodes| nodes.map_or(usual, Effort::Nodes))
    }

    /// The scheme, with the counts and the seed of the options.
    pub(crate) fn data(&self) -> Result<SchemeFile> {
        let game = self.game.game()?;
        let mut data = match &self.scheme {
            Some(path) => SchemeFile::read(path, game)?,
            None => SchemeFile::of_game(game)?,
        };
        for positions in data.positions_mut() {
            positions.count = self.singles.unwrap_or(positions.count);
        }
        for games in data.games_mut() {
            games.count = self.games.unwrap_or(games.count);
        }
        data.seed = self.seed.or(data.seed);
        data.check(game).map_err(|(_, error)| error)?;
        Ok(data)
    }

    /// The plan of a grading. Its seed is that of the options or the scheme, else that of the record
    /// which it continues, else one that is drawn; a part of a class has no seed of its own.
    pub(crate) fn plan(&self, recorded: Option<u64>, is_part: bool) -> Result<GradingPlan> {
        let (bounds, graded_with) = self.prepare(None)?;
        let mut data = self.data()?;
        let known = data.seed.or(recorded);
        data.seed = Some(seed_or_drawn(known, is_part)?);
        let words = self.words(&data)?;
        let mut plan = GradingPlan::new(self.game.game()?, &data, bounds, words)?;
        plan.graded_with = graded_with;
        plan.drawn = data.seed.filter(|_| known.is_none());
        Ok(plan)
    }

    /// Returns the bounds of players with the environment of the scheme or homework, and a note on
    /// the versions that grade.
    pub(crate) fn prepare(&self, homework: Option<&Homework>) -> Result<(Bounds, Option<String>)> {
        let mut bounds = self.boxes.bounds()?;
        let environment = Environment::of(self.scheme.as_deref(), homework)?;
        let versions = environment.prepare(&mut bounds)?;
        Ok((bounds, versions.map(|versions| format!("Graded with {versions}"))))
    }

    fn words(&self, data: &SchemeFile) -> Result<String> {
        let game = self.game.game()?;
        let at_limit = data.at_limit.unwrap_or_default().to_possible_value();
        let file =
            self.scheme.as_deref().map(|path| plain::name(path.file_name().unwrap_or_default()));
        let count = |option: &str, count: Option<u32>| {
            count.map_or(String::new(), |count| format!(" {option}={count}"))
        };
        Ok(format!(
            "game={} scheme={}{}{} seed={} max-plies={} at-limit={} rules={} memory={}",
            game.name,
            file.as_deref().unwrap_or("own"),
            count("singles", self.singles),
            count("games", self.games),
            data.seed.unwrap_or_default(),
            data.max_plies.unwrap_or(game.ply_limit),
            at_limit.as_ref().map_or("", |value| value.get_name()),
            game.rules.check_rules(data.rules.as_deref())?,
            self.boxes.bounds()?.memory_mib,
        ))
    }
}
