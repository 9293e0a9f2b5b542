//! Counts of the values in finished tables.

use super::extent::Extent;
use super::solved_tables;
use anyhow::Result;
use engine::Side;
use foxgame::endings::code::{bytes, value};
use foxgame::rules::{FOX, SHEEP};
use std::path::Path;

/// Prints for each size of flock and each side to move the number of positions that each side wins.
/// Mirror images count, and so do boards on which the game is over.
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
                    // The number of times each byte occurs, by the weight of the flock (1 or 2
                    // images) and the byte.
                    let mut found = [[0u64; 256]; 2];
                    for number in 0..class.len() {
                        let weight = class.weight(number);
                        positions += u64::from(weight * (33 - sheep));
                        let row = &mut found[weight as usize - 1];
                        codes
                            .next()
                            .into_iter()
                            .flatten()
                            .for_each(|&byte| row[usize::from(byte)] += 1);
                    }
                    for (row, weight) in found.iter().zip(1..) {
                        add(row, weight, side, &mut won);
                    }
                }
            }
            let [fox, of_sheep] = won;
            println!(
                "{sheep}  {name}  {fox}  {of_sheep}  {}  {positions}",
                positions - fox - of_sheep
            );
        }
    }
    Ok(())
}

/// Adds the winners of the codes in each byte to `won`.
fn add(found: &[u64; 256], weight: u64, to_move: Side, won: &mut [u64; 2]) {
    for (byte, &times) in (0u8..=255).zip(found) {
        for code in [byte & 15, byte >> 4] {
            if let Some(value) = value(code, to_move) {
                won[value.winner.index()] += times * weight;
            }
        }
    }
}
