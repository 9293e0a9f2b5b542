//! Which of a submission's files is the program: those of the names that a course asks for come first, then what says by
//! itself how to build, then any source.

use super::languages::{Language, Languages};
use super::text::{JavaSource, beginning, has, shebang, words};
use super::tree::{Tree, shown};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A way to make a program of a submission.
#[derive(Clone, Debug)]
pub(super) struct Plan<'l> {
    /// The language, or the kind of project file.
    pub language: &'l Language,
    /// The folder that becomes the program's, in the tree.
    pub folder: PathBuf,
    /// The main source or the project file, in that folder.
    pub main: PathBuf,
    /// The main source and those that belong to it.
    pub sources: Vec<PathBuf>,
    /// The folder in it that packages begin in.
    pub root: PathBuf,
    /// The name that a built program gets.
    pub program: &'static str,
    /// What was not as asked for.
    pub mended: Vec<String>,
}

/// The name of a built program.
pub(super) const PROGRAM: &str = "homework";

impl<'l> Plan<'l> {
    /// A way with one source, or none but the project file.
    pub(super) fn new(language: &'l Language, folder: &Path, main: PathBuf, mended: Vec<String>) -> Plan<'l> {
        let (folder, sources, root) = (folder.to_owned(), vec![main.clone()], PathBuf::new());
        Plan { language, folder, main, sources, root, program: PROGRAM, mended }
    }
}

/// The ways to try, the best one first; or why there is none.
pub(super) type Found<'l> = Result<Vec<Plan<'l>>, String>;

/// The names of main sources that are preferred, after those that a course asks for.
const USUAL: [&str; 10] =
    ["homework", "main", "agent", "player", "my_agent", "myagent", "game", "run", "solution", "submission"];

/// Looks for the program.
pub(super) fn find<'l>(tree: &Tree, languages: &'l Languages, game: &str) -> Found<'l> {
    let search = Search { tree, languages, game };
    let (first, why) = match search.named() {
        Ok(plans) if !plans.is_empty() => (plans, None),
        Ok(_) => (search.projects(), None),
        Err(why) => return Err(why),
    };
    if !first.is_empty() && first.iter().any(|plan| !plan.language.is_project()) {
        return Ok(first);
    }
    // A project may come to nothing.
    match search.sources() {
        Ok(plans) => Ok(first.into_iter().chain(plans).collect()),
        Err(_) if !first.is_empty() => Ok(first),
        Err(found) => Err(why.unwrap_or(found)),
    }
}

/// Whether a file is the one that measures the machine before any game.
pub(super) fn is_calibration(path: &Path) -> bool {
    path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("calibrate"))
}

struct Search<'l, 't> {
    tree: &'t Tree,
    languages: &'l Languages,
    game: &'t str,
}

impl<'l> Search<'l, '_> {
    /// Files of the names that a course asks for, in any case.
    fn named(&self) -> Found<'l> {
        for exact in [true, false] {
            let mut found: Vec<(&'l Language, &'l str, &PathBuf)> = Vec::new();
            for language in &self.languages.list {
                for name in &language.names {
                    let is_it = |path: &&PathBuf| {
                        let own = path.file_name().and_then(|own| own.to_str()).unwrap_or_default();
                        if exact { own == name } else { own.eq_ignore_ascii_case(name) }
                    };
                    found.extend(self.tree.files.iter().filter(is_it).map(|path| (language, name.as_str(), path)));
                }
            }
            let Some(depth) = found.iter().map(|(_, _, path)| depth(path)).min() else { continue };
            found.retain(|(_, _, path)| self::depth(path) == depth);
            let (language, name, path) = found[0];
            if found
                .iter()
                .any(|(_, _, other)| other.extension() != path.extension() || other.parent() != path.parent())
            {
                let all: Vec<PathBuf> = found.iter().map(|(_, _, path)| (*path).clone()).collect();
                return Err(format!("which of these is it? {}; leave one of them", shown(&all)));
            }
            let mut mended = Vec::new();
            if !exact {
                mended.push(format!("{} was taken for {name}", path.display()));
            }
            if found.len() > 1 {
                let others: Vec<PathBuf> = found[1..].iter().map(|(_, _, path)| (*path).clone()).collect();
                mended.push(format!("{} was taken, and not {}", path.display(), shown(&others)));
            }
            let own = self.plans(language, path, &mended);
            let around = language.build.as_ref().and_then(|_| self.project_of(language, path));
            return Ok(around.into_iter().chain(own).collect());
        }
        Ok(Vec::new())
    }

    /// The project file that is for a source, beside it or above it.
    fn project_of(&self, language: &Language, source: &Path) -> Option<Plan<'l>> {
        let is_above = |plan: &Plan| source.starts_with(&plan.folder) && plan.language.covers.contains(&language.name);
        self.all_projects().into_iter().find(is_above)
    }

    fn all_projects(&self) -> Vec<Plan<'l>> {
        let mut plans = Vec::new();
        for path in &self.tree.files {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            for language in &self.languages.list {
                if language.projects.iter().any(|known| known == name) {
                    let folder = path.parent().unwrap_or(Path::new(""));
                    plans.push(Plan::new(language, folder, PathBuf::from(name), in_folder(path)));
                }
            }
        }
        let place = |plan: &Plan| self.languages.list.iter().position(|language| language.name == plan.language.name);
        plans.sort_by_key(|plan| (plan.folder.components().count(), place(plan)));
        plans
    }

    /// Project files that no folder has above it.
    fn projects(&self) -> Vec<Plan<'l>> {
        let mut plans = self.all_projects();
        if let Some(highest) = plans.first().map(|plan| plan.folder.clone()) {
            plans.retain(|plan| plan.folder == highest);
        }
        plans
    }

    /// Any sources.
    fn sources(&self) -> Found<'l> {
        let mut mains: Vec<(&'l Language, PathBuf, usize)> = Vec::new();
        let mut why = None;
        for language in &self.languages.list {
            let files: Vec<&PathBuf> =
                self.tree.files.iter().filter(|path| has_extension(language, path) && !is_calibration(path)).collect();
            match self.main_of(language, &files) {
                _ if files.is_empty() => {}
                Ok(path) => mains.push((language, path.clone(), files.len())),
                Err(found) => why = why.or(Some(found)),
            }
        }
        let least = mains.iter().map(|(_, path, _)| depth(path)).min();
        mains.retain(|(_, path, _)| Some(depth(path)) == least);
        match &mains[..] {
            [] => Err(why.unwrap_or_else(|| self.nothing())),
            [(language, path, count)] => {
                let asked = language.names.first().map_or("the name that was asked for", String::as_str);
                let of = if *count > 1 { format!(", of {count} sources") } else { String::new() };
                Ok(self.plans(language, path, &[format!("{} was taken for {asked}{of}", path.display())]))
            }
            several => {
                let all: Vec<PathBuf> = several.iter().map(|(_, path, _)| path.clone()).collect();
                Err(format!("which of these is it? {}; leave one, or call it homework", shown(&all)))
            }
        }
    }

    /// The main source among some of a language.
    fn main_of<'p>(&self, language: &Language, files: &[&'p PathBuf]) -> Result<&'p PathBuf, String> {
        if let [only] = files {
            return Ok(only);
        }
        let all = || shown(&files.iter().map(|path| (*path).clone()).collect::<Vec<_>>());
        let has_main = |path: &&&PathBuf| self.has_main(language, path);
        let mut pool: Vec<&'p PathBuf> = files.iter().filter(has_main).copied().collect();
        if pool.is_empty() && language.build.is_some() {
            return Err(format!("none of these has a main function: {}", all()));
        }
        if pool.is_empty() {
            pool = files.to_vec();
        }
        if let [only] = pool[..] {
            return Ok(only);
        }
        let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default();
        for usual in USUAL.into_iter().chain([self.game]) {
            let named: Vec<&&PathBuf> = pool.iter().filter(|path| stem(path) == usual).collect();
            if let Some(first) = named.first()
                && named.iter().skip(1).all(|other| depth(other) > depth(first))
            {
                return Ok(first);
            }
        }
        let begins: Vec<&&PathBuf> =
            pool.iter().filter(|path| stem(path).starts_with("homework") || stem(path).starts_with("hw")).collect();
        if let [only] = begins[..] {
            return Ok(only);
        }
        // One that no other speaks of is nobody's part.
        let texts: Vec<(&PathBuf, String)> =
            files.iter().map(|path| (*path, beginning(&self.tree.root.join(path)))).collect();
        let is_part = |path: &Path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            texts.iter().any(|(other, text)| {
                *other != path && words(text, language.comments).iter().any(|word| word.trim_matches('"') == stem)
            })
        };
        let alone: Vec<&&PathBuf> = pool.iter().filter(|path| !is_part(path)).collect();
        match alone[..] {
            [only] => Ok(only),
            _ => Err(format!("which of these is the main program? {}; call it homework", all())),
        }
    }

    fn has_main(&self, language: &Language, path: &Path) -> bool {
        let text = beginning(&self.tree.root.join(path));
        has(&words(&text, language.comments), &language.main)
    }

    /// The ways to make a program of a main source.
    fn plans(&self, language: &'l Language, path: &Path, mended: &[String]) -> Vec<Plan<'l>> {
        let text = beginning(&self.tree.root.join(path));
        let mut plans = Vec::new();
        let asks_for = |other: &&Language| {
            other.shebang.as_ref().is_some_and(|word| shebang(&text).is_some_and(|own| own.starts_with(word)))
        };
        let mut mended = mended.to_vec();
        if let Some(other) = self.languages.list.iter().find(asks_for) {
            let asked = shebang(&text).map(arena::plain::shown).unwrap_or_default();
            plans.extend(self.own_plans(other, path, &mended));
            mended.push(format!("its first line asks for {asked}, which it was not run by"));
        }
        plans.extend(self.own_plans(language, path, &mended));
        plans
    }

    fn own_plans(&self, language: &'l Language, path: &Path, mended: &[String]) -> Vec<Plan<'l>> {
        let around = path.parent().unwrap_or(Path::new(""));
        let mended = [in_folder(path), mended.to_vec()].concat();
        let Some(build) = &language.build else {
            let main = path.strip_prefix(around).unwrap_or(path).to_owned();
            return vec![Plan::new(language, around, main, mended)];
        };
        // Compiled programs may have parts beside the folder that their main source lies in.
        let others: Vec<&PathBuf> = self.tree.files.iter().filter(|other| *other != path).collect();
        let belongs =
            |other: &&&PathBuf| language.has_source(other) && !is_calibration(other) && !self.has_main(language, other);
        let parts: Vec<&PathBuf> = others.iter().filter(belongs).copied().collect();
        let beside = parts.iter().filter(|part| part.starts_with(around)).copied();
        let mut choices: Vec<Vec<&PathBuf>> = vec![beside.collect(), parts.clone(), Vec::new()];
        if language.classes {
            // The compiler finds the others by their packages, unless they lie elsewhere.
            choices = vec![Vec::new(), others.iter().filter(|other| language.has_source(other)).copied().collect()];
        } else if !build.contains("{sources}") {
            choices.truncate(1);
        }
        let mut seen = BTreeSet::new();
        let mut plans = Vec::new();
        for choice in choices {
            if !seen.insert(choice.clone()) {
                continue;
            }
            let mut mended = mended.clone();
            if !plans.is_empty() && choice.is_empty() && !language.classes {
                mended.push(format!("{} was compiled alone", path.display()));
            }
            let mut plan = Plan::new(language, Path::new(""), path.to_owned(), mended);
            plan.sources.extend(choice.into_iter().cloned());
            plans.push(plan);
        }
        plans
    }

    /// What to say where there is no source.
    fn nothing(&self) -> String {
        const ARCHIVES: [&str; 7] = ["rar", "7z", "gz", "tgz", "tar", "zip", "xz"];
        let extension = |path: &&PathBuf| path.extension().map(|own| own.to_string_lossy().to_lowercase());
        let archive = self.tree.files.iter().find(|path| extension(path).is_some_and(|own| ARCHIVES.contains(&&*own)));
        let notebook = self.tree.files.iter().find(|path| extension(path).is_some_and(|own| own == "ipynb"));
        match (archive, notebook, &self.tree.compiled[..]) {
            (Some(archive), _, _) => {
                format!("{}: unpack it by hand into a folder, and take that in", archive.display())
            }
            (_, Some(notebook), _) => format!("{} is a notebook: save it as a program", notebook.display()),
            (_, _, compiled @ [_, ..]) => {
                format!("nothing but compiled files: {}; ask for the source", shown(compiled))
            }
            _ if self.tree.files.is_empty() => "nothing was handed in".to_string(),
            _ => format!("no program among its files: {}", self.tree.shown()),
        }
    }
}

fn has_extension(language: &Language, path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    language.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

fn depth(path: &Path) -> usize {
    path.components().count()
}

/// What there is to say of a program that lies in a folder.
fn in_folder(path: &Path) -> Vec<String> {
    match path.parent().filter(|folder| *folder != Path::new("")) {
        Some(folder) => vec![format!("the program lies in the folder {}", folder.display())],
        None => Vec::new(),
    }
}

/// The folder that the packages of a Java source begin in.
pub(super) fn root_of_packages(main: &Path, source: &JavaSource) -> PathBuf {
    let folder = main.parent().unwrap_or(Path::new(""));
    let package: PathBuf = source.package.split('.').filter(|part| !part.is_empty()).collect();
    match folder.ends_with(&package) {
        true => folder.iter().take(folder.iter().count() - package.iter().count()).collect(),
        false => folder.to_owned(),
    }
}
