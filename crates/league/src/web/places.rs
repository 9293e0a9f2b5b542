//! Places of large uploads, which are read into memory. Each account has one of them at a time,
//! each address a part of them, so that somebody always gets one.

use clock::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Places of all.
const PLACES: usize = 16;
/// Places of an address.
const PER_ADDRESS: usize = 8;

/// The places of all, and those of the accounts and addresses that have or want one.
pub(crate) struct Places {
    all: Arc<Semaphore>,
    accounts: Shares<i64>,
    addresses: Shares<IpAddr>,
    waiting: AtomicUsize,
}

/// The shares of those who have or want a place.
struct Shares<K> {
    each: usize,
    shares: Mutex<HashMap<K, Arc<Semaphore>>>,
}

/// A place, until it is dropped.
pub(super) struct UploadPlace {
    _permits: [OwnedSemaphorePermit; 3],
}

impl<K: Copy + Eq + std::hash::Hash> Shares<K> {
    fn new(each: usize) -> Shares<K> {
        Shares { each, shares: Mutex::default() }
    }

    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut shares = lock(&self.shares);
        // Nobody else holds those that are not used.
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        Arc::clone(shares.entry(key).or_insert_with(|| Arc::new(Semaphore::new(self.each))))
    }
}

impl Default for Places {
    fn default() -> Places {
        Places {
            all: Arc::new(Semaphore::new(PLACES)),
            accounts: Shares::new(1),
            addresses: Shares::new(PER_ADDRESS),
            waiting: AtomicUsize::new(0),
        }
    }
}

impl Places {
    /// Waits for a place. Those who wait get one in the order of their arrival.
    pub(super) async fn take(&self, account: i64, address: IpAddr) -> anyhow::Result<UploadPlace> {
        // An account has one upload in the queue; its others wait here, and hold up nobody.
        let account = self.accounts.of(account).acquire_owned().await?;
        let _waits = Waits::begin(&self.waiting);
        let address = self.addresses.of(address).acquire_owned().await?;
        let all = Arc::clone(&self.all).acquire_owned().await?;
        Ok(UploadPlace { _permits: [account, address, all] })
    }

    /// Returns whether somebody waits for a place.
    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

/// Somebody who waits, until this is dropped.
struct Waits<'a>(&'a AtomicUsize);

impl Waits<'_> {
    fn begin(waiting: &AtomicUsize) -> Waits<'_> {
        waiting.fetch_add(1, Ordering::Relaxed);
        Waits(waiting)
    }
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[test]
    fn an_account_and_an_address_have_their_shares() {
        let places = Places::default();
        let take =
            |account: i64, host: u8| places.take(account, [10, 0, 0, host].into()).now_or_never();
        let mut taken: Vec<_> = (0..8).map(|account| take(account, 1).unwrap().unwrap()).collect();
        assert!(take(8, 1).is_none(), "an address has half of them");
        assert!(take(0, 2).is_none(), "an account has one");
        assert!(!places.is_waited_for());
        taken.extend((8..16).map(|account| take(account, 2).unwrap().unwrap()));
        assert!(take(16, 3).is_none(), "all are taken");
        let mut waits = Box::pin(places.take(16, [10, 0, 0, 3].into()));
        assert!((&mut waits).now_or_never().is_none() && places.is_waited_for());
        taken.pop();
        assert!(waits.now_or_never().is_some() && !places.is_waited_for());
        drop(taken);
        assert!(take(0, 2).is_some());
        assert_eq!(places.accounts.shares.lock().unwrap().len(), 1);
    }
}
