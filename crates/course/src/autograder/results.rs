//! The results.json of submissions that could not be graded, and notes added to the others.

use intake::submission::{State, Submission};
use serde_json::{Value, json};

pub(super) fn not_graded(why: &str, details: &str) -> Value {
    json!({
        "score": 0,
        "output": format!("Not graded: {why}\n{details}"),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [{
            "name": "A program that can be run",
            "name_format": "text",
            "status": "failed",
            "output": format!("{why}\n{details}"),
            "output_format": "text",
            "visibility": "visible",
        }],
        "leaderboard": [{ "name": "Points", "value": 0 }],
        "extra_data": { "graded": false, "why": why },
    })
}

pub(super) fn details(submission: &Submission) -> String {
    let mut lines: Vec<String> =
        submission.mended.iter().map(|line| format!("Mended: {line}")).collect();
    match submission.state {
        State::NeedsYou => lines.extend(submission.remarks.iter().cloned()),
        State::DoesNotPlay => lines
            .extend(submission.needs.iter().map(|needs| format!("Found by the intake: {needs}"))),
        State::Ready | State::Mended => {}
    }
    if let Some(words) = &submission.last_words {
        lines.push("The last lines of the compiler or the program:".to_string());
        lines.extend(words.lines().map(|line| format!("    {line}")));
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

pub(super) fn with_notes(mut results: Value, notes: &str) -> Value {
    let output = results["output"].as_str().unwrap_or_default().trim_end();
    results["output"] = json!(format!("{output}\n\n{}", notes.trim()));
    results
}

pub(super) fn used_by_program(results: &Value) -> f64 {
    let tests = results["tests"].as_array().into_iter().flatten();
    tests.filter_map(|test| test["extra_data"]["cpu"].as_f64()).sum::<f64>() + 0.0
}

/// For people, without hidden tests.
pub(super) fn as_text<'a>(results: &'a Value) -> String {
    let text = |value: &'a Value| value.as_str().unwrap_or_default();
    let mut out = format!("Score: {}\n{}\n", results["score"], text(&results["output"]));
    // GitHub and make show this text to students unfiltered.
    let is_visible = |test: &&Value| test["visibility"] == "visible";
    for test in results["tests"].as_array().into_iter().flatten().filter(is_visible) {
        let points = match (&test["score"], &test["max_score"]) {
            (Value::Null, _) => String::new(),
            (score, most) => format!(" {score} of {most}"),
        };
        out += &format!("{}:{points} {}\n", text(&test["name"]), text(&test["status"]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_shown_and_hidden_tests_are_not() {
        let results = json!({ "score": 3, "output": "Halma\n", "tests": [
            { "name": "one", "score": 1, "max_score": 2, "status": "failed", "visibility": "visible" },
            { "name": "two", "score": 2, "max_score": 2, "visibility": "hidden" },
        ]});
        let text = as_text(&with_notes(results, "\nclocks\n"));
        assert_eq!(text, "Score: 3\nHalma\n\nclocks\none: 1 of 2 failed\n");
    }
}
