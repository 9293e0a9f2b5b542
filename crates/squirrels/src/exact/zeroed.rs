//! Zeroed memory for the solver's table, which is read and written at random addresses.
//!
//! Random reads of a large table spend most of their time in address translation. Huge pages (2 MiB
//! instead of 4 KiB) shorten it, but the first touch of one costs milliseconds where memory is
//! fragmented. That is too much for a solution of some milliseconds, so only long solutions ask for
//! huge pages.

use engine::search::zeroed_words;
use memmap2::MmapMut;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A cache line, to which words are aligned.
pub(super) const LINE_BYTES: usize = 64;
const WORD_BYTES: usize = size_of::<AtomicU64>();
pub(super) const LINE_WORDS: usize = LINE_BYTES / WORD_BYTES;

/// Atomic words, initially zero and aligned to cache lines. Memory is touched only when words are
/// written.
pub(super) struct ZeroedWords {
    first: NonNull<AtomicU64>,
    count: usize,
    /// The allocation that `first` points into.
    _memory: Memory,
}

enum Memory {
    /// Memory of a boxed slice. A `Box` may not be moved while there are other pointers into it.
    Allocated(NonNull<[AtomicU64]>),
    Mapped(#[allow(dead_code, reason = "kept for its memory")] MmapMut),
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Allocated(words) = self {
            // SAFETY: the memory has the layout of a boxed slice and is freed only here, and no
            // slice that `ZeroedWords` lends outlives it.
            #[allow(unsafe_code)]
            drop(unsafe { Box::from_raw(words.as_ptr()) });
        }
    }
}

// SAFETY: the pointer is to memory that this value owns, and every access to it is atomic.
#[allow(unsafe_code)]
unsafe impl Send for ZeroedWords {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for ZeroedWords {}

impl ZeroedWords {
    /// Allocates `count` zero words in huge pages, if the system has them; `None` if the memory
    /// cannot be had.
    pub(super) fn in_huge_pages(count: usize) -> Option<ZeroedWords> {
        let Ok(mut map) = MmapMut::map_anon(count * WORD_BYTES) else {
            return ZeroedWords::new(count);
        };
        #[cfg(target_os = "linux")]
        // A refusal only makes it slower.
        let _ = map.advise(memmap2::Advice::HugePage);
        let first = NonNull::new(map.as_mut_ptr()).expect("a mapping is not at zero").cast();
        Some(ZeroedWords { first, count, _memory: Memory::Mapped(map) })
    }

    /// Allocates `count` zero words; `None` if the memory cannot be had.
    pub(super) fn new(count: usize) -> Option<ZeroedWords> {
        let allocated = count + LINE_WORDS - 1;
        let words = NonNull::from(Box::leak(zeroed_words(allocated)?));
        let start = words.cast::<AtomicU64>();
        let skipped = start.align_offset(LINE_BYTES);
        assert!(skipped < LINE_WORDS, "words can be aligned to lines");
        // SAFETY: the allocation has `LINE_WORDS - 1` words more than `count`, and `skipped` is at
        // most that.
        #[allow(unsafe_code)]
        let first = unsafe { start.add(skipped) };
        Some(ZeroedWords { first, count, _memory: Memory::Allocated(words) })
    }
}

impl Deref for ZeroedWords {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `first` points to `count` valid, aligned words in memory that `self` owns. They
        // were initialised with zero, and all accesses to them are atomic.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.first.as_ptr(), self.count)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn words_are_zero_at_first_aligned_to_lines_and_hold_what_is_stored() {
        // Miri does not support advice about pages.
        let mapped = (!cfg!(miri)).then(|| ZeroedWords::in_huge_pages(300_001));
        for words in [1, 7, 4_096, 300_000].map(ZeroedWords::new).into_iter().chain(mapped) {
            let words = words.expect("so little memory can be had");
            let last = words.len() - 1;
            assert_eq!((words.as_ptr().addr() % LINE_BYTES, words[last].load(Relaxed)), (0, 0));
            words[last].store(7, Relaxed);
            let moved = words;
            assert_eq!(moved[last].load(Relaxed), 7);
        }
    }
}
