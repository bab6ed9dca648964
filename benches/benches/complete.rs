//! Complete graphs from an `i32` matrix in memory, pools between two ticks, and points: `cargo bench -p benches --bench
//! complete`.

use std::hint::black_box;
use std::time::Duration;

use benches::families::Family;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use matching_core::cost::{DenseMatrix, Points};
use matching_core::{Blossom, Cost, Session};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One player of so many leaves between two ticks, and as many join.
const TURNOVER: usize = 50;

fn matrix(family: Family, n: usize) -> DenseMatrix<i32> {
    let instance = family.instance(n, 1);
    let n = instance.vertices;
    let mut entries = vec![0; n * n];
    for (u, v, weight) in instance.edges {
        entries[u as usize * n + v as usize] = weight;
        entries[v as usize * n + u as usize] = weight;
    }
    DenseMatrix::square(n, entries).expect("n * n entries")
}

fn complete(criterion: &mut Criterion) {
    for family in [Family::Eomm, Family::Uniform, Family::Euclidean] {
        let mut group = criterion.benchmark_group(format!("complete/{}", family.name()));
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        for n in [100, 200, 500, 1000, 2000] {
            let matrix = matrix(family, n);
            group.throughput(Throughput::Elements((n * n) as u64));
            group.bench_with_input(BenchmarkId::new("one-thread", n), &matrix, |bencher, matrix| {
                bencher.iter(|| {
                    Blossom::new()
                        .threads(1)
                        .solve(black_box(matrix))
                        .expect("an even number")
                });
            });
        }
        group.finish();
    }
}

fn session(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("session/eomm");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for n in [500, 2000] {
        // Twice as many players as wait at once: those who are not in the pool join later.
        let all = matrix(Family::Eomm, 2 * n);
        let cost = |i: usize, j: usize| i64::from(all.pair(i, j));
        let mut session = Session::new(&matching_core::cost::from_symmetric_fn(n, cost))
            .expect("symmetric")
            .threads(1);
        session.solve().expect("an even number");
        for k in 0..n / TURNOVER {
            session.remove(k * TURNOVER / 2);
        }
        for k in 0..n / TURNOVER {
            session.add(|other| Some(cost(n + k, other)));
        }
        group.bench_with_input(BenchmarkId::new("two-percent", n), &session, |bencher, session| {
            bencher.iter_batched_ref(
                || session.clone(),
                |session| session.solve().expect("an even number"),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

fn points(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("points/plane");
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for n in [1000, 10_000] {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let points = (0..n).map(|_| [rng.random(), rng.random()]).collect();
        let points = Points::new(points)
            .and_then(|points| points.scale(1e6))
            .expect("a unit square");
        group.throughput(Throughput::Elements(n as u64));
        group.bench_with_input(BenchmarkId::new("one-thread", n), &points, |bencher, points| {
            let solver = Blossom::new().threads(1);
            bencher.iter(|| solver.solve_embedded(black_box(points)).expect("an even number"));
        });
        let solution = Blossom::new().solve_embedded(&points).expect("an even number");
        group.bench_with_input(BenchmarkId::new("verify", n), &points, |bencher, points| {
            bencher.iter(|| solution.verify_embedded(black_box(points)).expect("a proof"));
        });
    }
    group.finish();
}

/// The worst pair first, beside which the group `complete` has the total alone.
fn bottleneck(criterion: &mut Criterion) {
    for family in [Family::Eomm, Family::Uniform, Family::Euclidean] {
        let mut group = criterion.benchmark_group(format!("bottleneck/{}", family.name()));
        group.sample_size(10).measurement_time(Duration::from_secs(2));
        for n in [100, 500, 1000, 2000] {
            let matrix = matrix(family, n);
            group.throughput(Throughput::Elements((n * n) as u64));
            group.bench_with_input(BenchmarkId::new("one-thread", n), &matrix, |bencher, matrix| {
                let solver = Blossom::new().threads(1);
                bencher.iter(|| solver.solve_bottleneck(black_box(matrix)).expect("an even number"));
            });
        }
        group.finish();
    }
}

criterion_group!(groups, complete, bottleneck, session, points);
criterion_main!(groups);
