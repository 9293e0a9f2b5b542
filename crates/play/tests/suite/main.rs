//! Tests of the servers of this crate over real sockets, each a process of its own: `examples/server.rs`.

mod bad_clients;
#[path = "../../../http-server/tests/common/example.rs"]
mod example;
mod page;
#[path = "../../../http-server/tests/common/process.rs"]
mod process;
mod puzzle;
#[path = "../../../http-server/tests/common/server.rs"]
mod server;

/// The path of the program with both servers.
fn program() -> String {
    example::example("server")
}
