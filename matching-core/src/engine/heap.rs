//! A lazy priority queue: entries are never moved or deleted by id, stale ones are recognised when they reach the top.

use smallvec::SmallVec;

/// Four children per node: pushes, which are most of the work, climb half as many levels as in a binary heap.
const ARITY: usize = 4;

/// Room for so many entries is made when the first one no longer fits inside the heap itself.
const FIRST_CAPACITY: usize = 4;

/// A key and what it belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K> {
    pub(super) key: K,
    pub(super) id: u32,
}

/// A minimum heap; equal keys leave in an order that depends on the pushes alone.
///
/// Trees and pairs of trees come by the ten thousand, and most of their queues see one entry or none: the first entry
/// lives inside the heap, without an allocation.
#[derive(Clone, Debug)]
pub(super) struct Heap<K> {
    entries: SmallVec<[Entry<K>; 1]>,
}

impl<K> Default for Heap<K> {
    fn default() -> Self {
        Self {
            entries: SmallVec::new(),
        }
    }
}

impl<K: Copy + Ord + core::ops::Sub<Output = K>> Heap<K> {
    /// Whether the top is less than `limit` above `bound`.
    #[inline]
    pub(super) fn is_below(&self, bound: K, limit: K) -> bool {
        self.entries.first().is_some_and(|top| top.key - bound < limit)
    }

    /// Whether the top is not above `bound`.
    #[inline]
    pub(super) fn is_tight(&self, bound: K) -> bool {
        self.entries.first().is_some_and(|top| top.key <= bound)
    }
}

impl<K: Copy + Ord> Heap<K> {
    #[inline]
    pub(super) fn top(&self) -> Option<Entry<K>> {
        self.entries.first().copied()
    }

    /// All entries, in no order that means anything.
    pub(super) fn entries(&self) -> &[Entry<K>] {
        &self.entries
    }

    /// Whether the very entry is somewhere in the queue.
    #[cfg(debug_assertions)]
    pub(super) fn contains(&self, key: K, id: u32) -> bool {
        self.entries.iter().any(|entry| entry.key == key && entry.id == id)
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Gives the memory back, for a queue that will not be used again.
    pub(super) fn release(&mut self) {
        self.entries = SmallVec::new();
    }

    #[inline]
    pub(super) fn push(&mut self, key: K, id: u32) {
        let entry = Entry { key, id };
        let mut hole = self.entries.len();
        if hole == 1 && !self.entries.spilled() {
            self.entries.reserve_exact(FIRST_CAPACITY - 1);
        }
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / ARITY;
            if self.entries[parent].key <= key {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    pub(super) fn pop(&mut self) -> Option<Entry<K>> {
        let last = self.entries.pop()?;
        let Some(&top) = self.entries.first() else {
            return Some(last);
        };
        self.sift_down(last);
        Some(top)
    }

    /// Puts an entry where the top was.
    pub(super) fn replace_top(&mut self, key: K, id: u32) {
        self.sift_down(Entry { key, id });
    }

    fn sift_down(&mut self, entry: Entry<K>) {
        sink(&mut self.entries, 0, entry);
    }
}

/// Lets an entry sink from `hole` to its place, among entries that are in order below it.
fn sink<K: Copy + Ord>(entries: &mut [Entry<K>], mut hole: usize, entry: Entry<K>) {
    loop {
        let children = ARITY * hole + 1;
        if children >= entries.len() {
            break;
        }
        let least = children + least_of(&entries[children..entries.len().min(children + ARITY)]);
        if entry.key <= entries[least].key {
            break;
        }
        entries[hole] = entries[least];
        hole = least;
    }
    entries[hole] = entry;
}

/// The place of the least of up to [`ARITY`] entries, the first among equals; which it is cannot be foreseen, so whole
/// families are looked through without branches.
#[inline(always)]
fn least_of<K: Copy + Ord>(family: &[Entry<K>]) -> usize {
    if let Some([a, b, c, d]) = family.first_chunk() {
        let (one, one_key) = if b.key < a.key { (1, b.key) } else { (0, a.key) };
        let (other, other_key) = if d.key < c.key { (3, d.key) } else { (2, c.key) };
        return if other_key < one_key { other } else { one };
    }
    let mut least = 0;
    for child in 1..family.len() {
        if family[child].key < family[least].key {
            least = child;
        }
    }
    least
}

/// Puts entries in the order of a heap. O(n).
pub(super) fn order<K: Copy + Ord>(entries: &mut [Entry<K>]) {
    if entries.len() < 2 {
        return;
    }
    for hole in (0..=(entries.len() - 2) / ARITY).rev() {
        sink(entries, hole, entries[hole]);
    }
}

/// Takes the top off entries that are in the order of a heap, and returns how many are left, at the front.
pub(super) fn drop_top<K: Copy + Ord>(entries: &mut [Entry<K>]) -> usize {
    let Some((&mut last, rest)) = entries.split_last_mut() else {
        return 0;
    };
    if !rest.is_empty() {
        sink(rest, 0, last);
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_leave_in_order() {
        let mut heap = Heap::default();
        let keys: Vec<i64> = (0..500).map(|i| (i * 7919) % 101).collect();
        for (id, &key) in keys.iter().enumerate() {
            heap.push(key, id as u32);
        }
        let mut sorted = keys.clone();
        sorted.sort_unstable();
        let popped: Vec<i64> = std::iter::from_fn(|| heap.pop()).map(|entry| entry.key).collect();
        assert_eq!(popped, sorted);
        assert!(heap.top().is_none());
    }
}
