//! Lists that grow and shrink, in one allocation.

/// Lists of entries, one after another in one vector; a list that outgrows its room moves to the end.
#[derive(Clone, Debug)]
pub(super) struct Pool<E> {
    entries: Vec<E>,
    spans: Vec<Span>,
    filler: E,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    len: u32,
    room: u32,
}

impl<E: Clone> Pool<E> {
    pub(super) fn new(filler: E, lists: usize, entries: usize) -> Self {
        Self {
            // Room for some growth, so that the first fill does not copy everything.
            entries: Vec::with_capacity(entries + entries / 2),
            spans: Vec::with_capacity(lists),
            filler,
        }
    }

    /// Adds a list.
    pub(super) fn add(&mut self, entries: impl Iterator<Item = E>) {
        let start = self.entries.len();
        self.entries.extend(entries);
        let len = (self.entries.len() - start) as u32;
        self.spans.push(Span { start, len, room: len });
    }

    /// Puts another list in the place of one.
    pub(super) fn replace(&mut self, list: usize, entries: impl Iterator<Item = E>) {
        self.add(entries);
        if let Some(span) = self.spans.pop() {
            self.spans[list] = span;
        }
    }

    /// Bytes of the room that there is.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<E>()
    }

    pub(super) fn len(&self, list: usize) -> usize {
        self.spans[list].len as usize
    }

    pub(super) fn list(&self, list: usize) -> &[E] {
        let Span { start, len, .. } = self.spans[list];
        &self.entries[start..start + len as usize]
    }

    pub(super) fn list_mut(&mut self, list: usize) -> &mut [E] {
        let Span { start, len, .. } = self.spans[list];
        &mut self.entries[start..start + len as usize]
    }

    /// Appends an entry to a list, and returns its position there.
    pub(super) fn push(&mut self, list: usize, entry: E) -> u32 {
        let Span { start, len, room } = self.spans[list];
        if len == room {
            self.make_room(list);
        } else {
            self.entries[start + len as usize] = entry;
            self.spans[list].len += 1;
            return len;
        }
        let span = &mut self.spans[list];
        self.entries[span.start + len as usize] = entry;
        span.len += 1;
        len
    }

    fn make_room(&mut self, list: usize) {
        let Span { len, room, .. } = self.spans[list];
        let more = room as usize + 2;
        self.reserve(len as usize + more);
        let start = self.spans[list].start;
        if start + len as usize != self.entries.len() {
            let end = self.entries.len();
            for at in start..start + len as usize {
                let entry = core::mem::replace(&mut self.entries[at], self.filler.clone());
                self.entries.push(entry);
            }
            self.spans[list].start = end;
        }
        let full = self.entries.len() + more;
        self.entries.resize(full, self.filler.clone());
        self.spans[list].room = len + more as u32;
    }

    /// Before more memory is asked for: closes the gaps that lists left when they moved or became shorter, if these are
    /// more than a third. No list has room to grow after that; those that are done with, which most are in the end, need
    /// none. Half as much again each time keeps what is moved in proportion to what is added.
    fn reserve(&mut self, more: usize) {
        if self.entries.capacity() - self.entries.len() >= more {
            return;
        }
        let used = self.spans.iter().map(|span| span.len as usize).sum::<usize>() + more;
        let len = self.entries.len();
        if 3 * used > 2 * len {
            self.entries.reserve_exact(len / 2 + more);
            return;
        }
        let mut entries = Vec::with_capacity(used + used / 2);
        for span in &mut self.spans {
            let from = core::mem::replace(&mut span.start, entries.len());
            span.room = span.len;
            let list = &mut self.entries[from..from + span.len as usize];
            entries.extend(
                list.iter_mut()
                    .map(|entry| core::mem::replace(entry, self.filler.clone())),
            );
        }
        self.entries = entries;
    }

    /// Takes the entry at a position out, and puts the last one there.
    pub(super) fn swap_remove(&mut self, list: usize, at: u32) -> E {
        let span = &mut self.spans[list];
        span.len -= 1;
        let last = span.start + span.len as usize;
        self.entries.swap(span.start + at as usize, last);
        core::mem::replace(&mut self.entries[last], self.filler.clone())
    }

    /// Empties a list.
    pub(super) fn clear(&mut self, list: usize) {
        self.spans[list].len = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;

    #[test]
    fn lists_keep_their_entries_when_they_move() {
        let mut pool = Pool::new(0, 2, 3);
        pool.add([1, 2].into_iter());
        pool.add([3].into_iter());
        for entry in 4..20 {
            assert_eq!(pool.push(entry % 2, entry) as usize, pool.len(entry % 2) - 1);
        }
        assert_eq!(pool.list(0), [1, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
        assert_eq!(pool.list(1), [3, 5, 7, 9, 11, 13, 15, 17, 19]);
        assert_eq!(pool.swap_remove(0, 1), 2);
        assert_eq!(pool.list(0)[..3], [1, 18, 4]);
    }

    /// Rows that grow a little and are done with: what they left behind when they moved stayed, and took more memory than
    /// the rows.
    #[test]
    fn gaps_that_lists_leave_are_closed() {
        let (lists, len) = (10_000, 23);
        let mut pool = Pool::new(0, lists, lists);
        (0..lists).for_each(|list| pool.add(core::iter::once(list)));
        for first in (0..lists).step_by(100) {
            for entry in 1..len {
                (first..first + 100).for_each(|list| {
                    pool.push(list, list + entry);
                });
            }
        }
        for list in 0..lists {
            assert!(pool.list(list).iter().copied().eq(list..list + len));
        }
        assert!(
            pool.entries.capacity() <= 3 * lists * len,
            "{}",
            pool.entries.capacity()
        );
    }
}
