//! The agents and the languages that `judge doctor` reports.

use anyhow::Result;
use arena::keys::workspace_program;
use intake::{LanguageSupport, language_support};
use serde::Serialize;
use std::collections::BTreeMap;
use terminal::games;

#[derive(Serialize)]
pub(super) struct Players {
    /// The games whose agents are in the directory of the judge.
    pub agents: Vec<&'static str>,
    pub agents_missing: Vec<&'static str>,
    /// The languages whose programs run in the sandbox of players, each with its version if that is
    /// known.
    pub languages: BTreeMap<String, Option<String>>,
    /// The others, each with the reason and the remedy.
    pub languages_missing: BTreeMap<String, String>,
}

impl Players {
    pub(super) fn survey() -> Result<Players> {
        let names = games::all().iter().map(|game| game.name);
        let (agents, agents_missing) = names.partition(|name| workspace_program(name).is_ok());
        let (mut languages, mut languages_missing) = (BTreeMap::new(), BTreeMap::new());
        for LanguageSupport { name, version, missing } in language_support()? {
            match missing {
                None => drop(languages.insert(name, version)),
                Some(why) => drop(languages_missing.insert(name, why)),
            }
        }
        Ok(Players { agents, agents_missing, languages, languages_missing })
    }

    pub(super) fn agents_line(&self) -> String {
        let agents: Vec<String> = self.agents.iter().map(ToString::to_string).collect();
        let available = join_or(&agents, ", ", "none beside the judge");
        if self.agents_missing.is_empty() {
            return available;
        }
        format!("{available}; not beside the judge: {}", self.agents_missing.join(", "))
    }

    pub(super) fn languages_line(&self) -> String {
        let with_version = |(name, version): (&String, &Option<String>)| {
            version.as_ref().map_or(name.clone(), |version| format!("{name} {version}"))
        };
        let available: Vec<String> = self.languages.iter().map(with_version).collect();
        let available = join_or(&available, ", ", "none: install those of your students");
        if self.languages_missing.is_empty() {
            return available;
        }
        let missing: Vec<&str> = self.languages_missing.keys().map(String::as_str).collect();
        format!("{available}; not here: {}", missing.join(", "))
    }
}

pub(super) fn join_or(items: &[String], separator: &str, none: &str) -> String {
    if items.is_empty() { none.to_string() } else { items.join(separator) }
}
