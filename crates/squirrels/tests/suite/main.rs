//! The tests of this crate, as one program.

mod homework;
mod learned;
mod rules;
mod slow;
mod texts;
mod values;
