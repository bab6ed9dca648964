//! A priority queue whose entries come many at a time, and most of which never leave.
//!
//! A search that scans a vertex finds an entry for each of its arcs, and is over after a few of the cheapest. So the
//! entries of one vertex stay together, a bundle, with the least one in front; only that one is in the queue. When it
//! leaves, a short bundle is looked through for the next one, and rid of entries that are of no use any more; a long
//! one becomes a heap of its own. Where vertices have few arcs, bundles are not worth their while, and all entries are
//! queued.

use super::heap::{Entry, Heap, drop_top, order};

/// Bundles up to this size are looked through.
const SHORT: usize = 64;
/// Bundles of this size gain more than they cost.
const WORTH_BUNDLING: usize = 8;

/// Entries of one vertex: a stretch of the common store.
#[derive(Clone, Copy, Debug)]
struct Bundle {
    begin: u32,
    end: u32,
    order: Order,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The least entry is the first.
    First,
    /// The order of a heap.
    Heap,
}

/// The queue: adding an entry is O(1), closing a bundle O(log bundles), and an entry leaves in O(log) but for the first
/// of a long bundle, which takes time in the bundle's size. Equal keys leave in an order that depends on the calls
/// alone.
#[derive(Clone, Debug)]
pub(super) struct Bundles<K> {
    /// The bundles side by side, and what is left of earlier ones behind them.
    entries: Vec<Entry<K>>,
    bundles: Vec<Bundle>,
    /// Where the next bundle begins.
    begin: usize,
    /// The least key of each bundle, with the bundle's number.
    tops: Heap<K>,
    /// Otherwise all entries are in `tops`.
    is_bundling: bool,
}

impl<K: Copy + Ord + Default> Bundles<K> {
    /// A queue for bundles of about that size.
    pub(super) fn of_size(usual: usize) -> Self {
        Self {
            entries: Vec::new(),
            bundles: Vec::new(),
            begin: 0,
            tops: Heap::default(),
            is_bundling: usual >= WORTH_BUNDLING,
        }
    }

    pub(super) fn clear(&mut self) {
        self.bundles.clear();
        self.begin = 0;
        self.tops.clear();
    }

    /// Room for the entries of one vertex, to be filled from the front. They are in the queue once it is closed.
    #[inline]
    pub(super) fn room(&mut self, most: usize) -> &mut [Entry<K>] {
        let end = self.begin + most;
        if self.entries.len() < end {
            let blank = Entry {
                key: K::default(),
                id: 0,
            };
            self.entries.resize(end, blank);
        }
        &mut self.entries[self.begin..end]
    }

    /// Puts so many entries of the last room into the queue.
    #[inline(always)]
    pub(super) fn close(&mut self, filled: usize) {
        if self.is_bundling {
            self.close_bundle(filled);
        } else {
            for entry in &self.entries[..filled] {
                self.tops.push(entry.key, entry.id);
            }
        }
    }

    fn close_bundle(&mut self, filled: usize) {
        let (begin, end) = (self.begin, self.begin + filled);
        let entries = &mut self.entries[begin..end];
        if entries.is_empty() {
            return;
        }
        bring_least_forward(entries);
        self.tops.push(entries[0].key, self.bundles.len() as u32);
        self.begin = end;
        self.bundles.push(Bundle {
            begin: begin as u32,
            end: end as u32,
            order: Order::First,
        });
    }

    /// The entry of least key.
    #[inline]
    pub(super) fn top(&self) -> Option<Entry<K>> {
        let top = self.tops.top()?;
        if !self.is_bundling {
            return Some(top);
        }
        Some(self.entries[self.bundles[top.id as usize].begin as usize])
    }

    /// Takes the entry of least key out, and any others that are found not to be of use.
    #[inline]
    pub(super) fn pop(&mut self, is_of_use: impl Fn(u32) -> bool) {
        if !self.is_bundling {
            self.tops.pop();
            return;
        }
        let Some(top) = self.tops.top() else { return };
        let bundle = &mut self.bundles[top.id as usize];
        let entries = &mut self.entries[bundle.begin as usize..bundle.end as usize];
        let left = if bundle.order == Order::Heap {
            drop_top(entries)
        } else if entries.len() <= SHORT {
            drop_first(entries, is_of_use)
        } else {
            bundle.order = Order::Heap;
            order(entries);
            drop_top(entries)
        };
        bundle.end = bundle.begin + left as u32;
        if left > 0 {
            self.tops.replace_top(entries[0].key, top.id);
        } else {
            self.tops.pop();
        }
    }
}

/// Moves what is of use, but for the first entry, to the front, the least of it first, and returns how much that is.
fn drop_first<K: Copy + Ord>(entries: &mut [Entry<K>], is_of_use: impl Fn(u32) -> bool) -> usize {
    let mut left = 0;
    for at in 1..entries.len() {
        let entry = entries[at];
        entries[left] = entry;
        left += usize::from(is_of_use(entry.id));
    }
    bring_least_forward(&mut entries[..left]);
    left
}

/// The first of the least entries changes places with the first of all. Without branches: which it is cannot be
/// foreseen.
#[inline(always)]
fn bring_least_forward<K: Copy + Ord>(entries: &mut [Entry<K>]) {
    let Some(first) = entries.first() else { return };
    let (mut least, mut least_key) = (0, first.key);
    for (at, entry) in entries.iter().enumerate() {
        let is_less = entry.key < least_key;
        least = if is_less { at } else { least };
        least_key = if is_less { entry.key } else { least_key };
    }
    entries.swap(0, least);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_leave_in_order_however_they_are_bundled() {
        for size in [1, 2, 3, 5, 8, 50, 499] {
            let mut queue = Bundles::of_size(size);
            let keys: Vec<i64> = (0..500).map(|i| (i * 7919) % 101).collect();
            let mut popped = Vec::new();
            let mut pending: Vec<i64> = Vec::new();
            for (turn, bundle) in keys.chunks(size).enumerate() {
                // More room than is filled.
                let room = queue.room(bundle.len() + turn % 2);
                for (id, (entry, &key)) in room.iter_mut().zip(bundle).enumerate() {
                    let id = (turn * size + id) as u32;
                    *entry = Entry { key, id };
                }
                queue.close(bundle.len());
                pending.extend(bundle);
                pending.sort_unstable();
                // Some leave before the next bundle comes.
                for _ in 0..turn % 3 {
                    let Some(top) = queue.top() else { break };
                    assert_eq!(top.key, keys[top.id as usize]);
                    assert_eq!(top.key, pending.remove(0));
                    queue.pop(|_| true);
                    popped.push(top.id);
                }
            }
            while let Some(top) = queue.top() {
                assert_eq!(top.key, pending.remove(0));
                queue.pop(|_| true);
                popped.push(top.id);
            }
            popped.sort_unstable();
            assert_eq!(popped, (0..500).collect::<Vec<u32>>());
            queue.pop(|_| true);
            queue.clear();
            queue.close(0);
            assert!(queue.top().is_none());
        }
    }
}
