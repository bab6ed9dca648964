//! What the algorithms' own rules give, without the formulas: order statistics, and chains of arrivals until a game is
//! full.

use markov::{Csr, Ctmc, Error, Rational, Transient};

use super::integral::points;
use super::printed::poisson;
use crate::fractions::{int, ratio};

/// `n` choose `i`.
fn binomial(n: i64, i: i64) -> Rational {
    (1..=i).fold(int(1), |product, step| product * ratio(n - i + step, step))
}

/// Expected value of the `rank`th smallest of `n` uniform values: the integral over `x` of the chance that fewer than
/// `rank` of them are below `x`, as polynomials.
fn order_statistic(rank: i64, n: i64) -> Rational {
    let exactly_below = |i: i64| {
        let terms = (0..=n - i).map(|power| binomial(n - i, power) * ratio(1 - 2 * (power % 2), i + power + 1));
        binomial(n, i) * terms.fold(int(0), |sum, term| sum + term)
    };
    (0..rank).map(exactly_below).fold(int(0), |sum, chance| sum + chance)
}

/// Expected range of games of `k` neighbours among `n` players, a mean over the games.
pub(super) fn mean_range(k: i64, n: i64) -> Rational {
    let games = n / k;
    let range = |game: i64| order_statistic((game + 1) * k, n) - order_statistic(game * k + 1, n);
    (0..games).map(range).fold(int(0), |sum, range| sum + range) / int(games)
}

/// Expected sum of the waits of `n` players until the last of them has arrived, at `rate` per unit of time.
pub(super) fn waits(n: i64, rate: &Rational) -> Rational {
    (1..=n).fold(int(0), |sum, place| sum + int(n - place) / rate)
}

/// The chance that `count` others, at least one, take longer to arrive than one unit of time, in which `load` are
/// expected: the integral of the density of that time.
///
/// An integral and no chain, since the first nine digits are needed however small it is.
pub(super) fn too_late(count: i64, load: f64) -> f64 {
    let beyond = points(f64::INFINITY, load);
    beyond
        .map(|(late, weight)| weight * load * poisson(count - 1, load * (1.0 + late)))
        .sum()
}

/// Expected cost of a game of A_G, `τ_max` being the unit of time, in which `load` players are expected to arrive.
///
/// A chain: state `i` has `i + 1` players, who all wait, until the last state has `k`, who play. What is in state `i`
/// after one unit of time plays with bots. Not a number if the chain could not be solved, so that nothing agrees with
/// it.
pub(super) fn greedy(k: i64, load: f64) -> f64 {
    filling(k as usize, load).unwrap_or(f64::NAN)
}

fn filling(k: usize, load: f64) -> Result<f64, Error> {
    let rates = (1..=k).map(|next| (next < k).then_some((next, load)));
    let chain = Ctmc::new(&Csr::from_rows(k, rates))?;
    let mut start = vec![0.0; k];
    start[0] = 1.0;
    let players = k as f64;
    // Per unit of time, everybody who waits costs 1; those who play cost nothing any more.
    let waiting: Vec<f64> = (1..=k)
        .map(|there| if there < k { there as f64 } else { 0.0 })
        .collect();
    let until_due = Transient::new()
        .tolerance(1e-14)
        .accumulated(&chain, &start, &waiting, 1.0)?;
    // A bot differs by 1 from everybody, and counts as having waited for `τ_max`.
    let at_the_end = |there: usize| {
        if there < k {
            players + (k - there) as f64
        } else {
            players * (players - 1.0) / (players + 1.0)
        }
    };
    let ends = until_due.distribution().iter().zip(1..);
    let playing: f64 = ends.map(|(chance, there)| chance * at_the_end(there)).sum();
    Ok(until_due.total() + playing)
}

#[cfg(test)]
mod tests {
    use super::{greedy, order_statistic, too_late};
    use crate::online::claims::ratio;

    #[test]
    fn order_statistics_are_evenly_spaced() {
        assert_eq!(order_statistic(3, 10), ratio(3, 11));
    }

    /// The one who is first waits with a chance of e^-load for a bot, and else for a partner.
    #[test]
    fn pairs_cost_what_can_be_counted_by_hand() {
        for load in [0.25_f64, 5.0, 50.0] {
            let alone = (-load).exp();
            let expected = (1.0 - alone) * (2.0 / 3.0 + 1.0 / load) + 3.0 * alone;
            let found = greedy(2, load);
            assert!((found - expected).abs() < 1e-12 * expected, "{found} {expected}");
        }
        assert!((greedy(2, 5.0) - 0.88104).abs() < 5e-6);
        assert!((too_late(1, 5.0) / (-5.0_f64).exp() - 1.0).abs() < 1e-10);
    }
}
