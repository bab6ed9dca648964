//! Figures as text.

use benches::comparison::{Cell, Spread, Stop};

/// Seconds with a unit, three significant digits.
pub(crate) fn seconds(value: f64) -> String {
    let (factor, unit) = unit(value);
    format!("{} {unit}", three_digits(value * factor))
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
        _ => (1e6, "µs"),
    }
}

fn three_digits(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}

/// A ratio: one decimal below a hundred.
pub(crate) fn ratio(value: f64) -> String {
    if value < 100.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.0}")
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
        let values = Spread {
            min: 0.99e-3,
            median: 1.5e-3,
        };
        assert_eq!(spread(values), "990 / 1500 µs");
    }
}
