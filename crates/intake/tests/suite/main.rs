//! Tests of `judge intake` and `judge try` with programs as students hand them in, run as processes
//! of their own.

mod attacks;
mod choices;
mod common;
mod downloads;
mod mends;
mod packing;
mod preflight;
mod tries;
