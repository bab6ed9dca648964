//! The benchmark page: measures, remembers, and writes `BENCHMARK.md` and `benches/eomm.svg`.
//!
//! ```text
//! cargo run --release -p benches --features peers --example page
//! ```
//!
//! Figures are kept in `benches/page.tsv`; a run of a part (`--families`, `--sizes`, `--solvers`) replaces that part
//! and writes the whole page anew. `benches/README.md` describes the options, the page says what is counted.

mod losses;
mod machine;
mod numbers;
mod options;
mod plot;
mod record;
mod results;
mod roster;
mod rows;
mod tables;
mod text;

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use benches::comparison::{self, Cell, Lane, Plan, Stop};
use benches::families::Family;
use benches::files::{self, Format};

use crate::options::{Command, Options};
use crate::record::Record;
use crate::results::Results;
use crate::roster::{OURS, Roster};

/// Seed of all instances of the page.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    match options::parse(std::env::args().skip(1))? {
        Command::Measure { solver, file } => comparison::measure_child(solver, &file),
        Command::Page(options) => page(&options),
    }
}

fn page(options: &Options) -> Result<(), Box<dyn Error>> {
    let store = options.output.join("benches/page.tsv");
    let mut results = if options.is_fresh {
        Results::default()
    } else {
        Results::read(&store)?
    };
    if !options.renders_only {
        let directory = comparison::scratch_directory()?;
        let roster = Roster::new(options, &directory)?;
        results.begin(&machine::describe()?, &roster.versions, &options.command)?;
        for &family in &options.families {
            for &size in options.sizes(family) {
                let given_up = results.given_up(family, size, options.limit);
                let records = measure(family, size, options, &roster, &given_up, &directory)?;
                results.replace(records);
                results.write(&store)?;
            }
        }
    }
    let page = options.output.join("BENCHMARK.md");
    fs::write(&page, text::page(&results))?;
    plot::draw(&results, Family::Eomm, &options.output.join("benches/eomm.svg"))?;
    println!("wrote {}", page.display());
    Ok(())
}

/// Runs everyone on one instance.
fn measure(
    family: Family,
    size: usize,
    options: &Options,
    roster: &Roster,
    given_up: &HashSet<String>,
    directory: &Path,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let instance = family.instance(size, SEED);
    let file = directory.join(format!("page_{}_{size}.txt", family.name()));
    files::write_file(&instance, Format::Plain, &file)?;
    let (vertices, edges) = (instance.vertices, instance.edges.len());
    drop(instance);

    // Python needs the most for reading: about a second for a million edges.
    let reading = Duration::from_micros(2 * edges as u64);
    let plan = Plan {
        repeat: options.repeat,
        limit: options.limit,
        memory_gib: options.memory_gib,
        reading,
        patience: options.limit + reading * options.repeat as u32,
    };
    let contenders = roster.contenders(family);
    let mut lanes = comparison::take_turns(contenders, |name| !given_up.contains(name), &file, &plan)?;
    fs::remove_file(&file)?;
    mark_wrong(&mut lanes);

    let date = machine::date()?;
    let asked = lanes.iter().filter(|lane| lane.stop != Some(Stop::NotAsked));
    let record = |lane: &Lane| Record {
        family,
        size,
        vertices,
        edges,
        solver: lane.name.clone(),
        cell: Cell::of(lane),
        date: date.clone(),
    };
    let records: Vec<Record> = asked.map(record).collect();
    let cells: Vec<String> = records
        .iter()
        .map(|record| {
            format!(
                "{} {}",
                record.solver,
                numbers::time_text(&record.cell, record.solver == roster::OURS_THREADS)
            )
        })
        .collect();
    println!("{} n={vertices} m={edges}: {}", family.name(), cells.join(", "));
    Ok(records)
}

/// Whoever disagrees with this project's solver, whose optima are proven by their certificates, is wrong; where it does
/// not take part, with the first who does.
fn mark_wrong(lanes: &mut [Lane]) {
    let with_runs = |lane: &&Lane| !lane.runs.is_empty();
    let ours = lanes.iter().filter(with_runs).find(|lane| lane.name == OURS);
    let Some(reference) = ours.or(lanes.iter().find(with_runs)) else {
        return;
    };
    let optimum = reference.runs[0].optimum;
    for lane in lanes {
        if lane.runs.iter().any(|run| run.optimum != optimum) {
            lane.stop = Some(Stop::Wrong);
        }
    }
}
