//! Zips, which are written whole or not at all.

use anyhow::{Context, Result};
use files::AtomicFile;
use std::fs::File;
use std::io::{self, Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The name, the contents, and whether it is executable.
pub(crate) type ZippedFile = (String, Vec<u8>, bool);

/// Writes a zip of files, and of a program under a name.
pub(crate) fn write_zip(
    path: &Path,
    files: &[ZippedFile],
    program: Option<(&str, &Path)>,
) -> Result<()> {
    let within = |path: &Path| format!("{}: cannot be written", path.display());
    let mut out = AtomicFile::create(path).with_context(|| within(path))?;
    let mode = |executable| {
        SimpleFileOptions::default().unix_permissions(if executable { 0o755 } else { 0o644 })
    };
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes, executable) in files {
        zip.start_file(name, mode(*executable))?;
        zip.write_all(bytes)?;
    }
    if let Some((name, program)) = program {
        zip.start_file(name, mode(true))?;
        let file = File::open(program);
        let name = || format!("{}: cannot be read", program.display());
        io::copy(&mut file.with_context(name)?, &mut zip)?;
    }
    let written = out.write_all(zip.finish()?.get_ref()).and_then(|()| out.commit());
    written.with_context(|| within(path))
}
