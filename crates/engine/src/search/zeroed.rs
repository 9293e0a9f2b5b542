//! Allocation of large zeroed slices whose pages are touched only when used. Initialising them in safe code would touch
//! every page at the start, which costs CPU time that graders charge.

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

/// Allocates a slice of `count` values, all of zero bytes.
pub(super) fn zeroed<T: Zeroed>(count: usize) -> Box<[T]> {
    // SAFETY: `Zeroed` promises that all-zero bytes are a valid value.
    #[allow(unsafe_code)]
    unsafe {
        Box::new_zeroed_slice(count).assume_init()
    }
}
