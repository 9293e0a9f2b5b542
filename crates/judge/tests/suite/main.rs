//! The tests of the judge as one program, without the hostile players, which are a program of their own.

mod accounting;
mod analysing;
mod autograder;
mod bad_clients;
mod checking;
mod class;
#[path = "../common/mod.rs"]
mod common;
mod doctor;
mod grading;
mod homework;
mod intake;
mod intake_attacks;
mod intake_packing;
mod intake_tries;
mod languages;
mod league;
mod messages;
mod monitor;
mod monitor_line;
mod monitor_scripts;
mod monitor_words;
mod names;
mod own_game;
mod play;
mod players;
mod preflight;
mod puzzle;
mod records;
mod replay;
mod rules;
mod starters;
mod starts;
mod students;
mod tournaments;
