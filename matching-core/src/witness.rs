//! The reason why a graph has no perfect matching.

/// A set of vertices whose removal leaves more odd components than it has members, so that at least
/// [`deficiency`](TutteBerge::deficiency) vertices stay unmatched in every matching (Tutte 1947, Berge 1958).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TutteBerge {
    removed: Vec<usize>,
    odd_components: Vec<Vec<usize>>,
}

impl TutteBerge {
    /// A claimed witness; [`crate::verify::witness`] checks it against a graph.
    pub fn new(removed: Vec<usize>, odd_components: Vec<Vec<usize>>) -> Self {
        Self { removed, odd_components }
    }

    /// The removed vertices.
    pub fn removed(&self) -> &[usize] {
        &self.removed
    }

    /// Odd sets that have no edge to anything but themselves and the removed vertices.
    pub fn odd_components(&self) -> &[Vec<usize>] {
        &self.odd_components
    }

    /// At least so many vertices stay unmatched in every matching.
    pub fn deficiency(&self) -> usize {
        self.odd_components.len().saturating_sub(self.removed.len())
    }
}
