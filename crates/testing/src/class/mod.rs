//! A class of Halma players as students hand them in, made from the starters and three walkers.

mod made;
mod tries;

pub use made::{Made, WALKER_C, WALKER_JS, starter};

use crate::archive::{utf16, zip};
use made::{Class, Language, WALKER_RUST, cpp11, languages, write};
use std::fs;
use std::path::Path;

/// Makes the wanted part of a class, a folder a student, in the order of their names.
#[track_caller]
pub fn make_some(place: &Path, wanted: impl Fn(&Made) -> bool) -> Vec<Made> {
    let (made, others): (Vec<Made>, Vec<Made>) = make_all(place).into_iter().partition(wanted);
    others.iter().for_each(|made| fs::remove_dir_all(place.join(&made.student)).unwrap());
    made
}

fn make_all(place: &Path) -> Vec<Made> {
    let mut class = Class { place, made: Vec::new() };
    usual(&mut class);
    parts(&mut class);
    projects(&mut class);
    odd(&mut class);
    hopeless(&mut class);
    tries::tries(&mut class);
    let mut made = class.made;
    made.sort_by(|one, other| one.student.cmp(&other.student));
    made
}

/// Six languages in nine styles.
fn usual(class: &mut Class) {
    for Language { name, extension, programs, player } in languages() {
        let file = format!("homework.{extension}");
        class.add(&format!("plain-{name}"), &[(&file, &player)], programs, "ready", "");
        let inside = format!("my homework/final/{file}");
        class.add(
            &format!("folder-{name}"),
            &[(&inside, &player)],
            programs,
            "mended",
            "my homework/final",
        );
        let packed = zip(&[
            (&format!("hw/{file}"), player.as_bytes()),
            ("__MACOSX/._hw", b"x"),
            ("hw/.DS_Store", b"x"),
        ]);
        class.add(&format!("zip-{name}"), &[], programs, "mended", "hw.zip was unpacked");
        write(&class.place.join(format!("zip-{name}/hw.zip")), &packed);
        let other = format!("agent7.{extension}");
        let said = if name == "java" { "after its public class" } else { "is used as homework" };
        class.add(&format!("other-name-{name}"), &[(&other, &player)], programs, "mended", said);
        encodings(class, name, &file, programs, &player);
        let wrong = format!("HomeWork.{}", extension.to_uppercase());
        class.add(
            &format!("case-{name}"),
            &[(&wrong, &player)],
            programs,
            "mended",
            "is used as homework",
        );
    }
    let python = starter("python/agent.py");
    class.add("course-homework3", &[("homework3.py", &python)], &["python3"], "ready", "");
    class.add("course-homework11", &[("homework11.cpp", &cpp11())], &["g++"], "ready", "");
}

/// A source in UTF-16, with a byte-order mark, in ISO-8859-1, and with CR LF.
fn encodings(
    class: &mut Class,
    language: &str,
    file: &str,
    programs: &'static [&'static str],
    player: &str,
) {
    let comment = if language == "python" { "#" } else { "//" };
    let latin = [comment.as_bytes(), b" Spielzug f\xfcr WEISS\n", player.as_bytes()].concat();
    let mark = if language == "java" { "the byte-order mark was removed" } else { "" };
    let recoded = match language {
        "python" | "rust" => "recoded as if it were ISO-8859-1",
        "java" => "compiled with -encoding ISO-8859-1",
        _ => "",
    };
    let utf16 = [&b"\xff\xfe"[..], &utf16(player)].concat();
    for (style, bytes, said) in [
        ("utf16", utf16, "recoded from UTF-16 to UTF-8"),
        ("mark", [b"\xef\xbb\xbf", player.as_bytes()].concat(), mark),
        ("latin", latin, recoded),
        ("crlf", player.replace('\n', "\r\n").into_bytes(), ""),
    ] {
        let state = if said.is_empty() { "ready" } else { "mended" };
        let student = format!("{style}-{language}");
        class.add(&student, &[], programs, state, said);
        write(&class.place.join(student).join(file), &bytes);
    }
}

/// Programs of several files.
fn parts(class: &mut Class) {
    let python = starter("python/agent.py");
    class.add(
        "parts-python",
        &[("homework.py", "import engine\n"), ("engine.py", &python)],
        &["python3"],
        "ready",
        "",
    );
    class.add(
        "main-of-three-python",
        &[
            ("play.py", "import engine, extras\nif __name__ == '__main__': pass\n"),
            ("engine.py", &python),
            ("extras.py", ""),
        ],
        &["python3"],
        "mended",
        "play.py is used as homework3.py, of 3 sources",
    );
    let body = WALKER_C.replace("int main(void)", "int walk(void)");
    class.add(
        "parts-c",
        &[
            ("homework.c", "int walk(void);\nint main(void) { return walk(); }\n"),
            ("walk.c", &body),
        ],
        &["gcc"],
        "ready",
        "",
    );
    let cpp = starter("cpp/agent.cpp").replace("int main()", "int walk()");
    let main = "#include \"walk.h\"\nint main() { return walk(); }\n";
    let old = "int main() { return 1; } // an old try\n";
    let files = [
        ("src/homework.cpp", main),
        ("src/walk.cpp", &*cpp),
        ("include/walk.h", "int walk();\n"),
        ("src/old.cpp", old),
    ];
    class.add("parts-cpp", &files, &["g++"], "mended", "the folder src").said =
        "the program is in the folder src";
    let java = format!("package edu.hw;\n{}", starter("java/Agent.java"));
    let main = "package edu.hw;\npublic class Start { public static void main(String[] a) throws Exception { Agent.main(a); } }\n";
    let agent = java.replace("public static void main(", "public static void play(");
    class.add(
        "package-java",
        &[
            ("src/edu/hw/Start.java", &main.replace("Agent.main", "Agent.play")),
            ("src/edu/hw/Agent.java", &agent),
        ],
        &["javac", "java"],
        "mended",
        "Start.java is used as homework.java",
    );
    class.add(
        "parts-js",
        &[("homework.js", "require('./walk.js');\n"), ("walk.js", WALKER_JS)],
        &["node"],
        "ready",
        "",
    );
    let module = WALKER_RUST.replace("fn main()", "pub fn play()");
    class.add(
        "parts-rust",
        &[("homework.rs", "mod walk;\nfn main() { walk::play() }\n"), ("walk.rs", &module)],
        &["rustc"],
        "ready",
        "",
    );
}

/// Files that say by themselves how to build.
fn projects(class: &mut Class) {
    let cpp = starter("cpp/agent.cpp");
    let make = "all: halma-agent\nhalma-agent: agent.cpp\n\tg++ -O1 -std=c++17 -o $@ agent.cpp\n";
    class.add(
        "make-cpp",
        &[("Makefile", make), ("agent.cpp", &cpp)],
        &["make", "g++"],
        "ready",
        "",
    );
    let make = "homework: homework.c\n\tcc -O1 -o homework homework.c\n";
    class.add(
        "make-c",
        &[("makefile", make), ("homework.c", WALKER_C), ("homework", "\x7fELF of another machine")],
        &["make", "gcc"],
        "ready",
        "",
    );
    let broken = "all:\n\tsorry-no-such-compiler homework.cpp\n";
    class.add(
        "make-broken-cpp",
        &[("Makefile", broken), ("homework.cpp", &cpp)],
        &["make", "g++"],
        "mended",
        "built as C++",
    );
    let cargo = "[package]\nname = \"walker\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    class.add(
        "cargo-rust",
        &[("Cargo.toml", cargo), ("src/main.rs", WALKER_RUST)],
        &["cargo", "rustc"],
        "ready",
        "",
    );
    let pom = "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version></project>\n";
    let java = starter("java/Agent.java");
    class.add(
        "maven-java",
        &[("pom.xml", pom), ("src/main/java/Agent.java", &java)],
        &["javac", "java"],
        "mended",
        "pom.xml failed",
    );
}

/// Adds submissions that run, with flaws.
fn odd(class: &mut Class) {
    let python = starter("python/agent.py");
    class.add(
        "litter-python",
        &[
            ("homework.py", &python),
            (".DS_Store", "x"),
            ("__pycache__/homework.cpython-311.pyc", "x"),
            (".git/config", "x"),
            ("venv/pyvenv.cfg", "x"),
            ("venv/lib/homework.py", "x"),
            ("playdata.txt", "OLD plan"),
        ],
        &["python3"],
        "ready",
        "left out: playdata.txt: what a program keeps of one game; every game begins without it",
    );
    let calibrate = "open('calibration.txt', 'w').write('42\\n')\nopen('playdata.txt', 'w')\n";
    let reads = "import os\nassert open('calibration.txt').read() == '42\\n'\n\
                 assert not os.path.exists('playdata.txt')\n";
    let reads = format!("{reads}{python}");
    class.add(
        "calibrated-python",
        &[("homework.py", &reads), ("calibrate.py", calibrate)],
        &["python3"],
        "ready",
        "calibrate.py was run once",
    );
    let calibrate = "#include <cstdio>\nint main() { FILE* f = fopen(\"calibration.txt\", \"w\"); fputs(\"42\\n\", f); fclose(f); }\n";
    class.add(
        "calibrated-cpp",
        &[("homework.cpp", &starter("cpp/agent.cpp")), ("calibrate.cpp", calibrate)],
        &["g++"],
        "ready",
        "calibrate.cpp was run once",
    );
    class.add(
        "python2-shebang",
        &[("homework.py", &format!("#!/usr/bin/env python2\n{python}"))],
        &["python3"],
        "mended",
        "its first line names python2",
    );
    class.add(
        "crashes-python",
        &[(
            "homework.py",
            "import sys\nboard = {}\nprint('thinking', file=sys.stderr)\nboard['a1']\n",
        )],
        &["python3"],
        "does-not-play",
        "first move: crash",
    );
    class.add(
        "illegal-js",
        &[("homework.js", "require('fs').writeFileSync('output.txt', 'E 0,0 9,9\\n')\n")],
        &["node"],
        "does-not-play",
        "first move: illegal move",
    );
    class.add(
        "silent-c",
        &[("homework.c", "int main(void) { return 0; }\n")],
        &["gcc"],
        "does-not-play",
        "first move: no output",
    );
}

/// Adds submissions that only the teacher or the student can mend.
fn hopeless(class: &mut Class) {
    class.add(
        "broken-c",
        &[("homework.c", "int main( {\n")],
        &["gcc"],
        "needs-you",
        "gcc: exit code 1",
    );
    class.add(
        "broken-java",
        &[("homework.java", "public class homework { void }\n")],
        &["javac", "java"],
        "needs-you",
        "javac: exit code 1",
    );
    class.add(
        "endless-compile",
        &[("Makefile", "all:\n\tsleep 1000\n")],
        &["make"],
        "needs-you",
        "make: not finished within",
    );
    class.add(
        "report-alone",
        &[("report.pdf", "%PDF")],
        &[],
        "needs-you",
        "no program among the files: report.pdf",
    );
    class.add("notebook", &[("homework.ipynb", "{}")], &[], "needs-you", "is a notebook");
    class.add("class-files", &[("homework.class", "x")], &[], "needs-you", "only compiled files");
    class.add(
        "two-languages",
        &[("homework.py", ""), ("homework.cpp", "")],
        &[],
        "needs-you",
        "several programs: ",
    );
    class.add(
        "two-mains",
        &[("left.py", "print()"), ("right.py", "print()")],
        &[],
        "needs-you",
        "which of these is the main program?",
    );
}
