//! Recorded games are replayed when the rules of a folder have changed.

use crate::plain;
use crate::player::blame::NoTurn;
use crate::record::{GameRecord, Replayed, Withdrawn};
use crate::referee::{GameOrder, difference};
use anygame::AnyGame;
use anyhow::Result;

/// A replay by the rules of today of no game so far.
pub fn replay(game: &AnyGame) -> Replayed {
    let checksum = game.in_records.map_or(String::new(), |own| own.checksum.clone());
    Replayed { checksum, same: Vec::new(), withdrawn: Vec::new() }
}

/// Replays a recorded game, unless the rules of today have played it. `order` is the game as it
/// would be played today. A game in which these rules fail does not count.
pub fn add(
    replayed: &mut Replayed,
    game: &AnyGame,
    order: &GameOrder,
    played: &GameRecord,
) -> Result<()> {
    if game.in_records.is_none() || played.start.checksum.as_ref() == Some(&replayed.checksum) {
        return Ok(());
    }
    let why = match difference(game, order, played) {
        Ok(None) => {
            replayed.same.push(order.game);
            return Ok(());
        }
        Ok(Some(why)) => why,
        Err(error) if NoTurn::is_of_rules(&error) => plain::shown(&error.to_string()),
        Err(error) => return Err(error),
    };
    replayed.withdrawn.push(Withdrawn { game: order.game, why });
    Ok(())
}
