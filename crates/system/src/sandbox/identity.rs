//! Who a player is: a user of its own where the judge is root, the judge's own user without rights elsewhere.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::BuildHasher;
use std::io;

/// The first of the users that boxes of a judge that is root may run as, and their number. No account is nearly as high.
const FIRST: u32 = 0x6000_0000;
const COUNT: u32 = 0x1000_0000;

/// Maps one user and one group into the user namespace that this process has just made, both under their own number: a
/// user 0 becomes 1000, so that a program it starts has no rights in the namespace.
pub(super) fn map(user: u32, group: u32) -> io::Result<()> {
    let inner = |outer: u32| if outer == 0 { 1000 } else { outer };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{} {user} 1", inner(user)))?;
    fs::write("/proc/self/gid_map", format!("{} {group} 1", inner(group)))
}

/// A user that no other box has, if the judge may become it: it is root, with all users to choose from.
#[must_use]
pub fn own_user() -> Option<u32> {
    if !nix::unistd::geteuid().is_root() || !has_capabilities() {
        return None;
    }
    let map = fs::read_to_string("/proc/self/uid_map").ok()?;
    let reaches = map.lines().any(|line| {
        let fields: Vec<u64> = line.split_whitespace().filter_map(|field| field.parse().ok()).collect();
        matches!(fields[..], [first, _, count]
            if first <= u64::from(FIRST) && first + count >= u64::from(FIRST) + u64::from(COUNT))
    });
    let random = RandomState::new().hash_one(std::process::id());
    reaches.then(|| FIRST + (random % u64::from(COUNT)) as u32)
}

/// Whether this process may administer mounts and become another user: bits 21, 6, 7 and 0 of its capabilities.
fn has_capabilities() -> bool {
    const NEEDED: u64 = 1 << 21 | 1 << 7 | 1 << 6 | 1 << 0;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|text| u64::from_str_radix(text.trim(), 16).ok()).unwrap_or(0);
    effective & NEEDED == NEEDED
}
