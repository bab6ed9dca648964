//! The numbers of a program, of sizes that the tolerances of the simplex method are meant for.

use core::time::Duration;
use std::collections::HashMap;
use std::time::Instant;

use good_lp::solvers::microlp::MicroLpProblem;
use good_lp::{Expression, ProblemVariables, Variable};
use microlp::{SolveOptions, SolveOutcome};

use super::{Criterion, Limit, Program};
use crate::budget::{Meter, OrStopped, StopReason};
use crate::error::Error;
use crate::mdp::Mdp;

/// A century: nobody waits longer, and the clock cannot tell when all durations end.
const NO_LIMIT: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// Costs and limits, each divided by the largest of its numbers.
#[derive(Debug)]
pub(super) struct Scaled {
    pub(super) costs: Vec<f64>,
    /// What costs were divided by.
    pub(super) unit: f64,
    pub(super) limits: Vec<Limit>,
    /// What limits were divided by.
    pub(super) units: Vec<f64>,
}

impl Scaled {
    pub(super) fn new(program: &Program<'_>) -> Self {
        let unit = size(&program.mdp.costs);
        let units: Vec<f64> = program.limits.iter().map(|limit| size(&limit.weights)).collect();
        let limits = program.limits.iter().zip(&units).map(|(limit, unit)| Limit {
            weights: limit.weights.iter().map(|weight| weight / unit).collect(),
            most: limit.most / unit,
            sign: limit.sign,
        });
        Self {
            costs: program.mdp.costs.iter().map(|cost| cost / unit).collect(),
            unit,
            limits: limits.collect(),
            units,
        }
    }
}

/// The largest absolute number, and one where all are zero.
pub(super) fn size(numbers: &[f64]) -> f64 {
    let largest = numbers
        .iter()
        .fold(0.0_f64, |largest, number| largest.max(number.abs()));
    if largest > 0.0 { largest } else { 1.0 }
}

/// What an action takes from each state, by the state and without zeros: one from its own, less `discount` times the
/// probabilities of the next one, of which what they miss one by counts as staying. This is the column of its frequency,
/// and the row of the values that it compares.
pub(super) fn column(mdp: &Mdp<f64>, state: usize, row: usize, discount: f64) -> Vec<(usize, f64)> {
    let mut own = 1.0 - discount;
    let mut others = Vec::new();
    for (to, chance) in mdp.moves.row(row).filter(|&(to, _)| to != state) {
        own += discount * chance;
        others.push((to, -discount * chance));
    }
    if own != 0.0 {
        others.push((state, own));
    }
    others
}

/// A sum of variables times numbers.
pub(super) fn weighted(variables: &[Variable], weights: impl IntoIterator<Item = f64>) -> Expression {
    let mut sum = Expression::default();
    for (&variable, weight) in variables.iter().zip(weights) {
        if weight != 0.0 {
            sum.add_mul(weight, variable);
        }
    }
    sum
}

/// The simplex method looks at the clock after so long, and whether it goes in circles. Where it goes on, roundings may be
/// others from there: what is solved within that time has the same answer on every machine.
const SLICE: Duration = Duration::from_secs(10);

/// The same where somebody may cancel.
const SHORT_SLICE: Duration = Duration::from_secs(1);

/// Pivots for each variable and row, and as many again for small programs; beyond that the simplex method goes in circles.
/// It takes a few for each.
const MOST_PIVOTS: (u64, u64) = (200, 500);

/// What each variable is.
pub(super) type Values = HashMap<Variable, f64>;

/// A model, and its variables in their order.
pub(super) struct Model {
    pub(super) problem: MicroLpProblem,
    pub(super) variables: Vec<Variable>,
}

impl Model {
    /// The variables of a program.
    pub(super) fn listed(variables: &ProblemVariables) -> Vec<Variable> {
        variables
            .iter_variables_with_def()
            .map(|(variable, _)| variable)
            .collect()
    }
}

/// Pivots that the simplex method may take for a program, which is known before it begins.
fn most_pivots(program: &Program<'_>) -> u64 {
    let twice = if program.criterion == Criterion::Multichain {
        2
    } else {
        1
    };
    let size = twice * (program.mdp.costs.len() + program.mdp.len()) + program.limits.len();
    let (each, least) = MOST_PIVOTS;
    each.saturating_mul((size as u64).saturating_add(least))
}

/// Solves a model in time. `contradiction` is how it shows that no policy is within the limits.
pub(super) fn optimum(
    program: &Program<'_>,
    model: &Model,
    contradiction: &microlp::Error,
    meter: &Meter<'_>,
) -> Result<Values, Error> {
    let pace = Pace {
        slice: if meter.is_cancellable() { SHORT_SLICE } else { SLICE },
        most: most_pivots(program),
    };
    run(program, model, contradiction, (meter, pace))
}

/// How long the method may work until it is looked at, and how much in all.
#[derive(Clone, Copy, Debug)]
struct Pace {
    slice: Duration,
    /// Pivots.
    most: u64,
}

/// In slices of time, so that limits are seen, up to so many pivots.
fn run(
    program: &Program<'_>,
    model: &Model,
    contradiction: &microlp::Error,
    (meter, pace): (&Meter<'_>, Pace),
) -> Result<Values, Error> {
    meter.look().or_stopped()?;
    let start = Instant::now();
    let own = program.time_limit.unwrap_or(NO_LIMIT);
    let slice = || {
        let left = meter.time_left().unwrap_or(NO_LIMIT);
        Some(pace.slice.min(left).min(own.saturating_sub(start.elapsed())))
    };
    let mut options = SolveOptions::default();
    options.time_limit = slice();
    let mut outcome = model.problem.as_inner().solve_with(options);
    loop {
        meter.look().or_stopped()?;
        outcome = match outcome {
            // It depends on pivots alone, and not on when they were counted.
            Ok(found) if found.stats().lp_iterations > pace.most => return Err(Error::LinearProgram),
            Ok(SolveOutcome::Solution(found)) => {
                let values = found.iter().map(|(_, value)| value);
                return Ok(model.variables.iter().copied().zip(values).collect());
            }
            Err(error) if error == *contradiction && !program.limits.is_empty() => return Err(Error::Infeasible),
            // What came to no end in time was cut short, whatever the method calls that.
            _ if start.elapsed() >= own => return Err(meter.halted_by(StopReason::TimeLimit).bare().error()),
            Ok(unfinished @ SolveOutcome::Interrupted(_)) => {
                let mut options = unfinished.last_resume_options();
                options.time_limit = slice();
                unfinished.resume_with(options)
            }
            Err(_) => return Err(Error::LinearProgram),
        };
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::thread;

    use matching_core::{Budget, CancelToken};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::{Pace, SLICE, column, most_pivots, run};
    use crate::budget::{Meter, StopReason};
    use crate::error::Error;
    use crate::mdp::program::{Program, primal};
    use crate::mdp::{Action, Mdp, PolicyIteration};

    /// Steps on a circle, forwards or backwards, the costs of which differ.
    fn circle(states: usize) -> Mdp {
        let action = |cost: usize, to: usize| Action {
            cost: cost as f64,
            moves: vec![(to % states, 1.0)],
        };
        let actions = |at: usize| vec![action(7 * at % 5 + 1, at + 1), action(5 * at % 7 + 1, at + states - 1)];
        Mdp::new((0..states).map(actions)).expect("a process")
    }

    /// A method that goes in circles takes more pivots than any program needs, on every machine.
    #[test]
    fn pivots_without_end_are_ended() {
        let process = circle(30);
        let program = Program::average(&process);
        let model = primal::model(&program);
        let meter = Meter::unlimited();
        let within = |most| {
            let pace = Pace { slice: SLICE, most };
            run(&program, &model.0, &microlp::Error::Infeasible, (&meter, pace))
        };
        assert_eq!(within(0).err(), Some(Error::LinearProgram));
        // What it needs is a small part of what it may take.
        let needed = (0..).find(|&most| within(most).is_ok()).expect("an end");
        assert!((2..most_pivots(&program) / 100).contains(&needed), "{needed}");
        assert_eq!(within(needed - 1).err(), Some(Error::LinearProgram));
        assert_eq!(within(needed), within(u64::MAX));
    }

    /// In slices of no time it never comes to an end: only who cancels ends it.
    #[test]
    fn a_token_is_looked_at_after_each_slice() {
        let process = circle(30);
        let program = Program::average(&process);
        let model = primal::model(&program);
        let token = CancelToken::new();
        let budget = Budget::new().cancel(token.clone());
        let pace = Pace {
            slice: Duration::ZERO,
            most: u64::MAX,
        };
        let meter = Meter::new(&budget, None);
        let found = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(20));
                token.cancel();
            });
            run(&program, &model.0, &microlp::Error::Infeasible, (&meter, pace))
        });
        let Err(Error::Stopped(stopped)) = found else {
            panic!("{found:?}");
        };
        assert_eq!(stopped.reason, StopReason::Cancelled);
    }

    /// What is cut into slices goes on where it was.
    #[test]
    fn slices_come_to_the_same_end() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let n = 850;
        let action = |rng: &mut ChaCha8Rng| Action {
            cost: rng.random_range(0.0..1.0),
            moves: [(); 4].map(|()| (rng.random_range(0..n), 0.25)).to_vec(),
        };
        let states: Vec<Vec<Action>> = (0..n).map(|_| (0..3).map(|_| action(&mut rng)).collect()).collect();
        let process = Mdp::new(states).expect("a process");
        let program = Program::average(&process);
        let (model, frequencies, _) = primal::model(&program);
        let meter = Meter::unlimited();
        let cost = |slice: Duration, most: u64| {
            let found = run(
                &program,
                &model,
                &microlp::Error::Infeasible,
                (&meter, Pace { slice, most }),
            )?;
            let costs = process.costs.iter().zip(&frequencies);
            Ok::<f64, Error>(costs.map(|(cost, frequency)| cost * found[frequency]).sum())
        };
        let (whole, sliced) = (cost(SLICE, u64::MAX), cost(Duration::from_millis(2), u64::MAX));
        let (whole, sliced) = (whole.expect("an optimum"), sliced.expect("an optimum"));
        assert!((whole - sliced).abs() < 1e-9, "{whole} {sliced}");
        // Longer than it works without a look at the clock.
        assert_eq!(cost(SLICE, 1_000).err(), Some(Error::LinearProgram));
        let known = PolicyIteration::new().average(&process).expect("one gain");
        assert!((sliced - known.gain()).abs() < 1e-9);
    }

    /// Probabilities were divided by their sum, and not so where policies are evaluated.
    #[test]
    fn what_rows_miss_one_by_is_staying() {
        let action = |moves| vec![Action { cost: 0.0, moves }];
        let chance = 1.0 - 9e-10;
        let mdp = Mdp::new([action(vec![(1, chance)]), action(vec![(0, 0.25), (1, 0.75)])]).expect("a process");
        assert_eq!(column(&mdp, 0, 0, 1.0), [(1, -chance), (0, chance)]);
        assert_eq!(column(&mdp, 1, 1, 0.5), [(0, -0.125), (1, 0.625)]);
    }
}
