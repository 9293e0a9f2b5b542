//! The shared part of the fuzz targets. `fuzz/run` builds and runs them, with a seed corpus made
//! from `inputs/`.

use engine::Playable;

/// Splits an input at its first zero byte into two texts; without one, the second is empty.
pub fn two_texts(data: &[u8]) -> (String, String) {
    let (first, second) = match data.iter().position(|&byte| byte == 0) {
        Some(end) => (&data[..end], &data[end + 1..]),
        None => (data, &[][..]),
    };
    (String::from_utf8_lossy(first).into_owned(), String::from_utf8_lossy(second).into_owned())
}

/// An input file and, after a zero byte, an output file of a game: both are refused with a reason,
/// or keep every promise.
pub fn game<A: Playable>(data: &[u8]) {
    let (input, output) = two_texts(data);
    engine::conformance::check_texts::<A>(&input, &output);
}
