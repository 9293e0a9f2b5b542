//! The transposition table under concurrent access, small enough that Miri can check every access
//! (`make miri`).

use engine::search::{Bound, Entry, TranspositionTable, largest_refused_table};
use engine::split_mix;
use std::sync::Barrier;
use std::thread;

/// The entry that every thread stores for a key, so that a reader can tell whether an entry belongs
/// to its key.
fn entry(key: u64) -> Entry {
    let bits = split_mix(key);
    Entry {
        mv: bits as u32 >> 1,
        score: (bits >> 32) as i32 % 20_000,
        depth: (bits >> 56) as u8 % 64,
        bound: [Bound::Upper, Bound::Lower, Bound::Exact][(bits >> 50) as usize % 3],
    }
}

#[test]
fn threads_that_share_a_table_find_entries_of_their_key_or_none() {
    let rounds = if cfg!(miri) { 40 } else { 20_000 };
    // Two buckets of four slots for forty keys.
    let table = TranspositionTable::new(128);
    let barrier = Barrier::new(3);
    let found: usize = thread::scope(|scope| {
        let threads: Vec<_> = (0..3_u64)
            .map(|number| {
                let (table, barrier) = (&table, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    let mut found = 0;
                    for round in 0..rounds {
                        let key = split_mix((round * 7 + number) % 40);
                        if let Some(seen) = table.probe(key, 3) {
                            assert_eq!(seen, entry(key));
                            found += 1;
                        }
                        table.store(key, 3, entry(key));
                        if round % 16 == 0 {
                            table.age();
                        }
                    }
                    found
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    assert!(found > 0 || cfg!(miri), "nothing was ever found");
}

/// A petabyte exceeds the address space of every process.
#[test]
#[cfg(all(target_pointer_width = "64", not(miri)))]
fn a_table_is_smaller_where_the_memory_cannot_be_had() {
    let table = TranspositionTable::new(1 << 50);
    assert!((1 << 20..1 << 50).contains(&table.bytes()), "{} bytes", table.bytes());
    assert_eq!(largest_refused_table(), Some(1 << 50));
    table.store(7, 0, entry(7));
    assert_eq!(table.probe(7, 0), Some(entry(7)));
    assert_eq!(TranspositionTable::new(1 << 20).bytes(), 1 << 20);
    assert!((1 << 20..1 << 50).contains(&TranspositionTable::new(usize::MAX).bytes()));
}
