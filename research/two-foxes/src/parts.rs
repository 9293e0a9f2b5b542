//! Layers in parts: several processes with one directory, such as the tasks of a Slurm array, each
//! solve some classes of every layer. The first of them gathers the parts into the layer's files,
//! which are those of a single process.

use super::class::Counts;
use super::store::Store;
use crate::layer_files::{COUNTS, Kind};
use anyhow::{Context, Result, bail};
use foxgame::endings::index::Layer;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tables::{Subject, TableFile};
use terminal::interrupt;

/// How often a process looks for the files of the others.
const PAUSE: Duration = Duration::from_millis(50);
/// How long it waits before it says what for.
const PATIENCE: Duration = Duration::from_secs(10);

/// The compressed values of a class, by kind: with FOX to move, and of foxes that have just landed.
pub(super) type Packed = [Vec<u8>; 2];

/// A part of every layer: one of so many processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The number of this part, from 1.
    index: u32,
    /// The number of parts.
    of: u32,
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, of)| Some((index.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((index, of)) if 1 <= index && index <= of => Ok(Part { index, of }),
            _ => Err("expected I/N with I from 1 to N, such as 1/4".to_string()),
        }
    }
}

impl Part {
    /// Returns whether this process gathers the parts.
    pub(super) fn gathers(self) -> bool {
        self.index == 1
    }

    /// Returns the classes of this part, as places in the order of all classes by size.
    pub(super) fn of_classes(self, order: &[usize]) -> Vec<usize> {
        order.iter().copied().skip(self.index as usize - 1).step_by(self.of as usize).collect()
    }

    /// Returns the path of the part's file of a layer.
    fn file(self, store: &Store, layer: &Layer) -> PathBuf {
        store
            .file(Kind::Fox, layer.sheep, layer.sum)
            .with_extension(format!("part-{}-of-{}", self.index, self.of))
    }

    fn subject(self, store: &Store, layer: &Layer) -> Subject {
        let question = &store.question;
        let asked =
            question.floor << 2 | u32::from(question.one_way) << 1 | u32::from(question.sets == 2);
        Subject {
            name: "foxgame part",
            numbers: [layer.sheep << 8 | layer.sum, asked, self.index, self.of],
        }
    }

    /// Returns whether the part's file of a layer is there, from an interrupted run.
    pub(super) fn is_solved(self, store: &Store, layer: &Layer) -> bool {
        self.file(store, layer).exists()
    }

    /// Writes the part's file of a layer: its counts, and the values of its classes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(
        self,
        store: &Store,
        layer: &Layer,
        counts: &Counts,
        classes: &[&Packed],
    ) -> Result<()> {
        let all = || classes.iter().flat_map(|packed| packed.iter());
        let lengths = all().map(|bytes| bytes.len() as u64);
        let head: Vec<u8> =
            counts.numbers().into_iter().chain(lengths).flat_map(u64::to_le_bytes).collect();
        let values = all().flatten().copied().collect::<Vec<u8>>();
        let path = self.file(store, layer);
        tables::write(&path, &self.subject(store, layer), &[&head, &values])
            .with_context(|| format!("{}: cannot be written", path.display()))
    }

    /// Waits for the files of all parts of a layer, and returns the sum of their counts and the
    /// values of all classes.
    ///
    /// # Errors
    /// ^C was pressed, or a file is damaged.
    pub(super) fn gather(
        self,
        store: &Store,
        layer: &Layer,
        order: &[usize],
    ) -> Result<(Counts, Vec<Packed>)> {
        let mut counts = Counts::default();
        let mut packed = vec![Packed::default(); order.len()];
        for index in 1..=self.of {
            let part = Part { index, ..self };
            let path = part.file(store, layer);
            wait_for(&path)?;
            let classes = part.of_classes(order);
            let head = 8 * (COUNTS + 2 * classes.len());
            let file = TableFile::open_with_rest(&path, &part.subject(store, layer), &[head])?;
            let head: Vec<u64> = file
                .array(0)?
                .as_chunks::<8>()
                .0
                .iter()
                .map(|&word| u64::from_le_bytes(word))
                .collect();
            let (numbers, lengths) = head.split_at(COUNTS);
            counts.add(&Counts::from_numbers(numbers.try_into().expect("split there")));
            let mut begin = 0;
            for (&class, lengths) in classes.iter().zip(lengths.as_chunks::<2>().0) {
                for (kind, &length) in lengths.iter().enumerate() {
                    let end = begin + length as usize;
                    if end > file.length(1) {
                        bail!("{}: damaged: the lengths of the classes", path.display());
                    }
                    packed[class][kind] = file.part(1, begin..end)?.to_vec();
                    begin = end;
                }
            }
        }
        Ok((counts, packed))
    }

    /// Deletes the files of all parts of a layer.
    pub(super) fn delete_all(self, store: &Store, layer: &Layer) {
        for index in 1..=self.of {
            let _ = std::fs::remove_file(Part { index, ..self }.file(store, layer));
        }
    }
}

/// Waits until a file is there, which another process makes.
///
/// # Errors
/// ^C was pressed.
pub(super) fn wait_for(path: &Path) -> Result<()> {
    let begun = Instant::now();
    let mut told = false;
    while !path.exists() {
        if interrupt::asked() {
            bail!("stopped by ^C; the same command goes on");
        }
        if !told && begun.elapsed() > PATIENCE {
            eprintln!("waiting for {}, which another process makes", path.display());
            told = true;
        }
        sleep(PAUSE);
    }
    Ok(())
}
