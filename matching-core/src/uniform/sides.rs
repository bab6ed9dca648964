//! Who is beside whom.

use crate::edge_list::Edge;

/// The neighbours of each vertex.
#[derive(Debug)]
pub(super) struct Sides {
    /// Where the neighbours of a vertex begin; one more at the end.
    starts: Vec<u32>,
    ends: Vec<u32>,
}

impl Sides {
    pub(super) fn of<W>(n: usize, edges: &[Edge<W>]) -> Self {
        let mut starts = vec![0u32; n + 1];
        for edge in edges {
            starts[edge.u as usize] += 1;
            starts[edge.v as usize] += 1;
        }
        let mut before = 0;
        for start in &mut starts {
            before += *start;
            *start = before;
        }
        let mut ends = vec![0u32; 2 * edges.len()];
        // From the last edge on, so that neighbours stand in the order of the list.
        for edge in edges.iter().rev() {
            for (from, to) in [(edge.u, edge.v), (edge.v, edge.u)] {
                let place = &mut starts[from as usize];
                *place -= 1;
                ends[*place as usize] = to;
            }
        }
        Self { starts, ends }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn of_vertex(&self, v: usize) -> &[u32] {
        &self.ends[self.starts[v] as usize..self.starts[v + 1] as usize]
    }
}
