//! What is heard of a running solve.

use std::sync::{Arc, Mutex};

use matching_core::cost::{Points, from_fn, from_symmetric_fn};
use matching_core::{
    Blossom, Budget, CancelToken, Engine, Objective, Progress, Session, Solution, Stage, Status, StopReason, Workspace,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, WEIGHTS, graph, objectives, random_graph};

/// Somebody who writes down all that is heard.
#[derive(Clone, Default)]
struct Listener(Arc<Mutex<Vec<Progress>>>);

impl Listener {
    fn ear(&self) -> impl Fn(&Progress) + Send + Sync + 'static {
        let heard = Arc::clone(&self.0);
        move |progress| heard.lock().unwrap().push(*progress)
    }

    fn heard(&self) -> Vec<Progress> {
        core::mem::take(&mut self.0.lock().unwrap())
    }
}

fn is_maximum(objective: &Objective<i64>) -> bool {
    matches!(
        objective,
        Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
    )
}

/// What is told never goes back, and no bound is better than the optimum.
fn check(heard: &[Progress], best: i128, is_maximum: bool) {
    let sign = if is_maximum { -1.0 } else { 1.0 };
    let mut closest = f64::NEG_INFINITY;
    for progress in heard {
        if let Some(bound) = progress.bound {
            assert!(sign * bound <= sign * best as f64, "{bound} and {best}");
            assert!(sign * bound >= closest, "a bound only becomes closer");
            closest = sign * bound;
        }
    }
    for two in heard.windows(2) {
        assert!(two[0].work <= two[1].work, "{two:?}");
        assert!(two[0].elapsed <= two[1].elapsed, "{two:?}");
    }
}

/// The same answer, whoever found it and whatever was heard.
fn solve_both(
    solver: &Blossom<i64>,
    solve: impl Fn(&Blossom<i64>) -> Option<Solution<i64>>,
) -> (Option<Solution<i64>>, Vec<Progress>) {
    let listener = Listener::default();
    let silent = solve(solver);
    let heard = solve(&solver.clone().observer(listener.ear()));
    assert_eq!(silent, heard, "who listens changes nothing");
    let work = |solution: &Option<Solution<i64>>| solution.as_ref().map(Solution::work);
    assert_eq!(work(&silent), work(&heard));
    (silent, listener.heard())
}

#[test]
fn lists_of_edges_tell_of_trees_and_bounds() {
    let mut rng = ChaCha8Rng::seed_from_u64(83);
    let (mut searches, mut bounds) = (0, 0);
    for round in 0..240 {
        let n = rng.random_range(20..=120);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-5..20)).collect();
        let objective = &objectives(&singles, &singles)[round / 36 % 6];
        let solver = Blossom::new().objective(objective.clone()).engine(Engine::Sparse);
        let (solution, heard) = solve_both(&solver, |solver| solver.solve(&graph).ok());
        let Some(solution) = solution else { continue };
        check(&heard, solution.cost(), is_maximum(objective));
        assert!(
            heard.is_sorted_by_key(|progress| progress.stage == Stage::Search),
            "{heard:?}"
        );
        for stage in [Stage::Start, Stage::Search] {
            let left = heard
                .iter()
                .filter(|progress| progress.stage == stage)
                .map(|progress| progress.left);
            let left: Vec<usize> = left.map(|left| left.expect("it is known")).collect();
            assert!(left.is_sorted_by(|before, after| before >= after), "{stage}: {left:?}");
        }
        let Some(last) = heard.last().filter(|last| last.stage == Stage::Search) else {
            continue;
        };
        assert_eq!(last.left, Some(0), "no tree is left in the end");
        assert_eq!(last.work, solution.work());
        searches += 1;
        if *objective == Objective::MaxCardinality {
            assert!(heard.iter().all(|progress| progress.bound.is_none()));
        } else {
            assert_eq!(last.bound, Some(solution.cost() as f64), "strong duality");
            bounds += usize::from(heard.iter().filter_map(|progress| progress.bound).count() > 1);
        }
    }
    assert!(searches > 50 && bounds > 20, "{searches}, {bounds}");
}

/// Floats on a grid, exact or not, and integers that no float holds: what is told is rounded to the safe side.
#[test]
fn bounds_stay_true_as_floats() {
    let mut rng = ChaCha8Rng::seed_from_u64(89);
    let mut told = 0;
    for round in 0..40 {
        let edges = random_graph(&mut rng, 60, SHAPES[round % 2], WEIGHTS[4]);
        let listener = Listener::default();
        let far = (1_i128 << 70) + 12_345;
        let wide = edges
            .iter()
            .map(|&(u, v, w)| (u, v, far * i128::from(w) + i128::from(w % 7)));
        let wide = matching_core::EdgeList::new(60, wide).unwrap();
        for objective in [Objective::MinPerfect, Objective::MaxWeight] {
            let solver = Blossom::new().objective(objective.clone()).observer(listener.ear());
            let Ok(best) = solver.solve(&wide) else { continue };
            for bound in listener.heard().iter().filter_map(|progress| progress.bound) {
                // Floats of that size are integers: compared as such.
                let bound = bound as i128;
                let is_true = if objective == Objective::MinPerfect {
                    bound <= best.cost()
                } else {
                    bound >= best.cost()
                };
                assert!(is_true, "{bound} and {}", best.cost());
                told += 1;
            }
        }
        let tenths = edges.iter().map(|&(u, v, w)| (u, v, w as f64 / 10.0));
        let tenths = matching_core::EdgeList::new(60, tenths).unwrap();
        for precision in [matching_core::Precision::Exact, matching_core::Precision::Quantised] {
            let solver = Blossom::new().precision(precision).observer(listener.ear());
            let Ok(best) = solver.solve(&tenths) else { continue };
            let heard = listener.heard();
            assert!(
                heard
                    .iter()
                    .filter_map(|progress| progress.bound)
                    .all(|bound| bound <= best.cost())
            );
            told += heard.len();
        }
    }
    assert!(told > 200, "{told}");
}

#[test]
fn costs_on_all_pairs_tell_of_their_stages() {
    let mut rng = ChaCha8Rng::seed_from_u64(97);
    let n = 400;
    let rating: Vec<i64> = (0..n).map(|_| rng.random_range(0..3_000)).collect();
    let risk: Vec<i64> = (0..n).map(|_| rng.random_range(0..1_000)).collect();
    let cost = from_symmetric_fn(n, |i, j| 1_000 * (rating[i] - rating[j]).abs() + risk[i] * risk[j]);
    for threads in [1, 3] {
        for objective in [
            Objective::MinPerfect,
            Objective::MaxWeight,
            Objective::MinOptOut(vec![90_000; n]),
        ] {
            let solver = Blossom::new().objective(objective.clone()).threads(threads);
            let (solution, heard) = solve_both(&solver, |solver| solver.solve(&cost).ok());
            let best = solution.expect("a pool can be paired").cost();
            check(&heard, best, is_maximum(&objective));
            // Few of all pairs are searched: what their duals bound is not known.
            assert!(heard.iter().all(|progress| progress.bound.is_none()));
            for stage in [Stage::Relaxation, Stage::Pricing] {
                assert!(
                    heard.iter().any(|progress| progress.stage == stage),
                    "{stage}, {objective:?}"
                );
            }
            assert_eq!(heard.last().map(|progress| progress.stage), Some(Stage::Pricing));
        }
    }
}

#[test]
fn things_in_space_and_sessions_tell_too() {
    let mut rng = ChaCha8Rng::seed_from_u64(101);
    let places: Vec<[f64; 2]> = (0..300)
        .map(|_| [(); 2].map(|()| rng.random_range(0.0..1_000.0)))
        .collect();
    let points = Points::new(places).unwrap();
    let (solution, heard) = solve_both(&Blossom::new(), |solver| solver.solve_embedded(&points).ok());
    check(&heard, solution.expect("all can be paired").cost(), false);
    assert!(heard.iter().any(|progress| progress.stage == Stage::Pricing));

    let listener = Listener::default();
    let mut silent = Session::new(&points).unwrap();
    let mut heard = Session::new(&points).unwrap().observer(listener.ear());
    for round in 0..4 {
        let (first, second) = (silent.solve().unwrap(), heard.solve().unwrap());
        assert_eq!(first, second, "who listens changes nothing");
        let told = listener.heard();
        check(&told, first.cost(), false);
        assert!(
            told.iter().any(|progress| progress.stage == Stage::Pricing),
            "round {round}"
        );
        for session in [&mut silent, &mut heard] {
            session.remove(round);
            session.add(|other| Some((other as i64 * 7919 + round as i64) % 500));
        }
    }
}

/// A search that ends in the proof that its few pairs are too few is work as any other: what was told of work fell after
/// it, and a limit on work began anew with the next search.
#[test]
fn work_in_vain_is_work() {
    // Each odd cluster is far from the others, so that near pairs alone do not pair anybody's cluster up.
    let (n, size) = (1_050, 21);
    let mut rng = ChaCha8Rng::seed_from_u64(113);
    let places: Vec<i64> = (0..n)
        .map(|i| (i / size) as i64 * 1_000_000 + rng.random_range(0..1_000))
        .collect();
    let cost = from_symmetric_fn(n, |i, j| (places[i] - places[j]).abs());
    let near = |i: usize, j: usize| i / size == j / size || (i.is_multiple_of(size) && j.is_multiple_of(size));
    for threads in [1, 3] {
        let few = matching_core::Cost::restricted(&cost, near);
        let solver = Blossom::new().engine(Engine::Dense).threads(threads);
        let (solution, heard) = solve_both(&solver, |solver| solver.solve(&few).ok());
        let best = solution.expect("one of each cluster meets one of another");
        check(&heard, best.cost(), false);
        let searches = heard.iter().filter(|progress| progress.left == Some(0)).count();
        assert!(searches > 0, "{heard:?}");
        assert!(best.verify(&few).is_ok());
    }
}

/// Where the vertex at which a look was due had got its partner meanwhile, that look was left out: here all but the first.
#[test]
fn a_start_looks_at_its_limits_in_every_part() {
    let leaves = 640;
    // Everybody's cheapest edge leads to the hub, who has a partner, so that all begin alone. Each search finds the next
    // one, and every other vertex is passed over.
    let (hub, mate, leaf) = (0, 1, |number: usize| 2 + number);
    let to_hub = (0..leaves).map(|number| (hub, leaf(number), 0_i64));
    let pairs = (1..leaves - 1)
        .step_by(2)
        .map(|number| (leaf(number), leaf(number + 1), 5));
    let ends = [(leaf(0), leaf(leaves - 1), 10), (hub, mate, 0)];
    let edges: Vec<_> = to_hub.chain(pairs).chain(ends).collect();
    let listener = Listener::default();
    let solver = Blossom::new().engine(Engine::Sparse).observer(listener.ear());
    let best = solver.solve(&graph(2 + leaves, &edges)).expect("they have each other");
    assert_eq!(best.cost(), 5 * 319 + 10);
    let heard = listener.heard();
    let looks = heard.iter().filter(|progress| progress.stage == Stage::Start).count();
    assert!(looks >= leaves / 64, "{looks}");
}

/// Small pools are done before anybody looks at a clock, whether somebody listens or not.
#[test]
fn small_pools_stay_with_their_engine() {
    let cost = from_fn(40, |i, j| ((i * i + 7 * i * j + j * j) % 101) as i64);
    let (solution, heard) = solve_both(&Blossom::new(), |solver| solver.solve(&cost).ok());
    assert_eq!(solution.map(|solution| solution.solved_by().name()), Some("small"));
    assert!(heard.is_empty());
    let (_, heard) = solve_both(&Blossom::new(), |solver| {
        solver.solve_with(&cost, &mut Workspace::new()).ok().cloned()
    });
    assert!(heard.is_empty());
}

#[test]
fn who_listens_may_cancel() {
    let mut rng = ChaCha8Rng::seed_from_u64(103);
    let edges = random_graph(&mut rng, 1_000, SHAPES[2], WEIGHTS[5]);
    let graph = graph(1_000, &edges);
    let cost = from_symmetric_fn(400, |i, j| ((i * j) as i64 * 7_919) % 10_007);
    let solve = |is_dense: bool, solver: &Blossom<i64>| {
        if is_dense {
            solver.clone().engine(Engine::Dense).solve(&cost).unwrap()
        } else {
            solver.solve(&graph).unwrap()
        }
    };
    for is_dense in [false, true] {
        let listener = Listener::default();
        let best = solve(is_dense, &Blossom::new().observer(listener.ear()));
        let looks = listener.heard().len();
        assert!(looks > 4, "{looks}");
        // At the last look of a list there is nothing left to stop.
        for calls in [1, 2, looks / 2, looks - 1] {
            let (token, listener) = (CancelToken::new(), Listener::default());
            let (stop, ear, heard) = (token.clone(), listener.ear(), listener.clone());
            let solver = Blossom::new()
                .budget(Budget::new().cancel(token))
                .observer(move |progress| {
                    ear(progress);
                    if heard.0.lock().unwrap().len() == calls {
                        stop.cancel();
                    }
                });
            let solution = solve(is_dense, &solver);
            let status = solution.status();
            assert!(
                matches!(
                    status,
                    Status::Feasible(StopReason::Cancelled) | Status::Unknown(StopReason::Cancelled)
                ),
                "{status:?} at look {calls} of {looks}"
            );
            assert!(solution.bound() <= best.cost());
            let told = listener.heard().len();
            assert!(
                told >= calls && (is_dense || told == calls),
                "{told} of {calls}: it stops at this look"
            );
        }
    }
}

#[test]
fn a_listener_is_no_part_of_what_is_shown() {
    let solver = Blossom::<i64>::new().observer(|_| {});
    assert!(format!("{solver:?}").contains("Observer(..)"));
    fn stays_as_it_was<T: Send + Sync + core::panic::UnwindSafe + core::panic::RefUnwindSafe + 'static>(_: &T) {}
    stays_as_it_was(&solver);
    stays_as_it_was(&Session::empty());
    assert_eq!(format!("{:>8}", Stage::Start), "   start");
}
