# Further hostile players that take what players share. They run in the long part of the tests.
# --- shared memory in 40 children | works | crash, draw by move limit | --memory 128 --each time=20
play()
def deed():
    piece = mmap.mmap(-1, 8 << 20)
    for at in range(0, 8 << 20, 4096): piece[at] = 1
    piece.madvise(mmap.MADV_DONTNEED); time.sleep(4)
pids = [child(deed) for _ in range(40)]; time.sleep(3)
if all(os.waitpid(pid, os.WNOHANG) == (0, 0) for pid in pids): got('320 MiB')
# --- shared memory that a child inherits and its parent unmaps | works | crash, draw by move limit | --memory 128 --each time=20
play(); pids = []
for _ in range(10):
    piece = mmap.mmap(-1, 30 << 20)
    for at in range(0, 30 << 20, 4096): piece[at] = 1
    pids.append(child(lambda: time.sleep(5))); piece.close()
time.sleep(2)
if all(os.waitpid(pid, os.WNOHANG) == (0, 0) for pid in pids): got('300 MiB')
# --- shared memory by MAP_SHARED_VALIDATE | works | crash, draw by move limit | --memory 128 --each time=20
play(); libc.mmap.restype = ctypes.c_void_p
for _ in range(10):
    start = libc.mmap(None, ctypes.c_size_t(30 << 20), 3, 0x23, -1, 0)
    if start is None or start == 2**64 - 1: os._exit(0)
    ctypes.memset(start, 1, 30 << 20); libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(30 << 20), 4)
time.sleep(2); got('300 MiB')
# --- private memory that is paged out | works | crash, draw by move limit | --memory 128 --each time=20
play(); held = []
for _ in range(10):
    piece = bytearray(30 << 20); held.append(piece)
    for at in range(0, 30 << 20, 4096): piece[at] = 1
    libc.madvise(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(piece)) & ~4095), ctypes.c_size_t(29 << 20), 21)
time.sleep(2); got('300 MiB')
# --- pages of files that are read ahead | borne | crash, draw by move limit | --memory 128 --each time=20
play()
for root, _, names in os.walk('/usr'):
    for one in names[:50]:
        try:
            file = os.open(root + '/' + one, os.O_RDONLY | os.O_NONBLOCK); os.posix_fadvise(file, 0, 1 << 20, os.POSIX_FADV_WILLNEED); os.close(file)
        except OSError: pass
    if time.process_time() > 2: break
# --- names that do not exist | borne | crash, draw by move limit | --memory 128 --each time=20
play(); start = time.process_time()
while time.process_time() - start < 3: os.path.exists('/usr/%x' % int(time.process_time_ns()))
# --- 20,000 symbolic links | borne | crash, draw by move limit, disk quota | --memory 128 --each time=20
play()
try:
    for number in range(20000): os.symlink('x' * 4000, '/tmp/link%d' % number)
except OSError: os._exit(0)
time.sleep(1)
# --- timers of its processes | borne | crash, draw by move limit | --memory 128 --each time=20
play(); made = 0; timer = ctypes.c_void_p()
while made < 200000 and libc.timer_create(1, None, ctypes.byref(timer)) == 0: made += 1
if made == 200000: got('200,000 timers')
# --- queued signals | borne | crash, draw by move limit | --memory 128 --each time=20
play(); signal.pthread_sigmask(signal.SIG_BLOCK, range(34, 64)); sent = 0
while sent < 200000 and libc.sigqueue(os.getpid(), 40, ctypes.c_void_p(1)) == 0: sent += 1
if sent == 200000: got('200,000 signals')
# --- sockets of netlink | borne | crash, draw by move limit | --memory 128 --each time=20
play(); held = []
try:
    for _ in range(3000): held.append(socket.socket(16, socket.SOCK_RAW, 0)); held[-1].bind((0, 0))
except OSError: os._exit(0)
time.sleep(1)
# --- packets to itself | borne | crash, draw by move limit | --memory 128 --each time=20
play(); held = []; taken = 0
try:
    for _ in range(1500):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); one.bind(('127.0.0.1', 0)); one.setblocking(False); held.append(one)
        for _ in range(8): taken += one.sendto(b'x' * 30000, one.getsockname())
except OSError: os._exit(0)
time.sleep(2)
if taken > 200 << 20: got('%d MiB' % (taken >> 20))
# --- connections to itself | borne | crash, draw by move limit | --memory 128 --each time=20
play(); held = []; taken = 0
try:
    server = socket.socket(); server.bind(('127.0.0.1', 0)); server.listen(100)
    for _ in range(200):
        one = socket.create_connection(server.getsockname()); held.append((one, server.accept())); one.setblocking(False)
        try:
            while True: taken += one.send(b'x' * 65536)
        except BlockingIOError: pass
except OSError: os._exit(0)
time.sleep(2)
if taken > 200 << 20: got('%d MiB' % (taken >> 20))
# --- a filter for each socket | borne | crash, draw by move limit | --memory 128 --each time=20
play(); held = []; code = ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0xffffffff) * 4000)
program = struct.pack('HL', 4000, ctypes.addressof(code))
try:
    for _ in range(1500):
        one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); one.setsockopt(socket.SOL_SOCKET, 26, program); held.append(one)
except OSError: os._exit(0)
time.sleep(2)
if len(held) == 1500: got('%d filters' % len(held))
# --- a filter of calls for each thread | borne | crash, draw by move limit | --memory 128 --each time=20
play(); code = ctypes.create_string_buffer(struct.pack('HBBI', 6, 0, 0, 0x7fff0000) * 4000)
program = ctypes.create_string_buffer(struct.pack('HL', 4000, ctypes.addressof(code)))
made = 0
while made < 3000 and libc.prctl(22, 2, program, 0, 0) == 0: made += 1
if made == 3000: got('3,000 filters')
# --- environments and arguments | borne | crash, draw by move limit | --memory 128 --each time=20
play()
def deed(): os.execve('/bin/sleep', ['sleep', '4'] + ['x' * 100000] * 15, {'a': 'y' * 100000})
pids = [child(deed) for _ in range(100)]; time.sleep(3)
if all(os.waitpid(pid, os.WNOHANG) == (0, 0) for pid in pids): got('150 MiB')
# --- tables of pages in 40 children | borne | crash | --memory 128 --each time=20
play()
def deed():
    room = mmap.mmap(-1, (2 << 20) * 2000, flags=mmap.MAP_PRIVATE | 0x4000, prot=mmap.PROT_READ)
    for at in range(2000): room[at * (2 << 20)]
    time.sleep(5)
pids = [child(deed) for _ in range(40)]; time.sleep(4)
if all(os.waitpid(pid, os.WNOHANG) == (0, 0) for pid in pids): got('320 MiB')
# --- a crowd in real time | borne | draw by move limit | --each time=20
play()
for policy in (os.SCHED_FIFO, os.SCHED_RR):
    try: os.sched_setscheduler(0, policy, os.sched_param(1))
    except OSError: pass
    if os.sched_getscheduler(0) == policy: got('real time')
# --- a short time slice | borne | draw by move limit | --each time=20
play(); attributes = ctypes.create_string_buffer(struct.pack('IIQiIQQQ', 48, 0, 0, 0, 0, 100000, 0, 0))
if libc.syscall(ctypes.c_long(314), ctypes.c_long(0), attributes, ctypes.c_long(0)) == 0: got('a slice of its own')
# --- memory of a certain node | borne | draw by move limit | --each time=20
play(); call('a policy of memory', 238, 1, 0, 0)
# --- asks for memory in large pages | borne | crash, draw by move limit | --memory 128 --each time=20
play(); libc.mmap.restype = ctypes.c_void_p
start = libc.mmap(None, ctypes.c_size_t(64 << 20), 3, 0x40022, -1, 0)
if start is not None and start != 2**64 - 1: got('large pages')
# --- empties the caches | works for root | draw by move limit | --each time=20
play(); attempt('caches', lambda: os.write(os.open('/proc/sys/vm/drop_caches', os.O_WRONLY), b'1'))
# --- 16,000 counted calls, again and again | borne | crash, draw by move limit | --each time=20
play(); start = time.process_time()
try:
    for _ in range(100000): mmap.mmap(-1, 4096).close()
except OSError: pass
# --- asks for a lock that a child holds | borne | draw by move limit, stall | --each time=3
play(); file = os.open('lock', os.O_RDWR | os.O_CREAT, 0o600)
def deed(): fcntl.lockf(file, fcntl.LOCK_EX); time.sleep(30)
child(deed); time.sleep(0.2); fcntl.lockf(file, fcntl.LOCK_EX)
# --- ends and starts programs without a pause | borne | draw by move limit, time forfeit | --each time=5
play(); end = time.time() + 3
while time.time() < end: subprocess.run(['/bin/true'])
