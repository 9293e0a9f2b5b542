//! Decides whether a download replaces what was taken in for a student before. A version that was
//! mended by hand, and a newer upload, are never replaced without a word.

use crate::download::course_systems::Student;
use crate::submission::hex;
use crate::submission::{PROGRAM, Submission};
use anyhow::Result;
use sha2::{Digest, Sha256};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) struct Upload<'a> {
    /// The digest of the files and their names.
    pub digest: &'a str,
    /// The numbers of the uploads or the time of the attempt, if the download names them.
    pub number: &'a str,
    /// The digest of the path of a directory, in which people mend files; empty for a zip.
    pub directory: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Upload,
    Kept,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// `by_hand`: its files were mended by hand since they were uploaded.
    Take {
        by_hand: bool,
    },
    Keep {
        why: String,
        asks: bool,
    },
}

/// `was_edited`: somebody has changed the student's folder since the intake wrote it.
pub(crate) fn decide(
    earlier: &Submission,
    new: &Upload,
    was_edited: bool,
    choice: Option<Choice>,
) -> Decision {
    let is_same = new.digest == earlier.upload_digest;
    if earlier.upload_digest.is_empty() || choice == Some(Choice::Upload) {
        return Decision::Take { by_hand: is_same && earlier.by_hand };
    }
    let keep = |why: String| Decision::Keep { why, asks: false };
    if choice == Some(Choice::Kept) {
        return keep("the version that was taken in before stays, as you chose".to_string());
    }
    let (name, before) = (&earlier.student, &earlier.upload);
    let take_it = format!("--take-upload '{name}' takes it");
    let order = order(new.number, before);
    if order == Some(Ordering::Less) {
        return keep(format!(
            "this download has an older upload ({}): the newer one ({before}) stays; {take_it}",
            new.number
        ));
    }
    if is_same || earlier.earlier_uploads.iter().any(|known| known == new.digest) {
        return match () {
            () if was_edited => {
                keep(format!("its folder, which you have edited, stays; {take_it} anew"))
            }
            () if is_same => Decision::Take { by_hand: earlier.by_hand },
            () if earlier.by_hand => keep(format!(
                "the version that you have mended stays: the upload is still the same; {take_it}"
            )),
            () => keep(format!(
                "the upload in this download was replaced by a later one, which stays; {take_it}"
            )),
        };
    }
    // The files of a number never change. Without numbers, they are mended where files can be
    // edited.
    let is_mend = match order {
        Some(order) => order == Ordering::Equal,
        None => {
            !new.directory.is_empty() && (!earlier.by_hand || new.directory == earlier.directory)
        }
    };
    if order == Some(Ordering::Equal) && new.directory.is_empty() && !earlier.directory.is_empty() {
        return keep(format!(
            "the files of this upload that you have mended in a directory stay; {take_it}"
        ));
    }
    if was_edited || earlier.by_hand && !is_mend {
        let why = format!(
            "the student has handed in other files, and you have mended the earlier ones, which stay for now: {take_it} and \
             puts yours aside, --keep-mended '{name}' keeps yours"
        );
        return Decision::Keep { why, asks: true };
    }
    Decision::Take { by_hand: is_mend }
}

/// Compares numbers of uploads, or times of attempts. A new upload has new numbers alone.
fn order(one: &str, other: &str) -> Option<Ordering> {
    let numbers = |text: &str| {
        text.split(' ').map(|word| word.parse().ok()).collect::<Option<BTreeSet<u64>>>()
    };
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) if !one.is_disjoint(&other) => Some(Ordering::Equal),
        (Some(one), Some(other)) => Some(one.last().cmp(&other.last())),
        _ if one.is_empty() || other.is_empty() => None,
        _ => Some(one.cmp(other)),
    }
}

/// Returns what is kept of an earlier intake, with the marks of an upload that is no older. `asks`:
/// the teacher has yet to choose.
pub(crate) fn keep(
    earlier: &Submission,
    student: &Student,
    upload: &Upload,
    place: &Path,
    (was_edited, asks): (bool, bool),
) -> Result<Submission> {
    let mut kept = earlier.clone();
    if asks || order(upload.number, &earlier.upload) == Some(Ordering::Less) {
        return Ok(kept);
    }
    if upload.digest != kept.upload_digest
        && !kept.earlier_uploads.iter().any(|known| known == upload.digest)
    {
        kept.earlier_uploads.push(upload.digest.to_string());
        kept.by_hand = true;
    }
    kept.members.clone_from(&student.members);
    kept.feedback.clone_from(&student.feedback);
    (kept.student, kept.late) = (student.name.clone(), student.late);
    for (mark, new) in [(&mut kept.upload, &student.upload), (&mut kept.id, &student.id)] {
        if !new.is_empty() {
            mark.clone_from(new);
        }
    }
    if kept != *earlier {
        if !was_edited {
            kept.written = digest_of_folder(&kept, place)?;
        }
        kept.write(place)?;
    }
    Ok(kept)
}

/// The folder with versions that were mended by hand and then replaced.
const ASIDE: &str = ".mended";

pub(crate) fn put_aside(out: &Path, folder: &str) -> Result<PathBuf> {
    let aside = out.join(ASIDE);
    fs::create_dir_all(&aside)?;
    let names =
        std::iter::once(folder.to_string()).chain((2..).map(|number| format!("{folder}~{number}")));
    let place =
        names.map(|name| aside.join(name)).find(|place| !place.exists()).unwrap_or_default();
    fs::rename(out.join(folder), &place)?;
    Ok(place)
}

pub(crate) fn is_edited(earlier: &Submission, place: &Path) -> Result<bool> {
    Ok(!earlier.written.is_empty() && earlier.written != digest_of_folder(earlier, place)?)
}

pub(crate) fn was_mended(earlier: &Submission, place: &Path) -> Result<bool> {
    Ok(earlier.by_hand || is_edited(earlier, place)?)
}

/// Returns the digest of a student's folder, by which an edit is noticed later.
pub(crate) fn digest_of_folder(submission: &Submission, folder: &Path) -> Result<String> {
    let mut digest = Sha256::new();
    digest.update(toml::to_string(&Submission { written: String::new(), ..submission.clone() })?);
    let mut waiting = vec![folder.join(PROGRAM)];
    while let Some(path) = waiting.pop() {
        digest.update(path.strip_prefix(folder)?.as_os_str().as_encoded_bytes());
        if fs::symlink_metadata(&path)?.is_dir() {
            let mut inside: Vec<PathBuf> =
                fs::read_dir(&path)?.flatten().map(|entry| entry.path()).collect();
            inside.sort();
            waiting.extend(inside);
        } else {
            digest.update(fs::read(&path).unwrap_or_default());
        }
        digest.update([0]);
    }
    Ok(hex(&digest.finalize()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::submission::State;

    fn earlier(number: &str, digest: &str, before: &[&str], by_hand: bool) -> Submission {
        Submission {
            student: "ann".to_string(),
            upload: number.to_string(),
            upload_digest: digest.to_string(),
            earlier_uploads: before.iter().map(|digest| digest.to_string()).collect(),
            by_hand,
            directory: "here".to_string(),
            state: State::Ready,
            ..Submission::default()
        }
    }

    #[test]
    fn newer_uploads_replace_others_and_neither_older_ones_nor_those_that_were_mended_do() {
        let decided = |earlier: &Submission, new: (&str, &str, &str), was_edited| {
            let (digest, number, directory) = new;
            match decide(earlier, &Upload { digest, number, directory }, was_edited, None) {
                Decision::Take { by_hand: true } => "mended".to_string(),
                Decision::Take { .. } => "taken".to_string(),
                Decision::Keep { asks: true, .. } => "asked".to_string(),
                Decision::Keep { why, .. } => why,
            }
        };
        let plain = earlier("9", "a", &[], false);
        let mended = earlier("9", "b", &["a"], true);
        // Without numbers, only what is mended in a directory can be told from an upload.
        let plain_unnumbered = earlier("", "a", &[], false);
        let mended_unnumbered = earlier("", "b", &["a"], true);
        let of_zip = Submission { directory: String::new(), ..plain.clone() };
        for (earlier, new, expected) in [
            (&plain, ("b", "10", ""), "taken"),
            (&plain, ("b", "9", "here"), "mended"),
            (&plain, ("b", "9", ""), "the files of this upload that you have mended"),
            (&of_zip, ("b", "9", ""), "mended"),
            (&plain, ("a", "9", ""), "taken"),
            (&plain, ("b", "8", ""), "this download has an older upload (8): the newer one (9)"),
            (&mended, ("a", "9", ""), "the version that you have mended stays"),
            (&mended, ("c", "9", "there"), "mended"),
            (&mended, ("c", "10", ""), "asked"),
            (&plain_unnumbered, ("b", "", ""), "taken"),
            (&plain_unnumbered, ("b", "", "here"), "mended"),
            (&mended_unnumbered, ("a", "", ""), "the version that you have mended stays"),
            (&mended_unnumbered, ("c", "", "here"), "mended"),
            (&mended_unnumbered, ("c", "", "there"), "asked"),
            (&mended_unnumbered, ("c", "", ""), "asked"),
            (
                &earlier("", "b", &["a"], false),
                ("a", "", ""),
                "the upload in this download was replaced by a later one",
            ),
        ] {
            let found = decided(earlier, new, false);
            assert!(found.starts_with(expected), "{new:?}: expected {expected}, found {found}");
        }
        let edited = decided(&plain, ("a", "9", ""), true);
        assert!(edited.starts_with("its folder, which you have edited, stays"), "{edited}");
        assert_eq!(decided(&plain, ("b", "10", ""), true), "asked");
        let new = Upload { digest: "c", number: "10", directory: "" };
        let chosen = decide(&mended, &new, false, Some(Choice::Upload));
        assert_eq!(chosen, Decision::Take { by_hand: false });
        for (one, other, expected) in [
            ("2026-10-01 1104", "2026-10-02 0904", Ordering::Less),
            ("999 1001", "1000", Ordering::Greater),
            ("1000", "1000 1001", Ordering::Equal),
        ] {
            assert_eq!(order(one, other), Some(expected));
        }
    }
}
