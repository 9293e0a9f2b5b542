//! Table files round-trip, and damaged or foreign ones are refused.

use std::path::{Path, PathBuf};
use tables::{Subject, TableError, TableFile, write};

const SUBJECT: Subject = Subject { name: "test", numbers: [2, 10, 0, 7] };

fn arrays() -> [Vec<u8>; 2] {
    [
        (0..10_000u32).map(|n| (n * 7 % 251) as u8).collect(),
        (0..5_000u32).map(|n| (n % 13) as u8).collect(),
    ]
}

fn made(directory: &Path) -> PathBuf {
    let path = directory.join("a.table");
    let [first, second] = arrays();
    write(&path, &SUBJECT, &[&first, &second]).unwrap();
    path
}

fn open(path: &Path) -> Result<TableFile, TableError> {
    TableFile::open(path, &SUBJECT, &[10_000, 5_000])
}

#[test]
fn what_is_written_is_read_again() {
    let directory = tempfile::tempdir().unwrap();
    let table = open(&made(directory.path())).unwrap();
    for (number, array) in arrays().iter().enumerate() {
        assert_eq!(table.array(number).unwrap(), array);
        for (index, &byte) in array.iter().enumerate() {
            assert_eq!(table.get(number, index).unwrap(), byte);
        }
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file");
}

#[test]
fn the_last_array_may_be_of_any_length() {
    let directory = tempfile::tempdir().unwrap();
    let path = made(directory.path());
    let table = TableFile::open_with_rest(&path, &SUBJECT, &[10_000]).unwrap();
    assert_eq!((table.length(0), table.length(1), table.length(2)), (10_000, 5_000, 0));
    assert_eq!(table.array(1).unwrap(), arrays()[1]);
    // The additional array may be absent; two of them, or a wrong length of a given one, are
    // errors.
    assert_eq!(TableFile::open_with_rest(&path, &SUBJECT, &[10_000, 5_000]).unwrap().length(2), 0);
    for lengths in [&[][..], &[10_001], &[10_000, 4_999]] {
        let opened = TableFile::open_with_rest(&path, &SUBJECT, lengths);
        assert!(matches!(opened, Err(TableError::Foreign { .. })));
    }
}

#[test]
fn a_change_of_any_byte_is_found_out_before_the_byte_is_believed() {
    let directory = tempfile::tempdir().unwrap();
    let path = made(directory.path());
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        // The last eight bytes of the header are unused.
        if (88..96).contains(&at) || (at > 300 && at % 97 != 0) {
            continue;
        }
        let mut bytes = whole.clone();
        bytes[at] ^= 0x40;
        let damaged = directory.path().join("b.table");
        std::fs::write(&damaged, &bytes).unwrap();
        let result =
            open(&damaged).and_then(|table| table.array(0).and(table.array(1)).map(<[u8]>::len));
        assert!(result.is_err(), "byte {at}");
    }
}

#[test]
fn a_short_a_long_a_missing_and_a_foreign_file_are_refused_in_one_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = made(directory.path());
    let whole = std::fs::read(&path).unwrap();
    let other = directory.path().join("c.table");
    let refused = |path: &Path| {
        let error = open(path).unwrap_err();
        assert!(!error.to_string().contains('\n'));
        error
    };
    for length in [0, 7, 95, 96, 200, whole.len() - 1] {
        std::fs::write(&other, &whole[..length]).unwrap();
        refused(&other);
    }
    std::fs::write(&other, [&whole[..], b"x"].concat()).unwrap();
    refused(&other);
    assert!(refused(&directory.path().join("none.table")).is_missing());
    assert!(!refused(directory.path()).is_missing());
    let elsewhere = Subject { numbers: [2, 11, 0, 7], ..SUBJECT };
    for (subject, length) in [(elsewhere, 5_000), (SUBJECT, 5_001)] {
        let opened = TableFile::open(&path, &subject, &[10_000, length]);
        assert!(matches!(opened, Err(TableError::Foreign { .. })));
    }
}

#[test]
fn a_failed_write_leaves_the_old_file_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("a.table");
    std::fs::create_dir(&target).unwrap();
    assert!(write(&target, &SUBJECT, &[&[1, 2, 3]]).is_err());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}
