//! The games in a browser. [`desk`] is what a page asks for: positions to draw, legal moves, thinking; [`study`] what it asks
//! about moves that were made. All are texts and JSON. For wasm32 the crate is built once for each game, with the game's name as its feature; the module then exports
//! these functions, for a worker of the page.
//!
//! ```
//! let input = web::desk::start::<halma::Position>("base", 10.0).unwrap();
//! let seen = web::desk::look::<halma::Position>(&input, "base").unwrap();
//! assert_eq!(seen["moves"].as_array().unwrap().len(), 40);
//! ```

/// The script that draws boards, for every page that shows one.
pub const BOARD: &str = include_str!("../page/board.js");
/// The script that draws winning chances over a game, for every page that shows them.
pub const PLOT: &str = include_str!("../page/plot.js");

pub mod desk;
pub mod drawing;
pub mod findings;
#[cfg(target_arch = "wasm32")]
pub mod module;
pub mod study;
