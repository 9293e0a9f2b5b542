//! The file of proofs that makes a long solution resumable. It holds what has been proven of states with many empty
//! squares.
//!
//! The header is a magic number of 8 bytes, the 25 values (a byte each on narrow boards, two bytes each on others), and
//! zeros up to 40 bytes on narrow boards and 64 bytes on others. A record of 16 bytes per proof follows: the state's
//! 50-bit key with 14 check bits above it, and the packed proof. All numbers are little-endian. Proofs are only ever
//! appended. An incomplete record at the end, from an interrupted run, is dropped.

use crate::board::Values;
use crate::exact::{Proof, State, Table};
use engine::split_mix;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The magic number and the size of the header in bytes, for narrow boards and for others.
const FORMS: [(&[u8; 8], usize); 2] = [(b"SQPROOF1", 40), (b"SQPROOF2", 64)];
const RECORD: usize = 16;
const KEY_BITS: u32 = 50;
/// The time between two flushes. An interrupted run loses no more than this.
const FLUSH_EVERY: Duration = Duration::from_secs(2);

/// An open file of proofs.
pub(super) struct ProofFile {
    values: Arc<Values>,
    out: BufWriter<File>,
    flushed: Instant,
}

fn invalid_data(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn header(values: &Values) -> Vec<u8> {
    let narrow = values.narrow().is_some();
    let (name, size) = FORMS[usize::from(!narrow)];
    let mut header = name.to_vec();
    for value in values.squares() {
        header.extend_from_slice(&value.to_le_bytes()[..if narrow { 1 } else { 2 }]);
    }
    header.resize(size, 0);
    header
}

fn check(key: u64, proof: u64) -> u64 {
    split_mix(key ^ split_mix(proof)) >> KEY_BITS
}

impl ProofFile {
    /// Opens or creates the file for boards of these values. The proofs that it holds are stored in the table. Returns
    /// the file and the number of these proofs.
    pub(super) fn open(path: &Path, values: &Arc<Values>, table: &Table) -> io::Result<(ProofFile, u64)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        let header = header(values);
        let mut count = 0;
        if length < header.len() as u64 {
            let mut found = Vec::new();
            file.read_to_end(&mut found)?;
            if !header.starts_with(&found) {
                return Err(invalid_data(
                    "not a file of proofs for these values; remove it or name another".to_string(),
                ));
            }
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&header)?;
        } else {
            count = (length - header.len() as u64) / RECORD as u64;
            read(&mut BufReader::new(&file), values, table, count)?;
            file.set_len(header.len() as u64 + count * RECORD as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok((ProofFile { values: Arc::clone(values), out: BufWriter::new(file), flushed: Instant::now() }, count))
    }

    /// Appends a proof.
    pub(super) fn add(&mut self, state: State, proof: Proof) -> io::Result<()> {
        let (key, proof) = (state.key(), proof.pack(&self.values));
        self.out.write_all(&(key | check(key, proof) << KEY_BITS).to_le_bytes())?;
        self.out.write_all(&proof.to_le_bytes())?;
        if self.flushed.elapsed() > FLUSH_EVERY {
            self.flush()?;
        }
        Ok(())
    }

    /// Flushes the proofs that are still buffered.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }
}

fn read(from: &mut impl Read, values: &Values, table: &Table, count: u64) -> io::Result<()> {
    let expected = header(values);
    let mut found = vec![0; expected.len()];
    from.read_exact(&mut found)?;
    if found != expected {
        return Err(invalid_data("not a file of proofs for these values; remove it or name another".to_string()));
    }
    for number in 1..=count {
        let mut word = || {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
        };
        let (first, proof) = (word()?, word()?);
        let key = first & ((1 << KEY_BITS) - 1);
        if first >> KEY_BITS != check(key, proof) {
            return Err(invalid_data(format!("proof {number} is damaged; remove the file to begin again")));
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

    /// Narrow values, and wide values with the same low bytes.
    fn both_widths() -> [Arc<Values>; 2] {
        [[7; SQUARES], [7 + 512; SQUARES]].map(|values| Arc::new(Values::new(values)))
    }

    #[test]
    fn proofs_come_back_and_half_of_one_is_dropped() {
        for values in both_widths() {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("proofs");
            let (mut proof_file, none) = ProofFile::open(&path, &values, &Table::new(0)).unwrap();
            assert_eq!(none, 0);
            proofs().iter().for_each(|&(state, proof)| proof_file.add(state, proof).unwrap());
            drop(proof_file);
            let length = std::fs::metadata(&path).unwrap().len();
            OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
            let table = Table::new(0);
            assert_eq!(ProofFile::open(&path, &values, &table).unwrap().1, 99);
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
            let (mut proof_file, _) = ProofFile::open(&path, &values, &Table::new(0)).unwrap();
            proof_file.add(state, proof).unwrap();
            drop(proof_file);
            let table = Table::new(0);
            ProofFile::open(&path, &values, &table).unwrap();
            assert_eq!(table.proof(&values, state), Some(proof));
        }
    }

    #[test]
    fn other_values_other_files_and_damage_are_refused_and_left_alone() {
        for (values, other) in both_widths().into_iter().zip(both_widths().into_iter().rev()) {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("proofs");
            let (mut proof_file, _) = ProofFile::open(&path, &values, &Table::new(0)).unwrap();
            proofs().iter().for_each(|&(state, proof)| proof_file.add(state, proof).unwrap());
            drop(proof_file);
            let whole = std::fs::read(&path).unwrap();
            for other in [other, Arc::new(Values::new([8; SQUARES]))] {
                assert!(ProofFile::open(&path, &other, &Table::new(0)).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), whole);
                // A file that is shorter than the header.
                std::fs::write(&path, &whole[..30]).unwrap();
                assert!(ProofFile::open(&path, &other, &Table::new(0)).is_err());
                assert_eq!(std::fs::read(&path).unwrap(), &whole[..30]);
                std::fs::write(&path, &whole).unwrap();
            }
            for place in [0, 20, header(&values).len() + 10, header(&values).len() + 20, whole.len() - 9] {
                let mut damaged = whole.clone();
                damaged[place] ^= 1;
                std::fs::write(&path, &damaged).unwrap();
                assert!(ProofFile::open(&path, &values, &Table::new(0)).is_err(), "byte {place}");
                assert_eq!(std::fs::read(&path).unwrap(), damaged);
            }
            std::fs::write(&path, "notes").unwrap();
            assert!(ProofFile::open(&path, &values, &Table::new(0)).is_err());
            assert_eq!(std::fs::read(&path).unwrap(), b"notes");
        }
    }
}
