//! Which state goes next: one of about the least in-degree times out-degree.

use std::collections::VecDeque;

/// Products below it have a bucket each; above, four buckets share a power of two.
const FINE: u64 = 32;
const BUCKETS: usize = 32 + 59 * 4;
const GONE: u16 = u16::MAX;

/// States in buckets by the product of their degrees, first in, first out. A state whose product grew stands too low
/// until it is met; a state whose product fell is put in again, and its old place is skipped.
#[derive(Debug)]
pub(super) struct Order {
    buckets: Vec<VecDeque<u32>>,
    /// The bucket that counts for each state.
    place: Vec<u16>,
    lowest: usize,
}

impl Order {
    pub(super) fn new(len: usize) -> Self {
        Self {
            buckets: vec![VecDeque::new(); BUCKETS],
            place: vec![GONE; len],
            lowest: 0,
        }
    }

    /// Puts a state in, if its product is lower than when it was put in before.
    pub(super) fn insert(&mut self, state: u32, product: u64) {
        let bucket = bucket(product);
        if (bucket as u16) < self.place[state as usize] {
            self.place[state as usize] = bucket as u16;
            self.buckets[bucket].push_back(state);
            self.lowest = self.lowest.min(bucket);
        }
    }

    /// Takes a state out whose product is about the least.
    pub(super) fn pop(&mut self, product: impl Fn(u32) -> u64) -> Option<u32> {
        while self.lowest < BUCKETS {
            let Some(state) = self.buckets[self.lowest].pop_front() else {
                self.lowest += 1;
                continue;
            };
            if usize::from(self.place[state as usize]) != self.lowest {
                continue;
            }
            self.place[state as usize] = GONE;
            let now = product(state);
            if bucket(now) <= self.lowest {
                return Some(state);
            }
            self.insert(state, now);
        }
        None
    }
}

fn bucket(product: u64) -> usize {
    if product < FINE {
        return product as usize;
    }
    let log = 63 - product.leading_zeros();
    let quarter = (product >> (log - 2)) & 3;
    FINE as usize + (log as usize - 5) * 4 + quarter as usize
}

#[cfg(test)]
mod tests {
    use super::{BUCKETS, Order, bucket};

    #[test]
    fn buckets_rise_with_the_product() {
        let products: Vec<u64> = (0..64)
            .chain((6..64).map(|log| (1 << log) - 1))
            .chain([u64::MAX])
            .collect();
        assert!(products.windows(2).all(|pair| bucket(pair[0]) <= bucket(pair[1])));
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn changed_products_are_seen() {
        let mut products = [5_u64, 3, 9];
        let mut order = Order::new(3);
        (0..3).for_each(|state| order.insert(state, products[state as usize]));
        products[1] = 40;
        products[2] = 1;
        order.insert(2, 1);
        let mut popped = Vec::new();
        while let Some(state) = order.pop(|state| products[state as usize]) {
            popped.push(state);
        }
        assert_eq!(popped, [2, 0, 1]);
    }
}
