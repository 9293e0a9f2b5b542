//! The list of the games of Menagerie: [`each_game`] for code that needs their types, [`all`] for
//! code that plays them, and `scripts/games` for scripts.

/// Calls a macro with the names of the games' crates, each followed by a comma. The crates are
/// [re-exported](crate), and `Position` at the root of each implements the traits of the engine.
///
/// ```
/// use engine::Protocol;
///
/// macro_rules! names {
///     ($($game:ident,)*) => { [$(games::$game::Position::NAME),*] };
/// }
/// assert!(games::each_game!(names).contains(&"halma"));
/// ```
#[macro_export]
macro_rules! each_game {
    ($callback:ident) => {
        // A crate's name has `_` where the game's name has `-`. scripts/games reads these lines.
        $callback! {
            halma,
            wolves,
            squirrels,
            foxgame,
            foxgeese,
        }
    };
}

macro_rules! reexport {
    ($($game:ident,)*) => { $(pub use $game;)* };
}
each_game!(reexport);

use anygame::AnyGame;

/// Returns the games, in the order of [`each_game`].
pub fn all() -> Vec<AnyGame> {
    macro_rules! erased {
        ($($game:ident,)*) => { [$(AnyGame::of::<$game::Position>()),*] };
    }
    each_game!(erased).into()
}

#[cfg(test)]
mod tests {
    /// Files that have a line of each game, besides those that read the list: CONTRIBUTING.md, "How
    /// to add a game". `GAME` stands for the game's name.
    const LINES: [(&str, &str); 7] = [
        ("Cargo.toml", "\"crates/GAME\","),
        ("crates/web/page/levels.js", "  GAME: {"),
        ("crates/web/page/levels.js", " GAME: ["),
        ("crates/web/page/tasks.json", "\"GAME\": ["),
        ("crates/web/src/rules/mod.rs", "\"GAME\","),
        ("crates/python/python/menagerie/gymnasium/__init__.py", "\"GAME\": "),
        ("crates/python/python/menagerie/pettingzoo/__init__.py", "`GAME`"),
    ];

    #[test]
    fn every_game_has_its_lines_in_files_that_do_not_read_the_list() {
        let mut missing = Vec::new();
        for (file, line) in LINES {
            let path = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).unwrap();
            for game in super::all() {
                let line = line.replace("GAME", game.name);
                if !text.contains(&line) {
                    missing.push(format!("{file}: {line}"));
                }
            }
        }
        assert!(missing.is_empty(), "no such lines: {missing:#?}");
    }
}
