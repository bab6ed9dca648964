//! The checker against certificates made by hand: the right ones pass, each kind of wrong one is refused for its
//! reason.

use matching_core::verify::{self, Claim, Number, VerifyError};
use matching_core::{Blossom, Certificate, Edge, EdgeList, Objective, OddSet, Status, StopReason};

use crate::support::{Triple, graph};

const NONE: u32 = u32::MAX;

/// An answer that can be changed part by part.
#[derive(Clone)]
struct Answer {
    objective: Objective<i64>,
    mates: Vec<u32>,
    pairs: Vec<Edge<i64>>,
    cost: i128,
    bound: i128,
    status: Status,
    certificate: Certificate,
}

impl Answer {
    /// An optimal answer with these pairs.
    fn new(objective: Objective<i64>, n: usize, pairs: &[Triple], cost: i128, certificate: Certificate) -> Self {
        let mut mates = vec![NONE; n];
        for &(u, v, _) in pairs {
            (mates[u], mates[v]) = (v as u32, u as u32);
        }
        let pairs = pairs
            .iter()
            .map(|&(u, v, weight)| Edge {
                u: u as u32,
                v: v as u32,
                weight,
            })
            .collect();
        Self {
            objective,
            mates,
            pairs,
            cost,
            bound: cost,
            status: Status::Optimal,
            certificate,
        }
    }

    fn check(&self, graph: &EdgeList<i64>) -> Result<(), VerifyError> {
        let claim = Claim {
            objective: &self.objective,
            mates: &self.mates,
            pairs: &self.pairs,
            cost: self.cost,
            bound: self.bound,
            status: self.status,
            certificate: &self.certificate,
        };
        verify::claim(graph, &claim)
    }

    /// Checks this answer after a change.
    fn but(&self, graph: &EdgeList<i64>, change: impl FnOnce(&mut Self)) -> Result<(), VerifyError> {
        let mut changed = self.clone();
        change(&mut changed);
        changed.check(graph)
    }
}

fn certificate(duals: &[i128], order: &[u32], sets: &[(u32, u32, i128)]) -> Certificate {
    let sets = sets
        .iter()
        .map(|&(start, len, dual)| OddSet { start, len, dual })
        .collect();
    Certificate::new(duals.to_vec(), order.to_vec(), sets, 0)
}

/// One edge of weight 5.
fn k2() -> (EdgeList<i64>, Answer) {
    let certificate = certificate(&[7, 3], &[0, 1], &[]);
    (
        graph(2, &[(0, 1, 5)]),
        Answer::new(Objective::MinPerfect, 2, &[(0, 1, 5)], 5, certificate),
    )
}

/// A path of four vertices, the middle edge cheap and useless.
fn path() -> (EdgeList<i64>, Answer) {
    let graph = graph(4, &[(0, 1, 5), (1, 2, 1), (2, 3, 5)]);
    let certificate = certificate(&[10, 0, 0, 10], &[0, 1, 2, 3], &[]);
    (
        graph,
        Answer::new(Objective::MinPerfect, 4, &[(0, 1, 5), (2, 3, 5)], 10, certificate),
    )
}

/// Two free triangles and a bridge that must be used: no proof without odd sets.
fn triangles() -> (EdgeList<i64>, Answer) {
    let graph = graph(
        6,
        &[
            (0, 1, 0),
            (0, 2, 0),
            (1, 2, 0),
            (3, 4, 0),
            (3, 5, 0),
            (4, 5, 0),
            (2, 3, 1),
        ],
    );
    let certificate = certificate(&[0; 6], &[2, 1, 0, 4, 3, 5], &[(0, 3, 1), (3, 3, 1)]);
    (
        graph,
        Answer::new(
            Objective::MinPerfect,
            6,
            &[(0, 1, 0), (2, 3, 1), (4, 5, 0)],
            1,
            certificate,
        ),
    )
}

/// A triangle inside a set of five, and one edge out of both.
fn nested() -> (EdgeList<i64>, Answer) {
    let edges = [
        (0, 1, 0),
        (0, 2, 0),
        (1, 2, 0),
        (2, 3, 1),
        (3, 4, 0),
        (0, 4, 1),
        (1, 5, 3),
    ];
    let certificate = certificate(&[0; 6], &[5, 3, 0, 1, 2, 4], &[(1, 5, 4), (2, 3, 2)]);
    (
        graph(6, &edges),
        Answer::new(
            Objective::MinPerfect,
            6,
            &[(0, 2, 0), (1, 5, 3), (3, 4, 0)],
            3,
            certificate,
        ),
    )
}

#[test]
fn right_certificates_pass() {
    for (graph, answer) in [k2(), path(), triangles(), nested()] {
        assert_eq!(answer.check(&graph), Ok(()));
        assert_eq!(
            verify::certificate(&graph, &answer.objective, &answer.certificate),
            Ok(2 * answer.cost),
            "twice the bound"
        );
    }
    let empty = Answer::new(Objective::MinPerfect, 0, &[], 0, Certificate::default());
    assert_eq!(empty.check(&graph(0, &[])), Ok(()));
}

#[test]
fn every_objective_has_its_reduced_instance() {
    let path3 = graph(3, &[(0, 1, 3), (1, 2, 5)]);
    let duals = certificate(&[0, -6, -4, 0, -6, -4], &[0, 1, 2, 3, 4, 5], &[]);
    let answer = Answer::new(Objective::MaxWeight, 3, &[(1, 2, 5)], 5, duals);
    assert_eq!(answer.check(&path3), Ok(()));

    let path4 = graph(4, &[(0, 1, 5), (1, 2, 11), (2, 3, 5)]);
    let half = [1, -11, -11, 1];
    let duals = certificate(&[half, half].concat(), &[0, 1, 2, 3, 4, 5, 6, 7], &[]);
    let answer = Answer::new(Objective::MaxCardinality, 4, &[(0, 1, 5), (2, 3, 5)], 10, duals);
    assert_eq!(answer.check(&path4), Ok(()));
    let duals = certificate(&[1, -11, -11, 1], &[0, 1, 2, 3], &[]);
    let answer = Answer::new(Objective::MaxPerfect, 4, &[(0, 1, 5), (2, 3, 5)], 10, duals);
    assert_eq!(answer.check(&path4), Ok(()));

    let edge = graph(2, &[(0, 1, 3)]);
    let duals = certificate(&[2, 2, 2, 2], &[0, 1, 2, 3], &[]);
    let answer = Answer::new(Objective::MinOptOut(vec![1, 1]), 2, &[], 2, duals);
    assert_eq!(answer.check(&edge), Ok(()));
    let wrong = answer.but(&edge, |answer| answer.objective = Objective::MinOptOut(vec![1, 0]));
    assert!(
        matches!(wrong, Err(VerifyError::Slack { u: 1, v: 3, slack: -4 })),
        "{wrong:?}"
    );
    let wrong = answer.but(&edge, |answer| answer.objective = Objective::MinOptOut(vec![1]));
    assert!(
        matches!(
            wrong,
            Err(VerifyError::Length {
                found: 1,
                required: 2,
                ..
            })
        ),
        "{wrong:?}"
    );

    let answer = Answer::new(
        Objective::MinBye(vec![7]),
        1,
        &[],
        7,
        certificate(&[6, 8], &[0, 1], &[]),
    );
    assert_eq!(answer.check(&graph(1, &[])), Ok(()));
    let bye = answer.but(&graph(1, &[]), |answer| answer.objective = Objective::MinBye(vec![8]));
    assert!(
        matches!(
            bye,
            Err(VerifyError::Cost {
                required: Number::Integer(8),
                ..
            })
        ),
        "{bye:?}"
    );
    let (k2, mut answer) = k2();
    answer.objective = Objective::MinBye(vec![9, -9]);
    assert_eq!(answer.check(&k2), Ok(()), "nobody has a bye among an even number");
}

#[test]
fn a_solution_is_one_of_its_own_input_alone() {
    let (graph, _) = path();
    let solution = Blossom::new().solve(&graph).expect("a path of four");
    assert_eq!(
        (solution.verify(&graph), verify::solution(&graph, &solution)),
        (Ok(()), Ok(()))
    );
    // Another weight makes its pairs and its cost untrue.
    let other = crate::support::graph(4, &[(0, 1, 5), (1, 2, 1), (2, 3, 6)]);
    let (found, required) = (Number::Integer(5), Number::Integer(6));
    let refusal = Err(VerifyError::PairWeight {
        u: 2,
        v: 3,
        found,
        required,
    });
    assert_eq!(
        (solution.verify(&other), verify::solution(&other, &solution)),
        (refusal.clone(), refusal)
    );
}

#[test]
fn nobody_more_than_has_a_bye_stays_unmatched() {
    // Where all costs nothing, nothing is what no pairs cost, and what the duals prove.
    for n in [2, 3, 4, 5] {
        let all: Vec<Triple> = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v, 0))).collect();
        let order: Vec<u32> = (0..n as u32 + n as u32 % 2).collect();
        let duals = certificate(&vec![0; order.len()], &order, &[]);
        let pairs: Vec<Triple> = (0..n / 2).map(|pair| (2 * pair, 2 * pair + 1, 0)).collect();
        for made in 0..=n / 2 {
            let answer = Answer::new(Objective::MinBye(vec![0; n]), n, &pairs[..made], 0, duals.clone());
            let (found, allowed) = (n - 2 * made, n % 2);
            let verdict = answer.check(&graph(n, &all));
            if found == allowed {
                assert_eq!(verdict, Ok(()));
            } else {
                let vertex = 2 * made + allowed;
                assert_eq!(verdict, Err(VerifyError::Unmatched { vertex, found, allowed }));
            }
        }
    }
}

#[test]
fn bounds_of_unfinished_answers_must_follow() {
    let (graph, mut answer) = path();
    answer.status = Status::Feasible(StopReason::WorkLimit);
    answer.certificate = certificate(&[3, 0, 0, 10], &[0, 1, 2, 3], &[]);
    let (found, required) = (Number::Integer(8), Number::Integer(7));
    // 13 half units are 6.5, and a cost is whole.
    for (bound, expected) in [
        (6, Ok(())),
        (7, Ok(())),
        (8, Err(VerifyError::Bound { found, required })),
    ] {
        assert_eq!(answer.but(&graph, |answer| answer.bound = bound), expected);
    }
    let partial = |status| {
        answer.but(&graph, |answer| {
            (answer.mates, answer.pairs) = (vec![NONE, 2, 1, NONE], vec![Edge { u: 1, v: 2, weight: 1 }]);
            (answer.cost, answer.bound, answer.status) = (1, 7, status);
        })
    };
    assert_eq!(partial(Status::Unknown(StopReason::Cancelled)), Ok(()));
    assert!(matches!(
        partial(Status::Feasible(StopReason::Cancelled)),
        Err(VerifyError::Unmatched { .. })
    ));

    // Maximising: -16 half units bound the weight by 8 from above.
    let (graph, mut answer) = path();
    (answer.objective, answer.status) = (Objective::MaxPerfect, Status::Feasible(StopReason::TimeLimit));
    answer.certificate = certificate(&[-10, 0, -2, -11], &[0, 1, 2, 3], &[]);
    let (found, required) = (Number::Integer(10), Number::Integer(11));
    for (bound, expected) in [
        (12, Ok(())),
        (11, Ok(())),
        (10, Err(VerifyError::Bound { found, required })),
    ] {
        assert_eq!(answer.but(&graph, |answer| answer.bound = bound), expected);
    }
}

#[test]
fn floats_are_checked_on_their_grid() {
    let graph = graph(2, &[(0, 1, 0.75)]);
    let check = |y: i128, exponent: i32, cost: f64, bound: f64, status: Status| {
        let claim = Claim {
            objective: &Objective::MinPerfect,
            mates: &[1, 0],
            pairs: &[Edge {
                u: 0,
                v: 1,
                weight: 0.75,
            }],
            cost,
            bound,
            status,
            certificate: &Certificate::new(vec![y, y], vec![0, 1], vec![], exponent),
        };
        verify::claim(&graph, &claim)
    };
    let rounded = Status::Feasible(StopReason::Rounding);
    assert_eq!(check(3, -2, 0.75, 0.75, Status::Optimal), Ok(()));
    assert_eq!(check(6, -3, 0.75, 0.75, Status::Optimal), Ok(()));
    assert!(matches!(
        check(3, -3, 0.75, 0.75, Status::Optimal),
        Err(VerifyError::Gap { primal: 12, dual: 6 })
    ));
    assert!(matches!(
        check(3, -2, 0.7500001, 0.75, Status::Optimal),
        Err(VerifyError::Cost { .. })
    ));
    assert!(matches!(
        check(3, -2, 0.75, 0.7499999, Status::Optimal),
        Err(VerifyError::Bound { .. })
    ));
    assert!(matches!(
        check(3, -2, f64::NAN, 0.75, Status::Optimal),
        Err(VerifyError::Cost { .. })
    ));
    assert!(matches!(
        check(3, -2, 0.75, f64::NAN, rounded),
        Err(VerifyError::Bound { .. })
    ));
    // On the half grid 0.75 is rounded to 1, a tie, to even; the bound loses a quarter: 1 - 1/4.
    let off = VerifyError::OffGrid {
        cost: Number::Float(0.75),
        exponent: -1,
    };
    assert_eq!(check(2, -1, 0.75, 0.75, Status::Optimal), Err(off));
    assert_eq!(check(2, -1, 0.75, 0.75, rounded), Ok(()));
    assert_eq!(check(2, -1, 0.75, 0.5, rounded), Ok(()));
    assert!(matches!(
        check(2, -1, 0.75, 0.8, rounded),
        Err(VerifyError::Bound { .. })
    ));
    assert!(matches!(
        check(3, -1, 0.75, 0.0, rounded),
        Err(VerifyError::Slack { slack: -2, .. })
    ));
    // The greatest weight of the negated edge is bounded from above as exactly.
    let negated = crate::support::graph(2, &[(0, 1, -0.75)]);
    for (bound, is_true) in [(-0.75, true), (-0.5, true), (-0.8, false)] {
        let claim = Claim {
            objective: &Objective::MaxPerfect,
            mates: &[1, 0],
            pairs: negated.edges(),
            cost: -0.75,
            bound,
            status: rounded,
            certificate: &Certificate::new(vec![2, 2], vec![0, 1], vec![], -1),
        };
        assert_eq!(verify::claim(&negated, &claim).is_ok(), is_true, "{bound}");
    }
}

#[test]
fn a_hundred_thousand_nested_sets_are_no_trouble() {
    // A path; the sets are all its beginnings of odd length.
    const DEPTH: usize = 100_000;
    let n = 2 * DEPTH + 2;
    let weight = |u: usize| i64::from(u > 0 && u.is_multiple_of(2));
    let graph = graph(n, &(0..n - 1).map(|u| (u, u + 1, weight(u))).collect::<Vec<_>>());
    let order: Vec<u32> = (0..n as u32).collect();
    let sets: Vec<_> = (1..=DEPTH as u32).rev().map(|depth| (0, 2 * depth + 1, 2)).collect();
    let pairs: Vec<Triple> = (0..=DEPTH).map(|i| (2 * i, 2 * i + 1, weight(2 * i))).collect();
    let duals = certificate(&vec![0; n], &order, &sets);
    let mut answer = Answer::new(Objective::MinPerfect, n, &pairs, DEPTH as i128, duals);
    assert_eq!(answer.check(&graph), Ok(()));
    let mut sets = sets;
    sets[DEPTH / 2].2 = 3;
    answer.certificate = certificate(&vec![0; n], &order, &sets);
    assert!(matches!(
        answer.check(&graph),
        Err(VerifyError::Slack { slack: -1, .. })
    ));
}
