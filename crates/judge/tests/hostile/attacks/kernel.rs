//! Hostile players that attack the network and the kernel.

use super::Without::{Borne, Works, WorksForRoot};
use super::{Attack, ON, attack};

/// Players that use the network, or other channels between processes.
pub(super) const NETWORK: &[Attack] = &[
    attack("connects to the teacher's port", Works, ON, "attempt('port', lambda: socket.create_connection(('127.0.0.1', port))); play()"),
    attack("connects to an abstract socket", Works, ON, r"attempt('socket', lambda: socket.socket(socket.AF_UNIX).connect('\0' + name)); play()"),
    attack("connects to a local socket", Works, ON, "attempt('socket', lambda: socket.socket(socket.AF_UNIX).connect(canary + '/socket')); play()"),
    attack("opens a queue of others", Works, ON, "
try: queue = ctypes.CDLL('librt.so.1').mq_open(('/' + name).encode(), os.O_RDWR)
except OSError: queue = -1
if queue >= 0: got('queue')
play()"),
    attack("attaches shared memory of others", Works, ON, "
if libc.shmget(key, 4096, 0) >= 0: got('memory')
play()"),
    attack("opens a socket to the host of this machine", Borne, ON, "
try: socket.socket(40, socket.SOCK_STREAM).connect((2, 1))
except OSError as error:
    if error.errno in (errno.ECONNRESET, errno.ETIMEDOUT): got('the host')
play()"),
    attack("listens for others", Works, ON, "
def serve(): one = socket.socket(); one.bind(('127.0.0.1', 0)); one.listen(); socket.create_connection(one.getsockname())
attempt('port', serve); play()"),
];

/// Players that attack the kernel.
pub(super) const KERNEL: &[Attack] = &[
    attack(
        "makes a user namespace",
        Works,
        ON,
        "
if libc.unshare(0x10000000) == 0: got('namespace')
play()",
    ),
    attack(
        "makes a namespace by clone",
        Works,
        ON,
        "
pid = libc.syscall(ctypes.c_long(56), ctypes.c_long(0x10000000 | 17), None, None, None, None)
if pid == 0: os._exit(0)
if pid > 0: got('namespace')
play()",
    ),
    attack(
        "makes a namespace by clone3",
        Works,
        ON,
        r"
arguments = ctypes.create_string_buffer(struct.pack('8Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0))
pid = libc.syscall(ctypes.c_long(435), arguments, ctypes.c_long(64))
if pid == 0: os._exit(0)
if pid > 0: got('namespace')
play()",
    ),
    attack(
        "calls by second numbers",
        Borne,
        ON,
        "
if libc.syscall(ctypes.c_long(0x40000000 + 272), ctypes.c_long(0x10000000)) == 0: got('namespace')
play()",
    ),
    attack("looks into the kernel's keys", Works, ON, "call('keys', 250, 0, -3, 0); play()"),
    attack("sets up a ring of calls", Works, ON, "call('ring', 425, 4, ctypes.create_string_buffer(120)); play()"),
    attack(
        "opens a counter",
        Works,
        ON,
        r"
attributes = ctypes.create_string_buffer(struct.pack('IIQQQQQ', 1, 64, 1, 0, 0, 0, 0x61) + bytes(16))
call('counter', 298, attributes, 0, -1, -1, 0); play()",
    ),
    attack(
        "loads a program into the kernel",
        WorksForRoot,
        ON,
        r"
call('map', 321, 0, ctypes.create_string_buffer(struct.pack('IIII', 2, 4, 4, 1) + bytes(112)), 128); play()",
    ),
    attack(
        "reads the kernel's log",
        WorksForRoot,
        ON,
        "
if libc.klogctl(10, None, 0) >= 0: got('log')
play()",
    ),
    attack(
        "makes a device",
        WorksForRoot,
        ON,
        "play(); attempt('device', lambda: os.mknod('device', 0o600 | stat.S_IFBLK, os.makedev(7, 0)))",
    ),
    attack(
        "changes its root",
        WorksForRoot,
        ON,
        "
play()
if libc.chroot(b'.') == 0: got('root')",
    ),
    attack("becomes somebody else", WorksForRoot, ON, "play(); attempt('user', lambda: os.setuid(12))"),
    attack(
        "renames the machine",
        WorksForRoot,
        ON,
        "
play()
attempt('name', lambda: socket.sethostname(socket.gethostname()))",
    ),
];
