//! What a teacher downloads: a folder or a zip ([`entries`]) whose files are sorted by students
//! ([`course_systems`]), who may hand in as teams, and the tables that course systems write.

mod blackboard;
mod brightspace;
pub(crate) mod course_systems;
pub(crate) mod entries;
pub(crate) mod folder_names;
pub mod headings;
pub mod sheet;
pub mod spreadsheet;
pub(crate) mod teams;
mod zip_end;
