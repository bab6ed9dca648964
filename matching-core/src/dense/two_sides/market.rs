//! What columns pay where prices of staying alone decide, and costs hardly do.

use super::problem::Terms;

/// The same problem if all pairs cost nothing: those rows and columns have partners whose prices are highest.
pub(super) struct Market<'t> {
    /// What staying alone costs columns.
    caps: &'t [i64],
    /// The least of it for a column that has a partner.
    least: i64,
    /// Columns with partners all pay the same, at least so much and at most so much.
    low: i64,
    high: i64,
}

impl<'t> Market<'t> {
    /// `None` if nobody would have a partner.
    pub(super) fn of(terms: &'t Terms<i64>) -> Option<Self> {
        let (alone, caps) = (terms.alone.as_ref()?, terms.caps.as_ref()?);
        let descending = |prices: &[i64]| {
            let mut prices = prices.to_vec();
            prices.sort_unstable_by_key(|&price| core::cmp::Reverse(price));
            prices
        };
        let (rows, columns) = (descending(alone), descending(caps));
        let pairs = rows
            .iter()
            .zip(&columns)
            .take_while(|(row, column)| **row + **column > 0);
        let last = pairs.count().checked_sub(1)?;
        // Nobody who is left wants to change places with who has a partner.
        let left = |prices: &[i64]| prices.get(last + 1).copied().unwrap_or(i64::MIN);
        Some(Self {
            caps,
            least: columns[last],
            low: left(&columns).max(-rows[last]),
            high: columns[last].min(left(&rows).saturating_neg()),
        })
    }

    /// Costs differ by `near`, mostly, so who has a partner cannot pay much less or more than here. Where prices differ far more, a
    /// sample is easily farther off, and some pay far more than all others, who would not be told apart behind them.
    pub(super) fn settle(&self, duals: &mut [i64], near: i64) {
        let with_partners = duals.iter().zip(self.caps).filter(|(_, cap)| **cap >= self.least);
        let level = median(with_partners.map(|(dual, _)| *dual).collect());
        let settled = if (self.low - near..=self.high + near).contains(&level) {
            level
        } else {
            level.clamp(self.low, self.high)
        };
        for (dual, &cap) in duals.iter_mut().zip(self.caps) {
            let moved = *dual + (settled - level);
            *dual = moved.max(self.low.min(*dual)).min(settled + 2 * near).min(cap);
        }
    }
}

/// The middle one of some numbers, or 0.
pub(super) fn median(mut numbers: Vec<i64>) -> i64 {
    let middle = numbers.len() / 2;
    match numbers.is_empty() {
        true => 0,
        false => *numbers.select_nth_unstable(middle).1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn prices_prove_who_has_partners() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut markets, near) = (0, 1_000);
        for _ in 0..2_000 {
            let mut prices = |count: usize| -> Vec<i64> { (0..count).map(|_| rng.random_range(-20..20)).collect() };
            let terms = Terms {
                alone: Some(prices(5)),
                caps: Some(prices(7)),
                has_bye: false,
            };
            let (alone, caps) = (terms.alone.as_ref().unwrap(), terms.caps.as_ref().unwrap());
            let Some(market) = Market::of(&terms) else {
                let all = alone.iter().flat_map(|row| caps.iter().map(move |column| row + column));
                assert!(all.max() <= Some(0));
                continue;
            };
            markets += 1;
            for level in [market.low, market.high] {
                // Duals that hold on all pairs, and so prove a bound: the sum of what nobody pays more than.
                let duals = alone
                    .iter()
                    .map(|&price| price.min(-level))
                    .chain(caps.iter().map(|&price| price.min(level)));
                let mut sorted = [alone.clone(), caps.clone()];
                sorted.iter_mut().for_each(|prices| prices.sort_unstable());
                let best = (0..=5).map(|pairs| -> i64 {
                    let [rows, columns] = &sorted;
                    rows[..5 - pairs].iter().sum::<i64>() + columns[..7 - pairs].iter().sum::<i64>()
                });
                assert_eq!(Some(duals.sum()), best.min(), "{alone:?} {caps:?}");
            }
            // Whoever is near enough stays there, and all others come.
            let level = rng.random_range(-1_000_000_000_000..1_000_000_000_000);
            let mut duals: Vec<i64> = caps.iter().map(|&cap| cap.min(level)).collect();
            market.settle(&mut duals, near);
            assert!(duals.iter().zip(caps).all(|(dual, cap)| dual <= cap));
            let paid = duals.iter().zip(caps).filter(|(_, cap)| **cap >= market.least);
            assert!(
                paid.into_iter()
                    .all(|(&dual, _)| (market.low - near..=market.high + near).contains(&dual))
            );
        }
        assert!(markets > 1_500, "{markets}");
    }
}
