//! Sign-ins that have begun: what has to come back from the provider, and in which browser.

use super::SIGN_IN_TIME;
use crate::clock::Millis;
use crate::secret::{hash, new_secret};
use openidconnect::{Nonce, PkceCodeVerifier};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

/// Sign-ins that are kept. The oldest makes place for a new one: a flood costs memory of a known size.
const MOST: usize = 20_000;
/// Those of one address, whose own oldest one makes place: a flood from there ends nobody else's.
const PER_ADDRESS: usize = 1_000;

/// What one sign-in has to come back with.
pub(super) struct Expected {
    /// The hash of the `state`.
    pub state: String,
    /// What the ID token repeats.
    pub nonce: Nonce,
    /// What shows that whoever exchanges the code has begun the sign-in.
    pub verifier: PkceCodeVerifier,
}

/// Sign-ins that have begun, by the hash of the browser's secret.
#[derive(Default)]
pub(super) struct Begun(Mutex<HashMap<String, (Expected, IpAddr, Millis)>>);

impl Begun {
    /// Keeps a sign-in that was begun from an address, and returns the secret for the browser.
    pub(super) fn keep(&self, expected: Expected, address: IpAddr, now: Millis) -> String {
        let secret = new_secret();
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        begun.retain(|_, (.., since)| is_young(*since, now));
        let of_address = begun.values().filter(|(_, of, _)| *of == address).count();
        if of_address >= PER_ADDRESS || begun.len() >= MOST {
            let may_go = begun.iter().filter(|(_, (_, of, _))| of_address < PER_ADDRESS || *of == address);
            if let Some(oldest) = may_go.min_by_key(|(_, (.., since))| *since).map(|(key, _)| key.clone()) {
                begun.remove(&oldest);
            }
        }
        begun.insert(hash(&secret), (expected, address, now));
        secret
    }

    /// Returns the sign-in that a browser has begun with this `state`, once.
    pub(super) fn take(&self, secret: &str, state: &str, now: Millis) -> Option<Expected> {
        let mut begun = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = hash(secret);
        let (expected, _, since) = begun.get(&key)?;
        if expected.state != hash(state) || !is_young(*since, now) {
            return None;
        }
        begun.remove(&key).map(|(expected, ..)| expected)
    }
}

/// Returns whether a sign-in may still end. A clock that was set back ends it.
fn is_young(since: Millis, now: Millis) -> bool {
    (since..since + SIGN_IN_TIME).contains(&now)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn expected(state: &str) -> Expected {
        let (nonce, verifier) = (Nonce::new("n".to_string()), PkceCodeVerifier::new("v".repeat(43)));
        Expected { state: hash(state), nonce, verifier }
    }

    #[test]
    fn a_sign_in_ends_once_in_its_browser_and_in_time() {
        let begun = Begun::default();
        let (one, other) = (begun.keep(expected("1"), HERE, 5), begun.keep(expected("2"), HERE, 5));
        assert!(begun.take(&one, "2", 6).is_none() && begun.take(&other, "1", 6).is_none(), "another browser's state");
        assert!(begun.take("", "1", 6).is_none() && begun.take(&one, "", 6).is_none());
        assert!(begun.take(&one, "1", 5 + SIGN_IN_TIME - 1).is_some() && begun.take(&one, "1", 6).is_none(), "once");
        assert!(
            begun.take(&other, "2", 5 + SIGN_IN_TIME).is_none() && begun.take(&other, "2", 4).is_none(),
            "too late"
        );
    }

    #[test]
    fn a_flood_takes_memory_of_a_known_size() {
        let begun = Begun::default();
        let first = begun.keep(expected("first"), HERE, 0);
        let address = |number: usize| IpAddr::from(u32::try_from(number).unwrap().to_be_bytes());
        let many = (1..MOST).map(|number| (number.to_string(), (expected("x"), address(number), 1)));
        begun.0.lock().unwrap().extend(many);
        let last = begun.keep(expected("last"), HERE, 2);
        assert_eq!(begun.0.lock().unwrap().len(), MOST);
        assert!(begun.take(&first, "first", 2).is_none() && begun.take(&last, "last", 2).is_some());
        begun.keep(expected("x"), HERE, SIGN_IN_TIME + 1);
        assert_eq!(begun.0.lock().unwrap().len(), 1, "what is too old goes");
    }

    #[test]
    fn a_flood_from_one_address_ends_nobody_else_s() {
        let begun = Begun::default();
        let first = begun.keep(expected("first"), [10, 0, 0, 1].into(), 0);
        let own = begun.keep(expected("own"), HERE, 0);
        for time in 0..2 * PER_ADDRESS as Millis {
            begun.keep(expected("x"), HERE, 1 + time / 100);
        }
        assert_eq!(begun.0.lock().unwrap().len(), PER_ADDRESS + 1);
        assert!(begun.take(&own, "own", 30).is_none() && begun.take(&first, "first", 30).is_some());
    }
}
