//! A_MQ: formulas (7) to (9).

use markov::claims::{Claim, Remedy};
use markov::{Rational, Scalar};

use super::dual::{Dual, root};
use super::greedy::{Fault, fewer};
use super::printed::{Formulas, Place};
use super::process::{greedy, mean_range, too_late, waits};
use super::renewal::two_queues;
use super::{
    TAU_MAX, approximation, cheapest, example, judged, places, point, rates, rates_of, remedied, rounded_float,
};
use crate::fractions::{int, ratio, rounded, truth};

/// Numbers of queues that are tried.
const QUEUES: [i64; 4] = [1, 2, 5, 6];

pub(super) fn claims(formulas: &Formulas) -> Vec<Claim> {
    vec![
        without_limit(formulas),
        with_limit(formulas),
        close(formulas),
        empty_places(formulas),
        fault(formulas),
        derivative(formulas),
        nine(formulas),
        example_r(formulas),
        six_queues(formulas),
        nearest(formulas),
        second_queue(formulas),
    ]
}

/// (7) for whole queues.
fn seven(formulas: &Formulas, place: &Place, queues: i64) -> Rational {
    (formulas.seven)(place, &Dual::constant(int(queues))).value
}

fn without_limit(formulas: &Formulas) -> Claim {
    let at = |place: &Place, queues: i64| {
        let k = place.players;
        let own_rate = &place.rate / int(queues);
        // Within a range of width 1/r criteria are uniform as well.
        let computed = int(k) * mean_range(k, k) / int(queues) + waits(k, &own_rate) / int(TAU_MAX);
        point(
            place.at_with("r", int(queues)),
            seven(formulas, place, queues),
            computed,
        )
    };
    let of = |place: Place| QUEUES.map(|queues| at(&place, queues));
    judged(
        "(7) without tau_max",
        "A game of A_MQ costs k(k-1)/(r(k+1)) + r k(k-1)/(2 a tau_max). Here nobody is given up or served from another queue: players wait until k \
         are in a queue.",
        Remedy::None,
        places().into_iter().flat_map(of).collect(),
    )
}

/// Expected cost of a game of A_MQ for pairs with one queue or two, with players from the other queue and with bots.
fn of_pairs(place: &Place, queues: i64) -> f64 {
    let load = place.load().to_float();
    if queues == 1 { greedy(2, load) } else { two_queues(load) }
}

/// Pairs at these rates with one queue and with two.
fn few_queues(rates: impl IntoIterator<Item = Rational>) -> impl Iterator<Item = (Place, i64)> {
    let of = |rate: Rational| [1, 2].map(|queues| (Place::new(2, rate.clone()), queues));
    rates.into_iter().flat_map(of)
}

fn with_limit(formulas: &Formulas) -> Claim {
    let at = |(place, queues): (Place, i64)| {
        let computed = of_pairs(&place, queues);
        point(
            place.at_with("r", int(queues)),
            seven(formulas, &place, queues),
            computed,
        )
    };
    judged(
        "(7) with tau_max",
        "A game of A_MQ costs k(k-1)/(r(k+1)) + r k(k-1)/(2 a tau_max). Here who is due plays with a foreign queue or a bot; computed for pairs and \
         up to two queues, from the cost and the games between two moments at which nobody waits.",
        Remedy::None,
        few_queues(rates()).map(at).collect(),
    )
}

fn close(formulas: &Formulas) -> Claim {
    let at = |(place, queues): (Place, i64)| {
        approximation(
            place.at_with("r", int(queues)),
            place.load() >= int(6 * queues),
            seven(formulas, &place, queues).to_float(),
            of_pairs(&place, queues),
        )
    };
    judged(
        "(7) is an approximation",
        "How close, and where, is not said. 1 if the reading is true.",
        Remedy::Reading(
            "for pairs (7) is within 1 % of the cost of a game where a tau_max / r is at least 6, so that next to everybody finds a partner in the \
             own queue; computed for one queue and two",
        ),
        few_queues(rates_of(1..=25)).map(at).collect(),
    )
}

fn empty_places(formulas: &Formulas) -> Claim {
    let at = |place: &Place, queues: i64| {
        let (k, load) = (place.players, place.load().to_float() / queues as f64);
        let printed = point(
            place.at_with("r", int(queues)),
            (formulas.three)(k, load),
            too_late(k - 1, load),
        );
        remedied(printed, fewer(k - 1, load))
    };
    let of = |place: Place| QUEUES.map(|queues| at(&place, queues));
    judged(
        "(8)",
        "The first of a queue plays with bots or players from foreign queues with a chance of the sum for x = 1 to k-1 of lambda^x e^-lambda / x!, lambda = \
         a tau_max / r. Here no other queue takes players from it.",
        Remedy::Correction("the sum for x = 0 to k-2, as for (3)"),
        places().into_iter().flat_map(of).collect(),
    )
}

fn fault(formulas: &Formulas) -> Claim {
    let at = |(place, queues): (Place, i64)| {
        let own_load = place.load().to_float() / queues as f64;
        let cost = seven(formulas, &place, queues).to_float();
        let bound = (formulas.four)(2, (formulas.three)(2, own_load), cost);
        let covers = Fault::Cost.is_within(bound, cost, of_pairs(&place, queues));
        remedied(
            point(place.at_with("r", int(queues)), int(1), truth(covers)),
            truth(own_load >= Fault::Cost.covered_from(2)),
        )
    };
    judged(
        "(4) can also be used for A_MQ",
        "1 if the bound (4), with (8) and (7), is no less than the difference of (7) from what a game of pairs costs.",
        Remedy::Correction("it covers it from a tau_max / r = 0.95 on, for pairs and one queue or two"),
        few_queues(rates()).map(at).collect(),
    )
}

fn derivative(formulas: &Formulas) -> Claim {
    let at = |place: &Place, r: i64| {
        let computed = (formulas.seven)(place, &Dual::variable(int(r))).slope;
        point(
            place.at_with("r", int(r)),
            (formulas.seven_slope)(place, &int(r)),
            computed,
        )
    };
    let of = |place: Place| QUEUES.map(|queues| at(&place, queues));
    judged(
        "d/dr (7)",
        "The derivative of (7) by r is (k - k^2)/((k+1) r^2) + k(k-1)/(2 a tau_max).",
        Remedy::None,
        places().into_iter().flat_map(of).collect(),
    )
}

/// Where the derivative of (7) is zero.
fn best(formulas: &Formulas, place: &Place) -> Rational {
    let slope = |r: &Rational| (formulas.seven)(place, &Dual::variable(r.clone())).slope;
    root(slope, ratio(1, 1024), int(1024))
}

fn nine(formulas: &Formulas) -> Claim {
    let at = |place: Place| point(place.at(), (formulas.nine)(&place), best(formulas, &place).to_float());
    judged(
        "(9)",
        "The derivative of (7) is 0 at r_opt = sqrt(2 a tau_max / (k+1)).",
        Remedy::None,
        places().into_iter().map(at).collect(),
    )
}

fn example_r(formulas: &Formulas) -> Claim {
    let computed = rounded(&best(formulas, &example()), 100);
    judged(
        "r_opt = 5.77",
        "For k = 2, a = 10 and tau_max = 5, to two decimals.",
        Remedy::None,
        vec![point(example().at(), ratio(577, 100), computed)],
    )
}

fn six_queues(formulas: &Formulas) -> Claim {
    let best = cheapest(|queues| seven(formulas, &example(), queues));
    judged(
        "Lowest costs will therefore be achieved with 6 queues",
        "For k = 2, a = 10 and tau_max = 5. Computed: the r at which (7) is least.",
        Remedy::None,
        vec![point(example().at(), int(6), int(best))],
    )
}

/// The example takes the nearest integer of (9); the boundary lies elsewhere.
fn nearest(formulas: &Formulas) -> Claim {
    let at = |rate: Rational| {
        let place = Place::new(2, rate);
        let r = (formulas.nine)(&place);
        let low = r.floor();
        let better = if r * r > low * (low + 1.0) { low + 1.0 } else { low };
        let computed = cheapest(|queues| seven(formulas, &place, queues));
        let at = place.at_with("r_opt", rounded_float(r, 1000));
        remedied(
            point(at, int(r.round() as i64), int(computed)),
            int((better as i64).max(1)),
        )
    };
    // Such rates that 2 a tau_max / (k+1) is so many twentieths, neither 2 nor 6, where two integers are equally good.
    let rates = (11..=140).step_by(3).map(|twentieths| ratio(3 * twentieths, 200));
    judged(
        "(9) rounded",
        "The best number of queues is the integer next to r_opt, as in the example with 5.77 and 6. Computed: the r at which (7) is least.",
        Remedy::Correction(
            "the integer r below r_opt, or r + 1 where r_opt exceeds sqrt(r (r+1)), a little less than r + 1/2; 1 at least",
        ),
        rates.map(at).collect(),
    )
}

/// From this load on two queues are better than one for pairs.
const SECOND_QUEUE: f64 = 4.344;

/// Formula (9) is about costs without bots.
fn second_queue(formulas: &Formulas) -> Claim {
    let at = |rate: Rational| {
        let place = Place::new(2, rate);
        let [one, two] = [1, 2].map(|queues| seven(formulas, &place, queues));
        let is_better = of_pairs(&place, 2) < of_pairs(&place, 1);
        remedied(
            point(place.at(), truth(two < one), truth(is_better)),
            truth(place.load().to_float() > SECOND_QUEUE),
        )
    };
    // None of these loads is where (7) is the same for both.
    let rates = (1..=20).map(|step| ratio(2 * step - 1, 2 * TAU_MAX));
    judged(
        "(9) with tau_max",
        "The r at which (7) is least is the best one also where players go to foreign queues and bots play. 1 if two queues are better than one for \
         pairs, by (7) from a tau_max = 3 on.",
        Remedy::Correction("a second queue pays from a tau_max = 4.344 on"),
        rates.map(at).collect(),
    )
}

/// What the paper reads off its example in section 5.2.
pub(super) fn example_cost(formulas: &Formulas) -> Claim {
    let cost = seven(formulas, &example(), 6);
    judged(
        "0.231",
        "The expected cost of a game of A_MQ with 6 queues by (7), to three decimals.",
        Remedy::None,
        vec![point(
            example().at_with("r", int(6)),
            ratio(231, 1000),
            rounded(&cost, 1000),
        )],
    )
}

#[cfg(test)]
mod tests {
    use super::{SECOND_QUEUE, greedy, two_queues};

    #[test]
    fn a_second_queue_pays_from_the_limit_on() {
        let gain = |load: f64| greedy(2, load) - two_queues(load);
        assert!(gain(SECOND_QUEUE - 0.001) < 0.0 && gain(SECOND_QUEUE + 0.001) > 0.0);
        assert!(
            (1..800)
                .map(|step| f64::from(step) / 8.0)
                .all(|load| (gain(load) > 0.0) == (load > SECOND_QUEUE))
        );
    }
}
