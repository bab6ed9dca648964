//! Strategies for property tests of anything that uses matchings (feature `proptest`).
//!
//! Small graphs of the kinds that break matching codes: many ties, odd components, blossoms inside blossoms, weights
//! at the ends of their type.
//!
//! # Examples
//! ```
//! use matching_core::{Blossom, strategies};
//! use proptest::prelude::*;
//!
//! proptest!(|(graph in strategies::graphs(0..=9))| {
//!     if let Ok(solution) = Blossom::new().solve(&graph) {
//!         prop_assert!(solution.verify(&graph).is_ok());
//!     }
//! });
//! ```

use core::ops::RangeInclusive;

use proptest::prelude::*;

use crate::blossom::Objective;
use crate::edge_list::EdgeList;

/// Vertices, and which of them are joined.
type Skeleton = (usize, Vec<(usize, usize)>);

/// Graphs of every kind in this module, with weights from single values to the ends of `i64`.
pub fn graphs(vertices: RangeInclusive<usize>) -> impl Strategy<Value = EdgeList<i64>> {
    let skeletons = prop_oneof![
        3 => random(vertices.clone()),
        1 => complete(vertices.clone()),
        2 => near_cycles(vertices.clone()),
        2 => triangle_strips(vertices.clone()),
        2 => nested_blossoms(vertices.clone()),
        2 => planted(vertices.clone()),
        1 => odd_components(vertices),
    ];
    weighted(skeletons.boxed(), weights())
}

/// The same graphs with `i32` weights, the ends of the type among them.
pub fn narrow_graphs(vertices: RangeInclusive<usize>) -> impl Strategy<Value = EdgeList<i32>> {
    let weight = prop_oneof![4 => -3..=3i32, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)];
    let skeletons = prop_oneof![
        random(vertices.clone()),
        near_cycles(vertices.clone()),
        nested_blossoms(vertices)
    ];
    weighted(skeletons.boxed(), weight.boxed())
}

/// The same graphs with finite `f64` weights: simple fractions, ordinary numbers, and numbers far apart in size.
pub fn float_graphs(vertices: RangeInclusive<usize>) -> impl Strategy<Value = EdgeList<f64>> {
    let weight = prop_oneof![
        3 => (-8..=8i32).prop_map(|eighths| f64::from(eighths) / 8.0),
        3 => -1e6..1e6f64,
        1 => prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
    ];
    let skeletons = prop_oneof![
        random(vertices.clone()),
        near_cycles(vertices.clone()),
        planted(vertices)
    ];
    weighted(skeletons.boxed(), weight.boxed())
}

/// An objective of any kind for graphs of so many vertices, with small penalties and byes.
pub fn objectives(vertices: usize) -> impl Strategy<Value = Objective<i64>> {
    let singles = prop::collection::vec(prop_oneof![4 => -5..=20i64, 1 => Just(i64::MAX)], vertices);
    prop_oneof![
        2 => Just(Objective::MinPerfect),
        1 => Just(Objective::MaxPerfect),
        1 => Just(Objective::MaxWeight),
        1 => Just(Objective::MaxCardinality),
        1 => singles.clone().prop_map(Objective::MinOptOut),
        1 => singles.prop_map(Objective::MinBye),
    ]
}

/// Lists of weights as long as anyone asks: all equal, two values, few values, many values, or near the ends of `i64`.
fn weights() -> BoxedStrategy<i64> {
    prop_oneof![
        2 => Just(1),
        3 => 0..=1i64,
        3 => -3..=3i64,
        2 => -1_000_000..=1_000_000i64,
        1 => prop_oneof![Just(i64::MIN), Just(i64::MIN + 1), Just(i64::MAX), Just(0), any::<i64>()],
    ]
    .boxed()
}

/// Puts weights on a skeleton: all from one narrow range, or each from its own.
fn weighted<V: crate::CostValue>(
    skeletons: BoxedStrategy<Skeleton>,
    weight: BoxedStrategy<V>,
) -> impl Strategy<Value = EdgeList<V>> {
    skeletons
        .prop_flat_map(move |(vertices, pairs)| {
            let weights = prop::collection::vec(weight.clone(), pairs.len());
            (Just(vertices), Just(pairs), weights)
        })
        .prop_map(|(vertices, pairs, weights)| {
            let edges = pairs.into_iter().zip(weights).map(|((u, v), weight)| (u, v, weight));
            EdgeList::new(vertices, edges.filter(|&(u, v, _)| u != v))
                .expect("vertices are in range and weights finite")
        })
}

/// Each pair with its own chance, from almost empty to full; isolated vertices and several components among them.
fn random(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    (vertices, 0.05..1.0f64).prop_flat_map(|(n, density)| {
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).collect();
        let kept = prop::collection::vec(prop::bool::weighted(density), pairs.len());
        kept.prop_map(move |kept| {
            let kept = pairs.iter().zip(kept).filter(|&(_, is_kept)| is_kept);
            (n, kept.map(|(&pair, _)| pair).collect())
        })
    })
}

fn complete(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    vertices.prop_map(|n| (n, (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v))).collect()))
}

/// A cycle and a few chords.
fn near_cycles(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    vertices.prop_flat_map(|n| {
        let chords = prop::collection::vec((0..n.max(1), 0..n.max(1)), 0..=n / 3);
        chords.prop_map(move |chords| {
            let cycle = (0..n).map(|v| (v, (v + 1) % n));
            (n, cycle.chain(chords).filter(|&(u, v)| u != v).collect())
        })
    })
}

/// Triangles that share sides: every vertex is joined to the next two.
fn triangle_strips(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    vertices.prop_map(|n| {
        let strip = (0..n).flat_map(|u| [(u, u + 1), (u, u + 2)]);
        (n, strip.filter(|&(_, v)| v < n).collect())
    })
}

/// A triangle, around it an odd cycle through it, and so on: each pair of new vertices closes a cycle over all before.
fn nested_blossoms(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    vertices.prop_flat_map(|n| {
        let anchors = prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), n / 2);
        anchors.prop_map(move |anchors| {
            let mut pairs = Vec::new();
            for (level, (a, b)) in anchors.iter().enumerate() {
                let (u, v) = (2 * level + 1, 2 * level + 2);
                pairs.push((a.index(u), u));
                if v < n {
                    pairs.extend([(u, v), (b.index(u), v)]);
                }
            }
            (n, pairs.into_iter().filter(|&(_, v)| v < n).collect())
        })
    })
}

/// A hidden perfect matching among random edges.
fn planted(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    vertices.prop_flat_map(|n| {
        let order = Just((0..n).collect::<Vec<usize>>()).prop_shuffle();
        let extra = prop::collection::vec((0..n.max(1), 0..n.max(1)), 0..=2 * n);
        (order, extra).prop_map(move |(order, extra)| {
            let hidden = order.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            (
                n,
                hidden.chain(extra).filter(|&(u, v)| u != v && u < n && v < n).collect(),
            )
        })
    })
}

/// Triangles held together by one vertex, or by none: mostly without a perfect matching.
fn odd_components(vertices: RangeInclusive<usize>) -> impl Strategy<Value = Skeleton> {
    (vertices, any::<bool>()).prop_map(|(n, has_hub)| {
        let hub = usize::from(has_hub);
        let triangles = (hub..n)
            .step_by(3)
            .flat_map(|t| [(t, t + 1), (t + 1, t + 2), (t, t + 2)]);
        let spokes = (hub..n).step_by(3).map(|t| (0, t)).filter(|_| has_hub);
        (
            n,
            triangles
                .chain(spokes)
                .filter(|&(u, v)| u != v && u.max(v) < n)
                .collect(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blossom, Error, Precision, Status, oracle, verify};

    proptest! {
        #[test]
        fn every_objective_agrees_with_the_oracle(
            (graph, objective) in graphs(0..=10).prop_flat_map(|graph| {
                let vertices = graph.len();
                (Just(graph), objectives(vertices))
            }),
        ) {
            let best = oracle::solve(&graph, &objective).unwrap();
            match Blossom::new().objective(objective.clone()).solve(&graph) {
                Ok(solution) => {
                    prop_assert_eq!(solution.verify(&graph), Ok(()));
                    prop_assert_eq!(solution.status(), Status::Optimal);
                    let best = best.expect("the oracle finds what the solver found");
                    prop_assert_eq!(solution.cost(), best.cost);
                    if objective == Objective::MaxCardinality {
                        prop_assert_eq!(solution.pairs().len(), best.pairs.len());
                    }
                }
                Err(Error::NoPerfectMatching(witness)) => {
                    prop_assert_eq!(verify::infeasibility(&graph, &objective, &witness), Ok(()));
                    prop_assert_eq!(best, None);
                }
                Err(error) => prop_assert!(false, "{}", error),
            }
        }

        #[test]
        fn larger_graphs_are_certified(graph in graphs(11..=60)) {
            match Blossom::new().solve(&graph) {
                Ok(solution) => prop_assert_eq!(solution.verify(&graph), Ok(())),
                Err(Error::NoPerfectMatching(witness)) => prop_assert_eq!(verify::witness(&graph, &witness), Ok(())),
                Err(error) => prop_assert!(false, "{}", error),
            }
        }

        #[test]
        fn narrow_weights_are_exact(graph in narrow_graphs(0..=10)) {
            let best = oracle::solve(&graph, &Objective::MaxWeight).unwrap().map(|best| best.cost);
            let solution = Blossom::new().objective(Objective::MaxWeight).solve(&graph).unwrap();
            prop_assert_eq!(solution.verify(&graph), Ok(()));
            prop_assert_eq!(Some(solution.cost()), best);
        }

        #[test]
        fn floats_are_exact_or_bounded(graph in float_graphs(0..=12)) {
            for precision in [Precision::Exact, Precision::Quantised] {
                for objective in [Objective::MinPerfect, Objective::MaxWeight, Objective::MaxCardinality] {
                    match Blossom::new().precision(precision).objective(objective).solve(&graph) {
                        Ok(solution) => prop_assert_eq!(solution.verify(&graph), Ok(())),
                        Err(Error::NoPerfectMatching(witness)) => {
                            prop_assert_eq!(verify::witness(&graph, &witness), Ok(()));
                        }
                        Err(Error::PrecisionRequired { .. }) => prop_assert_eq!(precision, Precision::Exact),
                        // The weights reach the end of their range, so totals may lie beyond it.
                        Err(Error::TotalOutOfRange) => {}
                        Err(error) => prop_assert!(false, "{}", error),
                    }
                }
            }
        }
    }
}
