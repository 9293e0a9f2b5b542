//! The format of scheme files: tests and their points. Examples: `schemes/GAME.toml`.

use anygame::{AnyGame, GameClock};
use anyhow::{Result, anyhow, bail};
use arena::keys::reference_player;
use arena::terms::LimitRule;
use arena::toml_text;
use engine::Side;
use homework::{LateRule, check_points};
use intake::environment::Environment;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::Path;

/// The contents of a scheme file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SchemeFile {
    pub game: String,
    /// The seed of positions, openings, dice, cards and random references; without it each record
    /// has one of its own, which nobody knows before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_limit: Option<LimitRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// The names of programs that the intake looks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<Positions>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub proofs: Vec<Positions>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Games>,
    /// Games whose points are for the winning chances that the agent's moves keep.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accuracy: Vec<Games>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<BonusRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRule>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
}

/// Single positions, each of which asks for a legal move in time, or for one that keeps a proven
/// result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [[positions]]")]
pub(crate) struct Positions {
    pub count: u32,
    /// For such a move in time.
    #[serde(default = "one")]
    pub points: f64,
    pub clock: f64,
    /// The largest part of the moves that keep a proven result.
    #[serde(default = "half", skip_serializing_if = "is_half")]
    pub kept: f64,
    #[serde(default, skip_serializing_if = "Visibility::is_visible")]
    pub visibility: Visibility,
}

/// Games against one reference, or against each reference of a ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [[games]]")]
pub(crate) struct Games {
    /// Against each reference; the agent moves first in the first one and in every other one.
    pub count: u32,
    /// For a win, or for keeping all winning chances.
    #[serde(default)]
    pub points: f64,
    /// The share of them for a draw.
    #[serde(default = "half", skip_serializing_if = "is_half")]
    pub draw: f64,
    pub reference: References,
    /// The side that the agent plays; both in turn if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The share of the points against a reference that counts as all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<f64>,
    /// The accuracy in per cent that gets no points, if it is above that of random play; up to 100
    /// the points rise evenly.
    #[serde(default, skip_serializing_if = "is_none")]
    pub least: f64,
    /// Before each game but the first two.
    #[serde(default = "two", skip_serializing_if = "is_two")]
    pub random_plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// For each move, instead of a clock for the whole game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_clock: Option<f64>,
    /// A won game counts as having reached every number of moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    #[serde(default, skip_serializing_if = "Visibility::is_visible")]
    pub visibility: Visibility,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Reach {
    /// The agent's own moves.
    pub moves: u32,
    pub points: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Margin {
    /// For each point of the game that the agent is ahead.
    pub each: f64,
    pub most: f64,
}

/// Points for places in a tournament of the best.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", expecting = "a table [bonus]")]
pub(crate) struct BonusRule {
    /// The number of submissions in the tournament.
    pub best: u32,
    pub points: Vec<f64>,
    /// Between each two submissions, an even number.
    #[serde(default = "two")]
    pub games: u32,
    pub clock: f64,
}

/// One reference, or a ladder of several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum References {
    One(String),
    Ladder(Vec<String>),
}

impl References {
    pub(crate) fn names(&self) -> &[String] {
        match self {
            References::One(name) => std::slice::from_ref(name),
            References::Ladder(names) => names,
        }
    }
}

/// The visibility of results to students, by Gradescope's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    #[default]
    Visible,
    Hidden,
    AfterDueDate,
    AfterPublished,
}

impl Visibility {
    pub(crate) fn is_visible(&self) -> bool {
        *self == Visibility::Visible
    }
}

fn one() -> f64 {
    1.0
}

fn two() -> u32 {
    2
}

fn is_two(count: &u32) -> bool {
    *count == two()
}

fn is_none(number: &f64) -> bool {
    *number == 0.0
}

fn half() -> f64 {
    0.5
}

fn is_half(part: &f64) -> bool {
    *part == half()
}

const MAX_RANDOM_PLIES: u32 = 100;
const MAX_TESTS: u64 = 2000;

impl Games {
    pub(crate) fn agents_clock(&self) -> Result<GameClock> {
        match (self.clock, self.turn_clock) {
            (Some(seconds), None) => Ok(GameClock::Game(check_clock(seconds)?)),
            (None, Some(seconds)) => Ok(GameClock::Single(check_clock(seconds)?)),
            (Some(_), Some(_)) => bail!("clock and turn-clock exclude each other"),
            (None, None) => {
                bail!("expected clock, in CPU seconds for a game, or turn-clock, for each move")
            }
        }
    }

    pub(crate) fn most(&self) -> f64 {
        self.points
            + self.reach.iter().map(|reach| reach.points).sum::<f64>()
            + self.margin.as_ref().map_or(0.0, |margin| margin.most)
    }
}

fn check_clock(seconds: f64) -> Result<f64> {
    if !(seconds > 0.0 && seconds < 1e7) {
        bail!("clock: expected a positive number of seconds, found {seconds}");
    }
    Ok(seconds)
}

fn check_part(key: &str, part: f64, least: f64) -> Result<()> {
    if !(least..=1.0).contains(&part) {
        bail!("{key}: expected a part, from {least} to 1, found {part}");
    }
    Ok(())
}

/// The scheme of games without one of their own, without the line with the game's name.
const DEFAULT_SCHEME: &str = include_str!("../../../data/usual-scheme.toml");

fn own_text(game: &AnyGame) -> String {
    match game.scheme {
        Some(text) => text.to_string(),
        None if game.is_own() => own_game_text(game),
        None => format!("game = \"{}\"\n{DEFAULT_SCHEME}", game.name),
    }
}

/// The scheme of a game whose rules are a program and whose folder has none: half of the games are
/// against chance, half against what looks ahead or, without an estimate, plays random games.
fn own_game_text(game: &AnyGame) -> String {
    let has_estimate = game.has_estimate().unwrap_or(false);
    let clock = match game.interface.clock {
        Some(GameClock::Single(seconds)) => format!("turn-clock = {seconds:?}"),
        Some(GameClock::Game(seconds)) => format!("clock = {seconds:?}"),
        None => "clock = 100.0".to_string(),
    };
    let group = |reference: &str| {
        format!(
            "\n[[games]]\ncount = 10\npoints = 5\ndraw = 0.5\nreference = \"{reference}\"\n{clock}\n"
        )
    };
    format!(
        "game = \"{}\"\n{}{}",
        game.name,
        group("random"),
        group(if has_estimate { "greedy" } else { "mcts:50" })
    )
}

/// A table by its name, and which of those of one name it is; the name is empty for the keys above
/// all tables.
type Table = (&'static str, usize);

/// The place of the key that an error begins with in a table, or of the table itself.
fn place_of(text: &str, (table, index): Table, error: &anyhow::Error) -> usize {
    let words = format!("{error:#}");
    let key = words.split(':').next().unwrap_or_default();
    let (mut place, mut begin, mut seen) = (0, 0, 0);
    let (mut is_top, mut is_inside) = (true, table.is_empty());
    for line in text.split_inclusive('\n') {
        let name = line.trim_start_matches('[').split(['=', ']']).next().unwrap_or_default().trim();
        if line.starts_with('[') {
            (is_top, is_inside) = (false, name == table && seen == index);
            seen += usize::from(name == table);
            begin = if is_inside { place } else { begin };
        } else if is_inside && name == key {
            return place;
        } else if is_top && name == table {
            // Tables within one line.
            begin = place;
        }
        place += line.len();
    }
    begin
}

impl SchemeFile {
    pub(crate) fn of_game(game: &AnyGame) -> Result<SchemeFile> {
        SchemeFile::parse(format!("the scheme of {}", game.name), &own_text(game), game)
    }

    pub(crate) fn read(path: &Path, game: &AnyGame) -> Result<SchemeFile> {
        SchemeFile::parse(path.display(), &toml_text::read(path)?, game)
    }

    /// Reads the text of a scheme file, which errors call `name`.
    pub(crate) fn parse(name: impl Display, text: &str, game: &AnyGame) -> Result<SchemeFile> {
        let scheme: SchemeFile = toml_text::parse(&name, text)?;
        scheme.check(game).map_err(|(table, error)| {
            toml_text::at(name, text, place_of(text, table, &error), error)
        })?;
        Ok(scheme)
    }

    pub(crate) fn all_positions(&self) -> impl Iterator<Item = &Positions> {
        self.positions.iter().chain(&self.proofs)
    }

    pub(crate) fn all_games(&self) -> impl Iterator<Item = &Games> {
        self.games.iter().chain(&self.accuracy)
    }

    pub(crate) fn positions_mut(&mut self) -> impl Iterator<Item = &mut Positions> {
        self.positions.iter_mut().chain(&mut self.proofs)
    }

    pub(crate) fn games_mut(&mut self) -> impl Iterator<Item = &mut Games> {
        self.games.iter_mut().chain(&mut self.accuracy)
    }

    /// The scheme without points and visibility: two that play the same are equal.
    pub(crate) fn without_points(&self) -> SchemeFile {
        let mut scheme = self.clone();
        for positions in scheme.positions_mut() {
            (positions.points, positions.visibility) = Default::default();
        }
        for games in scheme.games_mut() {
            (games.points, games.draw, games.visibility) = Default::default();
            (games.reach, games.margin, games.full) = Default::default();
            games.least = 0.0;
        }
        scheme.bonus.iter_mut().for_each(|bonus| bonus.points.clear());
        scheme
    }

    /// Multiplies all clocks by a share below 1, to a hundredth of a second.
    pub(crate) fn scale_clocks(&mut self, share: f64) {
        if share >= 1.0 {
            return;
        }
        let scale =
            |clock: &mut f64| *clock = ((*clock * share * 100.0 + 1e-6).floor() / 100.0).max(0.01);
        self.positions_mut().for_each(|group| scale(&mut group.clock));
        for games in self.games_mut() {
            games.clock.iter_mut().chain(&mut games.turn_clock).for_each(scale);
        }
        self.bonus.iter_mut().for_each(|bonus| scale(&mut bonus.clock));
    }

    /// Checks all values. An error comes with the wrong table.
    pub(crate) fn check(&self, game: &AnyGame) -> Result<(), (Table, anyhow::Error)> {
        let at = |table, index| move |error| ((table, index), error);
        self.check_keys(game).map_err(at("", 0))?;
        for (table, groups) in [("positions", &self.positions), ("proofs", &self.proofs)] {
            for (group, index) in groups.iter().zip(0..) {
                group.check(table == "proofs").map_err(at(table, index))?;
            }
        }
        for (table, groups) in [("games", &self.games), ("accuracy", &self.accuracy)] {
            for (group, index) in groups.iter().zip(0..) {
                group.check(game, table == "accuracy").map_err(at(table, index))?;
            }
        }
        self.bonus.iter().try_for_each(BonusRule::check).map_err(at("bonus", 0))?;
        self.late.iter().try_for_each(LateRule::check).map_err(at("late", 0))
    }

    fn check_keys(&self, game: &AnyGame) -> Result<()> {
        if self.game != game.name {
            bail!("game: a scheme of {}, and the game is {}", self.game, game.name);
        }
        game.rules.check_rules(self.rules.as_deref())?;
        if self.max_plies == Some(0) {
            bail!("max-plies: expected at least 1");
        }
        let positions = self.all_positions().map(|group| u64::from(group.count));
        let games = self.all_games();
        let games =
            games.map(|group| u64::from(group.count) * group.reference.names().len() as u64);
        let tests = positions.chain(games).sum::<u64>();
        if tests > MAX_TESTS {
            bail!("expected at most {MAX_TESTS} tests, found {tests}");
        }
        Ok(())
    }
}

impl Positions {
    fn check(&self, has_proofs: bool) -> Result<()> {
        check_points("points", self.points)?;
        check_clock(self.clock)?;
        if !has_proofs && !is_half(&self.kept) {
            bail!("kept: a key of [[proofs]] alone");
        }
        check_part("kept", self.kept, 0.01)
    }
}

impl Games {
    fn check(&self, game: &AnyGame, is_accuracy: bool) -> Result<()> {
        let of_games = [
            ("draw", !is_half(&self.draw)),
            ("reach", !self.reach.is_empty()),
            ("margin", self.margin.is_some()),
        ];
        if let Some((key, _)) = of_games.iter().find(|(_, is_given)| is_accuracy && *is_given) {
            bail!("{key}: a key of [[games]] alone");
        }
        if !is_accuracy && !is_none(&self.least) {
            bail!("least: a key of [[accuracy]] alone");
        }
        if !(0.0..=99.0).contains(&self.least) {
            bail!("least: expected per cent, from 0 to 99, found {}", self.least);
        }
        self.agents_clock()?;
        check_points("points", self.points)?;
        check_part("draw", self.draw, 0.0)?;
        if self.reference.names().is_empty() {
            bail!("reference: expected at least one");
        }
        for name in self.reference.names() {
            reference_player(&game.interface, name)
                .map_err(|error| anyhow!("reference: {error:#}"))?;
        }
        if let Some(side) = self.side.as_deref().filter(|side| !game.sides.contains(side)) {
            bail!("side: expected {}, found '{side}'", game.sides.join(" or "));
        }
        let one = self.side.as_deref();
        let is_played = |side: &&Side| one.is_none_or(|one| one == game.side_word(**side));
        if let Some(side) = game.no_accuracy.iter().find(is_played).filter(|_| is_accuracy) {
            let (side, game) = (game.side_word(*side), game.title);
            bail!(
                "side: accuracy tells nothing of {side} in {game}: give points by results ([[games]])"
            );
        }
        self.full.map_or(Ok(()), |full| check_part("full", full, 0.01))?;
        if self.random_plies > MAX_RANDOM_PLIES {
            bail!("random-plies: expected at most {MAX_RANDOM_PLIES}, found {}", self.random_plies);
        }
        self.reach.iter().try_for_each(|reach| check_points("reach", reach.points))?;
        let margins = self.margin.iter().flat_map(|margin| [margin.each, margin.most]);
        margins.into_iter().try_for_each(|points| check_points("margin", points))
    }
}

impl BonusRule {
    fn check(&self) -> Result<()> {
        if self.best < 2 || self.best > 1000 {
            bail!("best: expected 2 to 1000 submissions, found {}", self.best);
        }
        if self.points.is_empty() || self.points.len() > self.best as usize {
            bail!(
                "points: expected points for 1 to {} places, found {}",
                self.best,
                self.points.len()
            );
        }
        if self.games == 0 || !self.games.is_multiple_of(2) || self.games > 1000 {
            bail!("games: expected an even number up to 1000, found {}", self.games);
        }
        check_clock(self.clock)?;
        self.points.iter().try_for_each(|&points| check_points("points", points))
    }
}
