//! Counts of the values in finished tables.

use super::extent::Extent;
use super::solved_tables;
use anyhow::Result;
use engine::Side;
use foxgame::endings::code::{bytes, value};
use foxgame::rules::{FOX, SHEEP};
use std::path::Path;

/// Prints for each size of flock and each side to move the number of positions that each side wins,
/// mirror images and finished games included.
pub(crate) fn print(directory: &Path, extent: Extent) -> Result<()> {
    let all = solved_tables::open(directory, extent, extent.sheep)?;
    println!("sheep  to move  FOX wins  SHEEP wins  neither  of them");
    for ((sheep, _), tables) in extent.sizes().zip(&all) {
        for (side, name) in [(FOX, "FOX"), (SHEEP, "SHEEP")] {
            let length = bytes(sheep);
            let (mut won, mut positions) = ([0u64; 2], 0);
            for table in tables {
                let mut codes = table.codes(side)?.chunks(length);
                for class in table.layer().classes() {
                    // How often each byte occurs, mirror images included.
                    let mut found = [0u64; 256];
                    for (number, flock) in (0..class.len()).zip(&mut codes) {
                        let weight = u64::from(class.weight(number));
                        positions += weight * u64::from(33 - sheep);
                        flock.iter().for_each(|&byte| found[usize::from(byte)] += weight);
                    }
                    add(&found, side, &mut won);
                }
            }
            let [fox, of_sheep] = won;
            let neither = positions - fox - of_sheep;
            println!("{sheep}  {name}  {fox}  {of_sheep}  {neither}  {positions}");
        }
    }
    Ok(())
}

fn add(found: &[u64; 256], to_move: Side, won: &mut [u64; 2]) {
    for (byte, &times) in (0u8..=255).zip(found) {
        for code in [byte & 15, byte >> 4] {
            if let Some(value) = value(code, to_move) {
                won[value.winner.index()] += times;
            }
        }
    }
}
