//! The settings of the folders with cases: `test_group.yaml`, or `testdata.yaml` in older formats.

use super::yaml::Yaml;
use crate::cases::files;
use crate::checker::with_constants;
use anyhow::{Context, Result, bail};
use arena::toml_text;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const NEW: &str = "test_group.yaml";
const OLD: &str = "testdata.yaml";
const NEW_KEYS: &str = "max_score score_aggregation static_validation_score \
    static_validator_args require_pass args input_validator_args output_validator_args \
    input_visualizer_args output_visualizer_args full_feedback";
const OLD_KEYS: &str = "on_reject grading grader_flags input_validator_flags \
    output_validator_flags output_validator_args accept_score reject_score range scoring";
const CASE_KEYS: &str = "args input_validator_args output_validator_args input_visualizer_args \
    output_visualizer_args full_feedback hint description";

/// The settings of a package's folders.
pub(super) struct Settings<'p> {
    /// The folder `data`.
    pub data: PathBuf,
    constants: &'p [(String, String)],
    /// By their folders.
    groups: BTreeMap<PathBuf, GroupSettings>,
    /// Arguments of the validator for all cases, of the legacy format.
    pub validator_flags: Vec<String>,
}

/// The settings that stand in one file.
pub(super) struct GroupSettings {
    pub yaml: Yaml,
    /// Whether it is a `test_group.yaml`.
    pub is_new: bool,
}

impl Settings<'_> {
    pub(super) fn read<'p>(
        folder: &Path,
        yaml: &Yaml,
        constants: &'p [(String, String)],
    ) -> Result<Settings<'p>> {
        let data = folder.join("data");
        let mut groups = BTreeMap::new();
        let paths = if data.is_dir() { files(&data)? } else { Vec::new() };
        let flags = yaml.get("validator_flags").map_or(Ok(Vec::new()), Yaml::words)?;
        let mut settings =
            Settings { data, constants, groups: BTreeMap::new(), validator_flags: flags };
        for path in paths {
            let is_new = path == NEW || path.ends_with(&format!("/{NEW}"));
            if !is_new && path != OLD && !path.ends_with(&format!("/{OLD}")) {
                continue;
            }
            let path = settings.data.join(path);
            let yaml = settings.read_file(&path, if is_new { NEW_KEYS } else { OLD_KEYS })?;
            let place = path.parent().unwrap_or(&settings.data).to_owned();
            if groups.insert(place, GroupSettings { yaml, is_new }).is_some() {
                bail!("{}: {NEW} stands beside {OLD}", path.display());
            }
        }
        settings.groups = groups;
        Ok(settings)
    }

    fn read_file(&self, path: &Path, keys: &str) -> Result<Yaml> {
        let name = path.display().to_string();
        let text = with_constants(self.constants, toml_text::read(path)?.into_bytes());
        let yaml = Yaml::parse(&name, &String::from_utf8_lossy(&text))?;
        yaml.map_of(keys)?;
        for (key, words) in [
            ("static_validation_score", "a validator of sources is not supported"),
            ("static_validator_args", "a validator of sources is not supported"),
            ("require_pass", "require_pass is not supported"),
        ] {
            if let Some(value) = yaml.get(key) {
                return Err(value.error(words));
            }
        }
        Ok(yaml)
    }

    /// The settings of one case.
    pub(super) fn of_case(&self, path: &Path) -> Result<Option<Yaml>> {
        fs::exists(path)
            .with_context(|| path.display().to_string())?
            .then(|| self.read_file(path, CASE_KEYS))
            .transpose()
    }

    /// What stands in the file of this folder.
    pub(super) fn own(&self, folder: &Path) -> Option<&GroupSettings> {
        self.groups.get(folder)
    }

    /// Whether a folder has the settings of an older format.
    pub(super) fn has_older(&self) -> bool {
        self.groups.values().any(|group| !group.is_new)
    }

    /// Settings of a folder within this one.
    pub(super) fn below(&self, folder: &Path) -> Option<&Yaml> {
        let mut below = self.groups.iter().filter(|(place, _)| place.starts_with(folder));
        below.find(|(place, _)| *place != folder).map(|(_, group)| &group.yaml)
    }

    /// The value of a key in the file of this folder, or of the nearest folder above that has it,
    /// and that folder.
    pub(super) fn get<'f>(&self, folder: &'f Path, key: &str) -> Option<(&Yaml, &'f Path)> {
        let above = folder.ancestors().take_while(|folder| folder.starts_with(&self.data));
        above.into_iter().find_map(|place| Some((self.own(place)?.yaml.get(key)?, place)))
    }

    /// Words of the first of these keys that a case or its folder has.
    pub(super) fn words(
        &self,
        folder: &Path,
        case: Option<&Yaml>,
        keys: &[&str],
    ) -> Result<Vec<String>> {
        let own = case.and_then(|case| keys.iter().find_map(|key| case.get(key)));
        let of_folder =
            || keys.iter().find_map(|key| self.get(folder, key)).map(|(value, _)| value);
        let Some(value) = own.or_else(of_folder) else { return Ok(Vec::new()) };
        // Older formats may name the validator.
        value.get("flags").unwrap_or(value).words()
    }

    /// Refuses points in a problem that has none.
    pub(super) fn refuse_points(&self) -> Result<()> {
        let keys = ["max_score", "score_aggregation", "accept_score", "reject_score", "range"];
        for settings in self.groups.values() {
            if let Some(value) = keys.iter().find_map(|key| settings.yaml.get(key)) {
                return Err(value.error("points are for problems of the type scoring"));
            }
        }
        Ok(())
    }
}
