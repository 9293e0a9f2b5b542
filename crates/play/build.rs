//! Embeds the page that plays the games in the judge, if the variable JUDGE_SITE names a folder
//! made by scripts/site. Without the variable the judge serves such a folder from the disk.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    println!("cargo:rerun-if-env-changed=JUDGE_SITE");
    println!("cargo:rerun-if-changed=build.rs");
    let mut list = String::new();
    if let Some(site) = std::env::var_os("JUDGE_SITE").filter(|site| !site.is_empty()) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let site = root.join(site);
        assert!(
            site.join("index.html").is_file(),
            "JUDGE_SITE: {} has no index.html; make site builds a site",
            site.display()
        );
        println!("cargo:rerun-if-changed={}", site.display());
        add(&site, "", &mut list);
    }
    let to = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it")).join("site.rs");
    std::fs::write(to, format!("&[\n{list}]")).expect("the build's own directory can be written");
}

fn add(folder: &Path, prefix: &str, list: &mut String) {
    let entries = std::fs::read_dir(folder).expect("the site can be read");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("an entry of the site").path()).collect();
    paths.sort();
    for path in paths {
        let name = format!("{prefix}{}", path.file_name().expect("a name").to_string_lossy());
        if path.is_dir() {
            add(&path, &format!("{name}/"), list);
        } else {
            let _ = writeln!(
                list,
                "    ({name:?}, include_bytes!({:?}).as_slice()),",
                path.canonicalize().expect("a file")
            );
        }
    }
}
