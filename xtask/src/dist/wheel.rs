//! The programs as a wheel, menagerie-programs, which puts them beside the `python` of whoever
//! installs it.

use super::pack::Tree;
use super::platforms::Platform;
use anyhow::{Result, ensure};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

const METADATA: &str = "\
Metadata-Version: 2.4
Name: menagerie-programs
Version: {version}
Summary: Five agents, a judge and a solver for board games that live by files and clocks, as programs.
License-Expression: MIT OR Apache-2.0
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
License-File: LICENCES.txt
Requires-Python: >=3.9
Project-URL: Repository, {address}
Description-Content-Type: text/markdown

# Menagerie's programs

The agents `halma`, `wolves`, `squirrels`, `foxgame` and `foxgeese`, the `judge` that plays, checks, grades and explains
them, `solve` for proofs, and on Linux `league` for a course's competition, beside your `python`. Each explains itself with `--help`. The package `menagerie-games` has the same
games as a Python module.
";

/// The wheel with the programs and licences of an archive: its file name and bytes.
pub(super) fn packed(
    archive: &Tree,
    version: &str,
    platform: &Platform,
) -> Result<(String, Vec<u8>)> {
    let version = python_version(version)?;
    let name = format!("menagerie_programs-{version}");
    let info = format!("{name}.dist-info");
    let mut wheel = archive.empty();
    for (path, bytes) in archive.files() {
        if let Some(program) = path.strip_prefix("bin/") {
            wheel.add(&format!("{name}.data/scripts/{program}"), bytes.to_vec(), true);
        } else if path.starts_with("LICEN") {
            wheel.add(&format!("{info}/licenses/{path}"), bytes.to_vec(), false);
        } else if path == "sbom.cdx.json" {
            wheel.add(&format!("{info}/sboms/{path}"), bytes.to_vec(), false);
        }
    }
    let tags = platform
        .wheel_tags
        .split('.')
        .map(|tag| format!("Tag: py3-none-{tag}\n"))
        .collect::<String>();
    let about =
        format!("Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\n{tags}");
    let metadata =
        METADATA.replace("{version}", &version).replace("{address}", env!("CARGO_PKG_REPOSITORY"));
    wheel.add(&format!("{info}/METADATA"), metadata.into_bytes(), false);
    wheel.add(&format!("{info}/WHEEL"), about.into_bytes(), false);
    let record = format!("{info}/RECORD");
    let line = |(path, bytes): (&str, &[u8])| {
        format!(
            "{path},sha256={},{}\n",
            BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(bytes)),
            bytes.len()
        )
    };
    let lines = wheel.files().map(line).collect::<String>() + &format!("{record},,\n");
    wheel.add(&record, lines.into_bytes(), false);
    Ok((format!("{name}-py3-none-{}.whl", platform.wheel_tags), wheel.zip("")?))
}

/// A version of Cargo as Python writes it: `0.3.0-dev` is `0.3.0.dev0`.
fn python_version(version: &str) -> Result<String> {
    let release = version.strip_suffix("-dev");
    let numbers = release.unwrap_or(version);
    let is_known = numbers.split('.').all(|number| number.parse::<u32>().is_ok());
    ensure!(is_known, "the version {version}: expected numbers, such as 0.3.0, or 0.3.0-dev");
    Ok(if release.is_some() { format!("{numbers}.dev0") } else { numbers.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::platforms::HOST;

    #[test]
    fn a_wheel_has_programs_and_licences_and_a_record_of_all_files() {
        let mut archive = Tree::new(1_700_000_000);
        for path in ["bin/judge", "LICENCES.txt", "LICENSE-MIT", "sbom.cdx.json", "docs/judge.md"] {
            archive.add(path, path.as_bytes().to_vec(), path.starts_with("bin/"));
        }
        let (name, bytes) = packed(&archive, "0.3.0-dev", HOST).unwrap();
        let tags = "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64";
        assert_eq!(name, format!("menagerie_programs-0.3.0.dev0-py3-none-{tags}.whl"));
        let mut files = zip::ZipArchive::new(std::io::Cursor::new(bytes)).unwrap();
        let record = std::io::read_to_string(
            files.by_name("menagerie_programs-0.3.0.dev0.dist-info/RECORD").unwrap(),
        );
        let record = record.unwrap();
        assert_eq!(record.lines().count(), files.len());
        // printf bin/judge | openssl dgst -sha256 -binary | base64 | tr +/ -_ | tr -d =
        let of_judge = "menagerie_programs-0.3.0.dev0.data/scripts/judge,sha256=ljhTj-gUMADwZizWzJCgFvsIyw3yKd-21MXWzuZBLvE,9";
        assert!(record.lines().any(|line| line == of_judge), "{record}");
        assert!(!record.contains("docs"), "{record}");
        let metadata = files.by_name("menagerie_programs-0.3.0.dev0.dist-info/METADATA").unwrap();
        let metadata = std::io::read_to_string(metadata).unwrap();
        assert!(metadata.contains("\nProject-URL: Repository, https://"), "{metadata}");
        let judge = files.by_name("menagerie_programs-0.3.0.dev0.data/scripts/judge").unwrap();
        assert_eq!(judge.unix_mode(), Some(0o100_755));
    }

    #[test]
    fn versions_are_written_as_python_does() {
        assert_eq!(python_version("0.3.0-dev").unwrap(), "0.3.0.dev0");
        assert_eq!(python_version("1.2.3").unwrap(), "1.2.3");
        assert!(python_version("1.2.3-rc.1").is_err());
    }
}
