//! The page itself.

use benches::families::Family;

use crate::losses;
use crate::results::Results;
use crate::roster::OURS;
use crate::rows::{self, Row};
use crate::tables::{self, Label};

const COUNTED: &str = "\
- Each run is a process of its own that reads the instance file and solves once; the solvers take turns. Cells show the
  minimum and the median of the repeats, and in brackets the ratio of the minimum to the best one-thread minimum of
  the row, which is bold. Times are CPU time of the process, for *all threads* time on the wall, with the CPU time of
  all threads after it. A row where another solver than this project's is the best on one thread is marked *lost*.
- The clock starts when the input is in memory and stops when the matching is known. On complete graphs the input of
  `matching-core` is an `i32` matrix (`DenseMatrix`; `pendants` has forbidden entries) and that of `integer-blossom` an
  `i64` matrix; everybody else gets raw edges, and building a graph of them counts. On sparse families everybody gets
  raw edges, and building counts.
- `> 60 s`: killed after that time, two seconds for a million edges added for reading the file; such a solver is
  not asked for larger instances of the family (`-`). `> 8 GiB`: likewise, killed at that much resident memory. Runs are repeated until they have taken the limit together.
- Memory is the peak resident set of the process in MiB, input included, and of Python the interpreter. `-` where a
  process was only known to need no more than the program that started it.
- Every solution of `matching-core` is proven by its certificate after the clock has stopped; whoever finds another
  total is marked *wrong*.
- Python packages are called as their users call them: `networkx.min_weight_matching` on a `Graph`,
  `rustworkx.max_weight_matching` with `max_cardinality` and the weights `top - w` on a `PyGraph`; building the graph
  from a list of edges counts. `rustworkx-core` and `mwmatching` get `top - w` as well.
- Rust is compiled by this workspace's release profile for plain x86-64 or what the target's baseline is, without
  `target-cpu=native`; LEMON with `-O3 -march=native`.
- Solvers of a command line state their own time: that of Blossom VI, as it prints it, leaves building its graph out.
";

/// The whole text.
pub(crate) fn page(results: &Results) -> String {
    let rows = rows::all(results);
    let solvers = results.solvers();
    let mut text = "# Benchmarks\n\n\
        Minimum-weight perfect matching, identical seeded instances for every solver. Written by a program; do not edit.\n\n"
        .to_owned();
    text += &format!("{}\n\n", losses::summary(&rows));
    text += "![Time against n on complete EOMM graphs, both axes logarithmic](benches/eomm.svg)\n\n";
    text += &provenance(results);
    text += &format!("\n## What is counted\n\n{COUNTED}");
    text += &complete(&rows, &solvers);
    text += &sparse(&rows, &solvers);
    text += &format!("\n## Where we lose\n\n{}", losses::section(&rows));
    text
}

fn provenance(results: &Results) -> String {
    let dates = results.records.iter().map(|record| record.date.as_str());
    let (first, last) = (dates.clone().min().unwrap_or("-"), dates.max().unwrap_or("-"));
    let period = if first == last {
        first.to_owned()
    } else {
        format!("{first} to {last}")
    };
    let versions: Vec<String> = results
        .versions
        .iter()
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let has_version = |name: &str| versions.iter().any(|known| known.starts_with(name)) || name.starts_with(OURS);
    let others: Vec<&str> = results
        .solvers()
        .into_iter()
        .filter(|name| !has_version(name))
        .collect();
    let others = if others.is_empty() {
        String::new()
    } else {
        format!("; as the command names them: {}", others.join(", "))
    };
    let commands: Vec<&str> = results.commands.iter().map(|(_, command)| command.as_str()).collect();
    format!(
        "Measured {period} on {}, rustc {}. Peers: {}{others}. Command{}:\n\n\
         ```sh\n{}\n```\n\n\
         [`benches/README.md`](benches/README.md) says how to get the peers, and defines the families.\n",
        results.machine,
        results.compiler,
        versions.join(", "),
        if commands.len() > 1 { "s, oldest first" } else { "" },
        commands.join("\n"),
    )
}

/// One section per family of complete graphs: times, scans, memory.
fn complete(rows: &[Row<'_>], solvers: &[&str]) -> String {
    let mut text = "\n## Complete graphs\n".to_owned();
    for family in Family::ALL.into_iter().filter(|family| family.is_dense()) {
        let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.family == family).collect();
        if rows.is_empty() {
            continue;
        }
        text += &format!("\n### {}\n\n", family.name());
        text += &tables::times(Label::Vertices, &rows, solvers);
        text +=
            "\nAgainst one scan of the matrix for all row minima, one thread, the widest vectors of the processor:\n\n";
        text += &tables::scans(&rows);
        text += "\nPeak memory, MiB:\n\n";
        text += &tables::memory(Label::Vertices, &rows, solvers);
    }
    text
}

/// One section per size of sparse graphs: times, memory.
fn sparse(rows: &[Row<'_>], solvers: &[&str]) -> String {
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| !row.family.is_dense()).collect();
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut text = "\n## Sparse graphs\n".to_owned();
    for size in sizes {
        let rows: Vec<&Row<'_>> = rows.iter().copied().filter(|row| row.size == size).collect();
        text += &format!("\n### About {size} vertices\n\n");
        text += &tables::times(Label::Family, &rows, solvers);
        text += "\nPeak memory, MiB:\n\n";
        text += &tables::memory(Label::Family, &rows, solvers);
    }
    text
}
