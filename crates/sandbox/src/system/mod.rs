//! The differences between operating systems in files, users, signals and command lines.

#[cfg_attr(unix, path = "unix.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod this_system;

pub use this_system::{
    OPENER, create_new, failed_by_machine, give, is_root, mode, open_untrusted, raise_open_files,
    replace_process, set_mode, signal_name,
};

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The words of a command line, as a shell splits them, but that on Windows a backslash is one;
/// `None` if a quote is not closed.
pub fn shell_words(line: &str) -> Option<Vec<String>> {
    if cfg!(windows) { shlex::split(&line.replace('\\', "\\\\")) } else { shlex::split(line) }
}

/// Whether a program is named by a path, and not looked for in PATH.
pub fn is_path(program: &str) -> bool {
    program.contains('/') || program.contains(MAIN_SEPARATOR)
}

/// The file of a program: the path itself, or with the ending that this system's programs have.
pub fn program_file(path: &Path) -> Option<PathBuf> {
    let with_ending = || {
        let mut name = path.as_os_str().to_owned();
        name.push(std::env::consts::EXE_SUFFIX);
        PathBuf::from(name)
    };
    [path.to_owned(), with_ending()].into_iter().find(|path| path.is_file())
}
