//! What students have to write: a program that plays a game, or one for a homework.

use crate::homework::Homework;
use anygame::AnyGame;
use anygame::game::{Interface, kept_list};
use anyhow::{Context, Result};
use arena::keys::Keys;
use arena::player::spec::EngineSpec;

/// What students have to write a program for.
#[derive(Debug)]
pub enum Assignment {
    /// A game, whose rules are those of this process or a program in a folder.
    Game(&'static AnyGame),
    /// A homework, or the cases of a game's own homework.
    Homework(Box<Homework>),
}

impl From<&'static AnyGame> for Assignment {
    fn from(game: &'static AnyGame) -> Assignment {
        Assignment::Game(game)
    }
}

impl From<Homework> for Assignment {
    fn from(homework: Homework) -> Assignment {
        Assignment::Homework(Box::new(homework))
    }
}

impl Assignment {
    /// The name in messages and tables, and in the mark of an intake.
    pub fn name(&self) -> &str {
        match self {
            Assignment::Game(game) => game.name,
            Assignment::Homework(homework) => &homework.name,
        }
    }

    /// The name for people.
    pub fn title(&self) -> &str {
        match self {
            Assignment::Game(game) => game.title,
            Assignment::Homework(homework) => &homework.title,
        }
    }

    /// What it asks of programs.
    pub fn interface(&self) -> &Interface {
        match self {
            Assignment::Game(game) => &game.interface,
            Assignment::Homework(homework) => &homework.interface,
        }
    }

    /// The game, also that of cases. An error for a homework that is none.
    pub fn game(&self) -> Result<&'static AnyGame> {
        let game = match self {
            Assignment::Game(game) => Some(*game),
            Assignment::Homework(homework) => homework.game,
        };
        game.with_context(|| {
            format!(
                "{}: a homework, and no game: judge check, try, grade, grade-all, intake, \
                 autograder and homework-test take it",
                self.name()
            )
        })
    }

    /// The homework, if it is one.
    pub fn homework(&self) -> Option<&Homework> {
        match self {
            Assignment::Game(_) => None,
            Assignment::Homework(homework) => Some(homework),
        }
    }

    /// The specification of a program for it.
    pub fn program(&self, keys: Keys) -> Result<EngineSpec> {
        keys.player(self.name(), self.interface())
    }

    /// Has programs of other names looked for, if there are any.
    pub fn ask_for(&mut self, programs: Vec<String>) {
        if programs.is_empty() {
            return;
        }
        let programs = kept_list(programs);
        match self {
            Assignment::Game(game) => {
                let mut asking = **game;
                asking.interface.programs = programs;
                *game = Box::leak(Box::new(asking));
            }
            Assignment::Homework(homework) => homework.interface.programs = programs,
        }
    }
}
