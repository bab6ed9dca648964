//! Answers that are written and read again: they are the same, they are verified, and what was changed in between is
//! refused or says nothing that is not true.

use core::fmt::Debug;

use matching_core::cost::{self, CondensedMatrix};
use matching_core::{CancelToken, GroupCost};
use matching_lp::{
    Column, Conflict, Error, Groups, Halves, Levels, Problem, SetPartitioning, Solution, Solver, Split, Status,
    StopReason,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[track_caller]
fn again<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    let read = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(value, &read, "{text}");
    read
}

fn costs(n: usize, seed: u64) -> CondensedMatrix<i64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let costs = (0..n * (n - 1) / 2).map(|_| rng.random_range(-100..1000)).collect();
    CondensedMatrix::new(n, costs).unwrap()
}

/// Costs of so many players, in threes, whose proof has cases and cuts.
fn hard(n: usize) -> CondensedMatrix<i64> {
    let is_hard = |costs: &CondensedMatrix<i64>| {
        let problem = Problem::new(costs, Groups::of_size(n, 3).unwrap()).unwrap();
        let solution = Solver::new().solve(&problem).unwrap();
        let text = serde_json::to_value(&solution).unwrap();
        let has_cuts = text["certificate"]["cuts"]
            .as_array()
            .is_some_and(|cuts| !cuts.is_empty());
        has_cuts && solution.certificate().splits() > 0
    };
    let costs = (0..100).map(|seed| costs(n, seed)).find(is_hard);
    costs.expect("cases and cuts for one of a hundred seeds")
}

#[test]
fn answers_come_back_and_are_verified() {
    let costs = hard(24);
    let plain = |size| Problem::new(&costs, Groups::of_size(24, size).unwrap()).unwrap();
    let ratings: Vec<i64> = (0..24).map(|player| player * player % 37).collect();
    let halves = Halves::new(&ratings).unwrap();
    let healers = [0, 3, 5, 8, 11, 12, 15, 17, 20, 22];
    let bench = Groups::of_size(22, 4).unwrap_or_else(|_| Groups::of_size(20, 4).unwrap());
    for (name, problem) in [
        ("threes", plain(3)),
        ("pairs", plain(2)),
        (
            "wishes",
            plain(4).party(&[1, 7]).unwrap().apart(2, 3).unwrap().pin(9, 2).unwrap(),
        ),
        ("roles", plain(4).role("healer", 1.., &healers).unwrap()),
        ("halves", plain(4).group_cost(&halves).unwrap()),
        ("a bench", Problem::new(&costs, bench.with_bench(4)).unwrap()),
    ] {
        for work in [0, 100_000, u64::MAX] {
            let solution = Solver::new().work(work).solve(&problem).unwrap();
            let read = again(&solution);
            assert_eq!(read.verify(&problem), Ok(()), "{name}, {work}");
            assert_eq!(read.is_optimal(), solution.is_optimal());
            assert!(work < u64::MAX || read.is_optimal(), "{name}");
        }
    }
    let pools = Solver::new().pool(8).work(1 << 24).solve(&plain(3)).unwrap();
    assert_eq!(again(&pools).verify(&plain(3)), Ok(()));
}

/// Costs of groups that say nothing of how little they can be.
struct Secret;

impl GroupCost for Secret {
    type Value = f64;

    fn len(&self) -> usize {
        9
    }

    fn group(&self, members: &[usize]) -> f64 {
        members.iter().map(|&player| player as f64).product::<f64>().sqrt()
    }
}

#[test]
fn floats_come_back_to_the_last_digit() {
    let far = cost::from_symmetric_fn(12, |i, j| ((i * 7 + j * 11) as f64).sqrt() / 3.0);
    let problem = Problem::new(&far, Groups::of_size(12, 3).unwrap()).unwrap();
    let solution = Solver::new().solve(&problem).unwrap();
    assert_eq!(solution.status(), Status::Feasible(StopReason::Rounding));
    assert_eq!(again(&solution).verify(&problem), Ok(()));

    // A bound of minus infinity is no number of JSON.
    let token = CancelToken::new();
    token.cancel();
    let problem = Problem::by_group(&Secret, Groups::of_size(9, 3).unwrap()).unwrap();
    let solution = Solver::new().cancel(token).solve(&problem).unwrap();
    assert_eq!(solution.bound(), f64::NEG_INFINITY);
    let read = again(&solution);
    assert_eq!(read.verify(&problem), Ok(()));
    let text = serde_json::to_value(&solution).unwrap();
    assert_eq!(text["bound"], Value::Null);

    let refused = |change: &dyn Fn(&mut Value)| {
        let mut changed = text.clone();
        change(&mut changed);
        let error = serde_json::from_value::<Solution<f64>>(changed).expect_err("broken");
        error.to_string()
    };
    assert!(refused(&|text| text["cost"] = Value::Null).contains("f64"));
    assert!(refused(&|text| drop(text.as_object_mut().unwrap().remove("bound"))).contains("missing field `bound`"));
}

#[test]
fn what_contradicts_itself_is_not_read() {
    let costs = hard(24);
    let problem = Problem::new(&costs, Groups::of_size(24, 3).unwrap()).unwrap();
    let solution = serde_json::to_value(Solver::new().solve(&problem).unwrap()).unwrap();
    let pairs = Problem::new(&costs, Groups::of_size(24, 2).unwrap()).unwrap();
    let pairs = serde_json::to_value(Solver::new().solve(&pairs).unwrap()).unwrap();
    let refused = |change: &dyn Fn(&mut Value), why: &str| {
        let mut changed = solution.clone();
        change(&mut changed);
        let error = serde_json::from_value::<Solution<i64>>(changed).expect_err(why);
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(
        &|text| text["status"] = json!({"Unknown": "WorkLimit"}),
        "status Unknown must have no groups",
    );
    let steps = |text: &Value| text["certificate"]["steps"].as_array().unwrap().len();
    let with_cuts = (0..steps(&solution)).find(|&step| {
        let cuts = solution["certificate"]["steps"][step]["Tighten"]["cuts"].as_array();
        cuts.is_some_and(|cuts| !cuts.is_empty())
    });
    let step = with_cuts.expect("a step with cuts");
    refused(
        &|text| text["certificate"]["steps"][step]["Tighten"]["cuts"][0][0] = json!(1000),
        &format!("step {step} of the certificate names cut 1000"),
    );
    refused(
        &|text| text["certificate"]["pairing"] = pairs["certificate"]["pairing"].clone(),
        "not both",
    );
    refused(
        &|text| text["certificate"]["steps"][0] = json!({"Waits": 65536}),
        "65536",
    );
    // An unknown answer without groups can be read, and is then asked what it proves.
    let mut unknown = solution.clone();
    unknown["status"] = json!({"Unknown": "WorkLimit"});
    (unknown["groups"], unknown["cost"]) = (json!([]), json!(0));
    let unknown: Solution<i64> = serde_json::from_value(unknown).unwrap();
    assert!(unknown.verify(&problem).is_err());
}

/// Places in a text, all or about so many of them.
fn places(text: &Value, most: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), text)];
    while let Some((place, value)) = open.pop() {
        match value {
            Value::Array(items) => {
                open.extend(
                    (0..)
                        .zip(items)
                        .map(|(at, item): (usize, _)| (format!("{place}/{at}"), item)),
                );
            }
            Value::Object(fields) => open.extend(fields.iter().map(|(name, item)| (format!("{place}/{name}"), item))),
            _ => {}
        }
        found.push(place);
    }
    let step = found.len().div_ceil(most).max(1);
    found.into_iter().step_by(step).collect()
}

/// What may stand in a place instead.
fn instead(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => {
            let number = number.as_i64().unwrap_or(0);
            let near = [
                number.saturating_add(1),
                number.saturating_sub(1),
                number.saturating_neg(),
                number ^ 1 << 20,
            ];
            let far = [0, 1, 65_535, i64::from(u32::MAX), i64::MAX, i64::MIN];
            near.into_iter().chain(far).map(|number| json!(number)).collect()
        }
        Value::Array(items) => {
            let shorter = &items[..items.len().saturating_sub(1)];
            let longer: Vec<&Value> = items.iter().chain(items.last()).collect();
            let turned: Vec<&Value> = items.iter().rev().collect();
            vec![json!([]), json!(shorter), json!(longer), json!(turned)]
        }
        Value::String(_) => ["List", "End", "Optimal", "TimeLimit"].map(|name| json!(name)).to_vec(),
        _ => vec![Value::Null, json!({"Feasible": "TimeLimit"}), json!({"Split": [0, 1]})],
    }
}

/// Each change is refused when it is read, or when it is verified, or what is left says nothing that is not true.
struct Changes {
    unreadable: usize,
    refused: usize,
    true_ones: usize,
}

impl Changes {
    fn of<T: DeserializeOwned>(text: &Value, most: usize, judge: &dyn Fn(&T) -> Option<()>) -> Self {
        let mut changes = Self {
            unreadable: 0,
            refused: 0,
            true_ones: 0,
        };
        for place in places(text, most) {
            let value = text.pointer(&place).unwrap();
            for other in instead(value).into_iter().filter(|other| other != value) {
                let mut changed = text.clone();
                *changed.pointer_mut(&place).unwrap() = other;
                match serde_json::from_value::<T>(changed).map(|read| judge(&read)) {
                    Err(_) => changes.unreadable += 1,
                    Ok(None) => changes.refused += 1,
                    Ok(Some(())) => changes.true_ones += 1,
                }
            }
        }
        changes
    }
}

fn total(costs: &CondensedMatrix<i64>, groups: &[Vec<usize>]) -> i128 {
    use matching_core::Cost;
    let pairs = groups.iter().flat_map(|members| {
        let of = move |at: usize| members[at + 1..].iter().map(move |&j| (members[at], j));
        (0..members.len()).flat_map(of)
    });
    pairs.map(|(i, j)| i128::from(costs.pair(i, j))).sum()
}

#[test]
fn changed_texts_never_panic_and_prove_nothing_false() {
    for (n, size, most) in [(24, 3, 600), (12, 3, 300), (12, 2, 300)] {
        let costs = if n == 24 { hard(n) } else { costs(n, 3) };
        let problem = Problem::new(&costs, Groups::of_size(n, size).unwrap()).unwrap();
        let solution = Solver::new().solve(&problem).unwrap();
        assert!(solution.is_optimal());
        let best = solution.cost();
        let judge = |read: &Solution<i64>| {
            read.verify(&problem).ok()?;
            assert!(read.bound() <= best, "{read:?}");
            if !matches!(read.status(), Status::Unknown(_)) {
                assert!(
                    read.cost() >= best && read.cost() == total(&costs, read.groups()),
                    "{read:?}"
                );
            }
            assert!(
                !read.is_optimal() || (read.cost(), read.bound()) == (best, best),
                "{read:?}"
            );
            Some(())
        };
        let text = serde_json::to_value(&solution).unwrap();
        let changes = Changes::of(&text, most, &judge);
        // The order of members, work and time: some changes are true.
        assert!(changes.unreadable > 50 && changes.refused > 100 && changes.true_ones > 10);
    }
}

#[test]
fn a_changed_dual_is_refused() {
    let one_step = |seed: &u64| {
        let costs = costs(12, *seed);
        let problem = Problem::new(&costs, Groups::of_size(12, 3).unwrap()).unwrap();
        Solver::new().solve(&problem).unwrap().certificate().len() == 1
    };
    let seed = (0..100).find(one_step).expect("duals that prove it alone");
    let costs = costs(12, seed);
    for size in [2, 3] {
        let problem = Problem::new(&costs, Groups::of_size(12, size).unwrap()).unwrap();
        let solution = Solver::new().solve(&problem).unwrap();
        assert_eq!(solution.certificate().len(), 1);
        let text = serde_json::to_value(&solution).unwrap();
        let duals = match size {
            2 => "/certificate/pairing/vertex_duals",
            _ => "/certificate/steps/0/Tighten/rows",
        };
        for player in 0..12 {
            // More than any team costs, and less than any rounding.
            for by in [1 << 40, -(1 << 40)] {
                let mut changed = text.clone();
                let dual = changed.pointer_mut(&format!("{duals}/{player}")).unwrap();
                *dual = json!(dual.as_i64().unwrap() + by);
                let read: Solution<i64> = serde_json::from_value(changed).unwrap();
                assert!(read.verify(&problem).is_err(), "{player} by {by}");
            }
        }
        // Another grid would count the same duals as more.
        if size == 2 {
            for exponent in [-1, 1, i32::MIN, i32::MAX] {
                let mut changed = text.clone();
                changed["certificate"]["pairing"]["exponent"] = json!(exponent);
                let read: Solution<i64> = serde_json::from_value(changed).unwrap();
                assert!(read.verify(&problem).is_err(), "{exponent}");
            }
        }
    }
}

#[test]
fn levels_come_back_and_changed_ones_prove_nothing_false() {
    let groups = || Groups::of_size(12, 3).unwrap();
    let few = cost::from_symmetric_fn(12, |i, j| i64::from((i * j) % 5 == 2));
    let (first, second) = (Problem::new(&few, groups()).unwrap(), costs(12, 5));
    let second = Problem::new(&second, groups()).unwrap();
    let both = [&first, &second];
    let mut text = Value::Null;
    for problems in [&both[..1], &both] {
        let levels = Solver::new().solve_in_order(problems).unwrap();
        assert!(levels.is_optimal());
        let read = again(&levels);
        assert_eq!(read.verify(problems), Ok(()));

        let best: Vec<i128> = levels.levels().iter().map(matching_lp::Level::cost).collect();
        let judge = |read: &Levels| {
            read.verify(problems).ok()?;
            assert!(read.levels()[0].bound() <= best[0], "{read:?}");
            let costs: Vec<i128> = read.levels().iter().map(matching_lp::Level::cost).collect();
            let is_found = read.groups().len() == 4;
            assert!(if is_found { costs >= best } else { costs == [0] }, "{read:?}");
            assert!(!read.is_optimal() || (is_found && costs == best), "{read:?}");
            Some(())
        };
        text = serde_json::to_value(&levels).unwrap();
        let changes = Changes::of(&text, 400, &judge);
        assert!(changes.unreadable > 50 && changes.refused > 100 && changes.true_ones > 10);
    }
    for (name, empty) in [("levels", json!([])), ("proofs", json!([]))] {
        let mut changed = text.clone();
        changed[name] = empty;
        let error = serde_json::from_value::<Levels>(changed).expect_err("none for a level");
        assert!(error.to_string().contains("each level must have one"), "{error}");
    }
}

#[test]
fn other_results_are_plain_data() {
    let cost = costs(6, 1);
    let apart = Problem::new(&cost, Groups::of_size(6, 2).unwrap()).unwrap();
    let apart = (1..6).fold(apart, |problem, other| problem.apart(0, other).unwrap());
    let Err(Error::Infeasible(conflict)) = Solver::new().solve(&apart) else {
        panic!("nobody plays with 0");
    };
    assert!(matches!(again(&conflict), Conflict::Players { .. }));
    let tanks = Problem::new(&cost, Groups::of_size(6, 3).unwrap()).unwrap();
    let tanks = tanks.role("tank", 1..=1, &[4]).unwrap();
    let conflict = tanks.conflict_at_sight().unwrap().expect("one tank for two teams");
    assert!(matches!(again(&conflict), Conflict::RolesShort { .. }));

    let ratings = [3_i64, 1, 4, 1];
    let split = Halves::new(&ratings).unwrap().split(&[0, 1, 2, 3]).unwrap();
    assert_eq!(again::<Split<i64>>(&split).difference(), 1);

    let program = Problem::new(&cost, Groups::of_size(6, 3).unwrap()).unwrap();
    let program = SetPartitioning::new(&program, 100).unwrap();
    let text = serde_json::to_value(&program).unwrap();
    assert_eq!(text["columns"].as_array().unwrap().len(), 20);
    let column: Column<i128> = serde_json::from_value(text["columns"][7].clone()).unwrap();
    assert_eq!(column, program.columns()[7]);
}
