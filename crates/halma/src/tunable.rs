//! The parameters of the evaluation and of the selective search. With the feature `tuning` the agent's option `--set
//! NAME=VALUE` changes them, for `lab tune` and for matches of a change against the defaults; without it they are
//! constants.

use engine::search::{LateMoves, LatePruning};

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $least:literal to $most:literal;)+) => {
        /// The values of the parameters of the evaluation and of the selective search.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Tunables {
            $($(#[$doc])* pub $name: i32,)+
        }

        impl Tunables {
            /// The default values, which the agent plays with.
            pub const DEFAULT: Tunables = Tunables { $($name: $default,)+ };

            /// The name of each parameter with its least and its largest value.
            pub const RANGES: &[(&str, i32, i32)] = &[$((stringify!($name), $least, $most),)+];

            /// Returns the parameter with a name, if there is one.
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
    /// Hundredths of a point for the square of the distance from the far corner: it makes the rear move first.
    distance_squared = 68, 0 to 100;
    /// Hundredths of a point for the square of the distance from the long diagonal.
    aside_squared = 24, 0 to 60;
    /// Hundredths of a point for a piece that stands in the target camp.
    arrived = 609, 0 to 5_000;
    /// Points for each step between a hole and the nearest piece that could fill it, and for each between such a piece
    /// and the nearest hole.
    apart = 6, 0 to 50;
    /// Points for each hole.
    hole = 1, 0 to 100;
    /// Points for a side most of whose pieces have arrived. The bonus exceeds the costs of holes and distances that
    /// count from then on; with a smaller one the side would keep its next piece out of the camp.
    late = 268, 0 to 2_000;
    /// The least depth at which late moves are reduced.
    reduced_depth = 3, 2 to 120;
    /// The number of moves that are searched in full before any is reduced.
    reduced_after = 4, 1 to 1_000;
    /// The constant part of the reduction of a late move, in hundredths of a ply.
    reduction_base = 50, 0 to 400;
    /// The divisor, in hundredths, of the part of the reduction that grows with the depth and the number of the move:
    /// the larger, the smaller the reduction.
    reduction_divisor = 200, 50 to 10_000;
    /// The largest depth at which late moves are pruned; 0 turns the pruning off. Of the hundred moves of a middle-game
    /// position, most go sideways or back.
    pruned_depth = 6, 0 to 120;
    /// The number of moves that are searched at every pruned node.
    pruned_base = 4, 1 to 1_000;
    /// The number of moves that are searched at a pruned node in addition to `pruned_base`, for each unit of the square
    /// of the depth.
    pruned_factor = 1, 0 to 1_000;
    /// The units of history score that a point of the learned worths counts in move ordering.
    order = 40, 0 to 200;
    /// The hundredths of a stage's tempo that count.
    tempo = 100, 0 to 400;
    /// Half the width of the first aspiration window, in points.
    aspiration = 300, 1 to 10_000;
}

impl Tunables {
    /// Returns the parameters of late-move reduction for the engine.
    pub(crate) fn late_moves(&self) -> LateMoves {
        LateMoves {
            least_depth: self.reduced_depth as u32,
            full_moves: self.reduced_after as usize,
            base: self.reduction_base as f32 / 100.0,
            divisor: self.reduction_divisor as f32 / 100.0,
        }
    }

    /// Returns the parameters of late-move pruning for the engine.
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

    /// Returns the values in use.
    #[inline]
    pub(crate) const fn tunables() -> &'static Tunables {
        &Tunables::DEFAULT
    }
}

#[cfg(feature = "tuning")]
mod values {
    use super::Tunables;
    use std::sync::OnceLock;

    static SET: OnceLock<Tunables> = OnceLock::new();

    /// Returns the values in use, which do not change once they have been read.
    #[inline]
    pub(crate) fn tunables() -> &'static Tunables {
        SET.get_or_init(|| Tunables::DEFAULT)
    }

    /// Parses the values and uses them from now on. The command line is parsed before anything is computed from them.
    ///
    /// # Errors
    /// The text is not of the form `NAME=VALUE,...`, a name or a value is not valid, or values have been set
    /// before.
    pub(crate) fn set(text: &str) -> Result<Tunables, String> {
        let mut values = Tunables::DEFAULT;
        for word in text.split(',') {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("expected NAME=VALUE, found '{word}'"))?;
            let range = Tunables::RANGES.iter().find(|(known, ..)| *known == name);
            let number = values.by_name(name);
            let (Some(&(_, least, most)), Some(number)) = (range, number) else {
                let names: Vec<&str> = Tunables::RANGES.iter().map(|(name, ..)| *name).collect();
                return Err(format!("unknown parameter '{name}'; the parameters are {}", names.join(", ")));
            };
            *number = value
                .parse()
                .ok()
                .filter(|value| (least..=most).contains(value))
                .ok_or_else(|| format!("{name}: expected {least} to {most}, found '{value}'"))?;
        }
        match SET.set(values) {
            Ok(()) => Ok(values),
            Err(_) => Err("the parameters are already set".to_string()),
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
    fn every_default_value_is_within_its_range_and_has_a_name() {
        let mut values = Tunables::DEFAULT;
        for &(name, least, most) in Tunables::RANGES {
            let number = values.by_name(name).expect("the name is of the table");
            assert!((least..=most).contains(number), "{name}");
        }
        assert!(values.by_name("distance squared").is_none());
    }
}
