//! Who can play here: the agents beside the judge, and the languages of submissions.

use super::wording::listed;
use crate::games;
use crate::intake::{LanguageHere, languages_here};
use anyhow::Result;
use arena::player::keys::workspace_program;
use serde::Serialize;
use std::collections::BTreeMap;

/// Who can play on this machine.
#[derive(Serialize)]
pub(super) struct Players {
    /// The games whose agents stand beside the judge.
    pub agents: Vec<&'static str>,
    /// The games whose agents do not.
    pub agents_missing: Vec<&'static str>,
    /// Languages that work in the box of players, each with its version where it says one.
    pub languages: BTreeMap<String, Option<String>>,
    /// Languages that do not, each with the reason and what helps.
    pub languages_missing: BTreeMap<String, String>,
}

impl Players {
    /// Looks at this machine.
    pub(super) fn look() -> Result<Players> {
        let names = games::all().iter().map(|game| game.arena.name);
        let (agents, agents_missing) = names.partition(|name| workspace_program(name).is_ok());
        let (mut languages, mut languages_missing) = (BTreeMap::new(), BTreeMap::new());
        for LanguageHere { name, version, missing } in languages_here()? {
            match missing {
                None => drop(languages.insert(name, version)),
                Some(why) => drop(languages_missing.insert(name, why)),
            }
        }
        Ok(Players { agents, agents_missing, languages, languages_missing })
    }

    /// The agents, on one line.
    pub(super) fn agents_line(&self) -> String {
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_string()).collect::<Vec<_>>();
        let here = listed(&words(&self.agents), ", ", "none beside the judge");
        if self.agents_missing.is_empty() {
            return here;
        }
        format!("{here}; not beside the judge: {}", self.agents_missing.join(", "))
    }

    /// The languages, on one line.
    pub(super) fn languages_line(&self) -> String {
        let word = |(name, version): (&String, &Option<String>)| {
            version.as_ref().map_or(name.clone(), |version| format!("{name} {version}"))
        };
        let here: Vec<String> = self.languages.iter().map(word).collect();
        let here = listed(&here, ", ", "none: install those of your students");
        if self.languages_missing.is_empty() {
            return here;
        }
        let missing: Vec<&str> = self.languages_missing.keys().map(String::as_str).collect();
        format!("{here}; not here: {}", missing.join(", "))
    }
}
