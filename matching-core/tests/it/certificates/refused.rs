//! What is wrong with an answer, and is refused for that reason.

use super::*;

#[test]
fn wrong_matchings_are_refused() {
    let (graph, right) = path();
    let wrong = right.but(&graph, |answer| answer.mates[1] = 2);
    assert_eq!(
        wrong,
        Err(VerifyError::Asymmetric {
            vertex: 0,
            mate: 1,
            back: Some(2)
        })
    );
    let wrong = right.but(&graph, |answer| answer.mates[1] = NONE);
    assert_eq!(
        wrong,
        Err(VerifyError::Asymmetric {
            vertex: 0,
            mate: 1,
            back: None
        })
    );
    let wrong = right.but(&graph, |answer| answer.mates[3] = 4);
    assert_eq!(
        wrong,
        Err(VerifyError::Asymmetric {
            vertex: 2,
            mate: 3,
            back: Some(4)
        })
    );
    let wrong = right.but(&graph, |answer| answer.mates[0] = 4);
    assert_eq!(wrong, Err(VerifyError::VertexOutOfRange { vertex: 4, len: 4 }));
    let wrong = right.but(&graph, |answer| answer.mates.truncate(3));
    assert!(
        matches!(
            wrong,
            Err(VerifyError::Length {
                found: 3,
                required: 4,
                ..
            })
        ),
        "{wrong:?}"
    );
    let wrong = right.but(&graph, |answer| answer.pairs.truncate(1));
    assert_eq!(
        wrong,
        Err(VerifyError::Pair {
            position: 1,
            found: None,
            required: Some((2, 3))
        })
    );
    let wrong = right.but(&graph, |answer| answer.pairs.swap(0, 1));
    assert_eq!(
        wrong,
        Err(VerifyError::Pair {
            position: 0,
            found: Some((2, 3)),
            required: Some((0, 1))
        })
    );
    let wrong = right.but(&graph, |answer| answer.pairs.push(Edge { u: 1, v: 2, weight: 1 }));
    assert_eq!(
        wrong,
        Err(VerifyError::Pair {
            position: 2,
            found: Some((1, 2)),
            required: None
        })
    );
    let wrong = right.but(&graph, |answer| answer.pairs[1].weight = 4);
    let (found, required) = (Number::Integer(4), Number::Integer(5));
    assert_eq!(
        wrong,
        Err(VerifyError::PairWeight {
            u: 2,
            v: 3,
            found,
            required
        })
    );
    let wrong = right.but(&graph, |answer| {
        answer.mates = vec![NONE, 2, 1, NONE];
        answer.pairs = vec![Edge { u: 1, v: 2, weight: 1 }];
    });
    assert_eq!(
        wrong,
        Err(VerifyError::Unmatched {
            vertex: 0,
            found: 2,
            allowed: 0
        })
    );
    let wrong = right.but(&graph, |answer| {
        answer.mates = vec![3, 2, 1, 0];
        answer.pairs = vec![Edge { u: 0, v: 3, weight: 0 }, Edge { u: 1, v: 2, weight: 1 }];
    });
    assert_eq!(wrong, Err(VerifyError::NotAnEdge { u: 0, v: 3 }));
    let wrong = right.but(&graph, |answer| answer.mates[0] = 0);
    assert!(wrong.is_err(), "a vertex is not its own partner");
    let wrong = right.but(&graph, |answer| answer.cost = 9);
    let (found, required) = (Number::Integer(9), Number::Integer(10));
    assert_eq!(wrong, Err(VerifyError::Cost { found, required }));
    let wrong = right.but(&graph, |answer| answer.bound = 9);
    assert_eq!(wrong, Err(VerifyError::Bound { found, required }));
}

#[test]
fn wrong_duals_are_refused() {
    let (graph, right) = nested();
    let but = |duals: &[i128], order: &[u32], sets: &[(u32, u32, i128)]| {
        right.but(&graph, |answer| answer.certificate = certificate(duals, order, sets))
    };
    let (zero, order, sets) = ([0; 6], [5, 3, 0, 1, 2, 4], [(1, 5, 4), (2, 3, 2)]);
    assert_eq!(but(&zero, &order, &sets), Ok(()));

    assert!(matches!(
        but(&zero[1..], &order, &sets),
        Err(VerifyError::Length {
            found: 5,
            required: 6,
            ..
        })
    ));
    assert!(matches!(
        but(&zero, &order[1..], &sets),
        Err(VerifyError::Length {
            found: 5,
            required: 6,
            ..
        })
    ));
    assert_eq!(
        but(&zero, &[5, 3, 0, 1, 3, 4], &sets),
        Err(VerifyError::Repeated { position: 4, vertex: 3 })
    );
    assert_eq!(
        but(&zero, &[5, 3, 0, 1, 6, 4], &sets),
        Err(VerifyError::VertexOutOfRange { vertex: 6, len: 6 })
    );
    let wrong = but(&zero, &order, &[(2, 5, 4), (2, 3, 2)]);
    assert_eq!(
        wrong,
        Err(VerifyError::SetRange {
            set: 0,
            start: 2,
            len: 5,
            vertices: 6
        })
    );
    let wrong = but(&zero, &order, &[(u32::MAX, u32::MAX, 4), (2, 3, 2)]);
    assert!(matches!(wrong, Err(VerifyError::SetRange { set: 0, .. })));
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4), (2, 2, 2)]),
        Err(VerifyError::SetSize { set: 1, len: 2 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4), (2, 1, 2)]),
        Err(VerifyError::SetSize { set: 1, len: 1 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4), (2, 0, 2)]),
        Err(VerifyError::SetSize { set: 1, len: 0 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 7), (2, 3, -1)]),
        Err(VerifyError::SetDual { set: 1, dual: -1 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4), (0, 3, 2)]),
        Err(VerifyError::SetsCross { set: 0, other: 1 })
    );
    assert_eq!(
        but(&zero, &order, &[(2, 3, 2), (1, 5, 4)]),
        Err(VerifyError::SetOrder { outer: 1, inner: 0 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4)]),
        Err(VerifyError::Gap { primal: 6, dual: 4 })
    );
    assert_eq!(
        but(&zero, &order, &[(1, 5, 4), (2, 3, 3)]),
        Err(VerifyError::Slack { u: 2, v: 3, slack: -1 })
    );
    assert_eq!(
        but(&[0, 0, 0, 0, 0, 1], &order, &sets),
        Err(VerifyError::Slack { u: 1, v: 5, slack: -1 })
    );
    assert_eq!(
        but(&[0, 0, 0, 0, 0, -1], &order, &sets),
        Err(VerifyError::Gap { primal: 6, dual: 5 })
    );
    assert_eq!(
        but(&zero, &[4, 3, 0, 1, 2, 5], &sets),
        Err(VerifyError::Slack { u: 3, v: 4, slack: -4 })
    );
    let wrong = right.but(&graph, |answer| {
        let old = &answer.certificate;
        answer.certificate = Certificate::new(
            old.vertex_duals().to_vec(),
            old.order().to_vec(),
            old.odd_sets().to_vec(),
            1,
        );
    });
    assert_eq!(wrong, Err(VerifyError::Exponent { found: 1 }));
}

#[test]
fn an_even_set_proves_nothing_however_large_it_is() {
    // No perfect matching need leave a set of all four: what it added to the bound would be made up.
    let (graph, mut answer) = path();
    answer.status = Status::Feasible(StopReason::WorkLimit);
    let with_set = |len, dual| certificate(&[10, 0, 0, 10], &[0, 1, 2, 3], &[(0, len, dual)]);
    answer.certificate = with_set(4, 1_000);
    answer.bound = 510;
    assert_eq!(answer.check(&graph), Err(VerifyError::SetSize { set: 0, len: 4 }));
    // A set of dual value 0 says nothing, and that is true.
    answer.bound = 10;
    answer.certificate = with_set(3, 0);
    assert_eq!(answer.check(&graph), Ok(()));
}

#[test]
fn members_are_those_of_the_range() {
    let (_, answer) = nested();
    let certificate = &answer.certificate;
    let members: Vec<&[u32]> = certificate
        .odd_sets()
        .iter()
        .map(|set| certificate.members(set))
        .collect();
    assert_eq!(members, [&[3, 0, 1, 2, 4][..], &[0, 1, 2]]);
}

#[test]
fn sums_beyond_128_bits_are_refused_not_wrapped() {
    let (graph, right) = k2();
    for duals in [[i128::MIN, i128::MAX], [i128::MAX, i128::MAX], [i128::MIN, i128::MIN]] {
        let wrong = right.but(&graph, |answer| answer.certificate = certificate(&duals, &[0, 1], &[]));
        assert!(wrong.is_err(), "{wrong:?}");
    }
    let (graph, right) = triangles();
    let order = [0, 1, 2, 3, 4, 5];
    for sets in [
        vec![(0, 3, i128::MAX), (3, 3, i128::MAX)],
        vec![(0, 5, i128::MAX), (0, 3, i128::MAX)],
    ] {
        let wrong = right.but(&graph, |answer| {
            answer.certificate = certificate(&[0; 6], &order, &sets);
        });
        assert_eq!(wrong, Err(VerifyError::Overflow));
    }
    // Of a cost of more than 64 bits nothing may be lost.
    let low = EdgeList::new(2, [(0, 1, -(1_i128 << 64))]).unwrap();
    let duals = certificate(&[0, 0], &[0, 1], &[]);
    let slack = -(1 << 65);
    assert_eq!(
        verify::certificate(&low, &Objective::MinPerfect, &duals),
        Err(VerifyError::Slack { u: 0, v: 1, slack })
    );
    // The widest costs: twice the cost does not fit.
    let wide = EdgeList::new(2, [(0, 1, i128::MAX)]).unwrap();
    let duals = certificate(&[0, 0], &[0, 1], &[]);
    assert_eq!(
        verify::certificate(&wide, &Objective::MinPerfect, &duals),
        Err(VerifyError::Overflow)
    );
    let wide = EdgeList::new(2, [(0, 1, i128::MIN)]).unwrap();
    for objective in [Objective::MaxPerfect, Objective::MaxCardinality, Objective::MinPerfect] {
        assert!(verify::certificate(&wide, &objective, &duals).is_err());
    }
}

#[test]
fn refusals_say_what_is_wrong() {
    let (graph, right) = path();
    let wrong = right.but(&graph, |answer| answer.cost = 9).unwrap_err();
    assert_eq!(wrong.to_string(), "cost 9 is claimed, the matching costs 10");
    let error: Box<dyn core::error::Error + Send + Sync> = Box::new(VerifyError::Slack { u: 1, v: 2, slack: -3 });
    assert_eq!(error.to_string(), "edge (1, 2) has slack -3");
}
