//! The hostile players: what each tries, in Python, after the prelude.

/// A hostile player.
pub(crate) struct Attack {
    /// A name for tables.
    pub(crate) name: &'static str,
    /// What it does.
    pub(crate) code: &'static str,
    /// Options of the match beside the usual ones.
    pub(crate) options: &'static str,
    /// The ends of its games in a box, one of which it has to be.
    pub(crate) ends: &'static [&'static str],
    /// Whether it gets something without walls: as anybody, only as root, or nothing, since it never got through.
    pub(crate) without: Without,
}

/// Whether an attack gets something where there are no walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Without {
    /// The attack works, for any user that the judge runs as.
    Works,
    /// The attack works where the judge is root.
    WorksForRoot,
    /// It tries what the judge itself has to bear, walls or not.
    Borne,
}

pub(crate) const ON: &[&str] = &["draw by move limit"];

pub(crate) const fn attack(
    name: &'static str,
    without: Without,
    ends: &'static [&'static str],
    code: &'static str,
) -> Attack {
    Attack { name, code, options: "", ends, without }
}

pub(crate) const fn with(options: &'static str, attack: Attack) -> Attack {
    Attack { options, ..attack }
}

use Without::{Borne, Works, WorksForRoot};

/// Those that are after files.
pub(crate) const FILES: &[Attack] = &[
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
for number in range(100000):
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
    attack("leaves a word in /dev/shm for its next turn", Works, ON, "
path = '/dev/shm/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()"),
    attack("leaves a word in /var/tmp for its next turn", Works, ON, "
path = '/var/tmp/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()"),
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

/// Those that are after other processes.
pub(crate) const PROCESSES: &[Attack] = &[
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
