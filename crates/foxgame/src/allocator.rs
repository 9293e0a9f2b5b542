//! A global allocator that avoids priority inversion between threads.
//!
//! glibc's allocator takes locks. A pondering thread, which runs at the lowest priority, may be
//! descheduled while it holds such a lock, and the thread that has to answer in time then waits for
//! it: on a machine with load 6, one answer in 6,000 came more than 100 ms late. mimalloc passes
//! small blocks between threads without locks. Large blocks go to the system allocator, which maps
//! and unmaps them without touching their pages.
#![allow(unsafe_code)]

use mimalloc::MiMalloc;
use std::alloc::{GlobalAlloc, Layout, System};

/// The least block size, in bytes, that goes to the system allocator: glibc maps such blocks with
/// `mmap`, without its locks.
const LARGE: usize = 1 << 17;

/// An allocator that uses mimalloc for small blocks and the system allocator for large ones.
pub(super) struct SplitAllocator;

// SAFETY: the size of the layout alone selects the allocator, so that a block is freed by the one
// that allocated it.
unsafe impl GlobalAlloc for SplitAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller upholds the contract of `GlobalAlloc`, which both allocators share.
        unsafe { if layout.size() < LARGE { MiMalloc.alloc(layout) } else { System.alloc(layout) } }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            if layout.size() < LARGE {
                MiMalloc.alloc_zeroed(layout)
            } else {
                System.alloc_zeroed(layout)
            }
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe {
            if layout.size() < LARGE {
                MiMalloc.dealloc(memory, layout)
            } else {
                System.dealloc(memory, layout)
            }
        }
    }
}
