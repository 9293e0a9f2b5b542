//! The files of the page, embedded in the judge or read from a folder.

use anyhow::{Context, Result, bail, ensure};
use axum::body::Bytes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The embedded files by path (build.rs).
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// The most bytes and files of a site, so that another, larger folder is not read into memory.
const MAX_BYTES: u64 = 64 << 20;
const MAX_FILES: usize = 500;

const CONTENT_TYPES: [(&str, &str); 7] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// The files of the page by path, such as `rules/halma.html`. No other files are served.
pub(super) struct Site(BTreeMap<String, Bytes>);

impl Site {
    pub(super) fn get(&self, path: &str) -> Option<(&'static str, Bytes)> {
        let bytes = self.0.get(path)?;
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let known = CONTENT_TYPES.iter().find(|(known, _)| *known == extension);
        let content_type = known.map_or("application/octet-stream", |(_, kind)| *kind);
        Some((content_type, bytes.clone()))
    }

    fn read(folder: &Path) -> Result<Site> {
        let (mut files, mut room) = (BTreeMap::new(), MAX_BYTES);
        let mut folders = vec![(folder.to_path_buf(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let within = || folder.display().to_string();
            for entry in std::fs::read_dir(&folder).with_context(within)? {
                let entry = entry.with_context(within)?;
                let path = entry.path();
                let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
                // A symbolic link could lead out of the folder, and is not followed.
                let data = entry.metadata().with_context(|| path.display().to_string())?;
                if data.is_dir() {
                    folders.push((path, name + "/"));
                } else if data.is_file() {
                    ensure!(
                        data.len() <= room && files.len() < MAX_FILES,
                        "{}: larger than a site of `make site`",
                        folder.display()
                    );
                    room -= data.len();
                    let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
                    files.insert(name, Bytes::from(bytes));
                }
            }
        }
        Ok(Site(files))
    }
}

/// The page from the named folder, or else the embedded one, or else that of the first default
/// folder.
pub(super) fn find(named: Option<&Path>) -> Result<Site> {
    if let Some(folder) = named {
        ensure!(is_site(folder), "--site: {} is no folder made by `make site`", folder.display());
        return Site::read(folder);
    }
    if !EMBEDDED.is_empty() {
        let files =
            EMBEDDED.iter().map(|(path, bytes)| ((*path).to_string(), Bytes::from_static(bytes)));
        return Ok(Site(files.collect()));
    }
    let Some(folder) = default_folders().into_iter().find(|folder| is_site(folder)) else {
        bail!(
            "this judge was built without the page, and no folder site was found; build a judge with the page by \
             `make play`, or the folder by `make site`, then: judge play --site site"
        );
    };
    Site::read(&folder)
}

fn is_site(folder: &Path) -> bool {
    ["index.html", "board.js", "worker.js"].iter().all(|file| folder.join(file).is_file())
}

/// The default paths of the folder `site`: beside the judge, at the top of the repository that it
/// was built in, and in the current directory.
fn default_folders() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let above = beside.and_then(Path::parent).and_then(Path::parent);
    [beside, above, Some(Path::new("."))]
        .into_iter()
        .flatten()
        .map(|folder| folder.join("site"))
        .collect()
}
