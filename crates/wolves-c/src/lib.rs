//! The shared library `aiAlgorithm.so` for the course's engine (docs/wolves.md). It is built as
//! `libaialgorithm.so`; copy it to the name that the engine looks for.

use engine::clock::NoClock;
use engine::think::Settings;
use engine::{Side, Task, TimeControl, think};
use files::read_input;
use std::ffi::{CStr, OsStr, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;
use wolves::course::{read_board, rows_and_columns};
use wolves::rules::{SHEEP, WOLVES};
use wolves::{Move, Sources};

/// The node limit of a search without an exact value: some tenths of a second.
const NODES: u64 = 300_000;
const TABLE_MIB: u32 = 16;

/// The move for a board file; `None` after a line on standard error if the file is bad or the game
/// is over.
fn play(file: &Path, side: Side) -> Option<Move> {
    let name = file.display();
    let board =
        read_input(file).map_err(|error| format!("{name}: cannot read the position: {error}"));
    let position =
        board.and_then(|text| read_board(&text, side).map_err(|error| format!("{name}:{error}")));
    let position = position.inspect_err(|message| eprintln!("{message}")).ok()?;
    let settings =
        Settings { hash_mib: Some(TABLE_MIB), own: sources(), ..Settings::with_nodes(NODES) };
    let task = Task { position, control: TimeControl::Single, clock: Duration::ZERO };
    Some(think(&task, &settings, &NoClock).best)
}

/// The settings of every call: exact values come before any search, and the tables are opened once.
fn sources() -> Sources {
    static SOURCES: OnceLock<Sources> = OnceLock::new();
    SOURCES.get_or_init(|| Sources { always: true, ..Sources::default() }).clone()
}

/// The move for the board in a file, with wolves to move if `movemade` is true: a pointer
/// to start row, start column, end row and end column, valid until the next call from any thread.
/// Null if the file is bad or the game is over.
///
/// # Safety
/// `filename` is null or points to a string that ends in a zero byte. Calls from several threads
/// must not overlap with the use of an earlier call's result.
#[allow(non_snake_case, unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn AIAlgorithm_c(filename: *const c_char, movemade: bool) -> *const c_int {
    static ANSWER: Mutex<[c_int; 4]> = Mutex::new([0; 4]);
    if filename.is_null() {
        return std::ptr::null();
    }
    // SAFETY: `filename` is not null, and the caller guarantees a zero byte at its end.
    let name = unsafe { CStr::from_ptr(filename) };
    let file = Path::new(OsStr::from_bytes(name.to_bytes()));
    let side = if movemade { WOLVES } else { SHEEP };
    let Some(mv) = play(file, side) else { return std::ptr::null() };
    let mut answer = clock::lock(&ANSWER);
    *answer = rows_and_columns(mv).map(|number| number as c_int);
    // The array is static, so the pointer stays valid after the lock is released.
    answer.as_ptr()
}
