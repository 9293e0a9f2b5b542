//! Submissions that play only at a second try, and the messages for those that do not play.

use super::made::{Class, WALKER_JS, cpp11, starter, write};
use crate::archive::{seven_zip, tar};

pub(super) fn tries(class: &mut Class) {
    options(class);
    archives(class);
    mains(class);
    do_not_play(class);
}

/// Programs that need another standard, encoding or version of their language.
fn options(class: &mut Class) {
    let cpp = starter("cpp/agent.cpp");
    let cpp23 = format!("#include <expected>\nstd::expected<int, int> one = 1;\n{cpp}");
    class.add(
        "try-cpp23",
        &[("homework.cpp", &cpp23)],
        &["g++"],
        "mended",
        "compiled with -std=c++23",
    );
    let cpp11 = format!("void sometimes() throw(int) {{ throw 1; }}\n{}", cpp11());
    class.add(
        "try-cpp11",
        &[("homework.cpp", &cpp11)],
        &["g++"],
        "mended",
        "compiled with -std=c++11",
    );
    let gradle = [
        ("build.gradle", "plugins { id 'java' }\n"),
        ("src/main/java/Agent.java", &*starter("java/Agent.java")),
    ];
    class.add(
        "try-gradle-java",
        &gradle,
        &["javac", "java"],
        "mended",
        "build.gradle is not used: Gradle needs a network",
    );
}

/// Archives of all kinds, and one that the judge does not know.
fn archives(class: &mut Class) {
    let python = starter("python/agent.py");
    let files = [("hw/homework.py", python.as_bytes()), ("hw/._homework.py", b"x")];
    let gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let xz = lzma_rust2::XzWriter::new(Vec::new(), lzma_rust2::XzOptions::default()).unwrap();
    for (name, said, bytes) in [
        ("hw.tar", "hw.tar was unpacked", tar(Vec::new(), &files)),
        ("hw.tar.gz", "hw.tar.gz was unpacked", tar(gz, &files).finish().unwrap()),
        ("hw.TXZ", "hw.TXZ was unpacked", tar(xz, &files).finish().unwrap()),
        ("hw.7z", "hw.7z was unpacked", seven_zip(&files)),
    ] {
        let student = format!("try-{}", name.to_lowercase());
        class.add(&student, &[], &["python3"], "mended", said);
        write(&class.place.join(student).join(name), &bytes);
    }
}

/// Programs whose main source is not called homework, and stands among others.
fn mains(class: &mut Class) {
    let python = starter("python/agent.py");
    let cells = serde_json::json!({ "cells": [
        { "cell_type": "markdown", "source": ["# My agent"] },
        { "cell_type": "code", "source": ["%matplotlib inline\n", "import sys"] },
        { "cell_type": "code", "source": python.split_inclusive('\n').collect::<Vec<_>>() },
    ]});
    let said = "homework.ipynb: its code (2 cells) was written to homework.py";
    class.add(
        "try-notebook",
        &[("homework.ipynb", &cells.to_string())],
        &["python3"],
        "mended",
        said,
    );
    let files = [
        ("agent/__init__.py", ""),
        ("agent/__main__.py", "from . import play\n"),
        ("agent/play.py", &*python),
    ];
    class.add(
        "try-package",
        &files,
        &["python3"],
        "mended",
        "agent/__main__.py is used as homework3.py, of 3 sources",
    );
    let files = [("agent/__main__.py", "import play\n"), ("agent/play.py", &*python)];
    class.add(
        "try-folder",
        &files,
        &["python3"],
        "mended",
        "agent/__main__.py is used as homework3.py, of 2 sources",
    );
    let files = [
        ("package.json", "{\"main\": \"./src/walk\"}"),
        ("src/walk.js", "require('../lib/play.js');\n"),
        ("lib/play.js", WALKER_JS),
        ("test/walk.test.js", "process.exit(1);\n"),
        ("node_modules/left/homework.js", "process.exit(1);\n"),
    ];
    class.add(
        "try-npm",
        &files,
        &["node"],
        "mended",
        "src/walk.js is used as homework.js, of 2 sources",
    );
    let files = [("homework.py", &*python), ("homework.cpp", " \n")];
    class.add("try-empty-beside", &files, &["python3"], "ready", "");
}

/// Programs that start and leave no legal move, each with what is told.
fn do_not_play(class: &mut Class) {
    let open = |name: &str| format!("open('output.txt', 'w').write(open('{name}').read())\n");
    let recursion = "def a():\n    b()\ndef b():\n    c()\ndef c():\n    a()\na()\n";
    for (student, text, said) in [
        ("try-empty", "\n", "homework.py is empty"),
        ("try-no-file", "print('E 14,11 13,10')\n", "first move: no output"),
        (
            "try-absolute",
            &*open("/home/ann/halma/input.txt"),
            "homework.py:1: '/home/ann/halma/input.txt': a grader",
        ),
        (
            "try-other-name",
            &open("Input1.txt"),
            "homework.py:1: 'Input1.txt': a grader leaves input.txt",
        ),
        ("try-recursion", recursion, "RecursionError: maximum recursion depth exceeded"),
        (
            "try-module",
            "import nonumpy\n",
            "that module is missing here: install it if the course allows it",
        ),
    ] {
        class.add(student, &[("homework.py", text)], &["python3"], "does-not-play", said);
    }
}
