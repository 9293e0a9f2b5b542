//! A way to build a program: its language, its sources, and what belongs to it.

use super::languages::Language;
use super::source_text::JavaSource;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A way to build a program from a submission.
#[derive(Clone, Debug)]
pub(crate) struct BuildPlan<'l> {
    /// The language, or the kind of project file.
    pub language: &'l Language,
    /// The folder of the submission that becomes the program's folder.
    pub folder: PathBuf,
    /// The main source or the project file, relative to `folder`.
    pub main: PathBuf,
    /// The main source and the other sources that are compiled with it.
    pub sources: Vec<PathBuf>,
    /// The folder with the top-level packages, relative to `folder`.
    pub root: PathBuf,
    pub program: &'static str,
    /// The compiler option that is tried, one of the language's.
    pub option: &'l str,
    /// Whether `main` is a folder that Python runs as a package.
    pub package: bool,
    /// The folders whose contents are copied beside the main source, which imports from them.
    pub modules: BTreeSet<PathBuf>,
    /// Words on standard error: this plan has its turn if the program of an earlier one in the same
    /// language crashes with them.
    pub retry_sign: Option<&'static str>,
    /// The corrections of the plan, a line each.
    pub mended: Vec<String>,
}

pub(crate) const PROGRAM: &str = "homework";

impl<'l> BuildPlan<'l> {
    /// Returns a plan with one source or project file.
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

/// Returns whether a file is the calibration program, which measures the machine before any game.
pub(crate) fn is_calibration(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("calibrate"))
}
