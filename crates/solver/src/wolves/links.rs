//! Wolves' moves between classes of wolf sets, and sheep's moves, as the analysis walks them.

use wolves::board::{ALL, LAST_COLUMN, SIZE, SYMMETRIES, Square, Squares, around, image};
use wolves::index::Classes;

/// A wolf's move from a class's wolf set, with the class it leads to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    /// The set of the square where the wolf ends: empty for a step, a sheep's for eating.
    pub to: Squares,
    /// For eating, the square between, which must be empty; nothing for a step.
    pub between: Squares,
    /// The class of the wolves afterwards.
    pub class: usize,
    /// The symmetry that turns them into the class's own set.
    pub symmetry: usize,
    /// The class's own set.
    pub wolves: Squares,
}

/// The moves of one class's wolves, apart from where sheep stand.
#[derive(Clone, Debug)]
pub(crate) struct ClassLinks {
    /// The class's wolf set.
    pub wolves: Squares,
    /// The squares beside wolves where no wolf stands: if sheep fill them the wolves are trapped.
    pub beside: Squares,
    /// The wolves' steps.
    pub steps: Vec<Link>,
    /// The wolves' steps taken back, which are steps, too: to every stored position that they may have begun from.
    /// Where the class before has symmetries of its own there are as many as it has.
    pub backward: Vec<Link>,
    /// The wolves' eating moves.
    pub eatings: Vec<Link>,
}

/// The links of every class.
pub(crate) fn links(classes: &Classes) -> Vec<ClassLinks> {
    classes.sets().iter().map(|&wolves| class_links(classes, wolves)).collect()
}

fn class_links(classes: &Classes, wolves: Squares) -> ClassLinks {
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
        let free = from.leaps().iter().filter(|leap| !wolves.contains(leap.landing) && !wolves.contains(leap.between));
        found.eatings.extend(free.map(|leap| link(from, leap.landing, Squares::one(leap.between))));
    }
    found
}

/// Calls a function with the sheep after each step of one of them, or before: steps can be taken back the same way.
/// Stops when it answers `false`, and then gives `false`.
#[inline]
pub(crate) fn each_sheep_step(sheep: Squares, wolves: Squares, mut visit: impl FnMut(Squares) -> bool) -> bool {
    // Half the width of the sets: fewer instructions in the solver's innermost loop.
    let (sheep, empty) = (sheep.bits() as u32, (ALL - sheep - wolves).bits() as u32);
    // Pairs of neighbours, named by the one with the lower number, of which one is a sheep's and the other is empty.
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
