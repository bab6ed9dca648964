//! A_PM: formulas (5) and (6).

use markov::claims::{Claim, Point, Remedy};
use markov::{Rational, Scalar};

use super::dual::{Dual, root};
use super::greedy::Fault;
use super::printed::{Formulas, Place};
use super::process::{mean_range, waits};
use super::renewal::periodic;
use super::{
    TAU_MAX, approximation, cheapest, example, judged, places, point, rates, rates_of, remedied, rounded_float,
};
use crate::fractions::{int, ratio, rounded, truth};

/// Games per period that are tried.
const GAMES: [i64; 4] = [1, 2, 4, 5];

pub(super) fn claims(formulas: &Formulas) -> Vec<Claim> {
    vec![
        without_limit(formulas),
        with_limit(formulas),
        close(formulas),
        fault(formulas),
        derivative(formulas),
        six(formulas),
        best_with_limit(formulas),
        example_n(formulas),
        neighbours(formulas),
    ]
}

/// (5) for whole games.
fn five(formulas: &Formulas, place: &Place, games: i64) -> Rational {
    (formulas.five)(place, &Dual::constant(int(games * place.players))).value
}

fn without_limit(formulas: &Formulas) -> Claim {
    let at = |place: &Place, games: i64| {
        let n = games * place.players;
        let waiting = waits(n, &place.rate) / int(TAU_MAX * games);
        let computed = int(place.players) * mean_range(place.players, n) + waiting;
        point(place.at_with("x", int(games)), five(formulas, place, games), computed)
    };
    let of = |place: Place| GAMES.map(|games| at(&place, games));
    judged(
        "(5) without tau_max",
        "A game of A_PM costs k(k-1)/(n+1) + k(n-1)/(2 a tau_max) with n = x k players per period. Here a period ends with the nth player only.",
        Remedy::None,
        places().into_iter().flat_map(of).collect(),
    )
}

/// Expected cost of a game of A_PM for pairs, with bots.
fn of_pairs(place: &Place, games: i64) -> f64 {
    periodic(2 * games, place.load().to_float())
}

fn pairs() -> impl Iterator<Item = Place> {
    rates().into_iter().map(|rate| Place::new(2, rate))
}

fn with_limit(formulas: &Formulas) -> Claim {
    let at = |place: &Place, games: i64| {
        let computed = of_pairs(place, games);
        point(place.at_with("x", int(games)), five(formulas, place, games), computed)
    };
    let of = |place: Place| GAMES.map(|games| at(&place, games));
    judged(
        "(5) with tau_max",
        "A game of A_PM costs k(k-1)/(n+1) + k(n-1)/(2 a tau_max) with n = x k players per period. Here a period of pairs ends after tau_max at the \
         latest, and whoever is over waits on; computed from the cost and the games between two periods that nobody is left to.",
        Remedy::None,
        pairs().flat_map(of).collect(),
    )
}

fn close(formulas: &Formulas) -> Claim {
    let at = |place: &Place, games: i64| {
        let load = place.load().to_float();
        approximation(
            place.at_with("x", int(games)),
            load >= 7.0 && load >= 2.5 * games as f64,
            five(formulas, place, games).to_float(),
            of_pairs(place, games),
        )
    };
    let of = |rate: Rational| (1..=8).map(move |games| at(&Place::new(2, rate.clone()), games));
    judged(
        "(5) is an approximation",
        "How close, and where, is not said. 1 if the reading is true.",
        Remedy::Reading(
            "for pairs (5) is within 1 % of the cost of a game where a tau_max is at least 7 and at least 5n/4, so that periods are seldom \
             ended by the limit; tried with up to eight games per period",
        ),
        rates_of(1..=25).flat_map(of).collect(),
    )
}

/// Whether the printed bound covers what (5) misses of a game of pairs, up to a load of 15. A period of `x` games waits
/// for `2x` players, and (3) is about two.
fn is_fault_covered(games: i64, load: f64) -> bool {
    match games {
        1 => load >= Fault::Cost.covered_from(2),
        2 => load >= 1.37,
        3 => (3.32..=14.42).contains(&load),
        4 => (10.24..=12.85).contains(&load),
        _ => false,
    }
}

/// Rates about the ends of the ranges that [`is_fault_covered`] tells apart.
fn rates_of_faults() -> impl Iterator<Item = Rational> {
    let loads = [100, 130, 140, 330, 340, 1020, 1050, 1250, 1280, 1300, 1440, 1450];
    loads.into_iter().map(|hundredths| ratio(hundredths, 100 * TAU_MAX))
}

fn fault(formulas: &Formulas) -> Claim {
    let at = |place: &Place, games: i64| {
        let load = place.load().to_float();
        let cost = five(formulas, place, games).to_float();
        let bound = (formulas.four)(2, (formulas.three)(2, load), cost);
        let covers = Fault::Cost.is_within(bound, cost, of_pairs(place, games));
        remedied(
            point(place.at_with("x", int(games)), int(1), truth(covers)),
            truth(is_fault_covered(games, load)),
        )
    };
    let of = |place: Place| (1..=5).map(move |games| at(&place, games));
    judged(
        "The approximation error can be calculated with (3) and (4)",
        "Of (5). 1 if the bound (4), with (3) and (5), is no less than the difference of (5) from what a game of pairs costs.",
        Remedy::Correction(
            "up to a tau_max = 15, the bound covers it for one game per period from a tau_max = 0.95 on, for two from 1.37 on, for three from \
             3.32 to 14.42, for four from 10.24 to 12.85, and not for five: (3) is the chance that k players do not come in time, and a \
             period waits for n",
        ),
        // At greater rates the difference is lost in rounding.
        pairs()
            .filter(|place| place.rate <= int(3))
            .chain(rates_of_faults().map(|rate| Place::new(2, rate)))
            .flat_map(of)
            .collect(),
    )
}

fn derivative(formulas: &Formulas) -> Claim {
    let at = |place: &Place, n: i64| {
        let computed = (formulas.five)(place, &Dual::variable(int(n))).slope;
        point(
            place.at_with("n", int(n)),
            (formulas.five_slope)(place, &int(n)),
            computed,
        )
    };
    let of = |place: Place| [1, 4, 9, 16].map(|n| at(&place, n));
    judged(
        "d/dn (5)",
        "The derivative of (5) by n is (k - k^2)/(n+1)^2 + k/(2 a tau_max).",
        Remedy::None,
        places().into_iter().flat_map(of).collect(),
    )
}

/// Where the derivative of (5) is zero.
fn best(formulas: &Formulas, place: &Place) -> f64 {
    let slope = |n: &Rational| (formulas.five)(place, &Dual::variable(n.clone())).slope;
    // At -1 the slope is infinite.
    root(slope, ratio(-1023, 1024), int(1024)).to_float()
}

fn six(formulas: &Formulas) -> Claim {
    let at = |place: Place| Point {
        printed: None,
        ..remedied(
            point(place.at(), int(0), best(formulas, &place)),
            (formulas.six)(&place),
        )
    };
    judged(
        "(6)",
        "The derivative of (5) is 0 at n_opt = sqrt(a) sqrt(2(k-1)) sqrt(t) - 1. The letter t stands nowhere else, so that the formula has no value \
         word for word.",
        Remedy::Reading("t is tau_max, as in Table 1 and in the example"),
        places().into_iter().map(at).collect(),
    )
}

/// From this load on a second game per period pays where bots play, and a third; by (5) from 7.5 and 17.5 on.
const SECOND_GAME: f64 = 7.562;
const THIRD_GAME: f64 = 17.501;

/// Loads about both, in ten thousandths.
const LOADS_OF_STEPS: [i64; 8] = [74_900, 75_100, 75_300, 75_600, 75_700, 174_900, 175_005, 175_100];

/// The limit makes periods of more games a little dearer, since they are seldom filled, so that they pay later.
fn best_with_limit(formulas: &Formulas) -> Claim {
    /// No more games per period are tried: at the greatest rate (5) is least for seven.
    const MOST: i64 = 10;
    let at = |place: Place| {
        let costs = (1..=MOST).map(|games| (of_pairs(&place, games), games));
        let best = costs.min_by(|one, other| one.0.total_cmp(&other.0));
        let formula = cheapest(|games| five(formulas, &place, games));
        let corrected = match place.load().to_float() {
            load if load < SECOND_GAME => 1,
            load if load < THIRD_GAME => 2,
            _ => formula,
        };
        let printed = point(place.at(), int(formula), int(best.map_or(0, |(_, games)| games)));
        remedied(printed, int(corrected))
    };
    let steps = LOADS_OF_STEPS.map(|load| Place::new(2, ratio(load, 10_000 * TAU_MAX)));
    judged(
        "(6) with tau_max",
        "The x at which (5) is least is the best one also where the limit ends periods and bots play. Computed: the x at which a game of pairs \
         costs least.",
        Remedy::Correction(
            "a second game pays from a tau_max = 7.562 on, not from 7.5, and a third from 17.501 on, not from 17.5; at all other rates tried \
             the best x is the same",
        ),
        pairs().chain(steps).map(at).collect(),
    )
}

fn example_n(formulas: &Formulas) -> Claim {
    let n = best(formulas, &example());
    judged(
        "n_opt = 9, x = 4.5",
        "For k = 2, a = 10 and tau_max = 5. Computed: where (5) is least; first n, then x.",
        Remedy::None,
        vec![
            point(example().at_with("divided by", int(1)), int(9), n),
            point(example().at_with("divided by", int(2)), ratio(9, 2), n / 2.0),
        ],
    )
}

/// (5) is convex, so that one of the neighbours of its lowest point is the best integer.
fn neighbours(formulas: &Formulas) -> Claim {
    let at = |place: Place| {
        let x = (formulas.six)(&place) / place.players as f64;
        let best = cheapest(|games| five(formulas, &place, games));
        let is_neighbour = best == (x.floor() as i64).max(1) || best == (x.ceil() as i64).max(1);
        let at = place.at_with("x_opt", rounded_float(x, 100));
        point(at, int(1), truth(is_neighbour))
    };
    judged(
        "The matching cost will be lowest for x = 4 or x = 5",
        "The best number of games per period is one of the two integers about n_opt / k, 1 at least. 1 if (5) is least there.",
        Remedy::None,
        places().into_iter().map(at).collect(),
    )
}

/// What the paper reads off its examples in section 5.2.
pub(super) fn example_cost(formulas: &Formulas) -> Claim {
    let cost = five(formulas, &example(), 4);
    judged(
        "0.362",
        "The expected cost of a game of A_PM with x = 4 by (5), to three decimals.",
        Remedy::None,
        vec![point(
            example().at_with("x", int(4)),
            ratio(362, 1000),
            rounded(&cost, 1000),
        )],
    )
}

pub(super) fn example_best(formulas: &Formulas) -> Claim {
    let best = cheapest(|games| five(formulas, &example(), games));
    let corrected = if five(formulas, &example(), 5) < five(formulas, &example(), 4) {
        5
    } else {
        4
    };
    judged(
        "A_PM produces its cheapest matchings with parameter 4",
        "As seen in the example of section 4.2.2. Computed: the x at which (5) is least.",
        Remedy::Correction("5, if only just: (5) is 0.36222 at x = 4 and 0.36182 at x = 5"),
        vec![remedied(point(example().at(), int(4), int(best)), int(corrected))],
    )
}

#[cfg(test)]
mod tests {
    use markov::Scalar;

    use super::super::printed::Formulas;
    use super::{Fault, Place, SECOND_GAME, THIRD_GAME, five, is_fault_covered, of_pairs, periodic};
    use crate::fractions::ratio;

    #[test]
    fn another_game_pays_from_there_on() {
        for (games, first) in [(2, SECOND_GAME), (3, THIRD_GAME)] {
            let gain = |load: f64| periodic(2 * (games - 1), load) - periodic(2 * games, load);
            assert!(gain(first - 0.001) < 0.0 && gain(first + 0.001) > 0.0, "{games}");
        }
    }

    #[test]
    fn the_printed_bound_covers_the_fault_of_five_where_it_is_said() {
        let check = |games: i64, hundredths: i64| {
            let formulas = &Formulas::PRINTED;
            let place = Place::new(2, ratio(hundredths, 500));
            let (load, cost) = (place.load().to_float(), five(formulas, &place, games).to_float());
            let bound = (formulas.four)(2, (formulas.three)(2, load), cost);
            let covers = Fault::Cost.is_within(bound, cost, of_pairs(&place, games));
            assert_eq!(covers, is_fault_covered(games, load), "{games} {load}");
        };
        for games in 1..=5 {
            (100..=1500).step_by(25).for_each(|hundredths| check(games, hundredths));
        }
        // Next to the ends, to the digits that are printed.
        for (games, end) in [(2, 136), (3, 331), (3, 1442), (4, 1023), (4, 1285)] {
            check(games, end);
            check(games, end + 1);
        }
    }
}
