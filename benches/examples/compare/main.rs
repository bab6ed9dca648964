//! Every solver on identical instances: CPU seconds of build and solve, peak memory, and whether the optima agree.
//!
//! ```text
//! cargo run --release -p benches --features peers --example compare -- \
//!     --families grid,delaunay --sizes 1000,10000 --repeat 5 --markdown
//! ```
//!
//! Each measurement is a process of its own, one at a time, and the repeats of different solvers alternate, so that
//! slow phases of a machine fall on all of them. `benches/README.md` describes the options and what is counted.

mod contenders;
mod measure;
mod options;
mod report;

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use benches::families::Family;
use benches::files::{self, Format};

use crate::contenders::Contender;
use crate::measure::{Measurement, Outcome};
use crate::options::{Command, Options};
use crate::report::{Cell, Row};

fn main() -> Result<(), Box<dyn Error>> {
    match options::parse(std::env::args().skip(1))? {
        Command::Measure { solver, file } => measure::child(solver, &file),
        Command::Compare(options) => compare(&options),
    }
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    let directory = scratch_directory()?;
    let contenders = contenders::all(options, &directory)?;
    let mut rows = Vec::new();
    for &family in &options.families {
        // A solver that ran into the limit is not asked for larger sizes of the same family.
        let mut given_up = HashSet::new();
        for &size in &options.sizes {
            let (row, stopped) = compare_on(family, size, options, &contenders, &given_up, &directory)?;
            given_up.extend(stopped);
            if !options.markdown {
                report::print_plain(&row);
            }
            rows.push(row);
        }
    }
    if options.markdown {
        report::print_markdown(&rows);
    }
    Ok(())
}

/// Runs all contenders on one instance; also returns the names of those that ran into the limit.
fn compare_on(
    family: Family,
    size: usize,
    options: &Options,
    contenders: &[Contender],
    given_up: &HashSet<String>,
    directory: &Path,
) -> Result<(Row, Vec<String>), Box<dyn Error>> {
    let instance = family.instance(size, options.seed);
    let file = directory.join(format!("{}_{size}_{}.txt", family.name(), options.seed));
    files::write_file(&instance, Format::Plain, &file)?;
    let (vertices, edges) = (instance.vertices, instance.edges.len());
    drop(instance);

    let mut runs: Vec<Vec<Measurement>> = vec![Vec::new(); contenders.len()];
    let mut stops: Vec<Option<Cell>> = contenders
        .iter()
        .map(|contender| given_up.contains(&contender.name).then_some(Cell::NotAsked))
        .collect();
    for _ in 0..options.repeat {
        for (index, contender) in contenders.iter().enumerate() {
            if stops[index].is_some() {
                continue;
            }
            match measure::run(contender, &file, options.limit)? {
                Outcome::Measured(measurement) => runs[index].push(measurement),
                Outcome::OverLimit => stops[index] = Some(Cell::OverLimit(options.limit)),
                Outcome::Failed => stops[index] = Some(Cell::Failed),
            }
        }
    }
    fs::remove_file(&file)?;
    agree(family, size, contenders, &runs)?;

    let stopped = |(contender, stop): (&Contender, &Option<Cell>)| {
        matches!(stop, Some(Cell::OverLimit(_) | Cell::NotAsked)).then(|| contender.name.clone())
    };
    let stopped = contenders.iter().zip(&stops).filter_map(stopped).collect();
    let cells = contenders
        .iter()
        .zip(stops)
        .zip(&runs)
        .map(|((contender, stop), runs)| (contender.name.clone(), stop.unwrap_or_else(|| Cell::of(runs))))
        .collect();
    Ok((
        Row {
            family: family.name(),
            vertices,
            edges,
            cells,
        },
        stopped,
    ))
}

/// All runs of all contenders must have found the same optimum.
fn agree(family: Family, size: usize, contenders: &[Contender], runs: &[Vec<Measurement>]) -> Result<(), String> {
    let found = contenders
        .iter()
        .zip(runs)
        .flat_map(|(contender, runs)| runs.iter().map(move |run| (contender, run)));
    let mut first: Option<(&Contender, &Measurement)> = None;
    for (contender, run) in found {
        let (reference, expected) = *first.get_or_insert((contender, run));
        if run.optimum != expected.optimum {
            let (one, other) = (&reference.name, &contender.name);
            let name = family.name();
            return Err(format!(
                "{name} {size}: {one} finds {}, {other} finds {}",
                expected.optimum, run.optimum
            ));
        }
    }
    Ok(())
}

/// A folder beside the executable, in the build directory: instance files and compiled drivers.
fn scratch_directory() -> Result<PathBuf, Box<dyn Error>> {
    let executable = std::env::current_exe()?;
    let directory = executable
        .parent()
        .ok_or("the executable lies in no folder")?
        .join("compare-files");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}
