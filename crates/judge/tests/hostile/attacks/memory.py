# Hostile players that exceed their memory limit, or hide memory: in pipes, sockets, shared segments.
# --- memory by children that nobody may look into | works | crash | --memory 128 --each time=10
play(); libc.prctl(4, 0, 0, 0, 0)
def eat(): eaten = b'x' * (100 << 20); time.sleep(4)
[child(eat) for _ in range(3)]; time.sleep(3); got('300 MiB')
# --- memory in a file without a name | works | crash, draw by move limit | --memory 128 --each time=10
play()
try: files = [os.memfd_create('x') for _ in range(10)]
except OSError: os._exit(0)
[os.write(file, b'x' * (30 << 20)) for file in files]; time.sleep(2); got('300 MiB')
# --- memory in /dev/shm | works | crash, draw by move limit | --memory 128 --each time=10
play(); path = '/dev/shm/' + name
try:
    for number in range(10): open(path + str(number), 'wb').write(b'x' * (30 << 20))
    time.sleep(2); got('300 MiB')
finally:
    [os.unlink(path) for path in glob.glob(path + '*')]
# --- 600 MiB behind the leader of a child that has ended | works | crash, draw by move limit | --memory 128 --each time=10
play()
def eat():
    def deed():
        time.sleep(0.1); shared = mmap.mmap(-1, 600 << 20)
        for at in range(0, 600 << 20, 4096): shared[at] = 1
        time.sleep(2); got('600 MiB'); os._exit(0)
    threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))
os.waitpid(child(eat), 0)
# --- sockets on their way through sockets | borne | crash, draw by move limit, disk quota | --memory 128 --each time=10
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
time.sleep(2); got('300 MiB')
# --- pipes in many processes | borne | crash, draw by move limit, disk quota | --memory 128 --each time=10
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
children = [child(deed) for _ in range(40)]; time.sleep(3.5); got('40 times 2000 pipes')
# --- memory that no process maps | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play(); call('secret memory', 447, 0)
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
# --- 50,000 locks | works | crash, draw by move limit | --memory 128 --each time=30
play(); files = [os.open('lock%d' % number, os.O_RDWR | os.O_CREAT, 0o600) for number in range(500)]
for at in range(100):
    for file in files: fcntl.fcntl(file, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 2 * at, 1, 0))
got('50,000 locks')
