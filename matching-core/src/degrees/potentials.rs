//! Prices of vertices that tell which few edges to begin with.

use super::solve::Problem;

/// Rounds over all vertices, at least and at most. More come closer, and take longer than the search that they shorten.
const ROUNDS: [usize; 2] = [2, 16];
/// One round for so many partners that a vertex may have on average: where they are many, prices move for longer, and the search
/// gains more.
const PARTNERS_PER_ROUND: usize = 4;

fn rounds(most: &[u32]) -> usize {
    let partners: u64 = most.iter().map(|&most| u64::from(most)).sum();
    let average = partners as usize / most.len().max(1);
    (average / PARTNERS_PER_ROUND).clamp(ROUNDS[0], ROUNDS[1])
}

/// The edges at each vertex: the other vertex, and the number of the edge.
pub(super) struct Arcs {
    first: Vec<usize>,
    arcs: Vec<(u32, u32)>,
    /// Twice the cost of each edge.
    doubled: Vec<f64>,
}

impl Arcs {
    pub(super) fn new(vertices: usize, edges: &[(u32, u32)], costs: &[i128]) -> Self {
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
        let doubled = costs.iter().map(|&cost| 2.0 * cost as f64).collect();
        Self { first, arcs, doubled }
    }

    pub(super) fn of(&self, vertex: usize) -> &[(u32, u32)] {
        &self.arcs[self.first[vertex]..self.first[vertex + 1]]
    }
}

/// Moves prices to where each vertex has about as many edges below nothing as it should have partners: what is left of an edge
/// is twice its cost less the prices of its ends.
///
/// Ascent on the dual of the linear program without odd sets, vertex by vertex: given the prices of all others, the best one
/// lies between what is left of the last edge that a vertex wants and of the first that it does not. Where it may have fewer
/// than the most that is twice what one costs that is missing, as far as neither bound is passed. In floats, as prices only
/// say where to begin.
pub(super) fn ascend(prices: &mut [f64], problem: &Problem<'_>, arcs: &Arcs, must_stop: impl Fn() -> bool) {
    let mut left = Vec::new();
    for _ in 0..rounds(&problem.most) {
        for (v, &most) in problem.most.iter().enumerate() {
            let of_vertex = arcs.of(v);
            if most == 0 || of_vertex.is_empty() {
                continue;
            }
            if must_stop() {
                return;
            }
            left.clear();
            left.extend(
                of_vertex
                    .iter()
                    .map(|&(other, edge)| arcs.doubled[edge as usize] - prices[other as usize]),
            );
            prices[v] = after(&mut left, most as usize);
            let (least, missing) = (problem.least(v), 2.0 * problem.prices[v] as f64);
            if least < most && missing < prices[v] {
                let fewest = match least {
                    0 => f64::NEG_INFINITY,
                    _ => after(&mut left, least as usize),
                };
                prices[v] = prices[v].min(fewest.max(missing));
            }
        }
    }
}

/// A price with so many of these below, and the others above.
fn after(left: &mut [f64], wanted: usize) -> f64 {
    if wanted >= left.len() {
        return left.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    }
    let (_, last, beyond) = left.select_nth_unstable_by(wanted - 1, f64::total_cmp);
    let next = beyond.iter().copied().fold(f64::INFINITY, f64::min);
    (*last + next) / 2.0
}

/// What is left of an edge, where it stands among those of which as much is left, and its number.
type Left = (f64, u32, u32);

/// How prices rank the edges of a vertex.
pub(super) struct Ranks {
    left: Vec<Left>,
}

impl Ranks {
    pub(super) fn new() -> Self {
        Self { left: Vec::new() }
    }

    /// Reads the edges of a vertex; tells how many of them it wants, within its bounds.
    pub(super) fn read(&mut self, vertex: usize, problem: &Problem<'_>, arcs: &Arcs, prices: &[f64]) -> usize {
        let left = arcs.of(vertex).iter().map(|&(other, edge)| {
            (
                arcs.doubled[edge as usize] - prices[other as usize],
                scattered(vertex as u32, edge),
                edge,
            )
        });
        self.left.clear();
        self.left.extend(left);
        let (least, most) = (problem.least(vertex) as usize, problem.most[vertex] as usize);
        if least == most {
            return most;
        }
        let below = self.left.iter().filter(|(left, ..)| *left < prices[vertex]).count();
        below.clamp(least, most)
    }

    /// Splits them: so many of which least is left, those after them up to another number, and the rest.
    pub(super) fn split(&mut self, low: usize, high: usize) -> [&[Left]; 2] {
        let (low, high) = (low.min(self.left.len()), high.min(self.left.len()));
        let order = |one: &Left, other: &Left| one.0.total_cmp(&other.0).then((one.1, one.2).cmp(&(other.1, other.2)));
        if high < self.left.len() {
            self.left.select_nth_unstable_by(high, order);
        }
        if 0 < low && low < high {
            self.left[..high].select_nth_unstable_by(low, order);
        }
        let (below, rest) = self.left.split_at(low);
        [below, &rest[..high - low]]
    }
}

/// Ties are broken another way for each vertex.
fn scattered(vertex: u32, edge: u32) -> u32 {
    let seed = (u64::from(vertex) << 32 | u64::from(edge)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ((seed ^ seed >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as u32
}
