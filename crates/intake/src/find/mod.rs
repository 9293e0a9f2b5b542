//! Which of a student's files is the program ([`find_program`]), by names, languages and the text
//! of sources, and how it is to be built ([`build_plan`]).

pub(crate) mod build_plan;
pub(crate) mod find_program;
pub(crate) mod given;
pub(crate) mod languages;
mod main_source;
mod notebook;
mod plans;
pub(crate) mod python_imports;
pub(crate) mod recode;
pub(crate) mod source_doubts;
pub mod source_likeness;
pub(crate) mod source_text;
pub(crate) mod tree;
