//! What a judge of programs asks of a game.

use crate::explain::Explain;

/// A game whose programs a judge can examine. Everything has a default.
pub trait Examine: Explain {
    /// The rules for people, in Markdown with sections `## `. A section `Messages` may have a
    /// table: some words of a message, and the section with the rule that the message is about.
    const RULES_PAGE: Option<&'static str> = None;

    /// Positions that show whether a program knows the special rules: a title, and an input file of
    /// which the position counts.
    const TEST_POSITIONS: &'static [(&'static str, &'static str)] = &[];

    /// Advice on refusals. The first entry whose words are in the reason counts.
    const REMEDIES: &'static [Remedy] = &[];

    /// Programs that let submissions for another interface play, such as that of the game's own
    /// course.
    const ADAPTERS: &'static [Adapter] = &[];

    /// The grading scheme, in the form of `schemes/GAME.toml`; `None` for the usual one.
    const SCHEME: Option<&'static str> = None;

    /// Legal programs without a search, for students to begin with: file names and texts
    /// ([`starters!`](crate::starters)).
    const STARTERS: &'static [(&'static str, &'static str)] = &[];
}

/// The value of [`Examine::STARTERS`]: files of these names in the crate's folder `examine`.
#[macro_export]
macro_rules! starters {
    () => {
        &[
            ("agent.py", include_str!("../examine/agent.py")),
            ("agent.cpp", include_str!("../examine/agent.cpp")),
            ("Agent.java", include_str!("../examine/Agent.java")),
        ]
    };
}

/// Advice to a programmer whose move or output file was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// Some words of a reason that [`Protocol::read_move`](crate::Protocol::read_move) gives.
    pub reason: &'static str,
    /// The advice, in a few words.
    pub advice: &'static str,
    /// Whether the reason names the very rule that the move breaks, so that a judge looks for no
    /// slip in the writing.
    pub names_rule: bool,
}

/// A program that reads `input.txt`, asks a submission's source for its move by another interface,
/// and writes `output.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adapter {
    /// The words of a source that has the interface, as in `def next_move (`, whose function is the
    /// word before the bracket; blanks do not matter.
    pub words: &'static str,
    /// The extension of such a source, and of the adapter.
    pub extension: &'static str,
    /// The adapter's source; `{file}` stands for the name of the submission's source, which lies
    /// beside it, and `{class}` for the class of a Java source with its package.
    pub source: &'static str,
}
