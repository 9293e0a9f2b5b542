//! What an intake says in the end: a table of the students, what there is to say of each below it, and the same for a
//! spreadsheet.

use super::work::Done;
use crate::spreadsheet::row;
use crate::standings::aligned;
use crate::submission::State;
use anyhow::Result;
use std::fmt::Write;

const HEADINGS: [&str; 5] = ["Student", "State", "Language", "Command", "What was mended, or why it needs you"];
const COLUMNS: [&str; 9] =
    ["student", "folder", "state", "language", "command", "mended", "needs", "remarks", "last_words"];

/// The table for people. `others` is how many folders of earlier intakes are there besides.
pub(super) fn table(done: &[Done], others: usize) -> String {
    let mut rows = vec![HEADINGS.map(String::from).to_vec()];
    for Done { submission, .. } in done {
        let what = match &submission.needs {
            Some(needs) => needs.clone(),
            None => submission.mended.join("; "),
        };
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_string());
        rows.push(vec![
            submission.student.clone(),
            submission.state.to_string(),
            or_dash(&submission.language),
            or_dash(&submission.command),
            what,
        ]);
    }
    let mut text = aligned(&rows, &[0, 1, 2, 3, 4]);
    for Done { submission, folder, .. } in done {
        if submission.remarks.is_empty() && submission.last_words.is_none() {
            continue;
        }
        let _ = writeln!(text, "\n{} ({folder}):", submission.student);
        for remark in &submission.remarks {
            let _ = writeln!(text, "  {remark}");
        }
        for line in submission.last_words.iter().flat_map(|words| words.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    let count = |state: State| done.iter().filter(|done| done.submission.state == state).count();
    let unchanged = done.iter().filter(|done| done.unchanged).count();
    let _ = writeln!(
        text,
        "\n{} students: {} ready, {} mended, {} need you; {unchanged} unchanged since the last intake",
        done.len(),
        count(State::Ready),
        count(State::Mended),
        count(State::NeedsYou),
    );
    if others > 0 {
        let _ = writeln!(text, "{others} folders of earlier intakes are left as they are");
    }
    text
}

/// The table for a spreadsheet.
pub(super) fn csv(done: &[Done]) -> Result<String> {
    let mut text = row(COLUMNS)?;
    for Done { submission, folder, .. } in done {
        let state = submission.state.to_string();
        let (mended, remarks) = (submission.mended.join("; "), submission.remarks.join("; "));
        let or_empty = |text: &Option<String>| text.clone().unwrap_or_default();
        let (language, command) = (or_empty(&submission.language), or_empty(&submission.command));
        let (needs, last_words) = (or_empty(&submission.needs), or_empty(&submission.last_words));
        let student = &submission.student;
        text += &row([student, folder, &state, &language, &command, &mended, &needs, &remarks, &last_words])?;
    }
    Ok(text)
}
