//! Submissions: turns a course system's download into a folder with a program that is ready to play
//! for each student, and tests one program before it is handed in (`preflight`).

mod archives;
mod attempts;
mod blackboard;
mod brightspace;
mod build;
mod build_plan;
mod build_result;
mod command;
mod course_systems;
mod download;
mod earlier;
pub mod environment;
mod find_program;
mod first_runs;
mod folder_names;
mod given;
pub mod headings;
mod languages;
mod main_source;
mod notebook;
mod one_upload;
pub mod preflight;
mod python_imports;
mod python_syntax;
mod recode;
pub mod runtime;
pub mod sheet;
mod source_doubts;
pub mod source_likeness;
mod source_text;
pub mod spreadsheet;
pub mod submission;
mod table;
mod take_in;
mod teams;
mod tools;
mod tree;
mod trial;
mod unpack;
mod zip_end;

pub use command::{EXAMPLE, IntakeOptions, intake};
pub use languages::language_names;
pub use one_upload::{TakenUpload, UploadLimits, take_in_upload};
pub use recode::source_text;
pub use tools::{LanguageSupport, language_support, python_script};
