//! Figures as text.

use benches::comparison::{Cell, Spread, Stop};

/// Seconds with a unit, three significant digits.
pub(crate) fn seconds(value: f64) -> String {
    let (factor, unit) = unit(value);
    format!("{} {unit}", three_digits(value * factor))
}

/// A power of ten of seconds, as at an axis.
pub(crate) fn power(value: f64) -> String {
    // What should be a thousand microseconds may be a little less.
    let (factor, unit) = unit(value * (1.0 + 1e-9));
    format!("{:.0} {unit}", value * factor)
}

/// Minimum and median in one unit.
pub(crate) fn spread(spread: Spread) -> String {
    let (factor, unit) = unit(spread.min);
    let [min, median] = [spread.min, spread.median].map(|value| three_digits(value * factor));
    format!("{min} / {median} {unit}")
}

fn unit(value: f64) -> (f64, &'static str) {
    match value {
        value if value >= 1.0 => (1.0, "s"),
        value if value >= 1e-3 => (1e3, "ms"),
        value if value >= 1e-6 => (1e6, "µs"),
        _ => (1e9, "ns"),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// A ratio: one decimal from one to a hundred.
pub(crate) fn ratio(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 0.995 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// Minimum and median, or why there are none; with threads of the wall, and then the CPU time.
pub(crate) fn time_text(cell: &Cell, has_threads: bool) -> String {
    match cell {
        Cell::Done {
            cpu, wall: Some(wall), ..
        } if has_threads => format!("{} (CPU {})", spread(*wall), spread(*cpu)),
        Cell::Done { cpu, .. } => spread(*cpu),
        Cell::Stopped(Stop::OverLimit(limit)) => format!("> {} s", limit.as_secs()),
        Cell::Stopped(Stop::OverMemory(gib)) => format!("> {gib} GiB"),
        Cell::Stopped(Stop::NotAsked) => "-".to_owned(),
        Cell::Stopped(Stop::TooLarge) => "too large".to_owned(),
        Cell::Stopped(Stop::Failed) => "failed".to_owned(),
        Cell::Stopped(Stop::Wrong) => "wrong".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        for (value, text) in [
            (0.000_012_34, "12.3 µs"),
            (0.0123, "12.3 ms"),
            (0.5, "500 ms"),
            (123.4, "123 s"),
        ] {
            assert_eq!(seconds(value), text);
        }
        assert_eq!([0.999_999_999_9e-3, 0.1, 10.0].map(power), ["1 ms", "100 ms", "10 s"]);
        assert_eq!([0.5, 0.999, 12.34, 1234.5].map(ratio), ["0.50", "1.0", "12.3", "1234"]);
        let values = Spread {
            min: 0.99e-3,
            median: 1.5e-3,
        };
        assert_eq!(spread(values), "990 / 1500 µs");
    }
}
