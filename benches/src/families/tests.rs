use std::collections::HashSet;

use super::*;

/// Whether the edges are simple and in range, and the graph has no isolated vertex.
fn check_shape(instance: &Instance) {
    let mut seen = HashSet::new();
    let mut degree = vec![0; instance.vertices];
    assert_eq!(instance.vertices % 2, 0);
    for &(u, v, weight) in &instance.edges {
        assert!(
            u != v && seen.insert((u.min(v), u.max(v))),
            "({u}, {v}) twice, or a loop"
        );
        assert!((0..1 << 22).contains(&weight));
        degree[u as usize] += 1;
        degree[v as usize] += 1;
    }
    assert!(degree.iter().all(|&degree| degree > 0));
}

#[test]
fn every_family_is_simple_even_and_seeded() {
    for family in Family::ALL {
        for n in [4, 5, 12, 101, 400] {
            let instance = family.instance(n, 7);
            check_shape(&instance);
            assert_eq!(
                instance,
                family.instance(n, 7),
                "{} is not a function of its seed",
                family.name()
            );
        }
        let n = family.instance(400, 1).vertices;
        assert!((360..=450).contains(&n), "{} made {n} vertices of 400", family.name());
        assert_eq!(Family::by_name(family.name()), Some(family));
    }
}

#[test]
fn sizes_are_as_documented() {
    let edges = |family: Family, n| family.instance(n, 1).edges.len();
    assert_eq!(edges(Family::Uniform, 100), 4950);
    assert_eq!(edges(Family::Random10, 1000), 5000);
    assert_eq!(edges(Family::Torus, 100), 200);
    assert_eq!(edges(Family::Grid, 100), 180);
    assert_eq!(edges(Family::Chain, 100), 99);
    assert_eq!(edges(Family::MaxCut, 600), 900);
    assert_eq!(edges(Family::Pendants, 60), 40 * 39 / 2 + 20);
    // Delaunay: 3 n - 3 - (points on the hull); unit disk: 5 n near pairs and n / 2 planted, less at the border.
    assert!((2900..2990).contains(&edges(Family::Delaunay, 1000)));
    assert!((5000..5700).contains(&edges(Family::UnitDisk, 1000)));
}

#[test]
fn a_matrix_allows_the_edges_and_nothing_else() {
    for family in [Family::Uniform, Family::Pendants, Family::Grid] {
        let instance = family.instance(12, 2);
        let matrix = instance.matrix().unwrap();
        let edges: HashSet<_> = instance.edges.iter().copied().collect();
        let found: HashSet<_> = (0..matrix.len())
            .flat_map(|u| (u + 1..matrix.len()).map(move |v| (u, v)))
            .filter(|&(u, v)| matrix.is_allowed(u, v) && matrix.is_allowed(v, u))
            .map(|(u, v)| (u as u32, v as u32, matrix.pair(u, v)))
            .collect();
        let turned = |&(u, v, weight): &(u32, u32, i32)| (u.min(v), u.max(v), weight);
        assert_eq!(found, edges.iter().map(turned).collect(), "{}", family.name());
        assert_eq!(matrix.has_forbidden(), family != Family::Uniform);
    }
}

/// Families of three vertices were asked for, and panicked.
#[test]
fn sizes_of_no_instance_are_refused() {
    assert_eq!((size("4"), size("268435456")), (Ok(4), Ok(1 << 28)));
    for text in ["3", "0", "268435457", "-4", "1e3", ""] {
        let refusal = format!("{text:?} vertices: a number between 4 and 268435456");
        assert_eq!(size(text), Err(refusal));
    }
}
