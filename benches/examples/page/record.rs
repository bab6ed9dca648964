//! One figure of the page, and its line in the file.

use std::str::FromStr;
use std::time::Duration;

use benches::comparison::{Cell, Spread, Stop};
use benches::families::Family;

/// Names of the fields.
pub(crate) const HEAD: &str =
    "family\tsize\tn\tm\tsolver\tstatus\tcpu_min\tcpu_median\twall_min\twall_median\tpeak_kib\tscan\tdate";

/// One solver on one instance.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Record {
    pub(crate) family: Family,
    /// What was asked for; families round it to `vertices`.
    pub(crate) size: usize,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    pub(crate) solver: String,
    pub(crate) cell: Cell,
    pub(crate) date: String,
}

impl Record {
    /// The record as a line of the file.
    pub(crate) fn line(&self) -> String {
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        let seconds = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.9}")));
        let status = match self.cell {
            Cell::Done { .. } => "done".to_owned(),
            Cell::Stopped(Stop::OverLimit(limit)) => format!(">{}", limit.as_secs()),
            Cell::Stopped(Stop::OverMemory(gib)) => format!("memory>{gib}"),
            Cell::Stopped(Stop::TooLarge) => "too-large".to_owned(),
            Cell::Stopped(Stop::Wrong) => "wrong".to_owned(),
            Cell::Stopped(Stop::Failed | Stop::NotAsked) => "failed".to_owned(),
        };
        let (cpu, wall, peak_kib, scan) = match self.cell {
            Cell::Done {
                cpu,
                wall,
                peak_kib,
                scan,
                ..
            } => (Some(cpu), wall, peak_kib, scan),
            Cell::Stopped(_) => (None, None, None, None),
        };
        let fields = [
            self.family.name().to_owned(),
            self.size.to_string(),
            self.vertices.to_string(),
            self.edges.to_string(),
            self.solver.clone(),
            status,
            seconds(cpu.map(|cpu| cpu.min)),
            seconds(cpu.map(|cpu| cpu.median)),
            seconds(wall.map(|wall| wall.min)),
            seconds(wall.map(|wall| wall.median)),
            or_dash(peak_kib.map(|kib| kib.to_string())),
            seconds(scan),
            self.date.clone(),
        ];
        fields.join("\t") + "\n"
    }

    /// The record in the fields of a line.
    pub(crate) fn parse(fields: &[&str]) -> Option<Self> {
        let &[
            family,
            size,
            vertices,
            edges,
            solver,
            status,
            cpu_min,
            cpu_median,
            wall_min,
            wall_median,
            peak,
            scan,
            date,
        ] = fields
        else {
            return None;
        };
        let spread = |min: &str, median: &str| {
            Some(Spread {
                min: number(min)?,
                median: number(median)?,
            })
        };
        let cell = match status {
            "done" => Cell::Done {
                cpu: spread(cpu_min, cpu_median)?,
                wall: spread(wall_min, wall_median),
                build: None,
                peak_kib: number(peak),
                scan: number(scan),
            },
            "too-large" => Cell::Stopped(Stop::TooLarge),
            "wrong" => Cell::Stopped(Stop::Wrong),
            "failed" => Cell::Stopped(Stop::Failed),
            limit => match limit.split_once('>')? {
                ("memory", gib) => Cell::Stopped(Stop::OverMemory(number(gib)?)),
                (_, seconds) => Cell::Stopped(Stop::OverLimit(Duration::from_secs(number(seconds)?))),
            },
        };
        Some(Self {
            family: Family::by_name(family)?,
            size: number(size)?,
            vertices: number(vertices)?,
            edges: number(edges)?,
            solver: solver.to_owned(),
            cell,
            date: date.to_owned(),
        })
    }
}

fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn record(solver: &str, cell: Cell) -> Record {
        Record {
            family: Family::Pendants,
            size: 100,
            vertices: 102,
            edges: 2312,
            solver: solver.to_owned(),
            cell,
            date: "2026-01-31".to_owned(),
        }
    }

    pub(crate) fn done(seconds: f64) -> Cell {
        let spread = Spread {
            min: seconds,
            median: 2.0 * seconds,
        };
        Cell::Done {
            cpu: spread,
            wall: Some(spread),
            build: None,
            peak_kib: None,
            scan: Some(0.25),
        }
    }
}
