//! Tests of the drawing of boards.

mod board;
