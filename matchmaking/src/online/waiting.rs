//! Who waits, oldest first.

use std::collections::VecDeque;

/// A note on everybody who waits, by number in the order of arrival. All operations take constant time, amortised.
///
/// Everybody may wait equally long, so that the oldest is the next whose wait is over.
#[derive(Clone, Debug)]
pub(super) struct Waiting<T> {
    /// The number of the first slot.
    first: u32,
    /// The first slot is never empty.
    slots: VecDeque<Option<T>>,
}

impl<T> Waiting<T> {
    pub(super) fn new() -> Self {
        Self {
            first: 0,
            slots: VecDeque::new(),
        }
    }

    /// Somebody with a number greater than all before.
    pub(super) fn insert(&mut self, id: u32, note: T) {
        if self.slots.is_empty() {
            self.first = id;
        }
        while self.first + (self.slots.len() as u32) < id {
            self.slots.push_back(None);
        }
        self.slots.push_back(Some(note));
    }

    pub(super) fn get(&self, id: u32) -> Option<&T> {
        self.slots.get(id.checked_sub(self.first)? as usize)?.as_ref()
    }

    pub(super) fn remove(&mut self, id: u32) -> Option<T> {
        let note = self.slots.get_mut(id.checked_sub(self.first)? as usize)?.take();
        while let Some(None) = self.slots.front() {
            self.slots.pop_front();
            self.first += 1;
        }
        note
    }

    /// Who waits longest.
    pub(super) fn oldest(&self) -> Option<(u32, &T)> {
        let note = self.slots.front()?.as_ref()?;
        Some((self.first, note))
    }

    /// Everybody, oldest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &T)> + '_ {
        // Numbers second: behind the last slot none is asked for, and there may be none.
        let slots = self.slots.iter().zip(self.first..);
        slots.filter_map(|(note, id)| note.as_ref().map(|note| (id, note)))
    }
}

#[cfg(test)]
mod tests {
    use super::Waiting;

    /// The number after the last one was asked for, and there is none: builds that check overflow panicked.
    #[test]
    fn behind_the_last_number_there_is_none() {
        let last = u32::MAX - 1;
        let mut waiting = Waiting::new();
        waiting.insert(last - 1, "last but one");
        waiting.insert(last, "last");
        let everybody = [(last - 1, &"last but one"), (last, &"last")];
        assert_eq!(waiting.iter().collect::<Vec<_>>(), everybody);
        assert_eq!(
            (waiting.remove(last - 1), waiting.remove(last)),
            (Some("last but one"), Some("last"))
        );
        assert_eq!((waiting.oldest(), waiting.iter().next()), (None, None));
    }
}
