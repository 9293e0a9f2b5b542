//! The command-line options of this game besides the common ones.

use crate::sources::Sources;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// The command-line options of this game besides the common ones.
#[derive(Args, Clone, Debug, Default)]
pub struct Extra {
    /// The directory of the exact tables [default: $MENAGERIE_TABLES, or tables/ beside the
    /// program]
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,

    /// Print what each legal move is worth instead of leaving one: the move, win, draw or loss, and
    /// the plies that are then left with best play (- for a draw, ? where only the result is
    /// known), or estimate and a score
    #[arg(long)]
    pub explain: bool,

    /// Play on the course's own board file, NAME_N.txt: print START_ROW START_COL END_ROW END_COL,
    /// and leave the board after the move in NAME_(N+1).txt, which must not be there yet; CPU time
    /// 1 s unless --depth or --nodes say otherwise
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,

    /// The side to move of the board file [default: wolves for N = 0, else the side that has not
    /// moved since NAME_(N-1).txt; where that does not lie beside it, the side has to be given]
    #[arg(long, value_name = "SIDE", requires = "state", value_parser = PossibleValuesParser::new(["wolves", "sheep"]))]
    pub side: Option<String>,
}

impl Extra {
    /// The settings that these options stand for.
    pub fn sources(&self) -> Sources {
        Sources { tables: self.tables.clone(), ..Sources::default() }
    }
}
