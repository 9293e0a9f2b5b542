//! The checks of positions' keys: updated as the board says, and different for different positions.

use crate::game::Game;
use std::collections::{HashMap, VecDeque};

const MOST_POSITIONS: usize = 300;

/// Checks that a position's incrementally kept state equals the one recomputed from its board. A
/// wrong key is reported first. `context` says where the position comes from.
pub(super) fn check_kept<G: Game>(position: &G, context: impl FnOnce() -> String) {
    let rebuilt = position.rebuilt();
    let (kept, anew) = (position.key(), rebuilt.key());
    if *position == rebuilt && kept == anew {
        return;
    }
    let (side, context) = (position.side_to_move(), context());
    let key = if kept == anew {
        String::new()
    } else {
        format!(
            "; the key differs: {kept:#x}, not {anew:#x} (is the side to move, {side:?}, in both?)"
        )
    };
    panic!(
        "what is kept differs from what the board says{key}; {context}\nkept    {position:?}\nrebuilt {rebuilt:?}"
    );
}

/// Checks that positions with the same key agree in the side to move, the result and the legal
/// moves, among the positions nearest to the given one.
pub fn check_keys<G: Game>(position: &G) {
    let mut known: HashMap<u64, G> = HashMap::new();
    let mut queue = VecDeque::from([position.clone()]);
    let mut seen = 1;
    while let Some(one) = queue.pop_front() {
        if let Some(other) = known.get(&one.key()) {
            if let Some(difference) = difference(&one, other) {
                panic!(
                    "two positions with the same key differ in {difference}: the key lacks it\n{one:?}\n{other:?}"
                );
            }
            continue;
        }
        for mv in one.legal_moves().into_iter().take(MOST_POSITIONS - seen) {
            queue.push_back(one.after(mv));
            seen += 1;
        }
        known.insert(one.key(), one);
    }
}

fn difference<G: Game>(one: &G, other: &G) -> Option<&'static str> {
    let codes = |position: &G| {
        let mut codes: Vec<u32> =
            position.legal_moves().into_iter().map(|mv| position.encode(mv)).collect();
        codes.sort_unstable();
        codes
    };
    let differences = [
        (one.side_to_move() != other.side_to_move(), "the side to move"),
        (one.outcome() != other.outcome(), "the result"),
        (codes(one) != codes(other), "the legal moves"),
    ];
    differences.into_iter().find(|(differs, _)| *differs).map(|(_, what)| what)
}
