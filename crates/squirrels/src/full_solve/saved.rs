//! The file of proofs that makes a long solution resumable: what has been proven of states with many empty squares.
//!
//! A head (a name, the 25 values, zeros: 40 bytes if the values are narrow, a byte each, and 64 bytes otherwise, two
//! bytes each), then 16 bytes a proof: the state's 50-bit key with 14 check bits above it, and the packed proof;
//! little-endian. Proofs are only ever added. Half a record at the end, from an interrupted run, is dropped.

use crate::board::Values;
use crate::exact::{Proof, State, Table};
use engine::split_mix;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The name that begins a file and the size of its head in bytes, of files for narrow values and for others.
const FORMS: [(&[u8; 8], usize); 2] = [(b"SQPROOF1", 40), (b"SQPROOF2", 64)];
const RECORD: usize = 16;
const KEY_BITS: u32 = 50;
/// The time between two writes to the disk: an interrupted run loses no more.
const FLUSH_EVERY: Duration = Duration::from_secs(2);

/// An open file of proofs.
pub(super) struct Saved {
    values: Arc<Values>,
    out: BufWriter<File>,
    flushed: Instant,
}

fn bad(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn head(values: &Values) -> Vec<u8> {
    let narrow = values.narrow().is_some();
    let (name, size) = FORMS[usize::from(!narrow)];
    let mut head = name.to_vec();
    for value in values.squares() {
        head.extend_from_slice(&value.to_le_bytes()[..if narrow { 1 } else { 2 }]);
    }
    head.resize(size, 0);
    head
}

fn check(key: u64, proof: u64) -> u64 {
    split_mix(key ^ split_mix(proof)) >> KEY_BITS
}

impl Saved {
    /// Opens or begins the file for boards of these values. What it holds already goes into the table; also returns the
    /// number of these proofs.
    pub(super) fn open(path: &Path, values: &Arc<Values>, table: &Table) -> io::Result<(Saved, u64)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        let head = head(values);
        let mut count = 0;
        if length < head.len() as u64 {
            let mut found = Vec::new();
            file.read_to_end(&mut found)?;
            if !head.starts_with(&found) {
                return Err(bad("not a file of proofs for these values; remove it or name another".to_string()));
            }
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&head)?;
        } else {
            count = (length - head.len() as u64) / RECORD as u64;
            read(&mut BufReader::new(&file), values, table, count)?;
            file.set_len(head.len() as u64 + count * RECORD as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok((Saved { values: Arc::clone(values), out: BufWriter::new(file), flushed: Instant::now() }, count))
    }

    /// Adds a proof.
    pub(super) fn add(&mut self, state: State, proof: Proof) -> io::Result<()> {
        let (key, proof) = (state.key(), proof.pack(&self.values));
        self.out.write_all(&(key | check(key, proof) << KEY_BITS).to_le_bytes())?;
        self.out.write_all(&proof.to_le_bytes())?;
        if self.flushed.elapsed() > FLUSH_EVERY {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is still in memory.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }
}

fn read(from: &mut impl Read, values: &Values, table: &Table, count: u64) -> io::Result<()> {
    let expected = head(values);
    let mut found = vec![0; expected.len()];
    from.read_exact(&mut found)?;
    if found != expected {
        return Err(bad("not a file of proofs for these values; remove it or name another".to_string()));
    }
    for number in 1..=count {
        let mut word = || {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let (first, proof) = (word()?, word()?);
        let key = first & ((1 << KEY_BITS) - 1);
        if first >> KEY_BITS != check(key, proof) {
            return Err(bad(format!("proof {number} is damaged; remove the file to begin again")));
        }
        table.restore(values, key, Proof::unpack(proof, values));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{MOST_VALUE, SQUARES, Square, Squares};

    fn state(own: u64, opp: u64) -> State {
        let [own, opp, empty] = [own, opp, 0x1FF_FF00].map(Squares::from_bits);
        State { own, opp, empty }
    }

    fn proofs() -> Vec<(State, Proof)> {
        let mv = Square::from_index(24);
        (0..100).map(|n| (state(n as u64, 0), Proof { lower: n - 50, upper: n, mv })).collect()
    }

    /// Narrow values, and others of which the lowest bytes are the same.
    fn both_widths() -> [Arc<Values>; 2] {
        [[7; SQUARES], [7 + 512; SQUARES]].map(|values| Arc::new(Values::new(values)))
    }

    #[test]
    fn proofs_come_back_and_half_of_one_is_dropped() {
        for values in both_widths() {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("proofs");
            let (mut saved, none) = Saved::open(&path, &values, &Table::new(0)).unwrap();
            assert_eq!(none, 0);
            proofs().iter().for_each(|&(state, proof)| saved.add(state, proof).unwrap());
            drop(saved);
            let length = std::fs::metadata(&path).unwrap().len();
            OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
            let table = Table::new(0);
            assert_eq!(Saved::open(&path, &values, &table).unwrap().1, 99);
            assert_eq!(std::fs::metadata(&path).unwrap().len(), length - 16);
            for (state, proof) in &proofs()[..99] {
                assert_eq!(table.proof(&values, *state), Some(*proof));
            }
            assert_eq!(table.proof(&values, proofs()[99].0), None);
        }
    }

    #[test]
    fn the_largest_differences_come_back() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proofs");
        let values = Arc::new(Values::new([MOST_VALUE; SQUARES]));
        let state = state(1, 2);
        for bound in [-250_000, -1, 0, 250_000] {
            let proof = Proof { lower: bound, upper: bound, mv: Square::from_index(24) };
            let (mut saved, _) = Saved::open(&path, &values, &Table::new(0)).unwrap();
            saved.add(state, proof).unwrap();
            drop(saved);
            let table = Table::new(0);
            Saved::open(&path, &values, &table).unwrap();
            assert_eq!(table.proof(&values, state), Some(proof));
        }
    }

    #[test]
    fn other_values_other_files_and_damage_are_refused_and_left_alone() {
        for (values, other) in both_widths().into_iter().zip(both_widths().into_iter().rev()) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("proofs");
            let (mut saved, _) = Saved::open(&path, &values, &Table::new(0)).unwrap();
            proofs().iter().for_each(|&(state, proof)| saved.add(state, proof).unwrap());
            drop(saved);
            let whole = std::fs::read(&path).unwrap();
            for other in [other, Arc::new(Values::new([8; SQUARES]))] {
                assert!(Saved::open(&path, &other, &Table::new(0)).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), whole);
                // Not even the whole of a head.
                std::fs::write(&path, &whole[..30]).unwrap();
                assert!(Saved::open(&path, &other, &Table::new(0)).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), &whole[..30]);
                std::fs::write(&path, &whole).unwrap();
            }
            for place in [0, 20, head(&values).len() + 10, head(&values).len() + 20, whole.len() - 9] {
                let mut damaged = whole.clone();
                damaged[place] ^= 1;
                std::fs::write(&path, &damaged).unwrap();
                assert!(Saved::open(&path, &values, &Table::new(0)).is_err(), "byte {place}");
                assert_eq!(std::fs::read(&path).unwrap(), damaged);
            }
            std::fs::write(&path, "notes").unwrap();
            assert!(Saved::open(&path, &values, &Table::new(0)).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), b"notes");
        }
    }
}
