//! The report as JUnit XML.

use super::evidence::evidence;
use crate::grade::result::Grade;
use arena::plain::is_plain;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// Returns a report as JUnit XML.
pub(super) fn junit(grade: &Grade) -> Report {
    let time = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let mut suite = TestSuite::new(xml(grade.title));
    suite.set_time(time(grade.wall));
    if let Some(layers) = &grade.sandbox_layers {
        suite.add_property(("walls", xml(layers).as_str()));
    }
    if let Some(not_run) = &grade.not_run {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_message(xml(&not_run.why)).set_type("not run").set_description(xml(&not_run.remedy));
        let mut case = TestCase::new("the program is there and starts", status);
        case.set_classname(xml(&grade.agent));
        suite.add_test_case(case);
    }
    for item in &grade.tests {
        let mut status = TestCaseStatus::success();
        if !item.is_full() {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_message(xml(item.reason()))
                .set_type(xml(&item.verdict()))
                .set_description(xml(evidence(grade, item, true).trim_end()));
        }
        let mut case = TestCase::new(xml(&item.name), status);
        case.set_classname(xml(&grade.agent)).set_time(time(item.wall));
        suite.add_test_case(case);
    }
    let mut report = Report::unnamed();
    report.set_time(time(grade.wall)).add_test_suite(suite);
    report
}

/// Escapes the characters of a text that are not plain, since XML does not allow all of them. The library escapes markup.
pub(super) fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\t' => out.push(character),
            _ if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            _ if is_plain(character) => out.push(character),
            _ => out.extend(character.escape_unicode()),
        }
    }
    out
}
