# Hostile players that attack other processes, and process 1 of their sandbox.
# --- finds the teacher's words in its environment | works
if 'JUDGE_TEST_SECRET' in os.environ: got('a secret')
play()
# --- reads another's memory | works
attempt('memory', lambda: open('/proc/%d/mem' % victim, 'rb')); play()
# --- traces another | works
if libc.ptrace(16, victim, 0, 0) == 0:
    os.waitpid(victim, 0x40000000); libc.ptrace(17, victim, 0, 0); got('a process')
play()
# --- opens its supervisor's memory | works for root
attempt('memory', lambda: open('/proc/%d/mem' % os.getppid(), 'r+b')); play()
# --- ends its supervisor | works
play()
if os.getppid() != 1: attempt('supervisor', lambda: os.kill(os.getppid(), 0))
else: os.kill(1, signal.SIGKILL); time.sleep(0.2); got('process 1') if os.getppid() != 1 else None
# --- stops itself | borne | stall | --each time=0.2 --wall-margin 0.5
play(); os.kill(os.getpid(), signal.SIGSTOP)
# --- sleeps | borne | stall | --each time=0.2 --wall-margin 0.5
play(); time.sleep(98611)
# --- leaves a process that ignores all signals | borne
play()
def stubborn():
    os.setsid()
    for number in range(1, 65):
        try: signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError): pass
    time.sleep(98611)
child(stubborn)
# --- leaves a stopped process | borne
play(); child(lambda: os.kill(os.getpid(), signal.SIGSTOP)); time.sleep(0.1)
# --- a thread bomb | works | | --processes 40
play(); count = 0
try:
    while count < 120:
        threading.Thread(target=time.sleep, args=(2,), daemon=True).start(); count += 1
    got('%d threads' % count)
except RuntimeError: pass
os._exit(0)
# --- a zombie bomb | works | | --processes 40
play(); count = 0
try:
    while count < 120: child(lambda: None); count += 1
    got('%d zombies' % count)
except OSError: pass
# --- raises its limits | borne
play()
attempt('memory', lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 50, 1 << 50)))
attempt('processes', lambda: resource.setrlimit(resource.RLIMIT_NPROC, (1 << 20, 1 << 20)))
# --- raises its priority | works for root
play(); before = os.getpriority(os.PRIO_PROCESS, 0)
try: os.nice(-5)
except OSError: pass
if os.getpriority(os.PRIO_PROCESS, 0) != before: got('priority')
# --- dumps core | borne
play()
try: resource.setrlimit(resource.RLIMIT_CORE, (1 << 20, 1 << 20)); got('a core')
except (ValueError, OSError): pass
os.abort()
# --- reads standard input | borne
sys.stdin.read() and got('input'); play()
# --- types into a terminal | borne
for path in ['/dev/tty', '/dev/stdin', '/dev/console']:
    try: attempt('a terminal', lambda: fcntl.ioctl(os.open(path, os.O_RDWR), 0x5412, b'x'))
    except OSError: pass
play()
# --- takes the watch's files away, and 500 MiB of memory | works | crash, draw by move limit | --memory 128 --each time=10
play(); limit = struct.pack('QQ', 3, 3); libc.syscall(ctypes.c_long(302), ctypes.c_long(os.getppid()), ctypes.c_long(7), limit, None)
shared = mmap.mmap(-1, 500 << 20)
for at in range(0, 500 << 20, 4096): shared[at] = 1
time.sleep(2); got('500 MiB')
# --- makes all of its user nice | borne
play(); before = os.getpriority(os.PRIO_PROCESS, os.getppid())
try: os.setpriority(os.PRIO_USER, os.getuid(), 19)
except OSError: pass
if os.getpriority(os.PRIO_PROCESS, os.getppid()) != before: got('nice')
# --- sends its supervisor to one processor | works
play(); supervisor = os.getppid(); before = os.sched_getaffinity(supervisor)
try: os.sched_setaffinity(supervisor, {min(before)})
except OSError: pass
if os.sched_getaffinity(supervisor) != before: got('processor')
# --- sends its supervisor every signal | borne
play()
if os.getppid() == 1:
    for number in range(1, 65):
        attempt('signal %d' % number, lambda: os.kill(1, number))
# --- signals a thread of its supervisor | borne
play()
if os.getppid() == 1 and libc.syscall(ctypes.c_long(234), ctypes.c_long(1), ctypes.c_long(1), ctypes.c_long(19)) == 0: got('signal')
# --- signals its supervisor by a descriptor | borne
play()
def deed():
    file = os.pidfd_open(os.getppid())
    if os.getppid() == 1: got('descriptor')
try: deed()
except OSError: pass
# --- writes what its supervisor is | borne
play()
if os.getppid() == 1:
    for file, text in (('oom_score_adj', '1000'), ('comm', 'x'), ('timerslack_ns', '1000000000'), ('clear_refs', '1'), ('coredump_filter', '0'), ('autogroup', '19'), ('sched', '0'), ('loginuid', '0'), ('setgroups', 'deny'), ('uid_map', '0 0 1')):
        def deed():
            with open('/proc/1/' + file, 'w') as opened: opened.write(text)
        attempt(file, deed)
# --- reads what its supervisor has | borne
play()
if os.getppid() == 1:
    for file in ('environ', 'mem', 'maps', 'smaps_rollup', 'syscall', 'stack', 'auxv', 'io', 'personality', 'pagemap'):
        attempt(file, lambda: open('/proc/1/' + file, 'rb').read(1))
    for file in ('fd', 'fdinfo', 'map_files'): attempt(file, lambda: os.listdir('/proc/1/' + file))
    for file in ('root', 'cwd', 'exe', 'ns/mnt', 'ns/user'): attempt(file, lambda: os.readlink('/proc/1/' + file))
# --- enters its supervisor's namespaces | borne
play()
for kind in ('mnt', 'user', 'pid', 'net'):
    def deed():
        file = os.open('/proc/%d/ns/%s' % (os.getppid(), kind), os.O_RDONLY)
        if libc.setns(file, 0) != 0: raise OSError
    if os.getppid() == 1: attempt(kind, deed)
# --- becomes the user of its supervisor | borne
play(); owner = int(next(line for line in open('/proc/1/status') if line.startswith('Uid:')).split()[1])
if owner != os.getuid():
    attempt('user', lambda: os.setresuid(owner, owner, owner)); attempt('file', lambda: os.chown('input.txt', owner, owner))
# --- filters its own calls and answers them itself | works
play(); libc.prctl(38, 1, 0, 0, 0); code = struct.pack('HBBI', 6, 0, 0, 0x7fff0000); keep = ctypes.create_string_buffer(code)
program = ctypes.create_string_buffer(struct.pack('HxxxxxxQ', 1, ctypes.addressof(keep)))
if libc.syscall(ctypes.c_long(317), ctypes.c_long(1), ctypes.c_long(8), program) >= 0: got('a listener')
# --- floods the listener of its filter | borne
play()
for number in range(5000): libc.syscall(ctypes.c_long(1000 + number % 50))
# --- calls by the numbers of 32 bits | borne | draw by move limit, crash
play()
def deed():
    room = mmap.mmap(-1, 4096, prot=7); room.write(bytes.fromhex('b814000000cd80c3'))
    if ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(room)))() == os.getpid(): got('call')
os.waitpid(child(deed), 0)
# --- signals as the owner of a pipe | works
play()
def end_by_own(target, own):
    reader, writer = os.pipe(); own(reader, target)
    fcntl.fcntl(reader, 10, signal.SIGKILL); fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC); os.write(writer, b'x')
for target in others():
    attempt('owner', lambda: end_by_own(target, lambda file, owner: fcntl.fcntl(file, fcntl.F_SETOWN, owner)))
    for kind in (0, 1, 2):
        attempt('owner', lambda: end_by_own(target, lambda file, owner: fcntl.fcntl(file, 15, struct.pack('ii', kind, owner))))
# --- signals as the owner of a socket | works
play()
for target in others():
    for request in (0x8901, 0x8902):
        def deed():
            here, there = socket.socketpair(); fcntl.ioctl(here, request, struct.pack('i', target))
            fcntl.fcntl(here, 10, signal.SIGKILL); fcntl.ioctl(here, 0x5452, struct.pack('i', 1)); there.send(b'x')
        attempt('owner', deed)
# --- signals when a terminal has something to say | works
play(); terminal, end = os.openpty()
attempt('flag', lambda: fcntl.fcntl(terminal, fcntl.F_SETFL, os.O_ASYNC))
attempt('request', lambda: fcntl.ioctl(end, 0x5452, struct.pack('i', 1)))
# --- signals by a directory of /proc | works
play()
for target in others():
    attempt('process', lambda: signal.pidfd_send_signal(os.open('/proc/%d' % target, os.O_DIRECTORY), signal.SIGKILL))
# --- signals who is at the other end of a socket | works
play(); link = socket.socket(socket.AF_UNIX)
def deed():
    link.connect(canary + '/socket'); handle = struct.unpack('i', link.getsockopt(socket.SOL_SOCKET, 77, 4))[0]
    signal.pidfd_send_signal(handle, signal.SIGKILL)
attempt('process', deed)
# --- sends information with a signal | works
play(); about = ctypes.create_string_buffer(struct.pack('iii', 9, 0, -1) + bytes(116))
for target in others():
    for call, arguments in ((129, (target, 9, about)), (297, (target, target, 9, about)), (200, (target, 9)), (234, (target, target, 9))):
        def deed():
            if libc.syscall(ctypes.c_long(call), *[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) < 0: raise OSError
        attempt('process', deed)
# --- has its ended parent's parent signalled | borne
play(); stack = ctypes.create_string_buffer(1 << 16)
for flags in (9, 0x8000 | 9):
    if libc.syscall(ctypes.c_long(56), ctypes.c_long(flags), None, None, None, None) == 0: time.sleep(0.2); os._exit(0)
os._exit(0)
# --- writes what other processes are | works
play()
for target in others():
    for file, text in (('mem', ''), ('oom_score_adj', '900'), ('autogroup', '9'), ('timerslack_ns', '9'), ('clear_refs', '1'), ('coredump_filter', '0')):
        def deed():
            with open('/proc/%d/%s' % (target, file), 'r+' if file != 'clear_refs' else 'w') as opened: opened.write(text)
        attempt(file + ' of the ' + {victim: 'stranger', judge: 'judge'}.get(target, 'supervisor'), deed)
# --- changes others by their numbers | borne
play()
for target in others():
    call('limits', 302, target, 7, ctypes.create_string_buffer(struct.pack('QQ', 64, 64)), None)
    call('memory', 311, target, ctypes.create_string_buffer(16), 1, ctypes.create_string_buffer(16), 1, 0)
    for number in (251, 256, 279, 312, 440, 448, 438): call(str(number), number, target, target, 0, 0, 0, 0)
