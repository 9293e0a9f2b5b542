//! The allocator for threads of different priority.
//!
//! In glibc's allocator, threads that allocate and free take locks. One that thinks on the opponent's time, at the lowest
//! priority, may not run again for long once it has such a lock, and whoever has to answer in time waits for it: on a
//! machine with load 6, one answer in 6,000 came more than 100 ms late. mimalloc passes small memory around without locks.
//! Large memory is the system's, which hands it out and takes it back untouched.
#![allow(unsafe_code)]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout, System};

/// The size in bytes from which on memory is the system's: glibc maps it apart, without its locks.
const LARGE: usize = 1 << 17;

/// An allocator that takes mimalloc for what is small and the system for what is large.
pub(super) struct WithoutLocks;

// SAFETY: whatever is allocated by one of the two is freed by the same, since the size of a layout decides.
unsafe impl GlobalAlloc for WithoutLocks {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the rules of this trait, and so of both.
        unsafe { if layout.size() < LARGE { MiMalloc.alloc(layout) } else { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe { if layout.size() < LARGE { MiMalloc.alloc_zeroed(layout) } else { System.alloc_zeroed(layout) } }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { if layout.size() < LARGE { MiMalloc.dealloc(memory, layout) } else { System.dealloc(memory, layout) } }
    }
}
