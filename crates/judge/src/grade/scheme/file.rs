//! Schemes as data: what is tested and what it is worth. A file of this form is `schemes/GAME.toml`.

use anyhow::{Context, Result, anyhow, bail};
use arena::AnyGame;
use arena::player::keys::reference_kind;
use arena::terms::{Clock, LimitRule};
use engine::agent::files::read_input;
use engine::protocol::without_mark;
use engine::{Course, TimeControl};
use serde::{Deserialize, Serialize};
use std::path::Path;
use toml::Spanned;

/// A scheme.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct SchemeFile {
    /// The game's name.
    pub game: String,
    /// The seed of positions, openings and random references.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The move limit of a game, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
    /// The result of a game that reaches it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_limit: Option<LimitRule>,
    /// The rule set to refuse by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// Single positions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub positions: Vec<Spanned<Positions>>,
    /// Games against references.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Spanned<Games>>,
    /// Points for places in a tournament of the best.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Spanned<Bonus>>,
}

/// Single positions, each for one legal move in time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Positions {
    /// The number of positions, spread over the length of a game.
    pub count: u32,
    /// Points for a legal move in time.
    #[serde(default = "one")]
    pub points: f64,
    /// CPU seconds for each.
    pub clock: f64,
    /// Who sees the results.
    #[serde(default, skip_serializing_if = "Visibility::is_visible")]
    pub visibility: Visibility,
}

/// Games against a reference, or against each of a ladder of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Games {
    /// The number of games against each reference; the agent moves first in every other one, the first game included.
    pub count: u32,
    /// Points for a win.
    #[serde(default)]
    pub points: f64,
    /// The part of these points that a draw is worth.
    #[serde(default = "half", skip_serializing_if = "is_half")]
    pub draw: f64,
    /// The reference, or the ladder of references: random, greedy, minimax:N, alphabeta:N.
    pub reference: References,
    /// CPU seconds for each game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<f64>,
    /// CPU seconds for each move, instead of a clock for the whole game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_clock: Option<f64>,
    /// Points for having made so many moves, whatever the result; a game won before counts as having made them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reach: Vec<Reach>,
    /// Points for the difference, in games that count points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<Margin>,
    /// Who sees the results.
    #[serde(default, skip_serializing_if = "Visibility::is_visible")]
    pub visibility: Visibility,
}

/// Points for having made a number of moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Reach {
    /// The agent's own moves.
    pub moves: u32,
    /// Points for having made them.
    pub points: f64,
}

/// Points for the difference at the end of a game that counts points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Margin {
    /// Points for each point of the game that the agent is ahead.
    pub each: f64,
    /// The most that it gives.
    pub most: f64,
}

/// Points for places in a tournament of the best submissions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Bonus {
    /// The number of submissions that meet, those with the most points.
    pub best: u32,
    /// Points for the first place, the second and so on.
    pub points: Vec<f64>,
    /// Games of each two of them, an even number.
    #[serde(default = "two")]
    pub games: u32,
    /// CPU seconds for each game.
    pub clock: f64,
}

/// One reference, or several that get stronger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum References {
    /// One.
    One(String),
    /// A ladder.
    Ladder(Vec<String>),
}

impl References {
    /// The names.
    pub(crate) fn names(&self) -> &[String] {
        match self {
            References::One(name) => std::slice::from_ref(name),
            References::Ladder(names) => names,
        }
    }
}

/// Who sees the results of tests, in Gradescope's words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Visibility {
    /// The student.
    #[default]
    Visible,
    /// Nobody but the teacher.
    Hidden,
    /// The student, once nothing can be handed in any more.
    AfterDueDate,
    /// The student, once grades are published.
    AfterPublished,
}

impl Visibility {
    /// Whether the student sees the results at once.
    pub(crate) fn is_visible(&self) -> bool {
        *self == Visibility::Visible
    }

    /// Gradescope's word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Visibility::Visible => "visible",
            Visibility::Hidden => "hidden",
            Visibility::AfterDueDate => "after_due_date",
            Visibility::AfterPublished => "after_published",
        }
    }
}

fn one() -> f64 {
    1.0
}

fn two() -> u32 {
    2
}

fn half() -> f64 {
    0.5
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_half(part: &f64) -> bool {
    *part == half()
}

/// The most tests of a scheme.
const MOST_TESTS: u64 = 2000;
/// The most points of anything.
const MOST_POINTS: f64 = 1e6;

impl Games {
    /// The agent's clock.
    pub(crate) fn agents_clock(&self) -> Result<Clock> {
        match (self.clock, self.turn_clock) {
            (Some(seconds), None) => Ok(Clock::Game(checked_clock(seconds)?)),
            (None, Some(seconds)) => Ok(Clock::Single(checked_clock(seconds)?)),
            (Some(_), Some(_)) => bail!("clock and turn-clock exclude each other"),
            (None, None) => bail!("expected clock, in CPU seconds for a game, or turn-clock, for each move"),
        }
    }

    /// The most points that a game can give.
    pub(crate) fn most(&self) -> f64 {
        self.points
            + self.reach.iter().map(|reach| reach.points).sum::<f64>()
            + self.margin.as_ref().map_or(0.0, |margin| margin.most)
    }
}

/// Seconds of a clock that make sense.
pub(crate) fn checked_clock(seconds: f64) -> Result<f64> {
    if !(seconds > 0.0 && seconds < 1e7) {
        bail!("clock: expected a positive number of seconds, found {seconds}");
    }
    Ok(seconds)
}

/// Points that make sense.
pub(crate) fn checked_points(key: &str, points: f64) -> Result<()> {
    if !(0.0..=MOST_POINTS).contains(&points) {
        bail!("{key}: expected points from 0 to {MOST_POINTS}, found {points}");
    }
    Ok(())
}

impl SchemeFile {
    /// The scheme that a game's course has.
    pub(crate) fn of_course(game: &str, course: &Course) -> SchemeFile {
        let (clock, turn_clock) = match course.game_control {
            TimeControl::Game => (Some(course.game_clock), None),
            TimeControl::Single => (None, Some(course.game_clock)),
        };
        let positions = Positions {
            count: course.singles,
            points: one(),
            clock: course.single_clock,
            visibility: Visibility::default(),
        };
        let games = Games {
            count: course.games,
            points: course.game_points,
            draw: half(),
            reference: References::One(course.opponent.to_string()),
            clock,
            turn_clock,
            reach: Vec::new(),
            margin: None,
            visibility: Visibility::default(),
        };
        SchemeFile {
            game: game.to_string(),
            seed: None,
            max_plies: None,
            at_limit: None,
            rules: None,
            positions: vec![Spanned::new(0..0, positions)],
            games: vec![Spanned::new(0..0, games)],
            bonus: None,
        }
    }

    /// Reads a file; errors name it and the line.
    pub(crate) fn read(path: &Path, game: &AnyGame) -> Result<SchemeFile> {
        let name = path.display();
        let text = read_input(path).with_context(|| format!("{name}: cannot be read"))?;
        SchemeFile::parse(without_mark(&text), game).map_err(|(line, error)| anyhow!("{name}:{line}: {error:#}"))
    }

    /// Reads the text of a file; an error with its line.
    pub(crate) fn parse(text: &str, game: &AnyGame) -> Result<SchemeFile, (usize, anyhow::Error)> {
        let line = |at: usize| text[..at.min(text.len())].matches('\n').count() + 1;
        let scheme: SchemeFile = toml::from_str(text)
            .map_err(|error| (line(error.span().map_or(0, |span| span.start)), anyhow!("{}", error.message())))?;
        scheme.check(game).map_err(|(at, error)| (line(at), error))?;
        Ok(scheme)
    }

    /// Checks that all makes sense; an error with its place in the text.
    pub(crate) fn check(&self, game: &AnyGame) -> Result<(), (usize, anyhow::Error)> {
        let at = |span: std::ops::Range<usize>| move |error: anyhow::Error| (span.start, error);
        if self.game != game.name {
            return Err((0, anyhow!("game: a scheme of {}, and the game is {}", self.game, game.name)));
        }
        (game.check_rules)(self.rules.as_deref()).map_err(at(0..0))?;
        if self.max_plies == Some(0) {
            return Err((0, anyhow!("max-plies: expected at least 1")));
        }
        let mut tests = 0;
        for group in &self.positions {
            let positions = group.get_ref();
            tests += u64::from(positions.count);
            checked_points("points", positions.points).map_err(at(group.span()))?;
            checked_clock(positions.clock).map_err(at(group.span()))?;
        }
        for group in &self.games {
            group.get_ref().check().map_err(at(group.span()))?;
            tests += u64::from(group.get_ref().count) * group.get_ref().reference.names().len() as u64;
        }
        if let Some(bonus) = &self.bonus {
            bonus.get_ref().check().map_err(at(bonus.span()))?;
        }
        if tests > MOST_TESTS {
            return Err((0, anyhow!("expected at most {MOST_TESTS} tests, found {tests}")));
        }
        Ok(())
    }
}

impl Games {
    fn check(&self) -> Result<()> {
        self.agents_clock()?;
        checked_points("points", self.points)?;
        if !(0.0..=1.0).contains(&self.draw) {
            bail!("draw: expected a part of the points, from 0 to 1, found {}", self.draw);
        }
        if self.reference.names().is_empty() {
            bail!("reference: expected at least one");
        }
        for name in self.reference.names() {
            reference_kind(name)?;
        }
        for reach in &self.reach {
            checked_points("reach", reach.points)?;
        }
        if let Some(margin) = &self.margin {
            checked_points("margin", margin.each)?;
            checked_points("margin", margin.most)?;
        }
        Ok(())
    }
}

impl Bonus {
    fn check(&self) -> Result<()> {
        if self.best < 2 || self.best > 1000 {
            bail!("best: expected 2 to 1000 submissions, found {}", self.best);
        }
        if self.points.is_empty() || self.points.len() > self.best as usize {
            bail!("points: expected points for 1 to {} places, found {}", self.best, self.points.len());
        }
        if self.games == 0 || !self.games.is_multiple_of(2) || self.games > 1000 {
            bail!("games: expected an even number up to 1000, found {}", self.games);
        }
        checked_clock(self.clock)?;
        self.points.iter().try_for_each(|&points| checked_points("points", points))
    }
}
