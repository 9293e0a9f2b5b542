//! The queue of agents for the next game (docs/foxgame.md, "The queue").

use clock::lock;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

pub(super) const MAX_QUEUED: usize = 32;

/// The number of slots for agents of one address other than the loopback address, so that no other
/// machine fills the queue alone.
const MAX_QUEUED_PER_ADDRESS: usize = 8;

/// The time for which an agent with a role is not evicted, so that it can become ready.
const READY_GRACE: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub(super) struct Queue {
    limit: usize,
    state: Arc<Mutex<QueueState>>,
}

#[derive(Default)]
struct QueueState {
    /// The agents by number, in the order of their arrival.
    queued: BTreeMap<u64, Queued>,
    next: u64,
}

struct Queued {
    address: IpAddr,
    /// When the agent was assigned a role, until it is ready.
    unready_since: Option<Instant>,
    is_evicted: bool,
}

/// A slot in the queue, which is freed when this value is dropped.
pub(super) struct QueueSlot {
    queue: Queue,
    number: u64,
}

/// The answer to a request for a slot in the queue.
pub(super) enum QueueAdmission {
    Slot(QueueSlot),
    /// The agent has to ask again: others are evicted or may be evicted soon.
    Wait,
    /// There is no slot; the reason that the agent is told.
    Full(String),
}

impl Queue {
    pub(super) fn new(limit: usize) -> Queue {
        Queue { limit, state: Arc::default() }
    }

    /// Asks for a slot for an agent of this address. `needed` is the number of agents that wait for
    /// a slot, this one included.
    pub(super) fn acquire(&self, address: IpAddr, needed: usize, now: Instant) -> QueueAdmission {
        let address = address.to_canonical();
        let mut state = self.lock();
        let own = state.queued.values().filter(|queued| queued.address == address).count();
        if !address.is_loopback() && own >= MAX_QUEUED_PER_ADDRESS {
            // An evicted agent makes room for the next attempt.
            state.evict_unready(Some(address), 1, now);
            return full(&format!("{MAX_QUEUED_PER_ADDRESS} agents of your address"));
        }
        if state.queued.len() >= self.limit {
            return match state.evict_unready(None, needed, now) {
                true => QueueAdmission::Wait,
                false => full(&format!("{} agents", self.limit)),
            };
        }
        let number = state.next;
        state.next += 1;
        state.queued.insert(number, Queued { address, unready_since: None, is_evicted: false });
        QueueAdmission::Slot(QueueSlot { queue: self.clone(), number })
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        lock(&self.state)
    }
}

fn full(who: &str) -> QueueAdmission {
    QueueAdmission::Full(format!("{who} stand in line already; come again later"))
}

impl QueueState {
    /// Evicts agents that are not ready until `needed` of them are evicted: those of `address`, or
    /// else those of the addresses with the most such agents; within an address the one whose role
    /// was assigned first. Returns whether any agent is not ready.
    fn evict_unready(&mut self, address: Option<IpAddr>, needed: usize, now: Instant) -> bool {
        let mut per_address: HashMap<IpAddr, usize> = HashMap::new();
        let unready = || {
            let own = |queued: &&Queued| address.is_none_or(|address| queued.address == address);
            self.queued
                .iter()
                .filter(move |(_, queued)| own(queued) && queued.unready_since.is_some())
        };
        unready().for_each(|(_, queued)| *per_address.entry(queued.address).or_default() += 1);
        let evicted = unready().filter(|(_, queued)| queued.is_evicted).count();
        let mut candidates: Vec<(Reverse<usize>, Instant, u64)> = unready()
            .filter(|(_, queued)| !queued.is_evicted)
            .filter_map(|(&number, queued)| {
                Some((Reverse(per_address[&queued.address]), queued.unready_since?, number))
            })
            .filter(|(_, since, _)| now.saturating_duration_since(*since) >= READY_GRACE)
            .collect();
        candidates.sort();
        for (_, _, number) in candidates.into_iter().take(needed.saturating_sub(evicted)) {
            self.queued.entry(number).and_modify(|queued| queued.is_evicted = true);
        }
        !per_address.is_empty()
    }
}

impl QueueSlot {
    pub(super) fn set_unready(&self, now: Instant) {
        self.change(|queued| queued.unready_since = Some(now));
    }

    pub(super) fn set_ready(&self) {
        self.change(|queued| queued.unready_since = None);
    }

    /// Whether the agent has to leave the queue because another one needs its slot.
    pub(super) fn is_evicted(&self) -> bool {
        self.queue.lock().queued.get(&self.number).is_some_and(|queued| queued.is_evicted)
    }

    fn change(&self, change: impl FnOnce(&mut Queued)) {
        self.queue.lock().queued.entry(self.number).and_modify(change);
    }
}

impl Drop for QueueSlot {
    fn drop(&mut self) {
        self.queue.lock().queued.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[track_caller]
    fn slot(admission: QueueAdmission) -> QueueSlot {
        let QueueAdmission::Slot(slot) = admission else { panic!("expected a slot") };
        slot
    }

    #[track_caller]
    fn reason(admission: QueueAdmission) -> String {
        let QueueAdmission::Full(reason) = admission else { panic!("expected no slot") };
        reason
    }

    #[test]
    fn agents_of_one_other_machine_cannot_fill_the_queue() {
        let (queue, now) = (Queue::new(MAX_QUEUED), Instant::now());
        let ask = |text: &str| queue.acquire(address(text), 1, now);
        let mut taken: Vec<QueueSlot> =
            (0..MAX_QUEUED_PER_ADDRESS).map(|_| slot(ask("192.0.2.1"))).collect();
        // The IPv4-mapped address is the same one.
        for again in ["192.0.2.1", "::ffff:192.0.2.1"] {
            assert!(reason(ask(again)).contains("8 agents of your address"));
        }
        taken.extend((taken.len()..MAX_QUEUED).map(|_| slot(ask("127.0.0.1"))));
        for full in ["127.0.0.1", "::1", "192.0.2.2"] {
            assert!(reason(ask(full)).contains("32 agents stand in line already"));
        }
        taken.remove(0);
        taken.push(slot(ask("192.0.2.1")));
        drop(taken);
        assert!(queue.lock().queued.is_empty());
    }

    #[test]
    fn as_many_unready_agents_are_evicted_as_others_wait() {
        let (queue, start) = (Queue::new(4), Instant::now());
        let later = |milliseconds| start + Duration::from_millis(milliseconds);
        let agents = ["192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2"]
            .map(|from| slot(queue.acquire(address(from), 1, start)));
        let ask = |needed, now| queue.acquire(address("192.0.2.3"), needed, now);
        assert!(reason(ask(1, start)).contains("4 agents stand in line already"));
        agents.iter().enumerate().for_each(|(number, slot)| slot.set_unready(later(number as u64)));
        let evicted = || agents.each_ref().map(QueueSlot::is_evicted);
        assert!(matches!(ask(1, later(499)), QueueAdmission::Wait));
        assert_eq!(evicted(), [false; 4], "every agent has time to become ready");
        agents[1].set_ready();
        assert!(matches!(ask(1, later(900)), QueueAdmission::Wait));
        // The oldest of the address with the most unready agents is evicted.
        assert_eq!(evicted(), [false, false, true, false]);
        assert!(matches!(ask(1, later(900)), QueueAdmission::Wait));
        assert_eq!(evicted(), [false, false, true, false], "one is evicted already");
        assert!(matches!(ask(9, later(900)), QueueAdmission::Wait));
        assert_eq!(evicted(), [true, false, true, true]);
        drop(agents);
        slot(ask(1, later(900)));
    }

    #[test]
    fn an_address_at_its_limit_loses_its_own_unready_agents() {
        let (queue, start) = (Queue::new(MAX_QUEUED), Instant::now());
        let agents: Vec<QueueSlot> = (0..MAX_QUEUED_PER_ADDRESS)
            .map(|_| slot(queue.acquire(address("192.0.2.1"), 1, start)))
            .collect();
        agents[3].set_unready(start);
        let ask = || reason(queue.acquire(address("192.0.2.1"), 1, start + READY_GRACE));
        assert!(ask().contains("come again later") && agents[3].is_evicted());
        assert_eq!(agents.iter().filter(|slot| slot.is_evicted()).count(), 1);
    }
}
