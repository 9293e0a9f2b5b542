//! Limits on what one person or address does at the same time, and places of large uploads, which
//! are read into memory: one for an account, a part of them for an address.

use clock::lock;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const PLACES: usize = 16;
const PER_ADDRESS: usize = 8;

/// The places of all, and those of the accounts and addresses that have or want one.
pub(crate) struct Places {
    all: Arc<Semaphore>,
    accounts: Shares<i64, 1>,
    addresses: Shares<IpAddr, PER_ADDRESS>,
    waiting: AtomicUsize,
}

/// The shares of those who have or want one, of so many each.
pub(crate) struct Shares<K, const EACH: usize>(Mutex<HashMap<K, Arc<Semaphore>>>);

impl<K, const EACH: usize> Default for Shares<K, EACH> {
    fn default() -> Self {
        Shares(Mutex::default())
    }
}

pub(super) struct UploadPlace {
    _permits: [OwnedSemaphorePermit; 3],
}

impl<K: Copy + Eq + std::hash::Hash, const EACH: usize> Shares<K, EACH> {
    fn of(&self, key: K) -> Arc<Semaphore> {
        let mut shares = lock(&self.0);
        // Nobody else holds those that are not used.
        shares.retain(|_, share| Arc::strong_count(share) > 1);
        Arc::clone(shares.entry(key).or_insert_with(|| Arc::new(Semaphore::new(EACH))))
    }

    /// Begins something that counts until the value is dropped; `None` if as many are going on as
    /// may be.
    pub(super) fn begin(&self, key: K) -> Option<OwnedSemaphorePermit> {
        self.of(key).try_acquire_owned().ok()
    }
}

impl Default for Places {
    fn default() -> Places {
        Places {
            all: Arc::new(Semaphore::new(PLACES)),
            accounts: Shares::default(),
            addresses: Shares::default(),
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

    pub(super) fn is_waited_for(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
    }
}

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
        let shares = Shares::<i64, 2>::default();
        let [one, two, three, other] = [1, 1, 1, 2].map(|person| shares.begin(person));
        assert!(one.is_some() && two.is_some() && three.is_none() && other.is_some());
        drop(one);
        assert!(shares.begin(1).is_some());
        assert_eq!(places.accounts.0.lock().unwrap().len(), 1);
    }
}
