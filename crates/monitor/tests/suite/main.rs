//! Tests of the monitor over real sockets, as a process of its own: `examples/monitor.rs`.

mod bad_clients;
mod conversations;
mod ends;
#[path = "../../../http-server/tests/common/example.rs"]
mod example;
mod games;
mod monitor;
#[path = "../../../http-server/tests/common/process.rs"]
mod process;
mod queue;
