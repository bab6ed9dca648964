//! Cases that others published, with the answers that they expect.

use matching_core::{Objective, oracle};

use crate::support::{Triple, graph, optimum, solve};

/// The files of `tests/data`; each names its source.
const FILES: [(&str, &str, usize); 5] = [
    ("rantwijk.txt", include_str!("../data/rantwijk.txt"), 48),
    ("boost.txt", include_str!("../data/boost.txt"), 47),
    ("networkx.txt", include_str!("../data/networkx.txt"), 44),
    ("lemon.txt", include_str!("../data/lemon.txt"), 6),
    ("or-tools.txt", include_str!("../data/or-tools.txt"), 7),
];

/// A line of such a file: name | objective | vertices | optimum | edges.
struct Case<'a> {
    objective: &'a str,
    n: usize,
    optimum: &'a str,
    edges: Vec<(usize, usize, &'a str)>,
}

impl<'a> Case<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let mut fields = line.split('|').map(str::trim);
        let [_name, objective, n, optimum, edges] = [(); 5].map(|()| fields.next());
        let edges = edges?.split_terminator(',').map(|edge| {
            let mut parts = edge.split_whitespace();
            Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?))
        });
        let edges = edges.collect::<Option<_>>()?;
        Some(Self {
            objective: objective?,
            n: n?.parse().ok()?,
            optimum: optimum?,
            edges,
        })
    }

    fn check(&self) {
        match self.weights::<i64>() {
            Some(edges) => self.check_integers(&edges),
            None => self.check_floats(&self.weights::<f64>().expect("weights are numbers")),
        }
    }

    fn weights<V: core::str::FromStr>(&self) -> Option<Vec<Triple<V>>> {
        self.edges
            .iter()
            .map(|&(u, v, weight)| Some((u, v, weight.parse().ok()?)))
            .collect()
    }

    fn check_integers(&self, edges: &[Triple]) {
        let expected = match self.optimum {
            "infeasible" => None,
            number => Some(number.parse::<i128>().expect("an integer optimum")),
        };
        let (objective, sign) = self.objective::<i64>();
        let edges: Vec<Triple> = edges.iter().map(|&(u, v, weight)| (u, v, sign * weight)).collect();
        assert_eq!(
            optimum(&objective, self.n, &edges).map(|cost| cost * i128::from(sign)),
            expected
        );
        let best = oracle::solve(&graph(self.n, &edges), &objective).expect("small enough");
        assert_eq!(best.map(|best| best.cost * i128::from(sign)), expected);
    }

    fn check_floats(&self, edges: &[Triple<f64>]) {
        let expected: f64 = self.optimum.parse().expect("a number");
        let (objective, sign) = self.objective::<f64>();
        let edges: Vec<Triple<f64>> = edges
            .iter()
            .map(|&(u, v, weight)| (u, v, sign as f64 * weight))
            .collect();
        let found = solve(&objective, &graph(self.n, &edges)).expect("feasible").cost() * sign as f64;
        assert!((found - expected).abs() < 1e-9, "{found}");
    }

    /// The objective, and the sign the weights take for it.
    fn objective<V>(&self) -> (Objective<V>, i64) {
        match self.objective {
            "min-perfect" => (Objective::MinPerfect, 1),
            "max-perfect" => (Objective::MaxPerfect, 1),
            "max-weight" => (Objective::MaxWeight, 1),
            "max-cardinality" => (Objective::MaxCardinality, 1),
            "min-of-max-cardinality" => (Objective::MaxCardinality, -1),
            other => panic!("unknown objective {other}"),
        }
    }
}

#[test]
fn small_graphs_have_their_published_optima() {
    for (file, text, expected) in FILES {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let count = lines.inspect(|line| println!("{file}: {line}")).map(|line| {
            Case::read(line).expect("a case").check();
        });
        assert_eq!(count.count(), expected, "{file}");
    }
}

/// Weights that alternate along a path.
fn chain(n: usize) -> Vec<Triple> {
    (0..n - 1).map(|v| (v, v + 1, (n + v % 2) as i64)).collect()
}

/// Triangles in a row, each joined to the next by one corner, in turn the first, the second and the third.
fn triangles(n: usize) -> Vec<Triple> {
    let corners = (0..n / 3).flat_map(|t| [(3 * t, 3 * t + 1, 1), (3 * t, 3 * t + 2, 1), (3 * t + 1, 3 * t + 2, 1)]);
    corners
        .chain((0..n / 3 - 1).map(|t| (3 * t + t % 3, 3 * t + t % 3 + 3, 1)))
        .collect()
}

/// A sparse graph that takes many dual steps: `p` heavy pairs above, two coupling pairs, each joined to all pairs above
/// and to its own `p / 2` pairs below, with weights that make the couplings alternate.
fn sparse_delta(n: usize) -> Vec<Triple> {
    let p = (n - 4) / 4;
    let (q, size) = (p / 2, p as i64);
    let most = 16 * (q as i64 + 1) * (size + 2);
    let mut edges: Vec<Triple> = (0..p).map(|i| (2 * i, 2 * i + 1, most - i as i64)).collect();
    for side in 0..2 {
        let (upper, lower) = (2 * (p + side), 2 * (p + side) + 1);
        edges.extend((0..p).map(|i| (2 * i + 1, upper, most - size - side as i64 * (1 + i as i64))));
        edges.push((upper, lower, most - (2 * size + 1) * (1 + side as i64)));
        for i in 0..q {
            let (turn, first) = ((2 * i + side) as i64, 2 * p + 4 + 2 * q * side + 2 * i);
            edges.push((lower, first, most - turn * (2 * size + 4) - 4 * size + 1));
            edges.push((first, first + 1, most - (turn + 1) * 8 * size - turn * 12));
        }
    }
    edges
}

#[test]
fn large_generated_graphs_have_their_published_optima() {
    // Source: Joris van Rantwijk, maximum-weight-matching, tests/graphs: maximum weights of generated graphs.
    // (Triangles after N. Ritchey and B. Mattingly, 1991.) The three random graphs published there are not generated
    // here.
    type Family = fn(usize) -> Vec<Triple>;
    let published: [(Family, usize, i128); 9] = [
        (chain, 1_000, 500_000),
        (chain, 5_000, 12_500_000),
        (chain, 10_000, 50_000_000),
        (triangles, 1_002, 501),
        (triangles, 5_001, 2_500),
        (triangles, 10_002, 5_001),
        (sparse_delta, 1_004, 191_875_936),
        (sparse_delta, 2_004, 1_517_439_311),
        (sparse_delta, 5_004, 23_546_254_436),
    ];
    for (family, n, weight) in published {
        assert_eq!(
            optimum(&Objective::MaxWeight, n, &family(n)),
            Some(weight),
            "{n} vertices"
        );
    }
}

#[test]
fn machol_and_wien_assignments_have_their_known_optima() {
    // Source: R. Machol and M. Wien, "A hard assignment problem", Operations Research 24 and 25 (errata), 1976-77, in
    // the sizes and with the answers of Google OR-Tools, ortools/graph/perfect_matching_test.cc.
    for n in [10, 50, 100, 200] {
        let edges: Vec<Triple> = (0..n * n)
            .map(|k| (k / n, n + k % n, (k / n * (k % n)) as i64))
            .collect();
        let cost = (0..n).map(|i| (i * (n - 1 - i)) as i128).sum();
        let solution = solve(&Objective::MinPerfect, &graph(2 * n, &edges)).expect("feasible");
        assert_eq!(solution.cost(), cost);
        assert!((0..n).all(|i| solution.mate(i) == Some(2 * n - 1 - i)));
    }
}
