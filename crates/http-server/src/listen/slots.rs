//! The slots for simultaneous connections, and which connection is evicted when all are taken.

use clock::lock;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// The phase of a connection.
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

struct Client {
    /// A connection of a proxy counts for no address until a request names the client.
    address: Option<IpAddr>,
    /// The time of its arrival, or of the last byte on it.
    since: Instant,
    phase: watch::Sender<Phase>,
}

#[derive(Default)]
struct Clients {
    /// By number, in the order of arrival.
    open: BTreeMap<u64, Client>,
    next: u64,
}

/// A limited number of slots for connections, of which each address may have so many.
pub struct Slots {
    limit: usize,
    per_address: usize,
    /// A connection idle for a shorter time is not evicted.
    age: Duration,
    clients: Mutex<Clients>,
    changed: Notify,
}

/// The answer to a request for a slot.
pub enum Admission {
    /// The connection has this slot.
    Slot(Slot),
    /// The connection has to ask again then, or when a place becomes free.
    Wait(Instant),
    /// No slot: all of them, or all of the address, are taken by requests that have arrived.
    Full,
}

/// A slot, which is freed when this value is dropped or when its connection is evicted.
pub struct Slot {
    slots: Arc<Slots>,
    number: u64,
    phase: watch::Sender<Phase>,
}

impl Slots {
    /// Free slots: the number of all, and that of each address. No connection is evicted that has
    /// been idle for less than `age`.
    pub fn new(limit: usize, per_address: usize, age: Duration) -> Arc<Slots> {
        Arc::new(Slots {
            limit,
            per_address,
            age,
            clients: Mutex::default(),
            changed: Notify::new(),
        })
    }

    /// Asks for a slot for a connection from an address, which may evict another connection.
    pub fn acquire(self: &Arc<Slots>, address: Option<IpAddr>, now: Instant) -> Admission {
        let mut clients = self.lock();
        let has_all = address.is_some() && clients.count(address) >= self.per_address;
        if has_all || clients.open.len() >= self.limit {
            match clients.eviction_candidate(Some(address), has_all) {
                None => return Admission::Full,
                Some((_, since)) if now < since + self.age => {
                    return Admission::Wait(since + self.age);
                }
                Some((number, _)) => clients.evict(number),
            }
        }
        let number = clients.next;
        clients.next += 1;
        let phase = watch::Sender::new(Phase::Arriving);
        clients.open.insert(number, Client { address, since: now, phase: phase.clone() });
        Admission::Slot(Slot { slots: Arc::clone(self), number, phase })
    }

    /// Evicts the connection that has been idle for the longest time, of the address with the most.
    /// Whether there was one that is old enough.
    pub fn evict_one(&self, now: Instant) -> bool {
        let mut clients = self.lock();
        let candidate = clients.eviction_candidate(None, false);
        clients.evict_old(candidate, now - self.age)
    }

    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Clients> {
        lock(&self.clients)
    }
}

impl Clients {
    fn count(&self, address: Option<IpAddr>) -> usize {
        self.open.values().filter(|client| client.address == address).count()
    }

    /// The number of the connection to evict, and since when it has been idle: the longest one
    /// whose request has not arrived, of the address with the most connections, `newcomer`
    /// included. No address loses one to a newcomer that has more, and `own` asks for one of the
    /// newcomer's.
    fn eviction_candidate(
        &self,
        newcomer: Option<Option<IpAddr>>,
        own: bool,
    ) -> Option<(u64, Instant)> {
        let mut counts: HashMap<Option<IpAddr>, usize> = HashMap::new();
        for address in self.open.values().map(|client| client.address).chain(newcomer) {
            *counts.entry(address).or_default() += 1;
        }
        let least = newcomer.map_or(0, |address| counts[&address]);
        let arriving =
            self.open.iter().filter(|(_, client)| *client.phase.borrow() == Phase::Arriving);
        arriving
            .filter(|(_, client)| !own || newcomer == Some(client.address))
            .map(|(&number, client)| {
                (counts[&client.address], Reverse(client.since), Reverse(number))
            })
            .filter(|&(count, ..)| count >= least)
            .max()
            .map(|(_, Reverse(since), Reverse(number))| (number, since))
    }

    fn evict_old(&mut self, candidate: Option<(u64, Instant)>, latest: Instant) -> bool {
        let old = candidate.filter(|&(_, since)| since <= latest);
        old.map(|(number, _)| self.evict(number)).is_some()
    }

    fn evict(&mut self, number: u64) {
        if let Some(client) = self.open.remove(&number) {
            client.phase.send_replace(Phase::Evicted);
        }
    }
}

impl Slot {
    /// Notes that something has happened on the connection.
    pub fn touch(&self, now: Instant) {
        if let Some(client) = self.slots.lock().open.get_mut(&self.number) {
            client.since = now;
        }
    }

    /// Begins an answer to a client, for whom the connection counts from now on. Whether the client
    /// has a slot; it may get one later.
    pub fn begin(&self, address: IpAddr, now: Instant) -> bool {
        let mut clients = self.slots.lock();
        let Some(client) = clients.open.get(&self.number) else { return false };
        let address = Some(address);
        if client.address != address && clients.count(address) >= self.slots.per_address {
            let candidate = clients.eviction_candidate(Some(address), true);
            if !clients.evict_old(candidate, now - self.slots.age) {
                return false;
            }
        }
        clients.open.entry(self.number).and_modify(|client| client.address = address);
        drop(clients);
        self.enter(Phase::Answering)
    }

    /// The connection's phase and its changes.
    pub fn phases(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Enters a phase. False if the connection has been evicted.
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

    const AGE: Duration = Duration::from_millis(100);
    const LOOPBACK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[track_caller]
    fn slot(entry: Admission) -> Slot {
        let Admission::Slot(slot) = entry else { panic!("expected a slot") };
        slot
    }

    fn is_open(slot: &Slot) -> bool {
        *slot.phases().borrow() != Phase::Evicted
    }

    #[test]
    fn the_oldest_unfinished_request_is_evicted_once_it_is_old_enough() {
        let (slots, start) = (Slots::new(3, 3, AGE), Instant::now());
        let ms = |count| start + Duration::from_millis(count);
        let clients = [0, 10, 20].map(|at| slot(slots.acquire(Some(LOOPBACK), ms(at))));
        assert!(clients[0].enter(Phase::Answering));
        assert!(
            matches!(slots.acquire(Some(LOOPBACK), ms(109)), Admission::Wait(until) if until == ms(110))
        );
        let fourth = slot(slots.acquire(Some(LOOPBACK), ms(110)));
        assert_eq!(clients.each_ref().map(is_open), [true, false, true]);
        assert!(!clients[1].enter(Phase::Answering), "an evicted request is not answered");
        assert!(clients[2].enter(Phase::Answered) && fourth.enter(Phase::Answering));
        assert!(matches!(slots.acquire(Some(LOOPBACK), ms(9_000)), Admission::Full));
        assert!(!slots.evict_one(ms(9_000)));
        drop(clients);
        assert!(
            [(); 2].map(|()| slot(slots.acquire(Some(LOOPBACK), ms(9_000)))).iter().all(is_open)
                && is_open(&fourth)
        );
    }

    #[test]
    fn an_address_with_many_slots_loses_them_first_and_takes_none_of_others() {
        let (slots, start) = (Slots::new(4, 4, AGE), Instant::now());
        let later = start + Duration::from_secs(1);
        let modest = slot(slots.acquire(Some(address(1)), start));
        let greedy = [(); 3].map(|()| slot(slots.acquire(Some(address(2)), start)));
        let more = slot(slots.acquire(Some(address(2)), later));
        assert_eq!((is_open(&modest), greedy.each_ref().map(is_open)), (true, [false, true, true]));
        let another = slot(slots.acquire(Some(address(3)), later));
        assert_eq!(
            (is_open(&modest), greedy.each_ref().map(is_open)),
            (true, [false, false, true])
        );
        assert!(is_open(&more) && is_open(&another));
        assert!(greedy[2].enter(Phase::Answering) && more.enter(Phase::Answering));
        assert!(matches!(
            slots.acquire(Some(address(2)), later + Duration::from_secs(1)),
            Admission::Full
        ));
        assert!(is_open(&modest) && is_open(&another));
        assert!(
            slots.evict_one(later) && !is_open(&modest),
            "without file handles a connection is evicted"
        );
    }

    #[test]
    fn an_address_has_its_share_and_a_connection_counts_for_the_client_of_its_request() {
        let (slots, start) = (Slots::new(8, 2, AGE), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let mine: Vec<Slot> =
            (0..2).map(|second| slot(slots.acquire(Some(address(1)), at(second)))).collect();
        mine[0].touch(at(2));
        let third = slot(slots.acquire(Some(address(1)), at(3)));
        assert!(
            is_open(&mine[0]) && !is_open(&mine[1]) && is_open(&third),
            "the one idle longest makes place"
        );
        let others: Vec<Slot> =
            (0..2).map(|_| slot(slots.acquire(Some(address(2)), at(4)))).collect();
        // Behind a proxy the request says whose it is.
        let proxied: Vec<Slot> = (0..4).map(|_| slot(slots.acquire(None, at(4)))).collect();
        assert!(others.iter().all(|other| other.begin(address(2), at(5))));
        assert!(!proxied[0].begin(address(2), at(5)), "both are answering");
        assert!(proxied[1].begin(address(3), at(5)));
        assert!(others[1].enter(Phase::Arriving));
        assert!(proxied[2].begin(address(2), at(6)) && !is_open(&others[1]));
        assert!(!others[1].begin(address(2), at(6)), "it was closed");
    }
}
