//! Room for boxes: those that run at the same time fit into the machine's memory, and a box that
//! shares its kernel's user with others runs alone: the kernel counts some resources by user.

use crate::job::{ExitReport, Job};
use crate::{memory, supervise};
use clock::{lock, unpoisoned};
use std::cell::{Cell, RefCell};
use std::io;
use std::rc::{Rc, Weak};
use std::sync::{Condvar, Mutex, OnceLock};

/// The judge and files of players have one part in this many of the available memory.
const LEFT: u64 = 4;

/// Room in bytes of memory.
struct MemoryRoom {
    all: u64,
    state: Mutex<Occupancy>,
    changed: Condvar,
}

#[derive(Default)]
struct Occupancy {
    taken: u64,
    /// The numbers of the next box that comes, and of the next one that gets a place: a large one
    /// waits no longer than small ones.
    next: u64,
    served: u64,
}

fn room() -> &'static MemoryRoom {
    static ROOM: OnceLock<MemoryRoom> = OnceLock::new();
    ROOM.get_or_init(|| {
        let all = memory::available().map_or(u64::MAX, |free| free - free / LEFT);
        MemoryRoom { all, state: Mutex::default(), changed: Condvar::new() }
    })
}

thread_local! {
    /// Whether this thread has a place: what it starts needs no other one.
    static HAS_PLACE: Cell<bool> = const { Cell::new(false) };
    static GAME: RefCell<Weak<Place>> = const { RefCell::new(Weak::new()) };
}

/// A place in the room, for the thread that took it. Dropping it makes room for others.
pub struct Place {
    bytes: u64,
    _stays: std::marker::PhantomData<*const ()>,
}

impl Place {
    fn take(bytes: u64) -> Option<Place> {
        if HAS_PLACE.replace(true) {
            return None;
        }
        let room = room();
        let bytes = bytes.min(room.all);
        let mut state = lock(&room.state);
        let number = state.next;
        state.next += 1;
        while state.served != number || state.taken > room.all - bytes {
            state = unpoisoned(room.changed.wait(state));
        }
        state.served += 1;
        state.taken += bytes;
        drop(state);
        room.changed.notify_all();
        Some(Place { bytes, _stays: std::marker::PhantomData })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        HAS_PLACE.set(false);
        let room = room();
        lock(&room.state).taken -= self.bytes;
        room.changed.notify_all();
    }
}

/// Waits for room, then runs a job to its end. An error means that no supervisor could be started.
pub fn run_job(job: &Job) -> io::Result<ExitReport> {
    let _place = take(job);
    supervise::Running::start(job)?.finish()
}

/// Waits for the memory of a job's box, or for all room if it shares its user. `None` if this
/// thread has a place, or the job is in no box.
fn take(job: &Job) -> Option<Place> {
    if job.layers.any() { Place::take(needed(job, 1)) } else { None }
}

fn needed(job: &Job, boxes: u64) -> u64 {
    if job.identity.is_none() { u64::MAX } else { boxes * job.limits.memory }
}

/// Waits for a place for a game whose two programs start on this thread and share the place.
pub fn take_for_game(job: &Job) -> Option<Rc<Place>> {
    let held = GAME.with_borrow(Weak::upgrade);
    if held.is_some() || !job.layers.any() {
        return held;
    }
    let place = Place::take(needed(job, 2)).map(Rc::new);
    GAME.set(place.as_ref().map(Rc::downgrade).unwrap_or_default());
    place
}

/// Runs something while no other box of this process runs.
pub fn alone<T>(run: impl FnOnce() -> T) -> T {
    let _place = Place::take(u64::MAX);
    run()
}

/// The memory that a box gets with this limit, of `boxes` that run at the same time, in bytes.
pub fn memory_of(limit: u64, boxes: u64) -> u64 {
    limit.min(room().all / boxes)
}

/// What a user has to know about boxes with this limit of memory: how few can run at a time.
pub fn shortage(limit: u64, at_a_time: usize, have_users: bool) -> Option<String> {
    let all = room().all;
    let mib = |bytes: u64| bytes >> 20;
    if limit > all {
        return Some(format!(
            "a program may take {} MiB of memory and not {}, and programs run one at a time: this machine has room for \
             no more (--memory sets a lower limit)",
            mib(all),
            mib(limit)
        ));
    }
    if at_a_time > 1 && !have_users {
        return Some(
            "programs run one at a time, since all have one user, for whom Linux counts pipes and more \
             (judge sandbox has the remedy)"
                .to_string(),
        );
    }
    let fit = all / limit.max(1);
    (fit < at_a_time as u64).then(|| {
        format!(
            "{fit} of {at_a_time} programs run at a time: each may take {} MiB of memory, and this machine has room for \
             {} MiB (--memory {} lets all run)",
            mib(limit),
            mib(all),
            mib(all / at_a_time as u64)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{BoxUser, Limits};
    use crate::layers::Layers;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread::{scope, sleep};
    use std::time::Duration;

    fn job(memory: u64, id: Option<u32>) -> Job {
        Job {
            layers: Layers { seccomp: true, ..Layers::default() },
            limits: Limits { memory, ..Limits::default() },
            identity: id.map(|id| BoxUser { id, keeper: None }),
            ..Job::default()
        }
    }

    /// The most of eight boxes that ran at a time.
    fn most(job: &Job, for_game: bool) -> u32 {
        let (now, most) = (AtomicU32::new(0), AtomicU32::new(0));
        scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _place = if for_game { None } else { take(job) };
                    let _game = if for_game { take_for_game(job) } else { None };
                    // A place is shared by all that a thread starts.
                    assert_eq!(take_for_game(job).is_some(), for_game);
                    assert!(take(job).is_none());
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    sleep(Duration::from_millis(50));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        most.into_inner()
    }

    #[test]
    fn boxes_run_at_a_time_as_far_as_their_memory_fits_and_they_have_users_of_their_own() {
        let all = room().all;
        assert_eq!(most(&job(1 << 20, None), false), 1);
        assert_eq!(most(&job(all / 3, Some(7)), false), 3);
        assert_eq!(most(&job(2 * all, Some(7)), false), 1);
        assert_eq!(most(&job(all / 4, Some(7)), true), 2);
        alone(|| assert!(take(&job(1, Some(7))).is_none()));
        assert_eq!(memory_of(u64::MAX, 2), all / 2);
        assert!(take(&Job::default()).is_none());
        assert!(shortage(all / 2, 2, true).is_none() && shortage(all / 2, 1, false).is_none());
        assert!(shortage(all / 2, 2, false).is_some_and(|words| words.contains("one at a time")));
        assert!(shortage(all / 2, 3, true).is_some_and(|words| words.starts_with("2 of 3")));
        assert!(shortage(2 * all, 1, true).is_some_and(|words| words.contains("and not")));
    }
}
