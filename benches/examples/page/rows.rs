//! Results by instance, and who was how fast on each.

use benches::comparison::Cell;
use benches::families::Family;

use crate::record::Record;
use crate::results::Results;
use crate::roster::{OURS, OURS_THREADS};

/// All that is known of one instance.
pub(crate) struct Row<'a> {
    pub(crate) family: Family,
    pub(crate) size: usize,
    pub(crate) vertices: usize,
    pub(crate) edges: usize,
    records: Vec<&'a Record>,
}

/// The instances, by family and size.
pub(crate) fn all(results: &Results) -> Vec<Row<'_>> {
    let is_same = |a: &Record, b: &Record| (a.family, a.size) == (b.family, b.size);
    let rows = results.records.chunk_by(is_same);
    rows.map(|records| Row {
        family: records[0].family,
        size: records[0].size,
        vertices: records[0].vertices,
        edges: records[0].edges,
        records: records.iter().collect(),
    })
    .collect()
}

impl Row<'_> {
    /// What became of a solver here, if it was asked.
    pub(crate) fn cell(&self, solver: &str) -> Option<&Cell> {
        let record = self.records.iter().find(|record| record.solver == solver)?;
        Some(&record.cell)
    }

    /// Least CPU seconds of a solver; of this project's on all threads, least seconds on the wall.
    pub(crate) fn seconds(&self, solver: &str) -> Option<f64> {
        match self.cell(solver)? {
            Cell::Done { wall, .. } if solver == OURS_THREADS => wall.map(|wall| wall.min),
            Cell::Done { cpu, .. } => Some(cpu.min),
            Cell::Stopped(_) => None,
        }
    }

    /// The fastest on one thread.
    pub(crate) fn best(&self) -> Option<(&str, f64)> {
        self.fastest(|solver| solver != OURS_THREADS)
    }

    /// The fastest of the others.
    pub(crate) fn best_peer(&self) -> Option<(&str, f64)> {
        self.fastest(|solver| solver != OURS_THREADS && solver != OURS)
    }

    fn fastest(&self, counts: impl Fn(&str) -> bool) -> Option<(&str, f64)> {
        let names = self.records.iter().map(|record| record.solver.as_str());
        let times = names
            .filter(|name| counts(name))
            .filter_map(|name| Some((name, self.seconds(name)?)));
        times.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Whether a peer is faster than this project's solver on one thread, or the only one that answers.
    pub(crate) fn is_lost(&self) -> bool {
        match (self.cell(OURS), self.best()) {
            (Some(_), Some((best, _))) => best != OURS,
            _ => false,
        }
    }

    /// One scan of the matrix: the fastest that was timed.
    pub(crate) fn scan(&self) -> Option<f64> {
        let scans = [OURS, OURS_THREADS]
            .into_iter()
            .filter_map(|solver| match self.cell(solver) {
                Some(Cell::Done { scan, .. }) => *scan,
                _ => None,
            });
        scans.min_by(f64::total_cmp)
    }
}
