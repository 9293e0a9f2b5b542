//! Reading TOML, with errors that begin with their line.

use serde::de::DeserializeOwned;

/// Reads a text; an error is the number of its line, a colon and what is wrong there.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        format!("{line}: {}", error.message())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_begins_with_its_line() {
        assert_eq!(parse::<toml::Table>("a = 1\n").unwrap()["a"].as_integer(), Some(1));
        assert!(parse::<toml::Table>("a = 1\nb =\n").unwrap_err().starts_with("2: "));
        assert!(parse::<toml::Table>("a = 1\na = 2").unwrap_err().starts_with("2: "));
        assert!(parse::<toml::Table>("a = \"é").unwrap_err().starts_with("1: "));
    }
}
