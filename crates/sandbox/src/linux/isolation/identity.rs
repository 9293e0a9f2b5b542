//! The users of boxes. Linux counts some resources by user, so each box has a user of its own
//! wherever the judge may use more than one: root may use any, an ordinary user those of
//! /etc/subuid. Elsewhere a player runs as the judge's user, without rights outside of its box.

use crate::job::{BoxUser, within};
use crate::linux::requests::{Request, SETUP_TIME, Supervisor};
use crate::proc_fields::field;
use nix::sched::{CloneFlags, setns, unshare};
use nix::unistd::{Gid, Uid, setresgid, setresuid};
use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// User ids for boxes of a judge that runs as root. Accounts have much lower ids.
const FIRST_USER: u32 = 0x6000_0000;
const USER_COUNT: u32 = 0x1000_0000;
/// The fewest ids that suffice; each box takes two.
const FEWEST: u32 = 1 << 8;
/// Creates namespaces and a user namespace for them with this process's ids. User 0 becomes 1000
/// inside, so that programs have no rights in the namespace.
pub(super) fn unshare_alone(namespaces: CloneFlags) -> io::Result<()> {
    let (user, group) = judges_ids();
    unshare(namespaces | CloneFlags::CLONE_NEWUSER)?;
    let inner = |outer: u32| if outer == 0 { 1000 } else { outer };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inner(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inner(group)))
}

pub(crate) fn init_user(user: u32) -> u32 {
    user + 1
}

/// Makes the calling process one of a user and the group of the same id, for good.
pub(crate) fn become_user(id: u32) -> nix::Result<()> {
    let (user, group) = (Uid::from_raw(id), Gid::from_raw(id));
    setresgid(group, group, group)?;
    setresuid(user, user, user)
}

/// Asks the supervisor to map the users of a box into the user namespace that this process has just
/// created, and waits for it.
pub(crate) fn request_user_map(supervisor: &mut UnixStream) -> io::Result<()> {
    supervisor.write_all(b"u")?;
    // On failure the supervisor closes the socket without an answer.
    supervisor.read_exact(&mut [0])
}

/// The supervisor's side of [`request_user_map`]: maps the users of the program and of the init
/// process, each with the same id inside. Only a process outside of the namespace may map more than
/// one user.
pub(crate) fn answer_user_map_request(
    init: &mut UnixStream,
    pid: i32,
    user: u32,
) -> io::Result<()> {
    init.read_exact(&mut [0])?;
    let map = [user, init_user(user)].map(|user| format!("{user} {user} 1\n")).concat();
    fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    fs::write(format!("/proc/{pid}/gid_map"), &map)?;
    fs::write(format!("/proc/{pid}/uid_map"), &map)?;
    init.write_all(b"u")
}

/// Moves the calling process into the user namespace of a box's user. Root has every user already.
pub(super) fn enter(user: BoxUser) -> io::Result<()> {
    let Some(keeper) = user.keeper else { return Ok(()) };
    Ok(setns(File::open(format!("/proc/{keeper}/ns/user"))?, CloneFlags::CLONE_NEWUSER)?)
}

/// The judge's user and group, here as well as in the keeper's user namespace.
pub(crate) fn judges_ids() -> (u32, u32) {
    (nix::unistd::geteuid().as_raw(), nix::unistd::getegid().as_raw())
}

struct Users {
    first: u32,
    /// A power of two.
    boxes: u32,
    /// Holds the user namespace that has the users, for an ordinary user.
    keeper: Option<Supervisor>,
    /// A random number, so that the ids of boxes say nothing.
    start: u32,
}

impl Users {
    fn of(first: u32, count: u32, keeper: Option<Supervisor>) -> Result<Users, String> {
        if count < FEWEST {
            return Err(format!("{count} user ids are too few: {FEWEST} are needed"));
        }
        let boxes = 1 << (count / 2).ilog2();
        let random = RandomState::new().hash_one(std::process::id()) as u32;
        Ok(Users { first, boxes, keeper, start: random })
    }

    /// A user that no other box of this process has had lately.
    fn next(&self) -> BoxUser {
        static TAKEN: AtomicU32 = AtomicU32::new(0);
        // An odd factor: all numbers below the power of two come before one comes again.
        let number = TAKEN
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_mul(0x9e37_79b1)
            .wrapping_add(self.start);
        let keeper = self.keeper.as_ref().map(|keeper| keeper.process.id() as i32);
        BoxUser { id: self.first + number % self.boxes * 2, keeper }
    }
}

static USERS: OnceLock<Result<Users, String>> = OnceLock::new();
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

fn users() -> Result<&'static Users, String> {
    let found = USERS
        .get_or_init(|| if nix::unistd::geteuid().is_root() { of_root() } else { of_subuid() });
    found.as_ref().map_err(Clone::clone)
}

/// A user for a box that no other box has; `None` where the judge has but its own, see
/// [`why_no_own_user`].
pub fn own_user() -> Option<BoxUser> {
    if GIVEN_UP.load(Ordering::Relaxed) { None } else { users().ok().map(Users::next) }
}

/// Why boxes have no users of their own; `None` where they have.
pub fn why_no_own_user() -> Option<String> {
    match users() {
        Err(why) => Some(why),
        Ok(_) if GIVEN_UP.load(Ordering::Relaxed) => {
            Some("a box with another user could not be built".to_string())
        }
        Ok(_) => None,
    }
}

/// From now on boxes run as the judge's user.
pub(crate) fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

/// Root may use all ids that its user namespace has: few in a container.
fn of_root() -> Result<Users, String> {
    if !has_capabilities() {
        return Err("root lacks capabilities here".to_string());
    }
    let file = "/proc/self/uid_map";
    let map = fs::read_to_string(file).map_err(within(file))?;
    // The first id of each part of the map, and how many.
    let part = |line: &str| {
        let mut fields = line.split_whitespace().map(|field| field.parse().ok());
        Some((fields.next()??, fields.nth(1)??))
    };
    let parts: Vec<(u64, u64)> = map.lines().filter_map(part).collect();
    let wanted = [FIRST_USER, FIRST_USER + USER_COUNT].map(u64::from);
    if parts.iter().any(|&(first, count)| first <= wanted[0] && first + count >= wanted[1]) {
        return Users::of(FIRST_USER, USER_COUNT, None);
    }
    // The upper half of the longest part: accounts of the container have low ids.
    let (first, count) = parts.into_iter().max_by_key(|&(_, count)| count).unwrap_or_default();
    Users::of((first + count / 2) as u32, (count / 2) as u32, None)
}

/// Capabilities 21 (`CAP_SYS_ADMIN`), 7 (`CAP_SETUID`), 6 (`CAP_SETGID`) and 0 (`CAP_CHOWN`).
fn has_capabilities() -> bool {
    const NEEDED: u64 = 1 << 21 | 1 << 7 | 1 << 6 | 1 << 0;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective =
        field(&status, "CapEff:").and_then(|text| u64::from_str_radix(text, 16).ok()).unwrap_or(0);
    effective & NEEDED == NEEDED
}

/// An ordinary user may use the ids of /etc/subuid and /etc/subgid, in a user namespace into which
/// newuidmap and newgidmap map them (subuid(5)), and which the keeper holds.
fn of_subuid() -> Result<Users, String> {
    let (user, group) = judges_ids();
    let account = nix::unistd::User::from_uid(user.into()).ok().flatten();
    let name = account.as_ref().map(|account| account.name.as_str());
    let (users, user_count) = subordinate("/etc/subuid", user, name)?;
    let (groups, group_count) = subordinate("/etc/subgid", user, name)?;
    let count = user_count.min(group_count);
    let mut keeper = Supervisor::asked(&Request::Keep, false, true)
        .map_err(within("the keeper of user ids cannot be started"))?;
    let answered = keeper.socket.set_read_timeout(Some(SETUP_TIME));
    answered
        .and_then(|()| keeper.socket.read_exact(&mut [0]))
        .map_err(within("no user namespace can be made"))?;
    let pid = keeper.process.id();
    // Groups have the same ids inside as users, whatever they have outside.
    for (program, own, outer) in [("newuidmap", user, users), ("newgidmap", group, groups)] {
        let map = [pid, own, own, 1, users, outer, count].map(|number| number.to_string());
        let output = Command::new(program).args(map).output();
        let output = output.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => format!("{program} is not installed"),
            _ => within(program)(error),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{program}: {}", said.lines().next().unwrap_or("it failed")));
        }
    }
    Users::of(users, count, Some(keeper))
}

/// The largest range of ids that a file such as /etc/subuid gives to a user: the first, and how
/// many.
fn subordinate(file: &str, user: u32, name: Option<&str>) -> Result<(u32, u32), String> {
    let text = fs::read_to_string(file).map_err(within(file))?;
    largest_range(&text, user, name).ok_or_else(|| {
        let who = name.map_or_else(|| user.to_string(), String::from);
        format!("{file} has no ids for {who}")
    })
}

fn largest_range(text: &str, user: u32, name: Option<&str>) -> Option<(u32, u32)> {
    let number = user.to_string();
    let ranges = text.lines().filter_map(|line| {
        let mut fields = line.trim().split(':');
        let who = fields.next()?;
        let range = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        (who == number || Some(who) == name).then_some(range)
    });
    ranges.max_by_key(|&(_, count)| count)
}

/// Runs the keeper.
pub(crate) fn keep() {
    let mut judge = io::stdout();
    if unshare(CloneFlags::CLONE_NEWUSER).is_ok()
        && judge.write_all(b"k").and_then(|()| judge.flush()).is_ok()
    {
        let _ = io::stdin().read(&mut [0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_range_of_a_user_is_taken_by_name_or_number() {
        let text = "ann:100000:65536\n# a remark\n1001:165536:70000\nann:300000:10\nbob:x:y\n";
        let found = |user, name| largest_range(text, user, name);
        assert_eq!(found(1001, Some("ann")), Some((165_536, 70_000)));
        assert_eq!(found(1000, Some("ann")), Some((100_000, 65_536)));
        assert_eq!(found(1000, Some("bob")), None);
        assert_eq!(found(1000, None), None);
    }

    #[test]
    fn boxes_have_different_users_until_all_have_been_taken() {
        let users = Users::of(5_000, 513, None).unwrap();
        let mut taken: Vec<u32> = (0..256).map(|_| users.next().id).collect();
        assert!(taken.iter().all(|id| (5_000..5_512).contains(id) && id % 2 == 0), "{taken:?}");
        taken.sort_unstable();
        taken.dedup();
        // Tests run side by side and may take some, too.
        assert!(taken.len() > 200, "{}", taken.len());
        assert!(Users::of(1, 255, None).is_err());
    }
}
