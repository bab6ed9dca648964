//! A second checker, slow and literal: sets as lists, the load of an edge by its definition. It says which of the
//! answers that were changed subtly are truly wrong, and the real checker must say the same.

use matching_core::verify::{self, Claim, VerifyError};
use matching_core::{Blossom, Budget, Certificate, Edge, EdgeList, Objective, OddSet, Status};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::corrupted::Parts;
use crate::support::{SHAPES, WEIGHTS, graph, objectives, random_graph, solve};

/// An integer instance reduced to perfect matching: number of vertices and edges with their costs.
fn reduce(graph: &EdgeList<i64>, objective: &Objective<i64>) -> (usize, Vec<(usize, usize, i128)>) {
    let n = graph.len();
    let plain: Vec<_> = graph
        .edges()
        .iter()
        .map(|e| (e.u as usize, e.v as usize, i128::from(e.weight)))
        .collect();
    let twice = |sign: i128, link: &dyn Fn(usize) -> i128| {
        let mut edges: Vec<_> = plain.iter().map(|&(u, v, w)| (u, v, sign * w)).collect();
        edges.extend(plain.iter().map(|&(u, v, w)| (u + n, v + n, sign * w)));
        edges.extend((0..n).map(|v| (v, v + n, link(v))));
        (2 * n, edges)
    };
    match objective {
        Objective::MinPerfect => (n, plain),
        Objective::MaxPerfect => (n, plain.iter().map(|&(u, v, w)| (u, v, -w)).collect()),
        Objective::MaxWeight => twice(-1, &|_| 0),
        Objective::MaxCardinality => {
            let largest = plain.iter().map(|e| e.2.abs()).max().unwrap_or(0);
            twice(-1, &|_| 2 * (n as i128 * largest + 1))
        }
        Objective::MinOptOut(penalties) => twice(1, &|v| 2 * i128::from(penalties[v])),
        Objective::MinBye(byes) if n % 2 == 1 => {
            let mut edges = plain.clone();
            edges.extend((0..n).map(|v| (v, n, i128::from(byes[v]))));
            (n + 1, edges)
        }
        Objective::MinBye(_) => (n, plain),
        other => panic!("unknown objective {other:?}"),
    }
}

/// Whether the duals are feasible; if so, their sum.
fn dual_sum(n: usize, edges: &[(usize, usize, i128)], certificate: &Certificate) -> Option<i128> {
    let (y, order) = (certificate.vertex_duals(), certificate.order());
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if y.len() != n || certificate.exponent() != 0 || sorted.iter().map(|&v| v as usize).ne(0..n) {
        return None;
    }
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for set in certificate.odd_sets() {
        let members = order
            .get(set.start as usize..set.start as usize + set.len as usize)?
            .to_vec();
        // Nested, outer first, or disjoint.
        let meets = |other: &Vec<u32>| members.iter().filter(|v| other.contains(v)).count();
        if sets.iter().any(|other| ![0, members.len()].contains(&meets(other))) {
            return None;
        }
        if set.dual < 0 || members.len() < 3 || members.len() % 2 == 0 {
            return None;
        }
        sets.push(members);
    }
    for &(u, v, cost) in edges {
        let crossing = certificate.odd_sets().iter().zip(&sets);
        let crossing = crossing.filter(|(_, members)| members.contains(&(u as u32)) != members.contains(&(v as u32)));
        if y[u] + y[v] + crossing.map(|(set, _)| set.dual).sum::<i128>() > 2 * cost {
            return None;
        }
    }
    Some(y.iter().sum::<i128>() + certificate.odd_sets().iter().map(|set| set.dual).sum::<i128>())
}

/// What the duals of an answer prove, if they are feasible and there are as many penalties or byes as vertices.
fn literal_dual_sum(graph: &EdgeList<i64>, claim: &Claim<'_, i64>) -> Option<i128> {
    if let Objective::MinOptOut(costs) | Objective::MinBye(costs) = claim.objective
        && costs.len() != graph.len()
    {
        return None;
    }
    let (n, edges) = reduce(graph, claim.objective);
    dual_sum(n, &edges, claim.certificate)
}

/// Whether everything that an answer to an integer instance says is true and proven.
fn is_valid(graph: &EdgeList<i64>, claim: &Claim<'_, i64>) -> bool {
    let n = graph.len();
    let mate = |v: usize| Some(claim.mates[v] as usize).filter(|&mate| mate != u32::MAX as usize);
    if claim.mates.len() != n || (0..n).any(|v| mate(v).is_some_and(|u| u >= n || u == v || mate(u) != Some(v))) {
        return false;
    }
    let matched: Vec<(usize, usize)> = (0..n)
        .filter_map(|u| Some((u, mate(u)?)))
        .filter(|(u, v)| u < v)
        .collect();
    let weight = |u, v| {
        graph
            .edges()
            .iter()
            .find(|e| (e.u as usize, e.v as usize) == (u, v))
            .map(|e| e.weight)
    };
    let required: Option<Vec<_>> = matched.iter().map(|&(u, v)| Some((u, v, weight(u, v)?))).collect();
    let listed: Vec<_> = claim
        .pairs
        .iter()
        .map(|e| (e.u as usize, e.v as usize, e.weight))
        .collect();
    if required.as_ref() != Some(&listed) {
        return false;
    }
    let alone: Vec<usize> = (0..n).filter(|&v| mate(v).is_none()).collect();
    let pairs_cost: i128 = listed.iter().map(|&(_, _, w)| i128::from(w)).sum();
    let (allowed, singles) = match claim.objective {
        Objective::MinPerfect | Objective::MaxPerfect => (0, None),
        Objective::MaxWeight | Objective::MaxCardinality => (n, None),
        Objective::MinOptOut(costs) => (n, Some(costs)),
        Objective::MinBye(costs) => (n % 2, Some(costs)),
        other => panic!("unknown objective {other:?}"),
    };
    if singles.is_some_and(|costs| costs.len() != n) {
        return false;
    }
    let cost = pairs_cost + singles.map_or(0, |costs| alone.iter().map(|&v| i128::from(costs[v])).sum());
    if claim.cost != cost || (alone.len() > allowed && !matches!(claim.status, Status::Unknown(_))) {
        return false;
    }
    let (reduced_n, edges) = reduce(graph, claim.objective);
    let Some(dual) = dual_sum(reduced_n, &edges, claim.certificate) else {
        return false;
    };
    // The image of the matching: both copies, and a link or the extra vertex for whoever is alone.
    let mut primal: i128 = matched.iter().map(|&(u, v)| find(&edges, u, v)).sum();
    if reduced_n == 2 * n && n > 0 {
        primal = 2 * primal + alone.iter().map(|&v| find(&edges, v, v + n)).sum::<i128>();
    } else if reduced_n == n + 1 {
        primal += alone.iter().map(|&v| find(&edges, v, n)).sum::<i128>();
    }
    assert_eq!(claim.status, Status::Optimal, "only optimal answers are corrupted");
    2 * primal == dual && claim.bound == claim.cost
}

fn find(edges: &[(usize, usize, i128)], u: usize, v: usize) -> i128 {
    edges.iter().find(|e| (e.0, e.1) == (u, v)).expect("an edge").2
}

/// Number of kinds of [`change`].
const KINDS: usize = 13;

/// A change after which the answer may or may not be right.
fn change(parts: &mut Parts, kind: usize, edges: &EdgeList<i64>, rng: &mut ChaCha8Rng) {
    let (n, sets, pairs) = (parts.duals.len(), parts.sets.len(), parts.pairs.len());
    let mut any = |len: usize| rng.random_range(0..len.max(1));
    match kind {
        0 => parts.order.swap(any(n), any(n)),
        1 => {
            let (a, b) = (any(n), any(n));
            parts.duals[a] += 1;
            parts.duals[b] -= 1;
        }
        2 => parts.objective = objectives(&vec![1; edges.len()], &vec![2; edges.len()])[any(6)].clone(),
        3 => {
            if let Objective::MinOptOut(costs) | Objective::MinBye(costs) = &mut parts.objective {
                let at = any(costs.len());
                costs[at] += 1 - 2 * any(2) as i64;
            }
        }
        4 => {
            let (start, len) = (any(n) as u32, 1 + any(n) as u32);
            let set = OddSet {
                start,
                len,
                dual: any(2) as i128,
            };
            parts.sets.insert(any(sets + 1), set);
        }
        5..=9 if sets == 0 => {}
        5 => {
            let at = any(sets);
            parts.sets[at].start = (parts.sets[at].start as usize + 2 * any(2)).wrapping_sub(1) as u32;
        }
        6 => {
            let at = any(sets);
            parts.sets[at].len = (parts.sets[at].len + 4 * any(2) as u32).wrapping_sub(2);
        }
        7 => {
            let (a, b) = (any(sets), any(sets));
            let moved = parts.sets[a].dual / 2;
            parts.sets[a].dual -= moved;
            parts.sets[b].dual += moved;
        }
        8 => parts.sets.swap(any(sets), any(sets)),
        9 => {
            let at = any(sets);
            let vertex = parts.order[parts.sets[at].start as usize] as usize;
            parts.duals[vertex] += parts.sets[at].dual;
            parts.sets.remove(at);
        }
        _ if pairs == 0 => {}
        10 => {
            let gone = parts.pairs.remove(any(pairs));
            rewire(parts, &[gone.u, gone.v], &[], edges);
        }
        11 => {
            let (a, b) = (parts.pairs[any(pairs)], parts.pairs[any(pairs)]);
            rewire(parts, &[a.u, a.v, b.u, b.v], &[(a.u, b.u), (a.v, b.v)], edges);
        }
        _ => {
            // Another partner for one end of a pair, whose partner stays alone.
            let (gone, other) = (parts.pairs[any(pairs)], any(edges.len()) as u32);
            if parts.mates[other as usize] == u32::MAX {
                rewire(parts, &[gone.u, gone.v], &[(gone.u, other)], edges);
            }
        }
    }
}

/// Changes the matching, and lists pairs, cost and bound as they are then.
fn rewire(parts: &mut Parts, alone: &[u32], together: &[(u32, u32)], edges: &EdgeList<i64>) {
    for &v in alone {
        parts.mates[v as usize] = u32::MAX;
    }
    for &(u, v) in together.iter().filter(|(u, v)| u != v) {
        (parts.mates[u as usize], parts.mates[v as usize]) = (v, u);
    }
    let matched = edges
        .edges()
        .iter()
        .filter(|edge| parts.mates[edge.u as usize] == edge.v);
    let mut pairs: Vec<Edge<i64>> = matched.copied().collect();
    pairs.sort_unstable_by_key(|edge| edge.u);
    parts.pairs = pairs;
    let singles = match &parts.objective {
        Objective::MinOptOut(costs) | Objective::MinBye(costs) => costs.as_slice(),
        _ => &[],
    };
    let alone = singles.iter().zip(&parts.mates).filter(|(_, mate)| **mate == u32::MAX);
    parts.cost = parts.pairs.iter().map(|edge| i128::from(edge.weight)).sum::<i128>()
        + alone.map(|(&cost, _)| i128::from(cost)).sum::<i128>();
    parts.bound = parts.cost;
}

/// The same input and answer in floats: every number times a power of two, and off the grid by a share of its unit.
struct Floats {
    edges: EdgeList<f64>,
    objective: Objective<f64>,
    pairs: Vec<Edge<f64>>,
    cost: f64,
    bound: f64,
    certificate: Certificate,
}

impl Floats {
    fn new(parts: &Parts, edges: &EdgeList<i64>, exponent: i32, off: f64) -> Self {
        let total = |total: i128| total as f64 * 2f64.powi(exponent);
        let float = |value: i64| (value as f64 + off) * 2f64.powi(exponent);
        let costs = |costs: &[i64]| costs.iter().map(|&cost| float(cost)).collect();
        let triples = edges
            .edges()
            .iter()
            .map(|e| (e.u as usize, e.v as usize, float(e.weight)));
        let pair = |&Edge { u, v, weight }: &Edge<i64>| {
            let weight = float(weight);
            Edge { u, v, weight }
        };
        Self {
            edges: EdgeList::new(edges.len(), triples).expect("the same edges"),
            objective: match &parts.objective {
                Objective::MinPerfect => Objective::MinPerfect,
                Objective::MaxPerfect => Objective::MaxPerfect,
                Objective::MaxWeight => Objective::MaxWeight,
                Objective::MaxCardinality => Objective::MaxCardinality,
                Objective::MinOptOut(penalties) => Objective::MinOptOut(costs(penalties)),
                Objective::MinBye(byes) => Objective::MinBye(costs(byes)),
                other => panic!("unknown objective {other:?}"),
            },
            pairs: parts.pairs.iter().map(pair).collect(),
            cost: total(parts.cost),
            bound: total(parts.bound),
            certificate: Certificate::new(parts.duals.clone(), parts.order.clone(), parts.sets.clone(), exponent),
        }
    }

    fn verdict(&self, mates: &[u32]) -> Result<(), VerifyError> {
        let claim = Claim {
            objective: &self.objective,
            mates,
            pairs: &self.pairs,
            cost: self.cost,
            bound: self.bound,
            status: Status::Optimal,
            certificate: &self.certificate,
        };
        verify::claim(&self.edges, &claim)
    }

    /// What the duals prove of the rounded costs, if they are feasible.
    fn dual_sum(&self) -> Option<i128> {
        verify::certificate(&self.edges, &self.objective, &self.certificate).ok()
    }
}

#[test]
fn subtle_changes_are_judged_as_a_literal_checker_judges_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(29);
    let mut verdicts = [[0usize; 2]; KINDS];
    for round in 0..6_000usize {
        let n = rng.random_range(4..=14);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 6]);
        let graph = graph(n, &edges);
        let penalties: Vec<i64> = (0..n).map(|_| rng.random_range(-2..5)).collect();
        let objective = objectives(&penalties, &penalties)[round / 36 % 6].clone();
        let Some(solution) = solve(&objective, &graph) else {
            continue;
        };
        let whole = Parts::new(&solution);
        assert!(
            whole.with_claim(|claim| is_valid(&graph, claim)),
            "{objective:?} {edges:?}"
        );
        for (kind, verdicts) in verdicts.iter_mut().enumerate() {
            let mut parts = whole.clone();
            change(&mut parts, kind, &graph, &mut rng);
            let expected = parts.with_claim(|claim| is_valid(&graph, claim));
            let found = parts.with_claim(|claim| verify::claim(&graph, claim));
            assert_eq!(found.is_ok(), expected, "{found:?}, kind {kind}: {parts:?}, {edges:?}");
            // On a grid of another unit all is as it is in integers, and what is off it counts as rounded.
            let exponent = [-2, 3][round % 2];
            let found = Floats::new(&parts, &graph, exponent, 0.0).verdict(&parts.mates);
            assert_eq!(
                found.is_ok(),
                expected,
                "{found:?}, floats of kind {kind}: {parts:?}, {edges:?}"
            );
            let rounded = Floats::new(&parts, &graph, exponent, [-0.25, 0.25][kind % 2]);
            let proven = parts.with_claim(|claim| literal_dual_sum(&graph, claim));
            assert_eq!(rounded.dual_sum(), proven, "rounded, kind {kind}: {parts:?}, {edges:?}");
            verdicts[usize::from(expected)] += 1;
        }
    }
    let [refused, accepted] = [0, 1].map(|verdict| verdicts.iter().map(|kind| kind[verdict]).sum::<usize>());
    assert!(refused > 10_000 && accepted > 10_000, "{verdicts:?}");
    assert!(verdicts.iter().all(|kind| kind[0] > 50), "{verdicts:?}");
}

/// What a certificate says of the number of pairs: a matching that leaves `u` vertices alone has an image of twice the cost
/// `4 K u - 4 w`, and its weight `w` is no less than that of `n / 2` pairs of the greatest absolute weight below zero.
#[test]
fn no_more_pairs_are_possible_than_the_duals_leave_room_for() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let mut vague = 0;
    for round in 0..2_000usize {
        let n = rng.random_range(2..=11);
        let edges = random_graph(&mut rng, n, SHAPES[round % 6], WEIGHTS[round / 6 % 4]);
        let graph = graph(n, &edges);
        let work = rng.random_range(0..60);
        let solver = Blossom::new().objective(Objective::MaxCardinality);
        let solution = solver
            .budget(Budget::new().work(work))
            .solve(&graph)
            .expect("any matching will do");
        let (reduced_n, reduced) = reduce(&graph, solution.objective());
        let sum = dual_sum(reduced_n, &reduced, solution.certificate()).expect("feasible duals");
        let largest = edges.iter().map(|edge| i128::from(edge.2).abs()).max().unwrap_or(0);
        let (n, unit) = (n as i128, n as i128 * largest + 1);
        let is_left = |pairs: &i128| 4 * unit * (n - 2 * pairs) + 2 * n * largest >= sum;
        let most = (0..=n / 2).rev().find(is_left).expect("those there are");
        assert_eq!(solution.pairs_at_most(&graph), Ok(most as usize), "round {round}");
        vague += usize::from(!solution.is_optimal());
    }
    assert!(vague > 100, "{vague}");
}
