//! The program `league`: the real server on a real socket with its database, workers and the
//! sandbox.

mod attacks;
mod backups;
mod common;
mod faults;
mod hostile;
mod own_game;
mod pages;
mod place;
mod postgres;
mod proxy;
mod roles;
mod shared;
mod staff;
mod uploads;
