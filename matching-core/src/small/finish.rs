//! What a search found: mates and certificate, or a witness.

use super::forest::{Forest, NONE};
use crate::certificate::{Certificate, OddSet};
use crate::witness::TutteBerge;

impl Forest {
    /// Writes the duals for weights whose least is `least`: one walk over the laminar family.
    pub(super) fn certify(&mut self, least: i64, certificate: &mut Certificate) {
        let n = self.n;
        certificate.sets.clear();
        certificate.sets.reserve(n / 2);
        certificate.order.clear();
        certificate.order.reserve(n);
        certificate.vertex_duals.clear();
        certificate.vertex_duals.resize(n, 0);
        for (dual, &y) in certificate.vertex_duals.iter_mut().zip(&self.y) {
            *dual = i128::from(y) + i128::from(least);
        }
        for v in 0..n as u32 {
            let outer = self.outer[v as usize];
            if self.nodes[outer as usize].head == v {
                self.stack.push(outer);
                self.walk(certificate);
            }
        }
    }

    /// Outer sets first.
    fn walk(&mut self, certificate: &mut Certificate) {
        while let Some(node) = self.stack.pop() {
            if (node as usize) < self.n {
                certificate.order.push(node);
                continue;
            }
            let record = self.nodes[node as usize];
            if record.dual > 0 {
                let start = certificate.order.len() as u32;
                let mut len = 0;
                self.for_members(node, |_, v| {
                    certificate.vertex_duals[v] -= i128::from(record.dual);
                    len += 1;
                });
                certificate.sets.push(OddSet {
                    start,
                    len,
                    dual: record.dual.into(),
                });
            }
            let mut child = record.child;
            loop {
                self.stack.push(child);
                child = self.nodes[child as usize].next;
                if child == record.child {
                    break;
                }
            }
        }
    }

    /// Opens all blossoms from the outside in and writes the partner of each vertex.
    pub(super) fn read_mates(&mut self, mates: &mut Vec<u32>) {
        for v in 0..self.n {
            while self.outer[v] as usize >= self.n {
                self.open(self.outer[v]);
            }
        }
        mates.clear();
        mates.extend(self.nodes[..self.n].iter().map(|node| node.match_out));
    }

    /// Without its - vertices, the + nodes of a stuck tree are odd components, one more than there are - vertices.
    pub(super) fn stuck_witness(&mut self) -> TutteBerge {
        let removed = self.minus.iter().map(|&v| v as usize).collect();
        let mut components = Vec::with_capacity(self.plus.len());
        for at in 0..self.plus.len() {
            let mut members = Vec::new();
            self.for_members(self.plus[at], |_, v| members.push(v));
            components.push(members);
        }
        debug_assert!(self.minus.iter().all(|&node| node != NONE && (node as usize) < self.n));
        TutteBerge::new(removed, components)
    }
}
