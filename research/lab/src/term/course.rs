//! The course of a simulated term: students with true strengths, and what they hand in.

use anyhow::{Context, Result};
use rand::RngExt;
use rand::rngs::ChaCha8Rng;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::f64::consts::TAU;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The mean of the strengths, in points as Elo's.
const MEAN: f64 = 1500.0;
/// The standard deviation between the versions of a student.
const VERSIONS: f64 = 50.0;

/// Something that a student hands in.
pub(super) struct Upload {
    /// The number of the student.
    pub student: usize,
    /// The name of the file.
    pub file: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Its SHA-256.
    pub digest: String,
    /// Whether the program plays.
    pub plays: bool,
    /// Its true strength.
    pub strength: f64,
}

/// A course.
pub(super) struct Course {
    /// The names of the students.
    pub students: Vec<String>,
    /// The uploads, in the order in which they are begun.
    pub uploads: Vec<Upload>,
    /// The uploads by their SHA-256.
    by_digest: HashMap<String, usize>,
}

/// A program, and whether it plays.
struct Sample {
    extension: &'static str,
    /// The start of a comment's line.
    comment: &'static str,
    text: String,
    plays: bool,
}

impl Course {
    /// Makes a course from random numbers. Every student hands in; a quarter of the uploads does
    /// not play.
    pub(super) fn new(
        students: usize,
        uploads: usize,
        spread: f64,
        random: &mut ChaCha8Rng,
    ) -> Result<Course> {
        let samples = samples()?;
        let (good, bad): (Vec<_>, Vec<_>) = samples.iter().partition(|sample| sample.plays);
        let bases: Vec<f64> = (0..students).map(|_| MEAN + spread * normal(random)).collect();
        let mut made = Vec::new();
        for number in 0..uploads {
            // The first uploads are one of each student, and play.
            let is_first = number < students;
            let student = if is_first { number } else { random.random_range(0..students) };
            let from = if is_first || random.random_ratio(3, 4) { &good } else { &bad };
            let sample = from[random.random_range(0..from.len())];
            let bytes =
                format!("{}{} version {number}\n", sample.text, sample.comment).into_bytes();
            let digest = sha256(&bytes);
            let strength = bases[student] + VERSIONS * normal(random);
            let file = format!("homework.{}", sample.extension);
            made.push(Upload { student, file, bytes, digest, plays: sample.plays, strength });
        }
        let by_digest =
            made.iter().enumerate().map(|(at, upload)| (upload.digest.clone(), at)).collect();
        let students = (1..=students).map(|number| format!("Student {number:03}")).collect();
        Ok(Course { students, uploads: made, by_digest })
    }

    /// Returns the upload with this SHA-256.
    pub(super) fn upload(&self, digest: &str) -> Option<&Upload> {
        self.by_digest.get(digest).map(|&at| &self.uploads[at])
    }

    /// Returns the roster: the students and a teacher.
    pub(super) fn roster(&self) -> String {
        let mut text = "id,name,team,role\nteacher,Teacher,,teacher\n".to_string();
        for (number, name) in self.students.iter().enumerate() {
            let _ = writeln!(text, "s{number},{name},,student");
        }
        text
    }
}

/// Returns the SHA-256 of bytes, in hexadecimal digits.
pub(super) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns a normally distributed number (Box and Muller 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (TAU * angle).cos()
}

/// Players of Halma in six languages, and programs that do not play.
fn samples() -> Result<Vec<Sample>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |file: &str| {
        let path = root.join(file);
        fs::read_to_string(&path).with_context(|| format!("{}: cannot be read", path.display()))
    };
    let python = read("starters/halma/python/agent.py")?;
    let cpp = read("starters/halma/cpp/agent.cpp")?;
    let java = read("starters/halma/java/Agent.java")?.replace("class Agent", "class homework");
    let walkers = "crates/testing/walkers/walker";
    let good = [
        ("py", "#", python.clone()),
        ("cpp", "//", cpp.clone()),
        ("java", "//", java),
        ("c", "//", read(&format!("{walkers}.c"))?),
        ("js", "//", read(&format!("{walkers}.js"))?),
        ("rs", "//", read(&format!("{walkers}.rs"))?),
    ];
    let bad = [
        // This program ends in the middle.
        ("py", "#", python[..python.len() / 2].to_string() + "(\n"),
        ("cpp", "//", cpp[..cpp.len() / 2].to_string() + "\n"),
        // These programs answer nothing, always the same move, and never.
        ("py", "#", "print('hello')\n".to_string()),
        ("py", "#", "open('output.txt', 'w').write('E 0,0 1,1\\n')\n".to_string()),
        ("js", "//", "for (;;) {}\n".to_string()),
        // No program at all.
        ("zip", "", "PK\u{3}\u{4} is no archive\n".to_string()),
        ("txt", "", "My homework follows tomorrow.\n".to_string()),
    ];
    let sample =
        |plays| move |(extension, comment, text)| Sample { extension, comment, text, plays };
    Ok(good.into_iter().map(sample(true)).chain(bad.into_iter().map(sample(false))).collect())
}
