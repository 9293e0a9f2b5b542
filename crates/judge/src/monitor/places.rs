//! How many agents may stand in line for a game, and how many of one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Agents that may stand in line.
pub(super) const PLACES: usize = 32;

/// Agents of one address that may stand in line, so that no other machine fills the line alone. The loopback address may
/// fill it: a grader's agents all come from there.
pub(super) const PLACES_OF_ONE: usize = 8;

/// The places in the line that are taken, by address.
#[derive(Clone, Default)]
pub(super) struct Places {
    taken: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

/// A place in the line, taken until it is dropped.
pub(super) struct Place {
    places: Places,
    address: IpAddr,
}

impl Places {
    /// A place for an agent of this address, or why there is none.
    pub(super) fn take(&self, address: IpAddr) -> Result<Place, String> {
        let address = address.to_canonical();
        let mut taken = self.lock();
        if !address.is_loopback() && taken.get(&address).is_some_and(|&count| count >= PLACES_OF_ONE) {
            return Err(format!("{PLACES_OF_ONE} agents of your address stand in line already; come again later"));
        }
        if taken.values().sum::<usize>() >= PLACES {
            return Err(format!("{PLACES} agents stand in line already; come again later"));
        }
        *taken.entry(address).or_default() += 1;
        Ok(Place { places: self.clone(), address })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        if let Some(count) = taken.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_machine_fills_the_line_alone_and_this_one_may() {
        let address = |text: &str| text.parse::<IpAddr>().unwrap();
        let places = Places::default();
        let mut taken: Vec<Place> =
            (0..PLACES_OF_ONE).map(|_| places.take(address("192.0.2.1")).ok().unwrap()).collect();
        // The same address in another dress.
        for again in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert!(places.take(address(again)).err().unwrap().contains("8 agents of your address"));
        }
        let others = std::iter::repeat_with(|| places.take(address("127.0.0.1"))).map_while(Result::ok);
        taken.extend(others);
        assert_eq!(taken.len(), PLACES);
        for full in ["127.0.0.1", "::1", "192.0.2.2"] {
            assert!(places.take(address(full)).err().unwrap().contains("32 agents stand in line already"));
        }
        taken.remove(0);
        taken.push(places.take(address("192.0.2.1")).ok().unwrap());
        drop(taken);
        assert!(places.lock().is_empty());
    }
}
