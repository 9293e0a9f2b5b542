//! `judge merge` for classes: joins the records of a class's parts.

use super::output::read_text;
use super::record::{ClassRecord, first_line};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use terminal::output::write_file;

/// Returns whether a file is the record of a class.
pub fn is_class(path: &Path) -> bool {
    first_line(path).is_ok_and(|header| header.get("class").is_some())
}

/// Joins the records of a class's parts, and returns the message to print.
pub fn merge(files: &[PathBuf], output: Option<&Path>) -> Result<String> {
    let Some(output) = output else {
        bail!("--output: expected a file for the joined records of a class")
    };
    let mut joined: Option<(Value, String)> = None;
    for path in files {
        let name = path.display();
        let text = read_text(path)?;
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let mut header: Value = serde_json::from_str(first).with_context(|| format!("{name}:1"))?;
        // Reading the record reports errors with their line.
        ClassRecord::read(path)?;
        header["shard"] = Value::Null;
        let whole = rest.split_inclusive('\n').filter(|line| line.ends_with("}\n"));
        match &mut joined {
            None => joined = Some((header, whole.collect())),
            // Other fields of the header may differ between machines.
            Some((other, lines)) if other["class"] == header["class"] => lines.extend(whole),
            Some((other, _)) => {
                let first = files[0].display();
                if other["seed"] != header["seed"] {
                    let [there, here] = [&other["seed"], &header["seed"]];
                    bail!(
                        "{name}: graded with seed {here}, and {first} with seed {there}: give all parts the \
                         same --seed"
                    );
                }
                bail!("{name}: a part of another class than {first}, or graded by another scheme")
            }
        }
    }
    let (header, lines) = joined.context("expected at least one record")?;
    write_file(output, &format!("{header}\n{lines}"))?;
    let next = format!(
        "next: judge grade-all ... --resume --record {} --csv FILE, which plays the missing tests \
         and writes the table\n",
        output.display()
    );
    let class = ClassRecord::read(output)?;
    let mut names = BTreeMap::new();
    for entry in &class.entries {
        let name = names.entry(entry.number).or_insert(&entry.submission);
        if **name != entry.submission {
            std::fs::remove_file(output)?;
            bail!(
                "'{name}' and '{}' have the same number: these are not parts of one class",
                entry.submission
            );
        }
    }
    let homeworks = class.results.values().filter(|result| result.cases.is_some()).count();
    let (entries, games) = (class.entries.len(), class.games.games.len() + homeworks);
    Ok(format!("{entries} submissions, {games} tests finished\n{next}"))
}
