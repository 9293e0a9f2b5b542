//! `lab foxgame-endings`: plays ten won endings of one fox and nine sheep. The agent with endgame tables plays the winner against
//! a search of 12 plies. The command fails unless the agent wins all of them and every ply makes progress by the tables: the
//! distance to the end of the leg falls, or the flock moves ahead or becomes smaller.
//!
//! As a test it runs only if the environment variable `FOXGAME_TABLES` names the directory of the tables.

use anyhow::{Context, Result, bail};
use clap::Args;
use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::{Advice, Game, Protocol, Side};
use foxgame::board::{BOARD, Board};
use foxgame::endings::advice::advise;
use foxgame::endings::store::Endings;
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Position};
use std::path::PathBuf;

/// An example for the help text.
pub(crate) const EXAMPLE: &str = "\
Example:
  solve foxgame --sheep 9 --out tables
  lab foxgame-endings tables";

/// Options of `lab foxgame-endings`.
#[derive(Args)]
pub(crate) struct Options {
    /// The directory of the tables (solve foxgame --out DIR)
    tables: PathBuf,
}

/// The depth of the loser's search, in plies.
const DEPTH: u32 = 12;

/// The endings: the 33 points row by row, and the side to move, which wins.
const ENDINGS: [(&str, Side); 10] = [
    ("SSSSS.F..S.......SS...S..........", FOX),
    ("SS..SS.SS....S.......S....FS.....", FOX),
    (".SS..SS..S...F.......SS.S..S.....", FOX),
    ("....S..SSSS..S.......S..S..F...S.", FOX),
    ("F.S....S...S.........SS.SSS....S.", FOX),
    (".SS.SSS.S.S......SS.......F......", SHEEP),
    ("...SSS.SSS.....S..SS..........F..", SHEEP),
    ("....SS..SSS.....SS.....FS.S......", SHEEP),
    (".....F.S.S.S..S.SSSS.......S.....", SHEEP),
    ("..S.....S.S...S..S..F.SS......SS.", SHEEP),
];

/// Plays the endings and prints a line for each: the board, the side to move, the number of plies, and how the game ended.
pub(crate) fn run(options: &Options) -> Result<()> {
    let endings = Endings::new(options.tables.clone(), |error| eprintln!("{error}"));
    for (text, side) in ENDINGS {
        let (plies, reason) = play(text, side, &endings)?;
        println!("{text} {}: {plies} plies, {reason}", Position::side_word(side));
    }
    Ok(())
}

/// Reads a board of 33 symbols.
fn board(text: &str) -> Board {
    let mut board = Board::default();
    for (point, symbol) in BOARD.into_iter().zip(text.chars()) {
        match symbol {
            'F' => board.foxes.insert(point),
            'S' => board.sheep.insert(point),
            _ => {}
        }
    }
    board
}

/// Plays an ending to its end and returns the number of plies and the reason. Fails if the winner does not win or makes no
/// progress.
fn play(text: &str, winner: Side, endings: &Endings) -> Result<(u32, String)> {
    let mut position = Position::new(board(text), winner);
    let mut searcher = Searcher::new(Evaluation::default(), Mode::Selective, 16 << 20);
    let mut plies = 0;
    let mut left = progress(&position, endings).context("there is no table of this ending")?;
    while position.outcome().is_none() {
        let mv = if position.side_to_move() == winner {
            match advise(&position, endings, &|_| true) {
                Advice::Move(mv, _) => mv,
                other => bail!("expected a winning move, found {other:?}"),
            }
        } else {
            let limits = Limits { depth: DEPTH, ..Limits::default() };
            searcher.run(&position, limits, &mut NoControl).context("the loser has no move")?.best
        };
        position.play(mv);
        plies += 1;
        if let Some(now) = progress(&position, endings) {
            if now >= left {
                bail!("no progress with {}", position.describe_move(mv));
            }
            left = now;
        }
    }
    let won = position.outcome().is_some_and(|outcome| outcome.winner() == Some(winner));
    let reason = position.why_over().unwrap_or_default();
    if !won {
        bail!("the winner lost: {reason}");
    }
    Ok((plies, reason))
}

/// Returns the measure of progress, which falls with every ply of a win: sheep, sum of their rows, distance to the end of the leg.
/// `None` if no table has the position.
fn progress(position: &Position, endings: &Endings) -> Option<(u32, usize, u8)> {
    let board = position.board();
    let value = endings.value(board, position.side_to_move())??;
    Some((board.sheep.len(), board.sheep.into_iter().map(|sheep| sheep.y()).sum(), value.plies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_endings_are_won_if_the_tables_are_given() {
        let Some(directory) = std::env::var_os("FOXGAME_TABLES") else { return };
        let endings = Endings::new(PathBuf::from(directory), |error| panic!("{error}"));
        for (text, side) in ENDINGS {
            play(text, side, &endings).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    #[test]
    fn the_endings_have_one_fox_and_nine_sheep() {
        for (text, side) in ENDINGS {
            let position = Position::new(board(text), side);
            assert_eq!((text.len(), position.board().foxes.len(), position.board().sheep.len()), (33, 1, 9), "{text}");
            assert_eq!(position.outcome(), None, "{text}");
        }
    }
}
