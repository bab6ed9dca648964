//! Other crates behind the same question. The ways in are described at the variants of [`crate::solvers::Solver`].

use core::convert::Infallible;

use rustworkx_core::petgraph::graph::{NodeIndex, UnGraph};

use crate::families::Instance;
use crate::own::edges_kib;
use crate::solvers::{Refusal, Run, Span};

/// `integer-blossom` keeps several words per pair of vertices: 4,096 vertices take about a gigabyte.
const LARGEST_MATRIX: usize = 4096;

fn max_weight(instance: &Instance) -> i32 {
    instance.edges.iter().map(|edge| edge.2).max().unwrap_or(0)
}

pub(crate) fn rustworkx_core(instance: &Instance) -> Result<Run, Refusal> {
    let top = i128::from(max_weight(instance)) + 1;
    let (graph, build) = Span::of(|| {
        let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(instance.vertices, instance.edges.len());
        for _ in 0..instance.vertices {
            graph.add_node(());
        }
        for &(u, v, weight) in &instance.edges {
            graph.add_edge(
                NodeIndex::new(u as usize),
                NodeIndex::new(v as usize),
                i128::from(weight),
            );
        }
        graph
    });
    let (pairs, solve) = Span::of(|| {
        rustworkx_core::max_weight_matching::max_weight_matching(
            &graph,
            true,
            |edge| Ok::<i128, Infallible>(top - *edge.weight()),
            false,
        )
    });
    let Ok(pairs) = pairs;
    if 2 * pairs.len() != instance.vertices {
        return Err(Refusal::NotPerfect);
    }
    let weight_of = |&(u, v): &(usize, usize)| {
        let edge = graph
            .find_edge(NodeIndex::new(u), NodeIndex::new(v))
            .ok_or(Refusal::NotPerfect)?;
        Ok(graph[edge])
    };
    let optimum = pairs.iter().map(weight_of).sum::<Result<i128, Refusal>>()?;
    Ok(Run::new(optimum, build, solve))
}

pub(crate) fn integer_blossom(instance: &Instance) -> Result<Run, Refusal> {
    let n = instance.vertices;
    if n > LARGEST_MATRIX {
        return Err(Refusal::TooLarge);
    }
    let is_complete = instance.edges.len() == n * (n - 1) / 2;
    let top = if is_complete {
        0
    } else {
        1 + (n as i64 / 2) * i64::from(max_weight(instance))
    };
    let (matrix, build) = Span::of(|| {
        let mut matrix = vec![0i64; n * n];
        for &(u, v, weight) in &instance.edges {
            let value = if is_complete {
                i64::from(weight)
            } else {
                top - i64::from(weight)
            };
            matrix[u.min(v) as usize * n + u.max(v) as usize] = value;
        }
        matrix
    });
    let (mates, solve) = Span::of(|| {
        if is_complete {
            integer_blossom::min_weight_perfect_matching(&matrix, n)
                .into_iter()
                .map(Some)
                .collect()
        } else {
            integer_blossom::max_weight_matching(&matrix, n)
        }
    });
    let optimum = total(instance, |u| mates[u])?;
    let run = Run::new(optimum, build, solve);
    Ok(if is_complete {
        // The matrix is the input; the edges it was made of are not.
        Run {
            build: Span::default(),
            peak_kib: run.peak_kib.map(|peak| peak.saturating_sub(edges_kib(instance))),
            ..run
        }
    } else {
        run
    })
}

pub(crate) fn mwmatching(instance: &Instance) -> Result<Run, Refusal> {
    let top = max_weight(instance) + 1;
    let (edges, build) = Span::of(|| {
        let transformed = instance
            .edges
            .iter()
            .map(|&(u, v, weight)| (u as usize, v as usize, top - weight));
        transformed.collect::<Vec<_>>()
    });
    let (mates, solve) = Span::of(|| mwmatching::Matching::new(edges).max_cardinality().solve());
    let optimum = total(instance, |u| {
        mates.get(u).copied().filter(|&mate| mate != mwmatching::SENTINEL)
    })?;
    Ok(Run::new(optimum, build, solve))
}

/// Total weight of the edges that join mates, if those are a perfect matching.
fn total(instance: &Instance, mate: impl Fn(usize) -> Option<usize>) -> Result<i128, Refusal> {
    let matched = instance
        .edges
        .iter()
        .filter(|&&(u, v, _)| mate(u as usize) == Some(v as usize) && mate(v as usize) == Some(u as usize));
    let (pairs, sum) = matched.fold((0, 0i128), |(pairs, sum), edge| (pairs + 1, sum + i128::from(edge.2)));
    if 2 * pairs == instance.vertices {
        Ok(sum)
    } else {
        Err(Refusal::NotPerfect)
    }
}
