//! Equilibria of policies and the shares of high players that they attract.

use super::facts::{best, greedy_cost, greedy_excess, patient_cost, patient_excess, process};
use super::{At, Formula, each, full_grid, plain, printed, truth, whole};
use crate::error::Error;
use crate::scalar::{Rational, Scalar};

pub(super) fn formulas() -> Vec<Formula> {
    let mut all = vec![unique_below_one(), equilibrium_below_one()];
    all.extend(bounds());
    all.extend(stars());
    all.extend(cases());
    all
}

fn unique_below_one() -> Formula {
    plain(
        "when alpha < 1, the greedy policy is always the unique optimal policy",
        "At every pool of 2n players every other decision costs more, at the exact values of the best policy (1 if so).",
        each(
            &full_grid(),
            "alpha",
            &[(0, 1), (1, 2), (999, 1000)].map(|(p, q)| Rational::ratio(p, q)),
        ),
        |_| Some(whole(1)),
        |at| {
            let process = process(at)?;
            let best = best(&process)?;
            let pools = process.states().names().iter().enumerate();
            let full = pools.filter(|(_, pool)| pool.iter().sum::<usize>() == 2 * at.n());
            let greedy = process.greedy();
            let mut is_unique = best.verify(process.mdp())?.is_exact();
            for (state, _) in full {
                for action in (0..process.decisions(state).len()).filter(|&action| action != greedy[state]) {
                    let moves = process.mdp().moves(state, action);
                    let later: Rational = moves.map(|(to, probability)| probability * &best.bias()[to]).sum();
                    is_unique &= process.mdp().cost(state, action) + later > best.gain() + &best.bias()[state];
                }
            }
            Ok(truth(is_unique))
        },
    )
}

/// A point with shares of high players under the greedy and under the patient policy.
fn shares(n: usize, alpha: &Rational, greedy: (i64, i64), patient: (i64, i64)) -> At {
    let [greedy, patient] = [greedy, patient].map(|(p, q)| Rational::ratio(p, q));
    At::new(&[
        ("n", whole(n)),
        ("alpha", alpha.clone()),
        ("q_g", greedy),
        ("q_p", patient),
    ])
}

/// The same point with one share of high players.
fn at_share(at: &At, name: &str) -> At {
    At::new(&[("n", whole(at.n())), ("alpha", at.alpha()), ("q", at.get(name))])
}

/// Which equilibria there are: 1 for the greedy one, 2 for the patient one, 3 for both, 0 for none; by the best of all
/// policies at each share.
fn equilibria(at: &At) -> Result<Rational, Error> {
    let greedy = greedy_excess(&at_share(at, "q_g"))? == whole(0);
    let patient = patient_excess(&at_share(at, "q_p"))? == whole(0);
    Ok(truth(greedy) + whole(2) * truth(patient))
}

const ONE_TYPE_IS_PATIENT: &str = "for 0 < q_p < 1; at q_p = 0 and q_p = 1 the patient policy never waits longer than the \
     greedy one, is optimal, and is an equilibrium as well";

/// Whether players of both types come under the patient policy.
fn attracts_two_types(at: &At) -> bool {
    at_share(at, "q_p").has_two_types()
}

fn equilibrium_below_one() -> Formula {
    let points = [(1, 3), (3, 4)].iter().flat_map(|&(p, q)| {
        let alpha = Rational::ratio(p, q);
        [
            ((1, 2), (1, 2)),
            ((1, 3), (6, 7)),
            ((9, 10), (1, 2)),
            ((1, 5), (1, 8)),
            ((1, 2), (0, 1)),
            ((1, 2), (1, 1)),
        ]
        .map(move |(greedy, patient)| [1, 2].map(|n| shares(n, &alpha, greedy, patient)))
    });
    plain(
        "thus (greedy, q_g) is the unique equilibrium",
        "For alpha < 1 there is one equilibrium, the greedy one (1: greedy, 2: patient, 3: both).",
        points.flatten().collect(),
        |_| Some(whole(1)),
        equilibria,
    )
    .read_for(ONE_TYPE_IS_PATIENT, attracts_two_types, |_| Some(whole(3)))
}

/// Imbalance costs `1/(1 - r^(2n))`, at which the bounds are the fractions `(1 + r)/2` and `(1 - r)/2`.
fn alpha_for(n: usize, r: &Rational) -> Rational {
    let power: Rational = (0..2 * n).fold(whole(1), |power, _| power * r);
    whole(1) / (whole(1) - power)
}

const ROOTS: [(i64, i64); 5] = [(0, 1), (1, 2), (1, 4), (3, 4), (5, 8)];

fn with_roots() -> Vec<At> {
    let at = |n| ROOTS.map(|(p, q)| At::new(&[("n", whole(n)), ("alpha", alpha_for(n, &Rational::ratio(p, q)))]));
    (1..=3).flat_map(at).collect()
}

/// The share of high players between 1/2 and an end at which both policies cost the same, by halving.
fn indifferent(at: &At, end: Rational) -> Result<Rational, Error> {
    let (mut patient, mut greedy) = (Rational::ratio(1, 2), end);
    let gap = |q: &Rational| -> Result<Rational, Error> {
        let at = At::new(&[("n", whole(at.n())), ("alpha", at.alpha()), ("q", q.clone())]);
        Ok(greedy_cost(&at)? - patient_cost(&at)?)
    };
    if gap(&patient)? == whole(0) {
        return Ok(patient);
    }
    for _ in 0..40 {
        let middle = (&patient + &greedy) / whole(2);
        let gap = gap(&middle)?;
        if gap == whole(0) {
            return Ok(middle);
        }
        *(if gap > whole(0) { &mut patient } else { &mut greedy }) = middle;
    }
    Ok((patient + greedy) / whole(2))
}

fn bounds() -> Vec<Formula> {
    vec![
        plain(
            "q_bar = 1/2 [1 + (1 - 1/alpha)^(1/(2n))]",
            "The share of high players above 1/2 at which both policies cost the same.",
            with_roots(),
            |at| printed::q_bar(at.n(), &at.alpha()),
            |at| indifferent(at, whole(1)),
        ),
        plain(
            "q_underline = 1/2 [1 - (1 - 1/alpha)^(1/(2n))]",
            "The share of high players below 1/2 at which both policies cost the same.",
            with_roots(),
            |at| printed::q_underline(at.n(), &at.alpha()),
            |at| indifferent(at, whole(0)),
        ),
    ]
}

/// Shares of high players about both bounds and on them, and those of one type only, for each imbalance cost of [`with_roots`].
fn about_the_bounds() -> Vec<At> {
    let shares = |at: At| {
        let near = [
            (1, 2),
            (1, 4),
            (3, 4),
            (1, 8),
            (7, 8),
            (3, 10),
            (1, 1000),
            (999, 1000),
            (0, 1),
            (1, 1),
        ];
        each(&[at], "q", &near.map(|(p, q)| Rational::ratio(p, q)))
    };
    with_roots()
        .into_iter()
        .filter(|at| at.n() <= 2)
        .flat_map(shares)
        .collect()
}

fn has_star(at: &At, q: &Rational) -> Option<bool> {
    let (n, alpha) = (at.n(), at.alpha());
    Some(*q >= printed::q_bar(n, &alpha)? || *q <= printed::q_underline(n, &alpha)?)
}

fn has_two_stars(at: &At, q: &Rational) -> Option<bool> {
    let (n, alpha) = (at.n(), at.alpha());
    Some(printed::q_underline(n, &alpha)? <= *q && *q <= printed::q_bar(n, &alpha)?)
}

fn stars() -> Vec<Formula> {
    vec![
        plain(
            "(*)",
            "When q = q_g, the greedy policy is optimal when q_g >= q_bar or q_g <= q_underline, and only then (1 if it is \
             optimal among all policies).",
            about_the_bounds(),
            |at| has_star(at, &at.q()).map(truth),
            |at| Ok(truth(greedy_excess(at)? == whole(0))),
        ),
        plain(
            "(**)",
            "When q = q_p, the patient policy is optimal when q_underline <= q_p <= q_bar, and only then (1 if it is optimal among \
             all policies).",
            about_the_bounds(),
            |at| has_two_stars(at, &at.q()).map(truth),
            |at| Ok(truth(patient_excess(at)? == whole(0))),
        )
        .read_for(ONE_TYPE_IS_PATIENT, At::has_two_types, |_| Some(whole(1))),
    ]
}

/// The equilibria by the printed bounds: 1 for the greedy one where (*) holds, 2 for the patient one where (**) does.
fn printed_equilibria(at: &At) -> Option<Rational> {
    let greedy = has_star(at, &at.get("q_g"))?;
    let patient = has_two_stars(at, &at.get("q_p"))?;
    Some(truth(greedy) + whole(2) * truth(patient))
}

/// Points of one case; the bounds are 1/4 and 3/4, once for each team size.
fn case(pairs: &[[(i64, i64); 2]]) -> Vec<At> {
    let at = |n| {
        let alpha = alpha_for(n, &Rational::ratio(1, 2));
        pairs
            .iter()
            .map(move |&[greedy, patient]| shares(n, &alpha, greedy, patient))
            .collect::<Vec<_>>()
    };
    (1..=2).flat_map(at).collect()
}

fn cases() -> Vec<Formula> {
    let (inside, outside, on_it) = ([(1, 2), (1, 3), (3, 5)], [(9, 10), (1, 5), (4, 5)], [(1, 4), (3, 4)]);
    let pairs = |greedy: &[(i64, i64)], patient: &[(i64, i64)]| -> Vec<At> {
        let all = greedy
            .iter()
            .flat_map(|&greedy| patient.iter().map(move |&patient| [greedy, patient]));
        case(&all.collect::<Vec<_>>())
    };
    let neither = plain(
        "if neither (*) nor (**) holds, there is no equilibrium",
        "Compared: 0 for none, by the best of all policies at each share.",
        pairs(&inside, &[(9, 10), (1, 5), (4, 5), (0, 1), (1, 1)]),
        printed_equilibria,
        equilibria,
    )
    .read_for(ONE_TYPE_IS_PATIENT, attracts_two_types, |at| {
        Some(printed_equilibria(at)? + whole(2))
    });
    vec![
        plain(
            "when (*) and (**) hold simultaneously, both (greedy, q_g) and (patient, q_p) are equilibria",
            "Compared: 3 for both, by the best of all policies at each share; points on the bounds included.",
            [pairs(&outside, &inside), pairs(&on_it, &on_it)].concat(),
            printed_equilibria,
            equilibria,
        ),
        plain(
            "if only (*) holds, then (greedy, q_g) is the unique equilibrium",
            "Compared: 1 for greedy alone, by the best of all policies at each share.",
            pairs(&outside, &[(9, 10), (1, 5), (0, 1), (1, 1)]),
            printed_equilibria,
            equilibria,
        )
        .read_for(ONE_TYPE_IS_PATIENT, attracts_two_types, |at| {
            Some(printed_equilibria(at)? + whole(2))
        }),
        plain(
            "if only (**) holds, then (patient, q_p) is the unique equilibrium",
            "Compared: 2 for patient alone, by the best of all policies at each share.",
            pairs(&inside, &inside),
            printed_equilibria,
            equilibria,
        ),
        neither,
    ]
}
