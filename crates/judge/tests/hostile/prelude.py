# What all hostile players share. `got` tells of what should not have been possible.
import ctypes, errno, fcntl, glob, mmap, os, resource, signal, socket, stat, struct, subprocess, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
agent, place, name = sys.argv[1], "/" + sys.argv[2], sys.argv[3]
victim, port, key = map(int, sys.argv[4:7])
canary = place + "/canary"
judge = 0
with open("/proc/%d/status" % os.getppid()) as status:
    judge = int(next(line for line in status if line.startswith("PPid:")).split()[1])

def got(what):
    os.write(1, b"GOT %s\n" % str(what).encode())

def attempt(what, deed):
    try:
        deed()
    except (OSError, ValueError, PermissionError):
        return
    got(what)

def call(what, *arguments):
    if libc.syscall(*[ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]) >= 0:
        got(what)

def burn(seconds):
    start = time.thread_time()
    while time.thread_time() - start < seconds:
        sum(range(1000))

def play():
    subprocess.run([agent, "--depth", "1", "--hash", "1"], check=True)

def child(deed):
    pid = os.fork()
    if pid == 0:
        try:
            deed()
        finally:
            os._exit(0)
    return pid

def wait_for_a_child():
    """Returns also where the kernel has reaped it."""
    try: os.wait()
    except OSError: pass

def others():
    """The judge, its supervisor and a stranger, as far as they are to be seen; the stranger first."""
    found = [victim, judge] + [os.getppid()] * (os.getppid() != 1)
    return [process for process in found if process and os.path.exists('/proc/%d' % process)]
