//! Hostile zips, and compilers that are set on the others: a line for each, nothing outside, the others taken in.

mod common;

use common::class::{works, zip};
use common::intake::{FIRST, intake, modified, states};
use common::text;
use std::fs;
use std::process::Command;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A zip whose entries are not what they should be; each with a mode and raw bytes as its name.
struct Forged(ZipWriter<std::io::Cursor<Vec<u8>>>);

impl Forged {
    fn new() -> Forged {
        Forged(ZipWriter::new(std::io::Cursor::new(Vec::new())))
    }

    fn file(&mut self, name: &str, bytes: &[u8]) {
        use std::io::Write;
        self.0.start_file(name, SimpleFileOptions::default()).unwrap();
        self.0.write_all(bytes).unwrap();
    }

    /// The bytes of the zip, with one name put in the place of another of the same length.
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

#[test]
fn a_hostile_zip_harms_nobody_and_the_others_are_taken_in() {
    let place = tempfile::tempdir().unwrap();
    let mut forged = Forged::new();
    forged.file("good/homework.py", FIRST);
    forged.file("xx/xxxx/escape.py", b"out");
    forged.file("Xabsolute/x.py", b"out");
    forged.0.add_symlink("linker/homework.py", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    forged.0.add_symlink("linkdir/src", "/etc", SimpleFileOptions::default()).unwrap();
    forged.file("linkdir/src/homework.py", FIRST);
    forged.file("bomb/homework.py", &vec![b'#'; 40 << 20]);
    forged.file("Case/homework.py", FIRST);
    forged.file("case/homework.py", FIRST);
    forged.file("twins/homework.py", FIRST);
    forged.file("twins/Homework.py", b"other");
    forged.file("Jos#/homework.py", FIRST);
    forged.file("deep/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/homework.py", FIRST);
    forged.file("fileandfolder/a", b"x");
    forged.file("fileandfolder/a/homework.py", FIRST);
    let many: Vec<String> = (0..100_000).map(|number| format!("{number}.txt")).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), &b""[..])).collect();
    forged.file("many/all.zip", &zip(&many));
    let within = zip(&[("inner.zip", &zip(&[("homework.py", FIRST)]))]);
    forged.file("zipinzip/outer.zip", &within);
    let mut inner = Forged::new();
    inner.file("homework.py", FIRST);
    inner.file("xx/xx/evil", b"out");
    forged.file("within/hw.zip", &inner.finish(&[(b"xx/xx/evil", b"../../evil")]));
    forged.file("broken/hw.zip", b"PK\x03\x04 nothing");
    let bytes = forged.finish(&[
        (b"xx/xxxx/escape.py", b"../../../escape.p"),
        (b"Xabsolute/x.py", b"/absolute/x.py"),
        (b"Jos#/", b"Jos\xe9/"),
    ]);
    fs::create_dir(place.path().join("in")).unwrap();
    fs::write(place.path().join("in/class.zip"), bytes).unwrap();
    let output = intake(place.path(), "in/class.zip", &["--concurrency", "2"], 1);
    let (table, lines) = (text(&output.stdout), text(&output.stderr));
    println!("{table}\n{lines}");
    for line in ["../../../escape.p leads out of its folder", "/absolute/x.py is an absolute path"] {
        assert!(lines.contains(&format!("in/class.zip: left out: {line}")), "{line} is missing in {lines}");
    }
    let states = states(place.path());
    for (student, state, part) in [
        ("good", "ready", ""),
        ("linker", "needs-you", "linker/homework.py is a link"),
        ("linkdir", "mended", "linkdir/src is a link"),
        ("bomb", "needs-you", "homework.py: unpacks to more than 200 times its size, as only a bomb does"),
        ("Case", "ready", ""),
        ("case", "ready", ""),
        ("twins", "ready", "homework.py and Homework.py differ by case alone"),
        ("Jos%xe9", "ready", ""),
        ("deep", "needs-you", "lies deeper than 16 folders"),
        ("fileandfolder", "needs-you", "a/homework.py has the name of another file or folder"),
        ("many", "needs-you", "all.zip is no zip that can be unpacked: it has 100000 entries, more than 4000"),
        ("zipinzip", "needs-you", "inner.zip: unpack it by hand"),
        ("within", "mended", "hw.zip: ../../evil leads out of its folder"),
        ("broken", "needs-you", "hw.zip is no zip that can be unpacked"),
    ] {
        let (found, said) = &states[student];
        assert_eq!(found, state, "{student}: {said}");
        assert!(said.contains(part), "{student}: expected {part}, found {said}");
    }
    // Folders of names that differ by case alone do not share one where case does not count.
    let folders: Vec<String> = modified(place.path()).into_keys().collect();
    assert!(folders.contains(&"Case".to_string()) && folders.contains(&"case~2".to_string()), "{folders:?}");
    // Nothing lies outside, and nothing is a link.
    assert_eq!(common::files(place.path()).len(), 2);
    assert!(Command::new("find").arg(place.path()).args(["-type", "l"]).output().unwrap().stdout.is_empty());
}

#[test]
fn a_build_that_attacks_finds_nothing_and_leaves_nothing() {
    if !works("make") || !works("gcc") {
        println!("skipped: there is no make and gcc here");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let secret = place.path().join("made/good/homework.py");
    let make = "all:\n\t-cat SECRET > stolen.txt\n\tln -s /etc/passwd link.txt\n\tmkfifo pipe\n\tmkdir closed\n\techo x > closed/x\n\
                \tchmod 000 closed\n\thead -c 30000000 /dev/zero | tr '\\0' x\n\thead -c 30000000 /dev/zero | tr '\\0' y >&2\n\
                \tcc -o homework walk.c\n";
    let walk = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"output.txt\", \"w\"); fputs(\"E 15,12 14,11\\n\", f); return 0; }\n";
    let filler = "all:\n\twhile true; do head -c 20000000 /dev/zero > $$(mktemp ./fXXXXXX); done\n";
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
        let path = place.path().join("made").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = intake(place.path(), "made", &["--build-size", "64", "--build-time", "50"], 1);
    println!("{}", text(&output.stdout));
    let found = states(place.path());
    assert_eq!(found["good"].0, "ready");
    assert_eq!(found["attacker"].0, "ready", "{:?}", found["attacker"]);
    let program = place.path().join("class/attacker/program");
    if text(&output.stderr).contains("namespaces") {
        assert_eq!(fs::read_to_string(program.join("stolen.txt")).unwrap(), "");
    }
    for name in ["link.txt", "pipe"] {
        assert!(fs::symlink_metadata(program.join(name)).is_err(), "{name}");
    }
    assert!(fs::metadata(place.path().join("class/attacker/build.log")).unwrap().len() < 1 << 18);
    let (state, said) = &found["filler"];
    assert!(state == "needs-you" && said.contains("its files took more than 128 MiB"), "{said}");
    assert!(found["linked"].1.contains("it built nothing that can be started"), "{:?}", found["linked"]);
    assert_eq!(found["traverser"].0, "needs-you");
    assert_eq!(fs::read(place.path().join("class/good/program/homework.py")).unwrap(), FIRST);
}
