//! The same seed and the same work give the same answer, however many threads there are.

use std::sync::LazyLock;

use matching_core::cost::{self, Pairwise};
use matching_heuristics::{Engine, Groups, Instance, Search};

use crate::support::ENGINES;

/// Groups, cost, and work of a run.
type Answer = (Vec<Vec<usize>>, Vec<usize>, i128, u64);

fn answers(instance: &Instance<'_, i64>, work: impl Fn(Engine) -> u64) -> Vec<(Engine, usize, Answer)> {
    let mut answers = Vec::new();
    for engine in ENGINES {
        for walks in [1, 4] {
            let found = Search::with(instance, engine)
                .work(work(engine))
                .seed(5)
                .walks(walks)
                .run()
                .expect("groups");
            let answer = (
                found.groups().to_vec(),
                found.bench().to_vec(),
                found.cost(),
                found.work(),
            );
            answers.push((engine, walks, answer));
        }
    }
    answers
}

fn all_answers() -> Vec<(Engine, usize, Answer)> {
    let gap = cost::from_symmetric_fn(40, |i, j| ((i * 31 + j * 31) % 97 + i * j % 13) as i64);
    let parties = [vec![0, 7], vec![3, 4, 5], vec![20, 21]];
    let exact = Groups::of_size(40, 5).expect("sizes");
    let loose = Groups::with_bounds(vec![3..=6; 8]).expect("bounds").with_bench(4);
    let whole = Pairwise(&gap);
    let mut all = Vec::new();
    for groups in [exact, loose] {
        let pairwise = Instance::pairwise(&gap, groups.clone()).expect("sizes add up");
        let by_group = Instance::by_group(&whole, groups).expect("sizes add up");
        all.extend(answers(&pairwise, |_| 100_000));
        let pairwise = pairwise.parties(parties.clone()).expect("parties");
        all.extend(answers(&pairwise, |_| 100_000));
        let by_group = by_group.parties(parties.clone()).expect("parties");
        all.extend(answers(&by_group, |_| 8_000));
    }
    // Groups of a dozen are annealed and tempered in 16 bits, where there is work enough for that.
    let dozens = cost::from_symmetric_fn(24, |i, j| ((i * 7919) ^ (j * 7919)) as i64 % 1009);
    let dozens = Instance::pairwise(&dozens, Groups::of_size(24, 12).expect("sizes")).expect("sizes add up");
    all.extend(answers(&dozens, |engine| match engine {
        Engine::Auto | Engine::Annealing | Engine::Population | Engine::Tempering => 2_000_000,
        _ => 200_000,
    }));
    all
}

/// The answers on so many threads.
fn on(threads: usize) -> Vec<(Engine, usize, Answer)> {
    #[cfg(feature = "rayon")]
    {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(all_answers)
    }
    #[cfg(not(feature = "rayon"))]
    {
        let _ = threads;
        all_answers()
    }
}

/// What others are compared with, found once: that takes longer than a second.
static ON_TWO: LazyLock<Vec<(Engine, usize, Answer)>> = LazyLock::new(|| on(2));

#[test]
fn a_run_can_be_repeated() {
    // In the pool that nobody asked for.
    assert_eq!(*ON_TWO, all_answers());
}

#[cfg(feature = "rayon")]
#[test]
fn the_number_of_threads_changes_nothing() {
    for threads in [1, 4] {
        assert_eq!(on(threads), *ON_TWO, "{threads} threads");
    }
}

#[test]
fn another_seed_is_another_run() {
    // By random costs in groups of ten, with work enough for its usual temperatures, annealing begins at random.
    let noise = |i: usize, j: usize| {
        let mixed = ((i.min(j) << 20 | i.max(j)) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 44) as i64
    };
    let gap = cost::from_symmetric_fn(120, noise);
    let instance = Instance::pairwise(&gap, Groups::of_size(120, 10).expect("sizes")).expect("sizes add up");
    let run = |seed| {
        Search::with(&instance, Engine::Annealing)
            .work(3_000_000)
            .seed(seed)
            .run()
            .expect("groups")
    };
    assert_ne!(run(1).groups(), run(2).groups());
    assert_eq!(run(9).seed(), 9);
}
