//! Tests of `judge grade`, `grade-all` and `grade-cases`, run as processes of their own.

mod class;
mod common;
mod course_systems;
mod grading;
mod homework;
mod interfaces;
mod runtimes;
mod talks;
