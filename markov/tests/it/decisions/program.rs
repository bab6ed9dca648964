//! Linear programs beside policy iteration, and limits on policies with known answers.

use core::time::Duration;

use markov::mdp::program::{Frequencies, Program};
use markov::mdp::{Action, Mdp, PolicyIteration};
use markov::{Csr, Error, StopReason};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::brute::{self, Shape};

#[track_caller]
fn close(what: &str, found: f64, expected: f64) {
    let error = (found - expected).abs() / expected.abs().max(1.0);
    assert!(error < 1e-6, "{what}: {found}, expected {expected}, off by {error:e}");
}

/// Costs per step of a policy that was found, by state, from its chain alone.
fn gains(mdp: &Mdp, found: &Frequencies) -> Vec<f64> {
    let (chain, costs) = found.policy().expect("no limits").chain(mdp).expect("its own process");
    let from = |state: usize| {
        let mut start = vec![0.0; mdp.len()];
        start[state] = 1.0;
        let shares = chain.long_run(&start).expect("a distribution");
        shares.iter().zip(&costs).map(|(share, cost)| share * cost).sum()
    };
    (0..mdp.len()).map(from).collect()
}

/// Groups of states in which actions lead on in circles of some length; from some states other groups can be reached.
fn circles(seed: u64) -> Mdp {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (groups, length) = (rng.random_range(1..5_usize), rng.random_range(1..7_usize));
    let action = |state: usize, rng: &mut ChaCha8Rng| {
        let (group, place) = (state / length, state % length);
        let next = group * length + (place + 1) % length;
        let moves = match rng.random_range(0..4) {
            // One way only: groups of lower numbers are left for good.
            0 if group + 1 < groups => vec![
                (rng.random_range(length * (group + 1)..length * groups), 0.3),
                (next, 0.7),
            ],
            1 => vec![(group * length, 0.25), (next, 0.75)],
            _ => vec![(next, 1.0)],
        };
        let cost = rng.random_range(-1e3..1e3);
        Action { cost, moves }
    };
    let mut states = Vec::new();
    for state in 0..groups * length {
        let count = rng.random_range(1..4);
        states.push((0..count).map(|_| action(state, &mut rng)).collect());
    }
    Mdp::new(states).expect("a process")
}

#[test]
fn the_least_average_cost_is_that_of_policy_iteration() {
    let mut periodic = 0;
    for (seed, shape) in (0..150).flat_map(|seed| [(seed, Shape::Unichain), (seed, Shape::Communicating)]) {
        let process = brute::to_floats(&brute::random(seed, shape));
        let best = PolicyIteration::new().average(&process).expect("one gain");
        let program = Program::average(&process);
        let found = program.solve().expect("frequencies");
        close("frequencies", found.cost(), *best.gain());
        close("values", program.bound().expect("values").cost(), *best.gain());
        for gain in gains(&process, &found) {
            close("policy", gain, *best.gain());
        }
        let (chain, _) = process.chain(best.policy()).expect("its own process");
        periodic += usize::from(chain.periods().iter().any(|&period| period > 1));
    }
    assert!(periodic > 20, "{periodic}");
}

#[test]
fn gains_of_each_state_are_those_of_policy_iteration() {
    let (mut differing, mut transient) = (0, 0);
    let any = (0..150).map(|seed| brute::to_floats(&brute::random(seed, Shape::Any)));
    for process in any.chain((0..60).map(circles)) {
        let best = PolicyIteration::new().multichain(&process).expect("gains");
        let mean = best.gains().iter().sum::<f64>() / process.len() as f64;
        let program = Program::multichain(&process);
        let found = program.solve().expect("frequencies");
        close("frequencies", found.cost(), mean);
        let bound = program.bound().expect("values");
        close("values", bound.cost(), mean);
        for ((&expected, &value), gain) in best.gains().iter().zip(bound.values()).zip(gains(&process, &found)) {
            close("value", value, expected);
            close("policy", gain, expected);
        }
        differing += usize::from(best.gains().iter().any(|gain| (gain - best.gains()[0]).abs() > 1e-3));
        let (chain, _) = process.chain(best.policy()).expect("its own process");
        transient += usize::from((0..process.len()).any(|state| chain.classes().is_transient(state)));
    }
    assert!(differing > 20 && transient > 40, "{differing}, {transient}");
}

#[test]
fn discounted_values_are_those_of_policy_iteration() {
    let any = (0..60).map(|seed| brute::to_floats(&brute::random(seed, Shape::Any)));
    for process in any.chain((0..40).map(circles)) {
        for discount in [0.3, 0.9, 0.999] {
            let best = PolicyIteration::new().discounted(&process, &discount).expect("values");
            let scale = best
                .values()
                .iter()
                .fold(1.0_f64, |scale, value| scale.max(value.abs()));
            let program = Program::discounted(&process, discount);
            let found = program.solve().expect("frequencies");
            let mean = best.values().iter().sum::<f64>() / process.len() as f64;
            close("frequencies", found.cost() / scale, mean / scale);
            let bound = program.bound().expect("values");
            for (value, expected) in bound.values().iter().zip(best.values()) {
                close("value", value / scale, expected / scale);
            }
            let policy = found
                .policy()
                .and_then(|policy| policy.actions())
                .expect("no chance without limits");
            let of_policy = PolicyIteration::new().start(policy).discounted(&process, &discount);
            let ties = of_policy.expect("values");
            close("policy", ties.values()[0] / scale, best.values()[0] / scale);
        }
    }
}

fn to(state: usize, cost: f64) -> Action {
    Action {
        cost,
        moves: vec![(state, 1.0)],
    }
}

/// Each day one of two states may be gone to, which cost 0 and 1: the share of time in the free one is limited.
#[test]
fn a_share_of_time_is_limited() {
    let day = || vec![to(0, 0.0), to(1, 1.0)];
    let process = Mdp::new([day(), day()]).expect("a process");
    for cap in [0.0, 0.25, 0.5, 1.0, 2.0] {
        let program = Program::average(&process).at_most(cap, |_, action| if action == 0 { 1.0 } else { 0.0 });
        let found = program.solve().expect("some policy");
        close("cost", found.cost(), (1.0 - cap).max(0.0));
        close("share", found.of_state(0)[0] + found.of_state(1)[0], cap.min(1.0));
        let bound = program.bound().expect("values");
        close("bound", bound.cost(), found.cost());
        if cap < 1.0 {
            close("price", bound.prices()[0], 1.0);
        }
    }
}

/// A queue of at most two, with slow service for nothing and fast service for a price: a limit on the share of time in
/// which it is full. One state at most draws its action, as there is one limit, and no mixture of two policies is
/// better.
#[test]
fn one_limit_makes_one_state_draw() {
    let step = |waiting: usize, served: f64, cost: f64| {
        let up = if waiting < 2 { 0.4 } else { 0.0 };
        let down = if waiting > 0 { served } else { 0.0 };
        let moves = vec![
            ((waiting + 1).min(2), up),
            (waiting.saturating_sub(1), down),
            (waiting, 1.0 - up - down),
        ];
        Action { cost, moves }
    };
    let state = |waiting| vec![step(waiting, 0.2, 0.0), step(waiting, 0.5, 1.0)];
    let process = Mdp::new((0..3).map(state)).expect("a process");
    let is_full = |state: usize, _| if state == 2 { 1.0 } else { 0.0 };
    let policies: Vec<(f64, f64)> = (0..8)
        .map(|code| {
            let (chain, costs) = process.chain(&[code & 1, code >> 1 & 1, code >> 2]).expect("a policy");
            let shares = chain.stationary().expect("one class");
            (
                shares[2],
                shares.iter().zip(&costs).map(|(share, cost)| share * cost).sum(),
            )
        })
        .collect();
    for cap in [0.27, 0.3, 0.4, 0.5] {
        // The least cost is the lower hull of shares and costs of policies without chance.
        let mut expected = f64::INFINITY;
        for a in policies.iter().filter(|a| a.0 <= cap) {
            expected = expected.min(a.1);
            for b in policies.iter().filter(|b| b.0 > cap) {
                let part = (cap - a.0) / (b.0 - a.0);
                expected = expected.min(a.1 + part * (b.1 - a.1));
            }
        }
        let found = Program::average(&process)
            .at_most(cap, is_full)
            .solve()
            .expect("some policy");
        close("cost", found.cost(), expected);
        assert!(found.of_state(2).iter().sum::<f64>() <= cap + 1e-9);
        let policy = found.policy().expect("one class");
        let drawing = (0..3).filter(|&state| policy.chances(state).iter().all(|&chance| chance > 0.0));
        assert!(drawing.count() <= 1);
    }
    let at_least = Program::average(&process)
        .at_least(0.5, is_full)
        .solve()
        .expect("some policy");
    assert!(at_least.of_state(2).iter().sum::<f64>() >= 0.5 - 1e-9);
}

/// To stay where it costs nothing, or to leave for good: half of all time in each is not what any stationary policy
/// has.
#[test]
fn what_no_stationary_policy_has_is_not_given_one() {
    let process = Mdp::new([vec![to(0, 0.0), to(1, 0.0)], vec![to(1, 1.0)]]).expect("a process");
    let half = Program::multichain(&process)
        .start(vec![1.0, 0.0])
        .at_most(0.5, |state, _| if state == 0 { 1.0 } else { 0.0 });
    let found = half.solve().expect("frequencies");
    close("cost", found.cost(), 0.5);
    assert_eq!(found.policy(), None);
    close("bound", half.bound().expect("values").cost(), 0.5);
    // With discounting there is one: the time until it leaves is geometric.
    let discount = 0.9;
    let limited = Program::discounted(&process, discount)
        .start(vec![1.0, 0.0])
        .at_most(5.0, |state, _| if state == 0 { 1.0 } else { 0.0 });
    let found = limited.solve().expect("frequencies");
    let leaves = found.policy().expect("discounted").chances(0)[1];
    // Visits of the first state: 1 / (1 - 0.9 (1 - p)) = 5.
    close("chance", leaves, 1.0 - 0.8 / 0.9);
    close("cost", found.cost(), 5.0);
}

#[test]
fn what_cannot_be_is_an_error() {
    let process = Mdp::new([vec![to(1, 1.0)], vec![to(0, 2.0)]]).expect("a process");
    let share = |state: usize, _: usize| if state == 0 { 1.0 } else { 0.0 };
    for program in [
        Program::average(&process),
        Program::multichain(&process),
        Program::discounted(&process, 0.9),
    ] {
        let strict = program.clone().at_most(0.25, share);
        assert_eq!(strict.solve().err(), Some(Error::Infeasible));
        assert_eq!(strict.bound().err(), Some(Error::Infeasible));
        let nan = program.clone().at_most(f64::NAN, share);
        assert!(matches!(nan.solve(), Err(Error::Parameter { name: "limit", .. })));
        let weight = |state, _| if state == 1 { f64::NEG_INFINITY } else { 0.0 };
        for wrong in [
            program.clone().at_most(1.0, share).at_most(1.0, weight),
            program.clone().at_most(1.0, share).at_least(1.0, weight),
        ] {
            assert_eq!(
                wrong.bound().expect_err("a weight").to_string(),
                "action 0 of state 1: its weight in limit 1 is -inf, and must be a finite number"
            );
        }
        let endless = program.clone().at_least(f64::NEG_INFINITY, share).solve();
        assert_eq!(
            endless.expect_err("a limit").to_string(),
            "limit is -inf, and must be finite"
        );
        let short = program.clone().start(vec![1.0]);
        assert!(matches!(short.solve(), Err(Error::LengthMismatch { .. })));
        let half = program.start(vec![0.5, 0.0]);
        assert!(matches!(half.solve(), Err(Error::NotADistribution { .. })));
    }
    let all = Program::discounted(&process, 1.0);
    assert!(matches!(all.solve(), Err(Error::Parameter { name: "discount", .. })));
    let hasty = Program::average(&process).time_limit(Duration::ZERO);
    for stopped in [hasty.solve().err(), hasty.bound().err()] {
        let is_late =
            |error: &Error| matches!(error, Error::Stopped(stopped) if stopped.reason == StopReason::TimeLimit);
        assert!(stopped.as_ref().is_some_and(is_late), "{stopped:?}");
    }
    // Two traps that cannot be left: one gain is not the answer, and no policy has it from everywhere.
    let traps = Mdp::new([vec![to(0, 1.0)], vec![to(1, 2.0)]]).expect("a process");
    let found = Program::average(&traps).solve().expect("frequencies");
    close("the cheaper one", found.cost(), 1.0);
    assert_eq!(found.policy(), None);
}

/// A policy with other numbers of states or actions is refused.
#[test]
fn a_policy_belongs_to_its_process() {
    let process = Mdp::new([vec![to(0, 1.0), to(0, 2.0)]]).expect("a process");
    let found = Program::average(&process).solve().expect("frequencies");
    let policy = found.policy().expect("one class");
    assert_eq!((policy.len(), policy.chances(0)), (1, &[1.0, 0.0][..]));
    let other = Mdp::new([vec![to(0, 1.0)]]).expect("a process");
    assert!(matches!(policy.chain(&other), Err(Error::LengthMismatch { .. })));
    let more = Mdp::new([vec![to(0, 1.0)], vec![to(0, 1.0)]]).expect("a process");
    assert!(matches!(policy.chain(&more), Err(Error::LengthMismatch { .. })));
}

/// Costs and weights of any size, and as many states as take a simplex method a while.
#[test]
fn a_larger_process_of_other_units() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let n = 60;
    let rows: Vec<_> = (0..3 * n)
        .map(|_| [(); 4].map(|()| (rng.random_range(0..n), 0.25)))
        .collect();
    let costs: Vec<f64> = (0..3 * n).map(|_| rng.random_range(0.0..1e12)).collect();
    let starts = (0..=n).map(|state| 3 * state).collect();
    let process = Mdp::from_parts(starts, Csr::from_rows(n, rows), costs).expect("a process");
    let best = PolicyIteration::new().average(&process).expect("one gain");
    let program = Program::average(&process);
    close(
        "frequencies",
        program.solve().expect("frequencies").cost() / best.gain(),
        1.0,
    );
    close("values", program.bound().expect("values").cost() / best.gain(), 1.0);
    // The limit is in units of its own, and binds.
    let weight = |state: usize, action: usize| if action == 0 { 1e-6 * (1 + state) as f64 } else { 0.0 };
    let free: f64 = {
        let found = program.solve().expect("frequencies");
        (0..n).map(|state| found.of_state(state)[0] * weight(state, 0)).sum()
    };
    let limited = program.at_most(free / 2.0, weight);
    let (found, bound) = (limited.solve().expect("frequencies"), limited.bound().expect("values"));
    let used: f64 = (0..n).map(|state| found.of_state(state)[0] * weight(state, 0)).sum();
    close("limit", used / free, 0.5);
    close("both programs", found.cost() / bound.cost(), 1.0);
    assert!(found.cost() > best.gain() * (1.0 + 1e-6) && bound.prices()[0] > 0.0);
}

/// Durations that no clock can add are no limit; they were a panic.
#[test]
fn all_the_time_there_is() {
    let process = Mdp::new([vec![to(1, 1.0)], vec![to(0, 2.0)]]).expect("a process");
    for limit in [
        Duration::MAX,
        Duration::from_secs(u64::MAX / 2),
        Duration::from_secs(1 << 60),
    ] {
        let program = Program::average(&process).time_limit(limit);
        close("frequencies", program.solve().expect("frequencies").cost(), 1.5);
        close("values", program.bound().expect("values").cost(), 1.5);
    }
}

/// The simplex method overlooks what is small beside one: twice the share that was allowed was within the limit.
#[test]
fn limits_below_what_the_simplex_method_sees_are_looked_at() {
    let process = |rare: f64| {
        let often = Action {
            cost: 1.0,
            moves: vec![(0, 1.0 - rare), (1, rare)],
        };
        Mdp::new([vec![often], vec![to(0, 1.0)]]).expect("a process")
    };
    let share = |state: usize, _: usize| if state == 1 { 1.0 } else { 0.0 };
    let (seen, unseen) = (process(1e-8), process(1e-10));
    let programs = [
        (1e-8, Program::average(&seen)),
        (1e-10, Program::discounted(&unseen, 0.5).start(vec![1.0, 0.0])),
    ];
    for (rare, program) in programs {
        let free = program.clone().at_most(2.0 * rare, share);
        assert!(free.solve().is_ok());
        let strict = program.at_most(0.5 * rare, share);
        let refused = strict.solve().err();
        assert!(
            matches!(refused, Some(Error::LinearProgram | Error::Infeasible)),
            "{refused:?}"
        );
    }
    // Frequencies that were all zero, at no cost, were an answer.
    match Program::multichain(&seen).solve() {
        Ok(found) => close("cost", found.cost(), 1.0),
        Err(refused) => assert_eq!(refused, Error::LinearProgram),
    }
}

/// One way out of a costly state, however unlikely, decides the long run: what the simplex method cannot see is refused
/// and not answered wrong. At a discount it hardly counts.
#[test]
fn chances_that_are_not_seen_are_refused() {
    for (chance, is_seen) in [(1e-6, true), (1e-10, false), (1e-12, false)] {
        let escape = Action {
            cost: 1.0,
            moves: vec![(1, chance), (0, 1.0 - chance)],
        };
        let stay = |cost, state| Action {
            cost,
            moves: vec![(state, 1.0)],
        };
        let mdp = Mdp::new([vec![escape, stay(2.0, 0)], vec![stay(0.0, 1)]]).expect("a process");
        let program = Program::multichain(&mdp).start(vec![1.0, 0.0]);
        let expected = format!(
            "action 0 of state 0: its probability of leading to state 1 is {chance:e}, and must be 0 or at least 1e-8 in a \
             linear program of the long run, whose simplex method does not see less"
        );
        let is_refused = |error: Option<Error>| error.is_some_and(|error| error.to_string() == expected);
        if is_seen {
            let best = program.solve().expect("an optimum");
            assert!(best.cost().abs() < 1e-6, "{}", best.cost());
        } else {
            assert!(is_refused(program.solve().err()) && is_refused(program.bound().err()));
            assert!(is_refused(Program::average(&mdp).solve().err()));
        }
        let discounted = Program::discounted(&mdp, 0.9).start(vec![1.0, 0.0]);
        let cost = discounted.solve().expect("an optimum").cost();
        assert!((cost - 10.0).abs() < 1e-3, "{cost}");
    }
}

/// The sum of a limit was infinite, and so was what roundings were allowed.
#[test]
fn limits_whose_sums_are_beyond_all_floats_are_broken() {
    let process = Mdp::new([vec![to(1, 1.0)], vec![to(0, 2.0)]]).expect("a process");
    let free = Program::discounted(&process, 0.99);
    let found = free.solve().expect("frequencies");
    // A hundred times in all.
    for (weight, limit, holds) in [
        (1e307, 1e307, false),
        (1e307, 1.7e308, false),
        (1e306, 1.01e308, true),
        (1e306, 0.99e308, false),
        (1e-322, 0.9e-320, false),
        (1e-322, 1.1e-320, true),
    ] {
        let limited = free.clone().at_most(limit, |_, _| weight);
        assert_eq!(found.verify(&limited).is_ok(), holds, "{weight:e} {limit:e}");
    }
}

/// What costs add up to was infinite, and no error.
#[test]
fn costs_of_all_sizes_are_those_of_frequencies() {
    let process =
        |unit: f64| Mdp::new([vec![to(1, unit), to(0, 3.0 * unit)], vec![to(0, 2.0 * unit)]]).expect("a process");
    for power in [-1070, -1000, 0, 1000] {
        let unit = 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2);
        let mdp = process(unit);
        for (program, expected) in [
            (Program::average(&mdp), 1.5),
            (Program::discounted(&mdp, 0.5).start(vec![1.0, 0.0]), 8.0 / 3.0),
        ] {
            let found = program.solve().expect("frequencies");
            let off = (found.cost() / unit - expected).abs();
            // Of the least floats there are few.
            let close = if power < -1060 { 0.5 } else { 1e-6 };
            assert!(off <= close, "{power}: {off}");
            found
                .verify(&program)
                .unwrap_or_else(|error| panic!("{power}: {error}"));
            let bound = program.bound().expect("a bound").cost();
            assert!((bound / unit - expected).abs() <= close, "{power}: {bound:e}");
        }
    }
    let beyond = process(1e307);
    let program = Program::discounted(&beyond, 0.99);
    let refused = [program.solve().err(), program.bound().err()];
    for error in refused {
        assert!(matches!(error, Some(Error::NotANumber { .. })), "{error:?}");
    }
}
