//! Who may be connected at a time, and who goes when there is no place left.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};

/// The age up to which a connection is not closed to make room for another: a request that is sent in one piece is here
/// long before. While all are so young, the next one waits.
pub(super) const GRACE: Duration = Duration::from_millis(100);

/// The phase of a connection's one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The request has not arrived as a whole.
    Arriving,
    /// The request is being answered, or waits for that.
    Answering,
    /// The answer is sent.
    Answered,
    /// The connection has lost its place to another.
    Dismissed,
}

struct Guest {
    address: IpAddr,
    since: Instant,
    phase: watch::Sender<Phase>,
}

/// The connections by the order in which they came, and the number of the next.
#[derive(Default)]
struct Guests {
    here: BTreeMap<u64, Guest>,
    next: u64,
}

/// A limited number of places for connections, and the connections that have them.
pub(super) struct Places {
    most: usize,
    guests: Mutex<Guests>,
    changed: Notify,
}

/// The answer to a connection that asks for a place.
pub(super) enum Entry {
    /// A place.
    Place(Place),
    /// A place at this time, or earlier if something changes.
    Wait(Instant),
    /// None: all are taken by requests that have arrived.
    Full,
}

/// A place that is taken until this is dropped, or lost to another.
pub(crate) struct Place {
    places: Arc<Places>,
    number: u64,
    phase: watch::Sender<Phase>,
}

impl Places {
    /// A given number of places.
    pub(super) fn new(most: usize) -> Arc<Places> {
        Arc::new(Places { most, guests: Mutex::default(), changed: Notify::new() })
    }

    /// Asks for a place for a connection from an address; the connection that loses its place for it is dismissed.
    pub(super) fn enter(self: &Arc<Places>, address: IpAddr, now: Instant) -> Entry {
        let mut guests = self.lock();
        if guests.here.len() >= self.most {
            match guests.first_to_go(Some(address)) {
                None => return Entry::Full,
                Some((_, since)) if now < since + GRACE => return Entry::Wait(since + GRACE),
                Some((number, _)) => guests.dismiss(number),
            }
        }
        let number = guests.next;
        guests.next += 1;
        let phase = watch::Sender::new(Phase::Arriving);
        guests.here.insert(number, Guest { address, since: now, phase: phase.clone() });
        Entry::Place(Place { places: Arc::clone(self), number, phase })
    }

    /// Dismisses one connection whose request has not arrived, whatever address the next one comes from; gives whether
    /// there was one.
    pub(super) fn send_one_away(&self, now: Instant) -> bool {
        let mut guests = self.lock();
        match guests.first_to_go(None) {
            Some((number, since)) if now >= since + GRACE => {
                guests.dismiss(number);
                true
            }
            _ => false,
        }
    }

    /// Waits until a connection has closed or entered another phase.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    fn lock(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Guests {
    /// The oldest whose request has not arrived, of the address that has most places, counting the one who comes; never
    /// of an address that has fewer than the one who comes. With the time at which it came.
    fn first_to_go(&self, comes: Option<IpAddr>) -> Option<(u64, Instant)> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        for address in self.here.values().map(|guest| guest.address).chain(comes) {
            *counts.entry(address).or_default() += 1;
        }
        let own = comes.map_or(0, |address| counts[&address]);
        let arriving = self.here.iter().filter(|(_, guest)| *guest.phase.borrow() == Phase::Arriving);
        arriving
            .map(|(&number, guest)| (counts[&guest.address], Reverse(number), guest.since))
            .filter(|&(count, ..)| count >= own)
            .max()
            .map(|(_, Reverse(number), since)| (number, since))
    }

    fn dismiss(&mut self, number: u64) {
        if let Some(guest) = self.here.remove(&number) {
            guest.phase.send_replace(Phase::Dismissed);
        }
    }
}

impl Place {
    /// The phase of the connection, and news of its changes.
    pub(crate) fn phases(&self) -> watch::Receiver<Phase> {
        self.phase.subscribe()
    }

    /// Enters a phase; `false` if the connection has been dismissed.
    pub(crate) fn reach(&self, phase: Phase) -> bool {
        let reached = self.phase.send_if_modified(|now| {
            let stays = *now != Phase::Dismissed;
            if stays {
                *now = phase;
            }
            stays
        });
        self.places.changed.notify_one();
        reached
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().here.remove(&self.number);
        self.places.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[track_caller]
    fn place(entry: Entry) -> Place {
        match entry {
            Entry::Place(place) => place,
            Entry::Wait(_) => panic!("expected a place, and have to wait"),
            Entry::Full => panic!("expected a place, and there is none"),
        }
    }

    fn is_here(place: &Place) -> bool {
        *place.phases().borrow() != Phase::Dismissed
    }

    #[test]
    fn the_oldest_that_still_arrives_goes_once_it_is_old_enough() {
        let (places, start) = (Places::new(3), Instant::now());
        let ms = |count| start + Duration::from_millis(count);
        let guests = [0, 10, 20].map(|at| place(places.enter(HERE, ms(at))));
        assert!(guests[0].reach(Phase::Answering));
        assert!(matches!(places.enter(HERE, ms(109)), Entry::Wait(until) if until == ms(110)));
        let fourth = place(places.enter(HERE, ms(110)));
        assert_eq!(guests.each_ref().map(is_here), [true, false, true]);
        assert!(!guests[1].reach(Phase::Answering), "a dismissed request is not answered any more");
        assert!(guests[2].reach(Phase::Answered) && fourth.reach(Phase::Answering));
        assert!(matches!(places.enter(HERE, ms(9_000)), Entry::Full));
        assert!(!places.send_one_away(ms(9_000)));
        drop(guests);
        assert!([(); 2].map(|()| place(places.enter(HERE, ms(9_000)))).iter().all(is_here) && is_here(&fourth));
    }

    #[test]
    fn who_has_many_places_makes_room_for_others_and_takes_none_of_theirs() {
        let (places, start) = (Places::new(4), Instant::now());
        let later = start + Duration::from_secs(1);
        let modest = place(places.enter(address(1), start));
        let greedy = [(); 3].map(|()| place(places.enter(address(2), start)));
        let more = place(places.enter(address(2), later));
        assert_eq!((is_here(&modest), greedy.each_ref().map(is_here)), (true, [false, true, true]));
        let another = place(places.enter(address(3), later));
        assert_eq!((is_here(&modest), greedy.each_ref().map(is_here)), (true, [false, false, true]));
        assert!(is_here(&more) && is_here(&another));
        // What the greedy one has left is being answered: it does not get the places of others for that.
        assert!(greedy[2].reach(Phase::Answering) && more.reach(Phase::Answering));
        assert!(matches!(places.enter(address(2), later + Duration::from_secs(1)), Entry::Full));
        assert!(is_here(&modest) && is_here(&another));
        assert!(places.send_one_away(later) && !is_here(&modest), "where handles are short, somebody has to go");
    }
}
