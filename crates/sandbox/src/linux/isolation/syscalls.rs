//! Seccomp filters: a list of the system calls that programs need, with their arguments checked.
//! All other calls fail. How the list was made: docs/security.md.
#![allow(unsafe_code, reason = "a filter with a listener has no safe form in the libraries")]

use super::refused_calls::{self, FCNTL_LOCKS, SIGNALS};
use libc as c;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare,
    SeccompCondition, SeccompFilter, SeccompRule, sock_filter,
};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::OwnedFd;
use syscalls::Sysno;

/// System calls that are allowed with any arguments.
const ALLOWED: &[&str] = &[
    // Files.
    "read write pread64 pwrite64 readv writev preadv pwritev openat close close_range lseek \
     fstat statx statfs fstatfs faccessat faccessat2 getdents64 getcwd chdir \
     fchdir mkdirat unlinkat linkat symlinkat readlinkat renameat renameat2 truncate \
     ftruncate fallocate fsync fdatasync utimensat fchmod fchmodat fchmodat2 fchown fchownat \
     mknodat umask dup dup3 pipe2 copy_file_range getxattr lgetxattr fgetxattr listxattr \
     llistxattr flistxattr",
    // Memory.
    "brk munmap mprotect mremap msync mincore madvise membarrier",
    // Processes, threads and synchronization.
    "clone execve exit exit_group wait4 waitid set_tid_address set_robust_list rseq futex \
     futex_waitv futex_wake futex_wait futex_requeue restart_syscall sched_yield \
     sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max \
     sched_get_priority_min sched_rr_get_interval getpriority getcpu getrandom epoll_create1 \
     epoll_pwait epoll_pwait2 eventfd2 signalfd4 timerfd_create timerfd_settime \
     timerfd_gettime ppoll pselect6",
    // Signals.
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigsuspend rt_sigtimedwait \
     sigaltstack",
    // Identity and usage.
    "getpid getppid gettid getuid geteuid getgid getegid getgroups getresuid getresgid \
     getpgid setpgid getsid capget getrusage getrlimit setrlimit times uname sysinfo",
    // Time.
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday getitimer setitimer \
     timer_create timer_settime timer_gettime timer_getoverrun timer_delete",
    // Sockets. The network belongs to the box.
    "socket socketpair bind listen accept accept4 connect getsockname getpeername sendto \
     recvfrom sendmsg recvmsg sendmmsg recvmmsg getsockopt shutdown",
    // Older forms, which not every processor has.
    "open creat stat lstat access getdents mkdir rmdir unlink link symlink readlink rename \
     chmod chown lchown mknod utime utimes futimesat dup2 pipe fork vfork poll select \
     epoll_create epoll_wait eventfd signalfd alarm pause time getpgrp arch_prctl",
];

/// Runtimes try these calls but do not need them; they fail with `ENOSYS`, unreported. The
/// arguments of `clone3` and `openat2` are in memory, which a filter cannot read; the others hold
/// memory that is not accounted to a process, or reach parts of the kernel that a player has no use
/// for. Handles for `pidfd_send_signal` come from `pidfd_open`, but also from /proc and from sockets.
const TRIED_BY_RUNTIMES: &str = "clone3 openat2 io_uring_setup io_uring_enter io_uring_register memfd_create \
    get_mempolicy set_mempolicy mbind inotify_init1 pkey_alloc mlock \
    pidfd_send_signal";

/// The numbers of the system calls with these names that this processor has.
fn numbers(names: &str) -> impl Iterator<Item = i64> {
    names.split(' ').filter_map(|name| name.parse::<Sysno>().ok()).map(|call| call as i64)
}

/// Names of threads and of memory, parent-death signals, and queries.
const PRCTL_OPTIONS: &[c::c_int] = &[
    c::PR_SET_NAME,
    c::PR_GET_NAME,
    c::PR_SET_PDEATHSIG,
    c::PR_GET_PDEATHSIG,
    c::PR_GET_DUMPABLE,
    c::PR_SET_DUMPABLE,
    c::PR_SET_NO_NEW_PRIVS,
    c::PR_GET_NO_NEW_PRIVS,
    c::PR_GET_SECCOMP,
    c::PR_CAPBSET_READ,
    c::PR_SET_TIMERSLACK,
    c::PR_GET_TIMERSLACK,
    c::PR_SET_THP_DISABLE,
    c::PR_GET_THP_DISABLE,
    c::PR_SET_CHILD_SUBREAPER,
    c::PR_GET_CHILD_SUBREAPER,
    c::PR_SET_VMA,
];

/// Requests on terminals, pipes, files and network devices.
const IOCTL_REQUESTS: &[u64] = &[
    0x5401,      // TCGETS
    0x5402,      // TCSETS
    0x5403,      // TCSETSW
    0x5404,      // TCSETSF
    0x540f,      // TIOCGPGRP
    0x5411,      // TIOCOUTQ
    0x5413,      // TIOCGWINSZ
    0x541b,      // FIONREAD
    0x5421,      // FIONBIO
    0x5450,      // FIONCLEX
    0x5451,      // FIOCLEX
    0x802c_542a, // TCGETS2
    0x4004_9409, // FICLONE
    0x8912,      // SIOCGIFCONF
    0x8913,      // SIOCGIFFLAGS
    0x8915,      // SIOCGIFADDR
    0x8919,      // SIOCGIFBRDADDR
    0x891b,      // SIOCGIFNETMASK
    0x8921,      // SIOCGIFMTU
    0x8927,      // SIOCGIFHWADDR
    0x8933,      // SIOCGIFINDEX
    0x8910,      // SIOCGIFNAME
];

/// Leases delay other processes that open the file, and directory notifications reveal what they
/// do. The owner of a file gets signals from the kernel: as `O_ASYNC`, and `SIOCSPGRP` and others
/// among the requests, these commands are ways around what [`SIGNALS`] allows.
const FCNTL_REFUSED: &[c::c_int] =
    &[c::F_SETLEASE, c::F_NOTIFY, c::F_SETOWN, F_SETSIG, F_SETOWN_EX];
const F_SETSIG: c::c_int = 10;
const F_SETOWN_EX: c::c_int = 15;

/// Options that make the buffers of a socket larger, or let it hold pages of the program by
/// reference.
const SOCKET_MEMORY: &[c::c_int] =
    &[c::SO_SNDBUF, c::SO_RCVBUF, c::SO_SNDBUFFORCE, c::SO_RCVBUFFORCE, c::SO_ZEROCOPY];

/// Calls that move data by reference: a socket can hold a page of a file for each byte that it is
/// charged for, and the page outlives the file. With `EINVAL`, as on file systems that cannot do
/// this, libraries copy instead.
const BY_REFERENCE: &str = "sendfile splice";

/// A usual pipe. Larger ones soon use up what all pipes of a user may have together
/// (`fs.pipe-user-pages-soft`), and new ones are small from then on.
const PIPE_SIZE: u64 = 1 << 16;

/// Flags of `clone`. `CLONE_NEWTIME` is not among them: its bit belongs to the exit signal.
const NEW_NAMESPACES: &[c::c_int] = &[
    c::CLONE_NEWNS,
    c::CLONE_NEWCGROUP,
    c::CLONE_NEWUTS,
    c::CLONE_NEWIPC,
    c::CLONE_NEWUSER,
    c::CLONE_NEWPID,
    c::CLONE_NEWNET,
];

pub(super) struct Filters {
    /// Answer some calls with an error number, or 0, unreported.
    answering: [BpfProgram; 4],
    /// Allows what programs need, and notifies the listener of all other calls.
    notifying: BpfProgram,
    /// The same where the kernel grants no listener: other calls fail with `ENOSYS`.
    silent: BpfProgram,
}

/// What the filters of a box depend on.
#[derive(Default)]
pub(super) struct Circumstances<'a> {
    /// Processes that get no signals, by the player's numbers.
    pub(super) protected: &'a [i32],
    /// The box has process and network namespaces. Otherwise the listener looks for whom a signal
    /// is.
    pub(super) namespaces: bool,
    /// Landlock guards signals and the lengths of files.
    pub(super) guarded: bool,
    /// The program is reached over TCP.
    pub(super) has_port: bool,
    /// The player's user and group.
    pub(super) own: (u32, u32),
    /// A control group limits memory. Otherwise more calls that hold memory of the kernel are
    /// counted.
    pub(super) group: bool,
    /// The box has a share of processor time of its own. Otherwise each session may have one.
    pub(super) own_share: bool,
}

pub(super) fn filters(box_: &Circumstances) -> io::Result<Filters> {
    let answer = |rules, errno: c::c_int| {
        build(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32))
    };
    let all = |names| numbers(names).map(|call| (call, Vec::new())).collect();
    let others = |rules, action| build(rules, action, SeccompAction::Allow);
    let listened = others(allowed(box_, true)?, SeccompAction::Trace(TO_LISTENER))?;
    Ok(Filters {
        answering: [
            answer(refused_arguments(box_)?, c::EPERM)?,
            answer(all(TRIED_BY_RUNTIMES), c::ENOSYS)?,
            answer(all(BY_REFERENCE), c::EINVAL)?,
            answer(without_effect(box_)?, 0)?,
        ],
        notifying: listened.into_iter().map(to_listener).collect(),
        silent: others(allowed(box_, false)?, SeccompAction::Errno(c::ENOSYS as u32))?,
    })
}

/// The number of system calls that a player can make, some of them with restricted arguments.
pub fn reachable() -> usize {
    let any = Circumstances { namespaces: true, ..Circumstances::default() };
    allowed(&any, true).map_or(0, |calls| calls.len())
}

impl Filters {
    /// Installs the filters for the calling thread and everything it starts. Returns the listener;
    /// `None` if the kernel grants none, as in a container whose own filter has one.
    pub(super) fn enter(&self) -> io::Result<Option<OwnedFd>> {
        self.answering.iter().try_for_each(apply)?;
        match refused_calls::enter(&self.notifying) {
            Ok(listener) => Ok(Some(listener)),
            Err(_) => apply(&self.silent).map(|()| None),
        }
    }
}

fn apply(filter: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(filter).map_err(io::Error::other)
}

/// The arguments with which calls match, by number; any arguments if there are no rules.
type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn build(rules: Rules, mismatch: SeccompAction, matched: SeccompAction) -> io::Result<BpfProgram> {
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, mismatch, matched, architecture);
    filter.map_err(io::Error::other)?.try_into().map_err(io::Error::other)
}

/// Calls that change the user or group of a process: each argument has to be the player's number or
/// -1 (unchanged). `make` starts commands in this way (`POSIX_SPAWN_RESETIDS`).
fn own_identities((user, group): (u32, u32)) -> io::Result<Vec<(i64, Vec<SeccompRule>)>> {
    let calls = [
        (c::SYS_setuid, 1, user),
        (c::SYS_setgid, 1, group),
        (c::SYS_setreuid, 2, user),
        (c::SYS_setregid, 2, group),
        (c::SYS_setresuid, 3, user),
        (c::SYS_setresgid, 3, group),
    ];
    let rules = calls.into_iter().map(|(call, arguments, own)| {
        let choices = (0..1u32 << arguments).map(|choice| {
            let condition = |argument: u8| {
                let value = if choice >> argument & 1 == 0 { own } else { u32::MAX };
                (argument, Compare::Eq, u64::from(value))
            };
            rule(&(0..arguments).map(condition).collect::<Vec<_>>())
        });
        Ok((call, choices.collect::<io::Result<_>>()?))
    });
    rules.collect()
}

/// A placeholder: the library has no action that notifies a listener.
const TO_LISTENER: u32 = 0x4c53;

fn to_listener(line: sock_filter) -> sock_filter {
    const RETURN: u16 = 0x06;
    if line.code == RETURN && line.k == c::SECCOMP_RET_TRACE | TO_LISTENER {
        return sock_filter { k: c::SECCOMP_RET_USER_NOTIF, ..line };
    }
    line
}

fn rule(conditions: &[(u8, Compare, u64)]) -> io::Result<SeccompRule> {
    let conditions = conditions.iter().map(|(argument, compare, value)| {
        SeccompCondition::new(*argument, Length::Dword, compare.clone(), *value)
    });
    conditions.collect::<Result<_, _>>().and_then(SeccompRule::new).map_err(io::Error::other)
}

fn one_of(argument: u8, values: impl IntoIterator<Item = u64>) -> io::Result<Vec<SeccompRule>> {
    values.into_iter().map(|value| rule(&[(argument, Compare::Eq, value)])).collect()
}

fn none_of(
    argument: u8,
    values: impl IntoIterator<Item = c::c_int>,
) -> io::Result<Vec<SeccompRule>> {
    let conditions = values.into_iter().map(|value| (argument, Compare::Ne, value as u64));
    Ok(vec![rule(&conditions.collect::<Vec<_>>())?])
}

/// All allowed calls. A listener counts some of them.
fn allowed(box_: &Circumstances, listened: bool) -> io::Result<Rules> {
    let &Circumstances { protected, namespaces, guarded, own, group, .. } = box_;
    let plain = ALLOWED.iter().flat_map(|names| numbers(names));
    // Without effect where it matters: see `without_effect`.
    let plain = plain.chain(WITHOUT_EFFECT.iter().copied());
    // The name of the first differs between processors.
    let others = [c::SYS_newfstatat, c::SYS_setsid, c::SYS_setsockopt];
    let mut calls: Rules = plain.chain(others).map(|call| (call, Vec::new())).collect();
    let options = PRCTL_OPTIONS.iter().map(|&option| u64::from(option as u32));
    calls.insert(c::SYS_prctl, one_of(0, options)?);
    calls.insert(c::SYS_ioctl, one_of(1, IOCTL_REQUESTS.iter().copied())?);
    // No group is charged for locks (Linux 6.18).
    let counted = if listened { FCNTL_LOCKS } else { &[] };
    let commands = FCNTL_REFUSED.iter().chain(counted).chain(&[c::F_SETFL]);
    let mut commands = none_of(1, commands.copied())?;
    let quiet = (2, Compare::MaskedEq(c::O_ASYNC as u64), 0);
    commands.push(rule(&[(1, Compare::Eq, c::F_SETFL as u64), quiet])?);
    calls.insert(c::SYS_fcntl, commands);
    // Flags ask whether the page cache has a page, which another game may have brought there.
    for call in [c::SYS_preadv2, c::SYS_pwritev2] {
        calls.insert(call, one_of(5, [0])?);
    }
    // The listener counts new items of epoll and memory shared without a file.
    let counted =
        |uncounted: Vec<SeccompRule>| if group || !listened { Vec::new() } else { uncounted };
    calls.insert(c::SYS_epoll_ctl, counted(none_of(1, [c::EPOLL_CTL_ADD])?));
    let (anonymous, kind) = (c::MAP_ANONYMOUS as u64, c::MAP_TYPE as u64);
    let mappings = vec![
        rule(&[(3, Compare::MaskedEq(anonymous), 0)])?,
        rule(&[(3, Compare::MaskedEq(kind), c::MAP_PRIVATE as u64)])?,
    ];
    calls.insert(c::SYS_mmap, counted(mappings));
    // Only the caller's own limits.
    calls.insert(c::SYS_prlimit64, one_of(0, [0])?);
    // Queries, and Linux's own with or without address randomization.
    calls.insert(c::SYS_personality, one_of(0, [0, 0x0004_0000, 0xffff_ffff])?);
    // Without a process namespace threads of the judge have numbers, too: the listener looks whose
    // they are. Where nobody looks, there are no signals.
    if namespaces || !listened && guarded {
        for &call in SIGNALS {
            let any = protected.is_empty();
            let rules = if any { Vec::new() } else { none_of(0, protected.iter().copied())? };
            calls.insert(call, rules);
        }
    }
    calls.extend(own_identities(own)?);
    if !namespaces && !guarded {
        calls.remove(&c::SYS_truncate);
    }
    Ok(calls)
}

/// Calls that succeed without an effect, because what they change is the judge's and programs
/// seldom check for their failure: the processors that a box runs on, the priorities of its threads
/// (one that yields to all others would seem to be kept waiting by the machine), and what the page
/// cache holds for the next game.
const WITHOUT_EFFECT: &[i64] = &[
    c::SYS_sched_setaffinity,
    c::SYS_sched_setscheduler,
    c::SYS_sched_setparam,
    c::SYS_setpriority,
    c::SYS_fadvise64,
];

/// Sessions are among them unless the box has a share of processor time of its own: Linux gives
/// each session as much as another one (sched(7), autogroups).
fn without_effect(box_: &Circumstances) -> io::Result<Rules> {
    let mut calls: Rules = WITHOUT_EFFECT.iter().map(|&call| (call, Vec::new())).collect();
    let level = (1, Compare::Eq, c::SOL_SOCKET as u64);
    let buffers =
        SOCKET_MEMORY.iter().map(|&option| rule(&[level.clone(), (2, Compare::Eq, option as u64)]));
    calls.insert(c::SYS_setsockopt, buffers.collect::<io::Result<_>>()?);
    if !box_.own_share {
        calls.insert(c::SYS_setsid, Vec::new());
    }
    Ok(calls)
}

/// Refused arguments of allowed calls.
fn refused_arguments(box_: &Circumstances) -> io::Result<Rules> {
    let mut refused: Rules = unreadable_rules()?.into_iter().collect();
    let has = |flag: &c::c_int| rule(&[(0, Compare::MaskedEq(*flag as u64), *flag as u64)]);
    refused.insert(c::SYS_clone, NEW_NAMESPACES.iter().map(has).collect::<io::Result<_>>()?);
    // Some other families lead out of a network namespace. Landlock guards TCP alone.
    let families = [c::AF_UNIX, c::AF_NETLINK, c::AF_INET, c::AF_INET6];
    let usable = if box_.namespaces || box_.has_port { 4 } else { 2 };
    for call in [c::SYS_socket, c::SYS_socketpair] {
        refused.insert(call, none_of(0, families[..usable].iter().copied())?);
    }
    let large = [(1, Compare::Eq, c::F_SETPIPE_SZ as u64), (2, Compare::Gt, PIPE_SIZE)];
    refused.insert(c::SYS_fcntl, vec![rule(&large)?]);
    Ok(refused)
}

/// Rules against modes with an execute bit and without the owner's read bit: the counter of CPU
/// time loses a program that cannot be read when it is executed. And against files that are opened
/// for reading and cut: Landlock has let that pass up to Linux 6.1.
fn unreadable_rules() -> io::Result<Vec<(i64, Vec<SeccompRule>)>> {
    const READ: u64 = 0o400;
    let modes = |argument: u8, more: &[(u8, Compare, u64)]| -> io::Result<Vec<SeccompRule>> {
        let mode = |execute| (argument, Compare::MaskedEq(READ | execute), execute);
        let executes = [0o100, 0o010, 0o001].into_iter();
        executes.map(|execute| rule(&[more, &[mode(execute)]].concat())).collect()
    };
    let creates = |argument: u8, flag: i32| (argument, Compare::MaskedEq(flag as u64), flag as u64);
    // Without the bits of O_DIRECTORY.
    let nameless = c::O_TMPFILE & !c::O_DIRECTORY;
    let open = |flags: u8, mode: u8| -> io::Result<Vec<SeccompRule>> {
        let cut = |mode: i32| {
            let mask = Compare::MaskedEq((c::O_TRUNC | c::O_ACCMODE) as u64);
            rule(&[(flags, mask, (c::O_TRUNC | mode) as u64)])
        };
        Ok([
            modes(mode, &[creates(flags, c::O_CREAT)])?,
            modes(mode, &[creates(flags, nameless)])?,
            // The second mode gives no access, but asks for both.
            vec![cut(c::O_RDONLY)?, cut(c::O_ACCMODE)?],
        ]
        .concat())
    };
    #[cfg_attr(
        not(target_arch = "x86_64"),
        expect(unused_mut, reason = "only x86-64 has more rules")
    )]
    let mut rules = vec![
        (c::SYS_fchmod, modes(1, &[])?),
        (c::SYS_fchmodat, modes(2, &[])?),
        (Sysno::fchmodat2 as i64, modes(2, &[])?),
        (c::SYS_mknodat, modes(2, &[])?),
        (c::SYS_openat, open(2, 3)?),
        (c::SYS_umask, vec![rule(&[(0, Compare::MaskedEq(READ), READ)])?]),
    ];
    #[cfg(target_arch = "x86_64")]
    rules.extend([
        (c::SYS_chmod, modes(1, &[])?),
        (c::SYS_creat, modes(1, &[])?),
        (c::SYS_mknod, modes(1, &[])?),
        (c::SYS_open, open(1, 2)?),
    ]);
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn every_name_is_that_of_a_system_call() {
        for names in ALLOWED.iter().chain([&TRIED_BY_RUNTIMES, &BY_REFERENCE]) {
            assert_eq!(numbers(names).count(), names.split(' ').count(), "{names}");
        }
    }
}
