//! The plans by which a main source becomes a program, the likelier ones first.

use crate::find::build_plan::{BuildPlan, is_calibration};
use crate::find::find_program::{ProgramSearch, folder_of, in_folder, is_test};
use crate::find::languages::{Language, has_extension};
use crate::find::source_text::{mentioned, shebang};
use crate::find::tree::{is_generated, shown};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What programs in interpreted languages say, in lower case, when they do not find a file.
const MISSING_FILE: &str = "no such file or directory";
/// The words of Python about a module that it does not find.
const MISSING_MODULE: &str = "no module named";

impl<'l> ProgramSearch<'l, '_> {
    pub(super) fn plans(
        &self,
        language: &'l Language,
        path: &Path,
        mut mended: Vec<String>,
    ) -> Vec<BuildPlan<'l>> {
        const GRADLE: [&str; 2] = ["build.gradle", "build.gradle.kts"];
        let text = self.tree.text(path);
        let mut plans = Vec::new();
        if let Some(asked) = shebang(&text)
            && let Some(other) =
                self.languages.list.iter().find(|other| {
                    other.shebang.as_ref().is_some_and(|word| asked.starts_with(word))
                })
        {
            plans.extend(self.own_plans(other, path, &mended));
            let asked = arena::plain::shown(asked);
            mended.push(format!("its first line names {asked}, which is not used"));
        }
        let gradle = |path: &&PathBuf| GRADLE.iter().any(|name| path.ends_with(name));
        if let Some(gradle) = self.tree.files.iter().find(gradle).filter(|_| language.classes) {
            mended.push(format!(
                "{} is not used: Gradle needs a network, and builds have none",
                gradle.display()
            ));
        }
        plans.extend(self.own_plans(language, path, &mended));
        for other in
            self.languages.list.iter().filter(|other| other.after.as_ref() == Some(&language.name))
        {
            if plans.iter().all(|plan| plan.language.name != other.name) {
                plans.extend(self.own_plans(other, path, &mended));
            }
        }
        plans
    }

    pub(super) fn own_plans(
        &self,
        language: &'l Language,
        path: &Path,
        mended: &[String],
    ) -> Vec<BuildPlan<'l>> {
        match &language.build {
            Some(build) => self.compiled_plans(language, build, path, mended),
            None => self.interpreted_plans(language, path, mended),
        }
    }

    fn interpreted_plans(
        &self,
        language: &'l Language,
        path: &Path,
        mended: &[String],
    ) -> Vec<BuildPlan<'l>> {
        let around = folder_of(path);
        let package = path.ends_with("__main__.py") && around != Path::new("");
        let main = if package { around } else { path };
        let folder = folder_of(self.manifest_above(language, Some(path)).map_or(main, |it| it));
        let mended = [in_folder(&folder.join("main")), mended.to_vec()].concat();
        let own = main.strip_prefix(folder).unwrap_or(main).to_owned();
        let mut plan = BuildPlan::new(language, folder, own, mended);
        plan.package = package && self.imports_itself(around);
        let mut plans = vec![plan.clone()];
        let has_others = folder != Path::new("")
            && self.tree.files.iter().any(|other| !other.starts_with(folder));
        if has_others && !plan.package {
            let mended = vec![format!(
                "{} is started from the folder above it, whose files it reads",
                main.display()
            )];
            let plan = BuildPlan::new(language, Path::new(""), main.to_owned(), mended);
            plans.push(BuildPlan { retry_sign: Some(MISSING_FILE), ..plan });
        }
        let modules = self.module_folders(language, path);
        if !modules.is_empty() {
            let named = shown(modules.iter().map(|folder| Path::new(".").join(folder)));
            plan.mended.push(format!("{named}: copied beside the program, which imports it"));
            plans.push(BuildPlan { modules, retry_sign: Some(MISSING_MODULE), ..plan });
        }
        plans
    }

    fn compiled_plans(
        &self,
        language: &'l Language,
        build: &str,
        path: &Path,
        mended: &[String],
    ) -> Vec<BuildPlan<'l>> {
        let mended = [in_folder(path), mended.to_vec()].concat();
        let is_other = |other: &&PathBuf| *other != path && language.has_source(other);
        let others: Vec<&PathBuf> = self.tree.files.iter().filter(is_other).collect();
        let belongs = |other: &&PathBuf| {
            !is_calibration(other)
                && !is_test(other)
                && !is_generated(other)
                && !self.has_main(language, other)
        };
        let parts: Vec<&PathBuf> = others.iter().copied().filter(belongs).collect();
        let beside = || parts.iter().copied().filter(|part| part.starts_with(folder_of(path)));
        let choices: Vec<Vec<&PathBuf>> = if language.classes {
            // The compiler finds sources by their packages, unless these lie in other folders.
            vec![Vec::new(), others]
        } else if build.contains("{sources}") {
            vec![beside().collect(), parts.clone(), Vec::new()]
        } else {
            vec![beside().collect()]
        };
        let mut seen = BTreeSet::new();
        let mut plans = Vec::new();
        for choice in choices {
            if !seen.insert(choice.clone()) {
                continue;
            }
            let mut mended = mended.clone();
            if !plans.is_empty() && choice.is_empty() && !language.classes {
                mended.push(format!("{} was compiled without the other sources", path.display()));
            }
            let mut plan = BuildPlan::new(language, Path::new(""), path.to_owned(), mended);
            plan.sources.extend(choice.into_iter().cloned());
            plans.push(plan);
        }
        plans
    }

    /// Returns whether a package's source imports from it by its name or relative to itself.
    fn imports_itself(&self, package: &Path) -> bool {
        let name = package.file_name().unwrap_or_default().to_string_lossy();
        let imports = [format!("from {name}"), format!("import {name}"), "from .".to_string()];
        let is_import =
            |line: &str| imports.iter().any(|import| line.trim_start().starts_with(import));
        let files = self.tree.files.iter();
        files
            .filter(|path| path.starts_with(package) && has_extension(path, &["py"]))
            .any(|path| self.tree.text(path).lines().any(is_import))
    }

    /// Returns the folders, other than the main source's, with modules that some source imports.
    fn module_folders(&self, language: &Language, main: &Path) -> BTreeSet<PathBuf> {
        if !language.is_python() {
            return BTreeSet::new();
        }
        let is_source = |path: &&PathBuf| has_extension(path, &language.extensions);
        let sources = || self.tree.files.iter().filter(is_source);
        let imported: BTreeSet<OsString> = sources()
            .flat_map(|path| mentioned(&self.tree.text(path), language.comments, false))
            .collect();
        // Either a module in its folder, or a package in the folder above.
        let module = |path: &Path| {
            let is_imported = path.file_stem().is_some_and(|stem| imported.contains(stem));
            let folder = path.parent().filter(|_| is_imported)?;
            let is_package = self.tree.root.join(folder).join("__init__.py").exists();
            (!is_package && Some(folder) != main.parent()).then(|| folder.to_owned())
        };
        let folders = |path: &PathBuf| [module(path), path.parent().and_then(module)];
        sources().flat_map(folders).flatten().collect()
    }
}
