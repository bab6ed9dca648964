//! A_G: formulas (2) to (4).

use markov::Scalar;
use markov::claims::{Claim, Remedy};

use super::printed::{Formulas, Place, poisson};
use super::process::{greedy, mean_range, too_late, waits};
use super::{TAU_MAX, approximation, judged, places, point, rates_of, remedied};
use crate::fractions::{int, truth};

pub(super) fn claims(formulas: &Formulas) -> Vec<Claim> {
    vec![
        range(formulas),
        without_limit(formulas),
        with_limit(formulas),
        high(formulas),
        bots(formulas),
        fault(formulas, Fault::Cost),
        fault(formulas, Fault::Share),
    ]
}

/// The expected range of uniform values.
fn range(formulas: &Formulas) -> Claim {
    let at = |k: i64| point(vec![("k", int(k))], (formulas.range)(k), mean_range(k, k));
    judged(
        "q_d(G) = (k - 1)/(k + 1)",
        "The expected range of the criterion among k players, 1/3 for two of them. Criteria are uniform on [0, 1].",
        Remedy::None,
        (2..=8).map(at).collect(),
    )
}

fn without_limit(formulas: &Formulas) -> Claim {
    let at = |place: Place| {
        let k = place.players;
        let computed = int(k) * mean_range(k, k) + waits(k, &place.rate) / int(TAU_MAX);
        point(place.at(), (formulas.two)(&place), computed)
    };
    judged(
        "(2) without tau_max",
        "A game of A_G costs k(k-1)/(k+1) + k(k-1)/(2 a tau_max). Here nobody is given up: players wait until k are there.",
        Remedy::None,
        places().into_iter().map(at).collect(),
    )
}

/// The chance that fewer than `count` arrive.
pub(super) fn fewer(count: i64, load: f64) -> f64 {
    (0..count).map(|j| poisson(j, load)).sum()
}

/// The cost of a game of A_G in closed form.
pub(super) fn closed(place: &Place) -> f64 {
    let (k, load) = (place.players, place.load().to_float());
    let pairs = place.pairs() as f64;
    let full = pairs / (k + 1) as f64 * (1.0 - fewer(k - 1, load)) + pairs / (2.0 * load) * (1.0 - fewer(k, load));
    let short = (0..k - 1).map(|j| poisson(j, load) * (2.0 * k as f64 - j as f64 / 2.0));
    full + short.sum::<f64>()
}

fn with_limit(formulas: &Formulas) -> Claim {
    let at = |place: Place| {
        let computed = greedy(place.players, place.load().to_float());
        remedied(point(place.at(), (formulas.two)(&place), computed), closed(&place))
    };
    judged(
        "(2) with tau_max",
        "A game of A_G costs k(k-1)/(k+1) + k(k-1)/(2 a tau_max). Here bots play where fewer than k players arrive within tau_max.",
        Remedy::Correction(
            "k(k-1)/(k+1) P(X >= k-1) + k(k-1)/(2 a tau_max) P(X >= k) + sum for j = 0 to k-2 of P(X = j) (2k - j/2), where X, the \
             arrivals within tau_max after the first player's, is Poisson with mean a tau_max",
        ),
        places().into_iter().map(at).collect(),
    )
}

/// From this chance of `k` arrivals on, (2) is of use.
const HIGH: f64 = 0.975;

fn high(formulas: &Formulas) -> Claim {
    let at = |place: Place| {
        let (k, load) = (place.players, place.load().to_float());
        let chance = 1.0 - fewer(k, load);
        approximation(
            place.at(),
            chance >= HIGH,
            (formulas.two)(&place).to_float(),
            greedy(k, load),
        )
    };
    let of = |k: i64| rates_of(1..=20).map(move |rate| Place::new(k, rate));
    judged(
        "(2) can only be used if the probability of k players arriving within tau_max is high",
        "How high, and what it can be used for, is not said. 1 if the reading is true.",
        Remedy::Reading(
            "where the chance of k arrivals within tau_max is 0.975 or more, (2) is within 1 % of the cost of a game, for up to eight \
             players; for pairs that is from a tau_max = 5.6 on, and 5 % are reached at 3.7",
        ),
        (2..=8).flat_map(of).map(at).collect(),
    )
}

fn bots(formulas: &Formulas) -> Claim {
    let at = |place: Place| {
        let (k, load) = (place.players, place.load().to_float());
        let printed = point(place.at(), (formulas.three)(k, load), too_late(k - 1, load));
        remedied(printed, fewer(k - 1, load))
    };
    judged(
        "(3)",
        "A bot plays with a chance of the sum for x = 1 to k-1 of lambda^x e^-lambda / x!, lambda = a tau_max.",
        Remedy::Correction(
            "the sum for x = 0 to k-2: tau_max begins when the first player arrives, who is not one of the x, so that a game lacks \
             somebody exactly if fewer than k-1 others come",
        ),
        places().into_iter().map(at).collect(),
    )
}

/// What a bound may be meant for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Fault {
    /// The difference of two costs.
    Cost,
    /// The difference by the cost.
    Share,
}

impl Fault {
    /// Whether a bound covers what a formula misses.
    pub(super) fn is_within(self, bound: f64, formula: f64, cost: f64) -> bool {
        /// What is below this is rounding.
        const ROUNDING: f64 = 1e-12;
        let error = (cost - formula).abs();
        let error = if self == Self::Share { error / formula } else { error };
        error <= bound + ROUNDING
    }

    /// From which load on the printed bound covers the fault of (2) for `k` players, up to five of them.
    pub(super) fn covered_from(self, k: i64) -> f64 {
        match self {
            Self::Cost => [0.95, 3.25, 7.86, 15.19][k as usize - 2],
            Self::Share => (k - 1) as f64 / 2.0,
        }
    }
}

fn fault(formulas: &Formulas, fault: Fault) -> Claim {
    let at = |place: Place| {
        let (k, load) = (place.players, place.load().to_float());
        let cost = (formulas.two)(&place).to_float();
        let bound = (formulas.four)(k, (formulas.three)(k, load), cost);
        let covers = fault.is_within(bound, cost, greedy(k, load));
        remedied(
            point(place.at(), int(1), truth(covers)),
            truth(load >= fault.covered_from(k)),
        )
    };
    let (label, statement, correction) = match fault {
        Fault::Cost => (
            "(4)",
            "The fault of (2) is at most 2 k Prob(P_COMP in G) / cost^2. 1 if that is no less than the difference of (2) from what a game \
             costs, with (3) for the chance. Of another unit of cost it would be another statement: the left side grows with the unit, the right \
             side falls.",
            "it covers the difference from a tau_max = 0.95, 3.25, 7.86 and 15.19 on for two to five players. Anywhere, with X as for (2): the \
             game costs more than (2) by at most 2k P(X <= k-2), and less by at most k(k-1)/(2 a tau_max) P(X <= k-1)",
        ),
        Fault::Share => (
            "(4) as a share",
            "The fault of (2) is at most 2 k Prob(P_COMP in G) / cost^2. 1 if that is no less than the difference of (2) from what a game \
             costs, divided by (2).",
            "it covers the share from a tau_max = (k-1)/2 on, for two to five players",
        ),
    };
    judged(
        label,
        statement,
        Remedy::Correction(correction),
        places().into_iter().map(at).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::printed::{Formulas, Place};
    use super::{Fault, HIGH, fewer, greedy};
    use crate::online::claims::ratio;

    /// Formula (2), what a game costs, and the chances that fewer than `k - 1` and `k` arrive.
    fn at(k: i64, thousandths: i64) -> (f64, f64, [f64; 2]) {
        let place = Place::new(k, ratio(thousandths, 5000));
        let load = thousandths as f64 / 1000.0;
        let formula = (Formulas::PRINTED.two)(&place);
        (
            markov::Scalar::to_float(&formula),
            greedy(k, load),
            [k - 1, k].map(|count| fewer(count, load)),
        )
    }

    fn is_covered(fault: Fault, k: i64, thousandths: i64) -> bool {
        let (formula, cost, _) = at(k, thousandths);
        let chance = (Formulas::PRINTED.three)(k, thousandths as f64 / 1000.0);
        fault.is_within((Formulas::PRINTED.four)(k, chance, formula), formula, cost)
    }

    #[test]
    fn the_printed_bound_covers_the_fault_from_there_on() {
        for k in 2..=5 {
            let first = (1000.0 * Fault::Cost.covered_from(k)) as i64;
            assert!(!is_covered(Fault::Cost, k, first - 15) && is_covered(Fault::Cost, k, first + 5));
            let first_share = (1000.0 * Fault::Share.covered_from(k)) as i64;
            for step in 0..300 {
                assert!(is_covered(Fault::Cost, k, first + 5 + 100 * step), "{k} {step}");
                assert!(is_covered(Fault::Share, k, first_share + 100 * step), "{k} {step}");
            }
        }
    }

    #[test]
    fn the_corrected_bounds_cover_the_fault_everywhere() {
        for k in 2..=8 {
            for step in 1..200 {
                let load = 0.2 * step as f64;
                let (formula, cost, [lacking, last]) = at(k, 200 * step);
                let pairs = (k * (k - 1)) as f64;
                assert!(cost - formula <= 2.0 * k as f64 * lacking + 1e-12, "{k} {load}");
                assert!(formula - cost <= pairs / (2.0 * load) * last + 1e-12, "{k} {load}");
            }
        }
    }

    #[test]
    fn two_is_as_close_as_the_reading_says() {
        let off = |thousandths: i64| {
            let (formula, cost, [_, last]) = at(2, thousandths);
            (formula / cost - 1.0, last)
        };
        assert!(off(5_600).0.abs() < 0.01 && off(5_450).0.abs() > 0.01 && off(5_600).1 <= 1.0 - HIGH);
        assert!(off(3_800).0.abs() < 0.05 && off(3_700).0.abs() > 0.05);
    }
}
