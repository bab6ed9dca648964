//! Shrinking a cluster into a supernode, and opening supernodes again.
//!
//! The inside of a supernode keeps the matched and tree arcs its children had when it was closed. An augmentation that
//! crosses it changes only its outside matched arc; the inside is put right when it is opened.
//!
//! Reference for the expansion by a symmetric difference: `DESIGN.md` of this crate, "Expanding".

use super::forest::{Forest, Label, NONE, Node, Supernode};
use super::graph::ArcId;
use super::numbers::{Dual, Numbers};

impl<N: Numbers> Forest<'_, N> {
    /// Makes one supernode of the `+` nodes of a cluster.
    pub(super) fn shrink(&mut self, base: u32, children: Box<[u32]>) -> u32 {
        let blossom = self.enclose(base, children);
        let tree = self.membership(blossom).tree();
        self.trees[tree as usize].members.push(blossom);
        self.has_progress = true;
        blossom
    }

    /// Makes one supernode of outer nodes of one tree and sign. Its dual starts at zero, so no slack changes.
    pub(super) fn enclose(&mut self, base: u32, children: Box<[u32]>) -> u32 {
        debug_assert!(
            children.len() >= 3 && children.len() % 2 == 1,
            "a blossom has an odd number of children"
        );
        let blossom = self.new_supernode();
        let largest = children
            .iter()
            .copied()
            .max_by_key(|&c| (self.node(c).size, core::cmp::Reverse(c)));
        let label = self.node(largest.unwrap_or(base)).label;
        let kept = *self.label(label);
        for &child in &children {
            if self.is_supernode(child) {
                let offset = self.tree_offset(kept.membership);
                self.supernode_mut(child).dual += offset;
            }
            if self.node(child).label != label {
                self.relabel_merged(child, label, kept.offset);
            }
        }
        self.label_mut(label).node = blossom;
        let (first, last, size) = self.concatenate(&children);
        *self.node_mut(blossom) = Node {
            mate: self.node(base).mate,
            alt: ArcId::NONE,
            base: blossom,
            label,
            first,
            last,
            size,
            stamp: 0,
        };
        let dual = -self.tree_offset(kept.membership);
        *self.supernode_mut(blossom) = Supernode {
            children,
            base_child: base,
            dual,
        };
        blossom
    }

    /// An unused supernode id, with room for it in the tables.
    fn new_supernode(&mut self) -> u32 {
        if let Some(id) = self.unused.pop() {
            return id;
        }
        let id = self.nodes.len() as u32;
        let blank = Node {
            mate: ArcId::NONE,
            alt: ArcId::NONE,
            base: id,
            label: 0,
            first: 0,
            last: 0,
            size: 0,
            stamp: 0,
        };
        self.nodes.push(blank);
        self.supernodes.push(Supernode {
            children: Box::default(),
            base_child: NONE,
            dual: N::Dual::ZERO,
        });
        id
    }

    /// Points the vertices of a child to the label of the blossom; both have the same tree and sign.
    fn relabel_merged(&mut self, child: u32, label: u32, kept_offset: N::Dual) {
        let own = self.label_mut(self.node(child).label);
        own.node = NONE;
        let shift = own.offset - kept_offset;
        let Node { first, last, .. } = *self.node(child);
        let mut v = first;
        loop {
            let vertex = &mut self.vertices[v as usize];
            vertex.label = label;
            vertex.base_dual += shift;
            if v == last {
                return;
            }
            v = vertex.next;
        }
    }

    /// Joins the vertex lists of the children; each child's own list stays readable from its first to its last.
    fn concatenate(&mut self, children: &[u32]) -> (u32, u32, u32) {
        let (first, mut last, mut size) = (self.node(children[0]).first, self.node(children[0]).last, 0);
        for (position, &child) in children.iter().enumerate() {
            let node = *self.node(child);
            size += node.size;
            if position > 0 {
                self.vertices[last as usize].next = node.first;
                last = node.last;
            }
        }
        (first, last, size)
    }

    /// Expands every `-` supernode whose dual has come down to zero, one level each.
    pub(super) fn expand_exhausted(&mut self) {
        let mut exhausted = Vec::new();
        for position in 0..self.live.len() {
            self.collect_exhausted(self.live[position], &mut exhausted);
        }
        for blossom in exhausted {
            self.expand(blossom);
        }
    }

    /// Expands a `-` supernode of dual zero: a path through its children takes its place in the tree, the others
    /// become free.
    fn expand(&mut self, blossom: u32) {
        let tree = self.membership(blossom).tree();
        let Node { mate, alt, .. } = *self.node(blossom);
        let children = self.release_children(blossom);
        let entry = self.outer(self.graph.tail(alt));
        let exit = self.outer(self.graph.tail(mate));
        let base_child = self.supernode(blossom).base_child;

        // Frozen matchings of the children that miss the entry (kept in `alt`) and the exit (kept in `mate`).
        let missing_entry = self.exchanges(entry, base_child);
        let missing_exit = self.exchanges(exit, base_child);
        for &child in &children {
            let node = self.node_mut(child);
            node.base = child;
            node.alt = node.mate;
        }
        for (child, arc) in missing_entry {
            self.node_mut(child).alt = arc;
        }
        for (child, arc) in missing_exit {
            self.node_mut(child).mate = arc;
        }
        self.node_mut(entry).alt = alt;
        self.node_mut(exit).mate = mate;

        // The two matchings differ in a path from the entry to the exit: -, +, -, ..., -.
        let on_path = self.next_stamp();
        let mut minus = entry;
        loop {
            self.join_as_minus(minus, tree);
            self.node_mut(minus).stamp = on_path;
            if minus == exit {
                break;
            }
            let plus = self.far(self.node(minus).mate);
            minus = self.far(self.node(plus).alt);
            self.node_mut(plus).alt = ArcId::NONE;
            self.node_mut(plus).stamp = on_path;
            self.join_as_plus(plus, tree);
        }
        for &child in &children {
            if self.node(child).stamp != on_path {
                self.set_free(child);
            }
        }
        self.has_progress = true;
    }

    /// Opens a free supernode: its children are matched in pairs but for the exit, which takes the outside match.
    /// Returns the children.
    pub(super) fn open_free(&mut self, blossom: u32) -> Box<[u32]> {
        let mate = self.node(blossom).mate;
        let children = self.release_children(blossom);
        // A root has no outside match, and its base child stays exposed.
        let base_child = self.supernode(blossom).base_child;
        let exit = if mate.is_none() {
            base_child
        } else {
            self.outer(self.graph.tail(mate))
        };
        for (child, arc) in self.exchanges(exit, base_child) {
            self.node_mut(child).mate = arc;
        }
        self.node_mut(exit).mate = mate;
        for &child in &children {
            self.set_free(child);
        }
        children
    }

    /// Makes the children of an outer supernode outer, with its tree, sign and duals, and retires its id.
    fn release_children(&mut self, blossom: u32) -> Box<[u32]> {
        let label = self.node(blossom).label;
        let record = *self.label(label);
        let children = core::mem::take(&mut self.supernode_mut(blossom).children);
        for &child in &children {
            let own = self.node(child).label;
            *self.label_mut(own) = Label { node: child, ..record };
            if own != label {
                let Node { first, last, .. } = *self.node(child);
                let mut v = first;
                loop {
                    let vertex = &mut self.vertices[v as usize];
                    vertex.label = own;
                    if v == last {
                        break;
                    }
                    v = vertex.next;
                }
            }
            if self.is_supernode(child) {
                let offset = self.tree_offset(record.membership);
                self.supernode_mut(child).dual -= offset;
            }
        }
        self.retired.push(blossom);
        children
    }

    /// The frozen matching of the children misses the base child; this lists the changes that make it miss `missed`:
    /// matched arcs exchanged along the frozen even walk from `missed` to the base child.
    fn exchanges(&self, missed: u32, base_child: u32) -> Vec<(u32, ArcId)> {
        let mut changes = Vec::new();
        let mut x = missed;
        while x != base_child {
            let between = self.far(self.node(x).mate);
            let up = self.node(between).alt;
            x = self.far(up);
            changes.extend([(between, up), (x, up.reversed())]);
        }
        changes
    }
}
