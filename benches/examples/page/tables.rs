//! Tables: times, scans, memory.

use benches::comparison::Cell;

use crate::numbers;
use crate::roster::{OURS, OURS_THREADS};
use crate::rows::Row;

/// What stands left of the solvers in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Label {
    Vertices,
    Family,
}

fn heading(solver: &str) -> String {
    match solver {
        OURS => format!("{OURS}, 1 thread"),
        OURS_THREADS => format!("{OURS}, all threads"),
        _ => solver.to_owned(),
    }
}

/// Head of a table, all columns but the first `left` aligned right.
fn head(columns: &[String], left: usize) -> String {
    let marks = (0..columns.len()).map(|at| if at < left { " --- |" } else { " ---: |" });
    format!("| {} |\n|{}\n", columns.join(" | "), marks.collect::<String>())
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn solver_head(label: Label, solvers: &[&str]) -> String {
    let mut columns = match label {
        Label::Vertices => vec!["n".to_owned()],
        Label::Family => vec!["family".to_owned(), "n".to_owned(), "m".to_owned()],
    };
    columns.extend(solvers.iter().map(|solver| heading(solver)));
    head(&columns, usize::from(label == Label::Family))
}

fn labels(label: Label, row: &Row<'_>, mark: &str) -> Vec<String> {
    let vertices = row.vertices.to_string();
    match label {
        Label::Vertices => vec![vertices + mark],
        Label::Family => vec![row.family.name().to_owned() + mark, vertices, row.edges.to_string()],
    }
}

/// Minimum / median and ratio to the best on one thread, which is bold; lost rows are marked.
pub(crate) fn times(label: Label, rows: &[&Row<'_>], solvers: &[&str]) -> String {
    let mut text = solver_head(label, solvers);
    for row in rows {
        let best = row.best();
        let cell = |solver: &&str| {
            let Some(cell) = row.cell(solver) else {
                return "-".to_owned();
            };
            let mut text = numbers::time_text(cell, *solver == OURS_THREADS);
            if let (Some(seconds), Some((name, best))) = (row.seconds(solver), best) {
                text = format!("{text} ({})", numbers::ratio(seconds / best));
                if name == *solver {
                    text = format!("**{text}**");
                }
            }
            text
        };
        let mut cells = labels(label, row, if row.is_lost() { " (lost)" } else { "" });
        cells.extend(solvers.iter().map(cell));
        text += &line(&cells);
    }
    text
}

/// This project's times as multiples of one scan of the matrix.
pub(crate) fn scans(rows: &[&Row<'_>]) -> String {
    let columns = [
        "n",
        "one scan",
        "GB/s",
        "1 thread",
        "in scans",
        "all threads, wall",
        "in scans",
    ];
    let mut text = head(&columns.map(str::to_owned), 0);
    for row in rows {
        let Some(scan) = row.scan() else {
            continue;
        };
        let bytes = 4.0 * (row.vertices as f64).powi(2);
        let mut cells = vec![
            row.vertices.to_string(),
            numbers::seconds(scan),
            format!("{:.0}", bytes / scan / 1e9),
        ];
        for solver in [OURS, OURS_THREADS] {
            let seconds = row.seconds(solver);
            let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
            cells.push(or_dash(seconds.map(numbers::seconds)));
            cells.push(or_dash(seconds.map(|seconds| numbers::ratio(seconds / scan))));
        }
        text += &line(&cells);
    }
    text
}

/// Peak memory in MiB.
pub(crate) fn memory(label: Label, rows: &[&Row<'_>], solvers: &[&str]) -> String {
    let mut text = solver_head(label, solvers);
    for row in rows {
        let mut cells = labels(label, row, "");
        cells.extend(solvers.iter().map(|solver| match row.cell(solver) {
            Some(Cell::Done {
                peak_kib: Some(kib), ..
            }) => format!("{:.1}", *kib as f64 / 1024.0),
            _ => "-".to_owned(),
        }));
        text += &line(&cells);
    }
    text
}
