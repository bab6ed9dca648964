//! Chains and decision processes: `cargo bench -p benches --bench markov`.
//!
//! Groups are `problem/family`, ids `solver/size`. The example `markov_compare` measures other packages on the same
//! problems.

use std::hint::black_box;
use std::time::Duration;

use benches::chains;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use markov::mdp::{PolicyIteration, ValueIteration};
use markov::models::wu::TeamPool;
use markov::{Ctmc, Limits, Rational, Scalar, Stationary};

const SEED: u64 = 1;
/// Larger ones only where this is set: `MARKOV_LARGE=1 cargo bench ...`.
const LARGE: &str = "MARKOV_LARGE";

fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2));
    group
}

fn bench_chain(group: &mut BenchmarkGroup<'_, WallTime>, solver: &str, size: usize, chain: &Ctmc) {
    group.throughput(Throughput::Elements(chain.rates().entries() as u64));
    group.bench_with_input(BenchmarkId::new(solver, size), chain, |bencher, chain| {
        let stationary = Stationary::new().tolerance(1e-10);
        bencher.iter(|| stationary.solve(black_box(chain)).expect("one closed class"));
    });
}

fn birth_death(criterion: &mut Criterion) {
    let mut group = group(criterion, "stationary/birth-death");
    for states in [1_000, 100_000] {
        let chain = chains::chain(&chains::birth_death(states)).expect("rates");
        bench_chain(&mut group, "auto", states, &chain);
    }
    group.finish();
}

fn patient_pool(criterion: &mut Criterion) {
    let mut group = group(criterion, "stationary/patient-pool");
    for n in [20, 60, 200] {
        let rates = chains::patient_pool(n).expect("a team size");
        bench_chain(&mut group, "auto", n, &chains::chain(&rates).expect("rates"));
    }
    group.finish();
}

fn random_chain(criterion: &mut Criterion) {
    let mut group = group(criterion, "stationary/random");
    let large = std::env::var_os(LARGE).is_some().then_some(1_000_000);
    for states in [10_000, 100_000].into_iter().chain(large) {
        let chain = chains::chain(&chains::random_chain(states, SEED)).expect("rates");
        bench_chain(&mut group, "auto", states, &chain);
    }
    group.finish();
}

fn discounted(criterion: &mut Criterion) {
    let mut group = group(criterion, "discounted/random");
    for states in [10_000, 100_000] {
        let process = chains::random_process(states, 0.95, SEED);
        let mdp = process.build().expect("probabilities");
        group.throughput(Throughput::Elements(process.moves.columns.len() as u64));
        group.bench_with_input(BenchmarkId::new("one-thread", states), &mdp, |bencher, mdp| {
            let solver = ValueIteration::new().threads(1).tolerance(1e-6);
            bencher.iter(|| solver.solve(black_box(mdp), process.discount).expect("enough sweeps"));
        });
    }
    group.finish();
}

fn team_pool(criterion: &mut Criterion) {
    let mut group = group(criterion, "average/team-pool");
    for cap in [9, 25] {
        let pool = TeamPool::new(4, Rational::ratio(3, 10), Rational::ratio(1, 2), cap).expect("a pool");
        let process = pool.process(Limits::default()).expect("few states");
        group.throughput(Throughput::Elements(process.mdp().len() as u64));
        group.bench_with_input(BenchmarkId::new("exact", cap), process.mdp(), |bencher, mdp| {
            bencher.iter(|| PolicyIteration::new().average(black_box(mdp)).expect("one class"));
        });
    }
    group.finish();
}

criterion_group!(groups, birth_death, patient_pool, random_chain, discounted, team_pool);
criterion_main!(groups);
