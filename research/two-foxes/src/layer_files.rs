//! The files of layers that `two-foxes` solves.
//!
//! A layer is all flocks with the same number of sheep and the same sum of rows. Its file has the
//! counts, the places of its classes, and the values of each class, compressed one by one: for each
//! flock a word with a bit for each set of foxes ([`crate::pairs`]).

use foxgame::endings::index::{Layer, Profile, ProfileClass, code};
use lz4_flex::block::{compress, decompress_into};
use std::path::{Path, PathBuf};
use tables::{Subject, TableError, TableFile};

/// The version of the files' content.
const VERSION: u32 = 2;
/// The numbers before the places of the classes.
pub(crate) const COUNTS: usize = 5;

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

/// The question that a directory's layers answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// Fewer sheep count as FOX's win.
    pub(crate) floor: u32,
    /// 1 if only the sets of foxes are stored for which SHEEP wins, 2 with those for which it does
    /// not lose.
    pub(crate) sets: usize,
    /// Whether SHEEP's sideways steps keep to a direction: see [`crate::one_way`].
    pub(crate) one_way: bool,
}

impl Question {
    /// Returns the path of a layer's file.
    pub(crate) fn file(&self, directory: &Path, kind: Kind, sheep: u32, sum: u32) -> PathBuf {
        let wins = match (self.one_way, self.sets) {
            (true, _) => "-one-way",
            (false, 1) => "-won",
            _ => "",
        };
        directory.join(format!(
            "foxgame-{}{wins}-{sheep:02}-{sum:03}-{}.layer",
            self.floor,
            kind.name()
        ))
    }

    fn subject(&self, kind: Kind, sheep: u32, sum: u32) -> Subject {
        let name = match kind {
            Kind::Fox => "foxgame fox",
            Kind::Landed => "foxgame landed",
        };
        Subject {
            name,
            numbers: [
                sheep,
                sum,
                self.floor,
                VERSION << 8 | u32::from(self.one_way) << 6 | self.sets as u32,
            ],
        }
    }

    /// Writes a layer's file from its counts and the [`packed`] values of its classes, under a
    /// temporary name that is then changed.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(
        &self,
        directory: &Path,
        kind: Kind,
        layer: &Layer,
        counts: [u64; COUNTS],
        classes: &[Vec<u8>],
    ) -> std::io::Result<()> {
        let mut head = Vec::new();
        let mut end = 0;
        let ends = classes.iter().map(|class| {
            end += class.len() as u64;
            end
        });
        let places: Vec<u64> = std::iter::once(0).chain(ends).collect();
        counts.iter().chain(&places).for_each(|number| head.extend(number.to_le_bytes()));
        let path = self.file(directory, kind, layer.sheep, layer.sum);
        tables::write(
            &path,
            &self.subject(kind, layer.sheep, layer.sum),
            &[&head, &classes.concat()],
        )
    }
}

/// The open file of a layer.
#[derive(Debug)]
pub(crate) struct LayerFile {
    layer: Layer,
    table: TableFile,
    counts: [u64; COUNTS],
    /// For each class, where its compressed values begin; and where the last ones end.
    places: Vec<usize>,
    sets: usize,
}

impl LayerFile {
    /// Opens a layer's file.
    ///
    /// # Errors
    /// The file is missing, damaged, or of something else.
    pub(crate) fn open(
        question: &Question,
        directory: &Path,
        kind: Kind,
        sheep: u32,
        sum: u32,
    ) -> Result<LayerFile, TableError> {
        let layer = Layer::new(sheep, sum);
        let path = question.file(directory, kind, sheep, sum);
        let length = 8 * (COUNTS + 1 + layer.classes().len());
        let table =
            TableFile::open_with_rest(&path, &question.subject(kind, sheep, sum), &[length])?;
        let head = table.array(0)?;
        let number = |at: usize| {
            u64::from_le_bytes(head[8 * at..8 * at + 8].try_into().expect("eight bytes"))
        };
        let counts = std::array::from_fn(number);
        let places: Vec<usize> = (COUNTS..length / 8).map(|at| number(at) as usize).collect();
        if places[0] != 0 || !places.is_sorted() || places.last() != Some(&table.length(1)) {
            return Err(TableError::Damaged {
                file: path,
                what: "the list of classes".to_string(),
            });
        }
        Ok(LayerFile { layer, table, counts, places, sets: question.sets })
    }

    /// Returns the counts.
    pub(crate) fn counts(&self) -> [u64; COUNTS] {
        self.counts
    }

    /// Returns a class.
    ///
    /// # Panics
    /// If the layer has no such class.
    pub(crate) fn class(&self, profile: Profile) -> &ProfileClass {
        &self.layer.classes()[self.number(profile)]
    }

    /// Returns the number of a class.
    fn number(&self, profile: Profile) -> usize {
        self.layer.classes().partition_point(|class| code(class.profile()) < code(profile))
    }

    /// Returns the values of a class, of so many words a flock and a set: first the won sets of all
    /// its flocks, then the held sets if there are any.
    ///
    /// # Errors
    /// The file is damaged.
    ///
    /// # Panics
    /// If the layer has no such class.
    pub(crate) fn values(&self, profile: Profile, words: usize) -> Result<Vec<u64>, TableError> {
        let each = words * self.class(profile).len();
        let mut bytes = vec![0; 8 * self.sets * each];
        self.decompress(profile, &mut bytes)?;
        Ok(words_of(&bytes, each))
    }

    /// Fills a buffer with the same values as bytes, of each word the lowest first; the held sets
    /// only by what they have beyond the won sets.
    ///
    /// # Errors
    /// The file is damaged, or the buffer has not the length of the values.
    ///
    /// # Panics
    /// If the layer has no such class.
    pub(crate) fn decompress(&self, profile: Profile, bytes: &mut [u8]) -> Result<(), TableError> {
        let at = self.number(profile);
        let packed = self.table.part(1, self.places[at]..self.places[at + 1])?;
        let damaged = || TableError::Damaged {
            file: self.table.file().to_owned(),
            what: format!("class {at}"),
        };
        fills(packed, bytes).then_some(()).ok_or_else(damaged)
    }
}

/// Returns the values of a class as compressed bytes. The held sets are stored by what they have
/// beyond the won sets, which is little.
pub(crate) fn packed(words: &[u64], sets: usize) -> Vec<u8> {
    let (won, held) = words.split_at(words.len() / sets);
    let beyond = won.iter().zip(held).map(|(won, held)| won ^ held);
    let bytes: Vec<u8> = won.iter().copied().chain(beyond).flat_map(u64::to_le_bytes).collect();
    compress(&bytes)
}

/// Decompresses bytes, and returns whether they are as many as the buffer has.
fn fills(packed: &[u8], bytes: &mut [u8]) -> bool {
    decompress_into(packed, bytes).is_ok_and(|written| written == bytes.len())
}

/// Returns the values of a class with so many words a set from decompressed bytes.
fn words_of(bytes: &[u8], each: usize) -> Vec<u64> {
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
    let mut words: Vec<u64> = bytes.chunks_exact(8).map(word).collect();
    let (won, held) = words.split_at_mut(each);
    held.iter_mut().zip(won).for_each(|(held, won)| *held ^= *won);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_packed_and_unpacked() {
        let words: Vec<u64> =
            (0..1000).map(|at| engine::split_mix(at) & engine::split_mix(at ^ 77)).collect();
        for sets in [1, 2] {
            let (packed, mut bytes) = (packed(&words, sets), [0; 8001]);
            assert!(fills(&packed, &mut bytes[..8000]));
            assert_eq!(words_of(&bytes[..8000], 1000 / sets), words);
            assert!(
                !fills(&packed, &mut bytes[..8 * sets * 499])
                    && !fills(&packed[1..], &mut bytes[..8000])
            );
            assert!(!fills(&packed, &mut bytes));
        }
    }
}
