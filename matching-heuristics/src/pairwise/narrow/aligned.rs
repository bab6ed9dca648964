//! Numbers that begin where a line of the cache does.

use core::ops::{Deref, DerefMut};

/// Bytes in a line of the cache, and in the widest vector.
const LINE: usize = 64;

/// A vector of fixed length from the beginning of a line on: a load that lies across two lines takes twice as long, and
/// allocators promise no more than 16 bytes.
#[derive(Debug)]
pub(super) struct Aligned<T> {
    store: Vec<T>,
    from: usize,
    len: usize,
}

impl<T: Copy> Aligned<T> {
    pub(super) fn new(value: T, len: usize) -> Self {
        let store = vec![value; len + LINE / size_of::<T>()];
        // Wherever that is, the numbers are the same.
        let from = store.as_ptr().align_offset(LINE).min(store.len() - len);
        Self { store, from, len }
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.store[self.from..self.from + self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.store[self.from..self.from + self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn begins_with_a_line_and_has_its_length() {
        for len in [0, 1, 31, 64, 1000] {
            let mut numbers = Aligned::new(7_i16, len);
            assert_eq!(numbers.as_ptr().addr() % LINE, 0);
            numbers.iter_mut().for_each(|number| *number += 1);
            assert_eq!(*numbers, vec![8; len]);
        }
    }
}
