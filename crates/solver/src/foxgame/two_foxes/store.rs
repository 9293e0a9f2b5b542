//! The files of solved layers, and the classes of them that are in memory.
//!
//! A layer has up to two files, each written under a temporary name and renamed, with checksums: the values with FOX to
//! move, and those of foxes that have just landed, which flocks of one sheep more ask for. The classes of a file are
//! compressed one by one, so that only the few that a class leads to are in memory.

use super::class::{Counts, Values};
use anyhow::{Context, Result, ensure};
use foxgame::endings::index::{Layer, Profile, code};
use lz4_flex::block::{compress, decompress};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tables::{Subject, TableFile};

/// The version of the files' content.
const VERSION: u32 = 2;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// FOX is to move, stuck foxes still to be removed.
    Fox,
    /// A fox has just landed after a jump and may jump on.
    Landed,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Fox => "fox",
            Kind::Landed => "landed",
        }
    }
}

/// A directory of layer files, with the classes of them that are in memory.
pub(crate) struct Store {
    directory: PathBuf,
    floor: u32,
    /// See [`super::class::ClassTask`].
    pub sets: usize,
    /// Whether SHEEP only steps ahead.
    pub ahead_only: bool,
    /// The largest number of bytes of classes in memory.
    budget: usize,
    files: Mutex<HashMap<(Kind, u32, u32), Arc<LayerFile>>>,
    cache: Mutex<Cache>,
}

/// The classes in memory, by kind, sum of rows and code of the profile.
#[derive(Default)]
struct Cache {
    classes: HashMap<(Kind, u32, usize), (Values, u64)>,
    bytes: usize,
    clock: u64,
}

/// An open file.
struct LayerFile {
    layer: Layer,
    table: TableFile,
    counts: Counts,
    /// For each class, where its compressed values begin; and where the last ones end.
    places: Vec<usize>,
}

/// Returns the number of sheep and the sum of their rows.
pub(super) fn sheep_and_sum(profile: Profile) -> (u32, u32) {
    profile
        .iter()
        .zip(0..)
        .fold((0, 0), |(sheep, sum), (&here, row)| (sheep + u32::from(here), sum + row * u32::from(here)))
}

impl Store {
    /// Prepares a directory for the layers down to a floor.
    ///
    /// # Errors
    /// The directory cannot be made.
    pub(crate) fn new(directory: &Path, floor: u32, sets: usize, ahead_only: bool, budget: usize) -> Result<Store> {
        std::fs::create_dir_all(directory).with_context(|| format!("{}: cannot be made", directory.display()))?;
        let (files, cache) = Default::default();
        Ok(Store { directory: directory.to_owned(), floor, sets, ahead_only, budget, files, cache })
    }

    /// Returns the name of a layer's file.
    pub(crate) fn file(&self, kind: Kind, sheep: u32, sum: u32) -> PathBuf {
        let won_only = match (self.ahead_only, self.sets) {
            (true, _) => "-ahead",
            (false, 1) => "-won",
            _ => "",
        };
        self.directory.join(format!("foxgame-{}{won_only}-{sheep:02}-{sum:03}-{}.layer", self.floor, kind.name()))
    }

    /// Returns the number of bytes of all files in the directory.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn bytes_on_disk(&self) -> Result<u64> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(&self.directory)? {
            bytes += entry?.metadata()?.len();
        }
        Ok(bytes)
    }

    /// Deletes a layer's file, if there is one.
    pub(crate) fn delete(&self, kind: Kind, sheep: u32, sum: u32) {
        self.files.lock().expect("no thread panics").remove(&(kind, sheep, sum));
        let _ = std::fs::remove_file(self.file(kind, sheep, sum));
    }

    /// Writes a layer's file from the compressed values of its classes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, kind: Kind, layer: &Layer, counts: &Counts, classes: &[Vec<u8>]) -> Result<()> {
        let mut head = Vec::new();
        let numbers = [counts.positions, counts.won[0], counts.won[1], counts.neither[0], counts.neither[1]];
        let mut end = 0;
        let ends = classes.iter().map(|class| {
            end += class.len() as u64;
            end
        });
        let places: Vec<u64> = std::iter::once(0).chain(ends).collect();
        numbers.iter().chain(&places).for_each(|number| head.extend(number.to_le_bytes()));
        let path = self.file(kind, layer.sheep, layer.sum);
        tables::write(&path, &self.subject(kind, layer.sheep, layer.sum), &[&head, &classes.concat()])
            .with_context(|| format!("{}: cannot be written", path.display()))
    }

    fn subject(&self, kind: Kind, sheep: u32, sum: u32) -> Subject {
        let name = match kind {
            Kind::Fox => "foxgame fox",
            Kind::Landed => "foxgame landed",
        };
        Subject {
            name,
            numbers: [sheep, sum, self.floor, VERSION << 8 | u32::from(self.ahead_only) << 7 | self.sets as u32],
        }
    }

    /// Returns the counts of a layer.
    ///
    /// # Errors
    /// The file is missing or damaged.
    pub(crate) fn counts(&self, sheep: u32, sum: u32) -> Result<Counts> {
        Ok(self.open(Kind::Fox, sheep, sum)?.counts)
    }

    fn open(&self, kind: Kind, sheep: u32, sum: u32) -> Result<Arc<LayerFile>> {
        let mut files = self.files.lock().expect("no thread panics");
        if let Some(file) = files.get(&(kind, sheep, sum)) {
            return Ok(Arc::clone(file));
        }
        let layer = Layer::new(sheep, sum);
        let path = self.file(kind, sheep, sum);
        let length = 8 * (6 + layer.classes().len());
        let table = TableFile::open_with_rest(&path, &self.subject(kind, sheep, sum), &[length])?;
        let head = table.array(0)?;
        let number = |at: usize| u64::from_le_bytes(head[8 * at..8 * at + 8].try_into().expect("eight bytes"));
        let counts = Counts { positions: number(0), won: [number(1), number(2)], neither: [number(3), number(4)] };
        let places: Vec<usize> = (5..length / 8).map(|at| number(at) as usize).collect();
        let in_order = places.is_sorted() && places.last().is_some_and(|&end| end == table.length(1));
        ensure!(in_order, "{}: the list of classes is damaged: delete the file", path.display());
        let file = Arc::new(LayerFile { layer, table, counts, places });
        files.insert((kind, sheep, sum), Arc::clone(&file));
        Ok(file)
    }

    /// Returns the values of a class, from memory or from its layer's file.
    ///
    /// # Errors
    /// The file is missing or damaged.
    pub(crate) fn values(&self, kind: Kind, profile: Profile, words: usize) -> Result<Values> {
        let (sheep, sum) = sheep_and_sum(profile);
        let key = (kind, sum, code(profile) | (sheep as usize) << 17);
        {
            let mut cache = self.cache.lock().expect("no thread panics");
            cache.clock += 1;
            let clock = cache.clock;
            if let Some((values, used)) = cache.classes.get_mut(&key) {
                *used = clock;
                return Ok(values.clone());
            }
        }
        let file = self.open(kind, sheep, sum)?;
        let all = file.layer.classes();
        let at = all.partition_point(|class| code(class.profile()) < code(profile));
        let class = all[at].clone();
        let bytes = &file.table.array(1)?[file.places[at]..file.places[at + 1]];
        let path = self.file(kind, sheep, sum);
        let unpacked = unpacked(bytes, self.sets, words * class.len())
            .with_context(|| format!("{}: class {at} is damaged: delete the file", path.display()))?;
        let values = Values { class, words: unpacked.into(), each: words };
        self.keep(kind, &values);
        Ok(values)
    }

    /// Keeps the values of a class in memory, and drops those that were not used for the longest time.
    pub(crate) fn keep(&self, kind: Kind, values: &Values) {
        let profile = values.class.profile();
        let (sheep, sum) = sheep_and_sum(profile);
        let mut cache = self.cache.lock().expect("no thread panics");
        cache.clock += 1;
        cache.bytes += 8 * values.words.len();
        let entry = (values.clone(), cache.clock);
        if let Some((old, _)) = cache.classes.insert((kind, sum, code(profile) | (sheep as usize) << 17), entry) {
            cache.bytes -= 8 * old.words.len();
        }
        while cache.bytes > self.budget && cache.classes.len() > 1 {
            let oldest = *cache.classes.iter().min_by_key(|(_, (_, used))| used).expect("there are classes").0;
            let (old, _) = cache.classes.remove(&oldest).expect("just found");
            cache.bytes -= 8 * old.words.len();
        }
    }

    /// Drops from memory all classes of a kind with a smaller sum of rows, and closes their files.
    pub(crate) fn forget(&self, kind: Kind, sum: u32) {
        let stays = |(other, at): (Kind, u32)| other != kind || at >= sum;
        self.files.lock().expect("no thread panics").retain(|&(kind, _, sum), _| stays((kind, sum)));
        let mut cache = self.cache.lock().expect("no thread panics");
        cache.classes.retain(|&(kind, sum, _), _| stays((kind, sum)));
        cache.bytes = cache.classes.values().map(|(values, _)| 8 * values.words.len()).sum();
    }

    /// Drops everything from memory and closes all files.
    pub(crate) fn forget_all(&self) {
        [Kind::Fox, Kind::Landed].iter().for_each(|&kind| self.forget(kind, u32::MAX));
    }
}

/// Returns the values of a class as compressed bytes. The held sets are stored by what they have beyond the won sets, which
/// is little.
pub(crate) fn packed(words: &[u64], sets: usize) -> Vec<u8> {
    let (won, held) = words.split_at(words.len() / sets);
    let beyond = won.iter().zip(held).map(|(won, held)| won ^ held);
    let bytes: Vec<u8> = won.iter().copied().chain(beyond).flat_map(u64::to_le_bytes).collect();
    compress(&bytes)
}

/// The inverse of [`packed`]; `None` if the bytes are not those of so many words a set.
fn unpacked(bytes: &[u8], sets: usize, each: usize) -> Option<Vec<u64>> {
    let length = 8 * sets * each;
    let bytes = decompress(bytes, length).ok().filter(|bytes| bytes.len() == length)?;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let mut words: Vec<u64> = bytes.chunks_exact(8).map(word).collect();
    let (won, held) = words.split_at_mut(each);
    held.iter_mut().zip(won).for_each(|(held, won)| *held ^= *won);
    Some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_packed_and_unpacked() {
        let words: Vec<u64> = (0..1000).map(|at| engine::split_mix(at) & engine::split_mix(at ^ 77)).collect();
        for sets in [1, 2] {
            let bytes = packed(&words, sets);
            assert_eq!(unpacked(&bytes, sets, 1000 / sets), Some(words.clone()));
            assert_eq!((unpacked(&bytes, sets, 499), unpacked(&bytes[1..], sets, 1000 / sets)), (None, None));
        }
    }
}
