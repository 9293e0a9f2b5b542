# Hostile players that try to use CPU time without being charged, or attack its counter.
# --- burns in a daemon | borne | time forfeit | --each time=0.5 --wall-margin 25
play(); end = os.pipe()
def daemon(): os.setsid(); child(lambda: burn(1.5))
os.waitpid(child(daemon), 0); os.close(end[1]); os.read(end[0], 1)
# --- burns in threads | borne | time forfeit | --each time=0.5 --wall-margin 25
play(); threads = [threading.Thread(target=burn, args=(0.5,)) for _ in range(3)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
# --- burns, and ends its supervisor | borne | time forfeit, crash | --each time=0.5 --wall-margin 25
play(); burn(1.5); os.kill(os.getppid(), signal.SIGKILL) if os.getppid() != 1 else None; time.sleep(0.2)
if os.getppid() != 1: got('no supervisor')
# --- sets the machine's clock | works for root
play(); attempt('clock', lambda: time.clock_settime(time.CLOCK_REALTIME, time.time()))
# --- stops the counter in every child, and burns there | borne | time forfeit | --each time=0.5 --wall-margin 25
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def deed(): libc.prctl(31, 0, 0, 0, 0); burn(0.8)
[child(deed) for _ in range(2)]
wait_for_a_child()
# --- stops every descriptor that may be a counter | borne | time forfeit | --each time=0.5 --wall-margin 25
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for number in range(256): libc.ioctl(number, ctypes.c_ulong(0x2401), 1)
child(lambda: burn(1.5))
wait_for_a_child()
# --- burns in sixty short programs that nobody waits for | works | time forfeit | --each time=0.5 --wall-margin 25
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(60):
    pid = os.fork()
    if pid == 0: os.execv(sys.executable, [sys.executable, '-S', '-c', 'sum(range(10**6))'])
    try: os.waitpid(pid, 0)
    except OSError: pass
# --- burns in the kernel | borne | time forfeit, draw by move limit | --each time=0.5 --wall-margin 25
play(); signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def deed():
    zeros, end = os.open('/dev/zero', os.O_RDONLY), time.process_time() + 1.5
    while time.process_time() < end: os.read(zeros, 1 << 20)
child(deed)
wait_for_a_child()
# --- burns after its leader has ended | borne | time forfeit | --each time=0.5 --wall-margin 25
play()
def deed(): burn(1.5); os._exit(0)
threading.Thread(target=deed).start(); libc.syscall(ctypes.c_long(60), ctypes.c_long(0))
# --- an attribute takes the right to read from a program | borne | time forfeit | --each time=0.5 --wall-margin 25
play(); subprocess.run(['cp', os.path.realpath(sys.executable), 'p'])
acl = struct.pack('<I' + 'HHI' * 3, 2, 1, 1, 2**32 - 1, 4, 1, 2**32 - 1, 32, 1, 2**32 - 1)
try: os.setxattr('p', 'system.posix_acl_access', acl)
except OSError:
    try: os.chmod('p', 0o111)
    except OSError: pass
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
line = 'import time\nwhile time.process_time() < 1.5: pass'
child(lambda: os.execv('./p', ['./p', '-c', line]))
wait_for_a_child()
