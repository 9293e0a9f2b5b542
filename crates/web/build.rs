//! Chooses the game of a WebAssembly module, the one that the variable MENAGERIE_GAME names, from
//! the crate `games`.

use std::path::Path;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MENAGERIE_GAME");
    let game = env::var("MENAGERIE_GAME").unwrap_or_default().replace('-', "_");
    let text = if game.is_empty() {
        "compile_error!(\"a module holds one game: give its name in the variable MENAGERIE_GAME\");\n".to_string()
    } else {
        format!("use games::{game}::Position;\n")
    };
    let directory = env::var("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&directory).join("position.rs"), text).expect("OUT_DIR can be written to");
}
