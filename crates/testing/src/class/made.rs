//! Submissions of a class, and what they are made from.

use crate::works;
use std::fs;
use std::path::Path;

/// A submission that was made.
pub struct Made {
    /// The name of the student and of the folder.
    pub student: String,
    /// The programs that have to be there to play it.
    pub programs: &'static [&'static str],
    /// The state that an intake gives it: `ready`, `mended`, `does-not-play` or `needs-you`.
    pub state: &'static str,
    /// A part of what is said besides: what was mended, why it needs the teacher, or a remark.
    pub said: &'static str,
}

impl Made {
    /// Whether it needs no other programs than what the tests need anyway.
    pub fn is_basic(&self) -> bool {
        self.programs.iter().all(|program| ["python3", "gcc", "make"].contains(program))
    }

    /// The first program it needs that does not work here.
    pub fn missing(&self) -> Option<&'static str> {
        self.programs.iter().copied().find(|program| !works(program))
    }
}

/// A language: its extension, the programs that it needs, a whole legal player.
pub(super) struct Language {
    pub(super) name: &'static str,
    pub(super) extension: &'static str,
    pub(super) programs: &'static [&'static str],
    pub(super) player: String,
}

/// A file of the starters for Halma.
pub fn starter(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../starters/halma").join(file);
    fs::read_to_string(path).unwrap()
}

/// Steps towards the far corner, or anywhere that base rules allow.
pub const WALKER_C: &str = include_str!("../../walkers/walker.c");

/// The same in JavaScript.
pub const WALKER_JS: &str = include_str!("../../walkers/walker.js");

pub(super) const WALKER_RUST: &str = include_str!("../../walkers/walker.rs");

pub(super) fn languages() -> [Language; 6] {
    let language = |name, extension, programs, player: &str| Language {
        name,
        extension,
        programs,
        player: player.to_string(),
    };
    [
        language("python", "py", &["python3"], &starter("python/agent.py")),
        language("cpp", "cpp", &["g++"], &starter("cpp/agent.cpp")),
        language("c", "c", &["gcc"], WALKER_C),
        language(
            "java",
            "java",
            &["javac", "java"],
            &starter("java/Agent.java").replace("class Agent", "class homework"),
        ),
        language("js", "js", &["node"], WALKER_JS),
        language("rust", "rs", &["rustc"], WALKER_RUST),
    ]
}

pub(super) struct Class<'a> {
    pub(super) place: &'a Path,
    pub(super) made: Vec<Made>,
}

impl Class<'_> {
    pub(super) fn add(
        &mut self,
        student: &str,
        files: &[(&str, &str)],
        programs: &'static [&'static str],
        state: &'static str,
        said: &'static str,
    ) -> &mut Made {
        let folder = self.place.join(student);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in files {
            write(&folder.join(name), text.as_bytes());
        }
        self.made.push(Made { student: student.to_string(), programs, state, said });
        self.made.last_mut().unwrap()
    }
}

pub(super) fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// The starter in C++ without what C++11 does not have.
pub(super) fn cpp11() -> String {
    starter("cpp/agent.cpp")
        .replace("auto [x, y] = best[i - 1];", "int x = best[i - 1].first, y = best[i - 1].second;")
        .replace("auto [to_x, to_y] = best[i];", "int to_x = best[i].first, to_y = best[i].second;")
}
