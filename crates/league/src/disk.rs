//! While a disk of a worker or of the server is nearly full, no job is begun: it would fail by
//! nobody's fault. Files leave half of that room to the database.

use clock::lock;
use sandbox::disk::{Room, room};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The bytes and files of a disk that have to be free, of a small one a tenth.
fn needed(room: Room) -> (u64, u64) {
    ((128 << 20).min(room.all_bytes / 10), 4_096.min(room.all_files / 10))
}

pub(crate) struct Disks {
    folders: Vec<PathBuf>,
    /// Whether it was said that one of them is full, on standard error and in the log.
    said: Mutex<Said>,
}

#[derive(Default)]
struct Said {
    aloud: bool,
    in_the_log: bool,
}

impl Disks {
    /// Returns the disks of these folders, and that of temporary files.
    pub(crate) fn of(folders: impl IntoIterator<Item = PathBuf>) -> Disks {
        let folders = folders.into_iter().chain([std::env::temp_dir()]).collect();
        Disks { folders, said: Mutex::default() }
    }

    /// Says which disk is nearly full, if one is.
    pub(crate) fn fullness(&self) -> Option<String> {
        self.folders.iter().find_map(|folder| {
            // A folder that is missing now is the job's own fault.
            let what = lack(room(folder).ok()?)?;
            Some(format!("the disk of {} is nearly full: {what}", folder.display()))
        })
    }

    pub(crate) fn rooms(&self) -> Vec<String> {
        let (mut sizes, mut words) = (HashSet::new(), Vec::new());
        for folder in &self.folders {
            let Ok(room) = room(folder) else { continue };
            // Folders of one disk have the same size.
            if sizes.insert((room.all_bytes, room.all_files)) {
                let [free, all] =
                    [room.bytes, room.all_bytes].map(|bytes| bytes as f64 / f64::from(1 << 30));
                let folder = folder.display();
                words.push(format!("{free:.1} of {all:.1} GiB are free at {folder}"));
            }
        }
        words
    }

    /// Returns whether there is room for a job. A change is said once: on standard error, and by
    /// `note`, with the reason while there is no room. A log that cannot be written is tried again.
    pub(crate) fn have_room(&self, note: impl FnOnce(Option<&str>) -> anyhow::Result<()>) -> bool {
        let why = self.fullness();
        let mut said = lock(&self.said);
        if why.is_some() != said.aloud {
            match &why {
                Some(why) => eprintln!("no jobs are begun: {why}"),
                None => eprintln!("there is room on the disk again: jobs are begun"),
            }
            said.aloud = why.is_some();
        }
        if why.is_some() != said.in_the_log && note(why.as_deref()).is_ok() {
            said.in_the_log = why.is_some();
        }
        why.is_none()
    }
}

/// Returns whether the disk of a folder has room for a file and, after it, for the database.
pub(crate) fn has_room_for(folder: &Path, bytes: u64) -> bool {
    room(folder).is_ok_and(|room| {
        let (needed_bytes, needed_files) = needed(room);
        room.bytes >= bytes + needed_bytes / 2 && room.files >= needed_files / 2
    })
}

/// The system, SQLite, PostgreSQL and [`crate::files`] have nothing in common but words.
pub(crate) fn is_of_full_disk(error: &anyhow::Error) -> bool {
    let text = format!("{error:#}");
    ["disk is full", "No space left", "readonly database"].iter().any(|part| text.contains(part))
}

fn lack(room: Room) -> Option<String> {
    let (bytes, files) = needed(room);
    if room.bytes < bytes {
        return Some(format!("{} MiB of {} are free", room.bytes >> 20, room.all_bytes >> 20));
    }
    (room.files < files).then(|| format!("{} files of {} can be made", room.files, room.all_files))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_is_full_before_its_last_byte_and_file() {
        let of = |bytes: u64, all_bytes: u64, files: u64, all_files: u64| {
            lack(Room { bytes: bytes << 20, all_bytes: all_bytes << 20, files, all_files })
        };
        assert_eq!(of(128, 1 << 20, 0, 0), None);
        assert_eq!(of(127, 1 << 20, 0, 0).unwrap(), "127 MiB of 1048576 are free");
        assert_eq!(of(2, 16, 9, 9), None);
        assert_eq!(of(1, 16, 9, 9).unwrap(), "1 MiB of 16 are free");
        assert_eq!(of(500, 1000, 99, 1000).unwrap(), "99 files of 1000 can be made");
    }

    #[test]
    fn a_change_is_said_once_and_a_log_that_fails_is_tried_again() {
        let disks = Disks { folders: vec![PathBuf::from("/proc/self")], said: Mutex::default() };
        assert_eq!(disks.fullness(), None);
        assert!(disks.have_room(|_| panic!("nothing has changed")));
        disks.said.lock().unwrap().in_the_log = true;
        assert!(disks.have_room(|_| anyhow::bail!("the log is on the same disk")));
        let mut notes = Vec::new();
        assert!(disks.have_room(|why| {
            notes.push(why.map(String::from));
            Ok(())
        }));
        assert!(disks.have_room(|_| panic!("it was said")));
        assert_eq!(notes, [None]);
    }
}
