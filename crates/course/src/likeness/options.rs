//! The options of `judge likeness`.

use crate::class::Commands;
use crate::grade::cases::case_time;
use clap::Args;
use std::path::PathBuf;
use terminal::games::GameOption;
use terminal::settings::BoxSettings;

/// Options of `judge likeness`.
#[derive(Args)]
pub struct LikenessOptions {
    #[command(flatten)]
    pub(super) game: GameOption,

    /// A class: a directory that judge intake has made, or one with a directory for each submission
    pub(super) directory: PathBuf,

    #[command(flatten)]
    pub(super) commands: Commands,

    /// Another class to compare with, such as last year's, or public programs; may be given again.
    /// Pairs within it are not told
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) beside: Vec<PathBuf>,

    /// What was handed out, such as a starter, which does not count as alike; may be given again
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) given: Vec<PathBuf>,

    /// The most positions that each program is asked, twice, and as many on turned boards; fewer if
    /// these tell the programs apart. 0 compares the texts alone
    #[arg(long, value_name = "COUNT", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=2_000))]
    pub(super) positions: u32,

    /// CPU seconds for each answer [default: the scheme's]
    #[arg(long, value_name = "SECONDS", value_parser = case_time)]
    pub(super) clock: Option<f64>,

    /// The scheme of the class, whose clock the questions have [default: the game's]
    #[arg(long, value_name = "FILE", conflicts_with = "clock")]
    pub(super) scheme: Option<PathBuf>,

    /// Ask no more after so many minutes, and compare what was answered
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) budget: Option<u32>,

    /// Keep the answers in this file and ask nothing that it has, also from another year or after
    /// ^C [default: likeness-answers.jsonl in the class]
    #[arg(long, value_name = "FILE")]
    pub(super) answers: Option<PathBuf>,

    /// Programs that are asked at a time
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(super) concurrency: u32,

    /// The seed of the positions
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,

    /// Write a page with the pairs side by side: lines that match, and rare moves that both play.
    /// The page is for teachers alone
    #[arg(long, value_name = "FILE")]
    pub(super) page: Option<PathBuf>,

    /// Write the sources to this new folder, in UTF-8, a folder for each program, for JPlag
    #[arg(long, value_name = "DIRECTORY")]
    pub(super) jplag: Option<PathBuf>,

    /// Write the sources to this zip, in UTF-8, for Dolos
    #[arg(long, value_name = "FILE")]
    pub(super) dolos: Option<PathBuf>,

    /// Write all pairs, with the positions that tell programs apart and all answers, to this file
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,

    #[command(flatten)]
    pub(super) boxes: BoxSettings,
}
