//! The checker against reasons why there is no answer, made by hand: right ones pass, each kind of wrong one is refused.

use matching_core::verify::{self, VerifyError};
use matching_core::{Objective, TutteBerge};

use crate::support::graph;

#[test]
fn wrong_witnesses_are_refused() {
    let star = graph(5, &[(0, 1, 1), (0, 2, 1), (0, 3, 1), (0, 4, 1)]);
    let check = |removed: &[usize], components: &[&[usize]]| {
        let components = components.iter().map(|members| members.to_vec()).collect();
        verify::witness(&star, &TutteBerge::new(removed.to_vec(), components))
    };
    assert_eq!(check(&[0], &[&[1], &[2], &[3], &[4]]), Ok(()));
    assert_eq!(check(&[0], &[&[1], &[3]]), Ok(()), "not all components are needed");
    assert_eq!(
        check(&[0], &[&[1]]),
        Err(VerifyError::Deficiency { found: 0, required: 1 })
    );
    assert_eq!(check(&[], &[&[1]]), Err(VerifyError::Escape { inside: 1, outside: 0 }));
    assert_eq!(
        check(&[0], &[&[1, 2], &[3]]),
        Err(VerifyError::EvenComponent { component: 0, len: 2 })
    );
    assert_eq!(
        check(&[0], &[&[], &[3]]),
        Err(VerifyError::EvenComponent { component: 0, len: 0 })
    );
    assert_eq!(check(&[0], &[&[1], &[1]]), Err(VerifyError::Overlap { vertex: 1 }));
    assert_eq!(
        check(&[0, 0], &[&[1], &[2], &[3]]),
        Err(VerifyError::Overlap { vertex: 0 })
    );
    assert_eq!(check(&[0], &[&[0], &[2]]), Err(VerifyError::Overlap { vertex: 0 }));
    assert_eq!(
        check(&[5], &[&[1]]),
        Err(VerifyError::VertexOutOfRange { vertex: 5, len: 5 })
    );
    assert_eq!(check(&[], &[&[0, 1, 2, 3, 4]]), Ok(()), "an odd number of vertices");

    // With a bye for one, a second one must be left over.
    let bye = Objective::MinBye(vec![0; 5]);
    let all = TutteBerge::new(vec![], vec![vec![0, 1, 2, 3, 4]]);
    let required = verify::infeasibility(&star, &bye, &all);
    assert_eq!(required, Err(VerifyError::Deficiency { found: 1, required: 2 }));
    let leaves = TutteBerge::new(vec![0], vec![vec![1], vec![2], vec![3]]);
    assert_eq!(verify::infeasibility(&star, &bye, &leaves), Ok(()));
    assert!(
        verify::infeasibility(&star, &Objective::MaxWeight, &leaves).is_err(),
        "any matching will do"
    );
}

#[test]
fn a_witness_is_for_the_vertices_of_the_graph_not_for_the_number_of_byes() {
    // No byes counted as an even number of vertices, so that one vertex left over seemed too many.
    let triangle = graph(3, &[(0, 1, 1i64), (1, 2, 1), (0, 2, 1)]);
    let witness = TutteBerge::new(vec![], vec![vec![0, 1, 2]]);
    let check = |byes| verify::infeasibility(&triangle, &Objective::MinBye(byes), &witness);
    assert_eq!(
        check(vec![]),
        Err(VerifyError::Length {
            what: "penalties or byes",
            found: 0,
            required: 3
        })
    );
    assert_eq!(
        check(vec![1; 3]),
        Err(VerifyError::Deficiency { found: 1, required: 2 })
    );
}

#[test]
fn witnesses_are_equal_if_their_sets_are() {
    let witness = |removed: usize, last: usize| TutteBerge::new(vec![removed], vec![vec![1], vec![2], vec![last]]);
    assert_eq!(witness(0, 3), witness(0, 3));
    assert_ne!(witness(0, 3), witness(4, 3));
    assert_ne!(witness(0, 3), witness(0, 4));
}
