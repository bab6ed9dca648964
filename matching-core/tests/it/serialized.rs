//! What is written by `serde` and read again.

use matching_core::cost::{CondensedMatrix, DenseMatrix};
use matching_core::{Blossom, Certificate, EdgeList, Error, SolvedBy};

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
    let solution = Blossom::new().solve(&edges).unwrap();
    let text = serde_json::to_value(&solution).unwrap();
    assert_eq!(text["solved_by"], "Sparse");
    assert_eq!(again(&solution.solved_by()), SolvedBy::Sparse);
    let edges = EdgeList::new(4, [(0, 1, 1_i64), (0, 2, 1), (0, 3, 1)]).unwrap();
    let Err(Error::NoPerfectMatching(witness)) = Blossom::new().solve(&edges) else {
        panic!("a star has none");
    };
    let text = serde_json::to_string(&witness).unwrap();
    assert!(!text.contains("solved_by"), "{text}");
    let read = again(&witness);
    assert_eq!((&read, read.solved_by()), (&witness, None));
}
