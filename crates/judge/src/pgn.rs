//! The results of games as PGN tags, which rating tools such as Ordo read. "White" is the player of
//! the side that moves first.

use anygame::AnyGame;
use anyhow::Result;
use arena::plain::shown;
use arena::record::{End, Header};
use arena::schedule::Slot;
use std::fmt::Write;
use std::path::Path;
use terminal::output::write_file;
use terminal::standings::result_word;

pub(crate) fn write(path: &Path, game: &AnyGame, header: &Header, ends: &[End]) -> Result<()> {
    write_file(path, &text(game, header, ends))
}

/// Returns the PGN text, in which a game has tags and no moves.
fn text(game: &AnyGame, header: &Header, ends: &[End]) -> String {
    let mut text = String::new();
    for end in ends {
        let [white, black] =
            [game.first, game.first.other()].map(|side| &end.players[side.index()]);
        let result = result_word(game, end);
        let round = format!("{}.{}", Slot::pair_of(end.game) + 1, (end.game - 1) % 2 + 1);
        for (tag, value) in [
            ("Event", format!("{} by judge, seed {}", game.title, header.seed).as_str()),
            ("Round", &round),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("PlyCount", &end.plies.to_string()),
            ("Termination", end.termination.word()),
        ] {
            let value = shown(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{tag} \"{value}\"]");
        }
        let reason = shown(&end.reason).replace(['{', '}'], "");
        let _ = writeln!(text, "\n{{{reason}}} {result}\n");
    }
    text
}
