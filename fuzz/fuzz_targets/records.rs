//! The judge's records, JSON lines: refused with a line, or read with everything that its tables
//! need.
#![no_main]

use arena::record::Record;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    match Record::parse(&text) {
        Ok(record) => {
            let _ = record.ends().count();
            assert!(record.games.iter().all(|(number, game)| game.end.game == *number));
        }
        Err(error) => assert!(format!("{error:#}").contains("line ")),
    }
});
