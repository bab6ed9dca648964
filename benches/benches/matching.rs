//! Build and solve per family: `cargo bench -p benches --bench matching`, with `--features peers` beside other crates.
//!
//! Groups are `matching/<family>`, ids `solver/n`. These are wall times of repeated solves in one process; `compare`
//! measures CPU time and memory of fresh processes at larger sizes.

use std::hint::black_box;
use std::time::Duration;

use benches::families::Family;
use benches::solvers::{After, Input, Solver, Threads};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Sizes for this project's solver: sparse, dense.
const SPARSE_SIZES: [usize; 2] = [1_000, 10_000];
const DENSE_SIZES: [usize; 2] = [100, 500];

/// Other crates get the smallest size only: they take seconds where this project's solver takes milliseconds.
fn takes_part(solver: Solver, family: Family, size_index: usize) -> bool {
    match solver {
        Solver::MatchingCore(Input::Edges, threads) => threads == Threads::One,
        Solver::MatchingCore(Input::Matrix, threads) => threads == Threads::One && family.is_dense(),
        _ => size_index == 0,
    }
}

fn matching(criterion: &mut Criterion) {
    for family in Family::ALL {
        let mut group = criterion.benchmark_group(format!("matching/{}", family.name()));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2));
        let sizes = if family.is_dense() { DENSE_SIZES } else { SPARSE_SIZES };
        for (size_index, size) in sizes.into_iter().enumerate() {
            let instance = family.instance(size, 1);
            group.throughput(Throughput::Elements(instance.edges.len() as u64));
            let solvers = Solver::ALL
                .iter()
                .copied()
                .filter(|&solver| takes_part(solver, family, size_index));
            let mut optimum = None;
            for solver in solvers {
                let found = solver
                    .run(&instance, After::Checks)
                    .expect("a perfect matching")
                    .optimum;
                assert_eq!(
                    *optimum.get_or_insert(found),
                    found,
                    "{} finds another optimum",
                    solver.name()
                );
                let id = BenchmarkId::new(solver.name(), instance.vertices);
                group.bench_with_input(id, &instance, |bencher, instance| {
                    bencher.iter(|| {
                        solver
                            .run(black_box(instance), After::Nothing)
                            .expect("a perfect matching")
                            .optimum
                    });
                });
            }
        }
        group.finish();
    }
}

criterion_group!(groups, matching);
criterion_main!(groups);
