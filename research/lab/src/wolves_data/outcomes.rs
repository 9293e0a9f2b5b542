//! The file of outcomes that the agent embeds, made from the tables.

use anyhow::Result;
use miniz_oxide::deflate::compress_to_vec;
use rayon::prelude::*;
use std::path::Path;
use wolves::embedded::{layers, pack};
use wolves::rules::WOLVES;
use wolves::table::LayerTable;
use wolves::value::Value;

/// The compression level, from 0 to 10; level 10 takes more time than it is worth.
const LEVEL: u8 = 9;

/// Returns the outcomes of the tables in a directory: the lengths of all blocks, then the compressed
/// blocks, one for each class of wolves, with four outcomes a byte.
pub(super) fn of(directory: &Path) -> Result<Vec<u8>> {
    let mut lengths = Vec::new();
    let mut blocks = Vec::new();
    for (wolves, sheep) in layers() {
        let table = LayerTable::open(directory, wolves, sheep)?;
        let codes = table.codes(WOLVES)?;
        let packed: Vec<Vec<u8>> = codes
            .par_chunks(table.layer().ranking.combinations())
            .map(|class| {
                let four = |codes: &[u8]| {
                    let bits = |&code: &u8| pack(Value::decode(code, WOLVES).outcome());
                    codes.iter().rev().fold(0, |byte, code| byte << 2 | bits(code))
                };
                compress_to_vec(&class.chunks(4).map(four).collect::<Vec<u8>>(), LEVEL)
            })
            .collect();
        for block in packed {
            lengths.extend((block.len() as u32).to_le_bytes());
            blocks.extend(block);
        }
    }
    Ok([lengths, blocks].concat())
}
