//! What became of each claim, and that it follows from the comparison alone.

use super::{Remedy, Statement, int};
use crate::claims::tests::of_xu;
use crate::claims::{Claim, Paper, Point, Value, Verdict, find};

/// The claims that are not true word for word; all others hold.
const NOT_AS_PRINTED: [(&str, Verdict); 15] = [
    ("(7)", Verdict::DoesNotHold),
    ("(9) FIFO", Verdict::DoesNotHold),
    ("(9) packing", Verdict::DoesNotHold),
    ("(10)", Verdict::DoesNotHold),
    ("(11)", Verdict::DoesNotHold),
    ("Var 2Q at 0.489", Verdict::DoesNotHold),
    (
        "the benefit of being choice-free depends on the imbalance between A and B",
        Verdict::DoesNotHold,
    ),
    (
        "as B increases, the two sides become more symmetric",
        Verdict::HoldsAsRead,
    ),
    ("hardly changes, by a tenth", Verdict::DoesNotHold),
    (
        "being choice-free benefits the whole system, sides",
        Verdict::DoesNotHold,
    ),
    ("(40)", Verdict::HoldsAsRead),
    ("no incentive", Verdict::DoesNotHold),
    ("90 % is the maximum", Verdict::DoesNotHold),
    ("marginal value, normalized", Verdict::DoesNotHold),
    ("figure 8, from 1 to 2", Verdict::HoldsAsRead),
];

#[test]
fn verdicts() {
    let claims = of_xu();
    assert_eq!(claims.len(), 111);
    let others = claims.iter().filter(|claim| claim.verdict != Verdict::Holds);
    let found: Vec<(&str, Verdict)> = others.map(|claim| (claim.label, claim.verdict)).collect();
    assert_eq!(found, NOT_AS_PRINTED);
}

/// Some are spread over several claims, such as (9) over two orders of service.
#[test]
fn each_numbered_equation_has_a_claim() {
    let claims = of_xu();
    for number in 1..=43 {
        let equation = format!("({number})");
        let is_about = |claim: &Claim| claim.label.split(' ').next() == Some(&equation);
        assert!(claims.iter().any(is_about), "{equation}");
    }
}

#[test]
fn values_are_numbers() {
    for claim in of_xu() {
        for point in &claim.points {
            let values = [Some(&point.computed), point.printed.as_ref(), point.corrected.as_ref()];
            let mut values = values.into_iter().flatten();
            assert!(
                values.all(|value| value.float.is_finite()),
                "{}: {point:?}",
                claim.label
            );
        }
    }
}

#[test]
fn labels_are_unique_and_claims_have_points() {
    let claims = of_xu();
    let mut labels: Vec<&str> = claims.iter().map(|claim| claim.label).collect();
    labels.sort_unstable();
    labels.dedup();
    assert_eq!(labels.len(), claims.len());
    assert!(claims.iter().all(|claim| !claim.points.is_empty()));
}

#[test]
fn variances_come_with_forms_that_agree_at_eight_points_or_more() {
    let claims = of_xu();
    for label in ["(7)", "(9) FIFO", "(9) packing", "(10)"] {
        let claim = claims.iter().find(|claim| claim.label == label).expect("a label");
        assert!(claim.corrected_form.is_some() && claim.points.len() >= 8, "{label}");
        for point in &claim.points {
            let corrected = point.corrected.as_ref().and_then(|value| value.exact.clone());
            assert_eq!(corrected, point.computed.exact, "{label}");
        }
    }
}

/// A claim judged again with one of its points printed otherwise.
fn with_a_misprint(claim: &Claim, at: usize) -> Claim {
    let mut points: Vec<Point> = claim.points.clone();
    let printed = points[at].printed.take().and_then(|value| value.exact);
    points[at].printed = printed.map(|value| Value::from(value + int(1)));
    let statement = Statement {
        paper: claim.paper,
        label: claim.label,
        statement: claim.statement,
        remedy: Remedy::None,
    };
    statement.judge(points)
}

#[test]
fn a_misprint_at_any_point_changes_the_verdict() {
    for claim in of_xu().iter().filter(|claim| claim.verdict == Verdict::Holds) {
        for at in 0..claim.points.len() {
            let verdict = with_a_misprint(claim, at).verdict;
            assert_eq!(verdict, Verdict::DoesNotHold, "{} at {at}", claim.label);
        }
    }
}

#[test]
fn a_claim_is_found_by_its_label_alone() {
    for claim in of_xu() {
        assert_eq!(find(Paper::Xu, claim.label).as_ref(), Some(&claim));
    }
    assert_eq!(find(Paper::Xu, "(0)"), None);
}
