//! Reads from an ELF file whether a program is linked statically.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// How a program is linked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Linkage {
    /// Statically: the program needs the kernel alone.
    Static,
    /// Dynamically, by the loader of this path, which loads the C library.
    Dynamic(String),
}

/// Reads the linkage of a program; `None` if the file is not a 64-bit ELF file. Layout: see elf(5).
pub(super) fn read_linkage(path: &Path) -> io::Result<Option<Linkage>> {
    const HEADER: usize = 64;
    const PROGRAM_HEADER: usize = 56;
    /// `PT_INTERP`, the type of the program header that names the loader.
    const INTERPRETER: u32 = 3;
    let mut file = File::open(path)?;
    let mut header = [0; HEADER];
    if file.read_exact(&mut header).is_err() || !header.starts_with(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let number =
        |bytes: &[u8]| bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let (start, count) = (number(&header[32..40]), number(&header[56..58]));
    for index in 0..count {
        let mut entry = [0; PROGRAM_HEADER];
        file.seek(SeekFrom::Start(start + index * PROGRAM_HEADER as u64))?;
        file.read_exact(&mut entry)?;
        if number(&entry[..4]) == u64::from(INTERPRETER) {
            let mut name = vec![0; number(&entry[32..40]).min(4096) as usize];
            file.seek(SeekFrom::Start(number(&entry[8..16])))?;
            file.read_exact(&mut name)?;
            let name = String::from_utf8_lossy(&name);
            return Ok(Some(Linkage::Dynamic(arena::plain::shown(name.trim_end_matches('\0')))));
        }
    }
    Ok(Some(Linkage::Static))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_a_program_is_found() {
        let own = read_linkage(&std::env::current_exe().unwrap()).unwrap().unwrap();
        if cfg!(target_env = "gnu") {
            assert!(matches!(&own, Linkage::Dynamic(name) if name.contains("ld")), "{own:?}");
        }
        assert_eq!(read_linkage(Path::new("Cargo.toml")).unwrap(), None);
        assert!(read_linkage(Path::new("nowhere")).is_err());
    }
}
