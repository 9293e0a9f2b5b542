//! Finds out which languages this machine can compile and run.

use super::languages::Languages;
use super::tools::Tools;
use anyhow::Result;
use arena::terms::Bounds;

/// A language of the table, and whether this machine supports it.
pub struct LanguageSupport {
    /// The name of the language.
    pub name: String,
    /// The version of its first compiler or interpreter.
    pub version: Option<String>,
    /// Why submissions in this language cannot be taken in, and what helps; `None` if they can.
    pub missing: Option<String>,
}

/// Tries the compilers and interpreters of every language that `judge intake` knows in the players' sandbox.
pub fn language_support() -> Result<Vec<LanguageSupport>> {
    let tools = Tools::new(&Bounds { keep: 1 << 12, ..Bounds::default() });
    let look = |language: &super::languages::Language| {
        let missing = tools.missing(language)?;
        let first = language.needs.first().map(|name| tools.tool(name, language.version.as_deref())).transpose()?;
        let version = first.flatten().and_then(|tool| tool.version);
        Ok(LanguageSupport { name: language.name.clone(), version, missing })
    };
    Languages::new(None)?.list.iter().map(look).collect()
}
