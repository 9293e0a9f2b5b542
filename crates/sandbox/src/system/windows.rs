//! Files, users and command lines on Windows, which has no modes, owners or signals as Unix has
//! them.
#![allow(missing_docs, reason = "the module for Unix says what each is")]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::Path;
use std::process::Command;

pub const OPENER: (&str, &[&str]) = ("rundll32", &["url.dll,FileProtocolHandler"]);

// The system decides by the ending what is a program.
pub fn mode(_: &Metadata) -> u32 {
    0o755
}

/// Makes a file writable if its owner may write it by this mode, so that it can be removed.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    let mut permissions = fs::symlink_metadata(path)?.permissions();
    if mode & 0o200 != 0 && permissions.readonly() {
        #[expect(
            clippy::permissions_set_readonly_false,
            reason = "on Windows it gives nobody else a right"
        )]
        permissions.set_readonly(false);
        fs::set_permissions(path, permissions)?;
    }
    Ok(())
}

pub fn create_new(path: &Path, _: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}

pub fn give(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

pub fn open_untrusted(directory: &Path, name: &Path) -> io::Result<File> {
    let path = directory.join(name);
    if !fs::symlink_metadata(directory)?.is_dir() || !fs::symlink_metadata(&path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::open(path)
}

pub fn failed_by_machine(error: &io::Error) -> bool {
    use windows_sys::Win32::Foundation::{
        ERROR_CRC, ERROR_IO_DEVICE, ERROR_NO_SYSTEM_RESOURCES, ERROR_NOT_ENOUGH_MEMORY,
        ERROR_OUTOFMEMORY, ERROR_SHARING_VIOLATION, ERROR_TOO_MANY_OPEN_FILES, ERROR_WRITE_PROTECT,
    };
    let codes = [
        ERROR_CRC,
        ERROR_IO_DEVICE,
        ERROR_NO_SYSTEM_RESOURCES,
        ERROR_NOT_ENOUGH_MEMORY,
        ERROR_OUTOFMEMORY,
        ERROR_SHARING_VIOLATION,
        ERROR_TOO_MANY_OPEN_FILES,
        ERROR_WRITE_PROTECT,
    ];
    error.raw_os_error().is_some_and(|code| codes.contains(&(code as u32)))
}

pub fn is_root() -> bool {
    false
}

// No server meets Windows's limit.
pub fn raise_open_files() -> u64 {
    65_536
}

pub fn signal_name(_: i32) -> &'static str {
    ""
}

pub fn replace_process(command: &mut Command) -> io::Error {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
