//! More hostile players: those after time, memory, the network and the kernel.

use super::attacks::Without::{Borne, Works, WorksForRoot};
use super::attacks::{Attack, ON, attack, with};

/// A clock of 0.5 s, of which 1.5 s are burnt.
const SHORT: &str = "--each time=0.5";
const LATE: &[&str] = &["time forfeit"];

/// Those that would not be charged.
pub(crate) const TIME: &[Attack] = &[
    with(
        SHORT,
        attack(
            "burns in a child that is reaped by itself",
            Works,
            LATE,
            "
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN); child(lambda: burn(1.5))
try: os.wait()
except OSError: pass",
        ),
    ),
    with(
        SHORT,
        attack(
            "burns in children of a child that is reaped by itself",
            Works,
            LATE,
            "
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def deed(): [child(lambda: burn(0.5)) for _ in range(3)]; os.wait()
child(deed)
try: os.wait()
except OSError: pass",
        ),
    ),
    with(
        SHORT,
        attack(
            "burns in a daemon",
            Borne,
            LATE,
            "
play(); end = os.pipe()
def daemon(): os.setsid(); child(lambda: burn(1.5))
os.waitpid(child(daemon), 0); os.close(end[1]); os.read(end[0], 1)",
        ),
    ),
    with(
        SHORT,
        attack(
            "burns in threads",
            Borne,
            LATE,
            "
play(); threads = [threading.Thread(target=burn, args=(0.5,)) for _ in range(3)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]",
        ),
    ),
    with(
        SHORT,
        attack(
            "burns in a program that nobody may read",
            Works,
            LATE,
            "
play(); subprocess.run(['cp', os.path.realpath(sys.executable), 'p'])
try: os.chmod('p', 0o111)
except OSError: pass
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
line = 'import time\\nwhile time.process_time() < 1.5: pass'
child(lambda: os.execv('./p', ['./p', '-c', line]))
try: os.wait()
except OSError: pass",
        ),
    ),
    with(
        SHORT,
        attack(
            "burns, and ends its supervisor",
            Borne,
            &["time forfeit", "crash"],
            "
play(); burn(1.5); os.kill(os.getppid(), signal.SIGKILL) if os.getppid() != 1 else None; time.sleep(0.2)
if os.getppid() != 1: got('no supervisor')",
        ),
    ),
    attack(
        "sets the machine's clock",
        WorksForRoot,
        ON,
        "
play(); attempt('clock', lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))",
    ),
];

const LITTLE: &str = "--memory 128 --each time=10";

/// Those that take more memory than they may.
pub(crate) const MEMORY: &[Attack] = &[
    with(
        LITTLE,
        attack(
            "memory by shared mappings",
            Works,
            &["crash"],
            "
play(); shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
time.sleep(0.3); got('300 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory by children",
            Works,
            &["crash"],
            "
play()
def eat(): eaten = b'x' * (100 << 20); time.sleep(4)
[child(eat) for _ in range(3)]; time.sleep(3); got('300 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory by children that nobody may look into",
            Works,
            &["crash"],
            "
play(); libc.prctl(4, 0, 0, 0, 0)
def eat(): eaten = b'x' * (100 << 20); time.sleep(4)
[child(eat) for _ in range(3)]; time.sleep(3); got('300 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory in a file without a name",
            Works,
            &["crash", "draw by move limit"],
            "
play()
try: files = [os.memfd_create('x') for _ in range(10)]
except OSError: os._exit(0)
[os.write(file, b'x' * (30 << 20)) for file in files]; time.sleep(0.3); got('300 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory in /dev/shm",
            Works,
            &["crash", "draw by move limit"],
            "
play(); path = '/dev/shm/' + name
try:
    for number in range(10): open(path + str(number), 'wb').write(b'x' * (30 << 20))
    time.sleep(0.3); got('300 MiB')
finally:
    [os.unlink(path) for path in glob.glob(path + '*')]",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory of System V",
            Works,
            &["crash", "draw by move limit"],
            "
play(); made = []
try:
    libc.shmat.restype = ctypes.c_void_p
    for number in range(10):
        made.append(libc.shmget(0, 30 << 20, 0o1600))
        if made[-1] < 0: os._exit(0)
        ctypes.memset(libc.shmat(made[-1], None, 0), 1, 30 << 20)
    time.sleep(0.3); got('300 MiB')
finally: [libc.shmctl(one, 0, None) for one in made]",
        ),
    ),
];

/// Those that are after the network, and other people's means of talking.
pub(crate) const NETWORK: &[Attack] = &[
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

/// Those that are after the kernel.
pub(crate) const KERNEL: &[Attack] = &[
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
