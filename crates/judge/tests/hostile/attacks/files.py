# Hostile players that attack files, disk space, and files that others use.
# --- starts the judge's own program | works
attempt('judge', lambda: subprocess.run([os.readlink('/proc/%d/exe' % judge)], capture_output=True)); play()
# --- spoils other seats | works
play()
others = [seat for seat in glob.glob('../../*/player') if os.path.realpath(seat) != os.getcwd()]
for seat in others:
    attempt('seat', lambda: open(seat + '/playdata.txt', 'w').write('x'))
# --- output.txt is a link to a secret | borne | bad format
os.symlink(canary + '/secret', 'output.txt')
# --- output.txt is a hard link to a secret | works | crash
os.link(canary + '/secret', 'output.txt')
# --- output.txt is a directory | borne | bad format
os.makedirs('output.txt/deep')
# --- output.txt is a pipe | borne | bad format
os.mkfifo('output.txt')
# --- output.txt is a socket | borne | bad format
socket.socket(socket.AF_UNIX).bind('output.txt')
# --- output.txt is a sparse terabyte | borne | bad format | --file-size 16777216
open('output.txt', 'w').truncate(1 << 40)
# --- the seat is shut | borne | disk quota
play(); os.chmod('.', 0)
# --- the seat becomes a link | works
play()
seat = os.getcwd()
subprocess.run(['cp', 'output.txt', '/tmp/' + name])
def swap():
    os.rename(seat, seat + '-gone')
    os.symlink(canary, seat)
attempt('seat', swap)
if os.path.islink(seat): os.unlink(seat); os.rename(seat + '-gone', seat)
# --- a tree deeper than any path | borne | disk quota, crash
play()
for _ in range(3000):
    os.mkdir('d'); os.chdir('d')
# --- 100,000 small files | borne | disk quota, crash | --disk 64 --each time=20
play()
for number in range(30000):
    os.close(os.open(str(number), os.O_CREAT | os.O_WRONLY))
# --- names of 255 bytes and of no text | borne
play()
for byte in range(128, 256):
    open(bytes([byte]) * 255, 'w').close(); open(bytes([byte, 10, 27]), 'w').close()
# --- fills the common /tmp | works
open('/tmp/' + name, 'wb').write(b'x' * (1 << 20)); play()
# --- leaves a word in /dev/shm for its next turn | works | | --max-plies 4
path = '/dev/shm/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()
# --- leaves a word in /var/tmp for its next turn | works | | --max-plies 4
path = '/var/tmp/' + name
if os.path.exists(path): got('a word')
open(path, 'w').close(); play()
# --- mounts over its seat | works for root
play()
if libc.mount(b'x', b'.', b'tmpfs', 0, None) == 0:
    got('a mount'); libc.umount2(b'.', 2)
# --- opens files by handle | works for root
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0) + bytes(128)); mount = ctypes.c_int()
if libc.name_to_handle_at(-100, b'/usr', handle, ctypes.byref(mount), 0) == 0:
    call('handle', 304, os.open('/usr', 0), handle, 0)
play()
# --- a setuid program of its own | borne
play(); subprocess.run(['cp', '/bin/sh', 'sh']); os.chmod('sh', 0o6755); before = os.geteuid()
if int(subprocess.run(['./sh', '-c', 'id -u'], capture_output=True, text=True).stdout or before) != before: got('a user')
# --- a script that interprets itself | borne
play(); open('loop', 'w').write('#!' + os.getcwd() + '/loop'); os.chmod('loop', 0o755)
attempt('an endless script', lambda: subprocess.run(['./loop']))
# --- programs of its own in the way of others | borne
play()
for program in ['sh', 'ls', 'python3', 'judge']: open(program, 'w').write('#!/bin/sh'); os.chmod(program, 0o755)
os.environ.update(PATH=os.getcwd(), LC_ALL='C', LANG='xx', LD_PRELOAD=os.getcwd() + '/sh', LOCPATH='.')
# --- 300 MiB in files without a name | works | crash, draw by move limit, disk quota | --disk 32 --each time=10
play(); held = []
try:
    for number in range(10):
        held.append(os.open('.', os.O_TMPFILE | os.O_RDWR, 0o600)); [os.write(held[-1], b'x' * (1 << 20)) for _ in range(30)]
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')
# --- 300 MiB in removed files on their way through a socket | works | crash, draw by move limit, disk quota | --disk 32 --each time=10
play(); ends = socket.socketpair()
try:
    for number in range(10):
        file = os.open('f', os.O_CREAT | os.O_RDWR, 0o600); os.unlink('f')
        [os.write(file, b'x' * (1 << 20)) for _ in range(30)]
        socket.send_fds(ends[0], [b'x'], [file]); os.close(file)
except OSError: os._exit(0)
time.sleep(2); got('300 MiB')
# --- 300 MiB in removed files in /tmp | borne | crash, draw by move limit, disk quota | --disk 32 --memory 512 --each time=10
play(); held = []
try:
    for number in range(10):
        held.append(open('/tmp/' + name, 'wb', 0)); os.unlink('/tmp/' + name); [held[-1].write(b'x' * (1 << 20)) for _ in range(30)]
        if os.fstat(held[-1].fileno()).st_size < 30 << 20: os._exit(0)
except OSError: os._exit(0)
if judge == 0: got('300 MiB')
# --- leases its agent | works
attempt('lease', lambda: fcntl.fcntl(open(agent), 1024, fcntl.F_RDLCK)); play()
# --- asks for notices of the system's programs | works
attempt('notices', lambda: fcntl.fcntl(os.open('/usr/bin', os.O_RDONLY), 1026, 2)); play()
# --- locks the interpreter for writing by its bytes | borne
attempt('lock', lambda: fcntl.lockf(open(os.path.realpath(sys.executable)), fcntl.LOCK_EX | fcntl.LOCK_NB)); play()
# --- keeps the interpreter from being written | borne
attempt('write', lambda: open(os.path.realpath(sys.executable), 'r+b')) if os.getuid() else None; play()
# --- asks for another personality | works
play()
if libc.personality(0x0400000) >= 0: got('personality')
# --- sets the speed of the clock | borne
play()
if libc.adjtimex(ctypes.create_string_buffer(struct.pack('I', 0x4000) + bytes(204))) < 0: pass
else: got('clock')
# --- a folder in the seat is shut, with files | borne | disk quota
play(); os.mkdir("shut"); open("shut/file", "w").close(); os.chmod("shut", 0)
# --- output.txt is shut to its owner | borne | bad format
play(); os.chmod("output.txt", 0)
# --- changes modes and times of files outside | works
play()
for file in ('/secret', '/program', ''):
    attempt('mode', lambda: os.chmod(canary + file, 0o700)); attempt('time', lambda: os.utime(canary + file, (1, 1)))
    attempt('owner', lambda: os.chown(canary + file, os.getuid(), os.getgid()))
# --- cuts files outside | works
play()
for file in (canary + '/program', agent):
    attempt('length', lambda: os.truncate(file, 0))
    attempt('opened', lambda: os.close(os.open(file, os.O_RDONLY | os.O_TRUNC)))
# --- writes and reads files outside | works
play()
attempt('secret', lambda: open(canary + '/secret').read()); attempt('new', lambda: open(canary + '/new', 'w'))
attempt('program', lambda: open(canary + '/program', 'a').write('x')); attempt('name', lambda: os.rename(canary + '/secret', canary + '/x'))
