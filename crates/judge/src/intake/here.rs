//! The languages that submissions can be in on this machine.

use super::languages::Languages;
use super::tools::Tools;
use anyhow::Result;
use arena::terms::Bounds;

/// A language of the table, as it is found on this machine.
pub(crate) struct LanguageHere {
    /// What tables call it.
    pub name: String,
    /// The version that its first program says it has.
    pub version: Option<String>,
    /// Why submissions in it cannot be taken, and what helps; `None` where they can.
    pub missing: Option<String>,
}

/// Every language that `judge intake` knows, each tried in the box of players.
pub(crate) fn languages_here() -> Result<Vec<LanguageHere>> {
    let tools = Tools::new(&Bounds { keep: 1 << 12, ..Bounds::default() });
    let look = |language: &super::languages::Language| {
        let missing = tools.missing(language)?;
        let first = language.needs.first().map(|name| tools.tool(name, language.version.as_deref())).transpose()?;
        let version = first.flatten().and_then(|tool| tool.version);
        Ok(LanguageHere { name: language.name.clone(), version, missing })
    };
    Languages::new(None)?.list.iter().map(look).collect()
}
