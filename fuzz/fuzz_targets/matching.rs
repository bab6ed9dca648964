//! A small graph under every objective, in every type of number, by every engine: verified, and as good as exhaustive
//! search finds.
#![no_main]

use std::mem::{Discriminant, discriminant};

use fuzz::{Draw, number};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use matching_core::cost::DenseMatrix;
use matching_core::{
    Blossom, Budget, EdgeList, Engine, Error, Instance, Objective, Precision, Solution, Workspace, oracle, verify,
};

/// Most vertices: exhaustive search takes microseconds for so many.
const MOST: usize = 9;

fn objective<V: Draw>(data: &mut Unstructured<'_>, len: usize) -> Result<Objective<V>> {
    let kind = data.int_in_range(0..=5)?;
    let mut numbers = || (0..len).map(|_| number(data)).collect::<Result<Vec<V>>>();
    Ok(match kind {
        0 => Objective::MinPerfect,
        1 => Objective::MaxPerfect,
        2 => Objective::MaxWeight,
        3 => Objective::MaxCardinality,
        4 => Objective::MinOptOut(numbers()?),
        _ => Objective::MinBye(numbers()?),
    })
}

fn check<V: Draw>(data: &mut Unstructured<'_>) -> Result<()> {
    let len = data.int_in_range(0..=MOST)?;
    let density: u8 = data.arbitrary()?;
    let mut edges = Vec::new();
    for v in 0..len {
        for u in 0..v {
            if data.arbitrary::<u8>()? <= density {
                edges.push((u, v, number::<V>(data)?));
            }
        }
    }
    let objective = objective::<V>(data, len)?;
    let (i, j) = (data.arbitrary::<usize>()?, data.arbitrary::<usize>()?);
    let work = data.arbitrary::<u8>()?;
    let mut entries = vec![None; len * len];
    for &(u, v, weight) in &edges {
        (entries[u * len + v], entries[v * len + u]) = (Some(weight), Some(weight));
    }
    let matrix = DenseMatrix::from_options(len, len, &entries).expect("a square");
    let Ok(list) = EdgeList::new(len, edges) else {
        // What is no number is refused, here as well as there.
        assert!(Blossom::new().objective(objective).solve(&matrix).is_err());
        return Ok(());
    };
    let best = oracle::solve(&list, &objective);
    let solver = Blossom::new().objective(objective.clone()).threads(1);
    let mut workspace = Workspace::new();
    let mut ends = Vec::new();
    for engine in [Engine::Auto, Engine::Sparse, Engine::Dense] {
        let solver = solver.clone().engine(engine);
        ends.push(judged(&list, &objective, solver.solve(&list), &best));
        ends.push(judged(&matrix, &objective, solver.solve(&matrix), &best));
        ends.push(judged(
            &list,
            &objective,
            solver.solve_list_with(&list, &mut workspace).cloned(),
            &best,
        ));
        ends.push(judged(
            &matrix,
            &objective,
            solver.solve_with(&matrix, &mut workspace).cloned(),
            &best,
        ));
    }
    // Where there is nothing to find, some engines see that before they look at numbers, which others refuse.
    if ends.contains(&End::Nothing) {
        ends.retain(|end| !matches!(end, End::Refused(_)));
    }
    assert!(
        ends.windows(2).all(|two| two[0] == two[1]),
        "{ends:?} of {list:?}, {objective:?}"
    );
    let stopped = solver.clone().budget(Budget::new().work(work.into()));
    let rounded = solver.clone().precision(Precision::Quantised);
    for solver in [stopped, rounded] {
        if let Ok(solution) = solver.solve(&matrix) {
            verified(&matrix, &solution);
        }
        if let Ok(answer) = solver.solve_bottleneck(&matrix) {
            answer
                .verify(&matrix)
                .unwrap_or_else(|error| panic!("{error}: {answer:?}"));
        }
    }
    check_worst(&list, &list, &solver, &objective);
    check_worst(&matrix, &list, &solver, &objective);
    if let (Ok(solution), true) = (solver.solve(&list), len > 1) {
        let (i, j) = (i % len, (i % len + 1 + j % (len - 1)) % len);
        if let Ok(why) = solver.explain(&list, &solution, i, j) {
            why.verify(&list, &solution)
                .unwrap_or_else(|error| panic!("{error}: {list:?}, {objective:?}, ({i}, {j})"));
        }
    }
    Ok(())
}

/// The worst pair first: within it exhaustive search finds such a total, and without it nothing.
#[track_caller]
fn check_worst<V: Draw, I: Instance<Value = V>>(
    instance: &I,
    list: &EdgeList<V>,
    solver: &Blossom<V>,
    objective: &Objective<V>,
) {
    let answer = match solver.solve_bottleneck(instance) {
        Ok(answer) => answer,
        Err(Error::NoPerfectMatching(_)) => return assert!(is_hopeless(list, objective)),
        // Whoever refuses the numbers refuses them for any pairing.
        Err(error) => {
            let is_asked = error != Error::ObjectiveWithBottleneck;
            return assert!(!is_asked || solver.solve(instance).is_err(), "{error}");
        }
    };
    answer
        .verify(instance)
        .unwrap_or_else(|error| panic!("{error}: {answer:?}"));
    assert!(answer.is_optimal());
    let Some(worst) = answer.worst() else {
        return assert!(list.len() < 2);
    };
    let is_maximum = *objective == Objective::MaxPerfect;
    let left = |keeps: &dyn Fn(V) -> bool| {
        let edges = list.iter().filter(|&(_, _, weight)| keeps(weight));
        oracle::solve(&EdgeList::new(list.len(), edges).expect("some of the edges"), objective)
    };
    let better = left(&|weight| if is_maximum { weight > worst } else { weight < worst });
    assert!(!matches!(better, Ok(Some(_))), "{better:?}: {answer:?}");
    let within = left(&|weight| if is_maximum { weight >= worst } else { weight <= worst });
    if let (Ok(best), true) = (within, V::IS_EXACT) {
        let best = best.expect("the answer is one");
        assert_eq!(best.cost, answer.solution().cost(), "{answer:?}");
    }
}

/// Whether there is no such pairing, whatever it costs: numbers that the oracle refuses do not matter.
fn is_hopeless<V: Draw>(list: &EdgeList<V>, objective: &Objective<V>) -> bool {
    let edges = list.iter().map(|(u, v, _)| (u, v, 0_i32));
    let edges = EdgeList::new(list.len(), edges).expect("the same edges");
    let objective = match objective {
        Objective::MinBye(_) => Objective::MinBye(vec![0; list.len()]),
        _ => Objective::MinPerfect,
    };
    matches!(oracle::solve(&edges, &objective), Ok(None))
}

#[track_caller]
fn verified<V: Draw, I: Instance<Value = V>>(instance: &I, solution: &Solution<V>) {
    solution
        .verify(instance)
        .unwrap_or_else(|error| panic!("{error}: {solution:?}"));
}

/// How a solve ended, the same for all engines.
#[derive(Debug, PartialEq)]
enum End {
    Cost(String),
    Nothing,
    Refused(Discriminant<Error>),
}

/// How a solve ended, which must be as the oracle says.
#[track_caller]
fn judged<V: Draw, I: Instance<Value = V>>(
    instance: &I,
    objective: &Objective<V>,
    found: std::result::Result<Solution<V>, Error>,
    best: &std::result::Result<Option<oracle::Optimum<V>>, Error>,
) -> End {
    match found {
        Ok(solution) => {
            verified(instance, &solution);
            assert!(solution.is_optimal());
            match best {
                Ok(Some(best)) if V::IS_EXACT => assert_eq!(solution.cost(), best.cost, "{solution:?}"),
                Ok(Some(best)) => assert!(is_near(&solution, best), "{best:?}: {solution:?}"),
                Ok(None) => panic!("exhaustive search finds nothing: {solution:?}"),
                Err(error) => assert!(
                    matches!(error, Error::Overflow { .. } | Error::TotalOutOfRange),
                    "{error}"
                ),
            }
            End::Cost(solution.cost().to_string())
        }
        Err(Error::NoPerfectMatching(witness)) => {
            let checked = verify::infeasibility(instance, objective, &witness);
            checked.unwrap_or_else(|error| panic!("{error}: {witness:?}"));
            assert!(matches!(best, Ok(None) | Err(_)), "{best:?}");
            End::Nothing
        }
        Err(error) => {
            let is_wide = matches!(
                error,
                Error::Overflow { .. } | Error::PrecisionRequired { .. } | Error::TotalOutOfRange
            );
            assert!(!is_wide || size_of::<V>() == 16 || !V::IS_EXACT, "{error}");
            assert!(is_wide || best.is_err(), "{error}, and {best:?}");
            End::Refused(discriminant(&error))
        }
    }
}

/// Whether two sums of floats are the same, but for rounding, which is as great as the terms are.
fn is_near<V: Draw>(solution: &Solution<V>, best: &oracle::Optimum<V>) -> bool {
    let float = |text: String| text.parse::<f64>().unwrap_or(f64::NAN);
    let terms: f64 = solution
        .pairs()
        .map(|(_, _, weight)| float(weight.to_string()).abs())
        .sum();
    let (found, wanted) = (float(solution.cost().to_string()), float(best.cost.to_string()));
    let scale = 1.0 + terms + found.abs() + wanted.abs();
    !scale.is_finite() || (found - wanted).abs() <= 1e-6 * scale
}

fuzz_target!(|bytes: &[u8]| {
    let mut data = Unstructured::new(bytes);
    // Too few bytes end it early.
    let _ = match data.int_in_range(0..=4) {
        Ok(0) => check::<i32>(&mut data),
        Ok(1) => check::<i64>(&mut data),
        Ok(2) => check::<i128>(&mut data),
        Ok(3) => check::<f32>(&mut data),
        _ => check::<f64>(&mut data),
    };
});
