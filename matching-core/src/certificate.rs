//! Dual solutions that prove a matching optimal.

/// A feasible solution of the dual of the matching problem, in exact integers.
///
/// Numbers are in *half units of the grid*: costs are integers `k` on the grid (for integer costs, `k` is the cost
/// itself; for floats, cost = `k * 2^exponent`), and the duals are scaled so that an edge of grid cost `k` may carry
/// at most `2 k`:
///
/// `y(u) + y(v) + sum of z(S) over all odd sets S that contain exactly one of u, v  <=  2 k(u, v)`, and `z(S) >= 0`.
///
/// Then half of `sum y + sum z` bounds the cost of every perfect matching from below.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Certificate {
    pub(crate) vertex_duals: Vec<i128>,
    /// All vertices, ordered so that every odd set is a contiguous range.
    pub(crate) order: Vec<u32>,
    pub(crate) sets: Vec<OddSet>,
    pub(crate) exponent: i32,
}

/// One blossom of a [`Certificate`]: the vertices `order[start .. start + len]`, and its dual value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OddSet {
    /// First position in [`Certificate::order`].
    pub start: u32,
    /// Number of vertices; odd, at least three.
    pub len: u32,
    /// Dual value in half units, never negative.
    pub dual: i128,
}

impl Certificate {
    /// A claimed certificate; [`crate::verify`] checks it.
    pub fn new(vertex_duals: Vec<i128>, order: Vec<u32>, sets: Vec<OddSet>, exponent: i32) -> Self {
        Self {
            vertex_duals,
            order,
            sets,
            exponent,
        }
    }

    /// Dual value of each vertex of the (reduced) instance, in half units.
    pub fn vertex_duals(&self) -> &[i128] {
        &self.vertex_duals
    }

    /// All vertices, ordered so that every odd set is a contiguous range.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The odd sets with their duals: a laminar family, each set before the sets inside it.
    pub fn odd_sets(&self) -> &[OddSet] {
        &self.sets
    }

    /// Members of an odd set of this certificate.
    ///
    /// # Panics
    /// If the set's range is not within the order.
    #[track_caller]
    pub fn members(&self, set: &OddSet) -> &[u32] {
        &self.order[set.start as usize..][..set.len as usize]
    }

    /// The grid: cost = integer times 2 to this power. Zero for integer costs.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// The dual of each vertex and of all odd sets around it: what an edge to a vertex beyond all others would have to pay.
    pub(crate) fn effective_duals(&self) -> Vec<i128> {
        let mut steps = vec![0i128; self.order.len() + 1];
        for set in &self.sets {
            let end = (set.start + set.len) as usize;
            steps[set.start as usize] = steps[set.start as usize].saturating_add(set.dual);
            steps[end] = steps[end].saturating_sub(set.dual);
        }
        let mut duals = self.vertex_duals.clone();
        let mut around = 0i128;
        for (&vertex, &step) in self.order.iter().zip(&steps) {
            around = around.saturating_add(step);
            duals[vertex as usize] = duals[vertex as usize].saturating_add(around);
        }
        duals
    }

    /// Twice the dual objective on the grid: `sum y + sum z`; `None` if it leaves `i128`.
    pub fn doubled_bound(&self) -> Option<i128> {
        let y = self.vertex_duals.iter().try_fold(0i128, |sum, &y| sum.checked_add(y))?;
        self.sets.iter().try_fold(y, |sum, set| sum.checked_add(set.dual))
    }
}
