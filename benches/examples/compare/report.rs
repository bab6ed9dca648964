//! What is printed.

use benches::comparison::{Cell, Stop};

/// All results on one instance.
pub(crate) struct Row {
    pub(crate) family: &'static str,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    /// Name and result of each contender.
    pub(crate) cells: Vec<(String, Cell)>,
}

fn min(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Done { cpu, .. } => Some(cpu.min),
        Cell::Stopped(_) => None,
    }
}

/// Minimum and median, and the ratio of the minimum to the best one.
fn time_text(cell: &Cell, best: f64) -> String {
    match cell {
        Cell::Done { cpu, .. } => {
            let ratio = cpu.min / best;
            format!("{} / {} ({ratio:.1})", seconds(cpu.min), seconds(cpu.median))
        }
        Cell::Stopped(Stop::OverLimit(limit)) => format!("> {} s", limit.as_secs()),
        Cell::Stopped(Stop::OverMemory(gib)) => format!("> {gib} GiB"),
        Cell::Stopped(Stop::NotAsked) => "-".to_owned(),
        Cell::Stopped(Stop::TooLarge) => "too large".to_owned(),
        Cell::Stopped(Stop::Wrong) => "wrong".to_owned(),
        Cell::Stopped(Stop::Failed) => "failed".to_owned(),
    }
}

fn memory_text(cell: &Cell) -> String {
    match cell {
        Cell::Done {
            peak_kib: Some(kib), ..
        } => format!("{:.1}", *kib as f64 / 1024.0),
        _ => "-".to_owned(),
    }
}

impl Row {
    fn best(&self) -> f64 {
        self.cells
            .iter()
            .filter_map(|(_, cell)| min(cell))
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
            time_text(cell, best),
            memory_text(cell)
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
        print_row(row, |cell| time_text(cell, best));
    }
    println!("\nPeak resident memory of the process, MiB, raw edges included:\n\n{head}");
    for row in rows {
        print_row(row, memory_text);
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
