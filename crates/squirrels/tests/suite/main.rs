//! The tests of this crate, as one program.

mod homework;
mod learned;
mod positions;
mod rules;
mod slow;
mod texts;
mod values;
