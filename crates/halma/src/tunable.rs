//! Every number of the evaluation and of the selective search, in one table. With the feature `tuning` the agent's option
//! `--set NAME=VALUE` changes them, for `judge tune` and for matches of a change against what is chosen; without it they
//! are constants.

use engine::search::{LateMoves, LatePruning};

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $chosen:literal, $least:literal to $most:literal;)+) => {
        /// The numbers of the evaluation and of the selective search, a value for each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tunables {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Tunables {
            /// The values that the agent plays with.
            pub const CHOSEN: Tunables = Tunables { $($name: $chosen,)+ };

            /// The name of each number, the least and the most that it may be set to.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $least, $most),)+];

            /// The number of a name, if there is one.
            pub fn by_name(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }
        }
    };
}

tunables! {
    /// Hundredths of a point for each row or column that a piece is away from its far corner.
    distance = 1_000, 0 to 3_000;
    /// Hundredths of a point for the square of the distance from the far corner: the rear should move first.
    distance_squared = 68, 0 to 100;
    /// Hundredths of a point for the square of the distance from the long diagonal.
    aside_squared = 24, 0 to 60;
    /// Hundredths of a point for a piece that stands in the target camp.
    arrived = 609, 0 to 5_000;
    /// Points for each square between a hole and the nearest piece that could fill it, and for each between such a piece
    /// and the nearest hole.
    apart = 6, 0 to 50;
    /// Points for each hole.
    hole = 1, 0 to 100;
    /// Points for a side most of whose pieces have arrived: more than the holes and distances cost that are counted
    /// from then on, or it would rather keep its next piece out of the camp.
    late = 268, 0 to 2_000;
    /// The least depth at which late moves are reduced.
    reduced_depth = 3, 2 to 120;
    /// Moves that are searched in full, before any is reduced.
    reduced_after = 4, 1 to 1_000;
    /// Hundredths of a ply by which every late move is reduced.
    reduction_base = 50, 0 to 400;
    /// Divisor, in hundredths, of the reduction by depth and number of a move: the larger, the less it is reduced.
    reduction_divisor = 200, 50 to 10_000;
    /// The largest depth at which late moves are left out: of the hundred moves of a middle game, most go sideways or
    /// back. 0 turns it off.
    pruned_depth = 6, 0 to 120;
    /// Moves that are searched at every pruned node.
    pruned_base = 4, 1 to 1_000;
    /// Moves that are searched at a pruned node beyond `pruned_base`, for each unit of the square of the depth.
    pruned_factor = 1, 0 to 1_000;
    /// Units of history that a point of the learned worths weighs where moves are ordered.
    order = 40, 0 to 200;
    /// Hundredths of a stage's tempo that count.
    tempo = 100, 0 to 400;
    /// Half the first aspiration window, in points.
    aspiration = 300, 1 to 10_000;
}

impl Tunables {
    /// The late-move reductions, for the engine.
    pub(crate) fn late_moves(&self) -> LateMoves {
        LateMoves {
            least_depth: self.reduced_depth as u32,
            full_moves: self.reduced_after as usize,
            base: self.reduction_base as f32 / 100.0,
            divisor: self.reduction_divisor as f32 / 100.0,
        }
    }

    /// The late-move pruning, for the engine.
    pub(crate) fn late_pruning(&self) -> LatePruning {
        LatePruning {
            most_depth: self.pruned_depth as u32,
            base: self.pruned_base as usize,
            factor: self.pruned_factor as usize,
        }
    }
}

#[cfg(not(feature = "tuning"))]
mod values {
    use super::Tunables;

    /// The values in use.
    #[inline]
    pub(crate) const fn tunables() -> &'static Tunables {
        &Tunables::CHOSEN
    }
}

#[cfg(feature = "tuning")]
mod values {
    use super::Tunables;
    use std::sync::OnceLock;

    static SET: OnceLock<Tunables> = OnceLock::new();

    /// The values in use, which do not change any more once they have been asked for.
    #[inline]
    pub(crate) fn tunables() -> &'static Tunables {
        SET.get_or_init(|| Tunables::CHOSEN)
    }

    /// Reads the values and puts them in use: everything that is computed from them is computed after the command line is
    /// read.
    ///
    /// # Errors
    /// If the text is not of the form `NAME=VALUE,...`, a name or a value is none, or they have been set before.
    pub(crate) fn set(text: &str) -> Result<Tunables, String> {
        let mut values = Tunables::CHOSEN;
        for word in text.split(',') {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found '{word}'"))?;
            let range = Tunables::RANGES.iter().find(|(known, ..)| *known == name);
            let number = values.by_name(name);
            let (Some(&(_, least, most)), Some(number)) = (range, number) else {
                let names: Vec<&str> = Tunables::RANGES.iter().map(|(name, ..)| *name).collect();
                return Err(format!("no number '{name}'; there are {}", names.join(", ")));
            };
            *number = value
                .parse()
                .ok()
                .filter(|value| (least..=most).contains(value))
                .ok_or_else(|| format!("{name}: expected {least} to {most}, found '{value}'"))?;
        }
        match SET.set(values) {
            Ok(()) => Ok(values),
            Err(_) => Err("numbers can be set once".to_string()),
        }
    }
}

#[cfg(feature = "tuning")]
pub(crate) use values::set;
pub(crate) use values::tunables;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chosen_number_is_within_its_range_and_has_a_name() {
        let mut values = Tunables::CHOSEN;
        for &(name, least, most) in Tunables::RANGES {
            let number = values.by_name(name).expect("the name is of the table");
            assert!((least..=most).contains(number), "{name}");
        }
        assert!(values.by_name("distance squared").is_none());
    }
}
