//! Edges of the input: each a typed error or a right answer, never a panic and never a hang.

use matching_core::cost::{self, Cost, DenseMatrix};
use matching_core::{Blossom, EdgeList, Engine, Error, Objective, Precision};

use crate::support::{Triple, graph, optimum, solve, solve_with};

#[test]
fn tiny_graphs() {
    for objective in [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
    ] {
        assert_eq!(optimum(&objective, 0, &[]), Some(0), "{objective:?}");
        let alone = optimum(&objective, 1, &[]);
        let is_perfect = matches!(objective, Objective::MinPerfect | Objective::MaxPerfect);
        assert_eq!(alone.is_none(), is_perfect, "{objective:?}");
    }
    assert_eq!(optimum(&Objective::MinBye(vec![7]), 1, &[]), Some(7));
    assert_eq!(optimum(&Objective::MinOptOut(vec![7, 8]), 2, &[]), Some(15));
    assert_eq!(optimum(&Objective::MinPerfect, 2, &[(0, 1, -3)]), Some(-3));
}

#[test]
fn graphs_without_a_perfect_matching_say_why() {
    let infeasible: [(usize, Vec<Triple>); 7] = [
        (3, vec![(0, 1, 1), (1, 2, 1), (0, 2, 1)]),
        (4, vec![(0, 1, 1), (0, 2, 1), (0, 3, 1)]),
        (
            6,
            vec![(0, 1, 1), (1, 2, 1), (0, 2, 1), (3, 4, 1), (4, 5, 1), (3, 5, 1)],
        ),
        (4, vec![(0, 1, 1), (1, 2, 1), (0, 2, 1)]),
        (8, (0..3).flat_map(|u| (3..8).map(move |v| (u, v, 1))).collect()),
        // Three triangles joined to one vertex: seen only after shrinking.
        (
            10,
            (0..3)
                .flat_map(|t| {
                    [
                        (3 * t, 3 * t + 1, 1),
                        (3 * t + 1, 3 * t + 2, 1),
                        (3 * t, 3 * t + 2, 1),
                        (3 * t, 9, 5),
                    ]
                })
                .collect(),
        ),
        (5, vec![]),
    ];
    for (n, edges) in infeasible {
        assert_eq!(optimum(&Objective::MinPerfect, n, &edges), None, "{edges:?}");
        assert_eq!(optimum(&Objective::MaxPerfect, n, &edges), None, "{edges:?}");
    }
}

#[test]
fn numbers_that_are_none_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(
            EdgeList::new(3, [(0, 1, 1.0), (2, 1, bad)]),
            Err(Error::NotANumber { u: 1, v: 2 })
        );
        let cost = cost::from_fn(4, |i, j| if i + j == 4 { bad } else { 1.0 });
        assert_eq!(
            Blossom::new().solve(&cost).err(),
            Some(Error::NotANumber { u: 1, v: 3 })
        );
        let pair = EdgeList::new(2, [(0, 1, 1.0)]).unwrap();
        let objective = Objective::MinOptOut(vec![1.0, bad]);
        assert_eq!(
            Blossom::new().objective(objective).solve(&pair).err(),
            Some(Error::PenaltyNotANumber { vertex: 1 })
        );
    }
}

#[test]
fn all_engines_blame_the_entry_that_is_no_number() {
    for n in [6, 150, 600] {
        for (u, v) in [(0, 1), (1, 0), (3, n - 1), (n - 1, 3)] {
            for bad in [f64::NAN, f64::INFINITY] {
                let one = cost::from_fn(n, move |i, j| if (i, j) == (u, v) { bad } else { 1.0 });
                let other_forbidden = (&one).restricted(move |i, j| (i, j) != (v, u));
                for engine in [Engine::Auto, Engine::Dense, Engine::Sparse] {
                    let solver = Blossom::new().engine(engine);
                    let expected = Some(Error::NotANumber { u, v });
                    assert_eq!(solver.solve(&one).err(), expected, "{engine:?} {n}");
                    assert_eq!(solver.solve(&other_forbidden).err(), expected, "{engine:?} {n}");
                }
            }
            // A combined cost that does not fit: the greatest integer has no successor.
            let overflow = cost::from_fn(n, move |i, j| if (i, j) == (u, v) { i64::MAX } else { 1 });
            let overflow = overflow.plus(cost::from_fn(n, |_, _| 1i64)).unwrap();
            for engine in [Engine::Auto, Engine::Dense, Engine::Sparse] {
                let solver = Blossom::new().engine(engine);
                let expected = Some(Error::CostOverflow { u, v });
                assert_eq!(solver.solve(&overflow).err(), expected, "{engine:?} {n}");
            }
        }
    }
}

#[test]
fn shapes_and_vertices_that_do_not_fit_are_named() {
    let wide = cost::from_rectangular_fn(2, 3, |_, _| 1i64);
    assert_eq!(
        Blossom::new().solve(&wide).err(),
        Some(Error::NotSquare { rows: 2, cols: 3 })
    );
    let skew = cost::from_fn(3, |i, j| (2 * i + j) as i64);
    assert_eq!(
        Blossom::new().solve(&skew).err(),
        Some(Error::Asymmetric { u: 0, v: 1 })
    );
    assert!(
        Blossom::new()
            .objective(Objective::MinBye(vec![0; 3]))
            .solve(&skew.symmetrized())
            .is_ok()
    );
    let mut one_way = DenseMatrix::square(2, vec![0i64; 4]).unwrap();
    one_way.forbid(0, 1);
    assert_eq!(
        Blossom::new().solve(&one_way).err(),
        Some(Error::Asymmetric { u: 0, v: 1 })
    );
    assert!(matches!(
        EdgeList::new(2, [(0, 2, 1i64)]),
        Err(Error::VertexOutOfRange {
            edge: 0,
            vertex: 2,
            len: 2
        })
    ));
    assert!(matches!(
        EdgeList::new(2, [(1, 1, 1i64)]),
        Err(Error::SelfLoop { edge: 0, vertex: 1 })
    ));
    // Promises edges without end.
    assert_eq!(
        EdgeList::new(2, std::iter::repeat((0, 9, 1i64))),
        Err(Error::VertexOutOfRange {
            edge: 0,
            vertex: 9,
            len: 2
        })
    );
}

#[test]
fn the_ends_of_every_integer_type_are_exact_or_refused() {
    let long = [
        (0, 1, i64::MAX),
        (2, 3, i64::MAX),
        (0, 2, i64::MIN),
        (1, 3, i64::MAX),
        (0, 3, 0),
        (1, 2, 0),
    ];
    let sum = i128::from(i64::MAX) * 2;
    assert_eq!(optimum(&Objective::MaxPerfect, 4, &long), Some(sum), "beyond i64");
    assert_eq!(optimum(&Objective::MinPerfect, 4, &long), Some(-1));
    assert_eq!(optimum(&Objective::MaxCardinality, 4, &long), Some(sum));
    assert_eq!(optimum(&Objective::MinOptOut(vec![i64::MAX; 4]), 4, &long), Some(-1));
    assert_eq!(
        optimum(&Objective::MinOptOut(vec![i64::MIN; 4]), 4, &long),
        Some(4 * i128::from(i64::MIN))
    );
    let short = graph(
        4,
        &[(0, 1, i32::MAX), (2, 3, i32::MAX), (0, 2, i32::MIN), (1, 3, i32::MIN)],
    );
    let least = solve(&Objective::MinPerfect, &short).map(|solution| solution.cost());
    assert_eq!(least, Some(2 * i128::from(i32::MIN)));
    let wide = graph(2, &[(0, 1, i128::MAX)]);
    assert!(matches!(Blossom::new().solve(&wide), Err(Error::Overflow { .. })));
    let wide = graph(2, &[(0, 1, 1i128 << 100)]);
    assert_eq!(
        solve(&Objective::MinPerfect, &wide).map(|solution| solution.cost()),
        Some(1 << 100)
    );
}

#[test]
fn combined_costs_that_do_not_fit_are_named() {
    let cost = cost::from_fn(2, |_, _| i64::MIN);
    assert_eq!(
        Blossom::new().solve(&cost.negated()).err(),
        Some(Error::CostOverflow { u: 0, v: 1 })
    );
    let cost = cost::from_fn(2, |_, _| i64::MAX);
    assert_eq!(
        Blossom::new().solve(&cost.symmetrized()).err(),
        Some(Error::CostOverflow { u: 0, v: 1 })
    );
}

#[test]
fn forbidden_pairs_are_never_used() {
    let cost = cost::from_fn(6, |i, j| if i + j == 5 { 0i64 } else { 100 }).restricted(|i, j| i + j != 5);
    let solution = solve(&Objective::MinPerfect, &cost).expect("other pairs remain");
    assert!(solution.pairs().all(|(u, v, _)| u + v != 5));
    let nobody = cost::from_fn(4, |_, _| 1i64).restricted(|_, _| false);
    assert!(solve(&Objective::MinPerfect, &nobody).is_none());
}

#[test]
fn floats_at_the_ends_of_their_range() {
    let tiny = f64::from_bits(1);
    let edges = [(0, 1, tiny), (2, 3, -tiny), (0, 2, 0.0), (1, 3, -0.0)];
    let solution = solve(&Objective::MinPerfect, &graph(4, &edges)).unwrap();
    assert_eq!(solution.cost(), 0.0);
    let edges = [(0, 1, f64::MAX), (2, 3, tiny), (0, 2, 1.0), (1, 3, 1.0)];
    let graph = graph(4, &edges);
    assert!(matches!(
        Blossom::new().solve(&graph),
        Err(Error::PrecisionRequired { .. })
    ));
    let solver = Blossom::new().precision(Precision::Quantised);
    let solution = solve_with(&solver, &Objective::MinPerfect, &graph).unwrap();
    assert_eq!(solution.cost(), 2.0);
}

#[test]
fn duals_that_outgrow_the_weights_do_not_wrap() {
    for n in [6usize, 20_000] {
        for parity in [0, 1] {
            let weight = |v: usize| if v % 2 == parity { (1 << 29) - 1 } else { 0 };
            let edges: Vec<_> = (0..n - 1).map(|v| (v, v + 1, weight(v))).collect();
            let total = (0..n - 1).step_by(2).map(|v| i128::from(weight(v))).sum();
            assert_eq!(optimum(&Objective::MinPerfect, n, &edges), Some(total));
        }
    }
}

#[test]
fn a_million_vertices_in_a_chain() {
    let n = 1_000_000;
    let weight = |v: usize| (v as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) as i32 >> 8;
    let chain = EdgeList::new(n, (0..n - 1).map(|v| (v, v + 1, weight(v)))).unwrap();
    let total = (0..n - 1).step_by(2).map(|v| i128::from(weight(v))).sum::<i128>();
    assert_eq!(
        solve(&Objective::MinPerfect, &chain).map(|solution| solution.cost()),
        Some(total)
    );
}

#[test]
fn triangles_nested_and_chained_by_the_ten_thousand() {
    let count = 20_000;
    let mut edges = Vec::new();
    for t in 0..count {
        edges.extend([
            (3 * t, 3 * t + 1, 1i64),
            (3 * t + 1, 3 * t + 2, 1),
            (3 * t, 3 * t + 2, 1),
        ]);
        if t > 0 {
            edges.push((3 * t - 1, 3 * t, 1));
        }
    }
    assert_eq!(
        optimum(&Objective::MinPerfect, 3 * count, &edges),
        Some(3 * count as i128 / 2)
    );
}

#[test]
fn float_totals_beyond_their_range_are_refused() {
    let far = [(0, 1, -f64::MAX), (2, 3, -f64::MAX), (4, 5, 0.5)];
    let near = [(0, 1, f64::MAX), (2, 3, f64::MAX)];
    let quantised = Blossom::new().precision(Precision::Quantised);
    assert_eq!(quantised.solve(&graph(6, &far)).err(), Some(Error::TotalOutOfRange));
    assert_eq!(quantised.solve(&graph(4, &near)).err(), Some(Error::TotalOutOfRange));
    assert_eq!(
        Blossom::new().solve(&graph(4, &near)).err(),
        Some(Error::TotalOutOfRange)
    );
    // Two of three leave the range, all three do not; 1 beside them is on no grid of 128 bits.
    let back = [(0, 1, -f64::MAX), (2, 3, -f64::MAX), (4, 5, f64::MAX), (6, 7, 1.0)];
    let input = graph(8, &back);
    let solution = quantised.solve(&input).expect("a total in range");
    assert_eq!(solution.cost(), -f64::MAX);
    solution
        .verify(&input)
        .expect("a total that the checker can add up, too");
}
