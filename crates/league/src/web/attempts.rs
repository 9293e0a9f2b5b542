//! Failed attempts to sign in: an address that fails often has to wait.

use crate::clock::{MINUTE, Millis};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Failed attempts to sign in from one address in a minute.
const MOST_ATTEMPTS: u32 = 20;
/// Addresses whose attempts are counted.
const MOST_ADDRESSES: usize = 10_000;

/// Failed attempts to sign in, by address.
#[derive(Default)]
pub(crate) struct FailedAttempts(Mutex<HashMap<IpAddr, (u32, Millis)>>);

impl FailedAttempts {
    /// Returns whether an address has failed too often in this minute.
    pub(super) fn is_too_many(&self, address: IpAddr, now: Millis) -> bool {
        let attempts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        attempts.get(&address).is_some_and(|&(count, since)| count >= MOST_ATTEMPTS && now < since + MINUTE)
    }

    /// Counts a failed attempt.
    pub(super) fn count(&self, address: IpAddr, now: Millis) {
        let mut attempts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if attempts.len() >= MOST_ADDRESSES {
            attempts.retain(|_, (_, since)| now < *since + MINUTE);
        }
        let entry = attempts.entry(address).or_insert((0, now));
        if now >= entry.1 + MINUTE {
            *entry = (0, now);
        }
        entry.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_fails_often_has_to_wait() {
        let (attempts, address) = (FailedAttempts::default(), IpAddr::from([10, 0, 0, 1]));
        for _ in 0..MOST_ATTEMPTS {
            assert!(!attempts.is_too_many(address, 1_000));
            attempts.count(address, 1_000);
        }
        assert!(attempts.is_too_many(address, 2_000) && !attempts.is_too_many([10, 0, 0, 2].into(), 2_000));
        assert!(!attempts.is_too_many(address, 1_000 + MINUTE));
        attempts.count(address, 1_000 + MINUTE);
        assert!(!attempts.is_too_many(address, 1_001 + MINUTE));
    }
}
