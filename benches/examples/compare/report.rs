//! What is printed.

use std::time::Duration;

use crate::measure::Measurement;

/// All results on one instance.
pub(crate) struct Row {
    pub(crate) family: &'static str,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    /// Name and result of each contender.
    pub(crate) cells: Vec<(String, Cell)>,
}

/// What became of one contender on one instance.
pub(crate) enum Cell {
    Done {
        min: f64,
        median: f64,
        build: Option<f64>,
        peak_kib: Option<u64>,
    },
    OverLimit(Duration),
    /// It ran into the limit on a smaller instance of the family.
    NotAsked,
    Failed,
}

impl Cell {
    /// Minimum and median of the seconds, build part of the fastest run, largest peak.
    pub(crate) fn of(runs: &[Measurement]) -> Self {
        let mut runs: Vec<&Measurement> = runs.iter().collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let Some(fastest) = runs.first() else {
            return Self::Failed;
        };
        let (lower, upper) = (runs[(runs.len() - 1) / 2].seconds, runs[runs.len() / 2].seconds);
        Self::Done {
            min: fastest.seconds,
            median: (lower + upper) / 2.0,
            build: fastest.build_seconds,
            peak_kib: runs.iter().filter_map(|run| run.peak_kib).max(),
        }
    }

    fn min(&self) -> Option<f64> {
        if let Self::Done { min, .. } = self {
            Some(*min)
        } else {
            None
        }
    }

    /// Minimum and median, and the ratio of the minimum to the best one.
    fn time_text(&self, best: f64) -> String {
        match self {
            Self::Done { min, median, .. } => {
                format!("{} / {} ({:.1})", seconds(*min), seconds(*median), min / best)
            }
            Self::OverLimit(limit) => format!("> {} s", limit.as_secs()),
            Self::NotAsked => "-".to_owned(),
            Self::Failed => "failed".to_owned(),
        }
    }

    fn memory_text(&self) -> String {
        match self {
            Self::Done {
                peak_kib: Some(kib), ..
            } => format!("{:.1}", *kib as f64 / 1024.0),
            _ => "-".to_owned(),
        }
    }
}

impl Row {
    fn best(&self) -> f64 {
        self.cells
            .iter()
            .filter_map(|(_, cell)| cell.min())
            .fold(f64::INFINITY, f64::min)
            .max(1e-6)
    }
}

/// Seconds with three significant digits, microseconds at the finest.
fn seconds(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        value if value >= 0.1 => format!("{value:.3}"),
        value if value >= 0.01 => format!("{value:.4}"),
        value if value >= 0.001 => format!("{value:.5}"),
        value => format!("{value:.6}"),
    }
}

/// One line per contender, as soon as an instance is done.
pub(crate) fn print_plain(row: &Row) {
    let best = row.best();
    println!(
        "{} n={} m={}: min / median CPU s (ratio to best)",
        row.family, row.vertices, row.edges
    );
    for (name, cell) in &row.cells {
        let build = match cell {
            Cell::Done { build: Some(build), .. } => format!(", build {}", seconds(*build)),
            _ => String::new(),
        };
        println!(
            "  {name:<16} {:<28} {:>8} MiB{build}",
            cell.time_text(best),
            cell.memory_text()
        );
    }
}

/// Two tables over all instances: times, and peak memory.
pub(crate) fn print_markdown(rows: &[Row]) {
    let Some(first) = rows.first() else {
        return;
    };
    let names: Vec<&str> = first.cells.iter().map(|(name, _)| name.as_str()).collect();
    let head = format!(
        "| family | n | m | {} |\n| --- | --- | --- |{}",
        names.join(" | "),
        " --- |".repeat(names.len())
    );
    println!("CPU seconds of build and solve, min / median (ratio of the minima to the best):\n\n{head}");
    for row in rows {
        let best = row.best();
        print_row(row, |cell| cell.time_text(best));
    }
    println!("\nPeak resident memory of the process, MiB, raw edges included:\n\n{head}");
    for row in rows {
        print_row(row, Cell::memory_text);
    }
}

fn print_row(row: &Row, text: impl Fn(&Cell) -> String) {
    let cells: Vec<String> = row.cells.iter().map(|(_, cell)| text(cell)).collect();
    println!(
        "| {} | {} | {} | {} |",
        row.family,
        row.vertices,
        row.edges,
        cells.join(" | ")
    );
}
