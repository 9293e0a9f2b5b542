//! The files of the page, from inside the judge or from a folder.

use anyhow::{Context, Result, bail, ensure};
use hyper::body::Bytes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files that the judge was built with, by their path; none without the variable `JUDGE_SITE` (build.rs).
static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/site.rs"));

/// The most bytes of a site, and the most files: a folder of another kind is not read into memory.
const MOST: (u64, usize) = (64 << 20, 500);

/// Names of files' last parts, and the content types that they stand for.
const KINDS: [(&str, &str); 6] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wasm", "application/wasm"),
];

/// The files of the page by their path, such as `rules/halma.txt`. What is not among them is not served.
pub(super) struct Site(BTreeMap<String, Bytes>);

impl Site {
    /// A file with its content type.
    pub(super) fn get(&self, path: &str) -> Option<(&'static str, Bytes)> {
        let bytes = self.0.get(path)?;
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let kind = KINDS.iter().find(|(known, _)| *known == ending);
        Some((kind.map_or("application/octet-stream", |(_, kind)| *kind), bytes.clone()))
    }

    fn read(folder: &Path) -> Result<Site> {
        let (mut files, mut room) = (BTreeMap::new(), MOST.0);
        let mut folders = vec![(folder.to_path_buf(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let entries = std::fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
            for entry in entries {
                let path = entry.with_context(|| folder.display().to_string())?.path();
                let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
                // A link could lead anywhere.
                let data = std::fs::symlink_metadata(&path).with_context(|| path.display().to_string())?;
                if data.is_dir() {
                    folders.push((path, name + "/"));
                } else if data.is_file() {
                    ensure!(
                        data.len() <= room && files.len() < MOST.1,
                        "{}: too much for a site of `make site`",
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

/// The page: in the folder that is named, inside the judge, or in one of the usual folders.
pub(super) fn find(named: Option<&Path>) -> Result<Site> {
    if let Some(folder) = named {
        ensure!(is_site(folder), "--site: {} is no folder that `make site` has made", folder.display());
        return Site::read(folder);
    }
    if !EMBEDDED.is_empty() {
        let files = EMBEDDED.iter().map(|(path, bytes)| ((*path).to_string(), Bytes::from_static(bytes)));
        return Ok(Site(files.collect()));
    }
    let Some(folder) = usual().into_iter().find(|folder| is_site(folder)) else {
        bail!(
            "this judge was built without the page, and no folder site is near: `make play` builds both, or `make site` \
             the folder, then: judge play --site site"
        );
    };
    Site::read(&folder)
}

fn is_site(folder: &Path) -> bool {
    ["index.html", "board.js", "worker.js"].iter().all(|file| folder.join(file).is_file())
}

/// Where the folder `site` may lie: beside the judge, at the top of the repository that it was built in, here.
fn usual() -> Vec<PathBuf> {
    let program = std::env::current_exe().ok();
    let beside = program.as_deref().and_then(Path::parent);
    let above = beside.and_then(Path::parent).and_then(Path::parent);
    [beside, above, Some(Path::new("."))].into_iter().flatten().map(|folder| folder.join("site")).collect()
}
