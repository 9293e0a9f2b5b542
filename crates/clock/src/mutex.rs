//! Mutexes.

use std::sync::{LockResult, Mutex, MutexGuard, PoisonError};

/// The guard of a lock, or what a lock held, also if a holder panicked: for values that are
/// consistent whenever a thread may panic.
pub fn unpoisoned<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// Locks a mutex, as [`unpoisoned`] does.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    unpoisoned(mutex.lock())
}
