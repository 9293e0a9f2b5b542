//! Times as the database has them: milliseconds since 1970.

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Milliseconds since 1970.
pub(crate) type Millis = i64;

pub(crate) const MINUTE: Millis = 60_000;
pub(crate) const HOUR: Millis = 60 * MINUTE;
pub(crate) const DAY: Millis = 24 * HOUR;

pub(crate) fn now() -> Millis {
    Timestamp::now().as_millisecond()
}

/// Returns a time for people, in the time zone of the league, such as `2026-11-24 05:27`.
pub(crate) fn shown(time: Millis, zone: &TimeZone) -> String {
    let timestamp = Timestamp::from_millisecond(time).unwrap_or(Timestamp::UNIX_EPOCH);
    timestamp.to_zoned_datetime(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string()
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

pub(crate) fn start_of_day(time: Millis, zone: &TimeZone) -> Millis {
    let timestamp = Timestamp::from_millisecond(time).unwrap_or(Timestamp::UNIX_EPOCH);
    let day = timestamp.to_zoned_datetime(zone.clone()).start_of_day();
    day.map_or(time - DAY, |day| day.timestamp().as_millisecond())
}
