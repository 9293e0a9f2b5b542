//! The results.json of submissions that could not be graded, and notes added to the others.

use intake::submission::{State, Submission};
use serde_json::{Value, json};

/// Of a submission that could not be graded.
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

/// What the intake has to say of a submission.
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

/// Adds notes to the output, and the fields that the platform shows if they are missing.
pub(super) fn with_notes(mut results: Value, notes: &str) -> Value {
    let score = results["score"].clone();
    let Some(fields) = results.as_object_mut() else {
        return not_graded("the report cannot be read", notes);
    };
    let output = fields.get("output").and_then(Value::as_str).unwrap_or_default();
    let output = format!("{}\n\n{}", output.trim_end(), notes.trim());
    fields.insert("output".to_string(), Value::from(output));
    for (key, default) in [
        ("visibility", json!("visible")),
        ("stdout_visibility", json!("hidden")),
        ("leaderboard", json!([{ "name": "Points", "value": score }])),
        ("extra_data", json!({ "graded": true })),
    ] {
        fields.entry(key).or_insert(default);
    }
    results
}

/// CPU seconds in all tests.
pub(super) fn used_by_program(results: &Value) -> f64 {
    let tests = results["tests"].as_array().into_iter().flatten();
    tests.filter_map(|test| test["extra_data"]["cpu"].as_f64()).sum::<f64>() + 0.0
}

/// For people, without hidden tests.
pub(super) fn as_text(results: &Value) -> String {
    let text =
        |value: &Value| value.as_str().map(str::to_string).unwrap_or_else(|| value.to_string());
    let mut out = format!("Score: {}\n{}\n", results["score"], text(&results["output"]));
    // GitHub and make show this text to students unfiltered.
    let is_visible = |test: &&Value| {
        test["visibility"].as_str().is_none_or(|visibility| visibility == "visible")
    };
    for test in results["tests"].as_array().into_iter().flatten().filter(is_visible) {
        let points = match (&test["score"], &test["max_score"]) {
            (Value::Null, _) => String::new(),
            (score, most) => format!(" {score} of {most}"),
        };
        out += &format!(
            "{}:{points} {}\n",
            text(&test["name"]),
            test["status"].as_str().unwrap_or_default()
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_tests_are_not_shown_and_missing_fields_are_added() {
        let results = json!({ "score": 3, "output": "Halma\n", "tests": [
            { "name": "one", "score": 1, "max_score": 2, "status": "failed", "visibility": "visible" },
            { "name": "two", "score": 2, "max_score": 2, "visibility": "hidden" },
            { "name": "three", "status": "passed" },
        ]});
        let results = with_notes(results, "\nclocks\n");
        assert_eq!(results["output"], "Halma\n\nclocks");
        assert_eq!(results["leaderboard"][0]["value"], 3);
        assert_eq!(
            as_text(&results),
            "Score: 3\nHalma\n\nclocks\none: 1 of 2 failed\nthree: passed\n"
        );
        assert_eq!(with_notes(json!(7), "x")["score"], 0);
    }
}
