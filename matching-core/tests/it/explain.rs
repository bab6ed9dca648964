//! What forcing or forbidding a pair would change, against all matchings there are.

use std::time::Duration;

use matching_core::cost::{DenseMatrix, from_fn};
use matching_core::verify::VerifyError;
use matching_core::{
    Blossom, Budget, CancelToken, Cost, Degrees, EdgeList, Engine, Error, Explanation, Instance, Objective, Precision,
    Solution, Status, StopReason, WhatIf,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::{SHAPES, Triple, WEIGHTS, graph, objectives, random_graph};

/// What is asked of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Forced,
    Forbidden,
}

/// Number of pairs and total of the best matching that meets a condition, by looking at all of them.
fn best(
    objective: &Objective<i64>,
    n: usize,
    edges: &[Triple],
    (pair, condition): ((usize, usize), Condition),
) -> Option<(usize, i128)> {
    fn all(
        edges: &[Triple],
        mates: &mut Vec<Option<usize>>,
        weight: i128,
        visit: &mut dyn FnMut(&[Option<usize>], i128),
    ) {
        let Some((&(u, v, cost), rest)) = edges.split_first() else {
            return visit(mates, weight);
        };
        all(rest, mates, weight, visit);
        if mates[u].is_none() && mates[v].is_none() {
            (mates[u], mates[v]) = (Some(v), Some(u));
            all(rest, mates, weight + i128::from(cost), visit);
            (mates[u], mates[v]) = (None, None);
        }
    }
    let mut best: Option<(usize, i128)> = None;
    let mut visit = |mates: &[Option<usize>], weight: i128| {
        if (mates[pair.0] == Some(pair.1)) != (condition == Condition::Forced) {
            return;
        }
        let alone: Vec<usize> = (0..n).filter(|&v| mates[v].is_none()).collect();
        let price = |prices: &[i64]| alone.iter().map(|&v| i128::from(prices[v])).sum::<i128>();
        let allowed = match objective {
            Objective::MinPerfect | Objective::MaxPerfect => 0,
            Objective::MinBye(_) => n % 2,
            _ => n,
        };
        if alone.len() > allowed {
            return;
        }
        let pairs = (n - alone.len()) / 2;
        let (total, rank) = match objective {
            Objective::MinPerfect => (weight, (0, weight)),
            Objective::MaxPerfect | Objective::MaxWeight => (weight, (0, -weight)),
            Objective::MaxCardinality => (weight, (-(pairs as i128), -weight)),
            Objective::MinOptOut(prices) | Objective::MinBye(prices) => {
                (weight + price(prices), (0, weight + price(prices)))
            }
            other => panic!("{other:?}"),
        };
        if best.is_none() || rank < rank_of(objective, best.unwrap()) {
            best = Some((pairs, total));
        }
    };
    all(edges, &mut vec![None; n], 0, &mut visit);
    best
}

/// Less is better.
fn rank_of(objective: &Objective<i64>, (pairs, total): (usize, i128)) -> (i128, i128) {
    match objective {
        Objective::MaxCardinality => (-(pairs as i128), -total),
        Objective::MaxPerfect | Objective::MaxWeight => (0, -total),
        _ => (0, total),
    }
}

/// The pairs of an answer form a matching of the graph, with the totals that are claimed.
fn check_pairs(what_if: &WhatIf<i64>, objective: &Objective<i64>, n: usize, edges: &[Triple]) {
    let mut mates = vec![None; n];
    let mut total = 0;
    let pairs: Vec<_> = what_if.pairs().expect("a full matching").collect();
    assert!(pairs.is_sorted());
    for (u, v, weight) in pairs {
        assert!(edges.contains(&(u, v, weight)), "({u}, {v}) of weight {weight}");
        assert!(mates[u].is_none() && mates[v].is_none());
        (mates[u], mates[v]) = (Some(v), Some(u));
        total += i128::from(weight);
    }
    if let Objective::MinOptOut(prices) | Objective::MinBye(prices) = objective {
        let counts = n % 2 == 1 || matches!(objective, Objective::MinOptOut(_));
        let alone = (0..n).filter(|&v| counts && mates[v].is_none());
        total += alone.map(|v| i128::from(prices[v])).sum::<i128>();
    }
    assert_eq!(what_if.cost(), Some(total));
}

/// Compares an explanation with all matchings there are. The solution is optimal.
fn check(explained: &Explanation<i64>, solution: &Solution<i64>, (n, edges): (usize, &[Triple]), pair: (usize, usize)) {
    let objective = solution.objective();
    let weight = edges.iter().find(|edge| (edge.0, edge.1) == pair).map(|edge| edge.2);
    assert_eq!((explained.pair(), explained.cost()), (pair, weight));
    assert_eq!(explained.is_chosen(), solution.mate(pair.0) == Some(pair.1));
    assert_eq!(explained.forced().is_some(), weight.is_some());
    let forced = explained.forced().map(|what_if| (what_if, Condition::Forced));
    let both = forced
        .into_iter()
        .chain([(explained.forbidden(), Condition::Forbidden)]);
    for (what_if, condition) in both {
        let best = best(objective, n, edges, (pair, condition));
        let Some((_, total)) = best else {
            assert!(what_if.is_infeasible() && what_if.witness().is_some());
            assert_eq!((what_if.status(), what_if.cost(), what_if.bound()), (None, None, None));
            assert!(what_if.pairs().is_none() && what_if.change().is_none() && what_if.work().is_none());
            continue;
        };
        assert_eq!(what_if.status(), Some(Status::Optimal));
        let is_itself = (condition == Condition::Forced) == explained.is_chosen();
        assert!(what_if.witness().is_none() && (what_if.work() == Some(0) || !is_itself));
        assert_eq!(
            what_if.cost(),
            Some(total),
            "{objective:?} {pair:?} {condition:?} {edges:?}"
        );
        assert_eq!(what_if.bound(), Some(total));
        assert_eq!(what_if.change(), Some(total - solution.cost()));
        let pairs: Vec<_> = what_if.pairs().expect("an optimum").collect();
        let is_there = pairs.iter().any(|&(u, v, _)| (u, v) == pair);
        assert_eq!(is_there, condition == Condition::Forced);
        let found = (pairs.len(), total);
        assert_eq!(rank_of(objective, found), rank_of(objective, best.unwrap()));
        check_pairs(what_if, objective, n, edges);
    }
}

/// Explains all pairs of an instance under an objective, if it has a solution.
fn check_all<I: Instance<Value = i64> + ?Sized>(
    solver: &Blossom<i64>,
    objective: &Objective<i64>,
    instance: &I,
    (n, edges): (usize, &[Triple]),
) -> usize {
    let solver = solver.clone().objective(objective.clone());
    let solution = match solver.solve(instance) {
        Ok(solution) => solution,
        Err(Error::NoPerfectMatching(_)) => return 0,
        Err(error) => panic!("{error}"),
    };
    let mut asked = 0;
    for (u, v) in (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))) {
        // The question is the solution's; which way round the pair is named changes nothing.
        let asker = if asked % 2 == 0 {
            solver.clone()
        } else {
            Blossom::new().engine(Engine::Sparse)
        };
        let explained = asker.explain(instance, &solution, v, u).expect("an explanation");
        explained.verify(instance, &solution).expect("it follows");
        check(&explained, &solution, (n, edges), (u, v));
        asked += 1;
    }
    asked
}

/// A cost on all pairs that forbids what is no edge.
fn table(n: usize, edges: &[Triple]) -> DenseMatrix<i64> {
    let weight = |i: usize, j: usize| {
        let ends = (i.min(j), i.max(j));
        edges
            .iter()
            .find(|edge| (edge.0, edge.1) == ends)
            .map_or(0, |edge| edge.2)
    };
    let data = (0..n * n).map(|at| weight(at / n, at % n)).collect();
    let mut table = DenseMatrix::square(n, data).unwrap();
    let missing = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
    for (u, v) in missing.filter(|&pair| !edges.iter().any(|edge| (edge.0, edge.1) == pair)) {
        table.forbid_pair(u, v);
    }
    table
}

#[test]
fn all_graphs_of_four_vertices_with_ties_and_negative_weights() {
    let pairs: Vec<(usize, usize)> = (0..4).flat_map(|u| (u + 1..4).map(move |v| (u, v))).collect();
    let (singles, byes) = ([1, -1, 2, 0], [0, 3, -2, 1]);
    let mut asked = 0;
    for code in 0..4usize.pow(6) {
        let digit = |at: usize| code / 4usize.pow(at as u32) % 4;
        let weight = |at: usize| [None, Some(-1), Some(0), Some(2)][digit(at)];
        let edges: Vec<Triple> = (0..6)
            .filter_map(|at| Some((pairs[at].0, pairs[at].1, weight(at)?)))
            .collect();
        let objective = &objectives(&singles, &byes)[code % 6];
        asked += check_all(&Blossom::new(), objective, &graph(4, &edges), (4, &edges));
        let cost = table(4, &edges);
        let engine = [Engine::Auto, Engine::Sparse, Engine::Dense][code / 6 % 3];
        asked += check_all(&Blossom::new().engine(engine), objective, &cost, (4, &edges));
    }
    assert!(asked > 30_000, "{asked}");
}

#[test]
fn random_graphs_and_pools_of_up_to_eight() {
    let mut rng = ChaCha8Rng::seed_from_u64(71);
    let mut asked = 0;
    for round in 0..360 {
        let n = rng.random_range(2..=8);
        // Complete graphs of eight have 764 matchings; lists are looked through edge by edge.
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let mut edges: Vec<Triple> = edges.into_iter().map(|(u, v, w)| (u.min(v), u.max(v), w)).collect();
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-5..20)).collect();
        for objective in &objectives(&singles, &singles) {
            asked += check_all(&Blossom::new(), objective, &graph(n, &edges), (n, &edges));
        }
        edges.sort_unstable();
        let cost = table(n, &edges);
        let engine = [Engine::Auto, Engine::Sparse, Engine::Dense][round % 3];
        for objective in &objectives(&singles, &singles) {
            asked += check_all(&Blossom::new().engine(engine), objective, &cost, (n, &edges));
        }
    }
    assert!(asked > 10_000, "{asked}");
}

/// Whatever a limit leaves of both answers is true.
#[test]
fn a_limit_makes_answers_vague_but_not_wrong() {
    let mut rng = ChaCha8Rng::seed_from_u64(73);
    let mut seen = [0usize; 2];
    for round in 0..400 {
        let n = 2 * rng.random_range(3..=20);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let singles: Vec<i64> = (0..n).map(|_| rng.random_range(-5..20)).collect();
        let objective = &objectives(&singles, &singles)[round % 6];
        let solver = Blossom::new().objective(objective.clone());
        let Ok(exact) = solver.solve(&graph) else { continue };
        let (u, v, _) = edges[rng.random_range(0..edges.len())];
        let truth = solver.explain(&graph, &exact, u, v).expect("an explanation");
        for limit in [0, 5, 50, 200, 1_000, 1_000_000] {
            let stopped = solver.clone().budget(Budget::new().work(limit));
            let Ok(solution) = stopped.solve(&graph) else { continue };
            let explained = stopped.explain(&graph, &solution, u, v).expect("an explanation");
            explained.verify(&graph, &solution).expect("it follows");
            let both = [
                (explained.forced().unwrap(), truth.forced().unwrap()),
                (explained.forbidden(), truth.forbidden()),
            ];
            for (what_if, truth) in both {
                let sign = if truth_is_maximum(objective) { -1 } else { 1 };
                match (what_if.status(), truth.cost()) {
                    (None, truth) => assert_eq!(truth, None),
                    (Some(Status::Optimal), truth) => assert_eq!(what_if.cost(), truth),
                    (Some(Status::Feasible(reason)), truth) => {
                        let (cost, bound, truth) = (what_if.cost().unwrap(), what_if.bound().unwrap(), truth.unwrap());
                        assert_eq!(reason, StopReason::WorkLimit);
                        assert!(sign * bound <= sign * truth, "{objective:?}");
                        assert!(sign * truth <= sign * cost || *objective == Objective::MaxCardinality);
                        let before = solution.cost();
                        let is_full = !matches!(solution.status(), Status::Unknown(_));
                        assert_eq!(what_if.change(), is_full.then_some(cost - before));
                        seen[0] += 1;
                    }
                    (Some(_), truth) => {
                        assert!(what_if.pairs().is_none() && what_if.cost().is_none() && what_if.change().is_none());
                        let bound = what_if.bound().unwrap();
                        assert!(truth.is_none_or(|truth| sign * bound <= sign * truth));
                        seen[1] += 1;
                    }
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

fn truth_is_maximum(objective: &Objective<i64>) -> bool {
    matches!(
        objective,
        Objective::MaxPerfect | Objective::MaxWeight | Objective::MaxCardinality
    )
}

#[test]
fn both_answers_share_a_limit() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    let edges = random_graph(&mut rng, 80, SHAPES[1], WEIGHTS[4]);
    let graph = graph(80, &edges);
    let vague = Blossom::new().budget(Budget::new().work(0)).solve(&graph).unwrap();
    assert!(!vague.is_optimal());
    let (u, v, _) = edges[0];
    let free = Blossom::new().explain(&graph, &vague, u, v).unwrap();
    let work = [free.forced().unwrap(), free.forbidden()].map(|what_if| what_if.work().unwrap());
    let each = Blossom::new().budget(Budget::new().work(work[0].max(work[1])));
    let limited = each.explain(&graph, &vague, u, v).unwrap();
    assert_eq!(limited.forced(), free.forced(), "enough for one");
    let reason = StopReason::WorkLimit;
    let second = limited.forbidden().status();
    assert!(matches!(second, Some(Status::Feasible(found) | Status::Unknown(found)) if found == reason));
}

#[test]
fn a_token_and_the_clock_stop_explanations() {
    let cost = from_fn(60, |i, j| ((i * j) % 17) as i64);
    let best = Blossom::new().solve(&cost).unwrap();
    let token = CancelToken::new();
    token.cancel();
    let limits = [
        (Budget::new().cancel(token), StopReason::Cancelled),
        (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
    ];
    for (budget, reason) in limits {
        let explained = Blossom::new().budget(budget).explain(&cost, &best, 0, 1).unwrap();
        explained.verify(&cost, &best).unwrap();
        let [asked, itself] = if explained.is_chosen() {
            [explained.forbidden(), explained.forced().unwrap()]
        } else {
            [explained.forced().unwrap(), explained.forbidden()]
        };
        assert_eq!(itself.status(), Some(Status::Optimal), "a proven optimum needs no time");
        assert!(
            matches!(asked.status(), Some(Status::Feasible(found) | Status::Unknown(found)) if found == reason),
            "{asked:?}"
        );
        assert!(asked.bound() <= Some(best.cost() + 60 * 17));
        assert!(
            asked
                .cost()
                .is_none_or(|cost| cost >= best.cost() && asked.bound() <= Some(cost))
        );
    }
}

/// A bound of the rest and the pair's weight, each rounded, may not add up to a bound that is too good.
#[test]
fn floats_are_summed_as_solutions_are() {
    let mut rng = ChaCha8Rng::seed_from_u64(79);
    for _ in 0..200 {
        let n = 6;
        let all = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let edges: Vec<(usize, usize, f64)> = all.map(|(u, v)| (u, v, rng.random_range(-1.0..1.0))).collect();
        let graph = EdgeList::new(n, edges.iter().copied()).unwrap();
        let best = Blossom::new().solve(&graph).unwrap();
        let scaled = |weight: f64| (weight * 2f64.powi(60)) as i128;
        for (u, v, weight) in edges {
            let explained = Blossom::new().explain(&graph, &best, u, v).unwrap();
            explained.verify(&graph, &best).unwrap();
            let forced = explained.forced().unwrap();
            let units = |what_if: &WhatIf<f64>| what_if.pairs().unwrap().map(|(_, _, w)| scaled(w)).sum::<i128>();
            // Below 2^-60 nothing counts: uniform floats here are multiples of 2^-53 or so.
            let cost = units(forced) as f64 * 2f64.powi(-60);
            assert_eq!(forced.cost(), Some(cost), "{weight}");
            let before: i128 = best.pairs().map(|(_, _, w)| scaled(w)).sum();
            let change = (units(forced) - before) as f64 * 2f64.powi(-60);
            assert_eq!(forced.change(), Some(change));
            assert!(forced.change() >= Some(0.0) && explained.forbidden().change() >= Some(0.0));
        }
    }
}

#[test]
fn rounded_floats_have_a_bound_that_holds() {
    let wide = [
        (0, 1, 1e-40),
        (2, 3, 1e30),
        (0, 2, 1e30),
        (1, 3, 3e-40),
        (0, 3, 7.0),
        (1, 2, 0.1),
    ];
    let graph = EdgeList::new(4, wide).unwrap();
    let solver = Blossom::new().precision(Precision::Quantised);
    let best = solver.solve(&graph).unwrap();
    assert_eq!(best.status(), Status::Feasible(StopReason::Rounding));
    for (u, v, weight) in wide {
        let explained = solver.explain(&graph, &best, u, v).unwrap();
        explained.verify(&graph, &best).unwrap();
        let forced = explained.forced().unwrap();
        // The pair's only partner is the pair of the other two.
        let other = wide
            .iter()
            .find(|edge| ![edge.0, edge.1].iter().any(|&w| w == u || w == v))
            .unwrap()
            .2;
        assert_eq!(forced.cost(), Some(weight + other));
        assert!(forced.bound() <= forced.cost());
    }
    // Without digits to spare there is no exact answer, with a pair forced or not.
    let refused = Blossom::new().explain(&graph, &best, 0, 1);
    assert!(matches!(refused, Err(Error::PrecisionRequired { .. })), "{refused:?}");
}

#[test]
fn totals_that_leave_their_type_are_left_out() {
    // Each is as large as a solve takes, in 126 bits.
    let far = 1_i128 << 118;
    let graph = EdgeList::new(4, [(0, 1, far), (2, 3, far), (0, 2, -far), (1, 3, -far)]).unwrap();
    let best = Blossom::new().solve(&graph).unwrap();
    assert_eq!(best.cost(), -2 * far);
    let explained = Blossom::new().explain(&graph, &best, 0, 1).unwrap();
    assert_eq!(explained.forced().unwrap().change(), Some(4 * far));
    // A pair that no solve ever sees: it is taken out, and added in the end.
    let huge = EdgeList::new(4, [(0, 1, i128::MAX), (2, 3, 1), (0, 2, 1), (1, 3, 1)]).unwrap();
    let honest = EdgeList::new(4, [(0, 1, 5), (2, 3, 1), (0, 2, 1), (1, 3, 1)]).unwrap();
    let best = Blossom::new().solve(&honest).unwrap();
    let explained = Blossom::new().explain(&huge, &best, 0, 1).unwrap();
    explained.verify(&huge, &best).unwrap();
    let forced = explained.forced().unwrap();
    assert_eq!(
        (forced.status(), forced.cost(), forced.change()),
        (Some(Status::Optimal), None, None)
    );
    assert_eq!((forced.bound(), forced.pairs().unwrap().len()), (None, 2));
}

/// The total of what is left without a pair that is forced may be beyond all floats where the total with it is not, and so may
/// be the best total of all: that was an error, as of a solve.
#[test]
fn totals_beyond_all_floats_are_no_errors() {
    let (great, fine) = (2f64.powi(1023), f64::MIN_POSITIVE);
    let others = [(2, 3, great), (4, 5, great), (0, 2, 0.0), (1, 4, 0.0), (3, 5, 0.0)];
    for (weight, cost) in [(-1.5 * great, Some(great / 2.0)), (great, None)] {
        for precision in [Precision::Exact, Precision::Quantised] {
            // So fine a cost is on no grid with the others; it is in no perfect matching.
            let odd = (precision == Precision::Quantised).then_some((2, 5, fine));
            let edges = others.into_iter().chain([(0, 1, weight)]).chain(odd);
            let graph = EdgeList::new(6, edges).unwrap();
            let solver = Blossom::new().precision(precision);
            let best = solver.solve(&graph).unwrap();
            let (forced, forbidden) = {
                let why = solver.explain(&graph, &best, 1, 0).unwrap();
                why.verify(&graph, &best).unwrap();
                let other = solver.explain(&graph, &best, 0, 2).unwrap();
                other.verify(&graph, &best).unwrap();
                (why.forced().unwrap().clone(), other.forbidden().clone())
            };
            for what_if in [forced, forbidden] {
                assert_eq!(what_if.pairs().unwrap().len(), 3);
                assert_eq!((what_if.cost(), what_if.change()), (cost, cost));
                assert!(cost.is_none() || what_if.bound() <= cost);
            }
            let one_each = solver.solve_degrees(&graph, &Degrees::exactly(vec![1; 6])).unwrap();
            let why = solver.explain_degrees(&graph, &one_each, 0, 1).unwrap();
            why.verify(&graph, &one_each).unwrap();
            assert_eq!(why.forced().unwrap().cost(), cost);
            let why = solver.explain_degrees(&graph, &one_each, 0, 2).unwrap();
            why.verify(&graph, &one_each).unwrap();
            assert_eq!((why.forbidden().cost(), why.forbidden().change()), (cost, cost));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let cost = from_fn(6, |i, j| (i + j) as i64);
    let best = Blossom::new().solve(&cost).unwrap();
    let larger = from_fn(8, |i, j| (i + j) as i64);
    let error = Blossom::new().explain(&larger, &best, 0, 1).unwrap_err();
    assert!(matches!(
        error,
        Error::LengthMismatch {
            expected: 8,
            found: 6,
            ..
        }
    ));
    let explained = Blossom::new().explain(&cost, &best, 0, 1).unwrap();
    assert!(matches!(explained.verify(&larger, &best), Err(VerifyError::Input(_))));
    let oblong = matching_core::cost::from_rectangular_fn(6, 5, |_, _| 1_i64);
    let error = Blossom::new().explain(&oblong, &best, 0, 1).unwrap_err();
    assert_eq!(error, Error::NotSquare { rows: 6, cols: 5 });
    // Errors about the rest name the caller's vertices.
    let broken = from_fn(6, |i, j| if (i, j) == (4, 5) { 99 } else { (i + j) as i64 });
    let (u, v) = best.pairs().map(|(u, v, _)| (u, v)).find(|&(u, _)| u == 0).unwrap();
    let other = (1..6).find(|&w| w != v && w < 4).unwrap();
    let error = Blossom::new().explain(&broken, &best, u, other).unwrap_err();
    assert_eq!(error, Error::Asymmetric { u: 4, v: 5 });
    // So do those of the check, which named them as they are called without the pair.
    let honest = Blossom::new().explain(&cost, &best, u, other).unwrap();
    assert_eq!(honest.verify(&broken, &best), Err(VerifyError::Input(error)));
    let overflowing = from_fn(6, |_, _| i32::MAX).scaled(2);
    let unscaled = Blossom::new().solve(&from_fn(6, |_, _| i32::MAX)).unwrap();
    let error = Blossom::new().explain(&overflowing, &unscaled, 1, 2).unwrap_err();
    assert_eq!(error, Error::CostOverflow { u: 1, v: 2 });
}

#[test]
fn an_explanation_of_something_else_is_refused() {
    let gap = |shift: i64| from_fn(6, move |i, j| ((i * i + j * j) as i64 + shift * (i * j) as i64) % 23);
    let (cost, other) = (gap(1), gap(5));
    let best = Blossom::new().solve(&cost).unwrap();
    let mut refused = 0;
    for (u, v) in (0..6).flat_map(|u| (u + 1..6).map(move |v| (u, v))) {
        let explained = Blossom::new().explain(&cost, &best, u, v).unwrap();
        explained.verify(&cost, &best).unwrap();
        if cost.pair(u, v) != other.pair(u, v) {
            let error = explained.verify(&other, &best).unwrap_err();
            assert!(matches!(error, VerifyError::Explanation { .. }), "{error}");
            assert!(error.to_string().starts_with(&format!("pair ({u}, {v})")), "{error}");
            refused += 1;
        }
        // The same pairs at another price, and the same question about another solution.
        let dearer = from_fn(6, |i, j| cost.pair(i, j) + i64::from((i.min(j), i.max(j)) != (u, v)));
        assert!(explained.verify(&dearer, &best).is_err());
        let worst = Blossom::new().objective(Objective::MaxPerfect).solve(&cost).unwrap();
        assert!(explained.verify(&cost, &worst).is_err());
    }
    assert!(refused > 5);
}

#[test]
#[should_panic(expected = "two different vertices")]
fn a_vertex_is_no_pair() {
    let cost = from_fn(4, |_, _| 1_i64);
    let best = Blossom::new().solve(&cost).unwrap();
    let _ = Blossom::new().explain(&cost, &best, 2, 2);
}
