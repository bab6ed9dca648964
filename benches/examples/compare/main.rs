//! Every solver on identical instances: CPU seconds of build and solve, peak memory, and whether the optima agree.
//!
//! ```text
//! cargo run --release -p benches --features peers --example compare -- \
//!     --families grid,delaunay --sizes 1000,10000 --repeat 5 --markdown
//! ```
//!
//! Each measurement is a process of its own, one at a time, and the repeats of different solvers alternate, so that
//! slow phases of a machine fall on all of them. `benches/README.md` describes the options and what is counted.

mod options;
mod report;

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use benches::comparison::{self, Cell, Contender, LEMON, Lane};
use benches::families::Family;
use benches::files::{self, Format};
use benches::solvers::Solver;

use crate::options::{Command, Options};
use crate::report::Row;

fn main() -> Result<(), Box<dyn Error>> {
    match options::parse(std::env::args().skip(1))? {
        Command::Measure { solver, file } => comparison::measure_child(solver, &file),
        Command::Compare(options) => compare(&options),
    }
}

fn compare(options: &Options) -> Result<(), Box<dyn Error>> {
    let directory = comparison::scratch_directory()?;
    let contenders = contenders(options, &directory)?;
    let mut rows = Vec::new();
    for &family in &options.families {
        // A solver that ran into the limit is not asked for larger sizes of the same family.
        let mut given_up = HashSet::new();
        for &size in &options.sizes {
            let row = compare_on(family, size, options, &contenders, &mut given_up, &directory)?;
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

/// Everyone asked for: linked solvers, LEMON where it is installed, external ones.
fn contenders(options: &Options, directory: &Path) -> Result<Vec<Contender>, Box<dyn Error>> {
    let mut contenders = Vec::new();
    for name in &options.solvers {
        if let Some(solver) = Solver::by_name(name) {
            contenders.push(comparison::linked(solver)?);
        } else if name == LEMON {
            match comparison::lemon(directory) {
                Ok(contender) => contenders.push(contender),
                Err(reason) => eprintln!("{LEMON} is left out: {reason}"),
            }
        } else {
            return Err(format!("no solver {name:?}").into());
        }
    }
    contenders.extend(options.external.iter().cloned());
    Ok(contenders)
}

/// Runs all contenders on one instance.
fn compare_on(
    family: Family,
    size: usize,
    options: &Options,
    contenders: &[Contender],
    given_up: &mut HashSet<String>,
    directory: &Path,
) -> Result<Row, Box<dyn Error>> {
    let instance = family.instance(size, options.seed);
    let file = directory.join(format!("{}_{size}_{}.txt", family.name(), options.seed));
    files::write_file(&instance, Format::Plain, &file)?;
    let (vertices, edges) = (instance.vertices, instance.edges.len());
    drop(instance);

    let lanes = comparison::take_turns(contenders, |name| !given_up.contains(name), &file, &options.plan)?;
    fs::remove_file(&file)?;
    comparison::agree(&lanes).map_err(|message| format!("{} {size}: {message}", family.name()))?;
    let stopped = lanes.iter().filter(|lane| lane.gives_up());
    given_up.extend(stopped.map(|lane| lane.name.clone()));
    Ok(Row {
        family: family.name(),
        vertices,
        edges,
        cells: lanes
            .iter()
            .map(|lane: &Lane| (lane.name.clone(), Cell::of(lane)))
            .collect(),
    })
}
