//! Files in S3, or a server that speaks like it. Keys and region come from the environment, as `AWS_ACCESS_KEY_ID` and so on.

use super::Settings;
use super::http::Connector;
use crate::address::check_safe;
use anyhow::{Context, Result};
use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::prefix::PrefixStore;
use object_store::{ClientConfigKey, ObjectStore, RetryConfig};
use std::sync::Arc;
use std::time::Duration;

/// How long a request is tried again after the store has failed: shorter than a browser waits for an upload.
const RETRY_TIME: Duration = Duration::from_secs(30);
/// How often it is tried again.
const RETRIES: usize = 4;

/// Opens the store. Nothing is asked of it yet.
pub(super) fn open(settings: &Settings) -> Result<Arc<dyn ObjectStore>> {
    let (bucket, prefix) = settings.place()?;
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRY_TIME, ..RetryConfig::default() };
    let mut builder =
        AmazonS3Builder::from_env().with_bucket_name(bucket).with_retry(retry).with_http_connector(Connector);
    if let Some(endpoint) = &settings.endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
    }
    // The environment may have one as well.
    if let Some(endpoint) = builder.get_config_value(&AmazonS3ConfigKey::Endpoint) {
        let allowed = builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
        if allowed.as_deref() != Some("true") {
            check_safe(&endpoint).context("endpoint (AWS_ALLOW_HTTP=true allows it in a network of your own)")?;
            builder = builder.with_allow_http(true);
        }
    }
    let store = builder.build()?;
    Ok(if prefix.is_empty() { Arc::new(store) } else { Arc::new(PrefixStore::new(store, prefix)) })
}
