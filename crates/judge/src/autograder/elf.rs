//! Whether a program brings all it needs with it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What a program needs to be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing but the kernel.
    Nothing,
    /// A loader, which loads the C library.
    Loader(String),
}

/// What a program of Linux needs; `None` if it is none of 64 bits. The layout is that of elf(5).
pub(super) fn interpreter(path: &Path) -> io::Result<Option<Needs>> {
    const HEADER: usize = 64;
    const PROGRAM_HEADER: usize = 56;
    /// The kind of a program header that names the loader.
    const INTERPRETER: u32 = 3;
    let file = File::open(path)?;
    let mut header = [0; HEADER];
    if file.read_exact_at(&mut header, 0).is_err() || !header.starts_with(b"\x7fELF\x02\x01") {
        return Ok(None);
    }
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let (start, count) = (number(&header[32..40]), number(&header[56..58]));
    for index in 0..count {
        let mut entry = [0; PROGRAM_HEADER];
        file.read_exact_at(&mut entry, start + index * PROGRAM_HEADER as u64)?;
        if number(&entry[..4]) == u64::from(INTERPRETER) {
            let mut name = vec![0; number(&entry[32..40]).min(4096) as usize];
            file.read_exact_at(&mut name, number(&entry[8..16]))?;
            let name = String::from_utf8_lossy(&name);
            return Ok(Some(Needs::Loader(arena::plain::shown(name.trim_end_matches('\0')))));
        }
    }
    Ok(Some(Needs::Nothing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_of_a_program_is_found() {
        let own = interpreter(&std::env::current_exe().unwrap()).unwrap().unwrap();
        if cfg!(target_env = "gnu") {
            assert!(matches!(&own, Needs::Loader(name) if name.contains("ld")), "{own:?}");
        }
        assert_eq!(interpreter(Path::new("Cargo.toml")).unwrap(), None);
        assert!(interpreter(Path::new("nowhere")).is_err());
    }
}
