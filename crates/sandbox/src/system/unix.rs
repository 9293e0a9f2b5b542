use nix::fcntl::{AtFlags, OFlag, open, openat};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::Signal;
use nix::sys::stat::{FileStat, Mode, SFlag, fstat, fstatat};
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, lchown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// The program that opens an address in the desktop's browser, and its first arguments.
pub const OPENER: (&str, &[&str]) =
    (if cfg!(target_os = "macos") { "open" } else { "xdg-open" }, &[]);

/// Some systems allow a thousand million, and programs that go through all possible descriptors
/// then take minutes; macOS allows each process this many.
const MOST_OPEN_FILES: u64 = if cfg!(target_os = "macos") { 10_240 } else { 65_536 };

/// Lets this process, and those that it starts, have as many files open as the system allows it.
/// Returns that number.
pub fn raise_open_files() -> u64 {
    let Ok((now, most)) = getrlimit(Resource::RLIMIT_NOFILE) else { return 256 };
    let wanted = most.min(MOST_OPEN_FILES);
    if wanted > now && setrlimit(Resource::RLIMIT_NOFILE, wanted, most).is_ok() {
        wanted
    } else {
        now
    }
}

/// The mode of a file.
pub fn mode(data: &Metadata) -> u32 {
    data.permissions().mode()
}

/// Changes the mode of a file.
pub fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Creates a file with a mode. An existing file, also a link to nothing, is an error.
pub fn create_new(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Changes the owner of a file, if a user is given. Links are not followed.
pub fn give(path: &Path, owner: Option<u32>) -> io::Result<()> {
    owner.map_or(Ok(()), |owner| lchown(path, Some(owner), Some(owner)))
}

/// Opens a file that somebody else left in a directory, without following links and without
/// blocking. No regular file: an error of the kind `InvalidInput`, or another one of the system.
/// What its owner may not read, nobody reads here: root would get what others do not.
pub fn open_untrusted(directory: &Path, name: &Path) -> io::Result<File> {
    let own = OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let folder = own | OFlag::O_DIRECTORY;
    let enter = Mode::S_IRUSR | Mode::S_IXUSR;
    let mut place = open(directory, folder, Mode::empty())?;
    for part in name.parent().into_iter().flat_map(Path::components) {
        owner_may(fstat(&place)?, enter)?;
        place = openat(&place, part.as_os_str(), folder, Mode::empty())?;
    }
    owner_may(fstat(&place)?, enter)?;
    let name = name.file_name().unwrap_or_default();
    let is_regular = |found: &FileStat| {
        SFlag::from_bits_truncate(found.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG
    };
    let found = fstatat(&place, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if !is_regular(&found) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    owner_may(found, Mode::S_IRUSR)?;
    let file = openat(&place, name, own, Mode::empty())?;
    // Its program may still run and change what has this name.
    if is_regular(&fstat(&file)?) {
        Ok(file.into())
    } else {
        Err(io::ErrorKind::InvalidInput.into())
    }
}

fn owner_may(found: FileStat, rights: Mode) -> nix::Result<()> {
    let has_all = Mode::from_bits_truncate(found.st_mode).contains(rights);
    if has_all { Ok(()) } else { Err(nix::Error::EACCES) }
}

/// Whether an error is one of the machine, which nobody's files can cause: too few handles, too
/// little memory, a disk error.
pub fn failed_by_machine(error: &io::Error) -> bool {
    use nix::errno::Errno::{EAGAIN, EIO, EMFILE, ENFILE, ENOMEM, EROFS};
    [EAGAIN, EIO, EMFILE, ENFILE, ENOMEM, EROFS]
        .iter()
        .any(|&one| error.raw_os_error() == Some(one as i32))
}

/// Whether this process runs as root.
pub fn is_root() -> bool {
    nix::unistd::geteuid().is_root()
}

/// An explanation of the signal that ended a process, as the last part of a message; may be empty.
pub fn signal_name(signal: i32) -> &'static str {
    match Signal::try_from(signal) {
        Ok(Signal::SIGSEGV) => " (segmentation fault)",
        Ok(Signal::SIGABRT) => " (abort)",
        Ok(Signal::SIGFPE) => " (arithmetic fault)",
        Ok(Signal::SIGXFSZ) => " (a file grew too long)",
        Ok(Signal::SIGXCPU) => " (too much CPU time)",
        Ok(Signal::SIGKILL) => " (killed)",
        _ => "",
    }
}

/// Replaces this process by a program. Returns only on failure.
pub fn replace_process(command: &mut Command) -> io::Error {
    command.exec()
}
