//! Settings in TOML. Every error names the file and the line: `class.toml:5: unknown field ...`.

use anyhow::{Context, Error, Result, anyhow};
use engine::protocol::without_mark;
use files::read_input;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::path::Path;

/// Reads a text without a byte-order mark. Errors name the file.
pub fn read(path: &Path) -> Result<String> {
    let text = read_input(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(without_mark(&text).to_string())
}

/// Reads settings from a TOML text; errors give it this name.
pub fn parse<T: DeserializeOwned>(name: impl Display, text: &str) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        let (place, words) = (error.span().map_or(0, |span| span.start), error.message());
        let is_of_escape = words.contains("escape") || words.contains("unicode value");
        let hint = if is_of_escape { BACKSLASH } else { "" };
        at(name, text, place, format!("{words}{hint}"))
    })
}

const BACKSLASH: &str = r" (write a backslash twice, or the text in single quotes: 'C:\path')";

/// Returns an error about what stands in a text at `place`, in bytes.
pub fn at(name: impl Display, text: &str, place: usize, error: impl Display) -> Error {
    let line = 1 + text.bytes().take(place).filter(|&byte| byte == b'\n').count();
    anyhow!("{name}:{line}: {error:#}")
}
