//! The options of `lab learn`.

use clap::Args;
use std::path::PathBuf;

/// Options of `lab learn`.
#[derive(Args)]
pub(crate) struct LearnOptions {
    /// The game
    #[arg(long, value_name = "halma")]
    pub(crate) game: String,

    /// The directory of versions, games and log; an earlier run in it is continued
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) directory: PathBuf,

    /// Total number of iterations, those of earlier runs included
    #[arg(long, value_name = "COUNT", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=999))]
    pub(crate) iterations: u32,

    /// Number of games in each iteration
    #[arg(long, value_name = "COUNT", default_value_t = 600)]
    pub(crate) games: usize,

    /// Nodes for each move of these games
    #[arg(long, value_name = "COUNT", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,

    /// Number of iterations whose games a fit uses, the newest included
    #[arg(long, value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pool: u32,

    /// The weight of a game's result in what its positions are fitted to, for each ply until its
    /// end; the rest have the estimates of the positions in between (TD(lambda)). 1 is the result
    /// alone
    #[arg(long, value_name = "LAMBDA", default_value_t = 1.0, value_parser = share)]
    pub(crate) lambda: f64,

    /// Pairs of games in the match of a new version against the newest one; 0 keeps every version
    /// without a match
    #[arg(long, value_name = "COUNT", default_value_t = 20)]
    pub(crate) pairs: usize,

    /// Nodes for each move of the match
    #[arg(long, value_name = "COUNT", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) match_nodes: u64,

    /// Number of games at the same time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: u32,

    /// The seed of all games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Parses a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().map_err(|_| "expected a number".to_string())?;
    if (0.0..=1.0).contains(&number) {
        Ok(number)
    } else {
        Err("expected a number from 0 to 1".to_string())
    }
}
