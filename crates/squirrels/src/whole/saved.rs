//! The file of proofs that makes a long solution resumable: what has been proven of states with many empty squares.
//!
//! A head of 40 bytes (a name, the 25 values, zeros), then 16 bytes a proof: the state's 50-bit key with 14 check bits
//! above it, and the packed proof; little-endian. Proofs are only ever added. Half a record at the end, from an
//! interrupted run, is dropped.

use crate::board::{SQUARES, Values};
use crate::exact::{Proof, State, Table};
use engine::split_mix;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const NAME: &[u8; 8] = b"SQPROOF1";
const HEAD: usize = 40;
const RECORD: usize = 16;
const KEY_BITS: u32 = 50;
/// An interrupted run loses no more than this.
const FLUSH_EVERY: Duration = Duration::from_secs(2);

/// An open file of proofs.
pub(super) struct Saved {
    out: BufWriter<File>,
    flushed: Instant,
}

fn bad(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}

fn head(values: &Values) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..NAME.len()].copy_from_slice(NAME);
    head[NAME.len()..NAME.len() + SQUARES].copy_from_slice(values.squares());
    head
}

fn check(key: u64, proof: u64) -> u64 {
    split_mix(key ^ split_mix(proof)) >> KEY_BITS
}

impl Saved {
    /// Opens or begins the file for boards of these values. What it holds already goes into the table; also returns the
    /// number of these proofs.
    pub fn open(path: &Path, values: &Values, table: &Table) -> io::Result<(Saved, u64)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let length = file.metadata()?.len();
        let mut count = 0;
        if length < HEAD as u64 {
            let mut found = Vec::new();
            file.read_to_end(&mut found)?;
            if !head(values).starts_with(&found) {
                return Err(bad("not a file of proofs for these values; remove it or name another".to_string()));
            }
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(&head(values))?;
        } else {
            count = (length - HEAD as u64) / RECORD as u64;
            read(&mut BufReader::new(&file), values, table, count)?;
            file.set_len(HEAD as u64 + count * RECORD as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok((Saved { out: BufWriter::new(file), flushed: Instant::now() }, count))
    }

    /// Adds a proof.
    pub fn add(&mut self, state: State, proof: Proof) -> io::Result<()> {
        let (key, proof) = (state.key(), proof.pack());
        self.out.write_all(&(key | check(key, proof) << KEY_BITS).to_le_bytes())?;
        self.out.write_all(&proof.to_le_bytes())?;
        if self.flushed.elapsed() > FLUSH_EVERY {
            self.flush()?;
        }
        Ok(())
    }

    /// Leaves nothing in memory.
    pub fn flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }
}

fn read(from: &mut impl Read, values: &Values, table: &Table, count: u64) -> io::Result<()> {
    let mut found = [0; HEAD];
    from.read_exact(&mut found)?;
    if found != head(values) {
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
        table.restore(key, Proof::unpack(proof));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proofs() -> Vec<(State, Proof)> {
        let state = |own| State { own, opp: 0, empty: 0x1FF_FF00 };
        (0..100).map(|n| (state(n), Proof { lower: n as i32 - 50, upper: n as i32, mv: 24 })).collect()
    }

    #[test]
    fn proofs_come_back_and_half_of_one_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proofs");
        let values = Values::new([7; SQUARES]);
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
            assert_eq!(table.proof(*state), Some(*proof));
        }
        assert_eq!(table.proof(proofs()[99].0), None);
    }

    #[test]
    fn other_values_other_files_and_damage_are_refused_and_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("proofs");
        let values = Values::new([7; SQUARES]);
        let (mut saved, _) = Saved::open(&path, &values, &Table::new(0)).unwrap();
        proofs().iter().for_each(|&(state, proof)| saved.add(state, proof).unwrap());
        drop(saved);
        let whole = std::fs::read(&path).unwrap();
        assert!(Saved::open(&path, &Values::new([8; SQUARES]), &Table::new(0)).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
        for place in [0, 20, 50, 60, whole.len() - 9] {
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
