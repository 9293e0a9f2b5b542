//! The solution of all layers, from the fewest sheep and the most advanced flocks on, each a
//! checkpoint.

use super::bits;
use super::class::{Captures, ClassTask, Counts, SolvedClass, Values, landed_words};
use super::extent::{Extent, Limits};
use super::fox_sets::Layout;
use super::parts::{Packed, Part, wait_for};
use super::square::Square;
use super::store::Store;
use crate::layer_files::{Kind, packed};
use crate::pairs::words;
use anyhow::{Result, bail, ensure};
use foxgame::board::POINTS;
use foxgame::endings::index::{Layer, Profile, ProfileClass};
use foxgame::rules::LEAST_SHEEP;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::marker::PhantomData;
use std::sync::Mutex;
use std::time::Instant;
use terminal::interrupt;

/// Solves every layer that has no file yet, and prints a line for each. With [`Limits::part`], its
/// part of every layer.
///
/// # Errors
/// A file cannot be written or is damaged, a limit is reached, or ^C was pressed; the same command
/// goes on.
pub(crate) fn solve(store: &Store, extent: Extent, limits: Limits) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(limits.threads).build()?;
    let gathers = limits.part.is_none_or(Part::gathers);
    let is_complete = |sheep| {
        extent.sums(sheep).all(|sum| store.file(last_file(extent, sheep), sheep, sum).exists())
    };
    let complete = extent.sheep().rev().find(|&sheep| is_complete(sheep));
    // The largest flocks are gone through even if they are solved: their counts are shown.
    let first = complete.map_or(extent.floor, |sheep| (sheep + 1).min(extent.most));
    println!(
        "Sheep, rows, flocks stored; positions of one side to move; FOX to move: SHEEP wins, neither; SHEEP to move: \
         SHEEP wins, neither; share that SHEEP wins with FOX to move; seconds."
    );
    for sheep in first..=extent.most {
        store.forget_all();
        for sum in extent.sums(sheep) {
            let there = |kind| store.file(kind, sheep, sum).exists();
            if there(Kind::Fox) && there(last_file(extent, sheep)) {
                println!(
                    "{sheep}  {sum}  {}  {}  solved before",
                    Layer::new(sheep, sum).len(),
                    store.counts(sheep, sum)?
                );
                continue;
            }
            let begun = Instant::now();
            let layer = Layer::new(sheep, sum);
            let counts = pool.install(|| match words(POINTS - sheep as usize) {
                1 => solve_layer::<1, [u16; 16]>(store, extent, &layer, limits),
                2 => solve_layer::<2, [u16; 16]>(store, extent, &layer, limits),
                3 if sheep + 16 >= POINTS as u32 => {
                    solve_layer::<3, [u16; 16]>(store, extent, &layer, limits)
                }
                3 => solve_layer::<3, [u32; 32]>(store, extent, &layer, limits),
                4 => solve_layer::<4, [u32; 32]>(store, extent, &layer, limits),
                _ => solve_layer::<5, [u32; 32]>(store, extent, &layer, limits),
            })?;
            store.forget(Kind::Fox, sum);
            store.forget(Kind::Landed, sum.saturating_sub(5));
            let counts =
                counts.map_or_else(|| "counted by part 1".to_string(), |counts| counts.to_string());
            println!(
                "{sheep}  {sum}  {}  {counts}  {:.1}",
                layer.len(),
                begun.elapsed().as_secs_f64()
            );
            let bytes = store.bytes_on_disk()?;
            ensure!(
                bytes <= limits.disk,
                "the layers take {:.1} GB, more than --disk-gb allows; the same command with more goes on",
                bytes as f64 / 1e9
            );
        }
        if !gathers {
            continue;
        }
        let mut counts = Counts::default();
        for sum in extent.sums(sheep) {
            counts.add(&store.counts(sheep, sum)?);
        }
        println!("{sheep}  all  {counts}");
        for sum in extent.sums(sheep).filter(|_| !limits.keep && sheep < extent.most) {
            store.delete(Kind::Fox, sheep, sum);
        }
        if sheep > extent.floor {
            extent.sums(sheep - 1).for_each(|sum| store.delete(Kind::Landed, sheep - 1, sum));
        }
    }
    Ok(())
}

/// Returns the kind of the file of a layer that is written last, and kept until flocks of one sheep
/// more are solved.
fn last_file(extent: Extent, sheep: u32) -> Kind {
    if sheep < extent.most { Kind::Landed } else { Kind::Fox }
}

/// Solves a layer, writes its files and returns its counts. With [`Limits::part`], solves this
/// process's part of it: the first process waits for the others' parts and writes the files; the
/// others wait for these and return no counts.
fn solve_layer<const N: usize, S: Square>(
    store: &Store,
    extent: Extent,
    layer: &Layer,
    limits: Limits,
) -> Result<Option<Counts>> {
    let mut order: Vec<usize> = (0..layer.classes().len()).collect();
    // The largest first: no thread is left with one of them at the end.
    order.sort_by_key(|&at| std::cmp::Reverse(layer.classes()[at].len()));
    let (counts, files) = match limits.part {
        None => solve_classes::<N, S>(store, extent, layer, &order, limits)?,
        Some(part) => {
            if !part.is_solved(store, layer) {
                let own = part.of_classes(&order);
                let (counts, files) = solve_classes::<N, S>(store, extent, layer, &own, limits)?;
                let files: Vec<_> = own.iter().map(|&at| &files[at]).collect();
                part.write(store, layer, &counts, &files)?;
            }
            if !part.gathers() {
                wait_for(&store.file(last_file(extent, layer.sheep), layer.sheep, layer.sum))?;
                return Ok(None);
            }
            part.gather(store, layer, &order)?
        }
    };
    let (fox, jumped): (Vec<_>, Vec<_>) =
        files.into_iter().map(|[fox, landed]| (fox, landed)).unzip();
    store.write(Kind::Fox, layer, &counts, &fox)?;
    if last_file(extent, layer.sheep) == Kind::Landed {
        store.write(Kind::Landed, layer, &counts, &jumped)?;
    }
    if let Some(part) = limits.part {
        part.delete_all(store, layer);
    }
    Ok(Some(counts))
}

/// Solves some classes of a layer, given by their places. Returns the sum of their counts and, by
/// place, their values.
fn solve_classes<const N: usize, S: Square>(
    store: &Store,
    extent: Extent,
    layer: &Layer,
    places: &[usize],
    limits: Limits,
) -> Result<(Counts, Vec<Packed>)> {
    let layout = Layout::<N>::new(POINTS - layer.sheep as usize);
    let landed = last_file(extent, layer.sheep) == Kind::Landed;
    let files = Mutex::new((Counts::default(), vec![Packed::default(); layer.classes().len()]));
    places.into_par_iter().with_max_len(1).try_for_each(|&at| {
        if interrupt::asked() {
            bail!(
                "stopped by ^C; the same command goes on with {} sheep, rows {}",
                layer.sheep,
                layer.sum
            );
        }
        let class = &layer.classes()[at];
        let solved =
            solve_class::<N, S>(store, extent.floor, class, &layout, landed, limits.portable)?;
        let bytes =
            [packed(&solved.fox, store.question.sets), packed(&solved.landed, store.question.sets)];
        let mut files = files.lock().expect("no thread panics");
        files.0.add(&solved.counts);
        files.1[at] = bytes;
        drop(files);
        store.keep(Kind::Fox, &Values { class: class.clone(), words: solved.fox.into(), each: N });
        Ok(())
    })?;
    Ok(files.into_inner().expect("no thread panics"))
}

/// Solves a class, with what it leads to from memory or from files.
fn solve_class<const N: usize, S: Square>(
    store: &Store,
    floor: u32,
    class: &ProfileClass,
    layout: &Layout<N>,
    landed: bool,
    portable: bool,
) -> Result<SolvedClass> {
    let profile = class.profile();
    let mut ahead = [const { None }; 7];
    for row in 1..7 {
        if let Some(after) = stepped(profile, row) {
            ahead[row] = Some(store.values(Kind::Fox, after, N)?);
        }
    }
    let captures = if u32::from(profile.iter().sum::<u8>()) > floor {
        let mut smaller = Box::new([const { None }; 7]);
        for row in (0..7).filter(|&row| profile[row] > 0) {
            let mut left = profile;
            left[row] -= 1;
            smaller[row] =
                Some(store.values(Kind::Landed, left, landed_words(layout.points + 1))?);
        }
        Captures::Landed(smaller)
    } else {
        Captures::Below(floor == LEAST_SHEEP)
    };
    Ok(bits::run(
        ClassTask::<N, S> {
            class,
            layout,
            ahead,
            captures,
            landed,
            sets: store.question.sets,
            one_way: store.question.one_way,
            square: PhantomData,
        },
        portable,
    ))
}

/// Returns the profile after a sheep of a row has stepped ahead; `None` if none can.
fn stepped(profile: Profile, row: usize) -> Option<Profile> {
    let width = if (2..5).contains(&(row - 1)) { 7 } else { 3 };
    let mut after = profile;
    after[row] = after[row].checked_sub(1)?;
    after[row - 1] += 1;
    (after[row - 1] <= width).then_some(after)
}
