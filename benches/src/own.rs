//! This project's solver behind the common question.

use matching_core::{Blossom, Instance as Graph};

use crate::families::Instance;
use crate::scan;
use crate::solvers::{After, Input, Refusal, Run, Span, Threads};

/// A matrix of this many vertices takes 1.6 gigabytes; what has more is given as edges.
const LARGEST_MATRIX: usize = 20_000;

pub(crate) fn run(instance: &Instance, input: Input, threads: Threads, after: After) -> Result<Run, Refusal> {
    match input {
        Input::Edges => {
            let (list, build) = Span::of(|| instance.edge_list());
            solve(&list?, build, threads, after)
        }
        Input::Matrix if instance.vertices > LARGEST_MATRIX => Err(Refusal::TooLarge),
        Input::Matrix => {
            let matrix = instance.matrix()?;
            let run = solve(&matrix, Span::default(), threads, after)?;
            Ok(Run {
                // The matrix is the input; the edges it was made of are not.
                peak_kib: run.peak_kib.map(|peak| peak.saturating_sub(edges_kib(instance))),
                scan: (after == After::Checks).then(|| scan::time(&matrix)),
                ..run
            })
        }
    }
}

fn solve(input: &impl Graph<Value = i32>, build: Span, threads: Threads, after: After) -> Result<Run, Refusal> {
    let threads = match threads {
        Threads::One => 1,
        Threads::All => 0,
    };
    let (solution, solve) = Span::of(|| Blossom::new().threads(threads).solve(input));
    let solution = solution?;
    let run = Run::new(solution.cost(), build, solve);
    if after == After::Checks {
        solution.verify(input).map_err(Refusal::NotProven)?;
    }
    Ok(run)
}

/// What the raw edges take.
pub(crate) fn edges_kib(instance: &Instance) -> u64 {
    let bytes = instance.edges.capacity() * size_of::<(u32, u32, i32)>();
    (bytes / 1024) as u64
}
