//! The tests of the judge as one program, without the hostile players, which are a program of their
//! own.

mod accounting;
mod analysing;
mod autograder;
mod checking;
mod class;
#[path = "../common/mod.rs"]
mod common;
mod doctor;
mod homework_folder;
mod homework_outputs;
mod languages;
mod league;
mod likeness;
mod messages;
mod monitor_matches;
mod names;
mod own_game;
mod own_game_broken;
mod own_game_chance;
mod own_game_functions;
mod own_game_talk;
mod own_game_terms;
mod own_game_together;
mod players;
mod proofs;
mod records;
mod replay;
mod rerun;
mod rules;
mod servers;
mod starters;
mod starts;
mod tournaments;
