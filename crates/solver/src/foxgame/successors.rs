//! The value of a position from those of its successors.

use engine::Side;
use foxgame::endings::code::Value;

#[derive(Clone, Copy)]
pub(crate) enum Successor {
    /// The move ended the leg. The field is the side that wins, if any.
    Ended(Option<Side>),
    /// The leg goes on. The field is the value of the successor.
    On(Option<Value>),
}

/// The value that follows from the successors; `None` if neither side wins.
pub(crate) fn value_of_successors(
    to_move: Side,
    successors: impl Iterator<Item = Successor>,
) -> Option<Value> {
    let mut shortest_win: Option<u8> = None;
    let (mut longest_loss, mut all_lose) = (0, true);
    for next in successors {
        let (winner, plies) = match next {
            Successor::Ended(winner) => (winner, 0),
            Successor::On(None) => (None, 0),
            Successor::On(Some(value)) => (Some(value.winner), value.plies.saturating_add(1)),
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
        let on = |winner, plies| Successor::On(Some(Value { winner, plies }));
        let value = |winner, plies| Some(Value { winner, plies });
        let of = |successors: &[Successor]| value_of_successors(FOX, successors.iter().copied());
        assert_eq!(of(&[on(FOX, 4), on(FOX, 2), on(SHEEP, 1)]), value(FOX, 3));
        assert_eq!(of(&[on(FOX, 4), Successor::Ended(Some(FOX))]), value(FOX, 1));
        assert_eq!(
            of(&[on(SHEEP, 3), on(SHEEP, 5), Successor::Ended(Some(SHEEP))]),
            value(SHEEP, 6)
        );
        assert_eq!(of(&[Successor::Ended(Some(SHEEP))]), value(SHEEP, 0));
        assert_eq!(of(&[]), value(SHEEP, 0));
        assert_eq!(of(&[on(SHEEP, 3), Successor::On(None)]), None);
        assert_eq!(of(&[on(SHEEP, 3), Successor::Ended(None)]), None);
    }
}
