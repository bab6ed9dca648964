//! The heart of the checker: is this a feasible dual solution of that instance?

use core::ops::ControlFlow;

use super::error::VerifyError;
use super::filter::{BLOCK, Filter};
use super::graph::{Graph, Run};
use super::reduced::Reduced;
use crate::certificate::{Certificate, OddSet};
use crate::cost::CostValue;

/// Checks order, odd sets and every edge's slack; returns `sum y + sum z`.
pub(super) fn check<V: CostValue>(
    graph: &Graph<'_, V>,
    reduced: &Reduced<'_, V>,
    certificate: &Certificate,
) -> Result<i128, VerifyError> {
    let duals = Duals::new(reduced.len(), certificate)?;
    let filter = Filter::new(reduced, &duals.total);
    graph.fold(|(): &mut (), run| duals.check_run(reduced, &filter, run), |(), ()| ())?;
    reduced.visit_links(|u, v, cost| duals.check_edge(u, v, cost))?;
    certificate.doubled_bound().ok_or(VerifyError::Overflow)
}

/// The same for a minimum-weight perfect matching of a graph that is not kept: `edges` shows each of its edges, with its cost, until
/// one is refused.
pub(super) fn check_shown(
    vertices: usize,
    certificate: &Certificate,
    edges: impl FnOnce(&mut dyn FnMut(usize, usize, i128) -> ControlFlow<()>),
) -> Result<i128, VerifyError> {
    let duals = Duals::new(vertices, certificate)?;
    let mut checked = Ok(());
    edges(&mut |u, v, cost| {
        checked = duals.check_edge(u, v, cost);
        match checked {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    });
    checked?;
    certificate.doubled_bound().ok_or(VerifyError::Overflow)
}

/// Dual values in the form that answers `slack` in logarithmic time.
pub(super) struct Duals {
    /// `y(v)` and `z` of every set that contains `v`.
    total: Vec<i128>,
    /// Position of each vertex in the order.
    position: Vec<usize>,
    /// A tree of minima. Its leaf `len + g` holds the sum of `z` of the sets that contain both position `g` and
    /// position `g + 1`, its node `i` the lesser of the nodes `2i` and `2i + 1`.
    ///
    /// Sets are ranges, nested or disjoint, so a set that contains two vertices covers all the gaps between them; and
    /// where the largest set with the first vertex but not the second ends, only such sets cover the gap. As `z` is
    /// never negative, the minimum over the gaps is exactly the sum of `z` of the sets that contain both.
    minima: Vec<i128>,
}

impl Duals {
    pub(super) fn new(vertices: usize, certificate: &Certificate) -> Result<Self, VerifyError> {
        let expect = |what, found| {
            if found == vertices {
                Ok(())
            } else {
                Err(VerifyError::Length {
                    what,
                    found,
                    required: vertices,
                })
            }
        };
        expect("vertex duals", certificate.vertex_duals().len())?;
        expect("vertices in the order", certificate.order().len())?;
        let mut position = vec![usize::MAX; vertices];
        for (at, vertex) in certificate.order().iter().map(|&vertex| vertex as usize).enumerate() {
            let slot = position
                .get_mut(vertex)
                .ok_or(VerifyError::VertexOutOfRange { vertex, len: vertices })?;
            if *slot != usize::MAX {
                return Err(VerifyError::Repeated { position: at, vertex });
            }
            *slot = at;
        }
        check_sets(vertices, certificate.odd_sets())?;
        // Sums of z over the sets around each position and around each gap, as differences first.
        let (mut around, mut across) = (vec![0i128; vertices + 1], vec![0i128; vertices + 1]);
        let add = |slot: &mut i128, z: i128| slot.checked_add(z).map(|sum| *slot = sum).ok_or(VerifyError::Overflow);
        for &OddSet { start, len, dual } in certificate.odd_sets() {
            let (start, end) = (start as usize, start as usize + len as usize);
            add(&mut around[start], dual)?;
            add(&mut around[end], -dual)?;
            add(&mut across[start], dual)?;
            add(&mut across[end - 1], -dual)?;
        }
        for at in 1..vertices {
            let (before, gap) = (around[at - 1], across[at - 1]);
            add(&mut around[at], before)?;
            add(&mut across[at], gap)?;
        }
        let mut total = certificate.vertex_duals().to_vec();
        for (vertex, y) in total.iter_mut().enumerate() {
            add(y, around[position[vertex]])?;
        }
        let mut minima = vec![0; vertices];
        minima.extend(&across[..vertices]);
        for node in (1..vertices).rev() {
            minima[node] = minima[2 * node].min(minima[2 * node + 1]);
        }
        Ok(Self {
            total,
            position,
            minima,
        })
    }

    /// Checks the images of a run of edges of the input: those that the filter does not clear, one by one.
    fn check_run<V: CostValue>(
        &self,
        reduced: &Reduced<'_, V>,
        filter: &Filter,
        run: &Run<'_, V>,
    ) -> Result<(), VerifyError> {
        for shift in reduced.copies() {
            let (len, mut done) = (run.weights.len(), 0);
            while done < len {
                done += filter.clear(run.u + shift, run.first + done + shift, &run.weights[done..]);
                let unclear = done..len.min(done + BLOCK);
                done = unclear.end;
                for (v, weight) in run.edges(unclear) {
                    self.check_edge(run.u + shift, v + shift, reduced.cost(run.u, v, weight)?)?;
                }
            }
        }
        Ok(())
    }

    /// `y(v)` and `z` of every set that contains `v`: an edge that costs no less than half of the sum of both ends has no negative
    /// slack.
    pub(super) fn total(&self, vertex: usize) -> i128 {
        self.total[vertex]
    }

    pub(super) fn check_edge(&self, u: usize, v: usize, cost: i128) -> Result<(), VerifyError> {
        match self.slack(u, v, cost).ok_or(VerifyError::Overflow)? {
            slack if slack < 0 => Err(VerifyError::Slack { u, v, slack }),
            _ => Ok(()),
        }
    }

    /// Sum of `z` over the sets that contain both `u` and `v`, which differ.
    fn common(&self, u: usize, v: usize) -> i128 {
        let (p, q) = (self.position[u], self.position[v]);
        let (mut low, mut high) = (self.total.len() + p.min(q), self.total.len() + p.max(q));
        let mut least = i128::MAX;
        while low < high {
            if low % 2 == 1 {
                least = least.min(self.minima[low]);
                low += 1;
            }
            if high % 2 == 1 {
                high -= 1;
                least = least.min(self.minima[high]);
            }
            (low, high) = (low / 2, high / 2);
        }
        least
    }

    /// Slack of an edge, or some number that is not negative where the slack is not either; `None` on overflow.
    fn slack(&self, u: usize, v: usize, cost: i128) -> Option<i128> {
        let load = self.total[u].checked_add(self.total[v])?;
        let slack = cost.checked_mul(2)?.checked_sub(load)?;
        // Sets that contain both ends are counted in both totals. Without them the slack can only be greater, so
        // they need not be found for most edges.
        if slack < 0 {
            slack.checked_add(self.common(u, v).checked_mul(2)?)
        } else {
            Some(slack)
        }
    }

    /// Slack of an edge, whatever it is; `None` on overflow.
    pub(super) fn exact_slack(&self, u: usize, v: usize, cost: i128) -> Option<i128> {
        let apart = self.total[u]
            .checked_add(self.total[v])?
            .checked_sub(self.common(u, v).checked_mul(2)?)?;
        cost.checked_mul(2)?.checked_sub(apart)
    }
}

/// Sets must be ranges of odd size with non-negative duals, nested or disjoint, the outer ones first.
fn check_sets(vertices: usize, sets: &[OddSet]) -> Result<(), VerifyError> {
    let range = |set: usize| {
        (
            sets[set].start as usize,
            sets[set].start as usize + sets[set].len as usize,
        )
    };
    for (set, &OddSet { len, dual, .. }) in sets.iter().enumerate() {
        let ((start, end), len) = (range(set), len as usize);
        if end > vertices {
            return Err(VerifyError::SetRange {
                set,
                start,
                len,
                vertices,
            });
        }
        if len < 3 || len % 2 == 0 {
            return Err(VerifyError::SetSize { set, len });
        }
        if dual < 0 {
            return Err(VerifyError::SetDual { set, dual });
        }
    }
    // From left to right, outer before inner: the open sets around the current one form a stack.
    let mut sorted: Vec<usize> = (0..sets.len()).collect();
    sorted.sort_unstable_by_key(|&set| (range(set).0, usize::MAX - range(set).1, set));
    let mut open: Vec<usize> = Vec::new();
    for set in sorted {
        let (start, end) = range(set);
        while open.pop_if(|outer| range(*outer).1 <= start).is_some() {}
        if let Some(&outer) = open.last() {
            if range(outer).1 < end {
                return Err(VerifyError::SetsCross { set, other: outer });
            }
            if outer > set {
                return Err(VerifyError::SetOrder { outer, inner: set });
            }
        }
        open.push(set);
    }
    Ok(())
}
