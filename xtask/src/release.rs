//! `cargo xtask release`: lists what this tree lacks for a release.

use crate::{output_of, root, toml_of};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Say whether this tree can be released. Nothing is released.
///
/// The steps, each of which is done even if one before it fails: `tree`, everything is committed;
/// `version`, one version in all packages, in Cargo.toml and in Cargo.lock, and no tag of that name
/// yet; `changelog`, CHANGELOG.md has a section `## VERSION (DATE)`, and nothing under Unreleased;
/// `address`, the repository's address is filled in, in Cargo.toml and for PyPI; `tests`, make
/// lint, make test, make check; `dist`, make dist, make dist-check, the sizes of its files on the
/// pages.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Leave out these steps; the tree does not count as ready then
    #[arg(long, value_name = "STEP,...", value_delimiter = ',')]
    without: Vec<String>,
}

/// The description of the Python module's package.
const PYPROJECT: &str = "crates/python/pyproject.toml";

/// A step returns what is wrong.
type Step = fn(&str) -> Result<Vec<String>>;

const STEPS: [(&str, Step); 6] = [
    ("tree", tree),
    ("version", versions),
    ("changelog", changelog),
    ("address", address),
    ("tests", |_| commands(&["make lint", "make test", "make check"])),
    ("dist", |_| {
        commands(&[
            "make dist",
            "make dist-check",
            "scripts/test-docs --sizes --check --archive dist",
        ])
    }),
];

/// Goes through the steps, and returns whether the tree can be released.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let names = STEPS.map(|(name, _)| name);
    for name in &options.without {
        ensure!(
            names.contains(&name.as_str()),
            "--without: expected {}, found {name}",
            names.join(", ")
        );
    }
    let version = crate::version()?;
    let mut wrong = Vec::new();
    for (name, step) in STEPS {
        if options.without.iter().any(|left_out| left_out == name) {
            println!("{name}: left out");
            wrong.push(format!("{name}: not checked"));
            continue;
        }
        let found = step(&version)?;
        println!(
            "{name}: {}",
            if found.is_empty() { "good".to_string() } else { found.join("; ") }
        );
        wrong.extend(found.into_iter().map(|line| format!("{name}: {line}")));
    }
    println!(
        "\nversion {version} would be released as the tag v{version}, with the files of dist/ beside it"
    );
    if !wrong.is_empty() {
        println!("\nnot to be released yet:\n  {}", wrong.join("\n  "));
    }
    Ok(wrong.is_empty())
}

fn tree(_: &str) -> Result<Vec<String>> {
    let changed = output_of(&["git", "status", "--short"])?;
    let files: Vec<&str> = changed.lines().take(5).filter_map(|line| line.get(3..)).collect();
    Ok(if files.is_empty() {
        Vec::new()
    } else {
        vec![format!("not committed: {}", files.join(", "))]
    })
}

fn versions(version: &str) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    // The module for Python and the makers' programs are workspaces of their own.
    for folder in ["", "crates/python", "research"] {
        let manifest = Path::new(folder).join("Cargo.toml").display().to_string();
        let words =
            ["cargo", "metadata", "--format-version=1", "--locked", "--manifest-path", &manifest];
        let Ok(metadata) = output_of(&words) else {
            let remedy = "run: cargo update --workspace";
            wrong.push(format!("{manifest}: Cargo.lock is not up to date; {remedy}"));
            continue;
        };
        let metadata: Value = serde_json::from_str(&metadata)?;
        // Examples have versions of their own.
        let is_example = |package: &&Value| {
            let place = Path::new(package["manifest_path"].as_str().unwrap_or_default());
            place.strip_prefix(root()).is_ok_and(|place| place.starts_with("examples"))
        };
        let packages = metadata["packages"].as_array().into_iter().flatten();
        for package in
            packages.filter(|package| package["source"].is_null() && !is_example(package))
        {
            let (name, number) = (&package["name"], &package["version"]);
            if number != version {
                wrong.push(format!("{manifest}: {name} is {number}, not {version}"));
            }
        }
    }
    if output_of(&["git", "tag"])?.lines().any(|tag| tag == format!("v{version}")) {
        wrong.push(format!("the tag v{version} exists: raise the version in Cargo.toml"));
    }
    Ok(wrong)
}

fn changelog(version: &str) -> Result<Vec<String>> {
    let text = fs::read_to_string(root().join("CHANGELOG.md")).context("CHANGELOG.md")?;
    let is_dated = |line: &str| {
        let date =
            line.strip_prefix(&format!("## {version} (")).and_then(|rest| rest.strip_suffix(')'));
        date.is_some_and(|date| {
            date.len() == 10 && date.chars().all(|sign| sign.is_ascii_digit() || sign == '-')
        })
    };
    let mut wrong = Vec::new();
    let mut remedy = "raise the version in Cargo.toml, and move them to a section of its name";
    if !text.lines().any(is_dated) {
        remedy = "move them to the version's section";
        wrong.push(format!("CHANGELOG.md: no section '## {version} (YYYY-MM-DD)'"));
    }
    let unreleased = text.lines().skip_while(|line| *line != "## Unreleased").skip(1);
    let entries = unreleased
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("- "))
        .count();
    if entries > 0 {
        wrong.push(format!("CHANGELOG.md: {entries} entries are under Unreleased; {remedy}"));
    }
    Ok(wrong)
}

fn address(_: &str) -> Result<Vec<String>> {
    let manifest = toml_of("Cargo.toml")?;
    let address = manifest["workspace"]["package"].get("repository").and_then(toml::Value::as_str);
    let is_filled_in = address.is_some_and(|address| !address.contains("example.org"));
    let mut wrong = Vec::new();
    if !is_filled_in {
        wrong.push("Cargo.toml: repository: the address is not filled in".to_string());
    }
    let package = toml_of(PYPROJECT)?;
    let told = package["project"]
        .get("urls")
        .and_then(|urls| urls.get("Repository"))
        .and_then(toml::Value::as_str);
    if told != address {
        wrong.push(format!(
            "{PYPROJECT}: project.urls: Repository: expected the address of Cargo.toml"
        ));
    }
    Ok(wrong)
}

/// Runs commands until one fails.
fn commands(lines: &[&str]) -> Result<Vec<String>> {
    for line in lines {
        println!("  $ {line}");
        let words: Vec<&str> = line.split(' ').collect();
        if !Command::new(words[0])
            .args(&words[1..])
            .current_dir(root())
            .status()
            .with_context(|| line.to_string())?
            .success()
        {
            return Ok(vec![format!("{line}: failed")]);
        }
    }
    Ok(Vec::new())
}
