//! The worst pair first, against all pairings, against another solver's matchings of greatest cardinality, and within limits.

use std::collections::BTreeSet;

use matching_core::{
    Blossom, Bottleneck, Budget, CancelToken, Cost, CostValue, EdgeList, Engine, Error, Instance, Objective, Precision,
    Status, StopReason, cost, verify,
};
use mwmatching::Matching;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::support::Triple;

/// Worst pair and total of a pairing; a smaller one is better.
type Value = (Option<i64>, i128);

/// All ways to pair those who are left.
struct AllPairings<'a> {
    edges: &'a [Triple],
    byes: &'a [i64],
    /// Weights count by it.
    sign: i64,
    best: Option<Value>,
}

impl AllPairings<'_> {
    /// Offers every way to pair `left`, of whom as many as `spare` may stay alone, beside what the others have.
    fn visit(&mut self, left: &mut Vec<usize>, spare: usize, (worst, total): Value) {
        let Some(u) = left.pop() else {
            self.best = Some(self.best.map_or((worst, total), |best| best.min((worst, total))));
            return;
        };
        if spare > 0 {
            self.visit(left, spare - 1, (worst, total + i128::from(self.byes[u])));
        }
        for at in 0..left.len() {
            let v = left.remove(at);
            let edge = self.edges.iter().find(|&&(a, b, _)| (a, b) == (u.min(v), u.max(v)));
            if let Some(&(_, _, weight)) = edge {
                let weight = self.sign * weight;
                let worst = worst.map_or(weight, |worst| worst.max(weight));
                self.visit(left, spare, (Some(worst), total + i128::from(weight)));
            }
            left.insert(at, v);
        }
        left.push(u);
    }
}

/// An answer that is checked, or that there is none, checked as well.
#[track_caller]
fn checked<I, V>(blossom: &Blossom<V>, objective: &Objective<V>, instance: &I) -> Option<Bottleneck<V>>
where
    I: Instance<Value = V> + ?Sized,
    V: CostValue,
{
    match blossom.clone().objective(objective.clone()).solve_bottleneck(instance) {
        Ok(answer) => {
            answer
                .verify(instance)
                .unwrap_or_else(|error| panic!("answer refused: {error}, {answer:?}"));
            Some(answer)
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(instance, objective, &witness).expect("a witness that holds");
            None
        }
        Err(error) => panic!("no answer: {error}"),
    }
}

fn random_edges(n: usize, weights: i64, rng: &mut ChaCha8Rng) -> Vec<Triple> {
    let density = rng.random_range(0.3..=1.0);
    let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
    let mut edges = Vec::new();
    for (u, v) in pairs {
        if rng.random_bool(density) {
            edges.push((u, v, rng.random_range(-weights..=weights)));
        }
    }
    edges
}

/// The costs of a list, on all pairs.
fn as_cost<V: CostValue>(n: usize, edges: &[Triple<V>]) -> impl Cost<Value = V> {
    let mut table = vec![None; n * n];
    for &(u, v, weight) in edges {
        table[u * n + v] = Some(weight);
        table[v * n + u] = Some(weight);
    }
    let allowed = table.clone();
    cost::from_symmetric_fn(n, move |i, j| table[i * n + j].unwrap_or(V::zero()))
        .restricted(move |i, j| allowed[i * n + j].is_some())
}

#[test]
fn as_fair_as_the_fairest_of_all_pairings() {
    let rng = &mut ChaCha8Rng::seed_from_u64(41);
    let (mut solved, mut refused, mut dearer) = (0, 0, 0);
    for round in 0..6_000 {
        let n = rng.random_range(0..=9);
        let edges = random_edges(n, [1, 3, 30, i64::MAX >> 8][round % 4], rng);
        let byes: Vec<i64> = (0..n).map(|_| rng.random_range(-20..20)).collect();
        let objective = match rng.random_range(0..3) {
            0 => Objective::MinPerfect,
            1 => Objective::MaxPerfect,
            _ => Objective::MinBye(byes.clone()),
        };
        let sign = if objective == Objective::MaxPerfect { -1 } else { 1 };
        let spare = if matches!(objective, Objective::MinBye(_)) {
            n % 2
        } else {
            0
        };
        let mut all = AllPairings {
            edges: &edges,
            byes: &byes,
            sign,
            best: None,
        };
        all.visit(&mut (0..n).collect(), spare, (None, 0));
        let best = all.best;
        let graph = EdgeList::new(n, edges.iter().copied()).expect("edges");
        let pairs = as_cost(n, &edges);
        let blossom = Blossom::new();
        let answers = [
            checked(&blossom, &objective, &graph),
            checked(&blossom, &objective, &pairs),
            checked(&blossom.clone().engine(Engine::Dense), &objective, &pairs),
            checked(&blossom.engine(Engine::Sparse), &objective, &graph),
        ];
        for answer in answers {
            let found = answer.as_ref().map(|answer| {
                assert!(answer.is_optimal() && answer.worst() == answer.bound());
                let worst = answer.worst().map(|worst| sign * worst);
                (worst, i128::from(sign) * answer.solution().cost())
            });
            assert_eq!(found, best, "{objective:?} on {edges:?}");
        }
        match best {
            Some((_, total)) => {
                solved += 1;
                let cheapest = Blossom::new()
                    .objective(objective)
                    .solve(&graph)
                    .expect("the same pairs");
                dearer += usize::from(total > i128::from(sign) * cheapest.cost());
            }
            None => refused += 1,
        }
    }
    assert!(
        solved > 2_000 && refused > 1_000 && dearer > 300,
        "{solved} {refused} {dearer}"
    );
}

/// How many vertices another solver can match by edges within a limit.
fn matched_within(edges: &[Triple], limit: i64) -> usize {
    let left = edges.iter().filter(|edge| edge.2 <= limit);
    let alike: Vec<_> = left.map(|&(u, v, _)| (u, v, 1)).collect();
    let mates = Matching::new(alike).max_cardinality().solve();
    mates.iter().filter(|&&mate| mate != mwmatching::SENTINEL).count()
}

/// Some three edges a vertex, with a pairing among them, so that paths are long and blossoms lie in blossoms.
fn few_edges(n: usize, weights: i64, rng: &mut ChaCha8Rng) -> Vec<Triple> {
    let mut names: Vec<usize> = (0..n).collect();
    names.shuffle(rng);
    let mut pairs: Vec<(usize, usize)> = names.chunks(2).map(|pair| (pair[0], pair[1])).collect();
    pairs.extend((0..n).map(|u| (u, rng.random_range(0..n))));
    let pairs = pairs.into_iter().map(|(u, v)| (u.min(v), u.max(v)));
    let pairs: BTreeSet<_> = pairs.filter(|(u, v)| u != v).collect();
    pairs
        .into_iter()
        .map(|(u, v)| (u, v, rng.random_range(-weights..=weights)))
        .collect()
}

#[test]
fn no_other_solver_matches_all_within_less() {
    let rng = &mut ChaCha8Rng::seed_from_u64(42);
    for round in 0..240 {
        let n = 2 * rng.random_range(5..=45);
        let weights = [2, 20, 1_000, 1 << 40][round % 4];
        let edges = if round % 3 == 0 {
            few_edges(n, weights, rng)
        } else {
            random_edges(n, weights, rng)
        };
        let graph = EdgeList::new(n, edges.iter().copied()).expect("edges");
        let Some(answer) = checked(&Blossom::new(), &Objective::MinPerfect, &graph) else {
            assert!(matched_within(&edges, i64::MAX) < n);
            continue;
        };
        let worst = answer.worst().expect("pairs");
        assert!(matched_within(&edges, worst) == n && matched_within(&edges, worst - 1) < n);
    }
}

/// Products of two numbers: the worst pair of the least total is far from the best worst pair, so that many limits are looked at.
fn products(n: usize, rng: &mut ChaCha8Rng) -> impl Cost<Value = i64> + use<> {
    let numbers: Vec<(i64, i64)> = (0..n)
        .map(|_| (rng.random_range(0..1_000), rng.random_range(-300..300)))
        .collect();
    cost::from_symmetric_fn(n, move |i, j| {
        let (a, b) = (numbers[i], numbers[j]);
        (a.0 - b.0) * (a.1 - b.1)
    })
}

#[test]
fn hundreds_of_vertices_and_any_number_of_threads() {
    let rng = &mut ChaCha8Rng::seed_from_u64(43);
    for n in [150, 260, 401] {
        let objective = Objective::MinBye(vec![0; n]);
        let pairs = products(n, rng);
        let one = checked(&Blossom::new().threads(1), &objective, &pairs).expect("all pairs");
        let two = checked(&Blossom::new().threads(2), &objective, &pairs).expect("all pairs");
        assert_eq!(one, two);
        let list = checked(
            &Blossom::new().engine(Engine::Sparse),
            &objective,
            &*pairs.to_edges().expect("edges"),
        );
        let list = list.expect("the same pairs");
        assert_eq!(
            (list.worst(), list.solution().cost()),
            (one.worst(), one.solution().cost())
        );
        let cheapest = Blossom::new().objective(objective).solve(&pairs).expect("all pairs");
        assert!(cheapest.cost() < one.solution().cost());
    }
}

#[test]
fn floats_are_compared_as_they_are() {
    let rng = &mut ChaCha8Rng::seed_from_u64(44);
    for _ in 0..300 {
        let n = 2 * rng.random_range(1..=5);
        let edges: Vec<Triple> = random_edges(n, 12, rng);
        // The same order, with gaps far below what a rounded grid could tell apart.
        let float = |weight: i64| 1.0 + weight as f64 * f64::EPSILON;
        let floats: Vec<Triple<f64>> = edges.iter().map(|&(u, v, weight)| (u, v, float(weight))).collect();
        let graph = EdgeList::new(n, edges.iter().copied()).expect("edges");
        let integer = checked(&Blossom::new(), &Objective::MinPerfect, &graph);
        for precision in [Precision::Exact, Precision::Quantised] {
            let blossom = Blossom::new().precision(precision);
            let list = EdgeList::new(n, floats.iter().copied()).expect("edges");
            for answer in [
                checked(&blossom, &Objective::MinPerfect, &list),
                checked(&blossom, &Objective::MinPerfect, &as_cost(n, &floats)),
            ] {
                let worst = answer.and_then(|answer| answer.worst());
                assert_eq!(worst, integer.as_ref().and_then(Bottleneck::worst).map(float));
            }
        }
    }
    // Costs that no grid of 128 bits holds together: rounded they have a total, and the worst pair is what it is.
    let apart = [(0, 1, 1e-300), (2, 3, 1e300), (0, 2, 2e-300), (1, 3, 1e299)];
    let list = EdgeList::new(4, apart).expect("edges");
    assert!(matches!(
        Blossom::new().solve_bottleneck(&list),
        Err(Error::PrecisionRequired { .. })
    ));
    let rounded = Blossom::new().precision(Precision::Quantised);
    let answer = checked(&rounded, &Objective::MinPerfect, &list).expect("two pairings");
    assert_eq!((answer.worst(), answer.bound()), (Some(1e299), Some(1e299)));
    assert_eq!(answer.status(), Status::Feasible(StopReason::Rounding));
}

#[test]
fn whatever_stops_it_what_was_found_stays() {
    let rng = &mut ChaCha8Rng::seed_from_u64(45);
    for (n, precision) in [
        (40, Precision::Exact),
        (150, Precision::Quantised),
        (211, Precision::Exact),
    ] {
        let objective = Objective::MinBye((0..n).map(|v| (v % 7) as f64).collect());
        let numbers: Vec<(f64, f64)> = (0..n)
            .map(|_| (rng.random_range(0.0..1.0), rng.random_range(-0.3..0.3)))
            .collect();
        let product = |i: usize, j: usize| (numbers[i].0 - numbers[j].0) * (numbers[i].1 - numbers[j].1);
        let pairs = cost::from_symmetric_fn(n, product);
        let whole = checked(&Blossom::new(), &objective, &pairs).expect("all pairs");
        let most = whole.worst().expect("pairs");
        let (mut feasible, mut partly) = (0, 0);
        let work = whole.solution().work();
        for step in 0..60 {
            let budget = Budget::new().work(work * step / 50);
            let blossom = Blossom::new().budget(budget).precision(precision);
            let answer = checked(&blossom, &objective, &pairs).expect("all pairs");
            match answer.status() {
                Status::Feasible(_) => {
                    let (worst, bound) = (answer.worst().expect("pairs"), answer.bound().expect("a bound"));
                    assert!(bound <= most && most <= worst);
                    feasible += 1;
                    partly += usize::from(bound < worst);
                }
                _ => assert_eq!(
                    (&answer.worst(), answer.solution().cost()),
                    (&Some(most), whole.solution().cost())
                ),
            }
        }
        assert!(feasible > 5 && partly > 5, "{feasible} {partly}");
    }
}

/// An answer whose worst pair was better than was said of it was refused by the check.
#[test]
fn a_worst_pair_is_what_it_is_wherever_a_limit_comes() {
    let rng = &mut ChaCha8Rng::seed_from_u64(47);
    let (mut partly, mut whole) = (0, 0);
    for _ in 0..150 {
        let n = 2 * rng.random_range(2..=20);
        let pairs = products(n, rng);
        let edges = pairs.to_edges().expect("edges");
        for objective in [Objective::MinPerfect, Objective::MaxPerfect] {
            let best = checked(&Blossom::new(), &objective, &pairs).expect("all pairs");
            for engine in [Engine::Auto, Engine::Dense, Engine::Sparse] {
                let work = rng.random_range(0..=2 * best.solution().work());
                let blossom = Blossom::new().engine(engine).budget(Budget::new().work(work));
                for answer in [
                    checked(&blossom, &objective, &pairs),
                    checked(&blossom, &objective, &*edges),
                ] {
                    let answer = answer.expect("all pairs");
                    if answer.is_optimal() {
                        let values = |answer: &Bottleneck<i64>| (answer.worst(), answer.solution().cost());
                        assert_eq!(values(&answer), values(&best));
                        whole += 1;
                    } else {
                        partly += 1;
                    }
                }
            }
        }
    }
    assert!(partly > 200 && whole > 200, "{partly} {whole}");
}

#[test]
fn nothing_found_is_nothing_said() {
    let rng = &mut ChaCha8Rng::seed_from_u64(46);
    let token = CancelToken::new();
    token.cancel();
    let blossom = Blossom::new().budget(Budget::new().cancel(token));
    let mut unknown = 0;
    for _ in 0..100 {
        let n = 40;
        // In no order: what is put together without a search sometimes leaves two over.
        let mut names: Vec<usize> = (0..n).collect();
        names.shuffle(rng);
        let mut edges: Vec<Triple> = names.chunks(2).map(|pair| (pair[0], pair[1], 1_000)).collect();
        edges.extend((0..2 * n).filter_map(|_| {
            let (u, v) = (rng.random_range(0..n), rng.random_range(0..n));
            (u != v).then(|| (u, v, rng.random_range(0..100)))
        }));
        let graph = EdgeList::new(n, edges).expect("edges");
        let answer = checked(&blossom, &Objective::MinPerfect, &graph).expect("a perfect matching");
        match answer.status() {
            Status::Unknown(reason) => {
                assert_eq!(reason, StopReason::Cancelled);
                assert_eq!((answer.worst(), answer.bound(), answer.witness()), (None, None, None));
                unknown += 1;
            }
            status => assert_eq!(status, Status::Feasible(StopReason::Cancelled)),
        }
    }
    assert!(unknown > 5, "{unknown}");
}

#[test]
fn no_vertices_one_and_two() {
    let alone = |n: usize| Objective::MinBye(vec![5_i64; n]);
    for n in [0, 1] {
        let empty = EdgeList::new(n, []).expect("no edges");
        let answer = checked(&Blossom::new(), &alone(n), &empty).expect("nobody to pair");
        assert!(answer.is_optimal());
        assert_eq!((answer.worst(), answer.bound(), answer.witness()), (None, None, None));
        assert_eq!(answer.solution().cost(), 5 * n as i128);
    }
    let pair = EdgeList::new(2, [(0, 1, -7_i64)]).expect("an edge");
    let answer = checked(&Blossom::new(), &alone(2), &pair).expect("a pair");
    assert_eq!(
        (answer.worst(), answer.bound(), answer.solution().cost()),
        (Some(-7), Some(-7), -7)
    );
    assert_eq!(answer.witness().map(|witness| witness.deficiency()), Some(2));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let square = EdgeList::new(4, [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 1)]).expect("edges");
    for objective in [
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(vec![1; 4]),
    ] {
        let refused = Blossom::new().objective(objective).solve_bottleneck(&square);
        let error = refused.expect_err("nobody needs a partner");
        assert_eq!(error, Error::ObjectiveWithBottleneck);
        assert!(error.to_string().contains("`MinPerfect`, `MaxPerfect` or `MinBye`"));
    }
    let one_way = cost::from_fn(4, |i, j| i as i64 - j as i64);
    assert_eq!(
        Blossom::new().solve_bottleneck(&one_way).err(),
        Some(Error::Asymmetric { u: 0, v: 1 })
    );
    let no_number = cost::from_symmetric_fn(4, |i, j| if i + j == 5 { f64::NAN } else { 1.0 });
    assert_eq!(
        Blossom::new().solve_bottleneck(&no_number).err(),
        Some(Error::NotANumber { u: 2, v: 3 })
    );
    let too_wide = cost::from_symmetric_fn(4, |i, j| if i + j == 5 { i64::MAX } else { 1 }).scaled(2);
    assert_eq!(
        Blossom::new().solve_bottleneck(&too_wide).err(),
        Some(Error::CostOverflow { u: 2, v: 3 })
    );
    let byes = Blossom::new().objective(Objective::MinBye(vec![0; 3]));
    assert!(matches!(
        byes.solve_bottleneck(&square),
        Err(Error::LengthMismatch { .. })
    ));
    let odd = cost::from_symmetric_fn(5, |i, j| (i + j) as i64);
    assert!(matches!(
        Blossom::new().solve_bottleneck(&odd),
        Err(Error::NoPerfectMatching(_))
    ));
}

/// The answer for one input was taken for another whose worst pair is the same.
#[test]
fn an_answer_holds_for_its_input_alone() {
    let before = [(0, 1, 5_i64), (2, 3, 9), (0, 2, 8), (1, 3, 9), (0, 3, 20), (1, 2, 20)];
    let graph = EdgeList::new(4, before).expect("edges");
    let answer = checked(&Blossom::new(), &Objective::MinPerfect, &graph).expect("pairs");
    assert_eq!((answer.worst(), answer.solution().cost()), (Some(9), 14));
    let mut accepted = 0;
    for (at, weight) in [(0, 9), (1, 8), (3, 5), (4, 7), (5, 7), (2, 9)] {
        let mut other = graph.clone();
        other.set_weight(at, weight).expect("a number");
        let best = checked(&Blossom::new(), &Objective::MinPerfect, &other).expect("pairs");
        let is_same = (best.worst(), best.solution().cost()) == (Some(9), 14);
        let is_its_own = answer
            .solution()
            .pairs()
            .all(|(u, v, cost)| other.iter().any(|edge| edge == (u, v, cost)));
        // Certificates may be about costs that changed, so that what is true need not be proven by them.
        let is_accepted = answer.verify(&other).is_ok();
        assert!(!is_accepted || is_same && is_its_own, "edge {at} at {weight}");
        accepted += usize::from(is_accepted);
    }
    assert!((1..6).contains(&accepted), "{accepted}");
}

/// The least total of all was beyond all floats, and an error, though nobody asks for it here.
#[test]
fn only_the_total_that_is_told_has_to_be_a_float() {
    let (great, least) = (2f64.powi(1023), 2f64.powi(999));
    let cheapest = [(0, 1, -1.5 * great), (2, 3, -great), (4, 5, 2.0 * least)];
    let fairest = [(0, 2, least), (1, 4, least), (3, 5, least)];
    let graph = EdgeList::new(6, cheapest.into_iter().chain(fairest)).expect("edges");
    assert_eq!(Blossom::new().solve(&graph), Err(Error::TotalOutOfRange));
    let answer = Blossom::new().solve_bottleneck(&graph).expect("pairs");
    assert_eq!(answer.verify(&graph), Ok(()));
    assert_eq!((answer.worst(), answer.solution().cost()), (Some(least), 3.0 * least));
    // The worst pair of these is the best there is.
    let alone = EdgeList::new(6, cheapest).expect("edges");
    assert_eq!(
        Blossom::new().solve_bottleneck(&alone).err(),
        Some(Error::TotalOutOfRange)
    );
}
