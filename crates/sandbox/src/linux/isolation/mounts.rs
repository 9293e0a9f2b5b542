//! The file system of a box: the system's files, read-only; the player's directory; private
//! directories for temporary files.
#![allow(unsafe_code, reason = "mount_setattr has no safe form in the libraries")]

use super::paths::{DEVICES, ETC, PRIVATE, SYSTEM, ZERO};
use crate::job::{Job, within};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::unistd::pivot_root;
use std::env::set_current_dir;
use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

/// For arguments of [`mount`] that are not needed.
const NONE: Option<&str> = None;
pub(super) const PLAIN: MsFlags = MsFlags::MS_NOSUID.union(MsFlags::MS_NODEV);

/// Where the machine's root and the box's root are mounted while the box is built.
const OLD: &str = "/old";
const NEW: &str = "/new";
const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY | READ_AND_WRITE;
const READ_AND_WRITE: u64 = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;
const DEVICE: u64 = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC;

/// Keeps what is mounted in the mount namespace of the calling process out of others.
pub(super) fn make_private() -> nix::Result<()> {
    mount(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)
}

/// Builds the file system of a box in a new mount namespace, and changes to it.
pub(crate) fn build(job: &Job) -> Result<(), String> {
    let base = job.directory.parent().unwrap_or(Path::new("/tmp"));
    make_private().map_err(within("private mounts"))?;
    let small = Some("size=1m,mode=755");
    mount(Some("box"), base, Some("tmpfs"), PLAIN, small).map_err(within("tmpfs"))?;
    fs::create_dir(base.join(&OLD[1..])).map_err(within("old"))?;
    fs::create_dir(base.join(&NEW[1..])).map_err(within("new"))?;
    pivot_root(base, &base.join(&OLD[1..])).map_err(within("pivot_root"))?;
    set_current_dir("/").map_err(within("/"))?;
    mount(Some("box"), NEW, Some("tmpfs"), PLAIN, small).map_err(within("tmpfs"))?;
    NewRoot { bound: Vec::new() }.fill(job)?;
    let user = job.identity.map_or_else(|| nix::unistd::getuid().as_raw(), |user| user.id);
    fill_etc(user).map_err(within("/etc"))?;
    // Stack the new root on top of the old one, then detach the old one as a whole.
    set_current_dir(NEW).map_err(within("/new"))?;
    pivot_root(".", ".").map_err(within("second pivot_root"))?;
    umount2(".", MntFlags::MNT_DETACH).map_err(within("the old root"))?;
    set_current_dir("/").map_err(within("/"))?;
    let fixed = MsFlags::MS_REMOUNT | MsFlags::MS_BIND | MsFlags::MS_RDONLY | PLAIN;
    mount(NONE, "/", NONE, fixed, NONE).map_err(within("read-only root"))
}

struct NewRoot {
    bound: Vec<PathBuf>,
}

impl NewRoot {
    fn fill(&mut self, job: &Job) -> Result<(), String> {
        for path in SYSTEM {
            self.show(Path::new(path), READ_ONLY)?;
        }
        for name in ETC {
            self.show(&Path::new("/etc").join(name), READ_ONLY)?;
        }
        for &name in DEVICES {
            // Shared mappings of the device are memory that only a control group sees.
            if name != ZERO || job.layers.group {
                self.show(&Path::new("/dev").join(name), DEVICE)?;
            }
        }
        private_places(job).map_err(within("private directories"))?;
        processes().map_err(within("/proc"))?;
        let mut shown: Vec<&PathBuf> = job.shown.iter().collect();
        // Directories come before their contents.
        shown.sort();
        for path in shown {
            self.show(path, READ_ONLY)?;
        }
        self.show(&job.directory, READ_AND_WRITE)
    }

    /// Mounts a path of the machine under the same path in the box, with the links on the way to
    /// it. A path that does not exist is left out.
    fn show(&mut self, path: &Path, attributes: u64) -> Result<(), String> {
        let parts = |path: &Path| -> Vec<PathBuf> {
            path.components().rev().map(|part| PathBuf::from(part.as_os_str())).collect()
        };
        let mut wanted = parts(path);
        let mut at = PathBuf::from("/");
        let mut links = 0;
        while let Some(part) = wanted.pop() {
            match part.components().next() {
                Some(Component::RootDir) => at = PathBuf::from("/"),
                Some(Component::ParentDir) => {
                    // A path with `..` leads through this directory. An error means that it exists.
                    let _ = make_directories(&at);
                    at.pop();
                }
                Some(Component::Normal(name)) => at.push(name),
                _ => {}
            }
            let Ok(data) = fs::symlink_metadata(old_path(&at)) else { return Ok(()) };
            if data.is_symlink() {
                links += 1;
                let Ok(target) = fs::read_link(old_path(&at)) else { return Ok(()) };
                if links > 40 {
                    return Ok(());
                }
                if !self.is_bound(&at) {
                    let _ = make_directories(at.parent().unwrap_or(&at));
                    // An existing link is the same link.
                    let _ = symlink(&target, new_path(&at));
                }
                at.pop();
                wanted.extend(parts(&target));
            }
        }
        self.bind(&at, attributes).map_err(within(&at.display().to_string()))
    }

    fn is_bound(&self, path: &Path) -> bool {
        self.bound.iter().any(|bound| path.starts_with(bound))
    }

    fn bind(&mut self, path: &Path, attributes: u64) -> io::Result<()> {
        if attributes == READ_ONLY && (self.is_bound(path) || path == Path::new("/")) {
            return Ok(());
        }
        let (from, to) = (old_path(path), new_path(path));
        if fs::metadata(&from)?.is_dir() {
            make_directories(path)?;
        } else {
            make_directories(path.parent().unwrap_or(path))?;
            drop(OpenOptions::new().create(true).append(true).open(&to)?);
        }
        mount(Some(&from), &to, NONE, MsFlags::MS_BIND | MsFlags::MS_REC, NONE)?;
        set_attributes(&to, attributes)?;
        self.bound.push(path.to_owned());
        Ok(())
    }
}

/// The private directories share one file system with one limit.
fn private_places(job: &Job) -> io::Result<()> {
    let size = job.limits.disk.min(job.limits.memory);
    let owner = job.identity.map_or_else(String::new, |user| format!(",uid={0},gid={0}", user.id));
    // Each file costs kernel memory.
    let options = format!("size={size},nr_inodes={},mode=700{owner}", 1 << 16);
    let store = Path::new("/store");
    fs::create_dir(store)?;
    mount(Some("private"), store, Some("tmpfs"), PLAIN, Some(options.as_str()))?;
    for place in PRIVATE {
        let one = store.join(place[1..].replace('/', "-"));
        fs::create_dir(&one)?;
        fs::set_permissions(&one, fs::Permissions::from_mode(0o1777))?;
        make_directories(Path::new(place))?;
        mount(Some(&one), &new_path(Path::new(place)), NONE, MsFlags::MS_BIND, NONE)?;
    }
    if job.layers.group { Ok(()) } else { zeros(&store.join("zero")) }
}

fn processes() -> io::Result<()> {
    make_directories(Path::new("/proc"))?;
    // Read-only: its files set the priority of a session, and which process the kernel kills for
    // lack of memory.
    let flags = PLAIN | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    mount(Some("proc"), &new_path(Path::new("/proc")), Some("proc"), flags, NONE)?;
    let links =
        [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")];
    links
        .into_iter()
        .try_for_each(|(name, target)| symlink(target, new_path(&Path::new("/dev").join(name))))
}

/// Makes a file of zeros in place of the device: without content, of a size that no program reads
/// to its end. Pages of it that a program maps take room in the file system of this path.
fn zeros(path: &Path) -> io::Result<()> {
    let file = File::create(path)?;
    file.set_len(1 << 40)?;
    file.set_permissions(fs::Permissions::from_mode(0o444))?;
    let device = new_path(Path::new("/dev/zero"));
    File::create(&device)?;
    mount(Some(path), &device, NONE, MsFlags::MS_BIND, NONE)?;
    set_attributes(&device, READ_ONLY)
}

fn old_path(path: &Path) -> PathBuf {
    Path::new(OLD).join(path.strip_prefix("/").unwrap_or(path))
}

fn new_path(path: &Path) -> PathBuf {
    Path::new(NEW).join(path.strip_prefix("/").unwrap_or(path))
}

fn make_directories(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o755).create(new_path(path))
}

fn fill_etc(user: u32) -> io::Result<()> {
    let user = if user == 0 { 1000 } else { user };
    let etc = new_path(Path::new("/etc"));
    fs::create_dir_all(&etc)?;
    let write = |name: &str, text: String| fs::write(etc.join(name), text);
    write("passwd", format!("root:x:0:0::/:/bin/sh\nplayer:x:{user}:{user}::/tmp:/bin/sh\n"))?;
    write("group", format!("root:x:0:\nplayer:x:{user}:\n"))?;
    write("hosts", "127.0.0.1 localhost box\n".to_string())?;
    File::create(etc.join("mtab")).map(drop)
}

fn set_attributes(path: &Path, attributes: u64) -> io::Result<()> {
    let path = CString::new(path.as_os_str().as_bytes())?;
    let wanted =
        libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let (flags, size) = (libc::AT_RECURSIVE, size_of::<libc::mount_attr>());
    // SAFETY: the kernel reads a live C string and a live local of the given size.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            path.as_ptr(),
            flags,
            &raw const wanted,
            size,
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
