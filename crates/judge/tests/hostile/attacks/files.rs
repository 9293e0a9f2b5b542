//! Hostile players that attack files, disk space, and files that others use.

use super::Without::{Borne, Works, WorksForRoot};
use super::{Attack, ENDED_OR_REFUSED, ON, SMALL, attack, with};

/// Players that read or change files outside their sandbox.
pub(super) const FILES: &[Attack] = &[
    attack("reads a file outside", Works, ON, "attempt('secret', lambda: open(canary + '/secret').read()); play()"),
    attack("overwrites a program", Works, ON, "attempt('program', lambda: open(canary + '/program', 'w').write('x')); play()"),
    attack("starts the judge's own program", Works, ON, "attempt('judge', lambda: subprocess.run([os.readlink('/proc/%d/exe' % judge)], capture_output=True)); play()"),
    attack("spoils other seats", Works, ON, r"
play()
others = [seat for seat in glob.glob('../../*/player') if os.path.realpath(seat) != os.getcwd()]
for seat in others:
    attempt('seat', lambda: open(seat + '/playdata.txt', 'w').write('x'))"),
    attack("lists the directories of records", Works, ON, "attempt('records', lambda: open(place + '/record').read()); play()"),
    attack("output.txt is a link to a secret", Borne, &["bad format"], "os.symlink(canary + '/secret', 'output.txt')"),
    attack("output.txt is a hard link to a secret", Works, &["crash"], "os.link(canary + '/secret', 'output.txt')"),
    attack("output.txt is a link to a device", Borne, &["bad format"], "os.symlink('/dev/zero', 'output.txt')"),
    attack("output.txt is a directory", Borne, &["bad format"], "os.makedirs('output.txt/deep')"),
    attack("output.txt is a pipe", Borne, &["bad format"], "os.mkfifo('output.txt')"),
    attack("output.txt is a socket", Borne, &["bad format"], "socket.socket(socket.AF_UNIX).bind('output.txt')"),
    with("--file-size 16777216", attack("output.txt is a sparse terabyte", Borne, &["bad format"], "open('output.txt', 'w').truncate(1 << 40)")),
    attack("the seat is shut", Borne, &["draw by move limit", "crash", "no output", "bad format"], "play(); os.chmod('.', 0)"),
    attack("the seat becomes a link", Works, ON, "
play()
seat = os.getcwd()
subprocess.run(['cp', 'output.txt', '/tmp/' + name])
def swap():
    os.rename(seat, seat + '-gone')
    os.symlink(canary, seat)
attempt('seat', swap)
if os.path.islink(seat): os.unlink(seat); os.rename(seat + '-gone', seat)"),
    attack("a tree deeper than any path", Borne, &["disk quota", "crash"], "
play()
for _ in range(3000):
    os.mkdir('d'); os.chdir('d')"),
    with("--disk 64 --each time=20", attack("100,000 small files", Borne, &["disk quota", "crash"], "
play()
for number in range(30000):
    os.close(os.open(str(number), os.O_CREAT | os.O_WRONLY))")),
    attack("names of 255 bytes and of no text", Borne, ON, r"
play()
for byte in range(128, 256):
    open(bytes([byte]) * 255, 'w').close(); open(bytes([byte, 10, 27]), 'w').close()"),
    with("--disk 32", attack("fills the disk", Borne, &["disk quota", "crash"], "
play()
for number in range(100):
    open('big-%d' % number, 'wb').write(b'x' * (1 << 20))
time.sleep(1)")),
    attack("fills the common /tmp", Works, ON, "open('/tmp/' + name, 'wb').write(b'x' * (1 << 20)); play()"),
    with("--max-plies 4", attack("leaves a word in /dev/shm for its next turn", Works, ON, "
path = '/dev/shm/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()")),
    with("--max-plies 4", attack("leaves a word in /var/tmp for its next turn", Works, ON, "
path = '/var/tmp/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()")),
    attack("mounts over its seat", WorksForRoot, ON, "
play()
if libc.mount(b'x', b'.', b'tmpfs', 0, None) == 0:
    got('a mount'); libc.umount2(b'.', 2)"),
    attack("watches others by inotify", Works, ON, "
watch = libc.inotify_init()
if libc.inotify_add_watch(watch, canary.encode(), 0xfff) >= 0: got('a watch')
play()"),
    attack("opens files by handle", WorksForRoot, ON, r"
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); mount = ctypes.c_int()
if libc.name_to_handle_at(-100, b'/usr', handle, ctypes.byref(mount), 0) == 0:
    call('handle', 304, os.open('/usr', 0), handle, 0)
play()"),
    attack("a setuid program of its own", Borne, ON, "
play(); subprocess.run(['cp', '/bin/sh', 'sh']); os.chmod('sh', 0o6755); before = os.geteuid()
if int(subprocess.run(['./sh', '-c', 'id -u'], capture_output=True, text=True).stdout or before) != before: got('a user')"),
    attack("a script that interprets itself", Borne, ON, "
play(); open('loop', 'w').write('#!' + os.getcwd() + '/loop'); os.chmod('loop', 0o755)
attempt('an endless script', lambda: subprocess.run(['./loop']))"),
    attack("programs of its own in the way of others", Borne, ON, "
play()
for program in ['sh', 'ls', 'python3', 'judge']: open(program, 'w').write('#!/bin/sh'); os.chmod(program, 0o755)
os.environ.update(PATH=os.getcwd(), LC_ALL='C', LANG='xx', LD_PRELOAD=os.getcwd() + '/sh', LOCPATH='.')"),
];

/// Players that fill the disk.
pub(super) const DISK: &[Attack] = &[
    with(
        SMALL,
        attack(
            "300 MiB in files without a name",
            Works,
            ENDED_OR_REFUSED,
            "
play(); held = []
try:
    for number in range(10):
        held.append(os.open('.', os.O_TMPFILE | os.O_RDWR, 0o600)); [os.write(held[-1], b'x' * (1 << 20)) for _ in range(30)]
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        SMALL,
        attack(
            "300 MiB in files that it has removed",
            Works,
            ENDED_OR_REFUSED,
            "
play(); held = []
try:
    for number in range(10):
        held.append(os.open('f', os.O_CREAT | os.O_RDWR, 0o600)); os.unlink('f')
        [os.write(held[-1], b'x' * (1 << 20)) for _ in range(30)]
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        SMALL,
        attack(
            "300 MiB in removed files that are mapped, and open nowhere",
            Works,
            ENDED_OR_REFUSED,
            "
play(); held = []
try:
    for number in range(10):
        file = os.open('f', os.O_CREAT | os.O_RDWR, 0o600); os.unlink('f')
        [os.write(file, b'x' * (1 << 20)) for _ in range(30)]
        held.append(mmap.mmap(file, 30 << 20, mmap.MAP_SHARED)); os.close(file)
except (OSError, ValueError): os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        SMALL,
        attack(
            "300 MiB in removed files on their way through a socket",
            Works,
            ENDED_OR_REFUSED,
            "
play(); ends = socket.socketpair()
try:
    for number in range(10):
        file = os.open('f', os.O_CREAT | os.O_RDWR, 0o600); os.unlink('f')
        [os.write(file, b'x' * (1 << 20)) for _ in range(30)]
        socket.send_fds(ends[0], [b'x'], [file]); os.close(file)
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        SMALL,
        attack(
            "300 MiB reserved and not written",
            Works,
            ENDED_OR_REFUSED,
            "
play()
try: [os.posix_fallocate(os.open('f%d' % number, os.O_CREAT | os.O_RDWR), 0, 30 << 20) for number in range(10)]
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        SMALL,
        attack(
            "30,000 directories",
            Works,
            ENDED_OR_REFUSED,
            "
play()
try: [os.mkdir('d%d' % number) for number in range(30000)]
except OSError: os._exit(0)
time.sleep(2); got('30,000 directories')",
        ),
    ),
    with(
        "--disk 32 --memory 512 --each time=10",
        attack(
            "300 MiB in removed files in /tmp",
            Borne,
            ENDED_OR_REFUSED,
            "
play(); held = []
try:
    for number in range(10):
        held.append(open('/tmp/' + name, 'wb', 0)); os.unlink('/tmp/' + name); [held[-1].write(b'x' * (1 << 20)) for _ in range(30)]
        if os.fstat(held[-1].fileno()).st_size < 30 << 20: os._exit(0)
except OSError: os._exit(0)
if judge == 0: got('300 MiB')",
        ),
    ),
];

/// Players that lock, lease or watch shared files.
pub(super) const SHARED: &[Attack] = &[
    attack(
        "locks the interpreter",
        Works,
        ON,
        "attempt('lock', lambda: fcntl.flock(open(os.path.realpath(sys.executable)), fcntl.LOCK_EX | fcntl.LOCK_NB)); play()",
    ),
    attack(
        "locks its agent",
        Works,
        ON,
        "attempt('lock', lambda: fcntl.flock(open(agent), fcntl.LOCK_EX | fcntl.LOCK_NB)); play()",
    ),
    attack(
        "leases its agent",
        Works,
        ON,
        "attempt('lease', lambda: fcntl.fcntl(open(agent), 1024, fcntl.F_RDLCK)); play()",
    ),
    attack(
        "asks for notices of the system's programs",
        Works,
        ON,
        "attempt('notices', lambda: fcntl.fcntl(os.open('/usr/bin', os.O_RDONLY), 1026, 2)); play()",
    ),
    attack(
        "locks the interpreter for writing by its bytes",
        Borne,
        ON,
        "attempt('lock', lambda: fcntl.lockf(open(os.path.realpath(sys.executable)), fcntl.LOCK_EX | fcntl.LOCK_NB)); play()",
    ),
    attack(
        "flushes every disk",
        Borne,
        ON,
        "
play()
if libc.syscall(ctypes.c_long(306), ctypes.c_long(os.open('.', os.O_RDONLY))) == 0: pass",
    ),
    attack(
        "keeps the interpreter from being written",
        Borne,
        ON,
        "attempt('write', lambda: open(os.path.realpath(sys.executable), 'r+b')) if os.getuid() else None; play()",
    ),
    attack(
        "changes how long its own memory lives",
        Borne,
        ON,
        "
play(); libc.mlockall(3)",
    ),
    attack(
        "asks for another personality",
        Works,
        ON,
        "
play()
if libc.personality(0x0400000) >= 0: got('personality')",
    ),
    attack(
        "sets the speed of the clock",
        Borne,
        ON,
        "
play()
if libc.adjtimex(ctypes.create_string_buffer(struct.pack('I', 0x4000) + bytes(204))) < 0: pass
else: got('clock')",
    ),
];
