//! The worth tables learned from the agent's own games, one for each stage of the game, to which a
//! network adds what it sees in the position at the root (`network.rs`).
//!
//! The stage is the distance that both sides together still have to go at the root of a search.
//! Within one search the evaluation is therefore a plain sum over pieces; between the stages the
//! tables are interpolated. The tables are symmetric about the long diagonal, and White uses them
//! rotated by 180 degrees. `lab learn` makes the file.

use crate::board::{BLACK, CAMPS, PIECES, SIZE, Square, WHITE};
use crate::default_tables;
use crate::evaluate::{FULL_DISTANCE, distance, has_mostly_arrived};
use crate::network::Network;
use crate::rules::{Position, Rules};
use crate::stage::place;
pub use crate::stage::{PLACES, Stage};
use crate::worth::Worths;
use engine::{Game, Side};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The default tables, parsed at compile time: the agent's process has no time to parse them.
static DEFAULT_TABLES: Tables = Tables { stages: Cow::Borrowed(&default_tables::STAGES) };

/// The largest distance to go at the root at which the tables play without the network.
const TABLES_ALONE: u32 = 60;

/// The worth tables of all stages.
#[derive(Clone, Debug, PartialEq)]
pub struct Tables {
    /// The stages, at least one, in ascending order of the distance to go.
    pub stages: Cow<'static, [Stage]>,
}

/// Returns the index into a worth table, from 0 to [`PLACES`] - 1, of a side's piece on a square.
/// Squares that mirror each other about the long diagonal share an index, and so do squares of the
/// two sides at the same stage of their way.
#[must_use]
pub fn place_of(side: Side, at: Square) -> usize {
    let (x, y) = match side {
        BLACK => (at.x(), at.y()),
        WHITE => (SIZE - 1 - at.x(), SIZE - 1 - at.y()),
    };
    place(x, y)
}

/// Returns the rows and columns that both sides together still have to go, scaled to nineteen
/// pieces each.
#[must_use]
pub fn to_go(position: &Position) -> u32 {
    to_go_of(position, BLACK) + to_go_of(position, WHITE)
}

/// Returns the rows and columns that one side still has to go, scaled to nineteen pieces.
fn to_go_of(position: &Position, side: Side) -> u32 {
    let pieces = position.pieces(side);
    let sum: u32 = pieces.into_iter().map(|square| distance(side, square)).sum();
    (sum * PIECES as u32 / pieces.len().max(1)).saturating_sub(FULL_DISTANCE)
}

/// Returns the indices of the stages below and above a distance to go, and the weight of the second
/// one, from 0 to 1. The distances `to_go_at` of the `count` stages ascend; outside of their range
/// both indices are those of the first or last stage.
#[must_use]
pub fn bracket(count: usize, to_go_at: impl Fn(usize) -> u32, to_go: u32) -> (usize, usize, f64) {
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
    /// Returns the tables that the agent plays with.
    #[must_use]
    pub fn in_use() -> &'static Tables {
        &DEFAULT_TABLES
    }

    /// Returns the indices of the stages around a distance to go, and the weight of the second one
    /// ([`bracket`]).
    #[must_use]
    pub fn bracket(&self, to_go: u32) -> (usize, usize, f64) {
        bracket(self.stages.len(), |stage| self.stages[stage].to_go, to_go)
    }

    /// Returns the worths for a search from a position: those of the tables, interpolated by its
    /// distance to go, and what the network adds, except near the end and where the side to move
    /// has pieces far behind. The network has to be fitted to these tables.
    #[must_use]
    pub fn at_root(&self, position: &Position, network: Option<Network>) -> Arc<Worths> {
        let to_go = to_go(position);
        let (low, high, part) = self.bracket(to_go);
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
        // The network has not learned to fetch pieces that are left behind when the front is home.
        let own = position.side_to_move();
        let has_stragglers =
            has_mostly_arrived(position, own) && to_go_of(position, own) > TABLES_ALONE;
        if let Some(network) = network.filter(|_| to_go > TABLES_ALONE && !has_stragglers) {
            network.add_worths(position, &mut tables);
        }
        Arc::new(Worths::new(tables, at_part(low.tempo, high.tempo).into()))
    }

    /// Returns the position to search: with the worths for this root, and perhaps with the base
    /// rules for the opponent. An opponent that still has pieces in its camp late in the game may
    /// not keep to the addendum and never move them: a search that relies on the addendum would
    /// wait for a win that never comes.
    #[must_use]
    pub fn as_searched(&self, position: &Position, network: Option<Network>) -> Position {
        let (own, other) = (position.side_to_move(), position.side_to_move().other());
        let stays = !position.pieces(other).and(CAMPS[other.index()]).is_empty();
        let searched = position.with_worths(self.at_root(position, network));
        if stays && has_mostly_arrived(position, own) {
            searched.with_rules(other, Rules::Base)
        } else {
            searched
        }
    }

    /// Parses tables from a text of integers. Lines that begin with `#` are comments. Each stage is a
    /// line `stage TO_GO TEMPO` and 16 lines with 1 to 16 worths: the squares of Black's board up to
    /// the long diagonal.
    ///
    /// # Errors
    /// The number of integers is another one, or the stages do not ascend.
    pub fn read(text: &str) -> Result<Tables, String> {
        let mut numbers = vec![0; default_tables::parse_numbers(text, &mut [])];
        default_tables::parse_numbers(text, &mut numbers);
        let stage = |numbers: &[i16]| {
            let (&[to_go, tempo], worths) = numbers.split_first_chunk()?;
            Some(Stage { to_go: to_go as u32, tempo, worths: worths.try_into().ok()? })
        };
        let stages: Option<Vec<Stage>> = numbers.chunks(2 + PLACES).map(stage).collect();
        let stages = stages
            .filter(|stages| !stages.is_empty())
            .filter(|stages| stages.is_sorted_by(|one, next| one.to_go < next.to_go))
            .ok_or("expected whole stages, each further from the end than the one before")?;
        Ok(Tables { stages: stages.into() })
    }

    /// Formats the tables as a text that [`Tables::read`] parses.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for stage in &*self.stages {
            let _ = writeln!(text, "stage {} {}", stage.to_go, stage.tempo);
            for row in 0..SIZE {
                let first = row * (row + 1) / 2;
                let numbers: Vec<String> =
                    stage.worths[first..=first + row].iter().map(i16::to_string).collect();
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
    fn the_default_tables_are_read_as_they_are_written() {
        let tables = Tables::in_use();
        assert_eq!(Tables::read(default_tables::TEXT).as_ref(), Ok(tables));
        assert_eq!(Tables::read(&tables.text()).as_ref(), Ok(tables));
    }

    #[test]
    fn tables_that_are_none_are_refused() {
        let text = Tables::in_use().text();
        for text in ["", &text[..text.len() - 20], &format!("{text}stage 1 0\n")] {
            assert!(Tables::read(text).is_err(), "{text}");
        }
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
        let tables = Tables { stages: vec![stage(800, 100), stage(1_000, 300)].into() };
        let worths = tables.at_root(&start, None);
        assert_eq!((worths.of(BLACK, Square::at(0, 0)), worths.tempo()), (200, 20));
        assert_eq!(
            [0, 800, 850, 1_000, 5_000].map(|to_go| tables.bracket(to_go).2),
            [0.0, 0.0, 0.25, 0.0, 0.0]
        );
    }
}
