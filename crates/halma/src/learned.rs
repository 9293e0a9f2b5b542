//! What was learned from the agent's own games: a table of worths for each stage of the game.
//!
//! The stage is what both sides together still have to go at the root of a search. Within one search the evaluation is
//! therefore a plain sum over pieces; from root to root the tables are interpolated. They are the same on both sides of the
//! long diagonal, and for White turned round. `judge learn` makes the file.

use crate::board::{BLACK, CAMPS, PIECES, SIZE, Square, WHITE};
use crate::chosen;
use crate::evaluate::{FULL_DISTANCE, distance, is_late};
use crate::rules::{Position, Rules};
use crate::stage::place;
pub use crate::stage::{PLACES, Stage};
use crate::tunable::tunables;
use crate::worth::Worths;
use engine::{Game, Side};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;
#[cfg(feature = "tuning")]
use std::sync::OnceLock;

/// The tables that the agent plays with, read when it is compiled: a process has no time for it.
static CHOSEN: Tables =
    Tables { stages: Cow::Borrowed(&chosen::STAGES), late: chosen::number(0) as u32, late_scale: chosen::number(1) };

/// The tables in use instead of those.
#[cfg(feature = "tuning")]
static TABLES: OnceLock<Tables> = OnceLock::new();

/// Reads the tables of a file and puts them in use.
#[cfg(feature = "tuning")]
pub(crate) fn set(path: &str) -> Result<Tables, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let tables = Tables::read(&text)?;
    TABLES.set(tables.clone()).map_err(|_| "tables can be set once")?;
    Ok(tables)
}

/// The tables of all stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// At least one; the least to go comes first.
    pub stages: Cow<'static, [Stage]>,
    /// From this distance to go downwards the evaluation looks at holes one by one.
    pub late: u32,
    /// How many times what it sees there counts.
    pub late_scale: i32,
}

/// The place of a side's piece, from 0 to [`PLACES`] - 1: the same for squares that mirror each other at the long diagonal,
/// and for both sides if they are as far on their ways.
#[must_use]
pub fn place_of(side: Side, at: Square) -> usize {
    let (x, y) = match side {
        BLACK => (at.x(), at.y()),
        WHITE => (SIZE - 1 - at.x(), SIZE - 1 - at.y()),
    };
    place(x, y)
}

/// Rows and columns that both sides together still have to go, for nineteen pieces each.
#[must_use]
pub fn to_go(position: &Position) -> u32 {
    let of = |side| {
        let pieces = position.pieces(side);
        let sum: u32 = pieces.into_iter().map(|square| distance(side, square)).sum();
        (sum * PIECES as u32 / pieces.len().max(1)).saturating_sub(FULL_DISTANCE)
    };
    of(BLACK) + of(WHITE)
}

/// The numbers of the stages below and above a distance to go, and the part of the second one: 0 to 1. The distances of the
/// `count` stages ascend; beyond the first and the last there is only that one.
#[must_use]
pub fn between(count: usize, to_go_at: impl Fn(usize) -> u32, to_go: u32) -> (usize, usize, f64) {
    let above = (0..count).take_while(|&stage| to_go_at(stage) <= to_go).count();
    if above == 0 {
        return (0, 0, 0.0);
    }
    if above == count {
        return (count - 1, count - 1, 0.0);
    }
    let (low, high) = (to_go_at(above - 1), to_go_at(above));
    (above - 1, above, f64::from(to_go - low) / f64::from(high - low))
}

impl Tables {
    /// The tables that the agent plays with.
    #[must_use]
    pub fn chosen() -> &'static Tables {
        #[cfg(feature = "tuning")]
        if let Some(set) = TABLES.get() {
            return set;
        }
        &CHOSEN
    }

    /// The stages around a distance to go, and the part of the second one ([`between`]).
    #[must_use]
    pub fn between(&self, to_go: u32) -> (usize, usize, f64) {
        between(self.stages.len(), |stage| self.stages[stage].to_go, to_go)
    }

    /// The worths for a search from a position.
    #[must_use]
    pub fn at_root(&self, position: &Position) -> Arc<Worths> {
        let to_go = to_go(position);
        let (low, high, part) = self.between(to_go);
        let (low, high) = (&self.stages[low], &self.stages[high]);
        let at_part = |low: i16, high: i16| {
            let (low, high) = (f64::from(low), f64::from(high));
            (low + (high - low) * part).round() as i16
        };
        let worth = |place: usize| at_part(low.worths[place], high.worths[place]);
        let mut tables = [[0; 256]; 2];
        for side in Side::BOTH {
            for at in Square::all() {
                tables[side.index()][at.index()] = worth(place_of(side, at));
            }
        }
        let tempo = i32::from(at_part(low.tempo, high.tempo)) * tunables().tempo / 100;
        Arc::new(Worths::new(tables, tempo, if to_go <= self.late { self.late_scale } else { 0 }, tunables().order))
    }

    /// A position as a search from it should see it: with the worths for this root. An opponent that still has pieces in
    /// its camp late in the game may not keep the addendum, and never play them: a win that waits for them to be played
    /// would never come.
    #[must_use]
    pub fn seen(&self, position: &Position) -> Position {
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        let stays = !position.pieces(other).and(CAMPS[other.index()]).is_empty();
        let seen = position.with_worths(self.at_root(position));
        if stays && is_late(position, own) { seen.with_rules(other, Rules::Base) } else { seen }
    }

    /// Reads tables: lines that begin with `#` are comments; `late TO_GO SCALE`; for each stage a line `stage TO_GO TEMPO` and 16
    /// lines, the first with one worth, the last with 16: the squares of Black's board up to the long diagonal.
    ///
    /// # Errors
    /// What was expected.
    pub fn read(text: &str) -> Result<Tables, String> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
        let words = |line: Option<&str>, name: &str| -> Result<Vec<i32>, String> {
            let line = line.ok_or_else(|| format!("expected '{name} ...', found the end"))?;
            let rest = line.strip_prefix(name).ok_or_else(|| format!("expected '{name} ...', found '{line}'"))?;
            let mut numbers = Vec::with_capacity(SIZE);
            for word in rest.split_ascii_whitespace() {
                numbers.push(word.parse().map_err(|_| format!("'{word}' is no number"))?);
            }
            Ok(numbers)
        };
        let [late, late_scale] = words(lines.next(), "late")?[..] else {
            return Err("late: expected two numbers".into());
        };
        let mut stages: Vec<Stage> = Vec::new();
        while let Some(line) = lines.next() {
            let [to_go, tempo] = words(Some(line), "stage")?[..] else {
                return Err("stage: expected two numbers".into());
            };
            let mut worths = Vec::with_capacity(PLACES);
            for row in 1..=SIZE {
                let numbers = words(lines.next(), "")?;
                if numbers.len() != row {
                    return Err(format!("stage {to_go}: expected {row} numbers, found {}", numbers.len()));
                }
                worths.extend(numbers.into_iter().map(|number| number as i16));
            }
            let to_go = u32::try_from(to_go).map_err(|error| error.to_string())?;
            let tempo = i16::try_from(tempo).map_err(|error| format!("stage {to_go}: {error}"))?;
            if stages.last().is_some_and(|before| before.to_go >= to_go) {
                return Err(format!("stage {to_go}: expected more than the stage before"));
            }
            let worths = worths.try_into().map_err(|_| "too few worths")?;
            stages.push(Stage { to_go, tempo, worths });
        }
        if stages.is_empty() {
            return Err("expected a stage".to_string());
        }
        let late = u32::try_from(late).map_err(|error| error.to_string())?;
        Ok(Tables { stages: stages.into(), late, late_scale })
    }

    /// The text that [`Tables::read`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("late {} {}\n", self.late, self.late_scale);
        for stage in &*self.stages {
            let _ = writeln!(text, "stage {} {}", stage.to_go, stage.tempo);
            for row in 0..SIZE {
                let first = row * (row + 1) / 2;
                let numbers: Vec<String> = stage.worths[first..=first + row].iter().map(i16::to_string).collect();
                let _ = writeln!(text, "{}", numbers.join(" "));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_tables_are_read_as_they_are_written() {
        let tables = Tables::chosen();
        assert_eq!(Tables::read(chosen::TEXT).as_ref(), Ok(tables));
        assert_eq!(Tables::read(&tables.text()).as_ref(), Ok(tables));
    }

    #[test]
    fn tables_that_are_none_are_refused_with_what_was_expected() {
        let text = Tables::chosen().text();
        let refused = |text: &str, word: &str| {
            let error = Tables::read(text).unwrap_err();
            assert!(error.contains(word), "{error}");
        };
        refused("", "late");
        refused("late 60 3\n", "expected a stage");
        refused(&text.replacen("late", "early", 1), "late");
        refused(&text[..text.len() - 20], "numbers");
        refused(&format!("{text}stage 1\n"), "two numbers");
        refused(&format!("{text}stage 1 0\n"), "found the end");
        refused(&text.replacen('\n', "\nstage 5 0\nx\n", 1), "no number");
    }

    #[test]
    fn places_mirror_at_the_long_diagonal_and_turn_for_the_other_side() {
        let at = |x, y| Square::at(x, y);
        assert_eq!(place_of(BLACK, at(3, 7)), place_of(BLACK, at(7, 3)));
        assert_eq!(place_of(BLACK, at(3, 7)), place_of(WHITE, at(12, 8)));
        let mut places: Vec<usize> = Square::all().map(|square| place_of(WHITE, square)).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.into_iter().eq(0..PLACES));
    }

    #[test]
    fn the_distance_to_go_is_that_of_nineteen_pieces_and_tables_are_interpolated_by_it() {
        let start = Position::initial(WHITE, Rules::Base);
        assert_eq!(to_go(&start), 900);
        let stage = |to_go, worth: i16| Stage { to_go, tempo: worth / 10, worths: [worth; PLACES] };
        let tables = Tables { stages: vec![stage(800, 100), stage(1_000, 300)].into(), late: 900, late_scale: 2 };
        let worths = tables.at_root(&start);
        assert_eq!((worths.of(BLACK, Square::at(0, 0)), worths.tempo()), (200, 20));
        assert_eq!(worths.late_scale(), 2);
        assert_eq!(Tables { late: 899, ..tables.clone() }.at_root(&start).late_scale(), 0);
        assert_eq!([0, 800, 850, 1_000, 5_000].map(|to_go| tables.between(to_go).2), [0.0, 0.0, 0.25, 0.0, 0.0]);
    }
}
