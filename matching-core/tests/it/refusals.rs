//! What the checker says of each fault.

use core::error::Error as _;

use matching_core::Error;
use matching_core::verify::{Number, VerifyError};

#[test]
fn what_cannot_be_read_says_why() {
    let reason = Error::NotSquare { rows: 2, cols: 3 };
    let error = VerifyError::from(reason.clone());
    assert_eq!(error.to_string(), format!("the input cannot be read: {reason}"));
    assert_eq!(error.source().expect("the reason").to_string(), reason.to_string());
    assert!(VerifyError::Overflow.source().is_none());
}

#[test]
fn every_refusal_has_words_of_its_own() {
    let (found, required) = (Number::Integer(7), Number::Float(0.5));
    let asymmetric = |back| VerifyError::Asymmetric {
        vertex: 1,
        mate: 2,
        back,
    };
    let pair = VerifyError::Pair {
        position: 3,
        found: None,
        required: Some((4, 5)),
    };
    let unmatched = VerifyError::Unmatched {
        vertex: 4,
        found: 2,
        allowed: 1,
    };
    let length = VerifyError::Length {
        what: "partners",
        found: 3,
        required: 4,
    };
    let weight = VerifyError::PairWeight {
        u: 1,
        v: 2,
        found,
        required,
    };
    let off_grid = VerifyError::OffGrid {
        cost: required,
        exponent: 3,
    };
    let range = VerifyError::SetRange {
        set: 1,
        start: 2,
        len: 5,
        vertices: 6,
    };
    let explanation = VerifyError::Explanation {
        u: 1,
        v: 2,
        what: "the cost of the pair",
    };
    for (error, words) in [
        (VerifyError::Overflow, "a sum does not fit 128 bits"),
        (length, "3 partners where there must be 4"),
        (
            VerifyError::VertexOutOfRange { vertex: 6, len: 5 },
            "vertex 6 is not one of 5",
        ),
        (asymmetric(Some(3)), "vertex 1 is matched to 2, but 2 to 3"),
        (asymmetric(None), "vertex 1 is matched to 2, but 2 to none"),
        (
            VerifyError::NotAnEdge { u: 1, v: 2 },
            "vertices 1 and 2 are matched, but not joined by an edge",
        ),
        (pair, "pair 3 is None, the partners give Some((4, 5))"),
        (weight, "pair (1, 2) carries weight 7, its edge 0.5"),
        (unmatched, "2 vertices are unmatched, among them 4; 1 may be"),
        (
            VerifyError::Cost { found, required },
            "cost 7 is claimed, the matching costs 0.5",
        ),
        (
            VerifyError::Bound { found, required },
            "bound 7 is claimed, 0.5 follows",
        ),
        (
            VerifyError::Gap { primal: 6, dual: 5 },
            "the matching is at 6, its duals at 5 half units",
        ),
        (VerifyError::Exponent { found: -1 }, "a grid of 2^-1 for integer costs"),
        (
            off_grid,
            "cost 0.5 is no multiple of 2^3, so nothing can be called optimal",
        ),
        (
            VerifyError::Repeated { position: 1, vertex: 2 },
            "vertex 2 stands again at position 1",
        ),
        (range, "set 1: 5 positions from 2 of 6"),
        (
            VerifyError::SetSize { set: 1, len: 4 },
            "set 1 has 4 members, not an odd number from three",
        ),
        (VerifyError::SetDual { set: 1, dual: -2 }, "set 1 has dual value -2"),
        (VerifyError::SetsCross { set: 1, other: 2 }, "sets 1 and 2 cross"),
        (
            VerifyError::SetOrder { outer: 2, inner: 1 },
            "set 2 holds set 1 and is listed after it",
        ),
        (VerifyError::Overlap { vertex: 3 }, "vertex 3 belongs to two parts"),
        (
            VerifyError::EvenComponent { component: 1, len: 2 },
            "component 1 has 2 vertices, not odd",
        ),
        (
            VerifyError::Escape { inside: 1, outside: 2 },
            "edge (1, 2) leaves a component",
        ),
        (
            explanation,
            "pair (1, 2): the input says something else of the cost of the pair",
        ),
        (
            VerifyError::Deficiency { found: 1, required: 2 },
            "deficiency 1, required is 2",
        ),
    ] {
        assert_eq!(error.to_string(), words);
    }
}
