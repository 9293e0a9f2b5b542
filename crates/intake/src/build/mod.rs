//! Compilers and interpreters: what there is on this machine ([`tools`]), the build of a program in
//! the box ([`compile`]), and what runs it later ([`runtime`]).

pub(crate) mod compile;
pub mod environment;
mod project_result;
pub(crate) mod python_syntax;
pub mod runtime;
pub(crate) mod tools;
