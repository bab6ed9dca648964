//! Answers about decision processes against exact ones: those of all policies, one by one.

use markov::mdp::{Action, Mdp, Optimality, PolicyIteration, RelativeValueIteration, ValueIteration};
use markov::{Error, Rational, Scalar};
use num_traits::{Signed, Zero};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::exact::{self, Matrix, fraction};
use super::processes::{self, Process};
use super::tally::{Answer, Tally};

/// Probabilities that add up to one exactly, and costs, by state and action.
type Exact = Vec<Vec<(Rational, Vec<Rational>)>>;

pub(crate) fn check(tally: &mut Tally, case: usize, kind: &str, process: &Process, rng: &mut ChaCha8Rng) {
    tally.case = format!("case {case}, {kind}, {process:?}");
    let exact = whole(process);
    let fractions = in_fractions(&exact);
    let mdp = processes::floats(process);
    let policies = policies(process);
    let gains: Matrix = policies.iter().map(|policy| gains(&exact, policy)).collect();
    let least = least(&gains);
    let gains_of =
        |policy: &[usize]| gains[policies.iter().position(|other| other == policy).expect("a policy")].clone();
    average(tally, &mdp, &fractions, &least, &gains_of);
    relative(tally, &mdp, &least, &gains_of);
    multichain(tally, &mdp, &fractions, &least, &gains_of);

    let discount = [0.5, 0.9, 0.99, 0.999_999, 1e-20][rng.random_range(0..5)];
    let values: Matrix = policies.iter().map(|policy| values(&exact, policy, discount)).collect();
    let values_of =
        |policy: &[usize]| values[policies.iter().position(|other| other == policy).expect("a policy")].clone();
    discounted(tally, &mdp, &fractions, discount, &self::least(&values), &values_of);
}

/// What rows of floats miss one by is added to staying.
fn whole(process: &Process) -> Exact {
    let action = |state: usize, action: &Action| {
        let mut row = vec![Rational::zero(); process.len()];
        action.moves.iter().for_each(|&(to, share)| row[to] += fraction(share));
        let sum: Rational = row.iter().sum();
        row[state] += Rational::ratio(1, 1) - sum;
        (fraction(action.cost), row)
    };
    let states = process.iter().enumerate();
    states
        .map(|(state, actions)| actions.iter().map(|of| action(state, of)).collect())
        .collect()
}

fn in_fractions(exact: &Exact) -> Mdp<Rational> {
    let action = |(cost, row): &(Rational, Vec<Rational>)| Action {
        cost: cost.clone(),
        moves: row.iter().cloned().enumerate().collect(),
    };
    let states = exact.iter().map(|actions| actions.iter().map(action).collect());
    Mdp::new(states).expect("a process")
}

fn policies(process: &Process) -> Vec<Vec<usize>> {
    process.iter().fold(vec![Vec::new()], |policies, actions| {
        let with = |policy: &Vec<usize>, action| policy.iter().copied().chain([action]).collect();
        policies
            .iter()
            .flat_map(|policy| (0..actions.len()).map(move |action| with(policy, action)))
            .collect()
    })
}

fn rows(exact: &Exact, policy: &[usize]) -> (Matrix, Vec<Rational>) {
    let taken = exact
        .iter()
        .zip(policy)
        .map(|(actions, &action)| actions[action].clone());
    let (costs, moves) = taken.unzip();
    (moves, costs)
}

fn gains(exact: &Exact, policy: &[usize]) -> Vec<Rational> {
    let (moves, costs) = rows(exact, policy);
    let mean = |shares: &Vec<Rational>| shares.iter().zip(&costs).map(|(share, cost)| share * cost).sum();
    exact::long_run(&moves).iter().map(mean).collect()
}

fn values(exact: &Exact, policy: &[usize], discount: f64) -> Vec<Rational> {
    let (moves, costs) = rows(exact, policy);
    exact::discounted(&moves, &costs, &fraction(discount))
}

/// The least of each state: one policy attains all of them.
fn least(of_policies: &Matrix) -> Vec<Rational> {
    let lower = |a: Vec<Rational>, b: &Vec<Rational>| a.into_iter().zip(b).map(|(a, b)| a.min(b.clone())).collect();
    of_policies.iter().skip(1).fold(of_policies[0].clone(), lower)
}

fn floats(exact: &[Rational]) -> Vec<f64> {
    exact.iter().map(Scalar::to_float).collect()
}

/// Whether the interval holds the least gain from all states and that of the policy.
fn is_between(bounds: &Optimality, least: &[Rational], of_policy: &[Rational]) -> bool {
    least.iter().all(|gain| is_above(*bounds.lower(), gain))
        && of_policy.iter().all(|gain| is_below(gain, *bounds.upper()))
}

fn is_above(lower: f64, value: &Rational) -> bool {
    lower == f64::NEG_INFINITY || (lower.is_finite() && fraction(lower) <= *value)
}

fn is_below(value: &Rational, upper: f64) -> bool {
    upper == f64::INFINITY || (upper.is_finite() && *value <= fraction(upper))
}

fn average(
    tally: &mut Tally,
    mdp: &Mdp,
    fractions: &Mdp<Rational>,
    least: &[Rational],
    gains_of: &impl Fn(&[usize]) -> Vec<Rational>,
) {
    let what = "average, policy iteration";
    match PolicyIteration::new().average(mdp) {
        Ok(best) => {
            let bounds = best.verify(mdp).expect("its process");
            let is_right = is_between(&bounds, least, &gains_of(best.policy()));
            tally.expect(what, is_right, Answer::Proven, || {
                format!("{best:?}, {bounds:?}, exactly {:?}", floats(least))
            });
        }
        Err(Error::Multichain { .. }) => tally.count(what, Answer::Refused),
        Err(error) => unfinished(tally, what, &error, least),
    }
    let what = "average, policy iteration, fractions";
    match PolicyIteration::new().average(fractions) {
        Ok(best) => {
            let is_least = least.iter().all(|gain| gain == best.gain()) && gains_of(best.policy()) == least;
            let is_right = is_least && best.verify(fractions).is_ok_and(|bounds| bounds.is_exact());
            tally.expect(what, is_right, Answer::Proven, || {
                format!("{best:?}, exactly {:?}", floats(least))
            });
        }
        // Right to refuse, or at least allowed to: the policy met had classes that nothing leads between.
        Err(Error::Multichain { .. }) => tally.count(what, Answer::Refused),
        Err(error) => tally.expect(what, false, Answer::Refused, || format!("{error:?}")),
    }
}

/// An end at the limit of iterations, whose interval must hold the least gain.
fn unfinished(tally: &mut Tally, what: &'static str, error: &Error, least: &[Rational]) {
    let is_right = match *error {
        Error::NotConverged {
            bounds: Some((lower, upper)),
            ..
        } => least.iter().all(|gain| is_above(lower, gain) && is_below(gain, upper)),
        _ => false,
    };
    tally.expect(what, is_right, Answer::NotConverged, || {
        format!("{error:?}, exactly {:?}", floats(least))
    });
}

fn relative(tally: &mut Tally, mdp: &Mdp, least: &[Rational], gains_of: &impl Fn(&[usize]) -> Vec<Rational>) {
    let what = "average, relative value iteration";
    match RelativeValueIteration::new().threads(1).iterations(2000).solve(mdp) {
        Ok(best) => {
            let is_right = is_between(best.bounds(), least, &gains_of(best.solution().policy()));
            tally.expect(what, is_right, Answer::Proven, || {
                format!("{best:?}, exactly {:?}", floats(least))
            });
        }
        Err(error) => unfinished(tally, what, &error, least),
    }
}

fn multichain(
    tally: &mut Tally,
    mdp: &Mdp,
    fractions: &Mdp<Rational>,
    least: &[Rational],
    gains_of: &impl Fn(&[usize]) -> Vec<Rational>,
) {
    let what = "average, multichain";
    match PolicyIteration::new().multichain(mdp) {
        Ok(best) => {
            let scale = mdp_scale(mdp);
            let near =
                |found: f64, exact: &Rational| found.is_finite() && (found - exact.to_float()).abs() <= 1e-9 * scale;
            let is_near = best.gains().iter().zip(least).all(|(&found, exact)| near(found, exact));
            let bound = best.error().value;
            let within =
                |found: f64, exact: &Rational| found.is_finite() && (fraction(found) - exact).abs().to_float() <= bound;
            let is_within = best
                .gains()
                .iter()
                .zip(least)
                .all(|(&found, exact)| within(found, exact));
            tally.count(what, if is_within { Answer::Estimated } else { Answer::Missed });
            let near_what = "average, multichain, to 1e-9 of the costs";
            tally.count(near_what, if is_near { Answer::Estimated } else { Answer::Missed });
            let is_sharp = bound <= 1e-9 * scale;
            let sharp_what = "average, multichain, error below that";
            tally.count(sharp_what, if is_sharp { Answer::Estimated } else { Answer::Missed });
        }
        Err(_) => tally.count(what, Answer::NotConverged),
    }
    let what = "average, multichain, fractions";
    let found = PolicyIteration::new().multichain(fractions);
    let is_right = found
        .as_ref()
        .is_ok_and(|best| best.gains() == least && gains_of(best.policy()) == least && best.verify(fractions).is_ok());
    tally.expect(what, is_right, Answer::Proven, || {
        format!("{found:?}, exactly {:?}", floats(least))
    });
}

fn mdp_scale(mdp: &Mdp) -> f64 {
    let costs =
        (0..mdp.len()).flat_map(|state| (0..mdp.actions(state)).map(move |action| mdp.cost(state, action).abs()));
    costs.fold(0.0, f64::max)
}

fn discounted(
    tally: &mut Tally,
    mdp: &Mdp,
    fractions: &Mdp<Rational>,
    discount: f64,
    least: &[Rational],
    values_of: &impl Fn(&[usize]) -> Vec<Rational>,
) {
    let within = |values: &[f64], of: &[Rational], below: f64, above: f64| {
        let is_within = |(&value, of): (&f64, &Rational)| {
            let value = fraction(value);
            let (lower, upper) = (&value + fraction(below), value + fraction(above));
            lower <= *of && *of <= upper
        };
        values.iter().zip(of).all(is_within)
    };
    let solvers = [
        (
            "discounted, policy iteration",
            PolicyIteration::new().discounted(mdp, &discount),
        ),
        (
            "discounted, value iteration",
            ValueIteration::new().threads(1).iterations(3000).solve(mdp, discount),
        ),
    ];
    for (what, found) in solvers {
        let answer = || format!("discount {discount}: {found:?}, exactly {:?}", floats(least));
        match &found {
            Ok(best) => {
                let both = [least.to_vec(), values_of(best.policy())];
                let proven = [*best.radius(), best.verify(mdp, &discount).unwrap_or(f64::NAN)];
                let holds = |&radius: &f64| {
                    radius == f64::INFINITY || both.iter().all(|of| within(best.values(), of, -radius, radius))
                };
                let is_right = proven.iter().all(|radius| !radius.is_nan()) && proven.iter().all(holds);
                tally.expect(what, is_right, Answer::Proven, answer);
            }
            Err(Error::NotConverged {
                best,
                radius: Some(radius),
                ..
            }) => {
                let is_right = within(best, least, -radius, *radius);
                tally.expect(what, is_right, Answer::NotConverged, answer);
            }
            Err(Error::NotConverged { radius: None, .. }) => tally.count(what, Answer::NotConverged),
            Err(_) => tally.expect(what, false, Answer::Refused, answer),
        }
    }
    let what = "discounted, policy iteration, fractions";
    let found = PolicyIteration::new().discounted(fractions, &fraction(discount));
    let is_right = found
        .as_ref()
        .is_ok_and(|best| best.values() == least && values_of(best.policy()) == least && !best.radius().is_positive());
    tally.expect(what, is_right, Answer::Proven, || {
        format!("{found:?}, exactly {:?}", floats(least))
    });
}
