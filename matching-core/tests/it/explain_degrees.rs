//! What forcing or forbidding a pair would change where everybody has several partners, against all choices of edges.

use std::time::Duration;

use matching_core::cost::{DenseMatrix, from_symmetric_fn};
use matching_core::verify::{self, VerifyError};
use matching_core::{
    BMatching, Blossom, Budget, CancelToken, Degrees, DegreesExplanation, DegreesWhatIf, EdgeList, Error, Objective,
    Precision, Status, StopReason,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What is asked of the pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Forced,
    Forbidden,
}

/// The least of all totals that meet a condition, of which `sign` says whether small or great ones are sought.
fn best(
    graph: &EdgeList<i64>,
    degrees: &Degrees<i64>,
    sign: i128,
    (pair, condition): ((usize, usize), Condition),
) -> Option<i128> {
    let edges: Vec<_> = graph.iter().collect();
    let total = |choice: u32| {
        let mut counts = vec![0u32; graph.len()];
        let mut total = 0i128;
        let mut has_pair = false;
        for (_, &(u, v, weight)) in edges.iter().enumerate().filter(|&(at, _)| choice >> at & 1 == 1) {
            (counts[u], counts[v]) = (counts[u] + 1, counts[v] + 1);
            total += i128::from(weight);
            has_pair |= (u, v) == pair;
        }
        for (v, &count) in counts.iter().enumerate() {
            if count < degrees.least()[v] || count > degrees.most()[v] {
                return None;
            }
            total += i128::from(degrees.price(v)) * i128::from(degrees.most()[v] - count);
        }
        (has_pair == (condition == Condition::Forced)).then_some(sign * total)
    };
    (0..1u32 << edges.len())
        .filter_map(total)
        .min()
        .map(|total| sign * total)
}

fn random_graph(n: usize, most_edges: usize, weights: i64, rng: &mut ChaCha8Rng) -> EdgeList<i64> {
    let density = rng.random_range(0.3..1.0);
    let mut edges = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if rng.random_bool(density) && edges.len() < most_edges {
                edges.push((u, v, rng.random_range(-weights..=weights)));
            }
        }
    }
    EdgeList::new(n, edges).expect("edges")
}

/// The same as a cost on all pairs, most of which may be forbidden.
fn table(graph: &EdgeList<i64>) -> DenseMatrix<i64> {
    let n = graph.len();
    let mut entries = vec![None; n * n];
    for (u, v, weight) in graph.iter() {
        (entries[u * n + v], entries[v * n + u]) = (Some(weight), Some(weight));
    }
    DenseMatrix::from_options(n, n, &entries).expect("a square")
}

/// Exact numbers or bounds, near what the graph has room for, now and then at a price.
fn random_degrees(graph: &EdgeList<i64>, weights: i64, rng: &mut ChaCha8Rng) -> Degrees<i64> {
    let mut counts = vec![0u32; graph.len()];
    for (u, v, _) in graph.iter() {
        (counts[u], counts[v]) = (counts[u] + 1, counts[v] + 1);
    }
    let away = rng.random_range(0..3);
    let most: Vec<u32> = counts
        .iter()
        .map(|&count| match rng.random_range(0..8) {
            0 => rng.random_range(0..=count + 1),
            1 => u32::MAX,
            _ => count.saturating_sub(rng.random_range(0..=away)),
        })
        .collect();
    let kind = rng.random_range(0..4);
    let least = most.iter().zip(&counts).map(|(&most, &count)| match kind {
        0 if most <= count => most,
        1 => 0,
        2 => most.min(count).saturating_sub(rng.random_range(0..3)),
        _ => rng.random_range(0..=most.min(count)),
    });
    let degrees = Degrees::between(least.collect(), most);
    if rng.random_bool(0.5) {
        degrees.missing((0..graph.len()).map(|_| rng.random_range(-weights..=weights)).collect())
    } else {
        degrees
    }
}

/// Everybody has as many partners as he should by the pairs of an answer, with the total that is claimed; and those that are
/// named as added and dropped are what makes the difference.
fn check_pairs(what_if: &DegreesWhatIf<i64>, graph: &EdgeList<i64>, answer: &BMatching<i64>) {
    let pairs: Vec<_> = what_if.pairs().expect("an answer").collect();
    assert!(pairs.is_sorted_by(|one, other| (one.0, one.1) < (other.0, other.1)));
    let mut counts = vec![0u32; graph.len()];
    let mut total = 0;
    for &(u, v, weight) in &pairs {
        assert!(
            graph.iter().any(|edge| edge == (u, v, weight)),
            "({u}, {v}) of {weight}"
        );
        (counts[u], counts[v]) = (counts[u] + 1, counts[v] + 1);
        total += i128::from(weight);
    }
    let degrees = answer.degrees();
    for (v, &count) in counts.iter().enumerate() {
        assert!((degrees.least()[v]..=degrees.most()[v]).contains(&count));
        total += i128::from(degrees.price(v)) * i128::from(degrees.most()[v] - count);
    }
    assert_eq!(what_if.cost(), Some(total));
    let mut rebuilt: Vec<_> = answer.pairs().collect();
    for pair in what_if.dropped() {
        let at = rebuilt.iter().position(|&before| before == pair).expect("it was there");
        rebuilt.remove(at);
    }
    for pair in what_if.added() {
        assert!(!rebuilt.contains(&pair));
        rebuilt.push(pair);
    }
    rebuilt.sort_unstable();
    assert_eq!(rebuilt, pairs);
}

/// Compares an explanation with all choices of edges. The answer is optimal.
fn check(
    explained: &DegreesExplanation<i64>,
    answer: &BMatching<i64>,
    graph: &EdgeList<i64>,
    (sign, pair): (i128, (usize, usize)),
) -> [usize; 3] {
    let weight = graph.iter().find(|edge| (edge.0, edge.1) == pair).map(|edge| edge.2);
    let is_chosen = answer.pairs().any(|(u, v, _)| (u, v) == pair);
    assert_eq!((explained.pair(), explained.cost()), (pair, weight));
    assert_eq!(explained.is_chosen(), is_chosen);
    assert_eq!(explained.forced().is_some(), weight.is_some());
    let forced = explained.forced().map(|what_if| (what_if, Condition::Forced));
    let both = forced
        .into_iter()
        .chain([(explained.forbidden(), Condition::Forbidden)]);
    let mut seen = [0; 3];
    for (what_if, condition) in both {
        let best = best(graph, answer.degrees(), sign, (pair, condition));
        let case = || format!("{pair:?} {condition:?} {graph:?} {:?}", answer.degrees());
        let Some(total) = best else {
            assert!(what_if.is_infeasible(), "{}", case());
            assert_eq!((what_if.status(), what_if.cost(), what_if.bound()), (None, None, None));
            assert!(what_if.pairs().is_none() && what_if.change().is_none());
            assert_eq!((what_if.added().len(), what_if.dropped().len()), (0, 0));
            match what_if.barred() {
                Some(barred) => {
                    assert!(condition == Condition::Forced && [pair.0, pair.1].contains(&barred));
                    assert_eq!((answer.degrees().most()[barred], what_if.work()), (0, Some(0)));
                    assert!(what_if.witness().is_none());
                    seen[1] += 1;
                }
                None => {
                    let missing = what_if.witness().expect("a witness").missing();
                    assert!(missing > 0 && what_if.work().is_none());
                    seen[2] += 1;
                }
            }
            continue;
        };
        assert_eq!(what_if.status(), Some(Status::Optimal), "{}", case());
        assert_eq!(what_if.cost(), Some(total), "{}", case());
        assert_eq!(what_if.bound(), Some(total));
        assert_eq!(what_if.change(), Some(total - answer.cost()));
        let is_itself = (condition == Condition::Forced) == is_chosen;
        assert!(what_if.work() == Some(0) || !is_itself);
        assert!(what_if.witness().is_none() && what_if.barred().is_none());
        let mut pairs = what_if.pairs().expect("an answer");
        assert_eq!(
            pairs.any(|(u, v, _)| (u, v) == pair),
            condition == Condition::Forced,
            "{}",
            case()
        );
        assert!(!is_itself || what_if.added().len() + what_if.dropped().len() == 0);
        check_pairs(what_if, graph, answer);
        seen[0] += 1;
    }
    seen
}

fn objectives() -> [(Objective<i64>, i128); 2] {
    [(Objective::MinPerfect, 1), (Objective::MaxPerfect, -1)]
}

#[test]
fn whatever_is_forced_or_forbidden_it_is_the_best_of_all_choices() {
    let rng = &mut ChaCha8Rng::seed_from_u64(91);
    let mut seen = [0usize; 3];
    for round in 0..500 {
        let n = rng.random_range(2..8);
        let weights = [1, 3, 30, i64::MAX >> 8][round % 4];
        let graph = random_graph(n, 10, weights, rng);
        let cost = table(&graph);
        let degrees = random_degrees(&graph, weights, rng);
        for (objective, sign) in objectives() {
            let solver = Blossom::new().objective(objective);
            let answer = match solver.solve_degrees(&graph, &degrees) {
                Ok(answer) => answer,
                Err(Error::NoDegrees(_)) => continue,
                Err(error) => panic!("{error}"),
            };
            for (u, v) in (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))) {
                // The question is the answer's; which way round the pair is named changes nothing, nor does who asks, nor what
                // of.
                let explained = if round % 2 == 0 {
                    Blossom::new().explain_degrees(&graph, &answer, v, u)
                } else {
                    solver.explain_degrees(&cost, &answer, u, v)
                };
                let explained = explained.expect("an explanation");
                explained.verify(&graph, &answer).expect("it follows");
                explained.verify(&cost, &answer).expect("it follows");
                let found = check(&explained, &answer, &graph, (sign, (u, v)));
                seen.iter_mut().zip(found).for_each(|(seen, found)| *seen += found);
            }
        }
    }
    let [found, barred, refused] = seen;
    assert!(found > 5_000 && barred > 50 && refused > 300, "{seen:?}");
}

/// A witness of the rest is one for the checker of all witnesses.
#[test]
fn witnesses_are_of_the_rest() {
    // Everybody in a ring of five needs both neighbours; a chord costs nothing, and nobody has room for it.
    let ring = (0..5).map(|v| (v, (v + 1) % 5, 7_i64));
    let graph = EdgeList::new(5, ring.chain([(0, 2, 0)])).unwrap();
    let degrees = Degrees::exactly(vec![2; 5]);
    let answer = Blossom::new().solve_degrees(&graph, &degrees).unwrap();
    let why = Blossom::new().explain_degrees(&graph, &answer, 0, 2).unwrap();
    why.verify(&graph, &answer).unwrap();
    let forced = why.forced().unwrap();
    let rest = EdgeList::new(5, graph.iter().filter(|&(u, v, _)| (u, v) != (0, 2))).unwrap();
    let lowered = Degrees::<i64>::exactly(vec![1, 2, 1, 2, 2]);
    verify::degrees_witness(&rest, &lowered, forced.witness().unwrap()).unwrap();
    let why = Blossom::new().explain_degrees(&graph, &answer, 0, 1).unwrap();
    why.verify(&graph, &answer).unwrap();
    let rest = EdgeList::new(5, graph.iter().filter(|&(u, v, _)| (u, v) != (0, 1))).unwrap();
    verify::degrees_witness(&rest, &degrees, why.forbidden().witness().unwrap()).unwrap();
}

/// One partner each, exactly, is the question that there is another explanation of.
#[test]
fn of_one_partner_each_both_explanations_say_the_same() {
    let rng = &mut ChaCha8Rng::seed_from_u64(93);
    let (mut found, mut refused) = (0, 0);
    for round in 0..300 {
        let n = 2 * rng.random_range(1..=6);
        let graph = random_graph(n, usize::MAX, [1, 30, 1_000][round % 3], rng);
        for (objective, _) in objectives() {
            let solver = Blossom::new().objective(objective);
            let Ok(solution) = solver.solve(&graph) else { continue };
            let answer = solver.solve_degrees(&graph, &Degrees::exactly(vec![1; n])).unwrap();
            for (u, v) in (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))) {
                let one = solver.explain(&graph, &solution, u, v).unwrap();
                let other = solver.explain_degrees(&graph, &answer, u, v).unwrap();
                other.verify(&graph, &answer).unwrap();
                assert_eq!((one.pair(), one.cost()), (other.pair(), other.cost()));
                let both = [
                    (one.forced(), other.forced()),
                    (Some(one.forbidden()), Some(other.forbidden())),
                ];
                for (one, other) in both {
                    assert_eq!(one.is_some(), other.is_some());
                    let Some((one, other)) = one.zip(other) else { continue };
                    assert_eq!((one.status(), one.cost()), (other.status(), other.cost()));
                    assert_eq!((one.bound(), one.change()), (other.bound(), other.change()));
                    assert_eq!(one.witness().is_some(), other.witness().is_some());
                    found += usize::from(!one.is_infeasible());
                    refused += usize::from(one.is_infeasible());
                }
            }
        }
    }
    assert!(found > 3_000 && refused > 100, "{found} {refused}");
}

/// Whatever a limit leaves of both answers is true, and no bound is worse than that of the answer.
#[test]
fn a_limit_makes_answers_vague_but_not_wrong() {
    let rng = &mut ChaCha8Rng::seed_from_u64(95);
    let mut seen = [0usize; 3];
    for round in 0..250 {
        let n = rng.random_range(6..16);
        let weights = [2, 50, 1_000][round % 3];
        let graph = random_graph(n, usize::MAX, weights, rng);
        let degrees = random_degrees(&graph, weights, rng);
        let (objective, sign) = objectives()[round % 2].clone();
        let solver = Blossom::new().objective(objective);
        let Ok(exact) = solver.solve_degrees(&graph, &degrees) else {
            continue;
        };
        let edges: Vec<_> = graph.iter().collect();
        if edges.is_empty() {
            continue;
        }
        let (u, v, _) = edges[rng.random_range(0..edges.len())];
        let truth = solver.explain_degrees(&graph, &exact, u, v).expect("an explanation");
        for (limit, is_exact) in [
            (0, true),
            (30, true),
            (200, true),
            (0, false),
            (100, false),
            (2_000, false),
        ] {
            let stopped = solver.clone().budget(Budget::new().work(limit));
            let answer = match is_exact {
                true => exact.clone(),
                false => stopped.solve_degrees(&graph, &degrees).expect("something"),
            };
            let explained = stopped.explain_degrees(&graph, &answer, u, v).expect("an explanation");
            let both = [
                (explained.forced().unwrap(), truth.forced().unwrap()),
                (explained.forbidden(), truth.forbidden()),
            ];
            // Where the limit came before the reason, there is no proof, and it is no proof.
            let is_unproven =
                |what_if: &DegreesWhatIf<i64>| what_if.witness().is_some_and(|witness| witness.missing() == 0);
            match explained.verify(&graph, &answer) {
                Ok(()) => assert!(!both.iter().any(|(what_if, _)| is_unproven(what_if))),
                Err(VerifyError::Deficiency { .. }) => assert!(both.iter().any(|(what_if, _)| is_unproven(what_if))),
                Err(error) => panic!("{error}"),
            }
            for (what_if, truth) in both {
                let bound = what_if.bound();
                if let (Some(bound), Some(truth)) = (bound, truth.cost()) {
                    assert!(sign * bound <= sign * truth, "{bound} {truth}");
                }
                // Nothing under a condition is better than the best of all.
                assert!(what_if.is_infeasible() || bound.is_some_and(|bound| sign * bound >= sign * answer.bound()));
                match what_if.status() {
                    None => assert_eq!(truth.cost(), None),
                    Some(Status::Optimal) => assert_eq!(what_if.cost(), truth.cost()),
                    Some(Status::Feasible(reason)) => {
                        assert_eq!(reason, StopReason::WorkLimit);
                        assert!(sign * truth.cost().unwrap() <= sign * what_if.cost().unwrap());
                        let is_full = !matches!(answer.status(), Status::Unknown(_));
                        assert_eq!(what_if.change().is_some(), is_full);
                        if is_full {
                            check_pairs(what_if, &graph, &answer);
                        }
                        seen[0] += 1;
                    }
                    Some(_) => {
                        assert!(what_if.pairs().is_none() && what_if.cost().is_none() && what_if.change().is_none());
                        seen[1] += 1;
                    }
                }
                let is_stopped = !matches!(what_if.status(), None | Some(Status::Optimal));
                let is_better = bound.is_some_and(|bound| sign * bound > sign * answer.bound());
                seen[2] += usize::from(is_exact && is_stopped && is_better);
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}

/// Without a search, the proof of the answer says that a pair it prices out costs at least as much more.
#[test]
fn the_proof_of_the_answer_bounds_what_is_not_searched() {
    let rating: [i64; 8] = [0, 1, 2, 3, 1_000, 1_001, 1_002, 1_003];
    let gap = from_symmetric_fn(8, |i, j| (rating[i] - rating[j]).abs());
    let answer = Blossom::new()
        .solve_degrees(&gap, &Degrees::exactly(vec![3; 8]))
        .unwrap();
    assert_eq!(answer.cost(), 20);
    let token = CancelToken::new();
    token.cancel();
    let limits = [
        (Budget::new().work(0), StopReason::WorkLimit),
        (Budget::new().time(Duration::ZERO), StopReason::TimeLimit),
        (Budget::new().cancel(token), StopReason::Cancelled),
    ];
    let truth = Blossom::new().explain_degrees(&gap, &answer, 0, 4).unwrap();
    let most = truth.forced().unwrap().cost().unwrap();
    for (budget, reason) in limits {
        let solver = Blossom::new().budget(budget);
        let why = solver.explain_degrees(&gap, &answer, 0, 4).unwrap();
        why.verify(&gap, &answer).unwrap();
        let forced = why.forced().unwrap();
        assert!(matches!(forced.status(), Some(Status::Feasible(found) | Status::Unknown(found)) if found == reason));
        let bound = forced.bound().unwrap();
        assert!((1_000..=most).contains(&bound), "{bound} of {most}");
        assert_eq!(why.forbidden().status(), Some(Status::Optimal), "it needs no time");
        // One of the answer costs something to be without, too.
        let why = solver.explain_degrees(&gap, &answer, 0, 1).unwrap();
        why.verify(&gap, &answer).unwrap();
        let bound = why.forbidden().bound().unwrap();
        assert!(bound > answer.cost(), "{bound}");
    }
}

#[test]
fn both_answers_share_a_limit() {
    let rng = &mut ChaCha8Rng::seed_from_u64(97);
    let graph = random_graph(40, usize::MAX, 1_000, rng);
    let degrees = Degrees::between(vec![1; 40], vec![3; 40]);
    let none = Blossom::new().budget(Budget::new().work(0));
    let vague = none.solve_degrees(&graph, &degrees).unwrap();
    assert!(!vague.is_optimal());
    let (u, v, _) = graph.iter().next().unwrap();
    let free = Blossom::new().explain_degrees(&graph, &vague, u, v).unwrap();
    let work = [free.forced().unwrap(), free.forbidden()].map(|what_if| what_if.work().unwrap());
    let each = Blossom::new().budget(Budget::new().work(work[0].max(work[1])));
    let limited = each.explain_degrees(&graph, &vague, u, v).unwrap();
    assert_eq!(limited.forced(), free.forced(), "enough for one");
    let reason = StopReason::WorkLimit;
    let second = limited.forbidden().status();
    assert!(matches!(second, Some(Status::Feasible(found) | Status::Unknown(found)) if found == reason));
}

/// Floats are exact on their grid, and what changes is the sum of what changes.
#[test]
fn floats_change_by_what_changes() {
    let rng = &mut ChaCha8Rng::seed_from_u64(99);
    let mut asked = 0;
    for round in 0..60 {
        let n = rng.random_range(5..9);
        let weights = [30, 1 << 40][round % 2];
        let integers = random_graph(n, usize::MAX, weights, rng);
        let degrees = random_degrees(&integers, weights, rng);
        let scale = 2f64.powi(-20);
        // The same on another grid: whatever is told of one is told of the other.
        let graph = EdgeList::new(n, integers.iter().map(|(u, v, w)| (u, v, w as f64 * scale))).unwrap();
        let prices = (0..n).map(|v| degrees.price(v) as f64 * scale).collect();
        let scaled = Degrees::between(degrees.least().to_vec(), degrees.most().to_vec()).missing(prices);
        let (Ok(one), Ok(other)) = (
            Blossom::new().solve_degrees(&integers, &degrees),
            Blossom::new().solve_degrees(&graph, &scaled),
        ) else {
            continue;
        };
        for (u, v, _) in integers.iter() {
            let exact = Blossom::new().explain_degrees(&integers, &one, u, v).unwrap();
            let why = Blossom::new().explain_degrees(&graph, &other, u, v).unwrap();
            why.verify(&graph, &other).unwrap();
            let both = [
                (exact.forced().unwrap(), why.forced().unwrap()),
                (exact.forbidden(), why.forbidden()),
            ];
            for (exact, what_if) in both {
                assert_eq!(exact.status(), what_if.status());
                let float = |total: Option<i128>| total.map(|total| total as f64 * scale);
                assert_eq!(
                    (float(exact.cost()), float(exact.change())),
                    (what_if.cost(), what_if.change())
                );
                asked += 1;
            }
        }
    }
    assert!(asked > 500, "{asked}");
    // Rounded, nothing is called best, and what is between the bounds is.
    let wide = EdgeList::new(4, [(0, 1, 1e-30), (1, 2, 1e20), (2, 3, 2.0), (0, 3, 1.0), (0, 2, 3.0)]).unwrap();
    let degrees = Degrees::between(vec![1; 4], vec![2; 4]).missing(vec![0.5, 1e-40, 2.0, 1.0]);
    let solver = Blossom::new().precision(Precision::Quantised);
    let answer = solver.solve_degrees(&wide, &degrees).unwrap();
    assert_eq!(answer.status(), Status::Feasible(StopReason::Rounding));
    for (u, v, _) in wide.iter() {
        let why = solver.explain_degrees(&wide, &answer, u, v).unwrap();
        why.verify(&wide, &answer).unwrap();
        for what_if in [why.forced(), Some(why.forbidden())].into_iter().flatten() {
            assert_eq!(what_if.status(), Some(Status::Feasible(StopReason::Rounding)));
            assert!(what_if.bound() <= what_if.cost() && what_if.change().is_some());
        }
    }
}

#[test]
fn what_is_not_of_the_instance_is_refused() {
    let gap = from_symmetric_fn(6, |i, j| (i as i64 - j as i64).abs());
    let answer = Blossom::new()
        .solve_degrees(&gap, &Degrees::exactly(vec![2; 6]))
        .unwrap();
    let larger = from_symmetric_fn(7, |i, j| (i as i64 - j as i64).abs());
    let error = Blossom::new().explain_degrees(&larger, &answer, 0, 1).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
    let why = Blossom::new().explain_degrees(&gap, &answer, 0, 5).unwrap();
    assert!(matches!(why.verify(&larger, &answer), Err(VerifyError::Input(_))));
    // Of other costs, or of another answer, it is refused.
    let dearer = from_symmetric_fn(6, |i, j| 2 * (i as i64 - j as i64).abs());
    assert!(why.verify(&dearer, &answer).is_err());
    let three = Blossom::new()
        .solve_degrees(&gap, &Degrees::exactly(vec![3; 6]))
        .unwrap();
    assert!(why.verify(&gap, &three).is_err());
    let most = Blossom::new().objective(Objective::MaxPerfect);
    let most = most.solve_degrees(&gap, &Degrees::exactly(vec![2; 6])).unwrap();
    assert!(why.verify(&gap, &most).is_err());
}

/// Totals that leave their type are left out.
#[test]
fn totals_beyond_their_type_are_left_out() {
    let far = f64::MAX / 1.5;
    let graph = EdgeList::new(4, [(0, 1, far), (2, 3, far), (0, 3, 0.0), (1, 2, 0.0)]).unwrap();
    let answer = Blossom::new()
        .solve_degrees(&graph, &Degrees::exactly(vec![1; 4]))
        .unwrap();
    assert_eq!(answer.cost(), 0.0);
    let why = Blossom::new().explain_degrees(&graph, &answer, 0, 1).unwrap();
    why.verify(&graph, &answer).unwrap();
    let forced = why.forced().unwrap();
    assert_eq!(forced.status(), Some(Status::Optimal));
    assert_eq!((forced.cost(), forced.bound(), forced.change()), (None, None, None));
    assert_eq!(forced.pairs().unwrap().len(), 2);
}

/// The price of what one vertex lacks left the range of floats, and was left out of a change that does not: what costs more was
/// said to cost less.
#[test]
fn what_one_lacks_may_cost_more_than_a_float() {
    let big = 2f64.powi(1023);
    for (price, objective) in [(big, Objective::MinPerfect), (-big, Objective::MaxPerfect)] {
        let graph = EdgeList::new(4, [(0, 1, 0.0), (2, 3, -price)]).expect("edges");
        let degrees = Degrees::between(vec![0; 4], vec![2, 1, 1, 1]).missing(vec![price, 0.0, 0.0, 0.0]);
        let solver = Blossom::new().objective(objective);
        let answer = solver.solve_degrees(&graph, &degrees).expect("an answer");
        assert_eq!((answer.cost(), answer.pairs().len()), (0.0, 2));
        let why = solver.explain_degrees(&graph, &answer, 0, 1).expect("an explanation");
        let without = why.forbidden();
        assert_eq!((without.cost(), without.change()), (Some(price), Some(price)));
        assert_eq!(why.verify(&graph, &answer), Ok(()));
    }
}

/// By the duals of the answer a bound was infinite, which is no number of its type.
#[test]
fn a_bound_beyond_its_type_is_left_out() {
    let big = 2f64.powi(1023);
    for (cost, objective) in [(big, Objective::MinPerfect), (-big, Objective::MaxPerfect)] {
        let graph = EdgeList::new(5, [(0, 3, cost), (1, 3, cost), (3, 4, cost)]).expect("edges");
        let degrees = Degrees::between(vec![0, 1, 0, 0, 0], vec![0, 3, 0, 3, 1]);
        let solver = Blossom::new().objective(objective);
        let answer = solver.solve_degrees(&graph, &degrees).expect("an answer");
        assert_eq!((answer.cost(), answer.is_optimal()), (cost, true));
        let stopped = solver.budget(Budget::new().work(0));
        let why = stopped.explain_degrees(&graph, &answer, 3, 4).expect("an explanation");
        let forced = why.forced().expect("it has a cost");
        assert_ne!(forced.status(), Some(Status::Optimal));
        assert!(forced.bound().is_none_or(f64::is_finite), "{:?}", forced.bound());
        assert_eq!(why.verify(&graph, &answer), Ok(()));
    }
}

#[test]
#[should_panic(expected = "a pair is two different vertices of the answer: (1, 1) of 4")]
fn a_vertex_is_no_pair() {
    let gap = from_symmetric_fn(4, |i, j| (i + j) as i64);
    let answer = Blossom::new()
        .solve_degrees(&gap, &Degrees::exactly(vec![1; 4]))
        .unwrap();
    let _ = Blossom::new().explain_degrees(&gap, &answer, 1, 1);
}
