"""Runs a command on a machine that lacks some layers of the sandbox: `without.py LAYERS COMMAND...`.

LAYERS are joined by commas:

- `namespaces`: calls that make or enter namespaces, or mount, are refused, as in a plain container, and root has the
  capabilities that it has there
- `landlock`: the kernel has no Landlock
- `landlock=N`: the kernel's Landlock has ABI N. A tracer answers the question for the version; it leaves players alone
- `listener`: the kernel gives no listener for system calls

For x86-64 alone. Root keeps its right to start setuid programs; others lose it (no_new_privs).
"""
import ctypes, errno, os, signal, struct, sys

libc = ctypes.CDLL(None, use_errno=True)
ALLOW, TRACE = 0x7FFF0000, 0x7FF00000
CLONE, MOUNT, UNSHARE, SETNS, SECCOMP, CLONE3, LANDLOCK = 56, 165, 272, 308, 317, 435, 444
NEW_NAMESPACES, NEW_LISTENER = 0x7E020000, 1 << 3


def refused(error):
    return 0x50000 | error


def rule(call, action, argument=0, bits=0):
    """Instructions that answer a call; with `bits` only where the argument has one of them."""
    number, load = (0x20, 0, 0, 0), (0x20, 0, 0, 16 + 8 * argument)
    if not bits:
        return [number, (0x15, 0, 1, call), (0x06, 0, 0, action)]
    return [number, (0x15, 0, 3, call), load, (0x45, 0, 1, bits), (0x06, 0, 0, action)]


def rules_without(layer):
    if layer == "namespaces":
        plain = [rule(call, refused(errno.EPERM)) for call in (UNSHARE, SETNS, MOUNT)]
        return sum(plain, []) + rule(CLONE, refused(errno.EPERM), 0, NEW_NAMESPACES) + rule(CLONE3, refused(errno.ENOSYS))
    if layer == "landlock":
        return rule(LANDLOCK, refused(errno.EOPNOTSUPP))
    if layer.startswith("landlock="):
        # The flag that asks for the version.
        return rule(LANDLOCK, TRACE, 2, 1)
    if layer == "listener":
        return rule(SECCOMP, refused(errno.EBUSY), 1, NEW_LISTENER)
    sys.exit(f"{layer}: expected namespaces, landlock, landlock=N or listener")


def install(instructions):
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in instructions))
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(instructions), ctypes.addressof(code)))
    if libc.prctl(22, 2, program, 0, 0) == 0:
        return
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0):
        sys.exit(f"without.py: seccomp: {os.strerror(ctypes.get_errno())}")


def give_up_capabilities():
    """Of the network, of the system, of tracing, resources and priorities, of counters and programs of the kernel."""
    for capability in (12, 21, 19, 24, 23, 38, 39):
        libc.prctl(24, capability, 0, 0, 0)


def trace(request, process, data=0):
    return libc.ptrace(request, process, None, ctypes.c_void_p(data) if isinstance(data, int) else data)


class Registers(ctypes.Structure):
    # struct user_regs_struct.
    _fields_ = [(name, ctypes.c_ulonglong) for name in (
        "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es"
        " fs gs").split()]


CONTINUE, GET, SET, DETACH, OPTIONS = 7, 12, 13, 17, 0x4200
FORK, VFORK, CLONED, EXECUTED, FILTERED = 1, 2, 3, 4, 7
# Of the commands that lead to the judge, and the judge's own processes.
TRACED = ("judge", "setpriv", "sh", "dash", "bash", "env", "unshare", "mount", "newuidmap", "newgidmap")


def supervise(first, version):
    """Tells the judge's processes this version of Landlock; the exit code of the first."""
    os.waitpid(first, 0)
    follow = sum(1 << event for event in (FORK, VFORK, CLONED, EXECUTED, FILTERED))
    trace(OPTIONS, first, follow | 1 << 20)
    trace(CONTINUE, first)
    known = {first}
    while True:
        try:
            process, status = os.waitpid(-1, 0x40000000)
        except ChildProcessError:
            return 1
        if not os.WIFSTOPPED(status):
            known.discard(process)
            if process == first:
                return os.waitstatus_to_exitcode(status) & 0xFF
            continue
        event, delivered = status >> 16, os.WSTOPSIG(status)
        if event == FILTERED:
            registers = Registers()
            trace(GET, process, ctypes.byref(registers))
            registers.orig_rax, registers.rax = 2**64 - 1, version
            trace(SET, process, ctypes.byref(registers))
        elif event == EXECUTED:
            try:
                name = os.path.basename(os.readlink(f"/proc/{process}/exe"))
            except OSError:
                name = ""
            if name not in TRACED:
                trace(DETACH, process)
                continue
        # A new process begins with a stop.
        is_new = process not in known and delivered == signal.SIGSTOP
        known.add(process)
        trace(CONTINUE, process, 0 if event or is_new else delivered)


def main():
    layers, command = sys.argv[1].split(","), sys.argv[2:]
    versions = [layer.partition("=")[2] for layer in layers if "=" in layer]
    first = os.fork() if versions else 0
    if first:
        sys.exit(supervise(first, int(versions[0])))
    if versions:
        trace(0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
    install(sum(map(rules_without, layers), []) + [(0x06, 0, 0, ALLOW)])
    if "namespaces" in layers:
        give_up_capabilities()
    os.execvp(command[0], command)


main()
