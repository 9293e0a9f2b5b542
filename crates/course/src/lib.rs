//! The tools of a course: `judge try` for students, intake of submissions, grading by a scheme, reports, the page of a
//! class, and autograders for other platforms.

pub mod autograder;
pub mod grade;
pub mod intake;
pub mod preflight;
pub mod rules;
mod spreadsheet;
mod submission;
