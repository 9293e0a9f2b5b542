//! The keys of positions: kept as the board says, and different where positions are.

use crate::game::Game;
use std::collections::HashMap;

/// Positions of a tree that are compared by their keys.
const MOST_POSITIONS: usize = 300;

/// Checks that all that a position keeps incrementally is what its board says; a wrong key is named first.
///
/// # Panics
/// If not so. `context` says where the position comes from.
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

/// Positions that share a key agree in all that bears on the rest of the game: the side to move, the result, the moves.
/// Tried on the positions nearest to the given one.
///
/// # Panics
/// With what differs, and the two positions.
pub fn check_keys<G: Game>(position: &G) {
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut queue = vec![position.clone()];
    let mut next = 0;
    while next < queue.len() {
        let one = queue[next].clone();
        next += 1;
        if let Some(other) = known.get(&one.key()) {
            if let Some(difference) = difference(&one, other) {
                panic!("two positions with the same key differ in {difference}: the key lacks it\n{one:?}\n{other:?}");
            }
            continue;
        }
        for mv in one.legal_moves() {
            if queue.len() < MOST_POSITIONS {
                let mut after = one.clone();
                after.play(mv);
                queue.push(after);
            }
        }
        known.insert(one.key(), one);
    }
}

/// What bears on the rest of the game and is not the same in two positions.
fn difference<G: Game>(one: &G, other: &G) -> Option<&'static str> {
    let codes = |position: &G| {
        let mut codes: Vec<u32> = position.legal_moves().into_iter().map(|mv| position.encode(mv)).collect();
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
