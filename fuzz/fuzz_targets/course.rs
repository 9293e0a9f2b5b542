//! The courses' own files: boards of Wolves and Sheep with the names of their files, and the
//! homework of Squirrels.
#![no_main]

use engine::Side;
use fuzz::two_texts;
use std::path::Path;
use wolves::course::{BoardFileName, read_board, write_board};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let (text, name) = two_texts(data);
    for side in Side::BOTH {
        match read_board(&text, side) {
            Ok(position) => assert_eq!(read_board(&write_board(&position), side), Ok(position)),
            Err(error) => assert!(error.line >= 1 && !error.to_string().contains('\n')),
        }
    }
    if let Some(numbered) = BoardFileName::parse(Path::new(&name)) {
        // The last number has no next one, so that its file is none.
        let next = numbered.number.checked_add(1).filter(|&next| next < u64::MAX);
        assert_eq!(BoardFileName::parse(&numbered.next).map(|next| next.number), next);
    }
    let _ = squirrels::homework::is_homework(&text);
    if let Err(error) = squirrels::homework::read(&text) {
        assert!(error.line >= 1 && !error.to_string().contains('\n'));
    }
});
