//! A table file of Wolves and Sheep with any bytes in it: refused, or believed only where its
//! checksums are right. The stored strategy of Foxes and Geese reads the same bytes.
#![no_main]

use engine::Side;
use foxgeese::strategy::Strategy;
use std::cell::LazyCell;
use wolves::Position;
use wolves::board::Squares;
use wolves::table::{LayerTable, file};

thread_local! {
    static PLACE: LazyCell<tempfile::TempDir> = LazyCell::new(|| tempfile::tempdir().expect("a directory"));
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    PLACE.with(|place| {
        let path = file(place.path(), 1, 3);
        std::fs::write(&path, data).expect("it can be written");
        match LayerTable::open(place.path(), 1, 3) {
            Ok(table) => {
                for side in Side::BOTH {
                    let _ = table.value(&Position::new(
                        Squares::from_bits(1 << 12),
                        Squares::from_bits(0b111),
                        side,
                    ));
                    let _ = table.codes(side);
                }
            }
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    });
    if let Ok(strategy) = Strategy::new(data) {
        let _ = strategy.entries().take(10_000).count();
        let _ = strategy.get(foxgeese::Position::initial().board());
    }
});
