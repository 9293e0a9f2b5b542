# Hostile players that exceed their memory limit, or hide memory: in pipes, sockets, shared segments.
# --- memory by shared mappings | works | crash, draw by move limit | --memory 128 --each time=10
play(); shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
time.sleep(2); got('300 MiB')
# --- memory by children | works | crash | --memory 128 --each time=10
play()
def eat(): eaten = b'x' * (100 << 20); time.sleep(4)
[child(eat) for _ in range(3)]; time.sleep(3); got('300 MiB')
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
# --- memory of System V | works | crash, draw by move limit | --memory 128 --each time=10
play(); made = []
try:
    libc.shmat.restype = ctypes.c_void_p
    for number in range(10):
        made.append(libc.shmget(0, 30 << 20, 0o1600))
        if made[-1] < 0: os._exit(0)
        ctypes.memset(libc.shmat(made[-1], None, 0), 1, 30 << 20)
    time.sleep(2); got('300 MiB')
finally: [libc.shmctl(one, 0, None) for one in made]
# --- 600 MiB behind a leader that has ended | works | crash, draw by move limit | --memory 128 --each time=10
play()
def deed():
    time.sleep(0.1); shared = mmap.mmap(-1, 600 << 20)
    for at in range(0, 600 << 20, 4096): shared[at] = 1
    time.sleep(2); got('600 MiB'); os._exit(0)
threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))
# --- 600 MiB behind the leader of a child that has ended | works | crash, draw by move limit | --memory 128 --each time=10
play()
def eat():
    def deed():
        time.sleep(0.1); shared = mmap.mmap(-1, 600 << 20)
        for at in range(0, 600 << 20, 4096): shared[at] = 1
        time.sleep(2); got('600 MiB'); os._exit(0)
    threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))
os.waitpid(child(eat), 0)
# --- 600 MiB of tables of pages | works | crash | --memory 128 --each time=10
play(); step = 2 << 20; count = 150000
room = mmap.mmap(-1, step * count, flags=mmap.MAP_PRIVATE | 0x4000, prot=mmap.PROT_READ)
for at in range(count): room[at * step]
time.sleep(2); got('600 MiB')
# --- 400 MiB in queues of messages | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play(); text = ctypes.create_string_buffer(struct.pack('q', 1) + bytes(8000)); made = []
try:
    for number in range(25000):
        made.append(libc.msgget(0, 0o1600))
        if made[-1] < 0: os._exit(0)
        for _ in range(2): libc.msgsnd(made[-1], text, 8000, 0o4000)
    time.sleep(2); got('400 MiB')
finally: [libc.msgctl(one, 0, None) for one in made if one >= 0]
# --- 500 MiB in sockets | works | crash | --memory 128 --each time=10
play(); held = []; resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
for number in range(1500):
    ends = socket.socketpair(); held.append(ends)
    for end in ends:
        end.setblocking(False)
        try:
            while end.send(b'x' * 65536): pass
        except BlockingIOError: pass
time.sleep(2); got('500 MiB')
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
# --- semaphores of System V | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play(); made = libc.semget(0, 32000, 0o1600)
if made >= 0: libc.semctl(made, 0, 0); got('semaphores')
# --- queues of messages by name | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play()
try: queue = ctypes.CDLL('librt.so.1').mq_open(b'/' + name.encode(), os.O_RDWR | os.O_CREAT, 0o600, None)
except OSError: queue = -1
if queue >= 0: ctypes.CDLL('librt.so.1').mq_unlink(b'/' + name.encode()); got('a queue')
# --- memory that no process maps | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play(); call('secret memory', 447, 0)
# --- a watch of files | works | crash, draw by move limit, disk quota | --memory 128 --each time=10
play(); file = libc.inotify_init1(0)
if file >= 0: got('watches')
# --- memory of a child that shares it by vfork | borne | crash, draw by move limit | --memory 128 --each time=10
play(); shared = mmap.mmap(-1, 300 << 20)
for at in range(0, 300 << 20, 4096): shared[at] = 1
subprocess.run(['true']); time.sleep(2); got('300 MiB')
# --- 200 threads that sleep | borne | crash, draw by move limit, disk quota | --memory 128 --processes 16 --each time=10
play(); count = 0
try:
    for number in range(200): threading.Thread(target=lambda: time.sleep(2), daemon=True).start(); count += 1
except RuntimeError: os._exit(0)
time.sleep(2); got('200 threads')
