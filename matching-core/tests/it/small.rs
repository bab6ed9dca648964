//! Optima of all objectives for small graphs from one table over vertex sets, and the comparison with the solver.
//!
//! Shared by the tests and by the example `exhaustive`; independent of the library's own oracle.

use matching_core::{Blossom, EdgeList, Error, Objective, Solution, verify};

/// The optimum of every objective; `None` where there is no such matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Optima {
    pub(crate) min_perfect: Option<i64>,
    pub(crate) max_perfect: Option<i64>,
    pub(crate) max_weight: i64,
    /// Number of pairs, then weight.
    pub(crate) max_cardinality: (usize, i64),
    pub(crate) min_opt_out: i64,
    pub(crate) min_bye: Option<i64>,
}

/// Least and greatest weight of the perfect matchings of every vertex set, reused from graph to graph.
#[derive(Debug, Default)]
pub(crate) struct SubsetTable {
    least: Vec<Option<i64>>,
    greatest: Vec<Option<i64>>,
    weight: Vec<Option<i64>>,
}

impl SubsetTable {
    /// Fills the table for a graph of few vertices and reads all optima from it.
    pub(crate) fn optima(
        &mut self,
        n: usize,
        edges: &[(usize, usize, i64)],
        penalties: &[i64],
        byes: &[i64],
    ) -> Optima {
        self.fill(n, edges);
        let all = (1usize << n) - 1;
        let single = |vertices: usize| (0..n).filter(move |v| vertices >> v & 1 == 1);
        let mut optima = Optima {
            min_perfect: self.least[all],
            max_perfect: self.greatest[all],
            max_weight: 0,
            max_cardinality: (0, 0),
            min_opt_out: penalties.iter().sum(),
            min_bye: self.least[all],
        };
        for set in 0..=all {
            if let (Some(least), Some(greatest)) = (self.least[set], self.greatest[set]) {
                let pairs = set.count_ones() as usize / 2;
                let alone: i64 = single(all & !set).map(|v| penalties[v]).sum();
                optima.max_weight = optima.max_weight.max(greatest);
                optima.max_cardinality = optima.max_cardinality.max((pairs, greatest));
                optima.min_opt_out = optima.min_opt_out.min(least + alone);
            }
        }
        if n % 2 == 1 {
            optima.min_bye = (0..n)
                .filter_map(|v| Some(self.least[all & !(1 << v)]? + byes[v]))
                .min();
        }
        optima
    }

    fn fill(&mut self, n: usize, edges: &[(usize, usize, i64)]) {
        self.weight.clear();
        self.weight.resize(n * n, None);
        for &(u, v, weight) in edges {
            self.weight[u.min(v) * n + u.max(v)] = Some(weight);
        }
        for table in [&mut self.least, &mut self.greatest] {
            table.clear();
            table.resize(1 << n, None);
            table[0] = Some(0);
        }
        for set in (1usize..1 << n).filter(|set| set.count_ones() % 2 == 0) {
            let first = set.trailing_zeros() as usize;
            let mut others = set & (set - 1);
            while others != 0 {
                let second = others.trailing_zeros() as usize;
                others &= others - 1;
                let rest = set & !(1 << first) & !(1 << second);
                if let (Some(weight), Some(least)) = (self.weight[first * n + second], self.least[rest]) {
                    let greatest = self.greatest[rest].expect("both or neither") + weight;
                    self.least[set] = Some(self.least[set].map_or(least + weight, |old| old.min(least + weight)));
                    self.greatest[set] = Some(self.greatest[set].map_or(greatest, |old| old.max(greatest)));
                }
            }
        }
    }
}

/// Solves one objective, checks the answer or the witness and compares with the optimum.
fn compare(
    graph: &EdgeList<i64>,
    objective: &Objective<i64>,
    expected: Option<i64>,
    pairs: Option<usize>,
) -> Result<(), String> {
    let found = match Blossom::new().objective(objective.clone()).solve(graph) {
        Ok(solution) => {
            solution
                .verify(graph)
                .map_err(|error| format!("{objective:?}: answer refused: {error}"))?;
            if !solution.is_optimal() || pairs.is_some_and(|pairs| pairs != solution.pairs().len()) {
                return Err(format!("{objective:?}: {solution:?}, {pairs:?} pairs expected"));
            }
            Some(solution)
        }
        Err(Error::NoPerfectMatching(witness)) => {
            verify::infeasibility(graph, objective, &witness)
                .map_err(|error| format!("{objective:?}: witness refused: {error}: {witness:?}"))?;
            None
        }
        Err(error) => return Err(format!("{objective:?}: {error:?}")),
    };
    match (found.as_ref().map(Solution::cost), expected.map(i128::from)) {
        (found, expected) if found == expected => Ok(()),
        (found, expected) => Err(format!("{objective:?}: optimum {expected:?}, found {found:?}")),
    }
}

/// Compares every objective with its optimum; the error names what differs.
pub(crate) fn check_all(
    table: &mut SubsetTable,
    n: usize,
    edges: &[(usize, usize, i64)],
    penalties: &[i64],
    byes: &[i64],
) -> Result<(), String> {
    let optima = table.optima(n, edges, penalties, byes);
    let graph = EdgeList::new(n, edges.iter().copied()).map_err(|error| format!("{error:?}"))?;
    let (pairs, weight) = optima.max_cardinality;
    compare(&graph, &Objective::MinPerfect, optima.min_perfect, None)?;
    compare(&graph, &Objective::MaxPerfect, optima.max_perfect, None)?;
    compare(&graph, &Objective::MaxWeight, Some(optima.max_weight), None)?;
    compare(&graph, &Objective::MaxCardinality, Some(weight), Some(pairs))?;
    compare(
        &graph,
        &Objective::MinOptOut(penalties.to_vec()),
        Some(optima.min_opt_out),
        None,
    )?;
    compare(&graph, &Objective::MinBye(byes.to_vec()), optima.min_bye, None)
}

/// A small, fast, seeded generator (Steele, Lea and Flood 2014), so that a graph can be made again from its number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitMix(pub(crate) u64);

impl SplitMix {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// An instance of a series: vertices, edges, penalties, byes.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) n: usize,
    pub(crate) edges: Vec<(usize, usize, i64)>,
    pub(crate) penalties: Vec<i64>,
    pub(crate) byes: Vec<i64>,
}

impl Case {
    pub(crate) fn check(&self, table: &mut SubsetTable) -> Result<(), String> {
        check_all(table, self.n, &self.edges, &self.penalties, &self.byes).map_err(|error| format!("{error}\n{self:?}"))
    }
}

/// Number of graphs on `n` vertices in which each pair is absent, 0 or 1.
pub(crate) fn ternary_count(n: usize) -> u64 {
    3u64.pow((n * n.saturating_sub(1) / 2) as u32)
}

/// The graph of that number: digits in base 3, pair by pair. Penalties and byes are drawn from the number.
pub(crate) fn ternary(n: usize, number: u64) -> Case {
    let mut rest = number;
    let mut edges = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if !rest.is_multiple_of(3) {
                edges.push((u, v, (rest % 3) as i64 - 1));
            }
            rest /= 3;
        }
    }
    let mut random = SplitMix(number);
    let mut draw = |low, high| (0..n).map(|_| random.between(low, high)).collect();
    Case {
        n,
        edges,
        penalties: draw(-1, 2),
        byes: draw(-1, 1),
    }
}

/// A random graph on up to ten vertices, of any density, with narrow or wide weights.
pub(crate) fn random(number: u64) -> Case {
    let mut random = SplitMix(number ^ 0x5eed_0000_0000_0000);
    let n = 1 + random.below(10) as usize;
    let density = 1 + random.below(10);
    let (low, high) = [(0, 0), (0, 1), (0, 3), (-10, 10), (-500, 500)][random.below(5) as usize];
    let mut edges = Vec::new();
    for u in 0..n {
        for v in u + 1..n {
            if random.below(10) < density {
                edges.push((u, v, random.between(low, high)));
            }
        }
    }
    // The order of the edges is part of the input.
    for i in (1..edges.len()).rev() {
        edges.swap(i, random.below(i as u64 + 1) as usize);
    }
    let mut draw = |low, high| (0..n).map(|_| random.between(low, high)).collect();
    Case {
        n,
        edges,
        penalties: draw(low / 2, high + 1),
        byes: draw(low, high),
    }
}
