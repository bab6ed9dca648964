//! What is left within a limit, and answers that are forged.

use super::Bottleneck;
use super::within::{Limit, Sense, Within};
use crate::blossom::{Blossom, Objective};
use crate::cost::{Cost, from_symmetric_fn};
use crate::edge_list::EdgeList;
use crate::input::Input;
use crate::instance::Instance;
use crate::solution::{Status, StopReason};
use crate::verify::VerifyError;
use crate::witness::TutteBerge;

#[test]
fn within_a_limit_is_what_is_no_worse() {
    for n in [2, 5, 63, 64, 65, 130] {
        let whole = from_symmetric_fn(n, |i, j| ((i + 3 * j + j * i) % 17) as i64);
        let some = whole.restricted(|i, j| (i + j) % 5 != 0);
        let wide = from_symmetric_fn(n, |i, j| {
            if (i + j) % 11 == 3 {
                i64::MAX
            } else {
                (i + j) as i64 % 17
            }
        })
        .scaled(2);
        let costs: [&dyn Cost<Value = i64>; 2] = [&some, &wide];
        for (cost, sense) in costs
            .into_iter()
            .flat_map(|cost| [(cost, Sense::Least), (cost, Sense::Greatest)])
        {
            for limit in [Limit::UpTo(8), Limit::Better(8), Limit::UpTo(-1), Limit::Better(40)] {
                let is_left = |i: usize, j: usize| {
                    cost.is_allowed(i, j)
                        && cost.checked_pair(i, j).is_none_or(|cost| match (sense, limit) {
                            (Sense::Least, Limit::UpTo(limit)) => cost <= limit,
                            (Sense::Least, Limit::Better(limit)) => cost < limit,
                            (Sense::Greatest, Limit::UpTo(limit)) => cost >= limit,
                            (Sense::Greatest, Limit::Better(limit)) => cost > limit,
                        })
                };
                let input = Input::Pairs(cost);
                let within = Within { input, limit, sense };
                let is_cost = within.visit_cost(&mut |left| {
                    let mut bits = vec![0; n.div_ceil(64)];
                    for i in 0..n {
                        left.allowed_row(i, &mut bits);
                        for j in (0..n).filter(|&j| j != i) {
                            assert_eq!(left.is_allowed(i, j), is_left(i, j));
                            assert_eq!(bits[j / 64] >> (j % 64) & 1 == 1, is_left(i, j), "{i} {j} {limit:?}");
                        }
                        assert!((n..64 * bits.len()).all(|j| bits[j / 64] >> (j % 64) & 1 == 0));
                    }
                });
                assert!(is_cost);
            }
        }
        let edges = some.to_edges().unwrap();
        for (sense, limit) in [(Sense::Least, Limit::UpTo(8)), (Sense::Greatest, Limit::Better(8))] {
            let [of_list, of_pairs] =
                [Input::List(&edges), Input::Pairs(&some)].map(|input| Within { input, limit, sense });
            assert_eq!(of_list.to_edges().unwrap(), of_pairs.to_edges().unwrap());
        }
    }
}

#[test]
fn what_is_no_number_stays_to_be_refused() {
    let nan = from_symmetric_fn(4, |_, _| f64::NAN);
    for limit in [Limit::UpTo(1.0), Limit::Better(1.0)] {
        for sense in [Sense::Least, Sense::Greatest] {
            let input = Input::Pairs(&nan);
            assert!(Within { input, limit, sense }.to_edges().is_err());
        }
    }
}

/// Two pairings: 1 and 9, or 6 and 8.
fn square() -> (EdgeList<i64>, Bottleneck<i64>) {
    let graph = EdgeList::new(4, [(0, 1, 1), (2, 3, 9), (0, 2, 6), (1, 3, 8), (0, 3, 30)]).unwrap();
    let answer = Blossom::new().solve_bottleneck(&graph).unwrap();
    assert_eq!(
        (answer.worst, answer.bound, answer.solution.cost),
        (Some(8), Some(8), 14)
    );
    assert_eq!(answer.verify(&graph), Ok(()));
    (graph, answer)
}

#[test]
fn forged_answers_are_refused() {
    let (graph, answer) = square();
    let cheapest = Blossom::new().solve(&graph).unwrap();
    let forged = |forge: &dyn Fn(&mut Bottleneck<i64>)| {
        let mut forged = answer.clone();
        forge(&mut forged);
        forged.verify(&graph)
    };
    // Worse in its worst pair, though cheaper, with whatever limit.
    for worst in [8, 9, 30] {
        let refused = forged(&|answer| {
            answer.solution = cheapest.clone();
            (answer.worst, answer.bound) = (Some(worst), Some(worst));
        });
        assert!(refused.is_err(), "{worst}");
    }
    let wrong_worst = forged(&|answer| answer.worst = Some(9));
    assert!(matches!(wrong_worst, Err(VerifyError::WorstPair { .. })));
    assert!(forged(&|answer| answer.bound = Some(9)).is_err());
    assert!(
        forged(&|answer| answer.bound = Some(7)).is_err(),
        "not optimal by a bound below"
    );
    assert!(forged(&|answer| answer.bound = None).is_err());
    assert!(forged(&|answer| answer.witness = None).is_err());
    assert!(forged(&|answer| answer.worst = None).is_err());
    assert!(forged(&|answer| (answer.worst, answer.bound, answer.witness) = (None, None, None)).is_err());
    for witness in [
        TutteBerge::new(vec![], vec![vec![0]]),
        TutteBerge::new(vec![0], vec![vec![1]]),
        TutteBerge::new(vec![], vec![vec![0, 1]]),
        TutteBerge::new(vec![], vec![]),
    ] {
        assert!(
            forged(&|answer| answer.witness = Some(witness.clone())).is_err(),
            "{witness}"
        );
    }
    for status in [
        Status::Feasible(StopReason::WorkLimit),
        Status::Unknown(StopReason::WorkLimit),
    ] {
        assert!(forged(&|answer| answer.status = status).is_err());
    }
    assert!(forged(&|answer| answer.solution.cost += 1).is_err());
    assert!(forged(&|answer| answer.solution.certificate.vertex_duals.fill(0)).is_err());
    assert!(forged(&|answer| answer.solution.objective = Objective::MaxPerfect).is_err());
    assert!(forged(&|answer| answer.solution.objective = Objective::MaxWeight).is_err());
    // A lower bound than can be proven is no lie, but then the answer is not optimal.
    let modest = forged(&|answer| {
        (answer.bound, answer.status) = (Some(6), Status::Feasible(StopReason::WorkLimit));
    });
    assert_eq!(modest, Ok(()));
}

#[test]
fn a_total_that_is_not_the_least_is_no_optimum() {
    let graph = EdgeList::new(4, [(0, 1, 1_i64), (2, 3, 9), (0, 2, 6), (1, 3, 9)]).unwrap();
    let mut answer = Blossom::new().solve_bottleneck(&graph).unwrap();
    assert_eq!((answer.worst, answer.solution.cost), (Some(9), 10));
    let other = EdgeList::new(4, [(0, 2, 6), (1, 3, 9)]).unwrap();
    answer.solution = Blossom::new().solve(&other).unwrap();
    assert!(answer.verify(&graph).is_err());
}
