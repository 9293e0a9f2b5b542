//! `judge grade-all --feedback`: the reports by the names of the download, as a zip.

use super::class_options::ClassOptions;
use super::students::Student;
use crate::zip_file::write_zip;
use anyhow::{Context, Result};
use intake::submission::INDEX;
use std::fs;

impl ClassOptions {
    pub(super) fn write_feedback(&self, students: &[Student]) -> Result<()> {
        let (Some(path), Some(reports)) = (&self.feedback, &self.reports) else { return Ok(()) };
        let mut texts = Vec::new();
        for Student { name, feedback, .. } in students {
            if feedback.is_empty() {
                eprintln!("{name}: not in {}, since no file was handed in", path.display());
            }
            let file = self.report_path(reports, name);
            let report = fs::read_to_string(&file)
                .with_context(|| format!("{}: expected an earlier report", file.display()))?;
            for place in feedback {
                let is_beginning = place.ends_with(['/', '_']);
                let own = if is_beginning { "report." } else { "" };
                let suffix = if is_beginning { self.report.suffix() } else { "" };
                texts.push((format!("{place}{own}{suffix}"), report.clone().into_bytes(), false));
            }
        }
        // Brightspace's index comes back as it was.
        let index = fs::read_to_string(self.directory.join(INDEX)).ok();
        texts.extend(index.map(|index| ("index.html".to_string(), index.into_bytes(), false)));
        write_zip(path, &texts, None)
    }
}
