//! Submissions: turns a course system's download into a folder with a program that is ready to play
//! for each student, and tests one program before it is handed in (`preflight`).

mod build;
mod command;
mod download;
mod find;
mod one_upload;
pub mod preflight;
pub mod submission;
mod table;
mod take_in;
pub mod try_command;
mod unpack;

pub use build::tools::{LanguageSupport, language_support, python_script};
pub use build::{environment, runtime};
pub use command::{EXAMPLE, IntakeOptions, intake};
pub use download::{headings, sheet, spreadsheet};
pub use find::languages::language_names;
pub use find::recode::source_text;
pub use find::source_likeness;
pub use one_upload::{TakenUpload, UploadLimits, take_in_upload};
