//! Times as the database has them: milliseconds since 1970.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};

/// Milliseconds since 1970.
pub(crate) type Millis = i64;

pub(crate) const MINUTE: Millis = 60_000;
pub(crate) const HOUR: Millis = 60 * MINUTE;
pub(crate) const DAY: Millis = 24 * HOUR;

pub(crate) fn now() -> Millis {
    Timestamp::now().as_millisecond()
}

pub(crate) fn zoned(time: Millis, zone: &TimeZone) -> ZonedDateTime {
    Timestamp::from_millisecond(time).unwrap_or_default().to_zoned_datetime(zone.clone())
}

/// Returns how long ago a time was, such as `5 min ago`.
pub(crate) fn ago(time: Millis, now: Millis) -> String {
    match (now - time).max(0) {
        past if past < MINUTE => "just now".to_string(),
        past if past < HOUR => format!("{} min ago", past / MINUTE),
        past if past < 2 * DAY => format!("{} h ago", past / HOUR),
        past => format!("{} days ago", past / DAY),
    }
}
