//! Reports for programs: JSON and Gradescope's results.json.

use super::evidence::evidence;
use crate::grade::result::Grade;
use arena::plain::is_plain;
use homework::CaseResult;
use serde_json::{Value, json};

pub(super) fn pretty(value: &Value) -> String {
    // Escapes keep terminal codes and bidirectional controls from a terminal, and mean the same to
    // programs.
    let mut text = String::new();
    for character in format!("{value:#}\n").chars() {
        if character == '\n' || is_plain(character) {
            text.push(character);
        } else {
            character
                .encode_utf16(&mut [0; 2])
                .iter()
                .for_each(|unit| text += &format!("\\u{unit:04x}"));
        }
    }
    text
}

pub(super) fn json(grade: &Grade) -> Value {
    let (points, most) = grade.points();
    let tests: Vec<Value> = (grade.tests.iter())
        .map(|item| {
            let mut test = json!({
                "number": item.number,
                "game": item.game,
                "name": item.name,
                "points": item.points,
                "max": item.most,
                "termination": item.word(),
                "reason": item.reason(),
                "plies": item.plies(),
                "cpu": item.cpu(),
                "wall": item.done.wall,
                "visibility": item.visibility,
                "analysis": item.done.analysis,
                "fault": item.fault(),
            });
            if let Some((accuracy, baseline)) = item.kept().and_then(|kept| kept.accuracy) {
                let greedy = baseline.greedy.map(|greedy| greedy.0);
                test["accuracy"] =
                    json!({ "value": accuracy, "random": baseline.random.0, "greedy": greedy });
            }
            if let Some(case) = item.case() {
                test["case"] = of_case(&case.result);
            }
            test
        })
        .collect();
    json!({
        "game": grade.title,
        "agent": grade.agent,
        "headline": grade.headline(),
        "not_run": grade.not_run.as_ref().map(|not_run| &not_run.why),
        "remedy": grade.not_run.as_ref().map(|not_run| &not_run.remedy),
        "notes": grade.notes,
        "bonus": grade.bonus.as_ref().map(|bonus| json!({ "points": bonus.points, "told": bonus.words })),
        "late": grade.late.as_ref().map(|late| json!({ "points": -late.points, "told": late.words })),
        "layers": grade.sandbox_layers,
        "score": points,
        "max": most,
        "cpu": grade.cpu(),
        "wall": grade.wall,
        "tests": tests,
    })
}

/// The result of a case, without what is for the teacher alone.
fn of_case(result: &CaseResult) -> Value {
    let CaseResult { name, memory, wrong, remark, marked, .. } = result;
    let line = marked.as_ref().map(|(line, _)| line);
    json!({ "name": name, "memory": memory, "wrong": wrong, "remark": remark, "line": line })
}

/// Gradescope's "autograder output format"; the scores of the tests add up to the whole score.
pub(super) fn gradescope(grade: &Grade) -> Value {
    let (points, _) = grade.points();
    let mut tests: Vec<Value> = (grade.tests.iter())
        .map(|item| {
            let output = if item.is_full() { item.reason().to_string() } else { evidence(grade, item, true) };
            json!({
                "number": item.number.to_string(),
                "name": item.name,
                "name_format": "text",
                "score": item.points,
                "max_score": item.most,
                "status": if item.is_full() { "passed" } else { "failed" },
                "output": output,
                "output_format": "text",
                "visibility": item.visibility,
                "extra_data": { "termination": item.word(), "plies": item.plies(), "cpu": item.cpu() },
            })
        })
        .collect();
    let bonus = grade.bonus.as_ref();
    let bonus = bonus.map(|bonus| ("bonus", bonus.points, bonus.points, "passed", &bonus.words));
    let late = grade.late.as_ref().filter(|late| late.points > 0.0);
    let late = late.map(|late| ("late", -late.points, 0.0, "failed", &late.words));
    tests.extend(bonus.into_iter().chain(late).map(|(name, score, most, status, words)| {
        json!({
            "name": name,
            "name_format": "text",
            "score": score,
            "max_score": most,
            "status": status,
            "output": words,
            "output_format": "text",
            "visibility": "visible",
        })
    }));
    let mut output = if grade.tests.iter().all(|item| item.visibility.is_visible()) {
        grade.headline()
    } else {
        // The headline could tell about a hidden test.
        format!("{}: {}", grade.title, grade.agent)
    };
    output.push('\n');
    if let Some(not_run) = &grade.not_run {
        output += &format!("To fix it: {}\n", not_run.remedy);
    }
    grade.notes.iter().for_each(|note| output += &format!("{note}\n"));
    if let Some(layers) = &grade.sandbox_layers {
        output += &format!("Sandbox layers around the agent: {layers}\n");
    }
    json!({
        "score": points,
        "execution_time": grade.wall.round() as u64,
        "output": output,
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "leaderboard": [
            { "name": "Points", "value": points, "order": "desc" },
            { "name": "CPU seconds", "value": (grade.cpu() * 100.0).round() / 100.0, "order": "asc" },
        ],
        "extra_data": {
            "graded": grade.not_run.is_none(),
            "not_run": grade.not_run.as_ref().map(|not_run| &not_run.why),
            "game": grade.title,
            "layers": grade.sandbox_layers,
        },
    })
}
