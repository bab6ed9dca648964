//! What is written by `serde` and read again.

use matching_core::cost::{CondensedMatrix, DenseMatrix};
use matching_core::{
    Blossom, Bottleneck, Certificate, CostValue, EdgeList, Engine, Error, Objective, Solution, SolvedBy,
};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// What comes back of a value that is written as JSON.
fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    let text = serde_json::to_string(value).expect("it can be written");
    serde_json::from_str(&text).expect("it can be read")
}

#[test]
fn costs_come_back_as_they_were() {
    let mut dense = DenseMatrix::square(3, vec![0.0, 0.1, 7.0, 0.1, 0.0, -2.5, 7.0, -2.5, 0.0]).unwrap();
    assert_eq!(again(&dense), dense);
    dense.forbid_pair(0, 2);
    assert_eq!(again(&dense), dense);
    let mut condensed = CondensedMatrix::new(3, vec![0.1, 7.0, -2.5]).unwrap();
    assert_eq!(again(&condensed), condensed);
    condensed.forbid_pair(1, 2);
    assert_eq!(again(&condensed), condensed);
    let edges = EdgeList::new(4, [(0, 1, i64::MAX), (3, 2, i64::MIN)]).unwrap();
    assert_eq!(again(&edges), edges);
    let certificate: Certificate = Blossom::new().solve(&edges).unwrap().certificate().clone();
    assert_eq!(again(&certificate), certificate);
}

/// JSON has no NaN: it writes `null`, as for a forbidden pair.
#[test]
fn what_is_no_number_does_not_become_forbidden() {
    for value in [f64::NAN, f64::INFINITY] {
        let dense = DenseMatrix::square(2, vec![0.0, value, value, 0.0]).unwrap();
        let error = serde_json::to_string(&dense).unwrap_err().to_string();
        assert!(error.contains("entry (0, 1) is not a number"), "{error}");
        let condensed = CondensedMatrix::new(2, vec![value]).unwrap();
        assert!(serde_json::to_string(&condensed).is_err());
        // Nobody is paired with himself, and what is forbidden has no cost.
        let mut dense = DenseMatrix::square(2, vec![value, 1.0, 1.0, value]).unwrap();
        assert!(serde_json::to_string(&dense).is_ok());
        dense = DenseMatrix::square(2, vec![0.0, value, value, 0.0]).unwrap();
        dense.forbid_pair(0, 1);
        assert_eq!(again(&dense), dense);
    }
}

#[test]
fn what_is_no_graph_is_refused() {
    for text in [
        r#"{"len": 2, "edges": [[0, 2, 1]]}"#,
        r#"{"len": 2, "edges": [[1, 1, 1]]}"#,
        r#"{"len": 2, "edges": [[0, 1, 1], [1, 0, 2]]}"#,
    ] {
        assert!(serde_json::from_str::<EdgeList<i64>>(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<DenseMatrix<i64>>(r#"{"rows": 2, "cols": 2, "entries": [1]}"#).is_err());
    assert!(serde_json::from_str::<CondensedMatrix<i64>>(r#"{"len": 3, "entries": [1]}"#).is_err());
}

/// Who found an answer is written with it; of a witness only what it claims is.
#[test]
fn who_solved_is_written_with_the_answer() {
    let edges = EdgeList::new(2, [(0, 1, 5_i64)]).unwrap();
    for (engine, solved_by) in [
        (Engine::Auto, SolvedBy::Cardinality),
        (Engine::Sparse, SolvedBy::Sparse),
    ] {
        let solution = Blossom::new().engine(engine).solve(&edges).unwrap();
        let text = serde_json::to_value(&solution).unwrap();
        assert_eq!(text["solved_by"], format!("{solved_by:?}"));
        assert_eq!(again(&solution.solved_by()), solved_by);
    }
    let edges = EdgeList::new(4, [(0, 1, 1_i64), (0, 2, 1), (0, 3, 1)]).unwrap();
    let Err(Error::NoPerfectMatching(witness)) = Blossom::new().solve(&edges) else {
        panic!("a star has none");
    };
    let text = serde_json::to_string(&witness).unwrap();
    assert!(!text.contains("solved_by"), "{text}");
    let read = again(&witness);
    assert_eq!((&read, read.solved_by()), (&witness, None));
}

fn objectives<V: CostValue>(prices: &[V]) -> [Objective<V>; 6] {
    [
        Objective::MinPerfect,
        Objective::MaxPerfect,
        Objective::MaxWeight,
        Objective::MaxCardinality,
        Objective::MinOptOut(prices.to_vec()),
        Objective::MinBye(prices.to_vec()),
    ]
}

/// Answers under every objective, by worst pairs as well, of one number type.
#[track_caller]
fn answers_come_back<V>(value: impl Fn(i32) -> V)
where
    V: CostValue<Total: serde::Serialize + serde::de::DeserializeOwned>
        + serde::Serialize
        + serde::de::DeserializeOwned,
{
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    for n in [0, 1, 2, 5, 8, 40] {
        let entries: Vec<V> = (0..n * (n.max(1) - 1) / 2)
            .map(|_| value(rng.random_range(-9..9)))
            .collect();
        let cost = CondensedMatrix::new(n, entries).unwrap();
        let prices: Vec<V> = (0..n).map(|_| value(rng.random_range(-9..9))).collect();
        for objective in objectives(&prices) {
            let blossom = Blossom::new().objective(objective);
            if let Ok(solution) = blossom.solve(&cost) {
                let read = again(&solution);
                assert_eq!(read, solution);
                read.verify(&cost).unwrap();
            }
            if let Ok(fairest) = blossom.solve_bottleneck(&cost) {
                let read: Bottleneck<V> = again(&fairest);
                assert_eq!(read, fairest);
                read.verify(&cost).unwrap();
            }
        }
    }
}

#[test]
fn answers_come_back_with_their_proofs() {
    answers_come_back(|value| value);
    answers_come_back(i64::from);
    answers_come_back(|value| i128::from(value) << 80);
    answers_come_back(|value| f64::from(value) / 7.0);
    answers_come_back(|value| value as f32 * 0.1);
}

/// Where the numbers of a value are.
fn numbers<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Number(_) => found.push(value),
        Value::Array(entries) => entries.iter_mut().for_each(|entry| numbers(entry, found)),
        Value::Object(fields) => fields.values_mut().for_each(|field| numbers(field, found)),
        _ => {}
    }
}

/// Whatever numbers are written in the place of others: it is refused, or the checker finds it out.
#[test]
fn forged_answers_are_found_out() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let mut ends = [0; 3];
    for _ in 0..20_000 {
        let n = rng.random_range(1..9);
        let entries = (0..n * (n - 1) / 2).map(|_| rng.random_range(-9..9_i64)).collect();
        let cost = CondensedMatrix::new(n, entries).unwrap();
        let prices: Vec<i64> = (0..n).map(|_| rng.random_range(-9..9)).collect();
        let objective = objectives(&prices).choose(&mut rng).unwrap().clone();
        let Ok(solution) = Blossom::new().objective(objective).solve(&cost) else {
            continue;
        };
        let mut forged = serde_json::to_value(&solution).unwrap();
        let mut places = Vec::new();
        numbers(&mut forged, &mut places);
        let place = rng.random_range(0..places.len());
        *places[place] = [0, 1, 2, n as i64, -1, i64::from(u32::MAX), i64::MAX]
            .choose(&mut rng)
            .copied()
            .unwrap()
            .into();
        let Ok(read) = serde_json::from_value::<Solution<i64>>(forged) else {
            ends[0] += 1;
            continue;
        };
        assert_eq!(read.len(), n);
        assert_eq!(2 * read.pairs().len() + read.unmatched().count(), n);
        if n > 1 {
            // No answer to the question, perhaps, but no panic.
            drop(Blossom::new().explain(&cost, &read, 0, 1));
        }
        drop(read.pairs_at_most(&cost));
        if read.verify(&cost).is_err() {
            ends[1] += 1;
        } else {
            // Another proof, or what is no part of the claim.
            assert_eq!((read.cost(), read.bound()), (solution.cost(), solution.bound()));
            assert!(read.pairs().eq(solution.pairs()));
            ends[2] += 1;
        }
    }
    assert!(ends.iter().all(|&end| end > 500), "{ends:?}");
}

#[test]
fn what_is_no_matching_is_refused() {
    let edges = EdgeList::new(4, [(0, 1, 5_i64), (2, 3, 5)]).unwrap();
    let text = serde_json::to_string(&Blossom::new().solve(&edges).unwrap()).unwrap();
    let pairs = r#""pairs":[{"u":0,"v":1,"weight":5},{"u":2,"v":3,"weight":5}]"#;
    for (forged, why) in [
        (
            r#""pairs":[{"u":0,"v":1,"weight":5},{"u":2,"v":4,"weight":5}]"#,
            "(2, 4) is no pair of 4 vertices",
        ),
        (
            r#""pairs":[{"u":1,"v":0,"weight":5},{"u":2,"v":3,"weight":5}]"#,
            "(1, 0) is no pair of 4 vertices",
        ),
        (
            r#""pairs":[{"u":2,"v":3,"weight":5},{"u":0,"v":1,"weight":5}]"#,
            "pair (0, 1) is out of order",
        ),
        (
            r#""pairs":[{"u":0,"v":1,"weight":5},{"u":1,"v":3,"weight":5}]"#,
            "vertex 1 is in two pairs",
        ),
        (r#""pairs":[{"u":0,"v":1,"weight":5}]"#, "different things of vertex 2"),
    ] {
        let error = serde_json::from_str::<Solution<i64>>(&text.replace(pairs, forged)).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    }
}
