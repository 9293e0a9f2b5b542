//! Hostile players that attack other processes, and process 1 of their sandbox.

use super::Without::{Borne, Works, WorksForRoot};
use super::{Attack, LITTLE, ON, attack, with};

/// Players that signal, trace or read other processes.
pub(super) const PROCESSES: &[Attack] = &[
    attack("ends another process", Works, ON, "play(); attempt('signal', lambda: os.kill(victim, 0))"),
    attack(
        "reads another's environment",
        Works,
        ON,
        "attempt('environment', lambda: open('/proc/%d/environ' % victim).read()); play()",
    ),
    attack(
        "finds the teacher's words in its environment",
        Works,
        ON,
        "
if 'JUDGE_TEST_SECRET' in os.environ: got('a secret')
play()",
    ),
    attack(
        "reads another's memory",
        Works,
        ON,
        "attempt('memory', lambda: open('/proc/%d/mem' % victim, 'rb')); play()",
    ),
    attack(
        "traces another",
        Works,
        ON,
        "
if libc.ptrace(16, victim, 0, 0) == 0:
    os.waitpid(victim, 0x40000000); libc.ptrace(17, victim, 0, 0); got('a process')
play()",
    ),
    attack(
        "reads the judge's environment",
        Works,
        ON,
        "attempt('environment', lambda: open('/proc/%d/environ' % judge).read()); play()",
    ),
    attack(
        "opens its supervisor's descriptors",
        WorksForRoot,
        ON,
        "
for number in range(8): attempt('descriptor', lambda: open('/proc/%d/fd/%d' % (os.getppid(), number), 'wb'))
play()",
    ),
    attack(
        "opens its supervisor's memory",
        WorksForRoot,
        ON,
        "attempt('memory', lambda: open('/proc/%d/mem' % os.getppid(), 'r+b')); play()",
    ),
    attack(
        "ends its supervisor",
        Works,
        ON,
        "
play()
if os.getppid() != 1: attempt('supervisor', lambda: os.kill(os.getppid(), 0))
else: os.kill(1, signal.SIGKILL); time.sleep(0.2); got('process 1') if os.getppid() != 1 else None",
    ),
    attack(
        "stops its supervisor",
        Works,
        ON,
        "
play()
if os.getppid() != 1: attempt('supervisor', lambda: os.kill(os.getppid(), signal.SIGCONT))
else: os.kill(1, signal.SIGSTOP)",
    ),
    with(
        "--each time=0.2 --wall-margin 0.5",
        attack("stops itself", Borne, &["stall"], "play(); os.kill(os.getpid(), signal.SIGSTOP)"),
    ),
    with("--each time=0.2 --wall-margin 0.5", attack("sleeps", Borne, &["stall"], "play(); time.sleep(98611)")),
    attack(
        "leaves a daemon",
        Borne,
        ON,
        "
play()
def daemon(): os.setsid(); child(lambda: time.sleep(98611))
os.waitpid(child(daemon), 0)",
    ),
    attack(
        "leaves a process that ignores all signals",
        Borne,
        ON,
        "
play()
def stubborn():
    os.setsid()
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    time.sleep(98611)
child(stubborn)",
    ),
    attack(
        "leaves a stopped process",
        Borne,
        ON,
        "play(); child(lambda: os.kill(os.getpid(), signal.SIGSTOP)); time.sleep(0.1)",
    ),
    with(
        "--processes 40",
        attack(
            "a fork bomb",
            Works,
            ON,
            r"
play(); count = 0
try:
    while count < 120: child(lambda: time.sleep(2)); count += 1
    got('%d processes' % count)
except OSError: pass",
        ),
    ),
    with(
        "--processes 40",
        attack(
            "a thread bomb",
            Works,
            ON,
            r"
play(); count = 0
try:
    while count < 120:
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start(); count += 1
    got('%d threads' % count)
except RuntimeError: pass
os._exit(0)",
        ),
    ),
    with(
        "--processes 40",
        attack(
            "a zombie bomb",
            Works,
            ON,
            r"
play(); count = 0
try:
    while count < 120: child(lambda: None); count += 1
    got('%d zombies' % count)
except OSError: pass",
        ),
    ),
    attack(
        "leaves its session and its group",
        Borne,
        ON,
        "
play()
def away(): os.setsid(); time.sleep(98611)
child(away)",
    ),
    attack(
        "raises its limits",
        Borne,
        ON,
        "
play()
attempt('memory', lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 50, 1 << 50)))
attempt('processes', lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1 << 20, 1 << 20)))",
    ),
    attack("raises its priority", WorksForRoot, ON, "play(); attempt('priority', lambda: os.nice(-5))"),
    attack(
        "dumps core",
        Borne,
        &["draw by move limit"],
        "
play()
try: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)); got('a core')
except (ValueError, OSError): pass
os.abort()",
    ),
    attack("reads standard input", Borne, ON, "sys.stdin.read() and got('input'); play()"),
    attack(
        "types into a terminal",
        Borne,
        ON,
        "
for path in ['/dev/tty', '/dev/stdin', '/dev/console']:
    try: attempt('a terminal', lambda: fcntl.ioctl(os.open(path, os.O_RDWR), 0x5412, b'x'))
    except OSError: pass
play()",
    ),
];

/// Players that attack process 1 of their sandbox.
pub(super) const WATCHERS: &[Attack] = &[
    with(
        LITTLE,
        attack(
            "takes the watch's files away, and 500 MiB of memory",
            Works,
            &["crash"],
            "
play(); limit = struct.pack('QQ', 3, 3); libc.syscall(ctypes.c_long(302), ctypes.c_long(os.getppid()), ctypes.c_long(7), limit, None)
shared = mmap.mmap(-1, 500 << 20)
for at in range(0, 500 << 20, 4096): shared[at] = 1
time.sleep(2); got('500 MiB')",
        ),
    ),
    attack(
        "takes its supervisor's CPU time away",
        Works,
        ON,
        "
play(); limit = struct.pack('QQ', 0, 0)
if libc.syscall(ctypes.c_long(302), ctypes.c_long(os.getppid()), ctypes.c_long(0), limit, None) == 0: got('a limit'); time.sleep(2)",
    ),
    attack(
        "reads its supervisor's limits",
        Works,
        ON,
        "
play(); limit = ctypes.create_string_buffer(16)
if libc.syscall(ctypes.c_long(302), ctypes.c_long(os.getppid()), ctypes.c_long(7), None, limit) == 0: got('limits')",
    ),
    attack("makes its supervisor idle", Works, ON, "play(); attempt('idle', lambda: os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0)))"),
    attack("makes its supervisor nice", Works, ON, "play(); attempt('nice', lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19))"),
    attack(
        "makes all of its user nice",
        Borne,
        ON,
        "
play()
attempt('nice', lambda: os.setpriority(os.PRIO_USER, os.getuid(), 19))",
    ),
    attack("sends its supervisor to one processor", Works, ON, "play(); attempt('processor', lambda: os.sched_setaffinity(os.getppid(), {0}))"),
    attack(
        "sends its supervisor every signal",
        Borne,
        ON,
        "
play()
if os.getppid() == 1:
    for number in range(1, 65):
        attempt('signal %d' % number, lambda: os.kill(1, number))",
    ),
    attack(
        "signals a thread of its supervisor",
        Borne,
        ON,
        "
play()
if os.getppid() == 1 and libc.syscall(ctypes.c_long(234), ctypes.c_long(1), ctypes.c_long(1), ctypes.c_long(19)) == 0: got('signal')",
    ),
    attack(
        "signals its supervisor by a descriptor",
        Borne,
        ON,
        "
play()
def deed():
    file = os.pidfd_open(os.getppid())
    if os.getppid() == 1: got('descriptor')
try: deed()
except OSError: pass",
    ),
    attack(
        "floods its supervisor with signals of ended children",
        Borne,
        ON,
        "
play()
for _ in range(2000):
    try: os.kill(1, signal.SIGCHLD)
    except OSError: break
else:
    if os.getppid() == 1: got('signals')",
    ),
    attack(
        "writes what its supervisor is",
        Borne,
        ON,
        "
play()
if os.getppid() == 1:
    for file, text in (('oom_score_adj', '1000'), ('comm', 'x'), ('timerslack_ns', '1000000000'), ('clear_refs', '1'), ('coredump_filter', '0'), ('autogroup', '19'), ('sched', '0'), ('loginuid', '0'), ('setgroups', 'deny'), ('uid_map', '0 0 1')):
        def deed():
            with open('/proc/1/' + file, 'w') as opened: opened.write(text)
        attempt(file, deed)",
    ),
    attack(
        "reads what its supervisor has",
        Borne,
        ON,
        "
play()
if os.getppid() == 1:
    for file in ('environ', 'mem', 'maps', 'smaps_rollup', 'syscall', 'stack', 'auxv', 'io', 'personality', 'pagemap'):
        attempt(file, lambda: open('/proc/1/' + file, 'rb').read(1))
    for file in ('fd', 'fdinfo', 'map_files'): attempt(file, lambda: os.listdir('/proc/1/' + file))
    for file in ('root', 'cwd', 'exe', 'ns/mnt', 'ns/user'): attempt(file, lambda: os.readlink('/proc/1/' + file))",
    ),
    attack(
        "enters its supervisor's namespaces",
        Borne,
        ON,
        "
play()
for kind in ('mnt', 'user', 'pid', 'net'):
    def deed():
        file = os.open('/proc/%d/ns/%s' % (os.getppid(), kind), os.O_RDONLY)
        if libc.setns(file, 0) != 0: raise OSError
    if os.getppid() == 1: attempt(kind, deed)",
    ),
    attack(
        "becomes the user of its supervisor",
        Borne,
        ON,
        "
play(); owner = int(next(line for line in open('/proc/1/status') if line.startswith('Uid:')).split()[1])
if owner != os.getuid():
    attempt('user', lambda: os.setresuid(owner, owner, owner)); attempt('file', lambda: os.chown('input.txt', owner, owner))",
    ),
    attack(
        "has itself traced by a child",
        Works,
        ON,
        "
play(); own = os.getpid(); end = os.pipe()
def deed():
    if libc.ptrace(16, own, None, None) == 0: got('traced'); libc.ptrace(17, own, None, None)
os.waitpid(child(deed), 0)",
    ),
    attack(
        "filters its own calls and answers them itself",
        Works,
        ON,
        r"
play(); libc.prctl(38, 1, 0, 0, 0); code = struct.pack('HBBI', 6, 0, 0, 0x7fff0000); keep = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', 1, ctypes.addressof(keep)))
if libc.syscall(ctypes.c_long(317), ctypes.c_long(1), ctypes.c_long(8), program) >= 0: got('a listener')",
    ),
    attack(
        "floods the listener of its filter",
        Borne,
        ON,
        "
play()
for number in range(5000): libc.syscall(ctypes.c_long(1000 + number % 50))",
    ),
    attack(
        "calls by the numbers of 32 bits",
        Borne,
        &["draw by move limit", "crash"],
        r"
play()
def deed():
    room = mmap.mmap(-1, 4096, prot=7); room.write(bytes.fromhex('b814000000cd80c3'))
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))() == os.getpid(): got('call')
os.waitpid(child(deed), 0)",
    ),
];
