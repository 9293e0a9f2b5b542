//! Tests of the servers of this crate over real sockets, each a process of its own:
//! `examples/server.rs`.

mod bad_clients;
mod page;
mod puzzle;

/// The path of the program with both servers.
fn program() -> String {
    testing::example(env!("CARGO_PKG_NAME"), "server")
}
