//! The table `[files]` of `league.toml`.

use crate::address;
use anyhow::{Context, Result, bail};
use serde::Deserialize;

/// A store of files in place of the folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct Settings {
    /// The bucket and what the names of files begin with: `s3://BUCKET/PREFIX`.
    pub url: String,
    /// The address of a server that speaks S3, in place of Amazon's.
    pub endpoint: Option<String>,
}

impl Settings {
    /// Refuses values that cannot be right; the error names the key.
    pub(crate) fn check(&self) -> Result<()> {
        self.place().context("files.url")?;
        self.endpoint.as_deref().map(address::read).transpose().context("files.endpoint")?;
        Ok(())
    }

    /// Returns the bucket and the prefix, which may be empty.
    pub(super) fn place(&self) -> Result<(&str, &str)> {
        let place = self.url.strip_prefix("s3://").unwrap_or_default();
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let prefix = prefix.trim_end_matches('/');
        let is_path = prefix.is_empty()
            || prefix.split('/').all(|part| !["", ".", ".."].contains(&part) && part.chars().all(is_plain));
        if bucket.is_empty() || !bucket.chars().all(is_plain) || !is_path {
            bail!("expected s3://BUCKET/PREFIX, found '{}'", self.url);
        }
        Ok((bucket, prefix))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_bucket_and_perhaps_a_prefix() {
        let place =
            |url: &str| Settings { url: url.to_string(), endpoint: None }.place().map(|(a, b)| format!("{a} {b}"));
        for (url, found) in [("s3://b", "b "), ("s3://b.c-1/", "b.c-1 "), ("s3://b/x/y/", "b x/y")] {
            assert_eq!(place(url).unwrap(), found);
        }
        for url in
            ["b", "s3:/b", "s3://", "s3:///x", "s3://b/../x", "s3://b//x", "s3://b/x y", "s3://u:w@b/x", "file:///x"]
        {
            let error = place(url).unwrap_err().to_string();
            assert!(error.contains("expected s3://BUCKET/PREFIX"), "{error}");
        }
    }
}
