//! Wolves' moves between classes of wolf sets, and sheep's moves, as the analysis walks them.

use wolves::board::{SYMMETRIES, Set, Square, around, each, image, leaps, one};
use wolves::index::Classes;

/// A wolf's move from a class's wolf set, with the class it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The square where the wolf ends: empty for a step, a sheep's for eating.
    pub to: Set,
    /// For eating, the square between, which must be empty; nothing for a step.
    pub between: Set,
    /// The class of the wolves afterwards.
    pub class: usize,
    /// The symmetry that turns them into the class's own set.
    pub symmetry: usize,
    /// The class's own set.
    pub wolves: Set,
}

/// The moves of one class's wolves, apart from where sheep stand.
#[derive(Clone, Debug)]
pub struct ClassLinks {
    /// The class's wolf set.
    pub wolves: Set,
    /// The squares beside wolves where no wolf stands: if sheep fill them the wolves are trapped.
    pub beside: Set,
    /// Steps.
    pub steps: Vec<Link>,
    /// Steps taken back, which are steps, too: to every stored position that they may have begun from. Where the class
    /// before has symmetries of its own there are as many as it has.
    pub backward: Vec<Link>,
    /// Eating.
    pub eatings: Vec<Link>,
}

/// The links of every class.
pub fn links(classes: &Classes) -> Vec<ClassLinks> {
    classes.sets().iter().map(|&wolves| class_links(classes, wolves)).collect()
}

fn class_links(classes: &Classes, wolves: Set) -> ClassLinks {
    let link = |from: Square, to: Square, between: Set| {
        let placed = classes.place(wolves ^ one(from) ^ one(to));
        let class = usize::from(placed.class);
        let symmetry = usize::from(placed.symmetry);
        Link { to: one(to), between, class, symmetry, wolves: classes.sets()[class] }
    };
    let mut found = ClassLinks {
        wolves,
        beside: around(wolves) & !wolves,
        steps: Vec::new(),
        backward: Vec::new(),
        eatings: Vec::new(),
    };
    for from in each(wolves) {
        for to in each(around(one(from)) & !wolves) {
            let step = link(from, to, 0);
            let before = wolves ^ one(from) ^ one(to);
            let ways = (0..SYMMETRIES).filter(|&symmetry| image(before, symmetry) == step.wolves);
            found.backward.extend(ways.map(|symmetry| Link { symmetry, ..step }));
            found.steps.push(step);
        }
        let free = leaps(from).iter().filter(|leap| (one(leap.landing) | leap.between) & wolves == 0);
        found.eatings.extend(free.map(|leap| link(from, leap.landing, leap.between)));
    }
    found
}

/// Calls a function with the sheep after each step of one of them, or before: steps can be taken back the same way.
/// Stops when it answers `false`, and then gives `false`.
#[inline]
pub fn each_sheep_step(sheep: Set, wolves: Set, mut visit: impl FnMut(Set) -> bool) -> bool {
    const SIZE: u32 = wolves::board::SIZE as u32;
    const LAST_COLUMN: Set = 0b10000_10000_10000_10000_10000;
    let empty = wolves::board::ALL & !(sheep | wolves);
    // Pairs of neighbours, named by the one with the lower number, of which one is a sheep's and the other is empty.
    for (shift, pairs) in [(1, !LAST_COLUMN), (SIZE, wolves::board::ALL)] {
        let mut mixed = (sheep & empty >> shift | empty & sheep >> shift) & pairs;
        while mixed != 0 {
            let lower = mixed & mixed.wrapping_neg();
            if !visit(sheep ^ (lower | lower << shift)) {
                return false;
            }
            mixed ^= lower;
        }
    }
    true
}
