//! The solution of all layers, from the most advanced flocks back, each written to its file.

use super::class::solve as solve_class;
use super::extent::Extent;
use super::solved_tables::{self, SolvedTables};
use crate::layer_files::{create, if_there, write};
use anyhow::Result;
use clock::cpu::process_time;
use engine::Side;
use foxgame::board::PointSet;
use foxgame::endings::code::{Codes, Verdicts, bytes};
use foxgame::endings::index::{CODES, Layer, code, profile};
use foxgame::endings::table::{LayerTable, entry, file, subject};
use foxgame::rules::{FOX, SHEEP};
use progress::Bar;
use std::path::Path;

/// The verdicts of a solved layer with FOX to move, by flock.
struct SolvedLayer {
    layer: Layer,
    /// The index of the class, by the code of the profile.
    classes: Vec<u16>,
    verdicts: Vec<Verdicts>,
}

impl SolvedLayer {
    fn new(layer: Layer) -> SolvedLayer {
        let mut classes = vec![u16::MAX; CODES];
        for (number, class) in layer.classes().iter().enumerate() {
            classes[code(class.profile())] = number as u16;
        }
        SolvedLayer { verdicts: Vec::with_capacity(layer.len()), layer, classes }
    }

    /// Reads a layer from its file; returns `None` if there is no file.
    fn read(directory: &Path, sheep: u32, sum: u32) -> Result<Option<SolvedLayer>> {
        let Some(table) = if_there(LayerTable::open(directory, sheep, sum))? else {
            return Ok(None);
        };
        let mut read = SolvedLayer::new(Layer::new(sheep, sum));
        let flocks = read.layer.classes().iter();
        let flocks = flocks.flat_map(|class| (0..class.len()).map(|number| class.sheep(number)));
        let codes = table.codes(FOX)?.chunks(bytes(sheep)).map(Codes::read);
        read.verdicts.extend(flocks.zip(codes).map(|(flock, codes)| codes.verdicts(flock, FOX)));
        Ok(Some(read))
    }

    #[inline]
    fn verdicts(&self, sheep: PointSet) -> Verdicts {
        let class = &self.layer.classes()[usize::from(self.classes[code(profile(sheep))])];
        let place = class.place(sheep);
        let verdicts = self.verdicts[class.first() + place.number];
        if place.mirrored { verdicts.mirrored() } else { verdicts }
    }
}

pub(crate) fn progress(extent: Extent) -> Bar {
    Bar::new(extent.layers().map(|layer| layer.len() as u64).sum(), "flocks")
}

pub(crate) fn solve(directory: &Path, extent: Extent) -> Result<()> {
    create(directory)?;
    let bar = progress(extent);
    println!("sheep  rows  flocks stored  longest leg  CPU s");
    for (sheep, sums) in extent.sizes() {
        let is_there = |sum| file(directory, sheep, sum).exists();
        if sums.clone().all(is_there) {
            sums.for_each(|sum| bar.add(Layer::new(sheep, sum).len() as u64));
            continue;
        }
        let tables = solved_tables::open(directory, extent, sheep - 1)?;
        let lower = SolvedTables::new(&tables, SHEEP)?;
        let mut ahead: Option<SolvedLayer> = None;
        for sum in sums {
            bar.say(format!("flocks, {sheep} sheep, rows {sum}"));
            ahead = match SolvedLayer::read(directory, sheep, sum)? {
                Some(read) => {
                    bar.add(read.layer.len() as u64);
                    Some(read)
                }
                None => Some(solve_layer(directory, Layer::new(sheep, sum), ahead, &lower, &bar)?),
            };
        }
    }
    bar.finish();
    Ok(())
}

/// Solves a layer and writes its file. `ahead` is the layer that steps ahead lead to, if any.
fn solve_layer(
    directory: &Path,
    layer: Layer,
    ahead: Option<SolvedLayer>,
    lower: &SolvedTables,
    bar: &Bar,
) -> Result<SolvedLayer> {
    let before = process_time();
    let (sheep, sum) = (layer.sheep, layer.sum);
    let mut solved_layer = SolvedLayer::new(layer);
    let (mut codes, mut long, mut longest) = (Side::BOTH.map(|_| Vec::new()), Vec::new(), 0);
    for class in solved_layer.layer.classes() {
        let after_step =
            |after| ahead.as_ref().expect("the first layer has no step ahead").verdicts(after);
        let solved = solve_class(class, lower, after_step)?;
        for flock in &solved.codes {
            for side in Side::BOTH {
                codes[side.index()].extend(&flock[side.index()].0[..bytes(sheep)]);
            }
        }
        long.extend(solved.long.into_iter().flat_map(|(key, plies)| entry(key, plies)));
        longest = longest.max(solved.counts.iter().map(Vec::len).max().unwrap_or_default());
        solved_layer.verdicts.extend(solved.fox_to_move);
        bar.add(class.len() as u64);
    }
    let arrays = [&codes[FOX.index()][..], &codes[SHEEP.index()], &long];
    write(&file(directory, sheep, sum), &subject(sheep, sum), &arrays)?;
    let spent = (process_time() - before).as_secs_f64();
    let (flocks, longest) = (solved_layer.layer.len(), longest.saturating_sub(1));
    bar.around(|| println!("{sheep}  {sum}  {flocks}  {longest}  {spent:.1}"));
    Ok(solved_layer)
}
