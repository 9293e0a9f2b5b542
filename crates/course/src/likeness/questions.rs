//! The positions that programs are asked, each on all boards that the game's symmetries make of it.

use super::options::LikenessOptions;
use crate::grade::scheme::file::SchemeFile;
use crate::grade::scheme::plan::{GradingPlan, Test};
use anygame::position::{AnyMove, Position};
use anygame::{AnyGame, GameClock};
use anyhow::Result;
use arena::digest::Digest;
use arena::proofs::Proof;
use arena::random::{Purpose, derived};
use arena::terms::restored;
use engine::{Symmetry, TimeControl};
use std::collections::HashSet;
use std::time::Duration;

/// Positions that are tried for each one that is asked: many leave no choice.
const TRIED: usize = 4;
/// A grading has no more tests.
const MOST_POSITIONS: usize = 2_000;

/// What programs are asked.
pub(super) struct Questions {
    /// Its tests are the questions: positions that are drawn, and then those on turned boards.
    pub plan: GradingPlan,
    positions: Vec<Position>,
    /// The number of positions that are drawn.
    pub drawn: usize,
    /// For each question the drawn position that it is an image of, or is.
    pub orbits: Vec<usize>,
    /// For each question what decides about its answer, beside the program.
    pub digests: Vec<String>,
}

impl Questions {
    /// Draws the positions of a grading by single positions, most of which may leave no choice.
    pub(super) fn draw(game: &'static AnyGame, options: &LikenessOptions) -> Result<Questions> {
        let (seed, count) = (options.seed, options.positions as usize);
        let (name, drawn) = (game.name, (TRIED * count).min(MOST_POSITIONS));
        let scheme = format!(
            "game = \"{name}\"\nseed = {seed}\n[[positions]]\ncount = {drawn}\nclock = 1\n"
        );
        let bounds = options.boxes.bounds()?;
        let mut plan = GradingPlan::new(game, &toml::from_str(&scheme)?, bounds, String::new())?;
        let clock = clock(game, options)?;
        let (mut known, mut found) = (HashSet::new(), Vec::new());
        for mut test in std::mem::take(&mut plan.tests) {
            test.clock = clock;
            let position = restored(game, &test.opening.input, None)?.position;
            if known.insert(test.opening.input.clone()) && leaves_a_choice(game, &position)? {
                found.push((test, position));
            }
        }
        // As many from each part of a game as were found there, and these in any order.
        let (all, mut at) = (found.len(), 0);
        found.retain(|_| {
            at += 1;
            at * count / all > (at - 1) * count / all
        });
        let mut found: Vec<_> = found.into_iter().zip(0u64..).collect();
        found.sort_by_key(|&(_, number)| derived(seed, Purpose::Question, number));
        let drawn = found.len();
        let mut questions = Questions {
            plan,
            positions: Vec::new(),
            drawn,
            orbits: Vec::new(),
            digests: Vec::new(),
        };
        for (orbit, ((test, position), _)) in found.into_iter().enumerate() {
            questions.add(test, position, orbit);
        }
        Ok(questions)
    }

    fn add(&mut self, mut test: Test, position: Position, orbit: usize) {
        test.number = self.plan.tests.len() as u32 + 1;
        let mut digest = Digest::of(self.plan.game.key);
        digest.part("clock", format!("{:?}", test.clock));
        digest.part("position", &test.opening.input);
        self.digests.push(digest.text());
        self.plan.tests.push(test);
        self.positions.push(position);
        self.orbits.push(orbit);
    }

    /// The most questions that there may be, when some drawn positions are turned.
    pub(super) fn most(&self) -> usize {
        if self.plan.game.symmetries.len() > 1 { 2 * self.drawn } else { self.drawn }
    }

    /// Adds the boards that the game's symmetries make of some of the drawn positions: of the first,
    /// as long as these are no more than the positions that are drawn.
    pub(super) fn turn(&mut self, telling: &[usize]) -> Result<()> {
        let others = &self.plan.game.symmetries[1..];
        for &orbit in telling.iter().take(self.drawn / others.len().max(1)) {
            for &symmetry in others {
                let position = turned(&self.positions[orbit], symmetry);
                let mut its = self.positions.iter().zip(&self.orbits);
                if its.any(|(other, at)| *at == orbit && other.is_same(&*position)) {
                    continue;
                }
                let mut test = self.plan.tests[orbit].clone();
                test.opening.input = position.stored(TimeControl::Game, Duration::from_secs(1))?;
                self.add(test, position, orbit);
            }
        }
        Ok(())
    }

    /// For each question the one on the turned board, if it is asked. On boards that are not turned
    /// these are the drawn positions alone.
    pub(super) fn images(&self, symmetry: Symmetry) -> Vec<Option<usize>> {
        let image = |at: usize| {
            let position = turned(&self.positions[at], symmetry);
            let is_it = |other: &usize| {
                self.orbits[*other] == self.orbits[at] && self.positions[*other].is_same(&*position)
            };
            let found = (0..self.positions.len()).find(is_it)?;
            (symmetry != Symmetry::None || at < self.drawn).then_some(found)
        };
        (0..self.positions.len()).map(image).collect()
    }

    /// The move on the board of a question that a move on its turned board is the image of, both in
    /// words for people.
    pub(super) fn turned_back(
        &self,
        mv: &str,
        question: usize,
        symmetry: Symmetry,
    ) -> Option<String> {
        let position = &self.positions[question];
        let mv = position.legal_moves().into_iter().find(|any| any.described == mv)?;
        let back = |position: &Position| turned(position, symmetry.inverse());
        let (before, after) = (back(position), back(&position.clone().play(mv.code).ok()?));
        let does_the_same = |mv: &AnyMove| {
            before.clone().play(mv.code).is_ok_and(|position| position.is_same(&*after))
        };
        before.legal_moves().into_iter().find(does_the_same).map(|mv| mv.described)
    }
}

/// The position on the board that a symmetry turns.
fn turned(position: &Position, symmetry: Symmetry) -> Position {
    let turned = (symmetry != Symmetry::None).then(|| position.turned(symmetry)).flatten();
    turned.unwrap_or_else(|| position.clone())
}

/// The clock of a question: that of the option, or that of the class's scheme.
fn clock(game: &AnyGame, options: &LikenessOptions) -> Result<GameClock> {
    if let Some(seconds) = options.clock {
        return Ok(GameClock::Single(seconds));
    }
    let scheme = match &options.scheme {
        Some(path) => SchemeFile::read(path, game)?,
        None => SchemeFile::of_game(game)?,
    };
    match (scheme.all_positions().next(), scheme.all_games().next()) {
        (Some(positions), _) => Ok(GameClock::Single(positions.clock)),
        (None, Some(games)) => games.agents_clock(),
        (None, None) => Ok(GameClock::Single(1.0)),
    }
}

/// Whether the rules allow several moves in a position, and no proof leaves one of them.
fn leaves_a_choice(game: &AnyGame, position: &Position) -> Result<bool> {
    if position.codes().len() < 2 {
        return Ok(false);
    }
    let proof = Proof::of(game, position, 1.0)?;
    let is_only =
        |proof: Proof| proof.kept().count() == 1 && proof.moves.iter().all(|mv| mv.keeps.is_some());
    Ok(!proof.is_some_and(is_only))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_with_one_legal_move_or_one_that_is_proven_best_leaves_no_choice() {
        let squirrels = games::all().into_iter().find(|game| game.name == "squirrels").unwrap();
        let leaves = |last_row: &str| {
            let values = "1 1 1 1 1\n".repeat(4) + "9 1 1 1 9\n";
            let board = "XXXXX\nOOOOO\nXXXXX\nOOOOO\n";
            let input = format!("SINGLE\nX\n1\n{values}{board}{last_row}\n");
            let position = restored(&squirrels, &input, None).unwrap().position;
            leaves_a_choice(&squirrels, &position)
        };
        assert!(!leaves("OOOO*").unwrap(), "one legal move");
        assert!(!leaves("*O*OO").unwrap(), "the corner is worth more");
        assert!(leaves("*OOO*").unwrap(), "both corners are worth the same");
    }
}
