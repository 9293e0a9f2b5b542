//! The files of solved layers, and the classes of them that are in memory.
//!
//! A layer has up to two files ([`crate::layer_files`]): the values with FOX to move, and those of
//! foxes that have just landed, which flocks of one sheep more ask for.

use super::class::{Counts, Values};
use crate::layer_files::{Kind, LayerFile, Question};
use anyhow::{Context, Result};
use foxgame::endings::index::{Layer, Profile, code};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A directory of layer files, with the classes of them that are in memory.
pub(crate) struct Store {
    directory: PathBuf,
    pub question: Question,
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

/// Returns the number of sheep and the sum of their rows.
pub(super) fn sheep_and_sum(profile: Profile) -> (u32, u32) {
    profile.iter().zip(0..).fold((0, 0), |(sheep, sum), (&here, row)| {
        (sheep + u32::from(here), sum + row * u32::from(here))
    })
}

impl Store {
    /// Prepares a directory for the layers of a question.
    ///
    /// # Errors
    /// The directory cannot be made.
    pub(crate) fn new(directory: &Path, question: Question, budget: usize) -> Result<Store> {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("{}: cannot be made", directory.display()))?;
        let (files, cache) = Default::default();
        Ok(Store { directory: directory.to_owned(), question, budget, files, cache })
    }

    /// Returns the path of a layer's file.
    pub(crate) fn file(&self, kind: Kind, sheep: u32, sum: u32) -> PathBuf {
        self.question.file(&self.directory, kind, sheep, sum)
    }

    /// Returns the number of bytes of all files in the directory.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub(crate) fn bytes_on_disk(&self) -> Result<u64> {
        let mut bytes = 0;
        for entry in std::fs::read_dir(&self.directory)? {
            match entry?.metadata() {
                Ok(metadata) => bytes += metadata.len(),
                // Another process has renamed or deleted it.
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
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
    pub(crate) fn write(
        &self,
        kind: Kind,
        layer: &Layer,
        counts: &Counts,
        classes: &[Vec<u8>],
    ) -> Result<()> {
        self.question.write(&self.directory, kind, layer, counts.numbers(), classes).with_context(
            || format!("{}: cannot be written", self.file(kind, layer.sheep, layer.sum).display()),
        )
    }

    /// Returns the counts of a layer.
    ///
    /// # Errors
    /// The file is missing or damaged.
    pub(crate) fn counts(&self, sheep: u32, sum: u32) -> Result<Counts> {
        Ok(Counts::from_numbers(self.open(Kind::Fox, sheep, sum)?.counts()))
    }

    fn open(&self, kind: Kind, sheep: u32, sum: u32) -> Result<Arc<LayerFile>> {
        let mut files = self.files.lock().expect("no thread panics");
        if let Some(file) = files.get(&(kind, sheep, sum)) {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(LayerFile::open(&self.question, &self.directory, kind, sheep, sum)?);
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
        let unpacked = file.values(profile, words)?.into();
        let values = Values { class: file.class(profile).clone(), words: unpacked, each: words };
        self.keep(kind, &values);
        Ok(values)
    }

    /// Keeps the values of a class in memory, and drops those that were not used for the longest
    /// time.
    pub(crate) fn keep(&self, kind: Kind, values: &Values) {
        let profile = values.class.profile();
        let (sheep, sum) = sheep_and_sum(profile);
        let mut cache = self.cache.lock().expect("no thread panics");
        cache.clock += 1;
        cache.bytes += 8 * values.words.len();
        let entry = (values.clone(), cache.clock);
        if let Some((old, _)) =
            cache.classes.insert((kind, sum, code(profile) | (sheep as usize) << 17), entry)
        {
            cache.bytes -= 8 * old.words.len();
        }
        while cache.bytes > self.budget && cache.classes.len() > 1 {
            let oldest = *cache
                .classes
                .iter()
                .min_by_key(|(_, (_, used))| used)
                .expect("there are classes")
                .0;
            let (old, _) = cache.classes.remove(&oldest).expect("just found");
            cache.bytes -= 8 * old.words.len();
        }
    }

    /// Drops from memory all classes of a kind with a smaller sum of rows, and closes their files.
    pub(crate) fn forget(&self, kind: Kind, sum: u32) {
        let stays = |(other, at): (Kind, u32)| other != kind || at >= sum;
        self.files
            .lock()
            .expect("no thread panics")
            .retain(|&(kind, _, sum), _| stays((kind, sum)));
        let mut cache = self.cache.lock().expect("no thread panics");
        cache.classes.retain(|&(kind, sum, _), _| stays((kind, sum)));
        cache.bytes = cache.classes.values().map(|(values, _)| 8 * values.words.len()).sum();
    }

    /// Drops everything from memory and closes all files.
    pub(crate) fn forget_all(&self) {
        [Kind::Fox, Kind::Landed].iter().for_each(|&kind| self.forget(kind, u32::MAX));
    }
}
