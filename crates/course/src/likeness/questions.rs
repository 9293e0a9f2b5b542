//! The positions that programs are asked, each on all boards that the game's symmetries make of it.

use super::options::LikenessOptions;
use crate::grade::scheme::file::SchemeFile;
use crate::grade::scheme::plan::{GradingPlan, Test};
use anygame::position::{AnyMove, Position};
use anygame::{AnyGame, GameClock};
use anyhow::{Context, Result};
use arena::digest::Digest;
use arena::proofs::Proof;
use arena::random::{Purpose, derived};
use arena::terms::restored;
use engine::{Symmetry, TimeControl};
use std::collections::HashSet;
use std::time::Duration;

/// A grading has no more tests.
const MOST_POSITIONS: usize = 2_000;

/// What programs are asked.
pub(super) struct Questions {
    /// Its tests are the questions.
    pub plan: GradingPlan,
    positions: Vec<Position>,
    /// For each question the number of the position that it is an image of. Images of one position
    /// follow each other.
    pub orbits: Vec<usize>,
    /// For each symmetry of the game and each question the question on the turned board.
    pub images: Vec<(Symmetry, Vec<usize>)>,
}

impl Questions {
    /// Draws the positions of a grading by single positions, half of which may tell nothing.
    pub(super) fn draw(game: &'static AnyGame, options: &LikenessOptions) -> Result<Questions> {
        let seed = options.seed;
        let count = (options.positions as usize).div_ceil(game.symmetries.len());
        let (name, drawn) = (game.name, (2 * count).min(MOST_POSITIONS));
        let scheme = format!(
            "game = \"{name}\"\nseed = {seed}\n[[positions]]\ncount = {drawn}\nclock = 1\n"
        );
        let bounds = options.boxes.bounds()?;
        let mut plan = GradingPlan::new(game, &toml::from_str(&scheme)?, bounds, String::new())?;
        let clock = clock(game, options)?;
        let (mut known, mut orbits) = (HashSet::new(), Vec::new());
        for mut test in std::mem::take(&mut plan.tests) {
            test.clock = clock;
            let position = restored(game, &test.opening.input, None)?.position;
            if !known.contains(&test.opening.input) && leaves_a_choice(game, &position)? {
                orbits.push(images(game, &test, &position, &mut known)?);
            }
        }
        // As many from each part of a game as were found there, and these in any order.
        let (found, mut at) = (orbits.len(), 0);
        orbits.retain(|_| {
            at += 1;
            at * count / found > (at - 1) * count / found
        });
        let mut orbits: Vec<_> = orbits.into_iter().zip(0u64..).collect();
        orbits.sort_by_key(|&(_, number)| derived(seed, Purpose::Question, number));
        let (mut positions, mut numbers) = (Vec::new(), Vec::new());
        for (number, (images, _)) in orbits.into_iter().enumerate() {
            for (mut test, position) in images {
                test.number = plan.tests.len() as u32 + 1;
                plan.tests.push(test);
                positions.push(position);
                numbers.push(number);
            }
        }
        let image = |position: &Position, symmetry| {
            let turned = turned(position, symmetry);
            let found = positions.iter().position(|other| other.is_same(&*turned));
            found.context("a symmetry leads out of the positions that it made")
        };
        let of = |&symmetry| {
            let images = positions.iter().map(|position| image(position, symmetry));
            Ok((symmetry, images.collect::<Result<_>>()?))
        };
        let images = game.symmetries.iter().map(of).collect::<Result<_>>()?;
        Ok(Questions { plan, positions, orbits: numbers, images })
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

    /// What decides about the answer to a question, beside the program.
    pub(super) fn digest(&self, question: usize) -> String {
        let test = &self.plan.tests[question];
        let mut digest = Digest::of(self.plan.game.key);
        digest.part("clock", format!("{:?}", test.clock));
        digest.part("position", &test.opening.input);
        digest.text()
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

/// The questions that the symmetries of a game make of one, without those that are known already.
fn images(
    game: &AnyGame,
    test: &Test,
    position: &Position,
    known: &mut HashSet<String>,
) -> Result<Vec<(Test, Position)>> {
    let mut images = Vec::new();
    for &symmetry in game.symmetries {
        let turned = turned(position, symmetry);
        let input = match symmetry {
            Symmetry::None => test.opening.input.clone(),
            _ => turned.stored(TimeControl::Game, Duration::from_secs(1))?,
        };
        if known.insert(input.clone()) {
            let mut test = test.clone();
            test.opening.input = input;
            images.push((test, turned));
        }
    }
    Ok(images)
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
