//! Grading of a class: by a scheme, with reports, the page of the class, and autograders for other
//! platforms.

pub mod autograder;
pub mod class;
pub mod grade;
mod grade_book;
pub mod homework_test;
pub mod likeness;
mod zip_file;
