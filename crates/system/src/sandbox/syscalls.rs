//! System calls that no player needs and that reach out of a box, or into the kernel's less trodden parts.

use libc as c;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Compare, SeccompCondition, SeccompFilter,
    SeccompRule, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// Calls that are refused as not permitted.
const REFUSED: &[i64] = &[
    c::SYS_ptrace,
    c::SYS_process_vm_readv,
    c::SYS_process_vm_writev,
    c::SYS_process_madvise,
    c::SYS_pidfd_getfd,
    c::SYS_kcmp,
    c::SYS_mount,
    c::SYS_umount2,
    c::SYS_pivot_root,
    c::SYS_chroot,
    c::SYS_move_mount,
    c::SYS_open_tree,
    c::SYS_fsopen,
    c::SYS_fsconfig,
    c::SYS_fsmount,
    c::SYS_fspick,
    c::SYS_mount_setattr,
    c::SYS_unshare,
    c::SYS_setns,
    c::SYS_keyctl,
    c::SYS_add_key,
    c::SYS_request_key,
    c::SYS_bpf,
    c::SYS_perf_event_open,
    c::SYS_userfaultfd,
    c::SYS_fanotify_init,
    c::SYS_name_to_handle_at,
    c::SYS_open_by_handle_at,
    c::SYS_quotactl,
    c::SYS_acct,
    c::SYS_syslog,
    c::SYS_swapon,
    c::SYS_swapoff,
    c::SYS_reboot,
    c::SYS_kexec_load,
    c::SYS_init_module,
    c::SYS_finit_module,
    c::SYS_delete_module,
    c::SYS_sethostname,
    c::SYS_setdomainname,
    c::SYS_settimeofday,
    c::SYS_clock_settime,
    c::SYS_clock_adjtime,
    c::SYS_adjtimex,
    c::SYS_vhangup,
    c::SYS_setxattr,
    c::SYS_lsetxattr,
    c::SYS_fsetxattr,
    c::SYS_shmget,
    #[cfg(target_arch = "x86_64")]
    c::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    c::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    c::SYS_modify_ldt,
];

/// Calls that are said not to exist, so that programs do without: their arguments cannot be looked at, or they hold memory
/// that no process's figures show.
const UNKNOWN: &[i64] = &[
    c::SYS_clone3,
    c::SYS_openat2,
    c::SYS_io_uring_setup,
    c::SYS_io_uring_enter,
    c::SYS_io_uring_register,
    c::SYS_memfd_create,
    c::SYS_memfd_secret,
    SETXATTRAT,
];

const SETXATTRAT: i64 = 463;

/// Flags of `clone` that make namespaces: `CLONE_NEWNS` to `CLONE_NEWNET`, and `CLONE_NEWTIME` aside, which shares its bit
/// with the signal at a child's end.
const NEW_NAMESPACES: u64 = (c::CLONE_NEWNS
    | c::CLONE_NEWCGROUP
    | c::CLONE_NEWUTS
    | c::CLONE_NEWIPC
    | c::CLONE_NEWUSER
    | c::CLONE_NEWPID
    | c::CLONE_NEWNET) as u64;

/// The filters of a box, in the order in which they are entered.
pub(super) fn filters() -> io::Result<Vec<BpfProgram>> {
    let mut refused: BTreeMap<i64, Vec<SeccompRule>> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    {
        let call = c::SYS_clone;
        refused.insert(call, namespace_rules()?);
    }
    refused.insert(c::SYS_ioctl, terminal_rules()?);
    refused.insert(c::SYS_socket, socket_rules()?);
    refused.insert(c::SYS_socketpair, socket_rules()?);
    for (call, rules) in unreadable_rules()? {
        refused.insert(call, rules);
    }
    let unknown = UNKNOWN.iter().map(|&call| (call, Vec::new())).collect();
    let mut programs = vec![filter(refused, c::EPERM)?, filter(unknown, c::ENOSYS)?];
    if cfg!(target_arch = "x86_64") {
        programs.push(no_second_numbers());
    }
    Ok(programs)
}

/// Puts the calling thread, and all it starts, behind a filter.
pub(super) fn enter(filter: &BpfProgram) -> io::Result<()> {
    seccompiler::apply_filter(filter).map_err(io::Error::other)
}

fn filter(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> io::Result<BpfProgram> {
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(errno as u32), architecture);
    filter.map_err(io::Error::other)?.try_into().map_err(io::Error::other)
}

fn rule(conditions: &[(u8, Compare, u64)]) -> io::Result<SeccompRule> {
    let conditions: Result<Vec<_>, _> = conditions
        .iter()
        .map(|(argument, compare, value)| SeccompCondition::new(*argument, Length::Dword, compare.clone(), *value))
        .collect();
    SeccompRule::new(conditions.map_err(io::Error::other)?).map_err(io::Error::other)
}

/// `clone` with any flag that makes a namespace.
fn namespace_rules() -> io::Result<Vec<SeccompRule>> {
    let bits = (0..32).map(|bit| 1u64 << bit).filter(|bit| NEW_NAMESPACES & bit != 0);
    bits.map(|bit| rule(&[(0, Compare::MaskedEq(bit), bit)])).collect()
}

/// Requests that type into a terminal.
fn terminal_rules() -> io::Result<Vec<SeccompRule>> {
    // Requests are of another type where the C library is musl.
    let requests = [c::TIOCSTI as c::c_ulong, c::TIOCLINUX as c::c_ulong];
    requests.into_iter().map(|request| rule(&[(1, Compare::Eq, request)])).collect()
}

/// Sockets of other families than local ones, the Internet's, and that which names devices: some of them lead out of a
/// network namespace.
fn socket_rules() -> io::Result<Vec<SeccompRule>> {
    let others = [c::AF_UNIX, c::AF_INET, c::AF_INET6, c::AF_NETLINK];
    let conditions: Vec<_> = others.into_iter().map(|family| (0, Compare::Ne, family as u64)).collect();
    Ok(vec![rule(&conditions)?])
}

/// Files that may be executed and not read: a program in such a file is cut off from the counter of its CPU time when it
/// is executed. They come about by modes with a right to execute, for anyone, and without the owner's right to read.
fn unreadable_rules() -> io::Result<Vec<(i64, Vec<SeccompRule>)>> {
    const READ: u64 = 0o400;
    let modes = |argument: u8, more: &[(u8, Compare, u64)]| -> io::Result<Vec<SeccompRule>> {
        [0o100, 0o010, 0o001]
            .into_iter()
            .map(|execute| {
                let mode = [(argument, Compare::MaskedEq(READ | execute), execute)];
                rule(&[more, &mode].concat())
            })
            .collect()
    };
    let creates = |argument: u8, flag: i32| (argument, Compare::MaskedEq(flag as u64), flag as u64);
    // Without the flags that a directory is asked for by.
    let nameless = c::O_TMPFILE & !c::O_DIRECTORY;
    let open = |flags: u8, mode: u8| -> io::Result<Vec<SeccompRule>> {
        Ok([modes(mode, &[creates(flags, c::O_CREAT)])?, modes(mode, &[creates(flags, nameless)])?].concat())
    };
    let mut rules = vec![
        (c::SYS_fchmod, modes(1, &[])?),
        (c::SYS_fchmodat, modes(2, &[])?),
        (FCHMODAT2, modes(2, &[])?),
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

const FCHMODAT2: i64 = 452;

/// On x86-64 the kernel may know every call by a second number, for programs with short addresses: no filter by numbers
/// knows those.
fn no_second_numbers() -> BpfProgram {
    const LOAD_WORD: u16 = 0x20;
    const JUMP_IF_AT_LEAST: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const FIRST_OF_THEM: u32 = 0x4000_0000;
    const ALLOW: u32 = 0x7fff_0000;
    const ERRNO: u32 = 0x0005_0000;
    let line = |code, jt, jf, k| sock_filter { code, jt, jf, k };
    vec![
        // The number of the call is at the beginning of what a filter sees.
        line(LOAD_WORD, 0, 0, 0),
        line(JUMP_IF_AT_LEAST, 0, 1, FIRST_OF_THEM),
        line(RETURN, 0, 0, ERRNO | c::ENOSYS as u32),
        line(RETURN, 0, 0, ALLOW),
    ]
}
