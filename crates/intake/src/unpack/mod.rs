//! The files of one student, out of archives of any kind, within limits on number, size and depth.

pub(crate) mod archives;
pub(crate) mod student_files;
