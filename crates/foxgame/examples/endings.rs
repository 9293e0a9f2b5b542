//! Ten endings of one fox and nine sheep that are won by the tables: the agent with tables plays them against a search of
//! 12 plies, and wins all of them. Every ply makes progress as the tables count it: the plies of the leg fall, or the flock
//! is further ahead or smaller.
//!
//!     solve foxgame --sheep 9 --out tables
//!     cargo run --release -p menagerie-foxgame --example endings -- tables
//!
//! prints a line for each: the board, the side to move, the winner, and how it ended. As a test it runs when the
//! environment variable `FOXGAME_TABLES` names the directory.

use engine::search::{Limits, Mode, NoControl, Searcher};
use engine::{Advice, Game, Protocol, Side};
use foxgame::board::{BOARD, Board};
use foxgame::endings::advice::advise;
use foxgame::endings::store::Endings;
use foxgame::rules::{FOX, SHEEP};
use foxgame::{Evaluation, Position};
use std::error::Error;
use std::path::PathBuf;

/// The plies that the loser searches.
const DEPTH: u32 = 12;

/// The endings: 33 symbols row by row, and the side to move, which wins.
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

fn main() -> Result<(), Box<dyn Error>> {
    let directory =
        std::env::args_os().nth(1).ok_or("expected the directory of the tables (solve foxgame --out DIR)")?;
    let endings = Endings::new(PathBuf::from(directory), |error| eprintln!("{error}"));
    for (text, side) in ENDINGS {
        let (plies, reason) = play(text, side, &endings)?;
        println!("{text} {}: {plies} plies, {reason}", Position::side_word(side));
    }
    Ok(())
}

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

/// Plays an ending to its end. Gives the plies and the reason; an error if the winner does not win, or makes no progress.
fn play(text: &str, winner: Side, endings: &Endings) -> Result<(u32, String), Box<dyn Error>> {
    let mut position = Position::new(board(text), winner);
    let mut searcher = Searcher::new(Evaluation::default(), Mode::Selective, 16 << 20);
    let mut plies = 0;
    let mut left = progress(&position, endings).ok_or("there is no table of this ending")?;
    while position.outcome().is_none() {
        let mv = if position.side_to_move() == winner {
            match advise(&position, endings) {
                Advice::Move(mv, _) => mv,
                other => return Err(format!("expected a winning move, found {other:?}").into()),
            }
        } else {
            let limits = Limits { depth: DEPTH, ..Limits::default() };
            searcher.run(&position, limits, &mut NoControl).ok_or("the loser has no move")?.best
        };
        position.play(mv);
        plies += 1;
        if let Some(now) = progress(&position, endings) {
            if now >= left {
                return Err(format!("no progress with {}", position.describe_move(mv)).into());
            }
            left = now;
        }
    }
    let won = position.outcome().is_some_and(|outcome| outcome.winner() == Some(winner));
    let reason = position.why_over().unwrap_or_default();
    if won { Ok((plies, reason)) } else { Err(format!("the winner lost: {reason}").into()) }
}

/// What falls with every ply of a win; `None` where no table has the position.
fn progress(position: &Position, endings: &Endings) -> Option<(u32, usize, u8)> {
    let board = position.board();
    let value = endings.value(board, position.side_to_move())??;
    Some((board.sheep.len(), board.sheep.into_iter().map(|sheep| sheep.y()).sum(), value.plies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_endings_are_won_as_told_where_the_tables_are_given() {
        let Some(directory) = std::env::var_os("FOXGAME_TABLES") else { return };
        let endings = Endings::new(PathBuf::from(directory), |error| panic!("{error}"));
        for (text, side) in ENDINGS {
            play(text, side, &endings).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
    }

    #[test]
    fn the_endings_are_what_they_are_called() {
        for (text, side) in ENDINGS {
            let position = Position::new(board(text), side);
            assert_eq!((text.len(), position.board().foxes.len(), position.board().sheep.len()), (33, 1, 9), "{text}");
            assert_eq!(position.outcome(), None, "{text}");
        }
    }
}
