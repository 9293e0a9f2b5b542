//! An address from which many secrets fail gets a short answer for the rest of the minute. A good
//! secret is taken always: many people may share an address, that of a lab or a campus.

use crate::clock::{MINUTE, Millis};
use clock::lock;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::Mutex;

const MOST_ATTEMPTS: usize = 20;
const MOST_ADDRESSES: usize = 10_000;

#[derive(Default)]
pub(crate) struct FailedAttempts {
    addresses: Mutex<HashMap<IpAddr, Failed>>,
    hasher: RandomState,
}

struct Failed {
    since: Millis,
    secrets: HashSet<u64>,
}

impl FailedAttempts {
    /// Counts a secret that is not good, and returns whether the address has failed too often
    /// before. The same one counts once: a page that comes again with an old cookie is no guessing.
    pub(super) fn are_too_many(&self, address: IpAddr, secret: &str, now: Millis) -> bool {
        let secret = self.hasher.hash_one(secret);
        let mut addresses = lock(&self.addresses);
        let is_now = |failed: &Failed| (failed.since..failed.since + MINUTE).contains(&now);
        if addresses.len() >= MOST_ADDRESSES {
            addresses.retain(|_, failed| is_now(failed));
            // A flood from everywhere costs memory of a known size.
            if addresses.len() >= MOST_ADDRESSES {
                addresses.clear();
            }
        }
        let failed = addresses
            .entry(address)
            .or_insert_with(|| Failed { since: now, secrets: HashSet::new() });
        if !is_now(failed) {
            *failed = Failed { since: now, secrets: HashSet::new() };
        }
        if failed.secrets.contains(&secret) {
            return false;
        }
        if failed.secrets.len() >= MOST_ATTEMPTS {
            return true;
        }
        failed.secrets.insert(secret);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_guesses_has_to_wait() {
        let (attempts, address) = (FailedAttempts::default(), IpAddr::from([10, 0, 0, 1]));
        let guess =
            |number: usize, now: Millis| attempts.are_too_many(address, &number.to_string(), now);
        assert!((0..MOST_ATTEMPTS).all(|number| !guess(number, 1_000)));
        assert!(
            guess(MOST_ATTEMPTS, 2_000) && !attempts.are_too_many([10, 0, 0, 2].into(), "x", 2_000)
        );
        assert!(!guess(0, 2_000), "the same one as before is no guess");
        assert!(!guess(99, 1_000 + MINUTE), "the minute is over");
        assert!(!guess(100, 0), "the clock was set back");
    }

    #[test]
    fn a_page_that_comes_again_is_no_guessing() {
        let (attempts, address) = (FailedAttempts::default(), IpAddr::from([10, 0, 0, 1]));
        assert!((0..1_000).all(|time| !attempts.are_too_many(address, "over", time)));
        assert!(!attempts.are_too_many(address, "other", 1_000));
    }

    #[test]
    fn a_flood_takes_memory_of_a_known_size() {
        let attempts = FailedAttempts::default();
        for number in 0..2 * MOST_ADDRESSES as u32 {
            attempts.are_too_many(IpAddr::from(number.to_be_bytes()), "x", 5);
        }
        assert!(attempts.addresses.lock().unwrap().len() <= MOST_ADDRESSES);
    }
}
