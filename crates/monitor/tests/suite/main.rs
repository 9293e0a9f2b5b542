//! Tests of the monitor over real sockets, as a process of its own: `examples/monitor.rs`.

mod bad_clients;
mod conversations;
mod ends;
mod games;
mod monitor;
mod queue;
