//! The games for web browsers. [`game_api`] has the functions with which a page plays: positions to
//! draw, legal moves, searches; [`study`] those that judge moves made. All take texts and return
//! texts or JSON. For wasm32 the crate is built once for each game, with the game's name in the
//! variable `MENAGERIE_GAME`; the module then exports these functions to a web worker of the page.
//!
//! ```
//! let game = anygame::AnyGame::of::<halma::Position>();
//! let input = web::game_api::start(&game, "base", 10.0).unwrap();
//! let seen = web::game_api::look(&game, &input, "base").unwrap();
//! assert_eq!(seen["moves"].as_array().unwrap().len(), 40);
//! ```

/// The script that shows boards.
pub const BOARD: &str = include_str!("../page/board.js");
/// The style sheet of boards.
pub const BOARD_STYLE: &str = boards::STYLE;
/// The script that plots winning chances over a game.
pub const PLOT: &str = include_str!("../page/plot.js");

pub mod ask;
pub mod drawing;
pub mod findings;
pub mod game_api;
#[cfg(target_arch = "wasm32")]
pub mod module;
#[cfg(feature = "rules")]
pub mod rules;
pub mod study;
