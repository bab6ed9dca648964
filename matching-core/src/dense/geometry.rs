//! All pairs of things that lie in space, as the pipeline asks for them: through an index, never one by one.

use super::neighbours::Neighbours;
use super::pipeline::{Pairs, Pipeline, Start, Violated, least_escapes};
use super::placed::Placed;
use super::shells::Shells;
use crate::blossom::Objective;
use crate::cost::{Embedded, check_coordinates};
use crate::edge_list::{Edge, LIMIT};
use crate::engine::{Dual, Failure, FromI128, LONG_BITS, Limits, Numbers, Outcome, Search, Warm, WideI64, widths};
use crate::error::Error;
use crate::numbers::Grid;
use crate::reduction::Reduced;
use crate::solution::SolvedBy;
use crate::witness::TutteBerge;

/// Nearest neighbours that the first search sees.
const NEAREST: usize = 8;
/// Of the pairs of a vertex that its dual is too great for, so many are taken up at once.
const WORST: usize = 8;

/// What the index refuses: its duals have 64 bits, however wide the search is.
const TOO_WIDE: Failure = Failure::Overflow {
    bits_needed: 64,
    available: LONG_BITS,
};

/// Solves a cost of things in space, for an objective that minimises.
pub(crate) fn solve<'t, C: Embedded<D>, const D: usize>(
    cost: &C,
    objective: &'t Objective<i64>,
    limits: &Limits<'_>,
    threads: usize,
) -> Result<(Reduced<'t, i64>, Outcome), Error> {
    let points: Vec<[f64; D]> = (0..cost.len()).map(|i| cost.point(i)).collect();
    check_coordinates(&points)?;
    let reduced = Reduced::new(cost.len(), objective, Grid::INTEGERS, 0)?;
    if !cost.has_forbidden() && reduced.vertices() % 2 == 1 {
        let witness = TutteBerge::of_odd_number(reduced.vertices());
        return Err(reduced.explain(Failure::at_sight(witness), SolvedBy::Embedded));
    }
    let placed = Placed::new(cost, &points);
    drop(points);
    let index = Neighbours::new(&placed)?.threads(threads);
    let candidates = index.candidates(NEAREST.min(cost.len().saturating_sub(1)));
    let space = Known {
        index: &index,
        candidates,
        least: least_cost(cost),
    };
    let found = search(space, &placed.objective(objective), limits)?;
    let found = placed.order(reduced.vertices()).restored(found);
    let outcome = found.map_err(|failure| reduced.explain(failure, SolvedBy::Embedded))?;
    Ok((reduced, outcome))
}

/// Things in space, whatever they are, as the search asks for them: all that follows is compiled once, and not for each kind of them.
trait Index: Sync {
    fn len(&self) -> usize;

    /// [`Cost::pair`](crate::Cost::pair).
    fn pair(&self, u: usize, v: usize) -> i64;

    /// [`Cost::is_allowed`](crate::Cost::is_allowed).
    fn is_allowed(&self, u: usize, v: usize) -> bool;

    /// [`Neighbours::violated`].
    fn violated(
        &self,
        totals: &[i64],
        shells: &Shells,
        slack_of: &(dyn Fn(usize, usize, i64) -> i64 + Sync),
        per_vertex: usize,
    ) -> Vec<(u32, u32, i64)>;
}

impl<C: Embedded<D>, const D: usize> Index for Neighbours<'_, C, D> {
    fn len(&self) -> usize {
        self.cost().len()
    }

    fn pair(&self, u: usize, v: usize) -> i64 {
        self.cost().pair(u, v)
    }

    fn is_allowed(&self, u: usize, v: usize) -> bool {
        self.cost().is_allowed(u, v)
    }

    fn violated(
        &self,
        totals: &[i64],
        shells: &Shells,
        slack_of: &(dyn Fn(usize, usize, i64) -> i64 + Sync),
        per_vertex: usize,
    ) -> Vec<(u32, u32, i64)> {
        self.violated(totals, shells, slack_of, per_vertex)
    }
}

/// Things in space that are numbered well.
struct Known<'s> {
    index: &'s dyn Index,
    candidates: Vec<(u32, u32)>,
    least: i64,
}

fn search(
    known: Known<'_>,
    objective: &Objective<i64>,
    limits: &Limits<'_>,
) -> Result<Result<Outcome, Failure>, Error> {
    let reduced = Reduced::new(known.index.len(), objective, Grid::INTEGERS, 0)?;
    let mut extra = Vec::new();
    reduced.visit_extra(|u, v, weight| extra.push(Edge { u, v, weight }))?;
    let copies = if reduced.is_doubled() { 2 } else { 1 };
    let (vertices, edges) = (reduced.vertices(), copies * known.candidates.len() + extra.len());
    if edges >= LIMIT - 1 {
        return Err(Error::TooLarge { vertices, edges });
    }
    let space = Space {
        known,
        copies,
        vertices,
        extra,
    };
    Ok(match space.solve::<WideI64>(|weight| weight as i64, limits) {
        Err(Failure::Overflow { .. }) => space.solve::<FromI128>(|weight| weight, limits),
        result => result,
    })
}

/// A number that no pair costs less than: the greatest cost within reach of no pair, and one more.
fn least_cost<C: Embedded<D>, const D: usize>(cost: &C) -> i64 {
    // Zero is within reach, whatever its sign.
    let is_reached = |value: i64| {
        let reach = cost.reach(value);
        reach >= 0.0 || reach.is_nan()
    };
    let (mut low, mut high) = (i64::MIN, i64::MAX);
    while low < high {
        let middle = (i128::from(low) + i128::from(high)).div_euclid(2) as i64;
        if is_reached(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// An index, read as a minimum-weight perfect matching problem.
struct Space<'s> {
    known: Known<'s>,
    copies: usize,
    vertices: usize,
    extra: Vec<Edge<i128>>,
}

impl Space<'_> {
    fn solve<N: Numbers>(
        &self,
        narrow: impl Fn(i128) -> N::Weight + Sync,
        limits: &Limits<'_>,
    ) -> Result<Outcome, Failure> {
        let least = self
            .extra
            .iter()
            .map(|edge| edge.weight)
            .fold(self.known.least.into(), i128::min);
        // Before anything is narrowed: twice a penalty need not fit 64 bits.
        let greatest = self.extra.iter().map(|edge| edge.weight).fold(least, i128::max);
        self.check_width::<N>(least, greatest)?;
        let pairs = SpacePairs::<N> {
            space: self,
            narrow: &narrow,
            least: narrow(least),
        };
        let n = self.known.index.len() as u32;
        let mut edges = Vec::with_capacity(self.known.candidates.len() * self.copies + self.extra.len());
        for copy in 0..self.copies as u32 {
            edges.extend(self.known.candidates.iter().map(|&(u, v)| {
                let (u, v) = (u + copy * n, v + copy * n);
                let weight = pairs.weight(u, v);
                Edge { u, v, weight }
            }));
        }
        edges.extend(self.extra.iter().map(|edge| Edge {
            u: edge.u,
            v: edge.v,
            weight: narrow(edge.weight),
        }));
        let weights = edges.iter().map(|edge| edge.weight.into());
        pairs.check_width(weights.max().unwrap_or(0))?;
        let work = edges.len() as u64;
        Ok(Pipeline::new(&pairs, Start::without_duals(edges), limits, work)
            .run()?
            .outcome)
    }

    /// Refuses weights between `least` and `greatest` if sums of them could leave the integers in use.
    fn check_width<N: Numbers>(&self, least: i128, greatest: i128) -> Result<(), Failure> {
        let widths = widths(self.vertices, least, greatest);
        if size_of::<N::Dual>() == size_of::<i64>() && !widths.is_long() {
            return Err(TOO_WIDE);
        }
        widths.check()
    }
}

/// The same with a choice of integers.
struct SpacePairs<'p, N: Numbers> {
    space: &'p Space<'p>,
    narrow: &'p (dyn Fn(i128) -> N::Weight + Sync),
    least: N::Weight,
}

impl<N: Numbers> SpacePairs<'_, N> {
    /// Refuses weights up to `greatest` if sums of them could leave the integers in use.
    fn check_width(&self, greatest: i128) -> Result<(), Failure> {
        self.space.check_width::<N>(self.least.into(), greatest)
    }

    /// Lowers the duals of one copy, and says whether some pair may lack more than that, as 64 bits did not hold it. Each such time
    /// an end of it comes down by 2^62, and below the least number of 64 bits none asks for anything.
    fn lower_once(&self, duals: &mut [i128]) -> bool {
        // Each search of the index yields the worst pair of every vertex; lowering by half of what that lacks mends
        // all pairs, as each pair's lack is at most that of both its ends.
        let n = self.space.known.index.len();
        for dual in duals.iter_mut() {
            *dual = (*dual).min(i64::MAX.into());
        }
        let totals: Vec<i64> = duals.iter().map(|&dual| dual.max(i64::MIN.into()) as i64).collect();
        let slack = |u: usize, v: usize, cost: i64| {
            let slack = 2 * i128::from(cost) - i128::from(totals[u]) - i128::from(totals[v]);
            slack.clamp(i64::MIN.into(), i64::MAX.into()) as i64
        };
        let mut lack = vec![0i64; n];
        for (u, v, slack) in self.space.known.index.violated(&totals, &Shells::default(), &slack, 1) {
            for end in [u, v] {
                lack[end as usize] = lack[end as usize].min(slack);
            }
        }
        for (dual, &lack) in duals.iter_mut().zip(&lack) {
            *dual += i128::from(lack.div_euclid(2));
        }
        lack.contains(&i64::MIN)
    }
}

impl<N: Numbers> Pairs<N> for SpacePairs<'_, N> {
    /// The index finds what is violated sooner than one could say where to look.
    type Settled = ();

    fn vertices(&self) -> usize {
        self.space.vertices
    }

    fn least(&self) -> N::Weight {
        self.least
    }

    fn weight(&self, u: u32, v: u32) -> N::Weight {
        let n = self.space.known.index.len();
        (self.narrow)(self.space.known.index.pair(u as usize % n, v as usize % n).into())
    }

    fn violated(
        &self,
        _: &Search<'_, N>,
        state: &Warm<N::Dual>,
        (): &mut (),
    ) -> Result<Vec<Violated<N::Dual>>, Failure> {
        let n = self.space.known.index.len();
        let least: i128 = self.least.into();
        let mut all = Vec::new();
        let mut greatest = least;
        for copy in 0..self.space.copies {
            let shift = (copy * n) as u32;
            // The index knows nothing of the least weight; half of what a pair is less by belongs to each end.
            let totals: Option<Vec<i64>> = state.totals()[copy * n..][..n]
                .iter()
                .map(|&total| {
                    i64::try_from(total.into() + least)
                        .ok()
                        .filter(|total| total.unsigned_abs() < 1 << 61)
                })
                .collect();
            let totals = totals.ok_or(TOO_WIDE)?;
            let doubled = |cost: i64| N::doubled(N::shifted((self.narrow)(cost.into()), self.least));
            let exact = |u: usize, v: usize, cost: i64| state.slack(u as u32 + shift, v as u32 + shift, doubled(cost));
            let clamped = |u: usize, v: usize, cost: i64| {
                let slack: i128 = exact(u, v, cost).into();
                slack.clamp(i64::MIN.into(), i64::MAX.into()) as i64
            };
            let shells = Shells::new(&state.nest(shift..shift + n as u32));
            for (u, v, slack) in self.space.known.index.violated(&totals, &shells, &clamped, WORST) {
                greatest = greatest.max(self.space.known.index.pair(u as usize, v as usize).into());
                all.push(Violated {
                    u: u + shift,
                    v: v + shift,
                    slack: N::Dual::from_i128(slack.into()),
                });
            }
        }
        self.check_width(greatest)?;
        all.sort_unstable_by_key(|pair| (pair.slack, pair.u, pair.v));
        Ok(all)
    }

    fn start_over(&self) -> Option<Start<N>> {
        None
    }

    fn restart(&self, _: &Warm<N::Dual>) -> Option<Start<N>> {
        None
    }

    fn everything(&self) -> Option<Vec<Edge<N::Weight>>> {
        None
    }

    /// Only here pairs are read one by one, and only those of vertices in odd components: the largest component's at
    /// last, because a pair between two of them shows in the smaller one.
    fn escapes(&self, witness: &TutteBerge) -> Vec<(u32, u32)> {
        let n = self.space.known.index.len();
        let mut part = vec![usize::MAX; self.space.vertices];
        let mut order: Vec<usize> = (0..witness.odd_components().len()).collect();
        order.sort_by_key(|&name| witness.odd_components()[name].len());
        for (name, component) in witness.odd_components().iter().enumerate() {
            component.iter().for_each(|&v| part[v] = name);
        }
        let removed = usize::MAX - 1;
        witness.removed().iter().for_each(|&v| part[v] = removed);
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (rank, &name) in order.iter().enumerate() {
            if rank + 1 == order.len() && !found.is_empty() {
                break;
            }
            let component = &witness.odd_components()[name];
            if component.len() + witness.removed().len() == self.space.vertices {
                // Nobody is outside, which to find out pair by pair takes the square of the number of points.
                continue;
            }
            for &u in component.iter().filter(|&&u| u < self.space.copies * n) {
                let (first, i) = (u - u % n, u % n);
                let out: Vec<(i64, u32)> = (0..n)
                    .filter(|&j| j != i && part[first + j] != name && part[first + j] != removed)
                    .filter(|&j| self.space.known.index.is_allowed(i, j))
                    .map(|j| (self.space.known.index.pair(i, j), (first + j) as u32))
                    .collect();
                found.extend(least_escapes(&out, i).map(|v| (v.min(u as u32), v.max(u as u32))));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn check_weights(&self, pairs: &[(u32, u32)]) -> Result<(), Failure> {
        let weights = pairs.iter().map(|&(u, v)| self.weight(u, v).into());
        self.check_width(weights.fold(self.least.into(), i128::max))
    }

    fn lower(&self, duals: &mut [i128]) {
        let n = self.space.known.index.len();
        for copy in 0..self.space.copies {
            while self.lower_once(&mut duals[copy * n..][..n]) {}
        }
    }

    fn work_of_pass(&self) -> u64 {
        self.space.vertices as u64
    }
}
