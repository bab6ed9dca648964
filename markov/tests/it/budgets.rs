//! A solve that is stopped anywhere says what stopped it, and only what it knows.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use markov::passage::{self, Passage};
use markov::{
    Budget, CancelToken, Csr, Ctmc, Dtmc, Error, Method, Progress, Qbd, QbdBlocks, Rational, Scalar, Stage, Stationary,
    StopReason, Stopped, Transient,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const METHODS: [Method; 6] = [
    Method::Auto,
    Method::Elimination,
    Method::GaussSeidel,
    Method::Power,
    Method::Aggregation,
    Method::Multilevel,
];

/// Limits on work from none to more than small problems take.
const LIMITS: [u64; 12] = [0, 1, 2, 5, 20, 100, 300, 1_000, 3_000, 10_000, 100_000, 10_000_000];

/// A random chain of one class.
pub(crate) fn random(seed: u64, states: usize, moves: usize) -> Ctmc {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows = (0..states).map(|state| {
        let mut row: Vec<(usize, f64)> = (0..moves)
            .map(|_| (rng.random_range(0..states), rng.random_range(0.1..1.0)))
            .collect();
        row.push(((state + 1) % states, 1.0));
        row
    });
    Ctmc::new(&Csr::from_rows(states, rows)).expect("a chain")
}

/// A line of states that few sweeps do not balance.
fn line(states: usize) -> Ctmc {
    let row = |state: usize| {
        let up = (state + 1 < states).then_some((state + 1, 1.0));
        up.into_iter().chain(state.checked_sub(1).map(|to| (to, 1.01)))
    };
    Ctmc::new(&Csr::from_rows(states, (0..states).map(row))).expect("a chain")
}

/// Two queues with so many rooms each.
fn side_by_side(rooms: usize) -> Ctmc {
    let row = |state: usize| {
        let joins = [
            (state / rooms + 1 < rooms).then_some((state + rooms, 0.95)),
            (state % rooms + 1 < rooms).then_some((state + 1, 0.855)),
        ];
        let leaves = [
            (state >= rooms).then(|| (state - rooms, 1.0)),
            (!state.is_multiple_of(rooms)).then(|| (state - 1, 1.0)),
        ];
        joins.into_iter().chain(leaves).flatten().collect::<Vec<_>>()
    };
    Ctmc::new(&Csr::from_rows(rooms * rooms, (0..rooms * rooms).map(row))).expect("a chain")
}

fn fractions(chain: &Ctmc) -> Ctmc<Rational> {
    let exact = |_: usize, _: usize, rate: &f64| Rational::from_float(*rate).expect("a number");
    Ctmc::new(&chain.rates().map(exact)).expect("a chain")
}

pub(crate) fn stopped<S: core::fmt::Debug>(found: Result<S, Error>) -> Stopped {
    match found {
        Err(Error::Stopped(stopped)) => *stopped,
        other => panic!("not stopped: {other:?}"),
    }
}

pub(crate) fn cancelled() -> Budget {
    let token = CancelToken::new();
    token.cancel();
    Budget::new().cancel(token)
}

/// Runs a solve that takes long, and cancels it from another thread once it has told of a stage for the second time.
pub(crate) fn cancelled_within<S: core::fmt::Debug>(
    stage: Stage,
    solve: impl FnOnce(Budget, &(dyn Fn(&Progress) + Sync)) -> Result<S, Error>,
) -> Stopped {
    let token = CancelToken::new();
    let told = AtomicUsize::new(0);
    let observer = |progress: &Progress| {
        if progress.stage == stage {
            told.fetch_add(1, Ordering::SeqCst);
        }
    };
    let is_done = AtomicUsize::new(0);
    let found = std::thread::scope(|scope| {
        scope.spawn(|| {
            while told.load(Ordering::SeqCst) < 2 && is_done.load(Ordering::SeqCst) == 0 {
                std::thread::sleep(Duration::from_millis(1));
            }
            token.cancel();
        });
        let found = solve(Budget::new().cancel(token.clone()), &observer);
        is_done.store(1, Ordering::SeqCst);
        found
    });
    let stopped = stopped(found);
    assert_eq!(stopped.reason, StopReason::Cancelled);
    assert!(told.load(Ordering::SeqCst) >= 2);
    stopped
}

#[test]
fn nothing_begins_that_was_cancelled() {
    let (chain, line) = (random(1, 30, 3), line(40));
    let steps = Dtmc::new(&Csr::from_rows(2, [[(0, 0.5), (1, 0.5)], [(0, 1.0), (1, 0.0)]])).expect("a chain");
    let alone = Ctmc::new(&Csr::<f64>::from_rows(1, [[]])).expect("a chain");
    for method in METHODS {
        let solver = Stationary::new().method(method).budget(cancelled());
        for chain in [&chain, &line, &alone] {
            let even = vec![1.0 / chain.len() as f64; chain.len()];
            let found = [
                stopped(solver.solve(chain)),
                stopped(solver.solve_class(chain, 0)),
                stopped(solver.long_run(chain, &even)),
                stopped(solver.solve_dtmc(&steps)),
            ];
            for stopped in found {
                assert_eq!((stopped.reason, stopped.work), (StopReason::Cancelled, 0), "{method:?}");
                assert!(stopped.best.is_empty() && stopped.bounds.is_none() && stopped.radius.is_none());
            }
        }
    }
    let exact = Stationary::new().budget(cancelled());
    assert_eq!(stopped(exact.exact(&fractions(&chain))).reason, StopReason::Cancelled);
    for count in 0..3 {
        assert_eq!(stopped(steps.after_within(&[1.0, 0.0], count, &cancelled())).work, 0);
        let total = steps.accumulated_within(&[1.0, 0.0], &[1.0, 2.0], count, &cancelled());
        assert_eq!(stopped(total).best, [1.0, 0.0]);
    }
    let passage = passage::Builder::new().budget(cancelled()).ctmc(&chain, &[3]);
    assert_eq!(stopped(passage).reason, StopReason::Cancelled);
    let passage = Passage::ctmc(&chain, &[3]).expect("reached");
    assert_eq!(stopped(passage.moments_within(2, &cancelled())).work, 0);
    assert_eq!(stopped(passage.totals_within(&[1.0; 30], &cancelled())).work, 0);
    let start = [vec![1.0], vec![0.0; 29]].concat();
    let transient = Transient::new().budget(cancelled());
    assert_eq!(
        stopped(transient.solve(&chain, &start, 1.0)).reason,
        StopReason::Cancelled
    );
    assert_eq!(
        stopped(chain.lump_within(&[0; 30], &cancelled())).reason,
        StopReason::Cancelled
    );
    assert_eq!(
        stopped(steps.lump_within(&[0; 2], &cancelled())).reason,
        StopReason::Cancelled
    );
    assert_eq!(
        stopped(queue(8).solve_within(&cancelled())).reason,
        StopReason::Cancelled
    );
    let late = Stationary::new().budget(Budget::new().time(Duration::ZERO));
    assert_eq!(stopped(late.solve(&chain)).reason, StopReason::TimeLimit);
}

#[test]
fn limits_do_not_hide_bad_input() {
    let chain = random(1, 30, 3);
    let solver = Stationary::new().budget(cancelled()).tolerance(-1.0);
    assert!(matches!(solver.solve(&chain), Err(Error::Parameter { .. })));
    let transient = Transient::new().budget(cancelled());
    assert!(matches!(
        transient.solve(&chain, &[1.0], 1.0),
        Err(Error::LengthMismatch { .. })
    ));
    let passage = passage::Builder::new().budget(cancelled()).ctmc(&chain, &[30]);
    assert!(matches!(passage, Err(Error::StateOutOfRange { .. })));
}

/// A queue with phases in a ring.
fn queue(phases: usize) -> Qbd {
    let ring = |rate: f64| Csr::from_rows(phases, (0..phases).map(|phase| [((phase + 1) % phases, rate)]));
    let same = |rate: f64| {
        Csr::from_rows(
            phases,
            (0..phases).map(|phase| [(phase, rate * (1.0 + phase as f64 / 9.0))]),
        )
    };
    let none = |rows, width| Csr::from_rows(width, (0..rows).map(|_| []));
    Qbd::new(QbdBlocks {
        levels: Vec::new(),
        first: 0,
        boundary: none(0, 0),
        enter: none(0, phases),
        leave: none(phases, 0),
        up: same(1.0),
        local: ring(0.7),
        down: same(1.2),
    })
    .expect("a queue")
}

#[test]
fn a_limit_that_is_not_reached_changes_nothing() {
    let chains = [random(2, 200, 4), random(3, 20_000, 4), line(100)];
    let enough = || {
        let token = CancelToken::new();
        Budget::new()
            .work(1 << 50)
            .time(Duration::from_secs(1 << 20))
            .memory(1 << 40)
            .cancel(token)
    };
    let heard = |_: &Progress| {};
    for (chain, method) in chains.iter().flat_map(|chain| METHODS.map(|method| (chain, method))) {
        if chain.len() > 10_000 && method == Method::Elimination {
            continue;
        }
        let free = Stationary::new().method(method).tolerance(1e-9);
        let limited = free.clone().budget(enough()).observer(&heard);
        assert_eq!(
            free.solve(chain),
            limited.solve(chain),
            "{method:?}, {} states",
            chain.len()
        );
    }
    let chain = &chains[0];
    let start = [vec![1.0], vec![0.0; 199]].concat();
    let costs: Vec<f64> = (0..200).map(f64::from).collect();
    let limited = Transient::new().budget(enough()).observer(&heard);
    assert_eq!(
        Transient::new().accumulated(chain, &start, &costs, 3.0),
        limited.accumulated(chain, &start, &costs, 3.0)
    );
    let passage = Passage::ctmc(chain, &[7]).expect("reached");
    let limited = passage::Builder::new()
        .budget(enough())
        .ctmc(chain, &[7])
        .expect("reached");
    assert_eq!(Ok(passage.moments(3)), limited.moments_within(3, &enough()));
    assert_eq!(passage.totals(&costs), limited.totals_within(&costs, &enough()));
    let exact = fractions(&random(5, 12, 2));
    assert_eq!(exact.stationary(), Stationary::new().budget(enough()).exact(&exact));
    assert_eq!(queue(5).solve(), queue(5).solve_within(&enough()));
    let labels: Vec<usize> = (0..200).map(|state| usize::from(state == 0)).collect();
    assert_eq!(chain.lump(&labels), chain.lump_within(&labels, &enough()));
}

#[test]
fn every_limit_on_work_ends_with_what_is_known() {
    let mut counts = [0; 2];
    for (chain, seed) in [(random(4, 60, 3), 0), (line(50), 1), (random(6, 400, 2), 2)] {
        for (method, limit) in METHODS
            .into_iter()
            .flat_map(|method| LIMITS.map(|limit| (method, limit)))
        {
            let free = Stationary::new().method(method);
            let solver = free.clone().budget(Budget::new().work(limit));
            let found = solver.solve(&chain);
            assert_eq!(found, solver.solve(&chain), "the same twice");
            let Err(Error::Stopped(stopped)) = found else {
                assert_eq!(found, free.solve(&chain), "{method:?} {seed} {limit}");
                counts[0] += 1;
                continue;
            };
            assert!(stopped.reason == StopReason::WorkLimit && stopped.work > limit);
            if !stopped.best.is_empty() {
                assert!((stopped.best.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                assert!(stopped.best.iter().all(|weight| *weight >= 0.0));
                counts[1] += 1;
            }
            assert_eq!(stopped.bounds, None);
        }
    }
    assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
}

#[test]
fn what_was_left_out_of_a_transient_is_bounded() {
    let chain = random(7, 40, 3);
    let start = [vec![1.0], vec![0.0; 39]].concat();
    let costs: Vec<f64> = (0..40).map(|state| f64::from(state % 7) - 2.0).collect();
    let (time, mut useful) = (2.0, 0);
    let whole = Transient::new()
        .accumulated(&chain, &start, &costs, time)
        .expect("a transient");
    for limit in (0..12_000).step_by(97) {
        let solver = Transient::new().budget(Budget::new().work(limit));
        let Err(Error::Stopped(stopped)) = solver.accumulated(&chain, &start, &costs, time) else {
            continue;
        };
        let radius = stopped.radius.expect("proven");
        let off = stopped
            .best
            .iter()
            .zip(whole.distribution())
            .map(|(a, b)| (a - b).abs());
        assert!(off.sum::<f64>() <= radius + whole.bound(), "{limit}");
        let (lower, upper) = stopped.bounds.expect("proven");
        let slack = whole.bound() * time * 4.0;
        assert!(
            lower - slack <= whole.total() && whole.total() <= upper + slack,
            "{limit}"
        );
        assert_eq!(
            *stopped,
            self::stopped(solver.accumulated(&chain, &start, &costs, time))
        );
        useful += usize::from(radius < 1.0);
    }
    assert!(useful > 10, "{useful}");
}

#[test]
fn moments_that_were_found_are_kept() {
    let chain = fractions(&random(8, 10, 2));
    let passage = Passage::ctmc(&chain, &[3]).expect("reached");
    let known = passage.moments(3);
    let mut counts = [0; 4];
    for limit in (0..4_000).step_by(37) {
        let Err(Error::Stopped(stopped)) = passage.moments_within(3, &Budget::new().work(limit)) else {
            continue;
        };
        counts[stopped.iterations] += 1;
        if let Some(last) = stopped.iterations.checked_sub(1) {
            let expected: Vec<f64> = known[last].iter().map(Scalar::to_float).collect();
            assert_eq!(stopped.best, expected);
        }
    }
    assert!(
        counts[..3].iter().all(|&count| count > 0) && counts[3] == 0,
        "{counts:?}"
    );
}

#[test]
fn eliminations_keep_within_their_memory() {
    let chain = random(9, 2_000, 6);
    let little = Budget::new().memory(200_000);
    let elimination = Stationary::new().method(Method::Elimination).budget(little.clone());
    assert_eq!(stopped(elimination.solve(&chain)).reason, StopReason::MemoryLimit);
    let report = Stationary::new()
        .tolerance(1e-9)
        .budget(little.clone())
        .solve(&chain)
        .expect("sweeps");
    assert_ne!(report.method(), Method::Elimination);
    let passage = passage::Builder::new().budget(little.clone()).ctmc(&chain, &[0]);
    assert_eq!(stopped(passage).reason, StopReason::MemoryLimit);
    let phases = Budget::new().memory(1_000);
    assert_eq!(stopped(queue(8).solve_within(&phases)).reason, StopReason::MemoryLimit);
    // Much less than what would be kept, of which nothing is left where it is not.
    let much = Stationary::new()
        .method(Method::Elimination)
        .budget(Budget::new().memory(1 << 30));
    assert!(much.solve(&chain).is_ok());
}

#[test]
fn another_thread_ends_an_elimination() {
    let chain = random(10, 4_000, 20);
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        let solver = Stationary::new().method(Method::Elimination);
        solver.budget(budget).observer(observer).solve(&chain)
    });
    assert!(stopped.best.is_empty());
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        let builder = passage::Builder::new().budget(budget);
        builder.observer(observer).ctmc(&chain, &[0])
    });
    assert!(stopped.best.is_empty());
}

#[test]
fn another_thread_ends_an_elimination_of_fractions() {
    let chain = fractions(&random(11, 400, 5));
    let stopped = cancelled_within(Stage::Elimination, |budget, observer| {
        Stationary::new().budget(budget).observer(observer).exact(&chain)
    });
    assert!(stopped.best.is_empty() && stopped.work > 0);
}

#[test]
fn another_thread_ends_sweeps_steps_and_cycles() {
    let line = line(300_000);
    for method in [Method::GaussSeidel, Method::Power] {
        let stopped = cancelled_within(Stage::Stationary(method), |budget, observer| {
            let solver = Stationary::new().method(method).iterations(usize::MAX);
            solver.budget(budget).observer(observer).solve(&line)
        });
        assert!((stopped.best.iter().sum::<f64>() - 1.0).abs() < 1e-9 && stopped.iterations > 0);
    }
    let queues = side_by_side(400);
    let stopped = cancelled_within(Stage::Stationary(Method::Multilevel), |budget, observer| {
        let solver = Stationary::new().method(Method::Multilevel).budget(budget);
        solver.observer(observer).solve(&queues)
    });
    assert!((stopped.best.iter().sum::<f64>() - 1.0).abs() < 1e-9 && stopped.iterations > 0);
}

#[test]
fn another_thread_ends_jumps() {
    let chain = line(100_000);
    let mut start = vec![0.0; chain.len()];
    start[0] = 1.0;
    let stopped = cancelled_within(Stage::Jumps, |budget, observer| {
        Transient::new()
            .budget(budget)
            .observer(observer)
            .solve(&chain, &start, 1e6)
    });
    assert!((stopped.best.iter().sum::<f64>() - 1.0).abs() < 1e-9 && stopped.radius.is_some());
}

#[test]
fn observers_are_told_of_each_stage() {
    let told = Mutex::new(Vec::new());
    let observer = |progress: &Progress| told.lock().expect("one thread").push(*progress);
    let chain = random(13, 300, 5);
    let solver = Stationary::new().observer(&observer);
    let report = solver
        .clone()
        .method(Method::GaussSeidel)
        .solve(&chain)
        .expect("sweeps");
    let words = core::mem::take(&mut *told.lock().expect("one thread"));
    assert_eq!(
        (words[0].stage, words[0].done),
        (Stage::Stationary(Method::GaussSeidel), 1)
    );
    assert!(
        words
            .iter()
            .all(|word| word.done <= report.iterations() && word.of == Some(10_000))
    );
    solver.method(Method::Elimination).solve(&chain).expect("small");
    let words = core::mem::take(&mut *told.lock().expect("one thread"));
    assert_eq!(
        (words[0].stage, words[0].done, words[0].of),
        (Stage::Elimination, 1, Some(300))
    );
    assert!(
        words
            .windows(2)
            .all(|pair| pair[0].work <= pair[1].work && pair[0].elapsed <= pair[1].elapsed)
    );
}

#[test]
fn a_stop_is_told_to_people() {
    let solver = Stationary::new()
        .method(Method::Power)
        .budget(Budget::new().work(5_000));
    let error = solver.solve(&line(50)).expect_err("a few sweeps");
    let text = error.to_string();
    assert!(
        text.starts_with("the work was spent after 5") && text.ends_with(" iterations"),
        "{text}"
    );
    let error = Stationary::new()
        .budget(cancelled())
        .solve(&line(50))
        .expect_err("none");
    assert_eq!(error.to_string(), "it was cancelled after 0 units of work");
}
