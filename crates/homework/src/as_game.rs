//! A homework where commands take the folder of a game.

use crate::folder::FILE;
use crate::homework::Homework;
use crate::right::Right;
use anygame::AnyGame;
use anygame::game::{Answer, Checked, FromInput, Rules, kept_list};
use anygame::position::{AnyTask, Position};
use anyhow::{Context, Result, bail};
use clock::lock;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// By their folders.
static LOADED: Mutex<Option<HashMap<PathBuf, (&'static AnyGame, &'static Homework)>>> =
    Mutex::new(None);

/// Returns whether a folder is that of a homework.
pub fn is_homework(folder: &Path) -> bool {
    folder.join(FILE).exists() || folder.join(crate::package::FILE).exists()
}

/// Loads the homework of a folder, once. It is no game: its rules are an error.
pub fn load(folder: &Path) -> Result<&'static AnyGame> {
    let folder = fs::canonicalize(folder)
        .with_context(|| format!("{}: cannot be read", folder.display()))?;
    let mut loaded = lock(&LOADED);
    let homeworks = loaded.get_or_insert_default();
    if let Some((game, _)) = homeworks.get(&folder) {
        return Ok(game);
    }
    let homework: &'static Homework = Box::leak(Box::new(Homework::read(&folder)?));
    let game: &'static AnyGame = Box::leak(Box::new(AnyGame {
        files: homework.files,
        programs: kept_list(homework.programs.clone()),
        given: kept_list(homework.given.clone()),
        ..AnyGame::of_folder(&folder, &homework.name, &homework.title, homework)
    }));
    homeworks.insert(folder, (game, homework));
    Ok(game)
}

/// Returns the homework that commands took for a game, if it is one.
pub fn of(game: &AnyGame) -> Option<&'static Homework> {
    let loaded = lock(&LOADED);
    loaded.as_ref()?.get(game.folder?).map(|(_, homework)| *homework)
}

/// Removes the programs of checkers that were built: homeworks live as long as the process.
pub fn remove_built_checkers() {
    for (_, homework) in lock(&LOADED).iter().flat_map(HashMap::values) {
        if let Right::Checked(checker) = &homework.right {
            checker.remove_built();
        }
    }
}

impl Homework {
    fn is_no_game<T>(&self) -> Result<T> {
        bail!(
            "{}: a homework, and no game: judge check, try, grade, grade-all, intake, autograder \
             and homework-test take it",
            self.name
        )
    }
}

impl Rules for Homework {
    fn rule_sets(&'static self) -> Vec<&'static str> {
        Vec::new()
    }

    fn check_rules(&'static self, _name: Option<&str>) -> Result<&'static str> {
        self.is_no_game()
    }

    fn start(&'static self, _rules: Option<&str>) -> Result<Position> {
        self.is_no_game()
    }

    fn restore(&'static self, _stored: &str, _rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.is_no_game()
    }

    fn read_task(&'static self, _input: &str, _rules: Option<&str>) -> Result<FromInput<AnyTask>> {
        self.is_no_game()
    }

    fn check(&'static self, _answer: &Answer, _rules: Option<&str>) -> Result<FromInput<Checked>> {
        self.is_no_game()
    }
}
