//! The reason why a graph has no perfect matching.

use core::fmt;

use crate::solution::SolvedBy;

/// A set of vertices whose removal leaves more odd components than it has members, so that at least
/// [`deficiency`](TutteBerge::deficiency) vertices stay unmatched in every matching (Tutte 1947, Berge 1958).
///
/// # Examples
/// ```
/// use matching_core::TutteBerge;
///
/// // A star with three leaves: without its centre, three vertices are left, each alone.
/// let witness = TutteBerge::new(vec![0], vec![vec![1], vec![2], vec![3]]);
/// assert_eq!(witness.deficiency(), 2);
/// ```
///
/// # References
/// W. T. Tutte, "The factorization of linear graphs", 1947, doi:10.1112/jlms/s1-22.2.107. C. Berge, "Sur le couplage
/// maximum d'un graphe", 1958.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TutteBerge {
    removed: Vec<usize>,
    odd_components: Vec<Vec<usize>>,
    /// No part of the claim: not compared, not written.
    #[cfg_attr(feature = "serde", serde(skip))]
    solved_by: Option<SolvedBy>,
}

/// The same sets, whoever found them.
impl PartialEq for TutteBerge {
    fn eq(&self, other: &Self) -> bool {
        (&self.removed, &self.odd_components) == (&other.removed, &other.odd_components)
    }
}

impl Eq for TutteBerge {}

impl TutteBerge {
    /// A claimed witness; [`crate::verify::witness`] checks it against a graph.
    pub fn new(removed: Vec<usize>, odd_components: Vec<Vec<usize>>) -> Self {
        Self {
            removed,
            odd_components,
            solved_by: None,
        }
    }

    /// Of an odd number of vertices one stays unmatched, whatever the edges between them, if these are all there are.
    pub(crate) fn of_odd_number(vertices: usize) -> Self {
        Self::new(Vec::new(), vec![(0..vertices).collect()])
    }

    /// The same, as found by an engine.
    pub(crate) fn by(self, engine: SolvedBy) -> Self {
        Self {
            solved_by: Some(engine),
            ..self
        }
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

    /// Who found it; `None` of a witness that no solve returned ([`new`](TutteBerge::new), or read from a file).
    pub fn solved_by(&self) -> Option<SolvedBy> {
        self.solved_by
    }
}

impl fmt::Display for TutteBerge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (removed, odd, left) = (self.removed.len(), self.odd_components.len(), self.deficiency());
        write!(f, "without {removed} of the vertices, ")?;
        match odd {
            1 => f.write_str("1 odd component is left, ")?,
            _ => write!(f, "{odd} odd components are left that have no edges to each other, ")?,
        }
        match left {
            1 => f.write_str("so at least 1 vertex stays unmatched"),
            _ => write!(f, "so at least {left} vertices stay unmatched"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TutteBerge;

    #[test]
    fn one_is_told_as_one() {
        let text = |removed, components| TutteBerge::new(removed, components).to_string();
        assert_eq!(
            text(vec![], vec![vec![0, 1, 2]]),
            "without 0 of the vertices, 1 odd component is left, so at least 1 vertex stays unmatched"
        );
        assert_eq!(
            text(vec![0], vec![vec![1], vec![2], vec![3]]),
            "without 1 of the vertices, 3 odd components are left that have no edges to each other, so at least 2 vertices stay \
             unmatched"
        );
    }
}
