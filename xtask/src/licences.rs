//! The licence texts of all that programs are linked with, and a bill of materials.

use crate::{output_of, root, toml_of, write_whole};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The C library that programs for musl are linked with.
const MUSL: &str = "musl (the C library of static programs)";
const MUSL_RIGHTS: &str = "Copyright (c) 2005-2020 Rich Felker, et al.";
/// The path of the licences of Rust's standard library in the toolchain's folder.
const LIBRARY: &str = "share/doc/rust/COPYRIGHT-library.html";
/// The target that zig does not link for.
const HOST: &str = "x86_64-unknown-linux-musl";
/// Libraries that zig links in: name, licence file in the folder of zig's library, a part of the
/// names of the targets.
const FROM_ZIG: [(&str, &str, &str); 3] = [
    ("zig (compiler_rt)", "../LICENSE", ""),
    ("LLVM's libunwind", "libunwind/LICENSE.TXT", ""),
    ("mingw-w64 (the C runtime of Windows programs)", "libc/mingw/COPYING", "windows"),
];
/// How the names of licence files begin, in lower case.
const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Write the licence texts of all that programs are linked with, and a bill of materials.
///
/// Counted is what the packages depend on for the target, without build scripts and tests, with the
/// features that are on by default. The texts are those in the sources that Cargo keeps. The files
/// are the same bytes each time.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The target triple of the programs
    #[arg(long)]
    pub(crate) target: String,
    /// The file of the texts: each different text once, under the names of all crates that come
    /// with it
    #[arg(long, value_name = "FILE")]
    pub(crate) texts: PathBuf,
    /// The file of the bill of materials: CycloneDX 1.5 as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) sbom: PathBuf,
    /// The manifest of the packages' workspace, from the root of the repository; by default the
    /// repository's own
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Packages of the workspace
    #[arg(required = true, value_name = "PACKAGE")]
    pub(crate) packages: Vec<String>,
}

/// Writes both files and returns whether every crate has a licence text.
pub(crate) fn run(options: &Options) -> Result<bool> {
    let manifest = root().join(options.manifest_path.as_deref().unwrap_or(Path::new("Cargo.toml")));
    let words = [
        "cargo",
        "metadata",
        "--format-version=1",
        "--locked",
        "--filter-platform",
        &options.target,
    ];
    let metadata =
        output_of(&[&words[..], &["--manifest-path", &manifest.to_string_lossy()]].concat())?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata")?;
    let packages = dependencies(&metadata, &options.packages)?;
    let (grouped, bare) = texts(&packages, &options.target)?;
    if !bare.is_empty() {
        eprintln!("without a licence text: {}", bare.join(", "));
        return Ok(false);
    }
    let line = "=".repeat(100);
    let mut written =
        "The licences of all that the programs are linked with. Each text stands under the names of those that \
                       come with it.\n"
            .to_string();
    for (names, text) in &grouped {
        written += &format!("\n{line}\n{}\n{line}\n\n{text}\n", names.join("\n"));
    }
    write_whole(&options.texts, written.as_bytes())?;
    let materials =
        materials(&packages, &options.packages[0], &manifest.with_file_name("Cargo.lock"))?;
    write_whole(&options.sbom, (serde_json::to_string_pretty(&materials)? + "\n").as_bytes())?;
    println!("{} packages, {} licence texts", packages.len(), grouped.len());
    Ok(true)
}

/// The packages that these packages of the workspace are linked with, themselves included, by name
/// and version.
fn dependencies<'m>(metadata: &'m Value, names: &[String]) -> Result<Vec<&'m Value>> {
    let by_id = |values: &'m Value| {
        list(values).map(|value| (field(value, "id"), value)).collect::<BTreeMap<_, _>>()
    };
    let (packages, nodes) = (by_id(&metadata["packages"]), by_id(&metadata["resolve"]["nodes"]));
    let mut waiting = Vec::new();
    for name in names {
        let mut members = list(&metadata["workspace_members"]).filter_map(Value::as_str);
        let Some(id) = members.find(|id| field(packages[id], "name") == name) else {
            bail!("no package {name} in this workspace")
        };
        waiting.push(id);
    }
    let mut found = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if found.insert(id) {
            let linked = |dependency: &&Value| {
                list(&dependency["dep_kinds"]).any(|kind| kind["kind"].is_null())
            };
            waiting.extend(
                list(&nodes[id]["deps"]).filter(linked).map(|dependency| field(dependency, "pkg")),
            );
        }
    }
    let mut found: Vec<&Value> = found.into_iter().map(|id| packages[id]).collect();
    found.sort_by_key(|package| (field(package, "name"), field(package, "version")));
    Ok(found)
}

/// The elements of an array.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text field; empty where there is none.
fn field<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

/// The names of the crates that come with a text, and the text.
type SharedText = (Vec<String>, String);

/// Each different text under the sorted names of the crates that come with it, and the crates
/// without a text or a licence.
fn texts(packages: &[&Value], target: &str) -> Result<(Vec<SharedText>, Vec<String>)> {
    let mut by_text: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut bare = Vec::new();
    for package in packages {
        let licence = field(package, "license");
        let shown = if licence.is_empty() { "see the text" } else { licence };
        let name = format!("{} {} ({shown})", field(package, "name"), field(package, "version"));
        let texts = texts_of(package)?;
        if texts.is_empty() || licence.is_empty() && package["license_file"].is_null() {
            bare.push(name.clone());
        }
        for text in texts {
            let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
            by_text
                .entry(lines.join("\n").trim_matches('\n').to_string())
                .or_default()
                .insert(name.clone());
        }
    }
    for (name, text) in of_toolchain(target)? {
        by_text.entry(text.trim_matches('\n').to_string()).or_default().insert(name.to_string());
    }
    let mut grouped: Vec<_> =
        by_text.into_iter().map(|(text, names)| (Vec::from_iter(names), text)).collect();
    grouped.sort();
    Ok((grouped, bare))
}

/// The licence texts of a package. A package without a text, under the MIT licence, perhaps among
/// others, gets that licence with its authors.
fn texts_of(package: &Value) -> Result<Vec<String>> {
    let folder =
        Path::new(field(package, "manifest_path")).parent().context("a manifest's folder")?;
    let mut files = Vec::new();
    if folder.starts_with(root()) {
        // The workspace has its texts once.
        for entry in fs::read_dir(root())? {
            files.extend(
                Some(entry?.path()).filter(|path| path.to_string_lossy().contains("/LICENSE-")),
            );
        }
    } else {
        find_licence_files(folder, &mut files)?;
    }
    files.sort();
    let authors: Vec<&str> =
        package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let is_mit = field(package, "license")
        .split(|sign: char| !sign.is_alphanumeric() && sign != '-')
        .any(|word| word == "MIT");
    if files.is_empty() && !authors.is_empty() && is_mit {
        let authors: Vec<&str> =
            authors.iter().map(|author| author.split(" <").next().unwrap_or_default()).collect();
        return Ok(vec![mit_text(&format!("Copyright (c) {}", authors.join(", ")))?]);
    }
    let text = |path: &PathBuf| Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned());
    files.iter().map(text).collect()
}

/// Adds the licence files under a folder, those of C sources that a package brings along included,
/// without tests.
fn find_licence_files(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_text =
            path.extension().is_none_or(|extension| extension == "txt" || extension == "md");
        if path.is_dir() && name != "tests" {
            find_licence_files(&path, found)?;
        } else if path.is_file() && is_text && NAMES.iter().any(|start| name.starts_with(start)) {
            found.push(path);
        }
    }
    Ok(())
}

/// The texts of Rust's standard library and of what the toolchain for a target links in besides.
fn of_toolchain(target: &str) -> Result<Vec<(&'static str, String)>> {
    let read = |path: PathBuf, remedy| {
        fs::read_to_string(&path).with_context(|| format!("{}: {remedy}", path.display()))
    };
    let library = Path::new(output_of(&["rustc", "--print", "sysroot"])?.trim()).join(LIBRARY);
    let mut texts = vec![(
        "Rust's standard library, as HTML",
        read(library, "install the toolchain by rustup, which brings it")?,
    )];
    if target.ends_with("musl") {
        texts.push((MUSL, mit_text(MUSL_RIGHTS)?));
    }
    if target != HOST {
        let environment = output_of(&["python3", "-m", "ziglang", "env"])?;
        let folder =
            environment.split(".lib_dir = \"").nth(1).and_then(|rest| rest.split('"').next());
        let folder = PathBuf::from(folder.context("zig env: expected .lib_dir")?);
        for (name, path, is_linked) in FROM_ZIG {
            if target.contains(is_linked) {
                texts.push((name, read(folder.join(path), "install ziglang, which brings it")?));
            }
        }
    }
    Ok(texts)
}

/// The MIT licence under a line that says whose copyright it is.
fn mit_text(rights: &str) -> Result<String> {
    let own = fs::read_to_string(root().join("LICENSE-MIT")).context("LICENSE-MIT")?;
    let start = own
        .find("Permission is hereby granted")
        .context("LICENSE-MIT: expected 'Permission is hereby granted'")?;
    Ok(format!("{rights}\n\n{}", &own[start..]))
}

/// The bill of materials, with the sums of the lock file. Its version is that of the package
/// `named`.
fn materials(packages: &[&Value], named: &str, lock: &Path) -> Result<Value> {
    let lock = toml_of(lock)?;
    let mut sums = BTreeMap::new();
    for package in lock["package"].as_array().into_iter().flatten() {
        let text = |name: &str| package.get(name).and_then(toml::Value::as_str);
        sums.insert(
            (text("name").unwrap_or_default(), text("version").unwrap_or_default()),
            text("checksum"),
        );
    }
    let mut components = Vec::new();
    for package in packages {
        let (name, version) = (field(package, "name"), field(package, "version"));
        // Our own packages are on no registry, where others may have their names.
        let kind = if package["source"].is_null() { "generic/menagerie" } else { "cargo" };
        let address = format!("pkg:{kind}/{name}@{version}");
        let mut component = json!({"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address});
        if !field(package, "license").is_empty() {
            component["licenses"] =
                json!([{"expression": field(package, "license").replace('/', " OR ")}]);
        }
        if let Some(Some(sum)) = sums.get(&(name, version)) {
            component["hashes"] = json!([{"alg": "SHA-256", "content": sum}]);
        }
        components.push(component);
    }
    let version = packages
        .iter()
        .find(|package| field(package, "name") == named)
        .map(|package| field(package, "version"));
    // A serial number that follows from the contents: the same files each time.
    let digest = Sha256::digest(serde_json::to_vec(&components)?);
    // A UUID of version 8, whose bits are one's own but for those of version and variant.
    let mut bytes: [u8; 16] = digest[..16].try_into()?;
    (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let serial = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-");
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": format!("urn:uuid:{serial}"),
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "menagerie", "name": "menagerie", "version": version}},
        "components": components,
    }))
}
