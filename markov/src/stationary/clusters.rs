//! Aggregation and disaggregation: chains that nearly fall apart into clusters.
//!
//! Sweeps balance the states of a cluster quickly, and clusters against each other hardly at all. So between sweeps
//! each cluster is taken for one state, moves out of it weighed by the present weights of its states, and that small
//! chain is solved without subtraction; each cluster then gets what that says, its states in the proportions that they
//! had.
//!
//! References: R. Koury, D. McAllister, W. Stewart, "Iterative methods for computing stationary distributions of nearly
//! completely decomposable Markov chains", SIAM Journal on Algebraic and Discrete Methods 5 (1984), 164-186,
//! doi:10.1137/0605019.

use super::inflows::{Inflows, heaviest};
use crate::budget::Meter;
use crate::classify::Classes;
use crate::elimination::{Elimination, Room, Within};
use crate::sparse::Csr;

/// Clusters at most: their chain is full.
const MOST: usize = 512;
/// Moves of smaller probabilities are left out to see what falls apart, the first of these that leaves few enough
/// clusters.
const WEAK: [f64; 8] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-6, 1e-8, 1e-10, 1e-13];

/// Which states belong together.
#[derive(Debug)]
pub(super) struct Clusters {
    /// By state.
    of: Vec<u32>,
    count: usize,
}

/// The chain of the clusters, with the weights of its states.
struct Small {
    sizes: Vec<f64>,
    rates: Csr<f64>,
}

impl Clusters {
    /// Clusters of an irreducible chain; `None` if it does not fall apart, or the solve is to end.
    pub(super) fn find(rates: &Csr<f64>, meter: &Meter<'_>) -> Option<Self> {
        let exits: Vec<f64> = (0..rates.rows())
            .map(|state| rates.row_slices(state).1.iter().sum())
            .collect();
        for weak in WEAK {
            meter.spend(rates.entries() as u64).ok()?;
            let strong = rates.map(|state, _, &rate| if rate < weak * exits[state] { 0.0 } else { rate });
            let classes = Classes::of(&strong);
            let count = classes.len();
            if count <= MOST {
                let of = (0..rates.rows()).map(|state| classes.class_of(state) as u32);
                return (count > 1).then(|| Self {
                    of: of.collect(),
                    count,
                });
            }
        }
        None
    }

    /// The chain of the clusters. `None` where weights or flows have left the range of floats, or the solve is to end.
    fn small(&self, inflows: &Inflows<'_>, x: &[f64]) -> Option<Small> {
        let mut sizes = vec![0.0; self.count];
        let mut flows = vec![0.0; self.count * self.count];
        for (state, &cluster) in self.of.iter().enumerate() {
            if !inflows.goes_on(state) {
                return None;
            }
            sizes[cluster as usize] += x[state];
            let (from, rates) = inflows.into.row_slices(state);
            for (&from, &rate) in from.iter().zip(rates) {
                let source = self.of[from as usize];
                if source != cluster {
                    flows[source as usize * self.count + cluster as usize] += x[from as usize] * rate;
                }
            }
        }
        for (row, &size) in flows.chunks_mut(self.count).zip(&sizes) {
            row.iter_mut().for_each(|flow| *flow /= size);
        }
        let is_whole = sizes.iter().all(|size| size.is_normal()) && flows.iter().all(|flow| flow.is_finite());
        is_whole.then(|| Small {
            rates: Csr::from_rows(
                self.count,
                flows.chunks(self.count).map(|row| row.iter().copied().enumerate()),
            ),
            sizes,
        })
    }

    /// Gives each cluster its weight against the others. Returns whether floats hold these: otherwise nothing is done.
    pub(super) fn correct(&self, inflows: &Inflows<'_>, x: &mut [f64]) -> bool {
        let Some(Small { sizes, rates }) = self.small(inflows, x) else {
            return false;
        };
        let room = Room::within_step(inflows.meter);
        let done = Elimination::within(&rates, None, None, room).ok();
        let Some(weights) = done.and_then(|done| done.weights(inflows.meter).ok()) else {
            return false;
        };
        let weights = weights.values;
        if weights.iter().any(|weight| !weight.is_normal()) {
            return false;
        }
        for (weight, &cluster) in x.iter_mut().zip(&self.of) {
            *weight *= weights[cluster as usize] / sizes[cluster as usize];
        }
        true
    }

    /// What [`Clusters::correct`] makes of a small difference to weights `x` that are stationary: the flow that
    /// clusters are off balance by is led through their chain until it comes to the heaviest one.
    pub(super) fn correct_difference(&self, inflows: &Inflows<'_>, x: &[f64], difference: &mut [f64]) {
        let Some(Small { sizes, rates }) = self.small(inflows, x) else {
            return;
        };
        let mut off = vec![0.0; self.count];
        for (state, &cluster) in self.of.iter().enumerate() {
            off[cluster as usize] += inflows.inflow(state, difference) - difference[state] / inflows.holding[state];
        }
        let heaviest = heaviest(&sizes);
        let others = (0..self.count).filter(|&cluster| cluster != heaviest).collect();
        let room = Room::within_step(inflows.meter);
        let Ok(others) = Within::new(self.count, others, |cluster| rates.row(cluster), room) else {
            return;
        };
        let Ok(visits) = others.visits(|cluster| off[cluster], inflows.meter) else {
            return;
        };
        let mut shift = vec![0.0; self.count];
        for (&cluster, part) in others.states.iter().zip(visits.rounded()) {
            shift[cluster] = part;
        }
        for (state, part) in difference.iter_mut().enumerate() {
            let cluster = self.of[state] as usize;
            *part += x[state] / sizes[cluster] * shift[cluster];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Clusters, Inflows};
    use crate::budget::Meter;
    use crate::sparse::Csr;

    #[test]
    fn clusters_are_balanced_and_weights_that_are_lost_are_left_alone() {
        // Two pairs, the first left at 1e-6, the second at 3e-6: three quarters of the time are spent in the first.
        let rates = Csr::from_rows(
            4,
            [
                vec![(1, 1.0), (2, 1e-6)],
                vec![(0, 1.0)],
                vec![(3, 1.0), (0, 3e-6)],
                vec![(2, 1.0)],
            ],
        );
        let meter = Meter::unlimited();
        let inflows = Inflows::new(&rates, rates.transposed(), &meter);
        let mut x = vec![0.25; 4];
        let clusters = Clusters::find(&rates, &meter).expect("two pairs");
        assert!(clusters.correct(&inflows, &mut x));
        for (weight, expected) in x.iter().zip([0.375, 0.375, 0.125, 0.125]) {
            assert!((weight - expected).abs() < 1e-15);
        }
        let mut lost = vec![0.5, 0.5, 0.0, 0.0];
        assert!(!clusters.correct(&inflows, &mut lost));
        assert_eq!(lost, [0.5, 0.5, 0.0, 0.0]);
    }
}
