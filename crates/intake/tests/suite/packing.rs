//! Tests of how submissions are packed and named.

use crate::{assert_students, intake};
use std::path::Path;
use testing::archive::{forged, seven_zip, tar, zip};
use testing::intake::{FIRST, said, submission};
use testing::{Folder, assert_has, assert_lacks, folder, needs};

fn write(place: &Path, files: &[(&str, &[u8])]) {
    for (name, bytes) in files {
        place.join("made").write(name, bytes);
    }
}

#[test]
fn a_zip_of_a_method_that_is_not_unpacked_is_told_with_its_name() {
    let place = folder();
    let methods = [(6, "method 6, Implode"), (9, "method 9, Deflate64"), (93, "method 93, Zstd")];
    for (method, _) in methods {
        write(&place, &[(&format!("student{method}/hw.zip"), &forged(method, 0))]);
    }
    // Another file of the zip, or beside it, is no program either.
    write(
        &place,
        &[
            ("locked/hw.zip", &forged(8, 1)),
            ("beside/hw.zip", &forged(14, 0)),
            ("beside/README.md", b"my homework"),
            ("plays/hw.zip", &forged(14, 0)),
            ("plays/homework.py", FIRST),
        ],
    );
    let output = intake(&place, "made", "--csv table.csv", 1);
    let (table, rows) = (output.stdout, place.read("table.csv"));
    println!("{table}");
    let told = |student: &str, needs: &str| {
        let found = submission(&place, student);
        let own = (found["state"].as_str(), found["needs"].as_str());
        assert_eq!(own, (Some("needs-you"), Some(needs)), "{found}");
        assert_lacks(said(&found), ["was unpacked"]);
        for text in [&table, &rows, &place.read(format!("class/{student}/build.log"))] {
            assert_has(text, [needs]);
        }
    };
    let line = |why: &str| {
        format!("hw.zip: hw/homework.py cannot be unpacked ({why}): hand in an ordinary zip")
    };
    for (method, name) in methods {
        told(&format!("student{method}"), &line(name));
    }
    told("locked", &format!("{} without a password", line("encrypted")));
    told("beside", &line("method 14, Lzma"));
    let plays = submission(&place, "plays");
    assert_eq!(plays["state"].as_str(), Some("ready"), "{plays}");
    assert!(said(&plays).contains(&line("method 14, Lzma")), "{plays}");
}

#[test]
fn what_is_packed_twice_or_called_something_else_is_taken_in() {
    let place = folder();
    let program = zip(&[("homework.py", FIRST)]);
    let twice = zip(&[("notes.md", b"x"), ("inner.zip", &program)]);
    let thrice = zip(&[("twice.zip", &twice)]);
    let gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let packed_tar = tar(gz, &[("homework.py", FIRST)]).finish().unwrap();
    let opens_zip =
        b"import zipfile\nopen('output.txt', 'wb').write(zipfile.ZipFile('hw/data.zip').read('move.txt'))\n";
    write(
        &place,
        &[
            ("twice/hw.zip", &twice),
            ("thrice/hw.zip", &thrice),
            ("four/hw.zip", &zip(&[("thrice.zip", &thrice)])),
            ("jar/hw-sources.jar", &zip(&[("META-INF/MANIFEST.MF", b"x"), ("homework.py", FIRST)])),
            ("classes/hw.jar", &zip(&[("Agent.class", b"\xca\xfe\xba\xbe")])),
            ("library/homework.py", FIRST),
            ("library/lib/some.jar", &zip(&[("homework.py", b"broken(")])),
            (
                "data/hw.zip",
                &zip(&[
                    ("homework.py", opens_zip),
                    ("hw/data.zip", &zip(&[("move.txt", b"E 14,11 13,10\n")])),
                ]),
            ),
            ("text/homework.py.txt", FIRST),
            ("texts/homework.py", FIRST),
            ("texts/older.py.txt", b"broken("),
            ("other-name/hw.zip", &packed_tar),
            ("seven/hw.zip", &seven_zip(&[("homework.py", FIRST)])),
            ("rar/hw.zip", b"Rar!\x1a\x07\x00"),
            ("bzip2/hw.tar.bz2", b"BZh91AY&SY"),
        ],
    );
    let table = intake(&place, "made", "", 1).stdout;
    println!("{table}");
    assert_students(
        &place,
        &[
            ("twice", "mended", "hw/inner.zip was unpacked"),
            ("thrice", "mended", "hw/twice/inner.zip was unpacked"),
            ("four", "needs-you", "inner.zip: unpack it by hand"),
            ("jar", "mended", "hw-sources.jar was unpacked"),
            ("classes", "needs-you", "only compiled files"),
            ("library", "ready", ""),
            ("data", "mended", "hw.zip was unpacked"),
            ("text", "mended", "homework.py.txt was renamed homework.py"),
            ("texts", "ready", ""),
            ("other-name", "mended", "hw.zip was unpacked"),
            ("seven", "mended", "hw.zip was unpacked"),
            ("rar", "needs-you", "hw.zip cannot be unpacked: it is rar: hand in an ordinary zip"),
            ("bzip2", "needs-you", "hw.tar.bz2: the judge cannot unpack bzip2: unpack it by hand"),
        ],
    );
    assert!(place.join("class/library/program/lib/some.jar").is_file());
}

/// A calibration that keeps 300 MiB and leaves much more garbage, as a search with a table does.
const CALIBRATE: &str = "\
public class calibrate {
    public static void main(String[] words) throws Exception {
        byte[][] kept = new byte[300][];
        int sum = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] one = new byte[1 << 20];
            one[i % 1000] = 1;
            sum += one.length;
            if (i < kept.length) kept[i] = one;
        }
        java.nio.file.Files.writeString(java.nio.file.Path.of(\"calibration.txt\"), sum + \" \" + kept[0].length);
    }
}
";

#[test]
#[ignore = "needs java"]
fn a_java_program_with_much_garbage_stays_within_its_memory() {
    needs("javac");
    needs("java");
    let place = folder();
    write(&place, &[("ann/homework.py", FIRST), ("ann/calibrate.java", CALIBRATE.as_bytes())]);
    println!("{}", intake(&place, "made", "", 0).stdout);
    let log = place.read("class/ann/build.log");
    assert_lacks(&log, ["insufficient memory"]);
    assert!(place.join("class/ann/program/calibration.txt").is_file(), "{log}");
}

const COPIES: &str = "#include <stdio.h>\nint main(void) {\n    char move[99] = \"\";\n    \
                      FILE *in = fopen(\"move.txt\", \"r\"), *out = fopen(\"output.txt\", \"w\");\n    \
                      return !fgets(move, 99, in) || fputs(move, out) < 0 || fclose(out);\n}\n";

#[test]
fn data_beside_the_program_s_folder_comes_along() {
    let place = folder();
    let copies = |from: &str| format!("open('output.txt', 'w').write(open('{from}').read())\n");
    let given = b"E 14,11 13,10\n";
    let reads_above = format!("import os\nhere = os.path.dirname(__file__)\n{}", copies("@"))
        .replace("'@'", "os.path.join(here, '..', 'data', 'move.txt')");
    write(
        &place,
        &[
            ("beside/src/homework.py", copies("data/move.txt").as_bytes()),
            ("beside/data/move.txt", given),
            ("beside/random.py", b"raise SystemExit('of the student, and not that of Python')"),
            ("above/src/homework.py", reads_above.as_bytes()),
            ("above/data/move.txt", given),
            ("within/src/homework.py", copies("move.txt").as_bytes()),
            ("within/src/move.txt", given),
            ("within/move.txt", b"of another program"),
            ("compiled/src/homework.c", COPIES.as_bytes()),
            ("compiled/src/move.txt", given),
            ("compiled/README.md", b"x"),
        ],
    );
    println!("{}", intake(&place, "made", "", 0).stdout);
    let from_above = "src/homework.py is started from the folder above it, whose files it reads";
    assert_students(
        &place,
        &[
            ("beside", "mended", "data: copied beside the program"),
            ("above", "mended", from_above),
            ("within", "mended", "the program is in the folder src"),
            ("compiled", "mended", "move.txt: copied beside the program"),
        ],
    );
    let beside = submission(&place, "beside");
    assert_has(beside["files"].to_string(), ["data/move.txt"]);
    assert!(!place.join("class/beside/program/random.py").exists());
}
