//! The slots for simultaneous connections, and the choice of the connection that is evicted when all slots are taken.

use clock::lock;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// The age below which a connection is not evicted: a request that is sent in one piece arrives sooner. While all
/// connections are younger, a new one waits.
pub(super) const EVICTION_AGE: Duration = Duration::from_millis(100);

/// The phase of a connection, which has one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The request has not arrived completely.
    Arriving,
    /// The request is being answered, or waits for the service.
    Answering,
    /// The answer is ready to be sent.
    Answered,
    /// The connection has lost its slot to another one.
    Evicted,
}

/// A connection that has a slot.
struct Client {
    address: IpAddr,
    since: Instant,
    phase: watch::Sender<Phase>,
}

/// The connections that have slots.
#[derive(Default)]
struct Clients {
    /// The connections by number, in the order of their arrival.
    open: BTreeMap<u64, Client>,
    /// The number of the next connection.
    next: u64,
}

/// A limited number of slots for connections.
pub(super) struct Slots {
    limit: usize,
    clients: Mutex<Clients>,
    changed: Notify,
}

/// The answer to a request for a slot.
pub(super) enum Admission {
    /// The connection has this slot.
    Slot(Slot),
    /// The connection has to ask again at this time, or when [`Slots::changed`] returns.
    Wait(Instant),
    /// No slot: all are taken by requests that have arrived.
    Full,
}

/// A slot, which is freed when this value is dropped or when its connection is evicted.
pub struct Slot {
    slots: Arc<Slots>,
    number: u64,
    phase: watch::Sender<Phase>,
}

impl Slots {
    /// Returns this number of free slots.
    pub(super) fn new(limit: usize) -> Arc<Slots> {
        Arc::new(Slots { limit, clients: Mutex::default(), changed: Notify::new() })
    }

    /// Asks for a slot for a connection from an address, and evicts another connection if that is needed.
    pub(super) fn acquire(self: &Arc<Slots>, address: IpAddr, now: Instant) -> Admission {
        let mut clients = self.lock();
        if clients.open.len() >= self.limit {
            match clients.eviction_candidate(Some(address)) {
                None => return Admission::Full,
                Some((_, since)) if now < since + EVICTION_AGE => return Admission::Wait(since + EVICTION_AGE),
                Some((number, _)) => clients.evict(number),
            }
        }
        let number = clients.next;
        clients.next += 1;
        let phase = watch::Sender::new(Phase::Arriving);
        clients.open.insert(number, Client { address, since: now, phase: phase.clone() });
        Admission::Slot(Slot { slots: Arc::clone(self), number, phase })
    }

    /// Evicts the oldest connection whose request has not arrived, of the address with the most connections. Returns
    /// whether there was one that is old enough.
    pub(super) fn evict_one(&self, now: Instant) -> bool {
        let mut clients = self.lock();
        match clients.eviction_candidate(None) {
            Some((number, since)) if now >= since + EVICTION_AGE => {
                clients.evict(number);
                true
            }
            _ => false,
        }
    }

    /// Waits until a connection has been closed or has changed its phase.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Clients> {
        lock(&self.clients)
    }
}

impl Clients {
    /// Returns the number and the arrival time of the connection to evict: the oldest whose request has not arrived, of
    /// the address with the most connections, `newcomer` included. A connection is not evicted for a newcomer whose
    /// address has more connections than its own.
    fn eviction_candidate(&self, newcomer: Option<IpAddr>) -> Option<(u64, Instant)> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for address in self.open.values().map(|client| client.address).chain(newcomer) {
            *counts.entry(address).or_default() += 1;
        }
        let own = newcomer.map_or(0, |address| counts[&address]);
        let arriving = self.open.iter().filter(|(_, client)| *client.phase.borrow() == Phase::Arriving);
        arriving
            .map(|(&number, client)| (counts[&client.address], Reverse(number), client.since))
            .filter(|&(count, ..)| count >= own)
            .max()
            .map(|(_, Reverse(number), since)| (number, since))
    }

    fn evict(&mut self, number: u64) {
        if let Some(client) = self.open.remove(&number) {
            client.phase.send_replace(Phase::Evicted);
        }
    }
}

impl Slot {
    /// Returns a receiver of the connection's phase and its changes.
    pub fn phases(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Enters a phase, unless the connection has been evicted. Returns whether the phase was entered.
    pub fn enter(&self, phase: Phase) -> bool {
        let entered = self.phase.send_if_modified(|current| {
            let is_open = *current != Phase::Evicted;
            if is_open {
                *current = phase;
            }
            is_open
        });
        self.slots.changed.notify_one();
        entered
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.lock().open.remove(&self.number);
        self.slots.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOOPBACK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[track_caller]
    fn slot(entry: Admission) -> Slot {
        match entry {
            Admission::Slot(slot) => slot,
            Admission::Wait(_) => panic!("expected a slot, found that all are taken for now"),
            Admission::Full => panic!("expected a slot, found none"),
        }
    }

    fn is_open(slot: &Slot) -> bool {
        *slot.phases().borrow() != Phase::Evicted
    }

    #[test]
    fn the_oldest_unfinished_request_is_evicted_once_it_is_old_enough() {
        let (slots, start) = (Slots::new(3), Instant::now());
        let ms = |count| start + Duration::from_millis(count);
        let clients = [0, 10, 20].map(|at| slot(slots.acquire(LOOPBACK, ms(at))));
        assert!(clients[0].enter(Phase::Answering));
        assert!(matches!(slots.acquire(LOOPBACK, ms(109)), Admission::Wait(until) if until == ms(110)));
        let fourth = slot(slots.acquire(LOOPBACK, ms(110)));
        assert_eq!(clients.each_ref().map(is_open), [true, false, true]);
        assert!(!clients[1].enter(Phase::Answering), "an evicted request is not answered");
        assert!(clients[2].enter(Phase::Answered) && fourth.enter(Phase::Answering));
        assert!(matches!(slots.acquire(LOOPBACK, ms(9_000)), Admission::Full));
        assert!(!slots.evict_one(ms(9_000)));
        drop(clients);
        assert!([(); 2].map(|()| slot(slots.acquire(LOOPBACK, ms(9_000)))).iter().all(is_open) && is_open(&fourth));
    }

    #[test]
    fn an_address_with_many_slots_loses_them_first_and_takes_none_of_others() {
        let (slots, start) = (Slots::new(4), Instant::now());
        let later = start + Duration::from_secs(1);
        let modest = slot(slots.acquire(address(1), start));
        let greedy = [(); 3].map(|()| slot(slots.acquire(address(2), start)));
        let more = slot(slots.acquire(address(2), later));
        assert_eq!((is_open(&modest), greedy.each_ref().map(is_open)), (true, [false, true, true]));
        let another = slot(slots.acquire(address(3), later));
        assert_eq!((is_open(&modest), greedy.each_ref().map(is_open)), (true, [false, false, true]));
        assert!(is_open(&more) && is_open(&another));
        // The remaining requests of the greedy address are being answered; it does not get the slots of others.
        assert!(greedy[2].enter(Phase::Answering) && more.enter(Phase::Answering));
        assert!(matches!(slots.acquire(address(2), later + Duration::from_secs(1)), Admission::Full));
        assert!(is_open(&modest) && is_open(&another));
        assert!(slots.evict_one(later) && !is_open(&modest), "without file handles a connection is evicted");
    }
}
