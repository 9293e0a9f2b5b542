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
