//! Prices of vertices that tell which few edges to begin with.

/// Rounds over all vertices. More come closer, and take longer than the search that they shorten.
const ROUNDS: usize = 2;

/// The edges at each vertex: the other vertex, and the number of the edge.
pub(super) struct Arcs {
    first: Vec<usize>,
    arcs: Vec<(u32, u32)>,
}

impl Arcs {
    pub(super) fn new(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let mut first = vec![0usize; vertices + 1];
        for &(u, v) in edges {
            first[u as usize + 1] += 1;
            first[v as usize + 1] += 1;
        }
        for v in 0..vertices {
            first[v + 1] += first[v];
        }
        let mut next = first.clone();
        let mut arcs = vec![(0, 0); 2 * edges.len()];
        for (edge, &(u, v)) in edges.iter().enumerate() {
            for (tail, head) in [(u, v), (v, u)] {
                arcs[next[tail as usize]] = (head, edge as u32);
                next[tail as usize] += 1;
            }
        }
        Self { first, arcs }
    }

    pub(super) fn of(&self, vertex: usize) -> &[(u32, u32)] {
        &self.arcs[self.first[vertex]..self.first[vertex + 1]]
    }
}

/// Moves prices to where each vertex has about as many edges below nothing as it may have partners: what is left of an edge
/// is twice its cost less the prices of its ends.
///
/// Ascent on the dual of the linear program without odd sets, vertex by vertex: given the prices of all others, the best one
/// lies between what is left of the last edge that a vertex wants and of the first that it does not. In floats, as prices
/// only say where to begin.
pub(super) fn ascend(prices: &mut [f64], arcs: &Arcs, most: &[u32], cost: impl Fn(u32) -> i128) {
    let mut left = Vec::new();
    for _ in 0..ROUNDS {
        for (v, &wanted) in most.iter().enumerate() {
            let of_vertex = arcs.of(v);
            let wanted = wanted as usize;
            if wanted == 0 || of_vertex.is_empty() {
                continue;
            }
            left.clear();
            left.extend(
                of_vertex
                    .iter()
                    .map(|&(other, edge)| 2.0 * cost(edge) as f64 - prices[other as usize]),
            );
            prices[v] = if wanted >= left.len() {
                left.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            } else {
                let (_, last, beyond) = left.select_nth_unstable_by(wanted - 1, f64::total_cmp);
                let next = beyond.iter().copied().fold(f64::INFINITY, f64::min);
                (*last + next) / 2.0
            };
        }
    }
}

/// For each vertex so many of its edges beyond those it wants, by what is left of them, in order.
pub(super) fn cheapest(
    arcs: &Arcs,
    most: &[u32],
    prices: &[f64],
    beyond: usize,
    cost: impl Fn(u32) -> i128,
) -> Vec<u32> {
    let mut chosen = Vec::new();
    let mut left: Vec<(f64, u32)> = Vec::new();
    for (v, &wanted) in most.iter().enumerate() {
        left.clear();
        left.extend(
            arcs.of(v)
                .iter()
                .map(|&(other, edge)| (2.0 * cost(edge) as f64 - prices[other as usize], edge)),
        );
        let count = (wanted as usize).saturating_add(beyond);
        if count < left.len() {
            left.select_nth_unstable_by(count - 1, |one, other| {
                one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
            });
            left.truncate(count);
        }
        chosen.extend(left.iter().map(|&(_, edge)| edge));
    }
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
