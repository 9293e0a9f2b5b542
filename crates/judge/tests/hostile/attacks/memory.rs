//! Hostile players that exceed their memory limit.

use super::Without::{Borne, Works};
use super::{Attack, ENDED_OR_REFUSED, LITTLE, attack, with};

/// Players that exceed their memory limit.
pub(super) const MEMORY: &[Attack] = &[
    with(
        LITTLE,
        attack(
            "memory by shared mappings",
            Works,
            &["crash"],
            "
play(); shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
time.sleep(2); got('300 MiB')",
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
[os.write(file, b'x' * (30 << 20)) for file in files]; time.sleep(2); got('300 MiB')",
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
    time.sleep(2); got('300 MiB')
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
    time.sleep(2); got('300 MiB')
finally: [libc.shmctl(one, 0, None) for one in made]",
        ),
    ),
];

/// Players that hide memory: in pipes, sockets, shared segments.
pub(super) const HIDDEN: &[Attack] = &[
    with(
        LITTLE,
        attack(
            "600 MiB behind a leader that has ended",
            Works,
            &["crash"],
            "
play()
def deed():
    time.sleep(0.1); shared = mmap.mmap(-1, 600 << 20)
    for at in range(0, 600 << 20, 4096): shared[at] = 1
    time.sleep(2); got('600 MiB'); os._exit(0)
threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))",
        ),
    ),
    with(
        LITTLE,
        attack(
            "600 MiB behind the leader of a child that has ended",
            Works,
            &["crash"],
            "
play()
def eat():
    def deed():
        time.sleep(0.1); shared = mmap.mmap(-1, 600 << 20)
        for at in range(0, 600 << 20, 4096): shared[at] = 1
        time.sleep(2); got('600 MiB'); os._exit(0)
    threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))
os.waitpid(child(eat), 0)",
        ),
    ),
    with(
        LITTLE,
        attack(
            "600 MiB of tables of pages",
            Works,
            &["crash"],
            "
play(); step = 2 << 20; count = 150000
room = mmap.mmap(-1, step * count, flags=mmap.MAP_PRIVATE | 0x4000, prot=mmap.PROT_READ)
for at in range(count): room[at * step]
time.sleep(2); got('600 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "400 MiB in queues of messages",
            Works,
            ENDED_OR_REFUSED,
            "
play(); text = ctypes.create_string_buffer(struct.pack('q', 1) + bytes(8000)); made = []
try:
    for number in range(25000):
        made.append(libc.msgget(0, 0o1600))
        if made[-1] < 0: os._exit(0)
        for _ in range(2): libc.msgsnd(made[-1], text, 8000, 0o4000)
    time.sleep(2); got('400 MiB')
finally: [libc.msgctl(one, 0, None) for one in made if one >= 0]",
        ),
    ),
    with(
        LITTLE,
        attack(
            "500 MiB in sockets",
            Works,
            &["crash"],
            "
play(); held = []; resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
for number in range(1500):
    ends = socket.socketpair(); held.append(ends)
    for end in ends:
        end.setblocking(False)
        try:
            while end.send(b'x' * 65536): pass
        except BlockingIOError: pass
time.sleep(2); got('500 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "sockets on their way through sockets",
            Borne,
            ENDED_OR_REFUSED,
            "
play(); held = []
try:
    for number in range(1500):
        one, other = socket.socketpair(); one.setblocking(False)
        try:
            while one.send(b'x' * 65536): pass
        except BlockingIOError: pass
        if number % 100 == 0: carrier = socket.socketpair(); held.append(carrier)
        socket.send_fds(carrier[0], [b'x'], [one.fileno(), other.fileno()]); one.close(); other.close()
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "pipes in many processes",
            Borne,
            ENDED_OR_REFUSED,
            "
play()
def deed():
    ends = []
    try:
        for number in range(2000):
            ends.append(os.pipe()); os.set_blocking(ends[-1][1], False)
            try: os.write(ends[-1][1], b'x' * 65536)
            except OSError: pass
    except OSError: pass
    time.sleep(4)
children = [child(deed) for _ in range(40)]; time.sleep(3.5); got('40 times 2000 pipes')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "semaphores of System V",
            Works,
            ENDED_OR_REFUSED,
            "
play(); made = libc.semget(0, 32000, 0o1600)
if made >= 0: libc.semctl(made, 0, 0); got('semaphores')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "queues of messages by name",
            Works,
            ENDED_OR_REFUSED,
            "
play()
try: queue = ctypes.CDLL('librt.so.1').mq_open(b'/' + name.encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
except OSError: queue = -1
if queue >= 0: ctypes.CDLL('librt.so.1').mq_unlink(b'/' + name.encode()); got('a queue')",
        ),
    ),
    with(
        LITTLE,
        attack("memory that no process maps", Works, ENDED_OR_REFUSED, "play(); call('secret memory', 447, 0)"),
    ),
    with(
        LITTLE,
        attack(
            "a watch of files",
            Works,
            ENDED_OR_REFUSED,
            "
play(); file = libc.inotify_init1(0)
if file >= 0: got('watches')",
        ),
    ),
    with(
        LITTLE,
        attack(
            "memory of a child that shares it by vfork",
            Borne,
            &["crash"],
            "
play(); shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
subprocess.run(['true']); time.sleep(2); got('300 MiB')",
        ),
    ),
    with(
        "--memory 128 --processes 16 --each time=10",
        attack(
            "200 threads that sleep",
            Borne,
            ENDED_OR_REFUSED,
            "
play(); count = 0
try:
    for number in range(200): threading.Thread(target=lambda: time.sleep(2), daemon=True).start(); count += 1
except RuntimeError: os._exit(0)
time.sleep(2); got('200 threads')",
        ),
    ),
];
