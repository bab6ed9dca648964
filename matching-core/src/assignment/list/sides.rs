//! Who is on which side of a list.

use crate::edge_list::Edge;

/// For each vertex whether it is a row: no edge joins two rows or two columns, and of each component the smaller side are rows.
/// `None` where there is an odd circuit.
pub(super) fn rows_of<W>(n: usize, edges: &[Edge<W>]) -> Option<Vec<bool>> {
    let mut links = Links::new(n);
    for edge in edges {
        if !links.join(edge.u, edge.v) {
            return None;
        }
    }
    let mut counts = vec![[0u32; 2]; n];
    let found: Vec<(u32, bool)> = (0..n as u32).map(|v| links.find(v)).collect();
    for &(root, is_other) in &found {
        counts[root as usize][usize::from(is_other)] += 1;
    }
    let is_row = |&(root, is_other): &(u32, bool)| {
        let [like_root, other] = counts[root as usize];
        is_other != (like_root < other)
    };
    Some(found.iter().map(is_row).collect())
}

/// Components of what has been joined so far, each with two sides: a vertex links to one that is nearer to the root of its
/// component, and the lowest bit says whether that is on the other side.
struct Links(Vec<u32>);

impl Links {
    fn new(n: usize) -> Self {
        Self((0..n as u32).map(|v| v << 1).collect())
    }

    /// The root of a vertex's component, and whether the vertex is on the other side.
    fn find(&mut self, mut v: u32) -> (u32, bool) {
        let mut side = 0;
        loop {
            let link = self.0[v as usize];
            let next = link >> 1;
            if next == v {
                return (v, side == 1);
            }
            // Past one vertex at a time, so that ways become shorter.
            let after = self.0[next as usize];
            let jump = after ^ (link & 1);
            self.0[v as usize] = jump;
            side ^= jump & 1;
            v = jump >> 1;
        }
    }

    /// Whether an edge may join the two.
    fn join(&mut self, u: u32, v: u32) -> bool {
        let ((a, at_u), (b, at_v)) = (self.find(u), self.find(v));
        if a == b {
            return at_u != at_v;
        }
        let differ = u32::from(at_u == at_v);
        self.0[a.max(b) as usize] = a.min(b) << 1 | differ;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(n: usize, edges: &[(u32, u32)]) -> Option<Vec<usize>> {
        let edges: Vec<Edge<i64>> = edges.iter().map(|&(u, v)| Edge { u, v, weight: 0 }).collect();
        let rows = rows_of(n, &edges)?;
        Some((0..n).filter(|&v| rows[v]).collect())
    }

    #[test]
    fn the_smaller_side_of_each_component_are_rows() {
        // A star around 2, another one around 9, an edge, and 6 alone.
        let edges = [(0, 2), (1, 2), (2, 3), (4, 5), (7, 9), (8, 9), (9, 10)];
        let found = rows(11, &edges).unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found.contains(&2) && found.contains(&9) && found.iter().any(|v| [4, 5].contains(v)));
    }

    #[test]
    fn odd_circuits_have_no_sides() {
        assert_eq!(rows(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]), None);
        assert!(rows(6, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)]).is_some());
        // Two even circuits that share an odd way are three circuits, all even or two of them odd.
        assert!(rows(4, &[(0, 1), (2, 3), (1, 2), (0, 3)]).is_some());
        assert_eq!(rows(4, &[(0, 1), (2, 3), (1, 2), (0, 3), (1, 3)]), None);
    }
}
