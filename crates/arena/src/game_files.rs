//! The files by which a game's programs live.

/// The files of a game's programs, in the directory of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFiles {
    /// The name of the file with the position.
    pub input: &'static str,
    /// The name of the file with the move.
    pub output: &'static str,
    /// The files that a program writes and finds again in its next turn of the same game.
    pub keep: Keep,
}

/// The files that a program finds again in its next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// All.
    All,
    /// Files with these names. All others are as they were before its first turn.
    Only(&'static [&'static str]),
}

impl GameFiles {
    /// The files of the games of this process.
    pub const USUAL: GameFiles = GameFiles { input: "input.txt", output: "output.txt", keep: Keep::All };

    /// A text about the usual files as one about these.
    pub fn named_in(&self, text: &str) -> String {
        text.replace(GameFiles::USUAL.input, self.input).replace(GameFiles::USUAL.output, self.output)
    }
}
