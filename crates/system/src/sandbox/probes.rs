//! Attempts on the walls, each made from inside a box by the judge's own program: it says what it could do, one line each,
//! and nothing if every attempt failed.
#![allow(unsafe_code, reason = "attempts need what no safe library offers: fork, ignored signals")]

use nix::sys::signal::{SigHandler, Signal, kill, signal};
use nix::unistd::{ForkResult, Pid, fork, setsid};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

/// The word by which the judge's own program makes an attempt; the next word is its name.
pub const PROBE: &str = "probe";

/// Makes an attempt. Exit code 2 if there is no such attempt.
#[must_use]
pub fn run(words: &[String]) -> ExitCode {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["files", read, written] => files(Path::new(read), Path::new(written)),
        ["network", port, abstract_name] => network(port, abstract_name),
        ["processes", judge] => processes(judge),
        ["signals", victim] => signals(victim),
        ["victim"] => victim(),
        ["calls"] => calls(),
        ["supervision"] => supervision(),
        ["memory", mib] => memory(number(mib)),
        ["fork", count] => many(number(count)),
        ["disk", mib] => disk(number(mib)),
        ["unwaited", milliseconds] => unwaited(Duration::from_millis(number(milliseconds))),
        ["outlive"] => outlive(),
        _ => return ExitCode::from(2),
    };
    for line in done {
        println!("{line}");
    }
    ExitCode::SUCCESS
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

fn files(read: &Path, written: &Path) -> Vec<String> {
    let mut done = Vec::new();
    if fs::read(read).is_ok() {
        done.push("read a file outside".to_string());
    }
    if File::create(written).is_ok() {
        done.push("wrote a file outside".to_string());
    }
    done
}

fn network(port: &str, abstract_name: &str) -> Vec<String> {
    let mut done = Vec::new();
    if TcpStream::connect(("127.0.0.1", number(port) as u16)).is_ok() {
        done.push("connected to a port of this machine".to_string());
    }
    let socket = SocketAddr::from_abstract_name(abstract_name).and_then(|name| UnixStream::connect_addr(&name));
    if socket.is_ok() {
        done.push("connected to an abstract socket".to_string());
    }
    done
}

fn processes(judge: &str) -> Vec<String> {
    let mut done = Vec::new();
    // Inside, the same number may be another process.
    let is_judge = |text: Vec<u8>| String::from_utf8_lossy(&text).contains("sandbox");
    if fs::read(format!("/proc/{judge}/cmdline")).is_ok_and(is_judge) {
        done.push("saw the judge's process".to_string());
        if fs::read(format!("/proc/{judge}/environ")).is_ok() {
            done.push("read the judge's environment".to_string());
        }
    }
    done
}

fn signals(victim: &str) -> Vec<String> {
    match kill(Pid::from_raw(number(victim) as i32), Signal::SIGKILL) {
        Ok(()) => vec!["sent a signal to another process".to_string()],
        Err(_) => Vec::new(),
    }
}

/// Waits for the signal of another attempt, a minute at most.
fn victim() -> Vec<String> {
    sleep(Duration::from_secs(60));
    Vec::new()
}

fn calls() -> Vec<String> {
    use nix::sched::{CloneFlags, unshare};
    let mut done = Vec::new();
    if unshare(CloneFlags::CLONE_NEWUSER).is_ok() {
        done.push("made a user namespace".to_string());
    }
    // SAFETY: the calls take plain numbers; a null pointer is refused by the kernel.
    let traced = unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) };
    if traced == 0 {
        done.push("asked to be traced".to_string());
    }
    // SAFETY: as above. The kernel looks at its first argument, no operation, and refuses the call where it has it.
    let keys = unsafe { libc::syscall(libc::SYS_keyctl, 0, 0, 0, 0, 0) };
    if keys >= 0 {
        done.push("reached the kernel's keys".to_string());
    }
    done
}

fn supervision() -> Vec<String> {
    let mut done = Vec::new();
    let parent = std::os::unix::process::parent_id();
    if File::options().write(true).open(format!("/proc/{parent}/fd/1")).is_ok() {
        done.push("opened a descriptor of its supervisor".to_string());
    }
    if kill(Pid::from_raw(parent as i32), None).is_ok() && parent != 1 {
        done.push("may send signals to its supervisor".to_string());
    }
    done
}

/// Takes memory in three children, each a third of it, and waits until all have theirs.
fn memory(mib: u64) -> Vec<String> {
    let Ok((mut parent, mut child)) = UnixStream::pair() else { return Vec::new() };
    for _ in 0..3 {
        // SAFETY: this process has one thread.
        if let Ok(ForkResult::Child) = unsafe { fork() } {
            let eaten = vec![1u8; (mib << 20) as usize / 3];
            std::hint::black_box(&eaten);
            let _ = child.write_all(b"e");
            sleep(Duration::from_secs(5));
            std::process::exit(0);
        }
    }
    drop(child);
    if parent.read_exact(&mut [0; 3]).is_err() {
        return Vec::new();
    }
    // What adds the memory up looks every few milliseconds.
    sleep(Duration::from_millis(500));
    vec!["took more memory than it may".to_string()]
}

fn many(count: u64) -> Vec<String> {
    for _ in 0..count {
        // SAFETY: this process has one thread.
        match unsafe { fork() } {
            Ok(ForkResult::Child) => {
                sleep(Duration::from_secs(5));
                std::process::exit(0);
            }
            Ok(ForkResult::Parent { .. }) => {}
            Err(_) => return Vec::new(),
        }
    }
    sleep(Duration::from_millis(200));
    vec![format!("had {count} processes")]
}

fn disk(mib: u64) -> Vec<String> {
    let piece = vec![1u8; 1 << 20];
    for number in 0..mib {
        if File::create(format!("piece-{number}")).and_then(|mut file| file.write_all(&piece)).is_err() {
            return Vec::new();
        }
    }
    sleep(Duration::from_secs(1));
    vec![format!("wrote {mib} MiB")]
}

/// Has a child use the processor that is reaped by nobody.
fn unwaited(time: Duration) -> Vec<String> {
    // SAFETY: an ignored signal runs no code of ours.
    let ignored = unsafe { signal(Signal::SIGCHLD, SigHandler::SigIgn) };
    if ignored.is_err() {
        return Vec::new();
    }
    // SAFETY: this process has one thread.
    if let Ok(ForkResult::Child) = unsafe { fork() } {
        while crate::cpu::process_time() < time {
            std::hint::black_box((0..10_000u64).fold(0, |sum: u64, value| sum ^ (value * value)));
        }
        std::process::exit(0);
    }
    let _ = nix::sys::wait::wait();
    Vec::new()
}

/// Leaves a process behind in a session of its own, which holds a lock as long as it lives.
fn outlive() -> Vec<String> {
    // SAFETY: this process has one thread.
    if let Ok(ForkResult::Child) = unsafe { fork() } {
        let _ = setsid();
        let lock = File::create("lock");
        let _ = lock.as_ref().map(File::lock);
        let _ = File::create("locked");
        sleep(Duration::from_secs(30));
        std::process::exit(0);
    }
    while !Path::new("locked").exists() {
        sleep(Duration::from_millis(1));
    }
    Vec::new()
}
