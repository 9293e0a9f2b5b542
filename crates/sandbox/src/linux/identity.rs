//! The user that a player runs as: one of its own if the judge is root, otherwise the judge's user without rights
//! elsewhere.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;

/// The first of the user ids for boxes of a judge that runs as root, and their number. Accounts have much lower ids.
const FIRST_USER: u32 = 0x6000_0000;
const USER_COUNT: u32 = 0x1000_0000;

/// Maps one user and one group into the user namespace that this process has just created, with the same ids inside.
/// User 0 becomes 1000 inside, so that the programs of this process have no rights in the namespace.
pub(super) fn map(user: u32, group: u32) -> io::Result<()> {
    let inner = |outer: u32| if outer == 0 { 1000 } else { outer };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inner(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inner(group)))
}

/// The user of the init process in a box whose program runs as `user`.
pub(super) fn init_user(user: u32) -> u32 {
    user + 1
}

/// Asks the supervisor to map the users of a box into the user namespace that this process has just created, and waits
/// until that is done.
pub(super) fn request_user_map(supervisor: &mut UnixStream) -> io::Result<()> {
    supervisor.write_all(b"u")?;
    // On failure the supervisor closes the socket without an answer.
    supervisor.read_exact(&mut [0])
}

/// The supervisor's side of [`request_user_map`]: waits for the request, then maps the users of the program and of the
/// init process, each with the same id inside. Only a process outside of the namespace may map more than one user.
pub(super) fn answer_user_map_request(init: &mut UnixStream, pid: i32, user: u32) -> io::Result<()> {
    init.read_exact(&mut [0])?;
    let map = [user, init_user(user)].map(|user| format!("{user} {user} 1\n")).concat();
    fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    fs::write(format!("/proc/{pid}/gid_map"), &map)?;
    fs::write(format!("/proc/{pid}/uid_map"), &map)?;
    init.write_all(b"u")
}

/// A user id that no other box has; `None` unless the judge is root and can become any user.
pub fn own_user() -> Option<u32> {
    if !nix::unistd::geteuid().is_root() || !has_capabilities() {
        return None;
    }
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    let reaches = map.lines().any(|line| {
        let fields: Vec<u64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        matches!(fields[..], [first, _, count]
            if first <= u64::from(FIRST_USER) && first + count >= u64::from(FIRST_USER) + u64::from(USER_COUNT))
    });
    let random = RandomState::new().hash_one(std::process::id());
    // The id after it is the init process's.
    reaches.then(|| FIRST_USER + (random % u64::from(USER_COUNT)) as u32 / 2 * 2)
}

/// Whether this process may mount and may become another user: capabilities 21 (`CAP_SYS_ADMIN`), 7 (`CAP_SETUID`), 6
/// (`CAP_SETGID`) and 0 (`CAP_CHOWN`).
fn has_capabilities() -> bool {
    const NEEDED: u64 = 1 << 21 | 1 << 7 | 1 << 6 | 1 << 0;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0);
    effective & NEEDED == NEEDED
}
