//! Checks of the sources, and the steps of a release: `cargo xtask`. What is only a sequence of
//! commands is in `scripts/`.

mod circles;
mod dist;
mod licences;
mod release;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Checks the sources of Menagerie, and prepares its releases.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    after_help = "\
Examples:
  cargo xtask circles
  cargo xtask circles --list crates/arena
  cargo xtask dist --add --platforms all dist
  cargo xtask licences --target x86_64-unknown-linux-musl --texts LICENCES.txt --sbom sbom.json judge
  cargo xtask release --without tests,dist
Exit code: 0 all is well; 1 something is not, and the output says what; 2 the command line is bad, or a file or program is missing."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// The commands of `cargo xtask`.
#[derive(Subcommand)]
enum Command {
    Circles(circles::Options),
    Dist(dist::Options),
    Licences(licences::Options),
    Release(release::Options),
}

fn main() -> ExitCode {
    let result = match CommandLine::parse().command {
        Command::Circles(options) => circles::run(&options),
        Command::Dist(options) => dist::run(&options),
        Command::Licences(options) => licences::run(&options),
        Command::Release(options) => release::run(&options),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo xtask: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .expect("the package's own folder")
}

/// Reads a TOML file, by its path from the root of the repository.
fn toml_of(path: impl AsRef<Path>) -> Result<toml::Table> {
    let path = root().join(path);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    text.parse().with_context(|| path.display().to_string())
}

/// The version of all packages.
fn version() -> Result<String> {
    let manifest = toml_of("Cargo.toml")?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version.context("Cargo.toml: no version")?.to_string())
}

/// Runs a command in the root of the repository and returns its standard output. Errors: it cannot
/// be run, or it fails.
fn output_of(command: &[&str]) -> Result<String> {
    let mut process = std::process::Command::new(command[0]);
    let output = process
        .args(&command[1..])
        .current_dir(root())
        .stderr(std::process::Stdio::inherit())
        .output();
    let line = command.join(" ");
    let output = output.map_err(|error| anyhow::anyhow!("{line}: {error}"))?;
    anyhow::ensure!(output.status.success(), "{line}: {}", output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes a file under a temporary name, and renames it.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let new = path.with_added_extension("new");
    std::fs::write(&new, bytes).with_context(|| new.display().to_string())?;
    std::fs::rename(&new, path).with_context(|| path.display().to_string())
}
