//! A checker in Python whose process stays for many answers: it is imported once, and a fork of it
//! judges each answer.
//!
//! A fault is judged anew in a process of its own, which says what it is. A checker that has failed,
//! or whose files have changed, is started anew for the next answer.

use crate::case::{Case, Files};
use crate::cases::files;
use crate::checker::{
    Checker, Judgement, LONGEST, MODULE, MODULE_TEXT, RIGHT, WRONG, arguments, bounds, files_of,
    judgement, output_name,
};
use anyhow::Result;
use arena::plain;
use arena::player::exit::Program;
use arena::player::lines::Served;
use clock::lock;
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::sync::Mutex;

/// After so many faults each answer has a process of its own.
const MOST_FAULTS: u32 = 3;
/// Longer files do not go through the pipe.
const MOST_BYTES: usize = 4 << 20;

/// The processes of a checker that wait for an answer.
#[derive(Default)]
pub(crate) struct Staying(Mutex<Pool>);

#[derive(Default)]
struct Pool {
    waiting: Vec<Served>,
    faults: u32,
    /// Whether the checker can stay; unknown before the first answer.
    can_stay: Option<bool>,
}

#[derive(Deserialize)]
struct Reply {
    code: i32,
    /// The texts in the feedback folder.
    feedback: BTreeMap<String, String>,
    /// Whether the process ends after this answer.
    is_last: bool,
}

impl std::fmt::Debug for Staying {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Staying")
    }
}

impl Staying {
    /// The judgement of a process that stays; `None` if another one has to judge. Errors: a file of
    /// the case cannot be read.
    pub(crate) fn judge(
        &self,
        checker: &Checker,
        case: &Case,
        left: &Files,
    ) -> Result<Option<Judgement>> {
        let waiting = {
            let mut pool = lock(&self.0);
            let can_stay = *pool.can_stay.get_or_insert_with(|| can_stay(checker));
            if !can_stay || pool.faults >= MOST_FAULTS {
                return Ok(None);
            }
            pool.waiting.pop()
        };
        let files = files_of(case, left)?;
        if files.iter().map(|(_, bytes)| bytes.len()).sum::<usize>() > MOST_BYTES {
            lock(&self.0).waiting.extend(waiting);
            return Ok(None);
        }
        let mut served = match waiting {
            Some(served) => served,
            None => match start(checker) {
                Some(served) => served,
                None => {
                    lock(&self.0).can_stay = Some(false);
                    return Ok(None);
                }
            },
        };
        // A letter for each byte.
        let text = |bytes: Vec<u8>| bytes.into_iter().map(char::from).collect::<String>();
        let files: BTreeMap<_, _> =
            files.into_iter().map(|(path, bytes)| (path, text(bytes))).collect();
        let question = json!({
            "files": files,
            "arguments": arguments(case, left),
            "output": format!("output/{}", output_name(case, left)),
        });
        let answer = served.ask(&question.to_string(), checker.time(), bounds().wall_margin);
        let reply = answer.and_then(|answer| serde_json::from_str::<Reply>(&answer).ok());
        let reply = reply.filter(|reply| [RIGHT, WRONG].contains(&reply.code));
        let judged = reply.and_then(|Reply { code, feedback, is_last }| {
            let message = |name: &str| match feedback.get(name) {
                Some(text) if text.len() as u64 > LONGEST => anyhow::bail!("it is too long"),
                text => Ok(text.map(|text| plain::shown(text.trim()))),
            };
            Some((judgement(code == RIGHT, &case.scores, message).ok()?, is_last))
        });
        let mut pool = lock(&self.0);
        let Some((judgement, is_last)) = judged else {
            pool.faults += 1;
            return Ok(None);
        };
        if !is_last {
            pool.waiting.push(served);
        }
        Ok(Some(judgement))
    }
}

fn start(checker: &Checker) -> Option<Served> {
    let home = checker.home().ok()?;
    let command = [&checker.command[..], &["--stay".to_string()]].concat();
    let program = Program { command: &command, home: Some(&home), own_command: false };
    Served::start(&program, &bounds(), &[(MODULE, MODULE_TEXT)]).ok().flatten()
}

/// Whether it is a checker in Python that calls `run(check)` of our module, and does nothing that
/// is of one answer before.
fn can_stay(checker: &Checker) -> bool {
    let [python, script] = &checker.command[..] else { return false };
    let Ok(home) = checker.home() else { return false };
    let Ok(text) = fs::read_to_string(home.join(script)) else { return false };
    let of_one_answer =
        |text: &str| ["sys.argv", "stdin", "feedback"].iter().any(|part| text.contains(part));
    let Ok(names) = files(&home) else { return false };
    let mut others = names.iter().filter(|name| name.ends_with(".py"));
    let has_other = others
        .any(|name| fs::read_to_string(home.join(name)).map_or(true, |text| of_one_answer(&text)));
    python.starts_with("python3")
        && !home.join(MODULE).exists()
        && text.contains("menagerie_checker")
        && text.contains("run(")
        && !has_other
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    const CHECK: &str = "\
import atexit, os
from menagerie_checker import Right, Wrong, run
open('starts', 'a').write('+')
seen = []

def check(case, output):
    seen.append(output)
    atexit.register(lambda: open('feedback/teammessage.txt', 'a').write(' ended'))
    if output == 'leave':
        open('left', 'w').close()
    if output == 'fail':
        raise ValueError('mine')
    return Right(str(len(seen))) if output == case.expected else Wrong(str(len(seen)))

run(check)
";

    #[test]
    fn a_checker_that_stays_is_started_once_and_each_answer_is_its_first() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("check.py"), CHECK).unwrap();
        fs::write(place.path().join(MODULE), MODULE_TEXT).unwrap();
        let mut started = Command::new("python3")
            .args(["check.py", "--stay"])
            .current_dir(&place)
            .env("TMPDIR", place.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut questions = started.stdin.take().unwrap();
        let mut answers = BufReader::new(started.stdout.take().unwrap()).lines();
        for (output, code, said, is_last) in [
            ("a", RIGHT, Some("1 ended"), false),
            ("b", WRONG, Some("1 ended"), false),
            ("fail", 1, None, false),
            ("a", RIGHT, Some("1 ended"), false),
            ("leave", WRONG, Some("1 ended"), true),
        ] {
            let question = json!({
                "files": {"case/input": "", "expected/output": "a", "output/output": output},
                "arguments": ["case/input", "expected/output", "feedback/"],
                "output": "output/output",
            });
            writeln!(questions, "{question}\n").unwrap();
            let answer = answers.find(|line| !line.as_ref().unwrap().is_empty()).unwrap().unwrap();
            let reply: Reply = serde_json::from_str(&answer).unwrap();
            let words = reply.feedback.get("teammessage.txt").map(String::as_str);
            let words = words.filter(|_| code != 1);
            assert_eq!((reply.code, words, reply.is_last), (code, said, is_last), "{output}");
        }
        assert!(started.wait().unwrap().success());
        assert_eq!(fs::read_to_string(place.path().join("starts")).unwrap(), "+");
    }
}
