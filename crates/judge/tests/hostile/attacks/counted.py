# Hostile players that use up what the kernel counts by user or by machine, or that make up evidence: of waiting, of a
# machine that fails, of the clock. They run in the long part of the tests.
# --- pipes of 1 MiB | works | | --each time=10
play(); large = 0
for _ in range(100):
    try: large += fcntl.fcntl(os.pipe()[0], 1031, 1 << 20) > 1 << 16
    except OSError: break
if large: got('%d pipes' % large)
time.sleep(1)
# --- usual pipes, until new ones are small | borne | crash, draw by move limit | --each time=10
play(); kept = []
try:
    while len(kept) < 1500: kept.append(os.pipe())
except OSError: pass
time.sleep(1)
# --- descriptors on their way | borne | | --each time=10
play(); s, t = socket.socketpair(); null = os.open('/dev/null', os.O_RDWR); s.setblocking(False)
try:
    while True: socket.send_fds(s, [b'x'], [null] * 253)
except OSError: pass
time.sleep(1)
# --- sockets on their way in one another | borne | | --each time=10
play(); outer = socket.socketpair()
try:
    for _ in range(2000):
        inner = socket.socketpair(); socket.send_fds(inner[0], [b'x'], [outer[0].fileno(), outer[1].fileno()]); outer = inner
except OSError: pass
time.sleep(1)
# --- a page of a file for each byte in a socket | works | crash, draw by move limit | --memory 512 --each time=20
play(); held = 0; kept = []; r, w = os.pipe()
for number in range(100):
    s, t = socket.socketpair(); kept += [s, t]; s.setblocking(False)
    piece = open('piece', 'w+b'); piece.write(b'x' * (8 << 20)); piece.flush()
    try:
        for at in range(0, 8 << 20, 16 * 4096):
            for page in range(16): os.splice(piece.fileno(), w, 1, offset_src=at + 4096 * page)
            held += os.splice(r, s.fileno(), 16, flags=2)
    except BlockingIOError: os.read(r, 16)
    except OSError: break
    piece.truncate(0); piece.close()
if held > 10000: got('%d pages' % held)
# --- a page of a file for each byte, by sendfile | works | crash, draw by move limit, disk quota | --memory 512 --each time=20
play(); held = 0; kept = []
for number in range(100):
    s, t = socket.socketpair(); kept += [s, t]; s.setblocking(False)
    piece = open('piece', 'w+b'); piece.write(b'x' * (8 << 20)); piece.flush()
    try:
        for at in range(0, 8 << 20, 4096): held += os.sendfile(s.fileno(), piece.fileno(), at, 1)
    except BlockingIOError: pass
    except OSError: break
    piece.truncate(0); piece.close()
if held > 10000: got('%d pages' % held)
# --- its own pages by reference, without a copy | borne | crash, draw by move limit | --memory 128 --each time=10
play(); listener = socket.create_server(('127.0.0.1', 0)) if os.path.exists('/proc/net') else None
s = socket.socket()
try: s.setsockopt(socket.SOL_SOCKET, 60, 1)
except OSError: pass
try:
    if s.getsockopt(socket.SOL_SOCKET, 60): got('SO_ZEROCOPY')
except OSError: pass
# --- pages given to a pipe | borne | | --each time=10
play(); r, w = os.pipe(); memory = ctypes.create_string_buffer(8192)
vector = (ctypes.c_ulong * 2)(ctypes.addressof(memory), 8192)
call('vmsplice', 278, w, ctypes.byref(vector), 1, 1)
call('tee', 276, r, w, 1, 0)
# --- asynchronous requests for the disk | works | | --each time=10
play(); context = ctypes.c_ulong(0)
call('65,536 requests', 206, 60000, ctypes.byref(context))
# --- instances of inotify and fanotify | works | | --each time=10
play(); call('inotify', 294, 0); call('fanotify', 300, 0, 0)
# --- keys by the hundred | works | | --each time=10
play()
for number in range(300): call('a key', 248, b'user', b'k%d' % number, b'x', 1, -3)
# --- locked memory | borne | | --each time=10
play(); memory = ctypes.create_string_buffer(1 << 16)
call('mlock2', 325, ctypes.addressof(memory), 1 << 16, 0); call('mlockall', 151, 1)
# --- queues, segments and sets of System V | works | | --each time=10
play()
for number in range(40):
    call('a queue', 68, 0, 0o1600); call('a segment', 29, 0, 4096, 0o1600); call('a set', 64, 0, 1, 0o1600)
# --- queues by name | works | | --each time=10
play(); call('a queue', 240, b'/q%d' % os.getpid(), 0o102, 0o600, None)
# --- terminals | borne | | --each time=10
play()
for _ in range(100): attempt('a terminal', lambda: os.open('/dev/ptmx', os.O_RDWR))
# --- 20,000 open files in 40 processes | borne | crash, draw by move limit | --each time=20
play()
def deed():
    try:
        for _ in range(500): os.open('/dev/null', os.O_RDONLY)
    except OSError: pass
    time.sleep(2)
[child(deed) for _ in range(40)]; time.sleep(2)
# --- pages that user space fills | borne | | --each time=10
play(); call('userfaultfd', 323, 1)
# --- a flood of packets on the loopback device | borne | draw by move limit, time forfeit | --each time=10
play(); s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); start = time.monotonic()
try:
    while time.monotonic() - start < 2: s.sendto(b'x' * 1400, ('127.0.0.1', 9))
except OSError: pass
# --- names of abstract sockets | borne | | --each time=10
play(); kept = []
try:
    for number in range(200):
        s = socket.socket(socket.AF_UNIX); s.bind('\0judge-%d' % number); kept.append(s)
except OSError: pass
# --- neighbours of its network | borne | | --each time=10
play()
try:
    s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
    s.send(struct.pack('IHHIIBxxxiHBB', 28, 28, 0x405, 1, 0, 2, 1, 0x80, 0, 0)); answer = s.recv(4096)
    if struct.unpack_from('i', answer, 16)[0] == 0: got('a neighbour')
except OSError: pass
# --- children within the limit, again and again | borne | draw by move limit | --memory 512 --each time=20
play()
def deed():
    piece = bytearray(4 << 20)
    for at in range(0, 4 << 20, 4096): piece[at] = 1
    time.sleep(1)
for _ in range(2): [child(deed) for _ in range(60)]; time.sleep(1.5)
# --- threads that are idle and wake together | borne | stall, time forfeit | --each time=1 --wall-margin 1
def waiter():
    try: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    except OSError: pass
    while True: time.sleep(0.125 - time.monotonic() % 0.125)
def runner():
    while True: time.sleep(0.125 - time.monotonic() % 0.125); burn(0.002)
threading.stack_size(65536)
for deed in [waiter] * 200 + [runner] * 2: threading.Thread(target=deed, daemon=True).start()
time.sleep(60)
# --- threads that wait for one that is busy | borne | stall, time forfeit | --each time=1 --wall-margin 1
threading.stack_size(65536)
def waiter():
    while True: time.sleep(0.01); sum(range(100))
def runner():
    while True: time.sleep(0.02); burn(0.01)
for deed in [waiter] * 100 + [runner]: threading.Thread(target=deed, daemon=True).start()
time.sleep(60)
# --- children that wait for each other | borne | stall, time forfeit | --each time=1 --wall-margin 1
def deed():
    while True: time.sleep(0.05 - time.monotonic() % 0.05); sum(range(20000))
[child(deed) for _ in range(100)]; time.sleep(60)
# --- short children that nobody sees run | borne | stall, time forfeit | --each time=1 --wall-margin 1
signal.signal(signal.SIGCHLD, signal.SIG_IGN); start = time.monotonic()
while time.monotonic() - start < 60: child(lambda: burn(0.005)); time.sleep(0.02)
# --- makes itself idle and nice | borne | time forfeit, stall | --each time=1 --wall-margin 1
try: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)); os.nice(19)
except OSError: pass
while True: pass
# --- wakes up late by its own wish | borne | stall | --each time=1 --wall-margin 1
libc.prctl(29, ctypes.c_ulong(10**9)); start = time.monotonic()
while time.monotonic() - start < 60: time.sleep(0.001)
# --- ends itself as the kernel would for lack of memory | borne | crash
os.kill(os.getpid(), signal.SIGKILL)
# --- ends with the code of a killed child | borne | crash
child(lambda: os.kill(os.getpid(), signal.SIGKILL)); wait_for_a_child(); os._exit(137)
# --- says that the machine has failed | borne | crash
report = b'{"machine_fault":"the machine ran out of memory","orphaned":false}\n'
for descriptor in range(1, 64):
    try: os.write(descriptor, report)
    except OSError: pass
os._exit(3)
# --- writes to control groups | works for root
play()
for path in glob.glob('/sys/fs/cgroup/**/cgroup.procs', recursive=True)[:50]:
    attempt('a group', lambda: open(path, 'w').write('0'))
# --- asks which pages of the system's files are in memory | works | | --each time=10
play(); file = os.open('/usr/bin/env', os.O_RDONLY)
try: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT); got('a page')
except (OSError, AttributeError): pass
call('cachestat', 451, file, b'\0' * 16, ctypes.create_string_buffer(40), 0)
# --- leaves bits in the page cache | works | | --each time=10
play(); file = os.open(python_file, os.O_RDONLY) if (python_file := os.__file__) else 0
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_WILLNEED); time.sleep(0.05); os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
try: os.preadv(file, [bytearray(1)], 0, os.RWF_NOWAIT)
except BlockingIOError: got('a page is gone')
except OSError: pass
else: got('pages are told')
# --- ends the judge by the number of one of its threads | borne
play()
for thread in os.listdir('/proc/%d/task' % judge) if os.path.exists('/proc/%d/task' % judge) else []:
    try: os.kill(int(thread), 0); got('a thread of the judge')
    except OSError: pass
# --- ends all processes of its user | works
play(); signal.signal(signal.SIGTERM, signal.SIG_IGN); os.kill(-1, signal.SIGTERM); time.sleep(0.2)
