//! The report of an intake: a table of the students with remarks below it, and the same as CSV.

use crate::download::spreadsheet::row;
use crate::submission::{State, Submission};
use crate::take_in::student::TakenIn;
use anyhow::Result;
use arena::plain::counted;
use std::fmt::Write;
use terminal::standings::aligned;

/// The second and the third are printed where a student has something in the column.
const HEADINGS: [&str; 7] = [
    "Student",
    "Late",
    "Upload",
    "State",
    "Language",
    "Command",
    "What was mended, or why it needs you or does not play",
];
const COLUMNS: [&str; 13] = [
    "student",
    "folder",
    "id",
    "late",
    "upload",
    "state",
    "language",
    "command",
    "mended",
    "needs",
    "remarks",
    "last_words",
    "members",
];

/// `others` is the number of folders of earlier intakes.
pub(crate) fn table(done: &[TakenIn], others: usize) -> String {
    let mut rows = vec![HEADINGS.map(String::from).to_vec()];
    for TakenIn { submission, told, .. } in done {
        let Submission { language, command, .. } = submission;
        let what = told.iter().chain(&submission.needs).chain(&submission.mended);
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_string());
        rows.push(vec![
            submission.student.clone(),
            late(submission).to_string(),
            submission.upload.clone(),
            submission.state.to_string(),
            or_dash(language),
            or_dash(command),
            what.cloned().collect::<Vec<_>>().join("; "),
        ]);
    }
    for column in [2, 1] {
        if rows[1..].iter().all(|row| row[column].is_empty()) {
            rows.iter_mut().for_each(|row| drop(row.remove(column)));
        }
    }
    let left: Vec<usize> = (0..rows[0].len()).collect();
    let mut text = aligned(&rows, &left);
    for TakenIn { submission, folder, .. } in done {
        let Submission { student, remarks, last_words, members, .. } = submission;
        if remarks.is_empty() && last_words.is_none() && members.is_empty() {
            continue;
        }
        let _ = writeln!(text, "\n{student} ({folder}):");
        if !members.is_empty() {
            let _ = writeln!(text, "  members: {}", members.join(", "));
        }
        for remark in remarks {
            let _ = writeln!(text, "  {remark}");
        }
        for line in last_words.iter().flat_map(|words| words.lines()) {
            let _ = writeln!(text, "    {line}");
        }
    }
    let count = |state: State| done.iter().filter(|done| done.submission.state == state).count();
    let _ = writeln!(
        text,
        "\n{}: {} ready, {} mended, {} do not play, {} need you; {} unchanged since the last intake",
        counted(done.len(), "student", "students"),
        count(State::Ready),
        count(State::Mended),
        count(State::DoesNotPlay),
        count(State::NeedsYou),
        done.iter().filter(|done| done.unchanged).count(),
    );
    if others > 0 {
        let stay = if others == 1 {
            "folder of an earlier intake stays as it is"
        } else {
            "folders of earlier intakes stay as they are"
        };
        let _ = writeln!(text, "{others} {stay}");
    }
    text
}

pub(crate) fn csv(done: &[TakenIn]) -> Result<String> {
    let mut text = row(COLUMNS)?;
    for TakenIn { submission, folder, told, .. } in done {
        let Submission { student, id, upload, language, command, needs, last_words, .. } =
            submission;
        let remarks: Vec<&str> =
            told.iter().chain(&submission.remarks).map(String::as_str).collect();
        text += &row([
            student,
            folder,
            id,
            late(submission),
            upload,
            &submission.state.to_string(),
            language.as_deref().unwrap_or_default(),
            command.as_deref().unwrap_or_default(),
            &submission.mended.join("; "),
            needs.as_deref().unwrap_or_default(),
            &remarks.join("; "),
            last_words.as_deref().unwrap_or_default(),
            &submission.members.join("; "),
        ])?;
    }
    Ok(text)
}

fn late(submission: &Submission) -> &'static str {
    if submission.late { "late" } else { "" }
}
