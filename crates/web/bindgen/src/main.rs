//! Writes the JavaScript bindings of a WebAssembly module: `bindgen MODULE.wasm DIRECTORY NAME`.

use anyhow::{Result, bail};
use std::path::Path;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [module, directory, name] = &words[..] else {
        bail!("usage: bindgen MODULE.wasm DIRECTORY NAME");
    };
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name(name)
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .web(true)?;
    bindgen.generate(Path::new(directory))
}
