# Hostile players that attack the network and the kernel.
# --- connects to a local socket | works
attempt('socket', lambda: socket.socket(socket.AF_UNIX).connect(canary + '/socket')); play()
# --- opens a queue of others | works
try: queue = ctypes.CDLL('librt.so.1').mq_open(('/' + name).encode(), os.O_RDWR)
except OSError: queue = -1
if queue >= 0: got('queue')
play()
# --- attaches shared memory of others | works
if libc.shmget(key, 4096, 0) >= 0: got('memory')
play()
# --- opens a socket to the host of this machine | borne
try: socket.socket(40, socket.SOCK_STREAM).connect((2, 1))
except OSError as error:
    if error.errno in (errno.ECONNRESET, errno.ETIMEDOUT): got('the host')
play()
# --- listens for others | works
def serve(): one = socket.socket(); one.bind(('127.0.0.1', 0)); one.listen(); socket.create_connection(one.getsockname())
attempt('port', serve); play()
# --- makes a namespace by clone | works
pid = libc.syscall(ctypes.c_long(56), ctypes.c_long(0x10000000 | 17), None, None, None, None)
if pid == 0: os._exit(0)
if pid > 0: got('namespace')
play()
# --- makes a namespace by clone3 | works
arguments = ctypes.create_string_buffer(struct.pack('8Q', 0x10000000, 0, 0, 0, 17, 0, 0, 0))
pid = libc.syscall(ctypes.c_long(435), arguments, ctypes.c_long(64))
if pid == 0: os._exit(0)
if pid > 0: got('namespace')
play()
# --- calls by second numbers | borne
if libc.syscall(ctypes.c_long(0x40000000 + 272), ctypes.c_long(0x10000000)) == 0: got('namespace')
play()
# --- sets up a ring of calls | works
call('ring', 425, 4, ctypes.create_string_buffer(120)); play()
# --- opens a counter | works
attributes = ctypes.create_string_buffer(struct.pack('IIQQQQQ', 1, 64, 1, 0, 0, 0, 0x61) + bytes(16))
call('counter', 298, attributes, 0, -1, -1, 0); play()
# --- loads a program into the kernel | works for root
call('map', 321, 0, ctypes.create_string_buffer(struct.pack('IIII', 2, 4, 4, 1) + bytes(112)), 128); play()
# --- reads the kernel's log | works for root
if libc.klogctl(10, None, 0) >= 0: got('log')
play()
# --- makes a device | works for root
play(); attempt('device', lambda: os.mknod('device', 0o600 | stat.S_IFBLK, os.makedev(7, 0)))
# --- changes its root | works for root
play()
if libc.chroot(b'.') == 0: got('root')
# --- becomes somebody else | works for root
play(); attempt('user', lambda: os.setuid(12))
# --- renames the machine | works for root
play()
attempt('name', lambda: socket.sethostname(socket.gethostname()))
