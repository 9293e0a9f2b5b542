//! Results in the form of PGN tags, which is all that rating tools such as Ordo read. "White" is the player of the side
//! that moves first in the game.

use crate::games::Kind;
use crate::record::{End, Header};
use crate::schedule::Slot;
use crate::standings::result_word;
use anyhow::{Context, Result};
use engine::files::write_atomically;
use std::fmt::Write;
use std::path::Path;

/// Writes all games to a file.
pub fn write(path: &Path, kind: &Kind, header: &Header, ends: &[End]) -> Result<()> {
    write_atomically(path, &text(kind, header, ends)).with_context(|| format!("{}: cannot be written", path.display()))
}

fn text(kind: &Kind, header: &Header, ends: &[End]) -> String {
    let mut text = String::new();
    for end in ends {
        let [white, black] = [kind.first, kind.first.other()].map(|side| &end.players[side.index()]);
        let result = result_word(kind, end);
        let round = format!("{}.{}", Slot::pair_of(end.game) + 1, (end.game - 1) % 2 + 1);
        for (tag, value) in [
            ("Event", format!("{} by judge, seed {}", kind.title, header.seed).as_str()),
            ("Round", &round),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("PlyCount", &end.plies.to_string()),
            ("Termination", end.termination.word()),
        ] {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
        let reason = end.reason.replace(['{', '}'], "");
        let _ = writeln!(text, "\n{{{reason}}} {result}\n");
    }
    text
}
