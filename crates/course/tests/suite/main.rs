//! Tests of grading: `judge grade`, `judge grade-all` and `judge grade-cases`, run as processes of
//! their own.

mod class;
mod common;
mod course_systems;
mod grading;
mod habits;
mod homework;
mod interfaces;
