//! Grouping by search: `cargo bench -p benches --bench grouping`.
//!
//! A fixed amount of work, so that the throughput is moves looked at per second.

use std::time::Duration;

use benches::groups::GroupInstance;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use matching_heuristics::{Engine, Groups, Instance, Search};
use matchmaking::lobby::{LobbySearch, Round, Rules};

fn pairs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("group/random");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    for players in [120, 240, 480, 960, 2000] {
        let problem = GroupInstance::random(players, 1).expect("a size that there is");
        let groups = Groups::with_bounds(problem.sizes.clone()).expect("bounds in order");
        let instance = Instance::pairwise(&problem.cost, groups).expect("sizes add up");
        let work = 100_000_000;
        group.throughput(Throughput::Elements(work));
        group.bench_function(BenchmarkId::new("annealing", players), |bencher| {
            bencher.iter(|| Search::with(&instance, Engine::Annealing).work(work).run());
        });
    }
    group.finish();
}

fn lobbies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("group/lobby");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    let round = Round::named("nauts-300-s1").expect("a named instance");
    let work = 200_000;
    group.throughput(Throughput::Elements(work));
    for (name, team_size) in [("3v3", 3), ("5v5", 5)] {
        let rules = Rules::new(team_size);
        for engine in [Engine::Annealing, Engine::CachedClimb] {
            group.bench_function(BenchmarkId::new(engine.name(), name), |bencher| {
                bencher.iter(|| LobbySearch::new(&round, &rules).engine(engine).work(work).run());
            });
        }
    }
    group.finish();
}

criterion_group!(benches, pairs, lobbies);
criterion_main!(benches);
