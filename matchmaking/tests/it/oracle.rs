//! Every objective against exhaustive search, in every format.

use std::fmt::Write;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::support::pair_json;

const OBJECTIVES: [&str; 4] = ["min-perfect", "max-perfect", "max-weight", "max-cardinality"];

/// A small graph with weights in hundredths.
struct Small {
    n: usize,
    edges: Vec<(usize, usize, i64)>,
}

impl Small {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let n = rng.random_range(0..=8);
        let density = rng.random_range(0.2..1.0);
        let pairs = (0..n).flat_map(|u| (u + 1..n).map(move |v| (u, v)));
        let kept: Vec<(usize, usize)> = pairs.filter(|_| rng.random_bool(density)).collect();
        let edges = kept
            .into_iter()
            .map(|(u, v)| (u, v, rng.random_range(-300..=300)))
            .collect();
        Self { n, edges }
    }

    /// All matchings: number of pairs and weight.
    fn matchings(&self) -> Vec<(usize, i64)> {
        let mut found = Vec::new();
        self.extend(0, 0, (0, 0), &mut found);
        found
    }

    fn extend(&self, from: usize, used: u32, (pairs, weight): (usize, i64), found: &mut Vec<(usize, i64)>) {
        found.push((pairs, weight));
        for (position, &(u, v, w)) in self.edges.iter().enumerate().skip(from) {
            let ends = 1 << u | 1 << v;
            if used & ends == 0 {
                self.extend(position + 1, used | ends, (pairs + 1, weight + w), found);
            }
        }
    }

    /// The optimum: number of pairs (where it counts) and weight; `None` if there is none.
    fn best(&self, objective: &str) -> Option<(usize, i64)> {
        let matchings = self.matchings();
        let perfect = matchings.iter().copied().filter(|&(pairs, _)| 2 * pairs == self.n);
        match objective {
            "min-perfect" => perfect.min_by_key(|&(_, weight)| weight),
            "max-perfect" => perfect.max_by_key(|&(_, weight)| weight),
            "max-weight" => matchings.into_iter().max_by_key(|&(_, weight)| weight),
            _ => matchings.into_iter().max(),
        }
    }

    /// The graph in a format, with the number that the format gives the first vertex.
    fn write(&self, format: &str) -> (String, usize) {
        let (n, m) = (self.n, self.edges.len());
        let weight = |w: i64| format!("{}{}.{:02}", if w < 0 { "-" } else { "" }, w.abs() / 100, w.abs() % 100);
        let mut text = String::new();
        match format {
            "edges" => {
                writeln!(text, "{n} {m}").unwrap();
                self.edges
                    .iter()
                    .for_each(|&(u, v, w)| writeln!(text, "{v} {u} {}", weight(w)).unwrap());
                (text, 0)
            }
            "dimacs" => {
                writeln!(text, "c hundredths\np edge {n} {m}").unwrap();
                let line = |&(u, v, w): &(usize, usize, i64)| format!("e {} {} {}\n", u + 1, v + 1, weight(w));
                text.extend(self.edges.iter().map(line));
                (text, 1)
            }
            "mm" => {
                writeln!(
                    text,
                    "%%MatrixMarket matrix coordinate real symmetric\n% hundredths\n{n} {n} {m}"
                )
                .unwrap();
                let line = |&(u, v, w): &(usize, usize, i64)| format!("{} {} {}e-2\n", v + 1, u + 1, w);
                text.extend(self.edges.iter().map(line));
                (text, 1)
            }
            _ => {
                writeln!(text, "{n}").unwrap();
                for u in 0..n {
                    let entry = |v| {
                        let edge = self.edges.iter().find(|&&(a, b, _)| (a, b) == (u.min(v), u.max(v)));
                        edge.map_or("-".to_owned(), |&(_, _, w)| weight(w))
                    };
                    writeln!(text, "{}", (0..n).map(entry).collect::<Vec<_>>().join("\t")).unwrap();
                }
                (text, 0)
            }
        }
    }
}

#[test]
fn every_objective_in_every_format_agrees_with_exhaustive_search() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut infeasible = 0;
    for _ in 0..12 {
        let graph = Small::random(&mut rng);
        for objective in OBJECTIVES {
            let best = graph.best(objective);
            infeasible += usize::from(best.is_none());
            for format in ["edges", "dimacs", "mm", "matrix"] {
                let (text, first) = graph.write(format);
                let document = pair_json(&text, &["--objective", objective]);
                assert_eq!(document["format"], format);
                check(&graph, objective, best, first, &document);
            }
        }
    }
    assert!(infeasible > 0, "some cases must be infeasible");
}

fn check(graph: &Small, objective: &str, best: Option<(usize, i64)>, first: usize, document: &Value) {
    let context = format!("{objective} of {:?}: {document}", graph.edges);
    assert_eq!(document["certificate"]["verified"], true, "{context}");
    let Some((pairs, weight)) = best else {
        assert_eq!(document["status"], "infeasible", "{context}");
        check_witness(graph, first, &document["witness"]);
        return;
    };
    assert_eq!(document["status"], "optimal", "{context}");
    assert_eq!(document["cost"], document["bound"], "{context}");
    assert_eq!(document["gap"], 0.0, "{context}");
    assert_eq!(
        document["cost"]["float"].as_f64(),
        Some(weight as f64 / 100.0),
        "{context}"
    );
    let chosen = document["pairs"].as_array().expect("an array");
    if objective != "max-weight" {
        assert_eq!(chosen.len(), pairs, "{context}");
    }
    let mut used = vec![false; graph.n];
    let mut total = 0;
    for pair in chosen {
        let [u, v] = [0, 1].map(|end| pair[end].as_u64().expect("a vertex") as usize - first);
        let &(_, _, w) = graph
            .edges
            .iter()
            .find(|&&(a, b, _)| (a, b) == (u, v))
            .expect("an edge");
        assert_eq!(pair[2].as_f64(), Some(w as f64 / 100.0), "{context}");
        assert!(
            !std::mem::replace(&mut used[u], true) && !std::mem::replace(&mut used[v], true),
            "{context}"
        );
        total += w;
    }
    assert_eq!(total, weight, "{context}");
    let unmatched: Vec<usize> = (0..graph.n).filter(|&v| !used[v]).map(|v| v + first).collect();
    assert_eq!(document["unmatched"], serde_json::json!(unmatched), "{context}");
}

/// Odd sets, disjoint, with edges to themselves and the removed vertices alone, and more of them than removed.
fn check_witness(graph: &Small, first: usize, witness: &Value) {
    let list = |value: &Value| -> Vec<usize> {
        let members = value.as_array().expect("an array").iter();
        members
            .map(|id| id.as_u64().expect("a vertex") as usize - first)
            .collect()
    };
    let removed = list(&witness["removed"]);
    let groups: Vec<Vec<usize>> = witness["odd_components"]
        .as_array()
        .expect("an array")
        .iter()
        .map(list)
        .collect();
    assert_eq!(
        witness["deficiency"].as_u64(),
        Some((groups.len() - removed.len()) as u64)
    );
    assert!(groups.len() > removed.len(), "{witness}");
    for (position, group) in groups.iter().enumerate() {
        assert_eq!(group.len() % 2, 1, "{witness}");
        let is_inside = |v: usize| group.contains(&v);
        assert!(groups[..position].iter().flatten().all(|&v| !is_inside(v)), "{witness}");
        for &(u, v, _) in &graph.edges {
            let leaves = |a: usize, b: usize| is_inside(a) && !is_inside(b) && !removed.contains(&b);
            assert!(!leaves(u, v) && !leaves(v, u), "{witness}");
        }
    }
}
