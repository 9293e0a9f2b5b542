//! The input and output files of this game.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz::game::<foxgeese::Position>(data));
