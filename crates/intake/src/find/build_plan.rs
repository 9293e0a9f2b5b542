//! A way to build a program: its language, its sources, and what belongs to it.

use crate::find::languages::Language;
use crate::find::source_text::JavaSource;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub(crate) struct BuildPlan<'l> {
    pub language: &'l Language,
    /// The folder that becomes the program's folder.
    pub folder: PathBuf,
    /// The main source or the project file, relative to `folder`.
    pub main: PathBuf,
    pub sources: Vec<PathBuf>,
    /// The folder with the top-level packages, relative to `folder`.
    pub root: PathBuf,
    pub program: &'static str,
    pub option: &'l str,
    /// Whether `main` is a folder that Python runs as a package.
    pub package: bool,
    /// The folders whose contents are copied beside the main source.
    pub modules: BTreeSet<PathBuf>,
    /// Words on standard error: this plan has its turn if an earlier one in the same language
    /// crashes with them.
    pub retry_sign: Option<&'static str>,
    pub mended: Vec<String>,
    /// Whether another source is more likely the program: this one is tried where that one fails.
    pub alternative: bool,
}

/// A main source.
pub(crate) struct MainSource<'p> {
    pub path: &'p PathBuf,
    /// Why it was chosen; it ends a sentence.
    pub why: String,
    /// Where a rule of thumb has chosen it: the sources that it has chosen it from, the likelier
    /// ones first.
    pub others: Vec<&'p PathBuf>,
}

impl<'p> MainSource<'p> {
    pub(crate) fn certain(path: &'p PathBuf, why: String) -> MainSource<'p> {
        MainSource { path, why, others: Vec::new() }
    }
}

pub(crate) const PROGRAM: &str = "homework";

impl<'l> BuildPlan<'l> {
    pub(crate) fn new(
        language: &'l Language,
        folder: &Path,
        main: PathBuf,
        mended: Vec<String>,
    ) -> BuildPlan<'l> {
        BuildPlan {
            language,
            folder: folder.to_owned(),
            sources: vec![main.clone()],
            main,
            root: PathBuf::new(),
            program: PROGRAM,
            option: language.options.first().map_or("", String::as_str),
            package: false,
            modules: BTreeSet::new(),
            retry_sign: None,
            mended,
            alternative: false,
        }
    }
}

/// Returns the folder with the top-level packages of a Java source.
pub(crate) fn package_root(main: &Path, source: &JavaSource) -> PathBuf {
    let folder = main.parent().unwrap_or(Path::new(""));
    let package: PathBuf = source.package.split('.').filter(|part| !part.is_empty()).collect();
    match folder.ends_with(&package) {
        true => folder.iter().take(folder.iter().count() - package.iter().count()).collect(),
        false => folder.to_owned(),
    }
}

/// Returns whether a file is the calibration program.
pub(crate) fn is_calibration(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("calibrate"))
}
