//! Imports between crates against the drawing in ARCHITECTURE.md.

use crate::{output_of, root};
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A line for each crate that has no floor in the drawing, and for each dependency that does not point to a lower floor.
pub(super) fn wrong_arrows() -> Result<Vec<String>> {
    let root = root();
    let mut crates = BTreeSet::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            crates.insert(entry.file_name().to_string_lossy().into_owned());
        }
    }
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let drawing = page.split("## Code map").next().unwrap_or_default();
    let mut floors: BTreeMap<String, usize> = BTreeMap::new();
    for (number, line) in drawing.lines().filter(|line| line.starts_with("    ")).enumerate() {
        for name in line.trim_start().split("  ").next().unwrap_or_default().split_whitespace() {
            floors.entry(name.to_string()).or_insert(number);
        }
    }
    // All games of the list are on one floor.
    let games = output_of(&["scripts/games"])?;
    if let Some(floor) = games.lines().find_map(|game| floors.get(game).copied()) {
        for game in games.lines() {
            floors.entry(game.to_string()).or_insert(floor);
        }
    }
    let mut wrong = Vec::new();
    for name in &crates {
        let Some(floor) = floors.get(name) else {
            wrong.push(format!("{name}: has no floor in ARCHITECTURE.md"));
            continue;
        };
        let manifest = root.join("crates").join(name).join("Cargo.toml");
        let manifest: toml::Table =
            fs::read_to_string(&manifest)?.parse().with_context(|| manifest.display().to_string())?;
        let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
        for other in dependencies.into_iter().flat_map(toml::Table::keys).filter(|other| crates.contains(*other)) {
            if floors.get(other).is_some_and(|below| below <= floor) {
                wrong.push(format!("{name}: imports {other}, which is not on a lower floor"));
            }
        }
    }
    Ok(wrong)
}
