//! Tests of hostile zips and hostile builds: each is reported in a line, writes nothing outside,
//! and leaves the other submissions alone.

use crate::{assert_students, intake};
use std::fs;
use std::io::{Cursor, Write};
use std::process::Command;
use testing::archive::{seven_zip, tar, zip, zip_of};
use testing::intake::{FIRST, modified};
use testing::{Folder, assert_has, folder, needs, text};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// A zip whose entries are not what they should be.
struct Forged(ZipWriter<Cursor<Vec<u8>>>);

impl Forged {
    fn new() -> Forged {
        Forged(ZipWriter::new(Cursor::new(Vec::new())))
    }

    fn file(&mut self, name: &str, bytes: &[u8]) {
        self.0.start_file(name, SimpleFileOptions::default()).unwrap();
        self.0.write_all(bytes).unwrap();
    }

    fn finish(self, names: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut bytes = self.0.finish().unwrap().into_inner();
        for (from, to) in names {
            assert_eq!(from.len(), to.len());
            while let Some(at) = bytes.windows(from.len()).position(|window| window == *from) {
                bytes[at..at + to.len()].copy_from_slice(to);
            }
        }
        bytes
    }
}

fn other_archives() -> Vec<(&'static str, Vec<u8>)> {
    let packed = |bytes: &[u8]| {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gz.write_all(bytes).unwrap();
        gz.finish().unwrap()
    };
    let bomb = tar(Vec::new(), &[("homework.py", &vec![b'#'; 4 << 20])]);
    let mut out = tar(Vec::new(), &[("homework.py", FIRST), ("xx/evil", b"out")]);
    // A name in the header, and its sum: the sum of all bytes.
    let place = out.windows(7).position(|window| window == b"xx/evil").unwrap();
    out[place..place + 2].copy_from_slice(b"..");
    let sum = usize::from_str_radix(text(&out[place + 148..place + 155]).trim(), 8).unwrap();
    let sum = format!("{:07o}", sum - 2 * usize::from(b'x' - b'.'));
    out[place + 148..place + 155].copy_from_slice(sum.as_bytes());
    let mut link = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    link.append_link(&mut header, "passwd", "/etc/passwd").unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(FIRST.len() as u64);
    link.append_data(&mut header, "homework.py", FIRST).unwrap();
    // A name of 100 MiB, which an unpacker holds in memory.
    let mut names = tar::Header::new_gnu();
    names.set_entry_type(tar::EntryType::GNULongName);
    names.set_size(100 << 20);
    names.set_cksum();
    let names = [names.as_bytes(), &vec![b'n'; 100 << 20][..]].concat();
    let whole = seven_zip(&[("homework.py", FIRST), ("other.py", b"")]);
    let mut broken = whole.clone();
    broken[20] ^= 0xff;
    vec![
        ("tarbomb/hw.tgz", packed(&bomb)),
        ("tarout/hw.tar", out),
        ("tarlink/hw.tar", link.into_inner().unwrap()),
        ("tarnames/hw.tar.gz", packed(&names)),
        ("7zout/hw.7z", seven_zip(&[("homework.py", FIRST), ("../../evil", b"out")])),
        ("7zbomb/hw.7z", seven_zip(&[("homework.py", &vec![b'#'; 9 << 20])])),
        ("7zbroken/hw.7z", broken),
    ]
}

#[test]
fn a_hostile_zip_harms_nobody_and_the_others_are_taken_in() {
    let place = folder();
    let mut forged = Forged::new();
    forged.file("good/homework.py", FIRST);
    forged.file("xx/xxxx/escape.py", b"out");
    forged.file("Xabsolute/x.py", b"out");
    forged
        .0
        .add_symlink("linker/homework.py", "/etc/passwd", SimpleFileOptions::default())
        .unwrap();
    forged.0.add_symlink("linkdir/src", "/etc", SimpleFileOptions::default()).unwrap();
    forged.file("linkdir/src/homework.py", FIRST);
    forged.file("bomb/homework.py", &vec![b'#'; 4 << 20]);
    forged.file("Case/homework.py", FIRST);
    forged.file("case/homework.py", FIRST);
    forged.file("twins/homework.py", FIRST);
    forged.file("twins/Homework.py", b"other");
    forged.file("Jos#/homework.py", FIRST);
    forged.file("deep/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/homework.py", FIRST);
    forged.file("fileandfolder/a", b"x");
    forged.file("fileandfolder/a/homework.py", FIRST);
    let many: Vec<_> = (0..5_000).map(|number| (format!("{number}.txt"), "")).collect();
    forged.file("many/all.zip", &zip_of(&many));
    let within = zip(&[("inner.zip", &zip(&[("homework.py", FIRST)]))]);
    forged.file("zipinzip/outer.zip", &within);
    let mut inner = Forged::new();
    inner.file("homework.py", FIRST);
    inner.file("xx/xx/evil", b"out");
    forged.file("within/hw.zip", &inner.finish(&[(b"xx/xx/evil", b"../../evil")]));
    forged.file("broken/hw.zip", b"PK\x03\x04 nothing");
    for (student, archive) in other_archives() {
        forged.file(student, &archive);
    }
    let bytes = forged.finish(&[
        (b"xx/xxxx/escape.py", b"../../../escape.p"),
        (b"Xabsolute/x.py", b"/absolute/x.py"),
        (b"Jos#/", b"Jos\xe9/"),
    ]);
    place.write("in/class.zip", bytes);
    let output = intake(&place, "in/class.zip", "--concurrency 2 --most-mib 8", 1);
    let (table, lines) = (output.stdout, output.stderr);
    println!("{table}\n{lines}");
    assert_has(
        &lines,
        [
            "in/class.zip: left out: ../../../escape.p leads out of its folder",
            "in/class.zip: left out: /absolute/x.py is an absolute path",
        ],
    );
    assert_students(
        &place,
        &[
            ("good", "ready", ""),
            ("linker", "needs-you", "linker/homework.py is a link"),
            ("linkdir", "mended", "linkdir/src is a link"),
            (
                "bomb",
                "needs-you",
                "homework.py: unpacks to more than 200 times its size, as only a zip bomb does",
            ),
            ("Case", "ready", ""),
            ("case", "ready", ""),
            ("twins", "ready", "homework.py and Homework.py differ only by case"),
            ("Jos%xe9", "ready", ""),
            ("deep", "needs-you", "lies deeper than 16 folders"),
            ("fileandfolder", "needs-you", "a/homework.py has the name of another file or folder"),
            (
                "many",
                "needs-you",
                "all.zip cannot be unpacked as a zip: it has 5000 entries, more than 4000",
            ),
            ("zipinzip", "mended", "outer/inner.zip was unpacked"),
            ("within", "mended", "hw.zip: ../../evil leads out of its folder"),
            ("broken", "needs-you", "hw.zip cannot be unpacked as a zip"),
            (
                "tarbomb",
                "needs-you",
                "homework.py: unpacks to more than 200 times its size, as only a zip bomb does",
            ),
            ("tarout", "mended", "hw.tar: ../evil leads out of its folder"),
            ("tarlink", "mended", "hw.tar: passwd is a link"),
            ("tarnames", "needs-you", "hw.tar.gz cannot be unpacked as a tar"),
            ("7zout", "mended", "hw.7z: ../../evil leads out of its folder"),
            (
                "7zbomb",
                "needs-you",
                "hw.7z cannot be unpacked as a 7z: it unpacks to more than 8 MiB",
            ),
            ("7zbroken", "needs-you", "hw.7z cannot be unpacked as a 7z"),
        ],
    );
    let folders: Vec<String> = modified(&place).into_keys().collect();
    assert!(["Case", "case~2"].iter().all(|name| folders.iter().any(|one| one == name)));
    assert_eq!(place.entries().len(), 2);
    assert!(
        Command::new("find").arg(&*place).args(["-type", "l"]).output().unwrap().stdout.is_empty()
    );
}

/// A zip of stored entries, bytes before them and a comment.
#[derive(Default)]
struct Stored<'a> {
    before: &'a [u8],
    comment: &'a [u8],
    /// Whether it has end records of 64 bits.
    long: bool,
}

impl Stored<'_> {
    fn zip(&self, files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for (name, bytes) in files {
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        let mut zip = writer.finish().unwrap().into_inner();
        let mut record = zip.split_off(zip.len() - 22);
        if self.long {
            let wide = |from: usize, to| [&record[from..to], &vec![0; 8 + from - to]].concat();
            let (count, end) = (wide(10, 12), zip.len() as u64);
            let counts = [count.clone(), count, wide(12, 16), wide(16, 20)].concat();
            let length = 44u64.to_le_bytes();
            zip.extend([b"PK\x06\x06", &length[..], &[45, 0, 45, 0], &[0; 8], &counts].concat());
            zip.extend([b"PK\x06\x07", &[0; 4][..], &end.to_le_bytes(), &[1, 0, 0, 0]].concat());
            record = end_record(u16::MAX, u32::MAX, u32::MAX, 0);
        }
        record[20..].copy_from_slice(&(self.comment.len() as u16).to_le_bytes());
        [self.before, &zip, &record, self.comment].concat()
    }
}

/// An end record, whose comment has this length.
fn end_record(count: u16, size: u32, place: u32, comment: u16) -> Vec<u8> {
    let count = count.to_le_bytes();
    [
        b"PK\x05\x06\0\0\0\0",
        &count[..],
        &count,
        &size.to_le_bytes(),
        &place.to_le_bytes(),
        &comment.to_le_bytes(),
    ]
    .concat()
}

/// What a reader of zips may take for the end of the class's zip: records of 64 bits alone and with
/// what leads to them, end records, and whole zips.
fn decoys() -> Vec<Vec<u8>> {
    let huge =
        [&b"PK\x06\x06"[..], &44u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8], &[0xff; 32]].concat();
    let locator = [b"PK\x06\x07", &[0; 12][..], &[1, 0, 0, 0]].concat();
    let inner = Stored::default().zip(&[("thief/homework.py", FIRST)]);
    // The comment would reach to the end of the class's zip, wherever that is.
    let reaching = (60..1_000).flat_map(|comment| end_record(1, 46, 0, comment)).collect();
    vec![
        huge.clone(),
        [huge, locator, end_record(0xffff, u32::MAX, u32::MAX, 0)].concat(),
        end_record(0xfffe, 46, 0, 0),
        end_record(0, 0, 0, 0),
        reaching,
        inner.clone(),
        [&inner[..inner.len() - 2], &u16::MAX.to_le_bytes()].concat(),
        Stored { long: true, ..Stored::default() }.zip(&[("thief/homework.py", FIRST)]),
    ]
}

#[test]
fn nothing_that_a_student_hands_in_is_taken_for_the_records_of_the_class_s_zip() {
    let comment =
        [&b"Handed in 12 PK\x05\x06 times, "[..], &end_record(7, 9, 9, 3), b"today"].concat();
    let forms = [
        ("plain", Stored::default()),
        ("with a comment", Stored { comment: &comment, ..Stored::default() }),
        (
            "with bytes before it",
            Stored { before: b"MZ this program unpacks PK\x01\x02", ..Stored::default() },
        ),
        ("of 64 bits", Stored { long: true, ..Stored::default() }),
        (
            "of 64 bits, with bytes before it",
            Stored { long: true, before: &[b'x'; 500], ..Stored::default() },
        ),
    ];
    let mut decoys = decoys();
    // In each form, all of them, and another one next to the directory.
    for turn in 0..decoys.len() {
        let (form, stored) = &forms[turn % forms.len()];
        decoys.rotate_left(1);
        let place = folder();
        let names: Vec<String> =
            (0..decoys.len()).map(|number| format!("eve/notes{number}")).collect();
        let mut files = vec![("ann/homework.py", FIRST), ("eve/homework.py", FIRST)];
        files.extend(names.iter().zip(&decoys).map(|(name, bytes)| (&**name, &bytes[..])));
        place.write("class.zip", stored.zip(&files));
        let output = intake(&place, "class.zip", "", 0).stdout;
        println!("{form}: {output}");
        assert_students(&place, &[("ann", "ready", ""), ("eve", "ready", "")]);
        for (number, bytes) in decoys.iter().enumerate() {
            let notes = place.join(format!("class/eve/program/notes{number}"));
            assert!(fs::read(notes).unwrap() == *bytes, "{form}: {number}");
        }
    }
}

#[test]
fn a_class_s_zip_that_is_cut_off_or_goes_on_is_refused_whatever_lies_in_it() {
    let place = folder();
    let inner = Stored::default().zip(&[("thief/homework.py", FIRST)]);
    let files = [("ann/homework.py", FIRST), ("eve/homework.py", FIRST), ("eve/notes", &inner)];
    let whole = Stored::default().zip(&files);
    let directory =
        whole.windows(inner.len()).position(|window| window == inner).unwrap() + inner.len();
    for (bytes, part) in [
        (&whole[..whole.len() - 22], "its download is incomplete"),
        (&whole[..directory + 3], "3 bytes follow the end of the zip: its download is incomplete"),
        (&[&whole[..], b"\n"].concat(), "1 bytes follow the end of the zip"),
    ] {
        place.write("class.zip", bytes);
        let output = intake(&place, "class.zip", "", 2);
        assert_has(&output.stderr, [part]);
    }
}

#[test]
fn an_entry_that_is_broken_is_the_loss_of_its_student_alone() {
    let place = folder();
    let files =
        [("ann/homework.py", FIRST), ("eve/homework.py", FIRST), ("bob/homework.py", FIRST)];
    let mut bytes = Stored::default().zip(&files);
    let mut headers = bytes.windows(4).enumerate().filter(|(_, window)| window == b"PK\x03\x04");
    let (second, _) = headers.nth(1).unwrap();
    bytes[second] = b'?';
    place.write("class.zip", bytes);
    intake(&place, "class.zip", "", 1);
    let broken = "eve/homework.py cannot be read: ";
    let expected = [("ann", "ready", ""), ("bob", "ready", ""), ("eve", "needs-you", broken)];
    assert_students(&place, &expected);
}

#[test]
fn a_build_that_attacks_finds_nothing_and_leaves_nothing() {
    needs("make");
    needs("gcc");
    let place = folder();
    let secret = place.join("made/good/homework.py");
    let make = "all:\n\t-cat SECRET > stolen.txt\n\tln -s /etc/passwd link.txt\n\tmkfifo pipe\n\tmkdir closed\n\techo x > closed/x\n\
                \tchmod 000 closed\n\tyes x | head -c 60000000 | tr -d '\\n'\n\tyes y | head -c 60000000 | tr -d '\\n' >&2\n\
                \tcc -o homework walk.c\n";
    let walk = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"output.txt\", \"w\"); fputs(\"E 14,11 13,10\\n\", f); return 0; }\n";
    let filler = "all:\n\twhile true; do yes | head -c 20000000 > $$(mktemp ./fXXXXXX); done\n";
    let linked = "all:\n\tln -s /bin/sh homework\n";
    let make = make.replace("SECRET", secret.to_str().unwrap());
    for (path, text) in [
        ("good/homework.py", text(FIRST).as_str()),
        ("attacker/Makefile", &make),
        ("attacker/walk.c", walk),
        ("filler/Makefile", filler),
        ("linked/Makefile", linked),
        ("traverser/homework.java", "public class \"../../../good/x\" { void main() {} }"),
    ] {
        place.join("made").write(path, text);
    }
    let output = intake(&place, "made", "--build-size 64 --build-time 50", 1);
    println!("{}", output.stdout);
    assert_students(
        &place,
        &[
            ("good", "ready", ""),
            ("attacker", "ready", ""),
            ("filler", "needs-you", "its files took more than 128 MiB"),
            ("linked", "needs-you", "the build left no program that can be started"),
            ("traverser", "needs-you", ""),
        ],
    );
    let program = place.join("class/attacker/program");
    if output.stderr.contains("namespaces") {
        assert_eq!(program.read("stolen.txt"), "");
    }
    for name in ["link.txt", "pipe"] {
        assert!(fs::symlink_metadata(program.join(name)).is_err(), "{name}");
    }
    assert!(fs::metadata(place.join("class/attacker/build.log")).unwrap().len() < 1 << 18);
    assert_eq!(fs::read(place.join("class/good/program/homework.py")).unwrap(), FIRST);
}
