# Hostile players that take what players share: memory that no process seems to have, the kernel's memory, shares of time.
# --- 300 MiB of shared memory that no process has | works | crash, draw by move limit | --memory 128 --each time=10
play(); held = []
for _ in range(10):
    piece = mmap.mmap(-1, 30 << 20); held.append(piece)
    for at in range(0, 30 << 20, 4096): piece[at] = 1
    piece.madvise(mmap.MADV_DONTNEED)
time.sleep(2)
if all(piece[at] == 1 for piece in held for at in range(0, 30 << 20, 1 << 20)): got('300 MiB')
# --- 300 MiB of /dev/zero | works | crash, draw by move limit | --memory 128 --each time=10
play(); held = []
for _ in range(10):
    zero = os.open('/dev/zero', os.O_RDWR)
    piece = mmap.mmap(zero, 30 << 20); held.append(piece)
    for at in range(0, 30 << 20, 4096): piece[at] = 1
    piece.madvise(mmap.MADV_DONTNEED)
time.sleep(2); got('300 MiB')
# --- large buffers of sockets | borne | crash, draw by move limit | --memory 128 --each time=10
play(); held = []; taken = 0
for _ in range(30):
    ends = socket.socketpair(); held.append(ends)
    for end in ends:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20); end.setblocking(False)
        try:
            while True: taken += end.send(b'x' * 65536)
        except BlockingIOError: pass
time.sleep(2)
if taken > 200 << 20: got('%d MiB' % (taken >> 20))
# --- 400 MiB of items of epoll | works | crash, draw by move limit | --memory 128 --each time=30
import select
play(); resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
waits = [select.epoll() for _ in range(1000)]
for number in range(2000):
    event = socket.socket().detach()
    for wait in waits: wait.register(event, 1)
time.sleep(2); got('2,000,000 items')
# --- 400 MiB of mappings | works | crash, draw by move limit | --memory 128 --each time=30
play()
def deed():
    libc.mmap.restype = ctypes.c_void_p
    start = libc.mmap(None, ctypes.c_size_t(60000 << 12), 0, 0x4022, -1, 0)
    for page in range(0, 60000, 2): libc.mprotect(ctypes.c_void_p(start + (page << 12)), ctypes.c_size_t(4096), 1)
    time.sleep(6)
children = [child(deed) for _ in range(35)]; time.sleep(5); got('2,000,000 mappings')
# --- 50,000 locks | works | crash, draw by move limit | --memory 128 --each time=30
play(); files = [os.open('lock%d' % number, os.O_RDWR | os.O_CREAT, 0o600) for number in range(500)]
for at in range(100):
    for file in files: fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 2 * at, 1, 0))
got('50,000 locks')
# --- asks the kernel to end others first | works
play(); attempt('a score of its own', lambda: os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'0'))
# --- gives its session more time | works
play(); attempt('a priority of its own', lambda: os.write(os.open('/proc/self/autogroup', os.O_WRONLY), b'1'))
# --- a session for each child | works | | --each time=10
play(); own = open('/proc/self/autogroup').read()
def deed():
    os.setsid()
    # In a control group of its own, a box has one share of the time however many sessions it has.
    if open('/proc/self/autogroup').read() != own and 'box-' not in open('/proc/self/cgroup').read(): got('a share for each')
    time.sleep(1)
[child(deed) for _ in range(5)]; time.sleep(1.5)
