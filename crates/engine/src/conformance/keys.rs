//! The checks of positions' keys: updated incrementally as the board says, and different for
//! different positions.

use crate::game::Game;
use std::collections::HashMap;

/// The number of positions of a game tree whose keys are compared.
const MOST_POSITIONS: usize = 300;

/// Checks that a position's incrementally kept state equals the one recomputed from its board. A
/// wrong key is reported first.
///
/// # Panics
/// If they differ. `context` describes where the position comes from.
pub(super) fn check_kept<G: Game>(position: &G, context: impl FnOnce() -> String) {
    let rebuilt = position.rebuilt();
    if *position == rebuilt {
        return;
    }
    let (kept, anew) = (position.key(), rebuilt.key());
    let key = if kept == anew {
        String::new()
    } else {
        format!(
            "; the key differs: {kept:#x} is kept, {anew:#x} follows from the board (is the side to move, {:?}, in both?)",
            position.side_to_move()
        )
    };
    panic!(
        "what is kept incrementally differs from what the board says{key}; {}\nkept    {position:?}\nrebuilt {rebuilt:?}",
        context()
    );
}

/// Checks that positions with the same key agree in everything that affects the rest of the game:
/// the side to move, the result, the legal moves. Compares the positions nearest to the given one.
///
/// # Panics
/// If two of them differ, with the difference and the two positions.
pub fn check_keys<G: Game>(position: &G) {
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut queue = vec![position.clone()];
    let mut next = 0;
    while next < queue.len() {
        let one = queue[next].clone();
        next += 1;
        if let Some(other) = known.get(&one.key()) {
            if let Some(difference) = difference(&one, other) {
                panic!(
                    "two positions with the same key differ in {difference}: the key lacks it\n{one:?}\n{other:?}"
                );
            }
            continue;
        }
        for mv in one.legal_moves() {
            if queue.len() < MOST_POSITIONS {
                let after = one.after(mv);
                queue.push(after);
            }
        }
        known.insert(one.key(), one);
    }
}

/// Returns the first difference between two positions that affects the rest of the game.
fn difference<G: Game>(one: &G, other: &G) -> Option<&'static str> {
    let codes = |position: &G| {
        let mut codes: Vec<u32> =
            position.legal_moves().into_iter().map(|mv| position.encode(mv)).collect();
        codes.sort_unstable();
        codes
    };
    if one.side_to_move() != other.side_to_move() {
        Some("the side to move")
    } else if one.outcome() != other.outcome() {
        Some("the result")
    } else if codes(one) != codes(other) {
        Some("the legal moves")
    } else {
        None
    }
}
