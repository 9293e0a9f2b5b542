//! How a value follows from those of the successors.

use engine::Side;
use foxgame::endings::code::Value;

/// What is known of a successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The move ended the leg; the side that wins now, if any does.
    Ended(Option<Side>),
    /// The leg goes on.
    On(Option<Value>),
}

/// The value that follows from the successors; `None` where neither side wins.
pub(crate) fn follows(to_move: Side, successors: impl Iterator<Item = Next>) -> Option<Value> {
    let mut shortest_win: Option<u8> = None;
    let (mut longest_loss, mut all_lose) = (0, true);
    for next in successors {
        let (winner, plies) = match next {
            Next::Ended(winner) => (winner, 0),
            Next::On(value) => {
                (value.map(|value| value.winner), value.map_or(0, |value| value.plies.saturating_add(1)))
            }
        };
        if winner == Some(to_move) {
            let plies = plies.max(1);
            shortest_win = Some(shortest_win.map_or(plies, |shortest| shortest.min(plies)));
        } else if winner.is_some() {
            longest_loss = longest_loss.max(plies);
        } else {
            all_lose = false;
        }
    }
    match shortest_win {
        Some(plies) => Some(Value { winner: to_move, plies }),
        None => all_lose.then_some(Value { winner: to_move.other(), plies: longest_loss }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foxgame::rules::{FOX, SHEEP};

    #[test]
    fn winners_hurry_and_losers_put_it_off() {
        let on = |winner, plies| Next::On(Some(Value { winner, plies }));
        let value = |winner, plies| Some(Value { winner, plies });
        let of = |successors: &[Next]| follows(FOX, successors.iter().copied());
        assert_eq!(of(&[on(FOX, 4), on(FOX, 2), on(SHEEP, 1)]), value(FOX, 3));
        assert_eq!(of(&[on(FOX, 4), Next::Ended(Some(FOX))]), value(FOX, 1));
        assert_eq!(of(&[on(SHEEP, 3), on(SHEEP, 5), Next::Ended(Some(SHEEP))]), value(SHEEP, 6));
        assert_eq!(of(&[Next::Ended(Some(SHEEP))]), value(SHEEP, 0));
        assert_eq!(of(&[]), value(SHEEP, 0));
        assert_eq!(of(&[on(SHEEP, 3), Next::On(None)]), None);
        assert_eq!(of(&[on(SHEEP, 3), Next::Ended(None)]), None);
    }
}
