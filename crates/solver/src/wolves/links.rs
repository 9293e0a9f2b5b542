//! Precomputed moves of the wolves between classes of wolf sets, and the sheep's steps.

use wolves::board::{ALL, LAST_COLUMN, SIZE, SYMMETRIES, Square, Squares, around, image};
use wolves::index::WolfClasses;

/// A wolf's move from the wolf set of a class, with the class that it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub to: Squares,
    /// For eating, the square that the wolf leaps over, which must be empty.
    pub between: Squares,
    pub class: usize,
    /// The symmetry that turns the wolf set after the move into the representative of its class.
    pub symmetry: usize,
    pub wolves: Squares,
}

/// The moves of the wolves of a class, regardless of where sheep stand.
#[derive(Clone, Debug)]
pub(crate) struct ClassLinks {
    pub wolves: Squares,
    /// The squares beside wolves where no wolf stands. If sheep fill them, the wolves are trapped.
    pub beside: Squares,
    pub steps: Vec<Link>,
    /// The wolves' steps taken back, to every stored position that they may have begun from. If the
    /// wolf set before has symmetries that leave it unchanged, there is a link for each of them.
    pub backward: Vec<Link>,
    pub eatings: Vec<Link>,
}

pub(crate) fn links(classes: &WolfClasses) -> Vec<ClassLinks> {
    classes.sets().iter().map(|&wolves| class_links(classes, wolves)).collect()
}

fn class_links(classes: &WolfClasses, wolves: Squares) -> ClassLinks {
    let link = |from: Square, to: Square, between: Squares| {
        let placed = classes.place(wolves.without(from).with(to));
        let class = usize::from(placed.class);
        let symmetry = usize::from(placed.symmetry);
        Link { to: Squares::one(to), between, class, symmetry, wolves: classes.sets()[class] }
    };
    let mut found = ClassLinks {
        wolves,
        beside: around(wolves) - wolves,
        steps: Vec::new(),
        backward: Vec::new(),
        eatings: Vec::new(),
    };
    for from in wolves {
        for to in from.neighbours() - wolves {
            let step = link(from, to, Squares::EMPTY);
            let before = wolves.without(from).with(to);
            let ways = (0..SYMMETRIES).filter(|&symmetry| image(before, symmetry) == step.wolves);
            found.backward.extend(ways.map(|symmetry| Link { symmetry, ..step }));
            found.steps.push(step);
        }
        let free = from
            .leaps()
            .iter()
            .filter(|leap| !wolves.contains(leap.landing) && !wolves.contains(leap.between));
        found.eatings.extend(free.map(|leap| link(from, leap.landing, Squares::one(leap.between))));
    }
    found
}

/// Calls `visit` with the sheep after each step of one of them. As steps can be taken back, these
/// are also the sheep before each step. Stops and returns `false` as soon as `visit` returns
/// `false`.
#[inline]
pub(crate) fn each_sheep_step(
    sheep: Squares,
    wolves: Squares,
    mut visit: impl FnMut(Squares) -> bool,
) -> bool {
    // The lower 32 bits hold the whole board, and take fewer instructions in the solver's innermost
    // loop.
    let (sheep, empty) = (sheep.bits() as u32, (ALL - sheep - wolves).bits() as u32);
    // Pairs of neighbours of which one has a sheep and the other is empty, each given by the square
    // with the lower number.
    for (shift, pairs) in [(1, ALL - LAST_COLUMN), (SIZE, ALL)] {
        let mut mixed = (sheep & empty >> shift | empty & sheep >> shift) & pairs.bits() as u32;
        while mixed != 0 {
            let lower = mixed & mixed.wrapping_neg();
            if !visit(Squares::from_bits((sheep ^ (lower | lower << shift)).into())) {
                return false;
            }
            mixed ^= lower;
        }
    }
    true
}
