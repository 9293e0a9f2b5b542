//! The command-line options of this agent alone.

/// Options of the Halma agent.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct OwnOptions {
    /// Keep no memory of the game between its turns (the file playdata.txt)
    #[arg(long)]
    pub(crate) no_memory: bool,
}
