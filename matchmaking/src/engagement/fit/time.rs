//! Times of games.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::temporal::Pieces;

/// Ticks in a second: times are kept in microseconds.
pub(super) const TICKS: f64 = 1e6;

/// A time beyond the year 9999 is a mistake: milliseconds, most likely.
const LATEST_SECOND: f64 = 253_402_300_800.0;

/// Ticks since 1970 of a time in ISO 8601 or in seconds; without a zone it is taken as UTC.
pub(super) fn parse(text: &str) -> Option<i64> {
    if let Ok(seconds) = text.parse::<f64>() {
        return from_seconds(seconds);
    }
    let (text, is_utc) = match text.strip_suffix(" UTC") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    // What a named zone means is for a library of zones to say.
    if text.contains('[') {
        return None;
    }
    // After the date, only a zone has one of these.
    let has_zone = text.get(10..).is_some_and(|time| time.contains(['Z', 'z', '+', '-']));
    let stamp = match (has_zone, is_utc) {
        (true, true) => return None,
        (true, false) => with_zone(text)?,
        (false, _) => of_utc(text.parse().ok()?),
    };
    (stamp < (LATEST_SECOND * TICKS) as i64).then_some(stamp)
}

/// Ticks of a date and time with a zone. The last hours of the year 9999 are more than a timestamp holds.
fn with_zone(text: &str) -> Option<i64> {
    if let Ok(stamp) = text.parse::<Timestamp>() {
        return Some(stamp.as_microsecond());
    }
    let pieces = Pieces::parse(text).ok()?;
    let (time, offset) = (pieces.time()?, pieces.to_numeric_offset()?);
    let ticks = of_utc(pieces.date().to_datetime(time));
    Some(ticks - i64::from(offset.seconds()) * TICKS as i64)
}

/// Ticks of a date and time in UTC.
fn of_utc(moment: DateTime) -> i64 {
    let start = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
    // All years that dates have fit.
    let gone = moment.duration_since(start).as_micros();
    i64::try_from(gone).unwrap_or(i64::MAX)
}

/// Ticks of seconds, where they are a time.
pub(super) fn from_seconds(seconds: f64) -> Option<i64> {
    (seconds.abs() < LATEST_SECOND).then(|| (seconds * TICKS).round() as i64)
}

/// A time in ISO 8601, or the seconds as they are where they are none.
pub(super) fn written(seconds: f64) -> String {
    let stamp = from_seconds(seconds).and_then(|ticks| Timestamp::from_microsecond(ticks).ok());
    stamp.map_or_else(|| seconds.to_string(), |stamp| stamp.to_string())
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn the_same_moment_in_many_forms() {
        let forms = [
            "1091816030",
            "1091816030.0",
            "2004-08-06 18:13:50",
            "2004-08-06T18:13:50",
            "2004-08-06T18:13:50Z",
            "2004-08-06 18:13:50 UTC",
            "2004-08-06T20:13:50+02:00",
            "2004-08-06 13:13:50-05",
            "2004-08-06T18:13:50.000Z",
        ];
        for form in forms {
            assert_eq!(parse(form), Some(1_091_816_030_000_000), "{form}");
        }
        assert_eq!(parse("2004-08-06"), Some(1_091_750_400_000_000));
        assert_eq!(parse("0.25"), Some(250_000));
        assert_eq!(parse("-1.5"), Some(-1_500_000));
        assert_eq!(parse("1969-12-31 23:59:58.5"), Some(-1_500_000));
    }

    /// It was said to be no time, and to be written as it was.
    #[test]
    fn the_year_9999_ends_with_its_last_second() {
        let last = Some(253_402_300_799_000_000);
        for form in [
            "9999-12-31T23:59:59Z",
            "9999-12-31 23:59:59",
            "9999-12-31 23:59:59 UTC",
            "9999-12-31T23:59:59+00:00",
            "9999-12-31T21:59:59-02:00",
            "253402300799",
        ] {
            assert_eq!(parse(form), last, "{form}");
        }
        for later in ["9999-12-31T23:59:59-01:00", "253402300800", "10000-01-01T00:00:00Z"] {
            assert_eq!(parse(later), None, "{later}");
        }
    }

    #[test]
    fn what_is_no_time() {
        for text in [
            "",
            "soon",
            "NaN",
            "inf",
            "1091816030000",
            "2004-13-06",
            "06.08.2004",
            "2004-08-06 25:00:00",
            "2004-08-06T18:13:50[Europe/Berlin]",
            "2004-08-06T18:13:50Z[Europe/Berlin]",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
