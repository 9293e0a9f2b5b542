//! The solution of all layers of a number of wolves, from 3 sheep upwards, each with its file.

use super::retrograde::{Count, LayerBelow, SolvedLayer, count, solve as solve_layer};
use crate::layer_files::{create, if_there, write};
use anyhow::Result;
use clock::cpu::process_time;
use engine::Side;
use progress::Bar;
use std::path::Path;
use std::time::Duration;
use wolves::index::Layer;
use wolves::rules::{SHEEP, SHEEP_LOST, WOLVES};
use wolves::table::{LayerTable, file, subject};

pub(crate) fn solve(directory: &Path, wolves: u32, most_sheep: u32) -> Result<()> {
    create(directory)?;
    println!(
        "sheep  stored a side  wolves to move: W wins / S wins / draws (longest)  sheep to move: the same  CPU s"
    );
    let total: u64 = (SHEEP_LOST + 1..=most_sheep)
        .map(|sheep| 2 * Layer::new(wolves, sheep).positions() as u64)
        .sum();
    let bar = Bar::new(total, "positions");
    let mut done = 0;
    let mut below: Option<(Layer, Vec<u8>)> = None;
    for sheep in SHEEP_LOST + 1..=most_sheep {
        let layer = Layer::new(wolves, sheep);
        let before = process_time();
        let (solved, read) = match read(directory, wolves, sheep)? {
            Some(solved) => (solved, true),
            None => {
                let below = below
                    .as_ref()
                    .map(|(layer, codes)| LayerBelow { ranking: &layer.ranking, codes });
                let solved = solve_layer(&layer, below, |ply, found| {
                    bar.say(format!("positions, {wolves} wolves, {sheep} sheep, ply {ply}"));
                    bar.add(found);
                })?;
                let path = file(directory, wolves, sheep);
                write(&path, &subject(wolves, sheep), &[&solved.wolves, &solved.sheep])?;
                (solved, false)
            }
        };
        let spent = (!read).then(|| process_time() - before);
        bar.around(|| println!("{}", line(&layer, sheep, &solved, spent)));
        // Draws are never settled, so the bar has not counted them.
        done += 2 * layer.positions() as u64;
        bar.set(done);
        below = Some((layer, solved.sheep));
    }
    bar.finish();
    Ok(())
}

fn read(directory: &Path, wolves: u32, sheep: u32) -> Result<Option<SolvedLayer>> {
    let Some(table) = if_there(LayerTable::open(directory, wolves, sheep))? else {
        return Ok(None);
    };
    let [wolves, sheep] = Side::BOTH.map(|side| table.codes(side).map(<[u8]>::to_vec));
    Ok(Some(SolvedLayer { wolves: wolves?, sheep: sheep? }))
}

fn line(layer: &Layer, sheep: u32, solved: &SolvedLayer, spent: Option<Duration>) -> String {
    let counts = |count: Count| {
        let [wolves, sheep] = count.wins;
        let [longest_wolves, longest_sheep] = count.longest;
        format!("{wolves} / {sheep} / {} ({longest_wolves}, {longest_sheep})", count.draws)
    };
    let spent = spent.map_or("read".to_string(), |spent| format!("{:.1}", spent.as_secs_f64()));
    format!(
        "{sheep}  {}  {}  {}  {spent}",
        layer.positions(),
        counts(count(&solved.wolves, WOLVES)),
        counts(count(&solved.sheep, SHEEP)),
    )
}
